/**
 * Recorded files on disk: every compression gives the same batches, a tape gives those of its source, and truncated,
 * empty or foreign files are refused by name.
 */
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { tableFromIPC as flechetteTable } from '@uwdata/flechette'
import { tableFromArrays, tableFromIPC, tableToIPC } from 'apache-arrow'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formatInputError } from '../../../../src/core/index.ts'
import { type FeedBatch, rowFlags } from '../../../../src/feeds/index.ts'
import { convertFeed, type FeedFileOptions, inspect, openFeedFile, runFile } from '../../../../src/host/index.ts'
import { sha256Hex } from '../../../../src/host/sha256.ts'
import { tardisText } from '../../../support/feed-text.ts'
import { repository } from '../../../support/repository.ts'

const anyFile: FeedFileOptions = { format: null, symbol: null, columns: null, sha256: null }
/** A book of two batches. */
const text = tardisText(
  'tardis.incremental_book_L2',
  Array.from({ length: 70_000 }, (_, row) => {
    const side = row % 2 === 0 ? 'bid' : 'ask'
    return `${1_723_161_257_823_000 + row},${row >> 2},${row < 8},${side},${row % 97}.5,${row % 7}`
  }),
)

let home = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pitclock-feeds-'))
})
afterEach(async () => {
  await rm(home, { recursive: true, force: true })
})

async function put(name: string, bytes: Uint8Array | string): Promise<string> {
  const path = join(home, name)
  await writeFile(path, bytes)
  return path
}

/** All batches of a file, or the kind and message of its error. */
async function batchesOf(path: string, change: Partial<FeedFileOptions> = {}): Promise<readonly FeedBatch[] | string> {
  const opened = await openFeedFile(path, { ...anyFile, ...change })
  if (!opened.ok) return reported(opened.error)
  const batches: FeedBatch[] = []
  for (;;) {
    const next = await opened.value.next()
    if (!next.ok || next.value === null) {
      await opened.value.close()
      return next.ok ? batches : reported(next.error)
    }
    batches.push(copyOf(next.value))
  }
}

/** A copy of a batch, because a tape reuses the memory of the previous batch. */
function copyOf(batch: FeedBatch): FeedBatch {
  const { rows, time, localTime, flags, price, amount, row } = batch
  return {
    ...batch,
    ...{ time: time.slice(0, rows), localTime: localTime.slice(0, rows) },
    ...{ flags: flags.slice(0, rows), price: price.slice(0, rows) },
    ...{ amount: amount.slice(0, rows), row: row.slice(0, rows) },
  }
}

function reported(fault: { readonly kind: string; readonly error: Parameters<typeof formatInputError>[0] }) {
  return `${fault.kind} ${formatInputError(fault.error).replaceAll(`${home}/`, '')}`
}

/** One hash for each batch, which compares faster than a million numbers. */
function hashesOf(batches: readonly FeedBatch[] | string): unknown {
  if (typeof batches === 'string') return batches
  return batches.map(({ kind, rows, priceDecimals, amountDecimals, ...columns }) => {
    const { time, localTime, flags, price, amount, row } = columns
    const bytes = [time, localTime, flags, price, amount, row].map((column) =>
      Buffer.from(column.buffer, column.byteOffset, column.byteLength),
    )
    return [kind, rows, priceDecimals, amountDecimals, sha256Hex(Buffer.concat(bytes))]
  })
}

/** A zstd frame that stores its content in uncompressed blocks of one kind. */
function zstdFrame(content: Uint8Array): Uint8Array {
  // Magic, then a descriptor without content size, then a window of 1 MiB.
  const parts: Uint8Array[] = [Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x50)]
  const blockBytes = 100_000
  for (let from = 0; from < content.length; from += blockBytes) {
    const block = content.subarray(from, from + blockBytes)
    const isLast = from + blockBytes >= content.length
    const head = (block.length << 3) | (isLast ? 1 : 0)
    parts.push(Uint8Array.of(head & 255, (head >> 8) & 255, head >> 16), block)
  }
  return Buffer.concat(parts)
}

