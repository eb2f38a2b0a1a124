/** The container of sections: round trips, and a named fault for every damage. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../../../src/core/assert.ts'
import { decodeSections, encodeSections } from '../../../../src/core/bytes/sections.ts'

const magic = 'pitclock snapshot'
const headBytes = magic.length + 8
const sample = new Map([
  ['engine', Uint8Array.of(1, 2, 3)],
  ['book', Uint8Array.of(4)],
  ['empty', new Uint8Array(0)],
])
const bytes = encodeSections(magic, 3, sample)

function decodeSample(changed: Uint8Array): ReturnType<typeof decodeSections> {
  return decodeSections(changed, magic, 3)
}

function changedAt(offset: number, value: number): Uint8Array {
  const changed = bytes.slice()
  changed[offset] = value
  return changed
}

describe('sections', () => {
  test('come back in their order', () => {
    const decoded = decodeSample(bytes)
    expect(decoded).toEqual({ ok: true, value: sample })
    expect(decoded.ok && [...decoded.value.keys()]).toEqual(['engine', 'book', 'empty'])
    expect(decodeSections(encodeSections('m', 0, new Map()), 'm', 0)).toEqual({
      ok: true,
      value: new Map(),
    })
  })

  test('come back with any content', () => {
    const sections = fc
      .array(fc.tuple(fc.stringMatching(/^[a-z0-9_-]{1,64}$/), fc.uint8Array()))
      .map((entries) => new Map(entries))
    fc.assert(
      fc.property(sections, fc.nat(), (value, version) => {
        const encoded = encodeSections(magic, version, value)
        expect(decodeSections(encoded, magic, version)).toEqual({ ok: true, value })
      }),
    )
  })

  test('bad magic', () => {
    expect(decodeSample(changedAt(0, 0))).toEqual({
      ok: false,
      error: {
        section: null,
        offset: 0,
        expected: "magic 'pitclock snapshot'",
        found: "'?itclock snapshot'",
      },
    })
    expect(decodeSample(new Uint8Array(0))).toMatchObject({ error: { offset: 0, found: "''" } })
  })

  test('another version', () => {
    expect(decodeSample(changedAt(magic.length, 4))).toEqual({
      ok: false,
      error: { section: null, offset: 17, expected: 'version 3', found: 'version 4' },
    })
  })

  test('truncated', () => {
    expect(decodeSample(bytes.subarray(0, headBytes - 1))).toEqual({
      ok: false,
      error: {
        section: null,
        offset: 24,
        expected: 'bytes up to 25',
        found: 'truncated at byte 24',
      },
    })
    expect(decodeSample(bytes.subarray(0, headBytes + 45))).toEqual({
      ok: false,
      error: {
        section: 'engine',
        offset: 70,
        expected: 'bytes up to 71',
        found: 'truncated at byte 70',
      },
    })
    expect(decodeSample(bytes.subarray(0, headBytes + 46))).toMatchObject({
      error: { section: '#2', offset: 71, found: 'truncated at byte 71' },
    })
  })

  test('the checksum of a section differs', () => {
    const payloadAt = headBytes + 46 + 1 + 4 + 4 + 32
    const decoded = decodeSample(changedAt(payloadAt, 5))
    expect(decoded).toMatchObject({ ok: false, error: { section: 'book', offset: payloadAt - 32 } })
    if (decoded.ok) return
    expect(decoded.error.expected).toMatch(/^checksum [0-9a-f]{64}$/)
    expect(decoded.error.found).toMatch(/^checksum [0-9a-f]{64}$/)
    expect(decoded.error.found).not.toBe(decoded.error.expected)
  })

  test('more bytes, and a section twice', () => {
    expect(decodeSample(Uint8Array.of(...bytes, 0))).toEqual({
      ok: false,
      error: {
        section: null,
        offset: bytes.length,
        expected: 'the end of the container',
        found: '1 more bytes',
      },
    })
    const once = encodeSections(magic, 3, new Map([['book', Uint8Array.of(4)]]))
    const twice = Uint8Array.of(...once, ...once.subarray(headBytes))
    twice[magic.length + 4] = 2
    expect(decodeSample(twice)).toMatchObject({
      error: { section: 'book', expected: expect.stringContaining('checksum ') },
    })
  })

  test('H03 a section of another container, in its place, is a fault', () => {
    const [one, two] = [5, 6].map((value) =>
      encodeSections(
        magic,
        3,
        new Map([
          ['engine', Uint8Array.of(value)],
          ['book', Uint8Array.of(value)],
        ]),
      ),
    )
    const at = headBytes + 1 + 'engine'.length + 4 + 32 + 1
    const mixed = Uint8Array.of(...(one?.subarray(0, at) ?? []), ...(two?.subarray(at) ?? []))
    expect(decodeSample(mixed)).toMatchObject({ error: { section: 'book', offset: at + 9 } })
  })

  test('every cut and every flipped bit is a fault', () => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(decodeSample(bytes.subarray(0, length)).ok).toBe(false)
    }
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const byte = bytes[bit >> 3] ?? 0
      const decoded = decodeSample(changedAt(bit >> 3, byte ^ (1 << (bit & 7))))
      expect(decoded.ok, `bit ${bit}`).toBe(false)
      if (!decoded.ok) expect(decoded.error.offset).toBeLessThanOrEqual(bytes.length)
    }
  })

  test('noise behind a good head is a fault or empty', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        const decoded = decodeSample(Uint8Array.of(...bytes.subarray(0, headBytes - 4), ...noise))
        expect(decoded.ok && decoded.value.size > 0).toBe(false)
      }),
    )
  })

  test('refuses names, magic and versions that are not plain', () => {
    const of = (name: string): Map<string, Uint8Array> => new Map([[name, new Uint8Array(0)]])
    for (const name of ['', 'Book', 'a b', 'x'.repeat(65), 'é']) {
      expect(() => encodeSections(magic, 1, of(name))).toThrow(AssertionFailure)
    }
    expect(() => encodeSections('', 1, of('a'))).toThrow(AssertionFailure)
    expect(() => encodeSections('é', 1, of('a'))).toThrow(AssertionFailure)
    expect(() => encodeSections(magic, 2 ** 32, of('a'))).toThrow(AssertionFailure)
  })
})
