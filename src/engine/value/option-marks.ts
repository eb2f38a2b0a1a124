/**
 * Marks of options: the forward of each series, the volatility of each option, and the price that results from both.
 *
 * Rule: option.mark. A mark follows its forward at once. At whole seconds the volatilities follow the books, and time
 * passes. The forward is the mark of the future of the same index and expiration, otherwise one between its neighbours.
 * With `config.marks` 'index' only marks that were set or recorded count: without them the forward is the index, and
 * volatilities stay on their smile.
 *
 * Rule: option.sleep. A series is awake, and is updated each second, if one of its options has a book with two sides or
 * if its last half hour has begun. In any other series no volatility moves, and only time passes: it sleeps, and is
 * updated each whole minute. Its forward, its volatilities, and its marks at whole minutes are the same as if it were
 * updated each second.
 *
 * Order: series, in the order in which they were created, update their forwards and volatilities; then options, in the
 * order of listing, update their marks. Source: market.md 7; R02.
 */
import { type Book, bestPrice } from '../../book/index.ts'
import { defined, divFloor, divHalfAwayBig, type Price9, price9, safeNumber } from '../../core/index.ts'
import { flatSmile } from '../../model/index.ts'
import {
  boundedVolatility9,
  hasPremium,
  nextVolatility9,
  optionPrice9,
  smileVolatility9,
  syntheticForward9,
  type VolatilityNode,
  volatilityBetween9,
} from '../../pricing/index.ts'
import {
  type Exchange,
  type IndexRow,
  type InstrumentRow,
  isPriceFixed,
  type OptionState,
  type SeriesRow,
  type Turn,
  WINDOW_MICROS,
} from '../state/index.ts'
import { changeMark, noteBand } from './mark.ts'
import { optionMarketOf, pinVolatility, volatilityAt9 } from './option-prices.ts'
import { followOptionMarket } from './refresh.ts'
import { awaitMinute, isWholeMinute, laySeries, wakeSeries } from './wake.ts'

/** Updates the forwards and marks of the options of an index, after a price changed on which they depend. */
export function followForwards(turn: Turn, index: IndexRow): void {
  const { exchange } = turn
  exchange.staleIndices.delete(index)
  const moved: InstrumentRow[] = []
  for (const series of exchange.series) {
    if (series.index !== index) continue
    if (moveForward(exchange, series)) moved.push(...series.options)
    // The reserve for open buys of linear options follows the index, even if their forward does not change.
    else for (const row of series.options) followOptionMarket(exchange, row)
  }
  publishAll(turn, moved)
}

/**
 * The tick at a whole second: updates forwards and volatilities of all series that are awake, and of all series at
 * whole minutes.
 */
export function tickOptions(turn: Turn): void {
  const { exchange } = turn
  const isMinute = isWholeMinute(exchange)
  const moved: InstrumentRow[] = []
  for (const series of exchange.series) {
    // Only the current books keep a series awake, whatever woke it: marks do not depend on the past.
    const isAwake = (isMinute || !series.sleeps) && staysAwake(exchange, series)
    const isDue = isAwake || isMinute
    const isMoved = (isDue || exchange.staleIndices.has(series.index)) && moveForward(exchange, series)
    if (isAwake) wakeSeries(exchange, series)
    else if (!series.sleeps) laySeries(series)
    const isLive = isLiving(exchange, series)
    if (isDue && isLive && exchange.config.marks === 'venue') moveVolatilities(exchange, series)
    if (isMoved || isDue) moved.push(...series.options)
    if (isLive) awaitMinute(exchange)
  }
  if (exchange.staleIndices.size > 0) exchange.staleIndices.clear()
  publishAll(turn, moved)
}

/** True if the next second may move a series. An expired series has no remaining time. */
function staysAwake(exchange: Exchange, series: SeriesRow): boolean {
  const left = series.expiration - exchange.now
  if (left <= 0) return false
  if (left <= WINDOW_MICROS) return true
  return exchange.config.marks === 'venue' && series.options.some(({ book }) => isQuoted(book))
}

/** True if a book has orders on both sides. */
function isQuoted(book: Book): boolean {
  return bestPrice(book, 'buy') !== undefined && bestPrice(book, 'sell') !== undefined
}

/** True if the time value of the options still decays. */
function isLiving(exchange: Exchange, series: SeriesRow): boolean {
  return series.forward > 0 && series.expiration > exchange.now
}

