/** The codec of plain data: round trips, one form per value, refusals, damaged bytes. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../../../src/core/assert.ts'
import { encodeValue, isRecordKey, type Plain } from '../../../../src/core/bytes/codec.ts'
import { decodeValue } from '../../../../src/core/bytes/codec-reader.ts'

const anyText = fc.string({ unit: 'binary', maxLength: 8 })
const loneText = fc.constantFrom('\ud800', 'a\udfffb', '\udc00\ud800')
const doubles = fc.double({ noNaN: true }).map((value) => value + 0)

const { plain } = fc.letrec<{ plain: Plain }>((tie) => ({
  plain: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'plain' },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.integer({ min: -70, max: 70 }),
    doubles,
    fc.bigInt({ min: -(2n ** 130n), max: 2n ** 130n }),
    anyText,
    loneText,
    fc.uint8Array({ maxLength: 5 }),
    fc.int32Array({ maxLength: 5 }),
    fc.array(doubles, { maxLength: 5 }).map((items) => Float64Array.from(items)),
    fc.array(tie('plain'), { maxLength: 4, depthIdentifier: 'plain' }),
    fc
      .array(fc.tuple(fc.oneof(anyText, loneText).filter(isRecordKey), tie('plain')), {
        maxLength: 4,
        depthIdentifier: 'plain',
      })
      .map((entries) => Object.fromEntries(entries)),
  ),
}))

/** Encodes a value that only an untyped caller would pass. */
function encodeUntyped(value: unknown): Uint8Array {
  return encodeValue(value as Plain)
}

function nested(depth: number): Plain {
  let value: Plain = []
  for (let level = 0; level < depth; level += 1) value = [value]
  return value
}

describe('round trip', () => {
  test('every plain value comes back, in one form', () => {
    fc.assert(
      fc.property(plain, (value) => {
        const bytes = encodeValue(value)
        const decoded = decodeValue(bytes)
        expect(decoded).toStrictEqual({ ok: true, value })
        if (decoded.ok) expect(encodeValue(decoded.value)).toEqual(bytes)
      }),
      { numRuns: 1000 },
    )
  })

  test('keys keep their order, and equal data in another order is other bytes', () => {
    const decoded = decodeValue(encodeValue({ b: 1, a: 2 }))
    expect(decoded.ok && Object.keys(decoded.value ?? {})).toEqual(['b', 'a'])
    expect(encodeValue({ b: 1, a: 2 })).not.toEqual(encodeValue({ a: 2, b: 1 }))
  })

  test('decodes from the middle of a buffer into copies', () => {
    const bytes = Uint8Array.of(255, ...encodeValue(Uint8Array.of(1, 2)), 255)
    const decoded = decodeValue(bytes.subarray(1, -1))
    bytes.fill(0)
    expect(decoded).toEqual({ ok: true, value: Uint8Array.of(1, 2) })
  })

  test('takes data of sixty-four levels and much of it', () => {
    expect(decodeValue(encodeValue(nested(64))).ok).toBe(true)
    const long = {
      text: 'x'.repeat(100_000),
      wide: 'é😀'.repeat(99),
      list: new Int32Array(100_000).fill(-7),
    }
    expect(decodeValue(encodeValue(long))).toStrictEqual({ ok: true, value: long })
  })
})

describe('known bytes', () => {
  test.each<[Plain, number[]]>([
    [null, [0]],
    [false, [1]],
    [true, [2]],
    [0, [3, 0]],
    [-1, [3, 1]],
    [63, [3, 126]],
    [64, [3, 128, 1]],
    [-65, [3, 129, 1]],
    [Number.MAX_SAFE_INTEGER, [3, 254, 255, 255, 255, 255, 255, 255, 31]],
    [0.5, [4, 0, 0, 0, 0, 0, 0, 224, 63]],
    [0n, [5, 0]],
    [258n, [5, 2, 2, 1]],
    [-1n, [6, 1, 1]],
    ['é', [7, 2, 195, 169]],
    ['\ud800', [8, 2, 0, 216]],
    [Uint8Array.of(9), [9, 1, 9]],
    [Int32Array.of(-2), [10, 1, 254, 255, 255, 255]],
    [Float64Array.of(2), [11, 1, 0, 0, 0, 0, 0, 0, 0, 64]],
    [
      [1, []],
      [12, 2, 3, 2, 12, 0],
    ],
    [{ a: null }, [13, 1, 7, 1, 97, 0]],
  ])('%o', (value, bytes) => {
    expect([...encodeValue(value)]).toEqual(bytes)
    expect(decodeValue(Uint8Array.from(bytes))).toStrictEqual({ ok: true, value })
  })
})

describe('encodeValue refuses', () => {
  test.each([
    ['NaN', Number.NaN],
    ['-0', -0],
    ['NaN in an array', Float64Array.of(Number.NaN)],
    ['-0 in an array', Float64Array.of(-0)],
    ['undefined', undefined],
    ['undefined in a list', [undefined]],
    ['undefined in a record', { a: undefined }],
    ['a hole in a list', new Array(1)],
    ['a function', () => 0],
    ['a symbol', Symbol('a')],
    ['a map', new Map()],
    ['a date', new Date(0)],
    ['another typed array', new Uint16Array(1)],
    ['a key of digits', { 12: 1 }],
    ['the key __proto__', JSON.parse('{"__proto__": 1}')],
    ['too deep data', nested(65)],
  ])('%s', (_, value) => {
    expect(() => encodeUntyped(value)).toThrow(AssertionFailure)
  })

  test('data that contains itself', () => {
    const list: unknown[] = []
    list.push(list)
    expect(() => encodeUntyped(list)).toThrow(AssertionFailure)
  })
})

