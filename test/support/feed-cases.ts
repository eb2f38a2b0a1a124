/**
 * Mutated feed files. A seed, a kind and a number define each file, so that a test can rebuild a failing one. The
 * reader must read each file or refuse it with a printable message, in bounded time and memory.
 */
import { writeFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { formatInputError, instrumentId, type RandomStream, randomStream } from '../../src/core/index.ts'
import { createFeedCursor, type FeedColumns, type FeedPolicies } from '../../src/feeds/index.ts'
import { convertFeed, type FeedFault, type FeedFileOptions, inspect, openFeedFile } from '../../src/host/index.ts'
import { tardisText } from './feed-text.ts'
import { frameOf, plainTape, resealed, storedBlock } from './packed-files.ts'

/** Kinds of mutated files. */
export const feedKinds = ['csv', 'packed', 'tape'] as const
export type FeedKind = (typeof feedKinds)[number]

/** A file before mutations, and its columns. */
interface Original {
  readonly bytes: Buffer
  readonly columns: FeedColumns | null
}

/** Files of every kind before mutations. */
export type Originals = Readonly<Record<FeedKind, readonly Original[]>>

const anyFile: FeedFileOptions = { format: null, symbol: null, columns: null, sha256: null }
const mappings: readonly FeedColumns[] = [
  {
    kind: 'book',
    delimiter: ';',
    timestamp: { column: 'time', unit: 'ms' },
    side: { column: 'side', buy: 'B', sell: 'S' },
    price: 'price',
    amount: 'amount',
    is_snapshot: { column: 'type', word: 'snapshot' },
    sequence: 'number',
    previous_sequence: 'before',
  },
  { kind: 'trades', timestamp: { column: 'time', unit: 'ns' }, price: 'price', amount: 'amount' },
]

function texts(): readonly (readonly [text: string, columns: FeedColumns | null])[] {
  const rows = Array.from({ length: 30 }, (_, row) => row)
  const at = (row: number): number => 1_723_161_257_823_000 + row * 500
  const [book = null, trades = null] = mappings
  return [
    [
      tardisText(
        'tardis.trades',
        rows.map((row) => `${at(row)},${at(row) + 9},${row},buy,${60_000 + row}.5,10`),
      ),
      null,
    ],
    [
      tardisText(
        'tardis.incremental_book_L2',
        rows.map((row) => {
          const side = row % 2 === 0 ? 'bid' : 'ask'
          return `${at(row)},${at(row >> 2)},${row < 8},"${side}",${60_000 + row}.5,${row % 5}0`
        }),
      ),
      null,
    ],
    [
      tardisText(
        'tardis.derivative_ticker',
        rows.map((row) => `${at(row)},${at(row) + 9},,,,,,${60_000 + row}.25,${60_001 + row}.5`),
      ),
      null,
    ],
    [
      [
        'time;side;price;amount;type;number;before',
        ...rows.map((row) => {
          const type = row === 0 ? 'snapshot' : 'change'
          return `${1_723_161_257_823 + row};B;${60_000 + row};10;${type};${row + 1};${row}`
        }),
        '',
      ].join('\n'),
      book,
    ],
    [
      [
        'time,price,amount',
        ...rows.map((row) => `${at(row)}123,6e4,${row}.50`),
        '"1723161257823000000",60000,1',
        '',
      ].join('\r\n'),
      trades,
    ],
  ]
}

/** Makes the files to mutate. */
export async function originalFeeds(): Promise<Originals> {
  const folder = await mkdtemp(join(tmpdir(), 'pitclock-originals-'))
  const csv: Original[] = []
  const packed: Original[] = [{ bytes: Buffer.from(zstdTrades, 'base64'), columns: null }]
  const tape: Original[] = []
  for (const [text, columns] of texts()) {
    const bytes = Buffer.from(text)
    csv.push({ bytes, columns })
    packed.push({ bytes: gzipSync(bytes), columns })
    packed.push({ bytes: Buffer.from(frameOf([storedBlock(bytes, true)])), columns })
    const source = join(folder, 'source')
    const target = join(folder, 'tape')
    writeFileSync(source, bytes)
    const format = columns === null ? null : 'csv'
    const converted = await convertFeed(source, target, {
      ...anyFile,
      format,
      columns,
      force: true,
    })
    if (!converted.ok) throw new Error(formatInputError(converted.error.error))
    tape.push({ bytes: await readFile(target), columns: null })
  }
  await rm(folder, { recursive: true })
  return { csv, packed, tape }
}

/** The mutated file with this number, and its columns. */
export function mutatedFeed(
  originals: Originals,
  place: { readonly seed: string; readonly kind: FeedKind; readonly number: number },
): Original {
  const { seed, kind, number } = place
  const random = randomStream(seed, `feed/${kind}/${number}`)
  const { bytes, columns } = random.pick(originals[kind])
  // A tape is damaged with its old checksums, without checksums, or with correct checksums over the damage.
  const seal = kind === 'tape' ? random.int(0, 2) : 0
  let mutated: Buffer = Buffer.from(seal === 1 ? plainTape(bytes) : bytes)
  const times = random.int(1, 4)
  for (let time = 0; time < times; time += 1) mutated = mutate(mutated, random, seal === 2)
  return { bytes: seal === 2 ? resealed(bytes, mutated) : mutated, columns }
}

const words = ['', '-1', '1e400', '9'.repeat(30), 'NaN', '1e-400', '0x10', ' 5 ', '"', '\u001b[2J']
const numbers = [0, 1, 0x7f, 0xff, 0x7fff, 0x7fffffff, 0x80000000, 0xffffffff, 0x40000000]

function mutate(bytes: Buffer, random: RandomStream, keepsLength: boolean): Buffer {
  if (bytes.length < 16) return bytes
  const at = random.int(0, bytes.length - 9)
  const length = random.int(1, 40)
  const out = Buffer.from(bytes)
  switch (random.int(0, keepsLength ? 3 : 8)) {
    case 0:
      out[at] = (out[at] ?? 0) ^ (1 << random.int(0, 7))
      return out
    case 1:
      out[at] = random.pick([0, 0xff, 34, 10, 13, 44, 45, 46, 48, 57, 101, random.int(0, 255)])
      return out
    case 2:
      out.writeUInt32LE(random.pick(numbers), at - (at & 3))
      return out
    case 3:
      out.writeBigInt64LE(BigInt(random.pick([-1, 2 ** 53, 2 ** 62, 2 ** 31])), at - (at & 7))
      return out
    case 4:
      return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
    case 5:
      return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)])
    case 6:
      return out.subarray(0, at)
    default: {
      const word = Buffer.from(random.pick(words))
      return Buffer.concat([bytes.subarray(0, at), word, bytes.subarray(at + random.int(0, 12))])
    }
  }
}