/** Updates the forward of a series; true if it changed. */
function moveForward(exchange: Exchange, series: SeriesRow): boolean {
  const before = series.forward
  const forward = forwardOf(exchange, series)
  if (forward === before) return false
  series.forward = forward
  if (isLiving(exchange, series)) awaitMinute(exchange)
  return true
}

/**
 * Rule: option.forward. The forward of a series: its future's mark, otherwise the index with the premium of its
 * neighbours, otherwise the index; 0 while none of them is known. Assumed: the forward of a series without a future has
 * the decimals and the band of the marks of the first future of its index.
 */
function forwardOf(exchange: Exchange, series: SeriesRow): Price9 {
  const own = futureOf(exchange, series)
  if (own !== undefined) return own.mark
  const futures = neighboursOf(exchange, series.index)
  const [first] = futures
  if (series.index.price === 0 || first === undefined) return series.index.price
  const { payoff, mark, tick9 } = first.instrument
  const forward9 = syntheticForward9({
    index9: series.index.price,
    time: exchange.now,
    expiration: series.expiration,
    futures: futures.map((row) => ({ mark9: row.mark, expiration: row.instrument.expiration })),
    payoff: payoff === 'inverse' ? 'inverse' : 'linear',
    tick9,
    clampPpm: defined(mark?.clampPpm, 'a future has a separate premium'),
  })
  return price9(forward9)
}

/** The future of an index that expires with a series, if its mark is known. */
function futureOf(
  { config }: Exchange,
  { index, expiration }: Pick<SeriesRow, 'index' | 'expiration'>,
): InstrumentRow | undefined {
  return index.futures.find((row) => impliesForward(config, row) && row.instrument.expiration === expiration)
}

/** The futures of an index whose marks determine the forwards of other expirations. */
function neighboursOf({ config, now }: Exchange, index: IndexRow): readonly InstrumentRow[] {
  return index.futures.filter((row) => impliesForward(config, row) && hasPremium(row.instrument.expiration, now))
}

/**
 * True if the mark of a future is known and contains more than the index. With `marks: 'index'`, a computed mark does
 * not.
 */
function impliesForward({ marks }: Exchange['config'], row: InstrumentRow): boolean {
  return row.mark !== 0 && (marks !== 'index' || row.markRule !== 'venue')
}

/** The name of a series' forward in `underlying_index` (market.md 7). */
export function underlyingOf(exchange: Exchange, row: InstrumentRow): string {
  const own = futureOf(exchange, { index: row.index, expiration: row.instrument.expiration })
  if (own !== undefined) return own.instrument.name
  if (neighboursOf(exchange, row.index).length === 0) return 'index_price'
  const [pair, date] = row.instrument.name.split('-')
  return `SYN.${pair}-${date}`
}

/**
 * Rule: option.mark-volatility. The volatility of an option with a book on both sides moves toward that book. The other
 * volatilities are interpolated between those; if no option has such a book, all volatilities stay. A strike with two
 * such books uses the mean of the two. A control or a feed can pin a volatility, which then stays.
 */
function moveVolatilities(exchange: Exchange, series: SeriesRow): void {
  const quoted: OptionState[] = []
  const others: OptionState[] = []
  for (const row of series.options) {
    if (row.option === null || isPriceFixed(row)) continue
    const quote = quoteOf(row)
    if (quote !== null) {
      if (row.markRule === 'venue') moveTo(exchange, row.option, quote)
      quoted.push(row.option)
    } else if (row.markRule === 'venue') others.push(row.option)
  }
  if (quoted.length > 0 && others.length > 0) placeBetween(others, quoted)
}

/** Interpolates volatilities between those of options that have a book. */
function placeBetween(others: readonly OptionState[], quoted: readonly OptionState[]): void {
  const atStrike = new Map<number, number[]>()
  for (const { contract, volatility9 } of quoted) {
    atStrike.set(contract.strike9, [...(atStrike.get(contract.strike9) ?? []), volatility9])
  }
  const nodes = [...atStrike]
    .map(([strike9, volatilities]) => ({ strike9, volatility9: meanOf(volatilities) }))
    .sort((left, right) => left.strike9 - right.strike9) satisfies VolatilityNode[]
  for (const option of others) {
    option.volatility9 = volatilityBetween9(nodes, option.contract.strike9)
  }
}

function moveTo(exchange: Exchange, option: OptionState, quote: Quote): void {
  option.volatility9 = nextVolatility9(option.volatility9, {
    bid9: volatilityAt9(exchange, option, quote.bid),
    mid9: volatilityAt9(exchange, option, quote.mid),
    ask9: volatilityAt9(exchange, option, quote.ask),
  })
}

