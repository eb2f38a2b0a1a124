/**
 * The recorded feeds that the tests of `test/recorded` and the benchmarks read. They are outside the repository:
 * PITCLOCK_RECORDED names their folder, and the default is `shared/data` next to the repository. No other test may read
 * them, so that all other tests pass in a bare clone.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FeedColumns } from '../../src/feeds/index.ts'
import { repository } from './repository.ts'

const beside = join(repository, '..', 'shared', 'data')
const folder = process.env['PITCLOCK_RECORDED'] ?? beside

/** True if the recorded feeds are available. Otherwise benchmarks skip the parts that need them. */
export function hasRecordedFeeds(): boolean {
  return existsSync(join(folder, 'README.md'))
}

/** The path of a recorded file. Throws if the folder does not exist. */
export function recordedFile(...names: readonly string[]): string {
  if (!hasRecordedFeeds()) {
    throw new Error(`expected recorded feeds in PITCLOCK_RECORDED, found none in ${folder}`)
  }
  return join(folder, ...names)
}

/** A real perpetual: book and trades of five minutes. */
export const perpetual = {
  folder: 'binance-coinm/btcusd-perp-2024-08-08',
  book: 'incremental_book_L2.csv.gz',
  trades: 'trades.csv.gz',
} as const

/** The columns of the captured books of options. */
export const optionBookColumns: FeedColumns = {
  kind: 'book',
  timestamp: { column: 'timestamp_ms', unit: 'ms' },
  local_timestamp: { column: 'local_timestamp_us', unit: 'us' },
  symbol: 'instrument_name',
  side: 'side',
  price: 'price',
  amount: 'amount',
  is_snapshot: { column: 'type', word: 'snapshot' },
  sequence: 'change_id',
  previous_sequence: 'prev_change_id',
}

interface GapMessage {
  readonly params?: {
    readonly data: {
      readonly timestamp: number
      readonly instrument_name: string
      readonly change_id: number
      readonly prev_change_id?: number
      readonly bids: readonly (readonly [string, number, number])[]
      readonly asks: readonly (readonly [string, number, number])[]
    }
  }
}

/** Raw messages of a captured book as a CSV file, with the source line of each row. */
export function gapFileOf(lines: readonly string[]): {
  text: string
  lineOfRow: readonly number[]
} {
  const rows: string[] = []
  const lineOfRow: number[] = []
  for (const [index, line] of lines.entries()) {
    const data = (JSON.parse(line) as GapMessage).params?.data
    if (data === undefined) continue
    const previous = data.prev_change_id
    const type = previous === undefined ? 'snapshot' : 'change'
    const head = [index + 1, data.timestamp, data.instrument_name, type, previous ?? '']
    for (const side of ['bid', 'ask'] as const) {
      for (const [action, price, amount] of side === 'bid' ? data.bids : data.asks) {
        rows.push([...head, data.change_id, side, action, price, amount].join(','))
        lineOfRow.push(index + 1)
      }
    }
  }
  const header = 'line,timestamp_ms,instrument_name,type,prev_change_id,change_id,side,action,price,amount'
  return { text: [header, ...rows, ''].join('\n'), lineOfRow }
}
