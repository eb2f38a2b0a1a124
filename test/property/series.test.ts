/**
 * Law: the series of a run follow from its rows of `book` and `trades`. Recording them changes no digest, and a run
 * that is cut by snapshots writes the same rows.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NaiveRow } from '../support/naive-columns.ts'
import { naiveBar, naiveQuotes, naiveSnapshots } from '../support/naive-series.ts'
import { askedRuns, askedSeed, unreached } from '../support/property-runs.ts'
import {
  askedSeries,
  closedMarket,
  deedsArbitrary,
  type RecordedTables,
  recordedMarket,
  seriesStart,
  tablesOf,
} from '../support/series-market.ts'

const end = BigInt(seriesStart) + 12_345_000n

function times(every: number): readonly bigint[] {
  const first = BigInt(seriesStart + every)
  const count = Number((end - first) / BigInt(every)) + 1
  return Array.from({ length: count }, (_, at) => first + BigInt(at * every))
}

/** Rows without the number of the event and the name of the instrument. */
function bare(rows: readonly NaiveRow[] | undefined): unknown[] {
  return (rows ?? []).map(({ event: _, instrument: __, ...row }) => row)
}

/** Situations that the runs have reached, so that the law is not empty. */
const seen = { crossed: 0, empty: 0, bars: 0, emptyBars: 0, negative: 0, unknown: 0, cuts: 0 }

function expectSeries({ rows }: RecordedTables): void {
  const rowsOf = (name: string): readonly NaiveRow[] => rows.get(name) ?? []
  const book = rowsOf('book')
  const instruments = rowsOf('instruments')
  const ids = instruments.map(({ instrument_id }) => instrument_id)
  const quotes = bare(rows.get('quotes')) as Record<string, bigint | null>[]
  expect(quotes).toEqual(times(100_000).flatMap((time) => naiveQuotes(book, ids, time)))
  expect(bare(rows.get('book_snapshots'))).toEqual(
    times(250_000).flatMap((time) => naiveSnapshots(book, ids, { time, depth: 3 })),
  )
  for (const { bid_price: bid, ask_price: ask, mid_price: mid } of quotes) {
    if (bid == null || ask == null) seen.empty += 1
    else if (bid > ask) seen.crossed += 1
    if (mid != null && mid < 0n) seen.negative += 1
  }
  const bars = rowsOf('bars')
  const grid: unknown[] = []
  for (const interval of [500_000n, 5_000_000n]) {
    for (let start = BigInt(seriesStart); start < end; start += interval) {
      for (const id of ids) grid.push([interval, start, id])
    }
  }
  const byKey = (left: unknown, right: unknown): number => (String(left) < String(right) ? -1 : 1)
  expect(bars.map(({ interval, start, instrument_id: id }) => [interval, start, id]).toSorted(byKey)).toEqual(
    grid.toSorted(byKey),
  )
  for (const bar of bars) expectBar(bar, { instruments, trades: rowsOf('trades') })
}

function expectBar(
  bar: NaiveRow,
  of: { readonly instruments: readonly NaiveRow[]; readonly trades: readonly NaiveRow[] },
): void {
  const { instrument_id: instrument } = bar
  const [start, interval] = [bar['start'] as bigint, bar['interval'] as bigint]
  const naive = naiveBar(of.trades, { instrument, start, interval })
  const { open, high, low, close, trades } = bar
  expect({ open, high, low, close, trades }).toEqual({
    ...{ open: naive.open, high: naive.high, low: naive.low, close: naive.close },
    trades: naive.trades,
  })
  expect(bar['time']).toBe(start + interval < end ? start + interval : end)
  const near = (found: unknown, wanted: number): void => {
    expect(Math.abs(Number(found) - wanted)).toBeLessThanOrEqual(1e-11 * Math.max(1e-6, Math.abs(wanted)))
  }
  near(bar['volume'], naive.volume)
  near(bar['buy_volume'], naive.bought)
  near(bar['sell_volume'], naive.sold)
  const terms = of.instruments.find(({ instrument_id: id }) => id === instrument)
  const isCombo = terms?.['legs'] !== null
  const isInverse = terms?.['payoff'] === 'inverse'
  const vwap = bar['vwap']
  if (naive.trades === 0n) {
    seen.emptyBars += 1
    expect([vwap, bar['volume_coin'], bar['volume_quote']]).toEqual([null, 0, 0])
    return
  }
  seen.bars += 1
  if (naive.bought + naive.sold < naive.volume) seen.unknown += 1
  const average = Number(vwap) / 1e9
  if (isCombo) {
    // The volume of a spread in coin is the coin of its first leg, which does not follow from its price.
    near(bar['volume_quote'], naive.volume)
    expect(Number(bar['volume_coin'])).toBeGreaterThan(0)
    expect(Math.abs(average - naive.times / naive.volume)).toBeLessThan(1e-8)
  } else if (isInverse) {
    near(bar['volume_coin'], naive.over)
    near(bar['volume_quote'], naive.volume)
    near(average, naive.volume / naive.over)
  } else {
    near(bar['volume_coin'], naive.volume)
    near(bar['volume_quote'], naive.times)
    expect(Math.abs(average - naive.times / naive.volume)).toBeLessThan(1e-8)
  }
  expect((vwap as bigint) >= (low as bigint) && (vwap as bigint) <= (high as bigint)).toBe(true)
}

/** Checks the laws of one market. */
async function holdLaws(text: string, cutEvery: number, folder?: string): Promise<void> {
  const at = folder === undefined ? {} : { folder }
  const whole = await tablesOf(text, at)
  expectSeries(whole)
  const plain = await tablesOf(text.replace(askedSeries, ''), at)
  expect(plain.digest).toBe(whole.digest)
  const others = (hashes: readonly string[]): readonly string[] =>
    hashes.filter((line) => !/^(?:quotes|book_snapshots|bars) /.test(line))
  expect(others(plain.hashes)).toEqual(others(whole.hashes))
  const cut = await tablesOf(text, { ...at, cutEvery })
  seen.cuts += cut.cuts
  expect([cut.digest, cut.hashes]).toEqual([whole.digest, whole.hashes])
}

test('series of closed books follow from the rows of the run', async () => {
  const cutEvery = fc.integer({ min: 1, max: 40 })
  const law = fc.asyncProperty(deedsArbitrary, cutEvery, async (deeds, every) => {
    await holdLaws(closedMarket(deeds), every)
  })
  await fc.assert(law, { numRuns: askedRuns(200, 1, 2), ...askedSeed(22), endOnFailure: true })
})

test('series of recorded books follow from the rows of the run', async () => {
  const cutEvery = fc.integer({ min: 1, max: 40 })
  const law = fc.asyncProperty(deedsArbitrary, cutEvery, async (deeds, every) => {
    const { text, folder } = recordedMarket(deeds)
    await holdLaws(text, every, folder)
  })
  await fc.assert(law, { numRuns: askedRuns(200, 1, 2), ...askedSeed(23), endOnFailure: true })
})

test('the runs have met empty and crossed books, prices below zero and unknown sides', () => {
  expect(unreached(Object.keys(seen), new Map(Object.entries(seen)))).toEqual([])
})