/** The number of open descriptors of this process for a path, from the system's list. */
async function openCount(path: string): Promise<number> {
  const links = await readdir('/proc/self/fd')
  const targets = links.map((link) => readlink(`/proc/self/fd/${link}`).catch(() => ''))
  return (await Promise.all(targets)).filter((target) => target === path).length
}

describe.skipIf(!existsSync('/proc/self/fd'))('files that wait for their turn', () => {
  test.each(['a.csv', 'a.csv.gz', 'a.csv.zst'])('%s is open only while it is read', async (name) => {
    const plain = Buffer.from(text)
    const bytes = name.endsWith('gz') ? gzipSync(plain) : plain
    const path = await put(name, name.endsWith('zst') ? zstdFrame(plain) : bytes)
    const opened = await openFeedFile(path, anyFile)
    if (!opened.ok) throw new Error(reported(opened.error))
    expect(await openCount(path)).toBe(0)
    expect((await opened.value.next()).ok).toBe(true)
    await opened.value.close()
    await expect.poll(() => openCount(path)).toBe(0)
  })
})

describe('packing', () => {
  test('plain, gzip of two members and zstd of two frames give equal batches', async () => {
    const bytes = Buffer.from(text)
    const halves = [bytes.subarray(0, 1_000_003), bytes.subarray(1_000_003)]
    const plain = hashesOf(await batchesOf(await put('a.bin', text)))
    const gzip = await put('b.bin', Buffer.concat(halves.map((half) => gzipSync(half))))
    const zstd = await put('c.bin', Buffer.concat(halves.map(zstdFrame)))
    expect(plain).toHaveLength(2)
    expect(hashesOf(await batchesOf(gzip))).toEqual(plain)
    expect(hashesOf(await batchesOf(zstd))).toEqual(plain)
  })

  test('a truncated packed file is refused', async () => {
    const gzip = gzipSync(text)
    const cut = await put('a.csv.gz', gzip.subarray(0, gzip.length - 9))
    expect(await batchesOf(cut)).toBe('input a.csv.gz: expected a complete gzip file, found a truncated file')
    const zstd = zstdFrame(Buffer.from(text))
    const short = await put('a.csv.zst', zstd.subarray(0, zstd.length - 9))
    expect(await batchesOf(short)).toBe('input a.csv.zst: expected a complete zstd file, found a truncated file')
  })

  test('damaged bytes of gzip are refused', async () => {
    const gzip = Buffer.from(gzipSync(text))
    gzip.fill(0x55, 1_000, 1_100)
    expect(await batchesOf(await put('a.gz', gzip))).toContain('expected a complete gzip file')
  })

  test('a missing file is a fault of input and output', async () => {
    expect(await batchesOf(join(home, 'none.csv'))).toBe('io none.csv: expected a readable file, found no such file')
  })

  test('an empty file and an unknown header are refused', async () => {
    expect(await batchesOf(await put('a.csv', ''))).toContain('a.csv:1: expected the header of')
    expect(await batchesOf(await put('b.csv', 'a,b\n1,2\n'))).toContain('found a,b')
  })

  test('a pinned hash must equal that of the file', async () => {
    const path = await put('a.csv', text)
    expect(await batchesOf(path, { sha256: sha256Hex(Buffer.from(text)) })).toHaveLength(2)
    expect(await batchesOf(path, { sha256: 'ab'.repeat(32) })).toContain('found SHA-256')
  })
})