/** Reads and inspects a file; throws if the program would end with an internal error. */
export async function readAnyhow(
  path: string,
  { columns }: Original,
  random: RandomStream,
): Promise<'read' | 'refused'> {
  const format = columns === null ? null : 'csv'
  const options = { ...anyFile, format, columns } as const
  const inspected = await inspect(path, { ...options, head: 3 })
  if (!inspected.ok) checkWords(inspected.error)
  const opened = await openFeedFile(path, options)
  if (!opened.ok) return checkWords(opened.error)
  try {
    const policy = random.pick(['keep', 'skip', 'fail'] as const)
    const policies: FeedPolicies = {
      backward: policy,
      disorder: policy,
      duplicate: policy,
      gap: policy,
      crossed: policy,
      off_grid: policy,
      empty: policy,
      off_book: policy,
      out_of_life: policy,
      cut: policy,
    }
    const cursor = createFeedCursor({
      kind: opened.value.kind,
      files: [{ feed: 0, name: path }],
      instrument: { id: instrumentId(0), tick9: 500_000_000, amountStep9: 10_000_000_000 },
      clock: random.pick(['exchange', 'local']),
      policies,
      from: null,
      to: null,
    })
    for (;;) {
      const next = await opened.value.next()
      if (!next.ok) return checkWords(next.error)
      if (next.value === null) return 'read'
      const added = cursor.addBatch(next.value, 0)
      if (!added.ok) return checkWords({ kind: 'input', error: added.error })
      while (cursor.next() !== undefined);
    }
  } finally {
    await opened.value.close()
  }
}

