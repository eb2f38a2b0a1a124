/**
 * A plain reader of records: it finds the use of each column in the header of a file, and reads the cells of one record
 * as numbers. It shares only the bits of the flags with `src/feeds`; it repeats formats, units and words on purpose.
 */
import { parseIsoTime } from '../../src/core/index.ts'
import { type FeedColumns, type FeedReaderOptions, rowFlags } from '../../src/feeds/index.ts'

/** A text and its format. */
export type NaiveText = Pick<FeedReaderOptions, 'format' | 'columns'>

type Use =
  | 'symbol'
  | 'time'
  | 'localTime'
  | 'snapshot'
  | 'side'
  | 'price'
  | 'amount'
  | 'tradeId'
  | 'sequence'
  | 'previous'

type Unit = 's' | 'ms' | 'us' | 'ns' | 'iso'

interface Plan {
  readonly kind: 'trades' | 'book' | 'index'
  /** The name of the column for each use. */
  readonly uses: { readonly [U in Use]?: string | undefined }
  readonly timeUnit: Unit
  readonly localTimeUnit: Unit
  readonly buy: string
  readonly sell: string
  readonly snapshot: string
  /** The only other word of that column; null if every other word means a change. */
  readonly change: string | null
}

/** The columns of a file by their use, and the words in them. */
export interface NaiveLayout extends Omit<Plan, 'uses'> {
  readonly width: number
  /** The index of each column, from 0; no entry if no column has that use. */
  readonly at: ReadonlyMap<Use, number>
}

/** The cells of a record; decimals in 1e-9. */
export interface NaiveCells {
  readonly time: number
  readonly localTime: number
  readonly flags: number
  readonly price: bigint
  readonly amount: bigint
  /** -1 for none, -2 for a trade whose id is not a number. */
  readonly sequence: number
  readonly previous: number
}

const times = { symbol: 'symbol', time: 'timestamp', localTime: 'local_timestamp' }
const values = { side: 'side', price: 'price', amount: 'amount' }
const published = {
  timeUnit: 'us',
  localTimeUnit: 'us',
  snapshot: 'true',
  change: 'false',
} as const

const publishedPlans: { readonly [format: string]: Plan & { readonly header: string } } = {
  'tardis.trades': {
    ...published,
    header: 'exchange,symbol,timestamp,local_timestamp,id,side,price,amount',
    kind: 'trades',
    uses: { ...times, ...values, tradeId: 'id' },
    buy: 'buy',
    sell: 'sell',
  },
  'tardis.incremental_book_L2': {
    ...published,
    header: 'exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount',
    kind: 'book',
    uses: { ...times, ...values, snapshot: 'is_snapshot' },
    buy: 'bid',
    sell: 'ask',
  },
  'tardis.derivative_ticker': {
    ...published,
    header:
      'exchange,symbol,timestamp,local_timestamp,funding_timestamp,funding_rate,predicted_funding_rate,open_interest,last_price,index_price,mark_price',
    kind: 'index',
    uses: { ...times, price: 'index_price', amount: 'mark_price' },
    buy: 'buy',
    sell: 'sell',
  },
}

/** The layout that the header of a text describes, or null if the header is wrong. */
export function naiveLayout(text: NaiveText, header: readonly string[]): NaiveLayout | null {
  const known = publishedPlans[text.format]
  if (known !== undefined && known.header !== header.join(',')) return null
  const plan = known ?? (text.columns === null ? null : planOf(text.columns))
  if (plan === null) return null
  const at = new Map<Use, number>()
  for (const [use, name] of Object.entries(plan.uses)) {
    if (name === undefined) continue
    const places = header.flatMap((other, place) => (other === name ? [place] : []))
    const [place] = places
    if (place === undefined || places.length > 1 || [...at.values()].includes(place)) return null
    // The keys of the uses of a plan.
    at.set(use as Use, place)
  }
  return { ...plan, at, width: header.length }
}

function planOf(columns: FeedColumns): Plan {
  const { kind, timestamp, local_timestamp: local = timestamp, side, is_snapshot: mark } = columns
  const hasSides = kind !== 'index' && side !== undefined
  return {
    kind,
    uses: {
      symbol: columns.symbol,
      time: nameOf(timestamp),
      localTime: nameOf(columns.local_timestamp),
      snapshot: kind === 'book' ? nameOf(mark) : undefined,
      side: hasSides ? nameOf(side) : undefined,
      price: columns.price,
      amount: kind === 'index' ? columns.mark : columns.amount,
      tradeId: kind === 'trades' ? columns.sequence : undefined,
      sequence: kind === 'trades' ? undefined : columns.sequence,
      previous: kind === 'trades' ? undefined : columns.previous_sequence,
    },
    timeUnit: unitOf(timestamp),
    localTimeUnit: unitOf(local),
    buy: typeof side === 'object' ? side.buy : kind === 'book' ? 'bid' : 'buy',
    sell: typeof side === 'object' ? side.sell : kind === 'book' ? 'ask' : 'sell',
    snapshot: typeof mark === 'object' ? mark.word : 'true',
    change: null,
  }
}