describe('tapes', () => {
  async function tapeOf(content: string, change: Partial<FeedFileOptions> = {}): Promise<string> {
    const source = await put('source.csv', content)
    const path = join(home, 'tape.arrow')
    const options = { ...anyFile, ...change, force: true }
    const converted = await convertFeed(source, path, options)
    if (!converted.ok) throw new Error(reported(converted.error))
    return path
  }

  test('a tape gives the batches of its source', async () => {
    const path = await tapeOf(text)
    const source = await batchesOf(join(home, 'source.csv'))
    expect(hashesOf(await batchesOf(path))).toEqual(hashesOf(source))
    expect(await batchesOf(path, { format: 'tape', symbol: 'BTC-PERPETUAL' })).toHaveLength(2)
    expect(await batchesOf(path, { format: 'tardis.incremental_book_L2' })).toHaveLength(2)
    expect(await batchesOf(path, { sha256: sha256Hex(Buffer.from(text)) })).toHaveLength(2)
    expect((await readdir(home)).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([...['source.csv', 'tape.arrow']])
  })

  test('any reader of Arrow finds times, mantissas and exponents', async () => {
    const bytes = await readFile(await tapeOf(text))
    const rows = flechetteTable(bytes, { useBigInt: true })
    expect([rows.numRows, rows.names.length]).toEqual([70_000, 9])
    expect([rows.getChild('price').at(3), rows.getChild('price_exponent').at(3)]).toEqual([35n, -1])
    const table = tableFromIPC(bytes)
    expect(String(table.schema.fields[0]?.type)).toBe('Timestamp<MICROSECOND, UTC>')
    expect(table.schema.metadata.get('pitclock.source_sha256')).toBe(sha256Hex(Buffer.from(text)))
    expect(table.schema.metadata.get('pitclock.source_rows')).toBe('70000')
  })

  test('a tape records what its reader left out', async () => {
    const lines = ['5,6,true,bid,1,2']
    const both = `${tardisText('tardis.incremental_book_L2', lines)}deribit,ETH,5,6,true,bid,1,2\n`
    const opened = await openFeedFile(await tapeOf(both, { symbol: 'ETH' }), anyFile)
    if (!opened.ok) throw new Error(reported(opened.error))
    expect(opened.value).toMatchObject({
      ...{ symbol: 'ETH', kind: 'book', format: 'tardis.incremental_book_L2' },
      totals: { records: 2, otherSymbols: 1, firstOtherSymbol: 1 },
    })
    await opened.value.close()
  })

  test('a day without rows is a tape without rows', async () => {
    const path = await tapeOf(tardisText('tardis.trades', []))
    expect(await batchesOf(path)).toEqual([])
  })

  test('a tape of another symbol, format or hash is refused', async () => {
    const path = await tapeOf(text)
    expect(await batchesOf(path, { symbol: 'ETH' })).toContain('found a tape of BTC-PERPETUAL')
    expect(await batchesOf(path, { format: 'tardis.trades' })).toContain('expected a tardis.trades file')
    expect(await batchesOf(path, { sha256: 'ab'.repeat(32) })).toContain('expected recorded data')
    const source = join(home, 'source.csv')
    expect(await batchesOf(source, { format: 'tape' })).toContain('expected a tape')
  })

  test('a truncated, damaged or foreign tape is refused', async () => {
    const path = await tapeOf(text)
    const bytes = await readFile(path)
    const cut = await put('cut.arrow', bytes.subarray(0, bytes.length >> 1))
    expect(await batchesOf(cut)).toContain('cut.arrow: expected a complete tape')
    const torn = Buffer.from(bytes)
    torn.fill(0xee, 2_000, 6_000)
    expect(await batchesOf(await put('torn.arrow', torn))).toContain('do not match the checksum of batch 1')
  })

  test('a mistake in the source leaves no tape', async () => {
    const source = await put('bad.csv', text.replace('96.5', 'x'))
    const options = { ...anyFile, force: false }
    const converted = await convertFeed(source, join(home, 'bad.arrow'), options)
    expect(converted.ok ? '' : reported(converted.error)).toContain('bad.csv:98: price')
    expect(await readdir(home)).toEqual(['bad.csv'])
  })

  test('a tape never replaces its source or a folder', async () => {
    const source = await put('source.csv', text)
    const onto = await convertFeed(source, source, { ...anyFile, force: true })
    expect(onto.ok ? '' : reported(onto.error)).toBe(
      'io source.csv: expected a path other than the recorded file, found that file',
    )
    expect(await readFile(source, 'utf8')).toBe(text)
    const folder = join(home, 'folder')
    await mkdir(folder)
    const into = await convertFeed(source, folder, { ...anyFile, force: true })
    expect(into.ok ? '' : reported(into.error)).toContain('io folder: expected a path for a new tape')
    expect((await readdir(home)).toSorted()).toEqual(['folder', 'source.csv'])
  })

  test('a tape that exists is replaced only when asked', async () => {
    const path = await tapeOf(text)
    const source = join(home, 'source.csv')
    const again = await convertFeed(source, path, { ...anyFile, force: false })
    expect(again.ok ? '' : reported(again.error)).toContain('io tape.arrow: expected a path')
  })
})

describe('inspection', () => {
  test('shows rows, times, checks and the first rows', async () => {
    const found = await inspect(await put('a.csv', text), { ...anyFile, head: 1 })
    expect(found).toMatchObject({
      ok: true,
      value: {
        ...{ type: 'feed', packing: 'plain', kind: 'book', symbol: 'BTC-PERPETUAL', rows: 70_000 },
        from: '2024-08-08T23:54:17.823Z',
        head: [{ row: 1, side: 'bid', price: '0.5', amount: '0', flags: ['snapshot', 'first'] }],
      },
    })
  })

  test('d03 only trades of amount 0 are reported as empty', async () => {
    const rows = ['1723161257823000,1723161257824000,1,buy,60000,10']
    rows.push('1723161257823001,1723161257824001,2,buy,60000,0')
    const path = await put('a.csv', tardisText('tardis.trades', rows))
    const found = await inspect(path, { ...anyFile, head: 0 })
    const quality = [
      { check: 'rows', count: 2, first_row: 1 },
      { check: 'messages', count: 1, first_row: 1 },
      { check: 'empty', count: 1, first_row: 2 },
    ]
    expect(found).toMatchObject({ ok: true, value: { quality: expect.arrayContaining(quality) } })
  })
})

describe('files that other tools write', () => {
  const trades = tardisText('tardis.trades', ['1723161257823000,1723161257824000,1,buy,60000,10'])

  test.each([
    ['Parquet', [...Buffer.from('PAR1')], 'a Parquet file'],
    ['zip', [...Buffer.from('PK'), 3, 4, 20], 'a zip archive (unpack it first'],
    ['xz', [0xfd, ...Buffer.from('7zXZ'), 0], 'an xz file'],
    ['bzip2', [...Buffer.from('BZh91')], 'a bzip2 file'],
    ['DBN', [...Buffer.from('DBN'), 2, 0], 'a Databento DBN file'],
    ['UTF-16', [...Buffer.from('\ufeffexchange', 'utf16le')], 'text in UTF-16'],
    ['an unknown form', [1, 2, 0, 3], 'a binary file'],
  ])('U7 d17 %s is named by its first bytes, packed or not', async (_, bytes, words) => {
    const plain = Uint8Array.from(bytes)
    for (const path of [await put('a.csv', plain), await put('a.csv.gz', gzipSync(plain))]) {
      expect(await batchesOf(path)).toContain(`found ${words}`)
      expect(await batchesOf(path, { format: 'tardis.trades' })).toContain(`found ${words}`)
    }
  })

  test('U7 liquidations of Tardis are not taken for trades', async () => {
    expect(await batchesOf(await put('deribit_liquidations_2026-01-05.csv', trades))).toContain(
      'found a liquidations file, according to its name',
    )
    expect(await batchesOf(await put('deribit_trades_2026-01-05.csv', trades))).toHaveLength(1)
  })

  test.each([
    ['lz4-many', 'a file with batches compressed with LZ4 (write it uncompressed'],
    ['zstd', 'a file with batches compressed with ZSTD (write it uncompressed'],
    ['utf8view', 'a file with columns of type Utf8View, which is not supported (use older types'],
    ['polars', 'a file with columns of type Utf8View, which is not supported (use older types'],
    ['binaryview', 'a file with columns of type BinaryView, which is not supported'],
    ['ree', 'a file with columns of type RunEndEncoded, which is not supported'],
  ])('U7 d15 a form of Arrow that is not read is named: %s', async (name, words) => {
    const path = join(repository, `test/fixtures/arrow-of-others/${name}.arrow`)
    const found = await inspect(path, { ...anyFile, head: 1 })
    expect(found.ok ? '' : reported(found.error)).toContain(`found ${words}`)
    expect(await batchesOf(path)).toContain('found an Arrow or Feather file from another program')
  })

  test('U7 a file of another instrument is refused by both names, and taken by its symbol', async () => {
    const format = 'tardis.incremental_book_L2'
    const book = tardisText(format, ['1723161257823000,1723161257824000,true,bid,60000,10'])
    await put('eth.csv', book.replace('BTC-PERPETUAL', 'ETH-PERPETUAL'))
    await put('btc.csv', book.replace('BTC-PERPETUAL', 'btc-perpetual'))
    const tape = { ...anyFile, force: false }
    expect(await convertFeed(join(home, 'eth.csv'), join(home, 'eth.arrow'), tape)).toMatchObject({
      ok: true,
    })
    const ran = async (feed: string): Promise<string | number> => {
      const lines = [
        ...['version: 1', 'title: t', 'start: 2024-08-08T23:54:00Z', 'until: 2024-08-08T23:56:00Z'],
        ...['instruments: [BTC-PERPETUAL]', 'index: { btc_usd: 60000 }'],
        `feeds: [{ format: ${format}, instrument: BTC-PERPETUAL, ${feed} }]`,
      ]
      const result = await runFile(await put('run.yaml', lines.join('\n')))
      if (!result.ok) return result.error.errors.map(formatInputError).join('; ')
      return result.value.feeds[0]?.rows ?? -1
    }
    for (const file of ['eth.csv', 'eth.arrow']) {
      expect(await ran(`path: ${file}`)).toContain(
        `${file}: symbol: expected rows of BTC-PERPETUAL, the instrument of the feed, found rows of ETH-PERPETUAL (to use them for BTC-PERPETUAL, set symbol: ETH-PERPETUAL`,
      )
      expect(await ran(`path: ${file}, symbol: ETH-PERPETUAL`)).toBe(1)
    }
    expect(await ran('path: btc.csv')).toBe(1)
  })

  test('d15 an Arrow file of another program is not reported as a damaged tape', async () => {
    const bytes = tableToIPC(tableFromArrays({ a: Int32Array.of(1) }), 'file')
    expect(await batchesOf(await put('a.arrow', bytes))).toContain(
      'found an Arrow or Feather file from another program',
    )
  })

  test.each(['\n', '\n\n', '\r\n\r\n'])('d19 blank lines at the end are nothing: %j', async (end) => {
    const [batch] = await batchesOf(await put('a.csv', trades + end))
    expect(batch).toMatchObject({ rows: 1 })
    expect(await batchesOf(await put('b.csv', `${trades}${end}${trades.split('\n')[1]}\n`))).toContain(
      'found an empty line',
    )
  })

  describe.each([
    ['plain', 'a.csv', Buffer.from],
    ['gzip', 'a.csv.gz', gzipSync],
  ] as const)('d19 a last line that has no newline: %s', (_, name, pack) => {
    const row = 'deribit,BTC-PERPETUAL,1723161257825000,1723161257826000,2,sell,60001,10'
    const cutText = (length: number): string => trades + row.slice(0, length)

    test.each([
      ['in the middle', 25, 'with 3 of 8 cells'],
      ['in its last cell', row.length - 1, 'whose last cell may be incomplete'],
      ['or nowhere', row.length, 'whose last cell may be incomplete'],
    ])('cut %s: it is refused, left out or read', async (__, length, words) => {
      const path = await put(name, pack(cutText(length)))
      expect(await batchesOf(path)).toContain(
        `${name}:3: expected a newline at the end of the last line, found a line without a newline, ${words} (policy: { cut: skip }`,
      )
      const [batch] = await batchesOf(path, { cut: 'skip' })
      expect(batch).toMatchObject({ rows: 1 })
      const kept = await batchesOf(path, { cut: 'keep' })
      if (length === 25) expect(kept).toContain(`${name}:3: expected 8 cells, as in the header, found 3`)
      else expect(kept).toMatchObject([{ rows: 2 }])
    })

    test('the end of a Windows line cut in two is whole; blank lines before a cut line count', async () => {
      expect(await batchesOf(await put(name, pack(`${trades}${row}\r`)))).toMatchObject([{ rows: 2 }])
      expect(await batchesOf(await put(name, pack(`${trades}\n\n${row}`)))).toContain(`${name}:5: `)
    })

    test('a header alone needs no newline', async () => {
      expect(await batchesOf(await put(name, pack(trades.split('\n')[0] ?? '')))).toEqual([])
    })
  })

  test('d19 a tape records the handling of a cut line', async () => {
    const row = 'deribit,BTC-PERPETUAL,1723161257825000,1723161257826000,2,sell,60001,1'
    const path = await put('a.csv', `${trades}${row}`)
    const tape = join(home, 'a.arrow')
    const made = await convertFeed(path, tape, { ...anyFile, cut: 'skip', force: true })
    expect(made).toMatchObject({ ok: true, value: { rows: 1 } })
    expect(await batchesOf(tape, { cut: 'fail' })).toContain(
      'expected a tape made with cut: fail, found a tape made with cut: skip',
    )
    const found = await inspect(tape, { ...anyFile, head: 0 })
    expect(found.ok && 'quality' in found.value && found.value.quality).toContainEqual({
      ...{ check: 'cut', count: 1, first_row: 2 },
    })
  })

  test('d06 d07 numbers and times of other tools', async () => {
    const columns = {
      kind: 'book',
      timestamp: { column: 't', unit: 'iso' },
      side: { column: 's', buy: 'b', sell: 'a' },
      price: 'p',
      amount: 'q',
      sequence: 'n',
      previous_sequence: 'pu',
      is_snapshot: { column: 'u', word: 'snap' },
    } as never
    const rows = [
      '2026-01-05 09:00:00.295000123+00:00,b,60000,1,500,-1,snap',
      '2026-01-05 09:00:01+00,b,60000,2,501,-1,set',
      '2026-01-05T09:00:02+0530,b,60000,3,502,501,set',
      '2026-01-05 09:00:03 UTC,b,60000,4,503,502,set',
    ]
    const path = await put('a.csv', `t,s,p,q,n,pu,u\n${rows.join('\n')}\n`)
    const [batch] = await batchesOf(path, { format: 'csv', columns })
    const second = Date.UTC(2026, 0, 5, 9) * 1000
    const times = [295_000, 1_000_000, 2_000_000 - 19_800_000_000, 3_000_000]
    expect([...(batch as FeedBatch).time]).toEqual(times.map((time) => second + time))
    expect([...(batch as FeedBatch).flags].some((flags) => (flags & rowFlags.gap) !== 0)).toBe(false)
  })

  test('d08 the hint promises no reading of two sides in one row', async () => {
    expect(await batchesOf(await put('q.csv', 'ask_price,bid_price\n1,2\n'))).toContain('not both bid and ask')
  })
})