const MESSAGE_LENGTH_MAX = 3_000

/** A refusal is one line that a terminal can print. */
function checkWords(fault: FeedFault): 'refused' {
  const text = formatInputError(fault.error)
  const isPlain = [...text].every((letter) => letter >= ' ' || '\n\t'.includes(letter))
  if (text.length > MESSAGE_LENGTH_MAX || !isPlain) throw new Error(`a message: ${text}`)
  return 'refused'
}

/** Sixty trades compressed by `zstd -19`: compressed blocks and a checksum. */
const zstdTrades = [
  'KLUv/WTREO0YACa3eR8wb5I2dDz3MCK11oCL1ou2PAPKXrJTJunmAwODXAoHkwBjAGYAI1Twx1F3VBIWtd2Gqb1Q8dZ57L0K',
  'C5vx2u8YoaJDPPVsHz0yL1Scvm1XhUVb+/gjdKECA5kpkyMsOMTBIQEhHJKuFXXGuDViQICCBAUOIChwIACBBAMkooFBA4WE',
  'AwARESpIeGCQRIMGChMk4aABQhw0yAIHhgYSHGTCA0MEROKhIUIcJDB4uAAhiQcRGCA0sJAI5rr7uT46HdpHp9RSZ9xD5/uO',
  'f1LrDhf1ZXvLMR7/Sqev8XlmkD3SynbyzYs8TB5jQzK7uxUq6jXlG/aJx1Dr9TgNzake28OPS6XZYY9NvZbbudXWX1h0Zqjq',
  '1bFQMeQYWaMWP7K3jZp5zLx1QzYVFi/vWmvCwuZZqnxVvbpPi5VG9aNMLIupXDRcI1TUcFhKnKJj0fRt2MaFbmsVDVpYzNC2',
  'rx5Tpc/MOITFPx5FZHShwkP6pAdZhYr62po50ZzWqZGlCgsqqyQFAGhzZHU1RGIjsvH69S+L7Kl/HTQ1z2OExZGIRL3bwsLk',
  '6XpG8+Mmln2j1b40drqfM4dc7g1pkERjFt+vbDPUYdptr7FTrtvtOu/ncfc6vGGhoiedRr1yhYrxv+rx45g+eT5XAYEMqCFA',
  'Vxmmyn6NAdFtSYENB9IKFCwjIALHFf+P8AMtJl3zESJa+qalYnjN4xqFTEIBQoY42MqpJypKYGKqozxZHbdI6yr72NaYYBny',
  'XKhN5CbQmDhpwnukcuXve0SH4CGyrZl4Vh4TrurUx+EBIHu/ayi8b1/eFNuSFvONGFRp+J92KJwHyKUePUla7ZEMstppY9Q9',
  'VLo8rRqjGfnp6ZPd3wKzNixlyLRKLxahEjlNU7NCO7neVuQIEKuTyGyFL+A4iLiWKSdSRsxCuTCakoVBXoMuwgnckaZmpWiC',
  'KdfjwZDf2gT0mUOYIzOwpN9MWYslKGIQMk47zG3cSEmG5RTqyVRuRlZDPsJi+w5NQPJ3VmEM+Jhzxe2dRodPvXdGZa2wm6Jl',
  'oopXm+n514BJGhVGJqkB3KkD4Q==',
].join('')