/** Best prices and their middle in 1e-9. */
interface Quote {
  readonly bid: number
  readonly mid: number
  readonly ask: number
}

function quoteOf({ book, instrument }: InstrumentRow): Quote | null {
  const bid = bestPrice(book, 'buy')
  const ask = bestPrice(book, 'sell')
  if (bid === undefined || ask === undefined) return null
  const twice = (bid + ask) * instrument.tick9
  // Halves are rounded up. Twice a price may exceed the safe integers.
  const mid = Number.isSafeInteger(twice)
    ? divFloor(twice + 1, 2)
    : safeNumber(divHalfAwayBig(BigInt(bid + ask) * BigInt(instrument.tick9), 2n))
  return { bid: bid * instrument.tick9, mid, ask: ask * instrument.tick9 }
}

/** The mean of one or two volatilities, halves away from zero. */
function meanOf(volatilities: readonly number[]): number {
  const sum = volatilities.reduce((total, volatility9) => total + volatility9, 0)
  return safeNumber(divHalfAwayBig(BigInt(sum), BigInt(volatilities.length)))
}

function publishAll(turn: Turn, rows: InstrumentRow[]): void {
  rows.sort((left, right) => left.instrument.id - right.instrument.id)
  for (const row of rows) publishOption(turn, row)
}

/** Sets the mark of an option to the price at its forward and its volatility. */
export function publishOption(turn: Turn, row: InstrumentRow): void {
  const { exchange } = turn
  const { option } = row
  if (option === null) return
  if (isPriceFixed(row)) {
    // Its delivery waits for a halted book: its mark stays, and its margin follows the forward.
    followOptionMarket(exchange, row)
    return
  }
  if (option.series.forward === 0) moveForward(exchange, option.series)
  if (option.series.forward === 0) return
  if (row.markRule !== 'venue') {
    pinVolatility(exchange, row)
    followOptionMarket(exchange, row)
    noteBand(exchange, row)
    return
  }
  if (exchange.config.marks === 'index') startOnSmile(exchange, option)
  else if (option.volatility9 === 0 && !startAtBook(exchange, row)) startOnSmile(exchange, option)
  const price = price9(optionPrice9(option.contract, optionMarketOf(exchange, option)))
  if (price === row.mark) {
    followOptionMarket(exchange, row)
    noteBand(exchange, row)
  } else changeMark(turn, row, price, 'model')
}

/**
 * Releases the pinned mark of an option. Its volatility continues from that of its last price, at the current forward
 * and time.
 */
export function releaseOption(turn: Turn, row: InstrumentRow): void {
  if (row.markRule === 'venue') return
  followForwards(turn, row.index)
  pinVolatility(turn.exchange, row)
  row.markRule = 'venue'
  publishOption(turn, row)
}

/**
 * Rule: option.first-book. Starts options at their first book with two sides: the mark has the volatility of the mid at
 * once, and follows the book from there. This holds until a book, a control or a feed has set the volatility.
 * Assumed: on the venue, no mark moves from a default to its book in the first minute.
 */
export function startOptions(turn: Turn): void {
  const { exchange } = turn
  const opened = [...exchange.openedOptions].sort((left, right) => left.instrument.id - right.instrument.id)
  exchange.openedOptions.clear()
  for (const row of opened) if (startAtBook(exchange, row)) publishOption(turn, row)
}

/**
 * Sets the volatility of an option to that of the middle of its book; false if the book lacks a side, or if something
 * else determines the volatility.
 */
function startAtBook(exchange: Exchange, row: InstrumentRow): boolean {
  if (row.option === null || row.option.isTold || exchange.config.marks === 'index') return false
  if (row.markRule !== 'venue' || isPriceFixed(row) || !isLiving(exchange, row.option.series)) return false
  const quote = quoteOf(row)
  if (quote === null) return false
  row.option.volatility9 = boundedVolatility9(volatilityAt9(exchange, row.option, quote.mid))
  row.option.isTold = true
  return true
}

function startOnSmile(exchange: Exchange, option: OptionState): void {
  const smile = exchange.config.smiles[option.series.index.name] ?? flatSmile
  const at = { forward9: option.series.forward, strike9: option.contract.strike9 }
  option.volatility9 = smileVolatility9(smile, at.forward9, at.strike9)
}
