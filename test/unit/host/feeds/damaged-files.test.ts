/**
 * Damaged and malicious files: a tape gives exactly its content or nothing, wrong offsets in metadata are never
 * followed, zstd is unpacked in bounded memory, and pipes and devices do not block.
 */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formatInputError, instrumentId } from '../../../../src/core/index.ts'
import { createFeedCursor, defaultPolicies, type FeedBatch } from '../../../../src/feeds/index.ts'
import { soundMetadata } from '../../../../src/host/arrow-file.ts'
import { createTape } from '../../../../src/host/feeds/tape-file.ts'
import { createXxHash64 } from '../../../../src/host/feeds/xxhash.ts'
import { createZstdReader } from '../../../../src/host/feeds/zstd.ts'
import { convertFeed, type FeedFileOptions, inspect, openFeedFile } from '../../../../src/host/index.ts'
import { tardisText } from '../../../support/feed-text.ts'
import { frameOf, plainTape, runsOf, storedBlock } from '../../../support/packed-files.ts'
import { commitSeed, isWhole } from '../../../support/property-runs.ts'

const anyFile: FeedFileOptions = { format: null, symbol: null, columns: null, sha256: null }

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pitclock-damaged-'))
})
afterEach(async () => {
  await rm(home, { recursive: true, force: true })
})

async function put(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(home, name)
  await writeFile(path, bytes)
  return path
}

function reported(fault: { readonly error: Parameters<typeof formatInputError>[0] }): string {
  return formatInputError(fault.error).replaceAll(`${home}/`, '')
}

/** All rows of a file as one text, or its error. */
async function rowsOf(path: string, options = anyFile): Promise<string> {
  const opened = await openFeedFile(path, options)
  if (!opened.ok) return `refused: ${reported(opened.error)}`
  const rows: string[] = []
  try {
    for (;;) {
      const next = await opened.value.next()
      if (!next.ok) return `refused: ${reported(next.error)}`
      if (next.value === null) return rows.join('\n')
      const { time, price, amount, flags, row } = next.value
      for (let at = 0; at < next.value.rows; at += 1) {
        rows.push([time[at], price[at], amount[at], flags[at], row[at]].join(' '))
      }
    }
  } finally {
    await opened.value.close()
  }
}

const lines = Array.from({ length: 40 }, (_, row) => `${5 + row},6,${row},buy,${100 + row}.5,10`)

async function tapeBytes(): Promise<Buffer> {
  const source = await put('source.csv', tardisText('tardis.trades', lines))
  const path = join(home, 'tape.arrow')
  const converted = await convertFeed(source, path, { ...anyFile, force: true })
  if (!converted.ok) throw new Error(reported(converted.error))
  return await readFile(path)
}

