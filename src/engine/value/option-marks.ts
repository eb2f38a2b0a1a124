/**
 * Marks of options: the forward of each series, the volatility of each option, and the price that both give.
 *
 * Rule: option.mark. A mark follows its forward at once; at whole seconds the volatilities follow the books,
 * and time passes. The forward is the mark of the future of the same index and expiration, else one between
 * its neighbours; with `config.marks` 'index' only marks that were set or recorded count, so that without them it is
 * the index, and volatilities stay on their smile.
 *
 * Rule: option.sleep. A series in which an option has a book with two sides, or whose last half hour has begun, is
 * awake and looked at each second. In any other no volatility moves, so that only the passing of time is left
 * to see: it sleeps and is looked at each whole minute. Its forward, its volatilities, and its marks at whole
 * minutes are those of a series that is looked at each second.
 *
 * Order: series in the order in which they arose find their forwards and volatilities, then options in the
 * order of listing their marks. Source: market.md 7; R02.
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
import { noteBand } from './band.ts'
import { changeMark } from './mark.ts'
import { optionMarketOf, pinVolatility, volatilityAt9 } from './option-prices.ts'
import { followOptionMarket } from './refresh.ts'
import { awaitMinute, isWholeMinute, laySeries, wakeSeries } from './wake.ts'

/** Lets the options of an index follow their forwards, where a price that these depend on changed. */
export function followForwards(turn: Turn, index: IndexRow): void {
  const { exchange } = turn
  exchange.staleIndices.delete(index)
  const moved: InstrumentRow[] = []
  for (const series of exchange.series) {
    if (series.index !== index) continue
    if (moveForward(exchange, series)) moved.push(...series.options)
    // What open buys of linear options reserve follows the index, even where their forward stays.
    else for (const row of series.options) followOptionMarket(exchange, row)
  }
  publishAll(turn, moved)
}