describe('decodeValue refuses', () => {
  test.each<[string, number[], number, string, string]>([
    ['nothing', [], 0, 'at least 1 more bytes', '0'],
    ['an unknown tag', [14], 0, 'a tag from 0 to 13', 'byte 14'],
    ['more than a value', [0, 0], 1, 'the end of the value', '1 more bytes'],
    ['a padded integer', [3, 128, 0], 1, 'the shortest varint', 'a longer varint'],
    ['a padded size', [9, 128, 0], 1, 'the shortest varint', 'a longer varint'],
    ['an unsafe integer', [3, 255, 255, 255, 255, 255, 255, 255, 31], 1, 'a safe integer', 'a larger number'],
    [
      'an endless varint',
      [9, 255, 255, 255, 255, 255, 255, 255, 255, 255],
      1,
      'a varint below 2^53',
      'a larger number',
    ],
    ['an integer as a double', [4, 0, 0, 0, 0, 0, 0, 0, 64], 1, 'a double that is not NaN, -0 or a safe integer', '2'],
    ['-0 as a double', [4, 0, 0, 0, 0, 0, 0, 0, 128], 1, 'a double that is not NaN, -0 or a safe integer', '-0'],
    ['NaN in an array', [11, 1, 0, 0, 0, 0, 0, 0, 248, 127], 2, 'a double that is not NaN or -0', 'NaN'],
    ['a padded bigint', [5, 2, 1, 0], 1, 'no leading zero byte', 'one'],
    ['a negative zero bigint', [6, 0], 1, 'a bigint below 0', '0'],
    ['bad UTF-8', [7, 1, 255], 1, 'valid UTF-8 text', 'invalid bytes'],
    ['an encoded surrogate', [7, 3, 237, 160, 128], 1, 'valid UTF-8 text', 'invalid bytes'],
    ['half a UTF-16 unit', [8, 1, 0], 1, 'complete UTF-16 units', 'half a unit'],
    ['UTF-16 without need', [8, 2, 97, 0], 1, 'a lone surrogate', 'text that UTF-8 can encode'],
    ['a list longer than its bytes', [12, 3, 0, 0], 1, 'at least 3 more bytes', '2'],
    ['an array longer than its bytes', [10, 2, 0, 0, 0, 0], 1, 'at least 8 more bytes', '4'],
    ['a key that is no text', [13, 1, 3, 0, 0], 2, 'the tag of a text for a key', 'byte 3'],
    ['a key twice', [13, 2, 7, 1, 97, 0, 7, 1, 97, 0], 6, 'a new key', "the key 'a' again"],
    ['a key of digits', [13, 1, 7, 1, 48, 0], 2, 'a key in the expected order', "'0'"],
  ])('%s', (_, bytes, offset, expected, found) => {
    const error = { offset, expected, found }
    expect(decodeValue(Uint8Array.from(bytes))).toEqual({ ok: false, error })
  })

  test('data that is too deep', () => {
    const bytes = Uint8Array.from([...new Array<number[]>(65).fill([12, 1]).flat(), 0])
    const error = { offset: 130, expected: 'at most 64 levels', found: 'a deeper level' }
    expect(decodeValue(bytes)).toEqual({ ok: false, error })
  })
})

describe('damaged bytes', () => {
  test('every cut is a fault', () => {
    fc.assert(
      fc.property(plain, fc.nat(), (value, at) => {
        const bytes = encodeValue(value)
        const cut = decodeValue(bytes.subarray(0, at % bytes.length))
        expect(cut.ok).toBe(false)
        if (!cut.ok) expect(cut.error.offset).toBeLessThanOrEqual(bytes.length)
      }),
      { numRuns: 500 },
    )
  })

  test('every flipped bit is a fault or another value in its one form', () => {
    fc.assert(
      fc.property(plain, (value) => {
        const bytes = encodeValue(value)
        for (let bit = 0; bit < bytes.length * 8; bit += 1) {
          const flipped = bytes.slice()
          flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7))
          const decoded = decodeValue(flipped)
          if (decoded.ok) expect(encodeValue(decoded.value)).toEqual(flipped)
          else expect(decoded.error.offset).toBeLessThanOrEqual(bytes.length)
        }
      }),
    )
  })

  test('noise is a fault or a value in its one form', () => {
    const noise = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.array(fc.nat(15), { maxLength: 40 }).map((items) => Uint8Array.from(items)),
    )
    fc.assert(
      fc.property(noise, (bytes) => {
        const decoded = decodeValue(bytes)
        if (decoded.ok) expect(encodeValue(decoded.value)).toEqual(bytes)
        else expect(decoded.error.offset).toBeLessThanOrEqual(bytes.length)
      }),
      { numRuns: 3000 },
    )
  })
})