function nameOf(column: string | { readonly column: string } | undefined): string | undefined {
  return typeof column === 'object' ? column.column : column
}

function unitOf(column: FeedColumns['timestamp']): Unit {
  return typeof column === 'object' ? column.unit : 'us'
}

/** The cells of a record, or null if one is wrong. */
export function naiveCells(layout: NaiveLayout, cells: readonly string[]): NaiveCells | null {
  if (cells.length !== layout.width) return null
  const textOf = (use: Use): string | undefined => {
    const place = layout.at.get(use)
    return place === undefined ? undefined : cells[place]
  }
  const time = timeIn(textOf('time') ?? '', layout.timeUnit)
  const local = textOf('localTime')
  const localTime = local === undefined ? time : timeIn(local, layout.localTimeUnit)
  const price = valueIn(layout, textOf('price'), true)
  // In a file of index prices this column is a mark price.
  const amount = valueIn(layout, textOf('amount'), layout.kind === 'index')
  const [side, snapshot] = [sideIn(layout, textOf('side')), snapshotIn(layout, textOf('snapshot'))]
  const id = textOf('tradeId')
  const sequence = id === undefined ? countIn(textOf('sequence')) : (countIn(id) ?? -2)
  const previous = countIn(textOf('previous'))
  if (time === null || localTime === null || price === null || amount === null) return null
  if (side === null || snapshot === null || sequence === null || previous === null) return null
  return { time, localTime, flags: side | snapshot, price, amount, sequence, previous }
}

const NUMBER = /^\+?(\d*)\.?(\d*)(?:e([+-]?\d{1,3}))?$/i

/** A number that is not negative, as a count of 10 to the power of minus `decimals`; null for other text. */
function numberIn(text: string): { readonly digits: bigint; readonly decimals: number } | null {
  const match = NUMBER.exec(text.trim())
  const [, whole = '', fraction = '', exponent = '0'] = match ?? []
  if (match === null || `${whole}${fraction}` === '') return null
  return { digits: BigInt(`${whole}${fraction}`), decimals: fraction.length - Number(exponent) }
}

/** The same number in another unit, truncated, and true if that lost no digits. */
function counted(
  number: { readonly digits: bigint; readonly decimals: number },
  decimals: number,
): { readonly count: bigint; readonly isExact: boolean } {
  const places = decimals - number.decimals
  if (places >= 0) return { count: number.digits * 10n ** BigInt(places), isExact: true }
  const unit = 10n ** BigInt(-places)
  return { count: number.digits / unit, isExact: number.digits % unit === 0n }
}

/** A price or an amount in 1e-9: at most nine decimals, and a safe integer without its trailing zeros. */
function decimalIn(text: string): bigint | null {
  const number = numberIn(text)
  if (number === null) return null
  const { count, isExact } = counted(number, 9)
  if (!isExact) return null
  let least = count
  for (let place = 0; place < 9 && least % 10n === 0n; place += 1) least /= 10n
  return least > BigInt(Number.MAX_SAFE_INTEGER) ? null : count
}

/** In a file of index prices both may be empty; the price is empty only in rows that are skipped. */
function valueIn({ kind }: NaiveLayout, text: string | undefined, mayBeNegative: boolean): bigint | null {
  if (text === undefined || (kind === 'index' && text === '')) return 0n
  const isNegative = mayBeNegative && text.trim().startsWith('-')
  const value = decimalIn(isNegative ? text.trim().slice(1).replace(/^\+/, '?') : text)
  return value !== null && isNegative ? -value : value
}

const unitDecimals = { s: 6, ms: 3, us: 0, ns: -3 }

/** Microseconds; finer digits are truncated. */
function timeIn(text: string, unit: Unit): number | null {
  if (unit === 'iso') {
    const read = parseIsoTime(text.trim())
    return read.ok ? read.value : null
  }
  const number = numberIn(text)
  if (number === null) return null
  const { count } = counted(number, unitDecimals[unit])
  return count > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(count)
}

/** A whole number; -1 for an empty or missing cell; null for other text. */
function countIn(text: string | undefined): number | null {
  if (text === undefined || text === '') return -1
  return /^\d{1,16}$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null
}

function sideIn({ kind, buy, sell }: NaiveLayout, text: string | undefined): number | null {
  if (text === undefined) return kind === 'trades' ? rowFlags.unknownSide : 0
  if (text === buy) return 0
  if (text === sell) return rowFlags.sell
  return kind === 'trades' && (text === 'unknown' || text === '') ? rowFlags.unknownSide : null
}

function snapshotIn({ snapshot, change }: NaiveLayout, text: string | undefined): number | null {
  if (text === undefined) return 0
  if (text === snapshot) return rowFlags.snapshot
  return change === null || text === change ? 0 : null
}