describe('tapes', () => {
  test('H0A a tape with any flipped bit is refused', async () => {
    const bytes = await tapeBytes()
    const whole = await rowsOf(join(home, 'tape.arrow'))
    expect(whole.split('\n')).toHaveLength(40)
    const path = join(home, 'flipped.arrow')
    // Every part of the file is hit; the steps have no factor in common with the length of a word.
    const step = isWhole ? 7 : 77
    for (let at = commitSeed % step; at < bytes.length; at += step) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at & 7))
      await writeFile(path, flipped)
      const found = await rowsOf(path)
      expect(found === whole ? `${at} was not seen` : found).toMatch(/^refused: flipped.arrow/)
    }
  })

  test('H0A a tape without checksums is refused with the command that makes a new one', async () => {
    const path = await put('old.arrow', plainTape(await tapeBytes()))
    expect(await rowsOf(path)).toBe(
      `refused: old.arrow: expected a complete tape, found no checksums, as in a damaged tape or one of an earlier version (to make a new one: pitclock convert RECORDED --out old.arrow --force)`,
    )
  })

  test('H00 metadata of an Arrow file whose bits are flipped is refused before it is decoded', async () => {
    const bytes = plainTape(await tapeBytes())
    const path = join(home, 'table.arrow')
    let refused = 0
    const step = isWhole ? 11 : 55
    for (let at = 8 + (commitSeed % step); at < bytes.length - 10; at += step) {
      const flipped = Buffer.from(bytes)
      // The upper bits of lengths and offsets, which made the decoder run forever.
      flipped[at] = (flipped[at] ?? 0) ^ 0x40
      await writeFile(path, flipped)
      const found = await inspect(path, { ...anyFile, head: 2 })
      if (!found.ok) refused += 1
    }
    expect(refused).toBeGreaterThan(isWhole ? 100 : 20)
  })

  test('H00 a list with more elements than bytes is not followed', () => {
    // A footer with one field: a list of key-value pairs that claims 2^30 of them.
    const footer = Buffer.alloc(40)
    footer.writeUInt32LE(20, 0)
    footer.writeUInt16LE(14, 4)
    footer.writeUInt16LE(8, 6)
    footer.writeUInt16LE(4, 16)
    footer.writeInt32LE(16, 20)
    footer.writeUInt32LE(4, 24)
    footer.writeUInt32LE(0, 28)
    expect(soundMetadata('footer', footer)).not.toBeNull()
    footer.writeUInt32LE(2 ** 30, 28)
    expect(soundMetadata('footer', footer)).toBeNull()
  })

  test('H04 the policy decides about a price beyond the exact range, with its row', async () => {
    const path = join(home, 'bad.arrow')
    const tape = await createTape(path, {
      sha256: 'ab'.repeat(32),
      format: 'tardis.trades',
      kind: 'trades',
    })
    tape.add(batchOf({ price: Float64Array.of(100, 2 ** 60) }))
    tape.close(null, { records: 2, otherSymbols: 0, firstOtherSymbol: null })
    const opened = await openFeedFile(path, anyFile)
    const batch = opened.ok ? await opened.value.next() : opened
    if (!batch.ok || batch.value === null || !opened.ok) throw new Error('a tape with rows')
    for (const off_grid of ['fail', 'keep', 'skip'] as const) {
      const cursor = createFeedCursor({
        kind: 'trades',
        files: [{ feed: 0, name: 'bad.arrow' }],
        instrument: { id: instrumentId(0), tick9: 500_000_000, amountStep9: 1_000_000_000 },
        clock: 'exchange',
        policies: { ...defaultPolicies, off_grid },
        from: null,
        to: null,
      })
      const added = cursor.addBatch(batch.value, 0)
      const text = added.ok ? '' : formatInputError(added.error)
      expect(text).toContain(off_grid === 'skip' ? '' : 'bad.arrow:3')
      expect(text).toContain(off_grid === 'skip' ? '' : '1152921504606847000e-0')
    }
    expect((await inspect(path, { ...anyFile, head: 5 })).ok).toBe(true)
    await opened.value.close()
  })

  test('H04 an invalid time is refused with its row', async () => {
    const path = join(home, 'bad.arrow')
    const tape = await createTape(path, {
      sha256: 'ab'.repeat(32),
      format: 'tardis.trades',
      kind: 'trades',
    })
    tape.add(batchOf({ localTime: Float64Array.of(5, -1) }))
    tape.close(null, { records: 2, otherSymbols: 0, firstOtherSymbol: null })
    expect(await rowsOf(path)).toContain(
      'bad.arrow:3: local_timestamp: expected a number from 0 to 9007199254740991, found -1',
    )
  })
})

function batchOf(change: Partial<FeedBatch>): FeedBatch {
  return {
    kind: 'trades',
    rows: 2,
    time: Float64Array.of(5, 6),
    localTime: Float64Array.of(5, 6),
    flags: Uint8Array.of(8, 8),
    price: Float64Array.of(100, 101),
    amount: Float64Array.of(10, 10),
    row: Float64Array.of(1, 2),
    ids: null,
    priceDecimals: 0,
    amountDecimals: 0,
    ...change,
  }
}

