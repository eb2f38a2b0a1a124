/**
 * The series of a run the slow, obvious way: quotes, snapshots and bars from the tables `book` and `trades`, in plain
 * loops over all rows for each time, with exact fractions.
 */
import type { NaiveRow } from './naive-columns.ts'

type Rows = readonly NaiveRow[]

/** A level of a side: price and amount in 1e-9. */
type NaiveLevel = readonly [price: bigint, amount: bigint]

/** Levels of a side of an instrument before a time, best first, from the rows of `book`. */
export function naiveSide(
  book: Rows,
  of: { readonly instrument: unknown; readonly side: 'buy' | 'sell'; readonly before: bigint },
): readonly NaiveLevel[] {
  const levels = new Map<bigint, bigint>()
  for (const { instrument_id, side, price, amount, time } of book) {
    if (instrument_id !== of.instrument || side !== of.side || (time as bigint) >= of.before) continue
    levels.set(price as bigint, amount as bigint)
  }
  const standing = [...levels].filter(([, amount]) => amount > 0n)
  const sign = of.side === 'buy' ? -1 : 1
  return standing.sort(([left], [right]) => sign * Number(left - right))
}

/** The rows of `quotes` at a time, for these instruments. */
export function naiveQuotes(book: Rows, instruments: readonly unknown[], time: bigint): unknown[] {
  return instruments.map((instrument) => {
    const [bid] = naiveSide(book, { instrument, side: 'buy', before: time })
    const [ask] = naiveSide(book, { instrument, side: 'sell', before: time })
    const sum = bid === undefined || ask === undefined ? null : bid[0] + ask[0]
    // Halves round down, also below zero.
    const mid = sum === null ? null : (sum - (((sum % 2n) + 2n) % 2n)) / 2n
    return {
      time,
      instrument_id: instrument,
      bid_price: bid?.[0] ?? null,
      bid_amount: bid?.[1] ?? null,
      ask_price: ask?.[0] ?? null,
      ask_amount: ask?.[1] ?? null,
      mid_price: mid,
    }
  })
}

/** The rows of `book_snapshots` at a time. */
export function naiveSnapshots(
  book: Rows,
  instruments: readonly unknown[],
  { time, depth }: { readonly time: bigint; readonly depth: number },
): unknown[] {
  return instruments.flatMap((instrument) => {
    const bids = naiveSide(book, { instrument, side: 'buy', before: time }).slice(0, depth)
    const asks = naiveSide(book, { instrument, side: 'sell', before: time }).slice(0, depth)
    const rows: unknown[] = []
    for (let at = 0; at === 0 || at < Math.max(bids.length, asks.length); at += 1) {
      rows.push({
        time,
        instrument_id: instrument,
        level: at + 1,
        bid_price: bids[at]?.[0] ?? null,
        bid_amount: bids[at]?.[1] ?? null,
        ask_price: asks[at]?.[0] ?? null,
        ask_amount: asks[at]?.[1] ?? null,
      })
    }
    return rows
  })
}

/** A bar whose sums are doubles of plain additions, accurate to some 13 digits. */
export interface NaiveBar {
  readonly open: bigint | null
  readonly high: bigint | null
  readonly low: bigint | null
  readonly close: bigint | null
  readonly trades: bigint
  readonly volume: number
  readonly bought: number
  readonly sold: number
  /** Sum of amount over price, and of amount times price. */
  readonly over: number
  readonly times: number
}

/** The bar of an instrument from a time on. */
export function naiveBar(
  trades: Rows,
  of: { readonly instrument: unknown; readonly start: bigint; readonly interval: bigint },
): NaiveBar {
  const inside = trades.filter(
    ({ instrument_id, time }) =>
      instrument_id === of.instrument && (time as bigint) >= of.start && (time as bigint) < of.start + of.interval,
  )
  const prices = inside.map(({ price }) => price as bigint)
  const rising = prices.toSorted((left, right) => Number(left - right))
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
  const sizes = (rows: Rows): readonly number[] => rows.map(({ amount }) => Number(amount) / 1e9)
  const [all, quoted] = [sizes(inside), prices.map((price) => Number(price) / 1e9)]
  return {
    open: prices[0] ?? null,
    high: rising.at(-1) ?? null,
    low: rising[0] ?? null,
    close: prices.at(-1) ?? null,
    trades: BigInt(inside.length),
    volume: sum(all),
    bought: sum(sizes(inside.filter(({ side }) => side === 'buy'))),
    sold: sum(sizes(inside.filter(({ side }) => side === 'sell'))),
    over: sum(all.map((size, at) => size / (quoted[at] ?? 0))),
    times: sum(all.map((size, at) => size * (quoted[at] ?? 0))),
  }
}