/** The whole second: forwards and volatilities of all who are awake, and of all at whole minutes. */
export function tickOptions(turn: Turn): void {
  const { exchange } = turn
  const isMinute = isWholeMinute(exchange)
  const moved: InstrumentRow[] = []
  for (const series of exchange.series) {
    // Whatever woke a series, only what it shows now keeps it awake: the past leaves no trace in marks.
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
  exchange.staleIndices.clear()
  publishAll(turn, moved)
}

/** True if the next second may move a series; one that has ended has no time left that a price could say. */
function staysAwake({ now, config }: Exchange, { expiration, options }: SeriesRow): boolean {
  const left = expiration - now
  if (left <= 0) return false
  if (left <= WINDOW_MICROS) return true
  return config.marks === 'venue' && options.some(({ book }) => isQuoted(book))
}

/** True if both sides of a book are there. */
function isQuoted(book: Book): boolean {
  return bestPrice(book, 'buy') !== undefined && bestPrice(book, 'sell') !== undefined
}

/** True if time wears its options out. */
function isLiving({ now }: Exchange, { forward, expiration }: SeriesRow): boolean {
  return forward > 0 && expiration > now
}

/** Finds the forward of a series; whether it is another one. */
function moveForward(exchange: Exchange, series: SeriesRow): boolean {
  const before = series.forward
  const forward = forwardOf(exchange, series)
  if (forward === before) return false
  series.forward = forward
  if (isLiving(exchange, series)) awaitMinute(exchange)
  return true
}

/**
 * Rule: option.forward. The forward of a series: its future's mark, else the index with the premium of its
 * neighbours, else the index; 0 while none of them is known. Assumed: the forward of a series without a future
 * has the decimals and the band of the marks of the first future of its index.
 */
function forwardOf(exchange: Exchange, series: SeriesRow): Price9 {
  const { index, expiration } = series
  const own = futureOf(exchange, series)
  if (own !== undefined) return own.mark
  const futures = neighboursOf(exchange, index)
  const [first] = futures
  if (index.price === 0 || first === undefined) return index.price
  const { payoff, mark, tick9 } = first.instrument
  const forward9 = syntheticForward9({
    index9: index.price,
    time: exchange.now,
    expiration,
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
  return index.futures.find((row) => tellsForward(config, row) && row.instrument.expiration === expiration)
}

/** The futures of an index whose marks tell what other expirations are worth. */
function neighboursOf({ config, now }: Exchange, { futures }: IndexRow): readonly InstrumentRow[] {
  return futures.filter((row) => tellsForward(config, row) && hasPremium(row.instrument.expiration, now))
}

/** True if the mark of a future is known and says more than its index: one of `marks: 'index'` alone does not. */
function tellsForward({ marks }: Exchange['config'], { mark, markRule }: InstrumentRow): boolean {
  return mark !== 0 && (marks !== 'index' || markRule !== 'venue')
}

/** How `underlying_index` calls the forward of a series (market.md 7). */
export function underlyingOf(exchange: Exchange, row: InstrumentRow): string {
  const { index, instrument } = row
  const own = futureOf(exchange, { index, expiration: instrument.expiration })
  if (own !== undefined) return own.instrument.name
  if (neighboursOf(exchange, index).length === 0) return 'index_price'
  const [pair, date] = instrument.name.split('-')
  return `SYN.${pair}-${date}`
}

/**
 * Rule: option.mark-volatility. What has a book with two sides moves toward it, the others lie between those
 * that have one. Where none has, all stay. A strike with two such books stands at the mean of the two; what a
 * control or a feed has pinned stays where it is.
 */
function moveVolatilities(exchange: Exchange, series: SeriesRow): void {
  const quoted: OptionState[] = []
  const others: OptionState[] = []
  for (const row of series.options) {
    const { option } = row
    if (option === null || isPriceFixed(row)) continue
    const quote = quoteOf(row)
    if (quote !== null) {
      if (row.markRule === 'venue') moveTo(exchange, option, quote)
      quoted.push(option)
    } else if (row.markRule === 'venue') others.push(option)
  }
  if (quoted.length > 0 && others.length > 0) placeBetween(others, quoted)
}

/** Lays volatilities between those of options that have a book. */
function placeBetween(others: readonly OptionState[], quoted: readonly OptionState[]): void {
  const atStrike = new Map<number, number[]>()
  for (const { contract, volatility9 } of quoted) {
    const { strike9 } = contract
    atStrike.set(strike9, [...(atStrike.get(strike9) ?? []), volatility9])
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
  const { tick9 } = instrument
  const twice = (bid + ask) * tick9
  // Halves are rounded up; twice a price may be more than a number holds exactly.
  const mid = Number.isSafeInteger(twice)
    ? divFloor(twice + 1, 2)
    : safeNumber(divHalfAwayBig(BigInt(bid + ask) * BigInt(tick9), 2n))
  return { bid: bid * tick9, mid, ask: ask * tick9 }
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

/** Sets the mark of an option to what its forward and its volatility make of it. */
export function publishOption(turn: Turn, row: InstrumentRow): void {
  const { exchange } = turn
  const { option } = row
  if (option === null) return
  const { series, contract } = option
  if (isPriceFixed(row)) {
    // Its delivery waits for a halted book: its mark stays, its margin follows the forward.
    followOptionMarket(exchange, row)
    return
  }
  if (series.forward === 0) moveForward(exchange, series)
  if (series.forward === 0) return
  if (row.markRule !== 'venue') {
    pinVolatility(exchange, row)
    followOptionMarket(exchange, row)
    noteBand(exchange, row)
    return
  }
  if (exchange.config.marks === 'index') startOnSmile(exchange, option)
  else if (option.volatility9 === 0 && !startAtBook(exchange, row)) startOnSmile(exchange, option)
  const price = price9(optionPrice9(contract, optionMarketOf(exchange, option)))
  if (price === row.mark) {
    followOptionMarket(exchange, row)
    noteBand(exchange, row)
  } else changeMark(turn, row, { price, source: 'model' })
}

/**
 * Lets an option go where it was pinned: its volatility goes on from that of the price that it had, at the
 * forward and the time of now.
 */
export function releaseOption(turn: Turn, row: InstrumentRow): void {
  if (row.markRule === 'venue') return
  followForwards(turn, row.index)
  pinVolatility(turn.exchange, row)
  row.markRule = 'venue'
  publishOption(turn, row)
}

/**
 * Rule: option.first-book. Starts options at their first book with two sides: the mark has the volatility of the
 * mid at once, and follows the book from there. This holds until a book, a control or a feed has set the volatility.
 * Assumed: on the venue, no mark moves from a default to its book in the first minute.
 */
export function startOptions(turn: Turn): void {
  const { exchange } = turn
  const opened = [...exchange.openedOptions].sort((left, right) => left.instrument.id - right.instrument.id)
  exchange.openedOptions.clear()
  for (const row of opened) if (startAtBook(exchange, row)) publishOption(turn, row)
}

/** Gives an option the volatility of the middle of its book; false where it has no such book, or goes by something else. */
function startAtBook(exchange: Exchange, row: InstrumentRow): boolean {
  const { option } = row
  if (option === null || option.isTold || exchange.config.marks === 'index') return false
  if (row.markRule !== 'venue' || isPriceFixed(row) || !isLiving(exchange, option.series)) return false
  const quote = quoteOf(row)
  if (quote === null) return false
  option.volatility9 = boundedVolatility9(volatilityAt9(exchange, option, quote.mid))
  option.isTold = true
  return true
}

function startOnSmile({ config }: Exchange, option: OptionState): void {
  const { series, contract } = option
  const smile = config.smiles[series.index.name] ?? flatSmile
  const at = { forward9: series.forward, strike9: contract.strike9 }
  option.volatility9 = smileVolatility9(smile, at)
}