describe('zstd', () => {
  test('H07 a run of one byte is unpacked a block at a time', () => {
    const reader = createZstdReader()
    const blocks = 400
    let bytes = 0
    let pieces = 0
    for (const piece of reader.push(frameOf(runsOf('x', blocks)))) {
      expect(piece.length).toBeLessThanOrEqual(1 << 17)
      bytes += piece.length
      pieces += 1
    }
    reader.end()
    expect([bytes, pieces]).toEqual([blocks * 100_000, blocks])
  })

  test('H07 a frame whose content fails its checksum or its size is refused', async () => {
    const content = Buffer.from(tardisText('tardis.trades', lines))
    const hash = createXxHash64()
    hash.update(content)
    const sum = Buffer.alloc(4)
    sum.writeUInt32LE(hash.low32())
    const good = frameOf([storedBlock(content, true)], { checksum: sum, size: content.length })
    expect(await rowsOf(await put('good.zst', good))).toContain('5 1005 10')
    const bad = Buffer.from(good)
    // One digit of a price.
    bad[bad.length - 9] = (bad.at(-9) ?? 0) ^ 1
    expect(await rowsOf(await put('bad.zst', bad))).toContain('content that does not match its checksum')
    const size = content.length + 1
    const long = frameOf([storedBlock(content, true)], { checksum: sum, size })
    expect(await rowsOf(await put('long.zst', long))).toContain('bytes in a frame that declares')
  })

  test('H07 XXH64 gives the published hashes, in pieces of any length', () => {
    const of = (text: string, step = 1_000): string => {
      const hash = createXxHash64()
      const bytes = Buffer.from(text)
      for (let at = 0; at < bytes.length; at += step) hash.update(bytes.subarray(at, at + step))
      return hash.low32().toString(16)
    }
    // XXH64("") = ef46db3751d8e999, of "a" d24ec4f1a98c6e5b, of "abc" 44bc2cf5ad770999.
    expect([of(''), of('a'), of('abc')]).toEqual(['51d8e999', 'a98c6e5b', 'ad770999'])
    const long = 'Nobody inspects the spammish repetition'
    // XXH64 of it: fbcea83c8a378bf1.
    expect([of(long), of(long, 7), of(long, 33)]).toEqual(['8a378bf1', '8a378bf1', '8a378bf1'])
  })

  test('H07 a window of more than 8 MiB, a dictionary and a reserved block are refused', async () => {
    const head = [0x28, 0xb5, 0x2f, 0xfd]
    const window = await put('a.zst', Uint8Array.of(...head, 0, 0x70, 1, 0, 0))
    expect(await rowsOf(window)).toContain('a window of 16777216 bytes, above the limit of 8388608')
    const dictionary = await put('b.zst', Uint8Array.of(...head, 1, 0x38, 5, 1, 0, 0))
    expect(await rowsOf(dictionary)).toContain('a frame that needs a dictionary')
    const block = await put('c.zst', Uint8Array.of(...head, 0, 0x38, 7, 0, 0))
    expect(await rowsOf(block)).toContain('invalid block type')
  })
})

describe.skipIf(process.platform === 'win32')('pipes and devices', () => {
  test('H00 devices, pipes and folders are refused, and do not block', async () => {
    expect(await rowsOf('/dev/zero')).toContain('expected a regular file, found a device')
    const pipe = join(home, 'pipe')
    execFileSync('mkfifo', [pipe])
    expect(await rowsOf(pipe)).toBe(
      'refused: pipe: expected a regular file, found a named pipe (--allow-special accepts it and reads it to its end first)',
    )
    expect(await rowsOf(home)).toContain('found a folder')
  })

  test('H00 a pipe is read to its end if it is allowed', async () => {
    const pipe = join(home, 'pipe')
    execFileSync('mkfifo', [pipe])
    const { writeFile: write } = await import('node:fs/promises')
    const writing = write(pipe, tardisText('tardis.trades', lines))
    const rows = await rowsOf(pipe, { ...anyFile, allowSpecial: true })
    await writing
    expect(rows.split('\n')).toHaveLength(40)
  })

  test.skipIf(!existsSync('/dev/zero'))('H00 an endless device ends with an interruption', async () => {
    let asked = 0
    const interrupted = (): boolean => {
      asked += 1
      return asked > 2
    }
    const found = await rowsOf('/dev/zero', { ...anyFile, allowSpecial: true, interrupted })
    expect(found).toContain('found an interruption')
  })
})
