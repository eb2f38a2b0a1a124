/**
 * Events as one printed line each: the engine's own events with names, decimals and ISO times, for people, golden texts
 * and `--events`.
 *
 * A line has the columns that its family declares (`model/events`), with wire names. The unit of a column decides how
 * its value is printed, and columns with their quiet value are omitted. A family or column that is added there is
 * printed without a change here; only a new unit whose values are no words may need a change.
 */
import {
  type AccountId,
  type Amount,
  checkArgument,
  defined,
  formatIsoTime,
  formatScaled,
  type InstrumentId,
  type Lots,
  type Micros,
  type OrderId,
  type Price9,
  price9,
  scaledToNumber,
  type TradeId,
  type Unit,
  units,
} from '../../core/index.ts'
import { accountOf, allInstruments, type Exchange } from '../../engine/index.ts'
import {
  type AdvancedTerms,
  type Columns,
  columnOf,
  type Event,
  eventFamilies,
  eventUnits,
  type Instrument,
  type LspGroup,
  lspGroupName,
  lspGroups,
  type MmpConfig,
  NO_ORDER,
  type OrderLinks,
  type Refusal,
  type Trigger,
} from '../../model/index.ts'
import { ocoRefOut, orderIdOut, tradeIdOut } from './ids.ts'
import { amountOut, moneyOut, percentOfPpm, percentOut, priceOut } from './numbers.ts'
import { errorOf } from './request.ts'

/**
 * An event as a plain object: number, time, cause, kind, then the columns of its family.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const kinds: string[] = []
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z' })
 * const sink = sinkOf({ account: (event) => kinds.push(JSON.stringify(eventOut(venue.exchange, event))) })
 * console.log(kinds.length, typeof sink.emit) // 0 function
 */
export function eventOut(exchange: Exchange, event: Event): object {
  checkArgument('eventOut: exchange', exchange, 'object')
  checkArgument('eventOut: event', event, 'object')
  const head = { event: event.number, time: formatIsoTime(event.time), cause: event.cause, kind: event.kind }
  const fields = fieldsOf(eventFamilies[event.kind], event, { exchange, instrument: null })
  return { ...head, ...fields }
}

/** The exchange whose names are printed, and the instrument of sizes and ids. */
interface Context {
  readonly exchange: Exchange
  readonly instrument: Instrument | null
}

function fieldsOf(columns: Columns, row: object, outer: Context): object {
  // A row has the columns of its family, which `test/support/event-columns.ts` checks.
  const values = row as { readonly [name: string]: unknown }
  const context = { ...outer, instrument: instrumentOfRow(values, outer) }
  const fields: [string, unknown][] = []
  for (const [name, declared] of Object.entries(columns)) {
    const { unit, columns: inner, quiet } = columnOf(declared)
    const value = values[name]
    if (value === quiet) continue
    const printed = inner === null ? printedOf(unit, value, context) : partOut(inner, value, context)
    if (printed !== undefined) fields.push([nameOut(name), printed])
  }
  return Object.fromEntries(fields)
}

/**
 * The instrument that the sizes and ids of a row belong to: the one in the row, otherwise that of the row around it.
 */
function instrumentOfRow({ instrument }: Readonly<Record<string, unknown>>, outer: Context): Instrument | null {
  return typeof instrument === 'number' ? (allInstruments(outer.exchange)[instrument] ?? null) : outer.instrument
}

/** Prints a row within a row, or several rows; an empty list is omitted. */
function partOut(columns: Columns, value: unknown, context: Context): unknown {
  if (!Array.isArray(value)) return fieldsOf(columns, value as object, context)
  return value.length === 0 ? undefined : value.map((row: object) => fieldsOf(columns, row, context))
}

/** Writes `averagePrice` as `average_price`, without the suffix of the unit, as in `taxRate9`. */
function nameOut(name: string): string {
  return name.replace(/9$|8$|Ppm$/, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

type Printer = (value: unknown, context: Context) => unknown

/** Units whose values are converted for printing. The table is made when the first line is printed. */
const printersOf = (): ReadonlyMap<Unit<unknown>, Printer> =>
  new Map([
    printer(units.accountId, nameOf),
    printer(eventUnits.someAccount, nameOf),
    printer(units.instrumentId, instrumentName),
    // A request may be refused because its instrument is not listed.
    printer(eventUnits.someInstrument, (id, { exchange }) => allInstruments(exchange)[id]?.name),
    printer(units.micros, (time: Micros) => formatIsoTime(time)),
    printer(units.price9, (price: Price9) => priceOut(price)),
    printer(units.money, (money: Amount) => moneyOut(money)),
    printer(units.lots, (size: Lots, context) => amountOut(instrumentIn(context), size)),
    printer(units.orderId, (order: OrderId, context) => orderIdOut(instrumentIn(context), order)),
    printer(units.tradeId, (trade: TradeId, context) => tradeIdOut(instrumentIn(context), trade)),
    printer(units.volatility9, (volatility9: number) => percentOut(volatility9)),
    printer(units.nano, nano),
    printer(units.rate8, (rate8: number) => scaledToNumber(BigInt(rate8), 8)),
    printer(units.ppm, percentOfPpm),
    printer(units.accumulator, (sum: bigint, context) =>
      // Inverse perpetuals count in 1e-24 coin per USD, linear ones in 1e-18 quote per coin (market.md 3.4).
      formatScaled(sum, instrumentIn(context).payoff === 'inverse' ? 24 : 18),
    ),
    printer(eventUnits.structure9, (value9: bigint) => scaledToNumber(value9, 9)),
    printer(eventUnits.instrument, (instrument: Instrument) => instrument.name),
    printer(eventUnits.refusal, (refusal: Refusal) => errorOf(refusal)),
    printer(eventUnits.advanced, (terms: AdvancedTerms | null) => terms && advancedOut(terms)),
    printer(eventUnits.trigger, (trigger: Trigger | null) => trigger && triggerOut(trigger)),
    printer(eventUnits.links, linksOut),
    printer(eventUnits.mmpConfig, (config: MmpConfig | null) => config && configOut(config)),
    printer(eventUnits.lspGroup, (group: LspGroup) => lspGroupName(group)),
    printer(eventUnits.lspLimits, limitsOut),
  ])

let printers: ReadonlyMap<Unit<unknown>, Printer> | undefined

function printer<T>(unit: Unit<T>, print: (value: T, context: Context) => unknown): readonly [Unit<unknown>, Printer] {
  // A printer receives only values of its unit.
  return [unit as Unit<unknown>, print as Printer]
}

function printedOf(unit: Unit<unknown> | null, value: unknown, context: Context): unknown {
  printers ??= printersOf()
  const print = unit === null ? undefined : printers.get(unit)
  return print === undefined ? value : print(value, context)
}

function instrumentIn(context: Context): Instrument {
  return defined(context.instrument ?? undefined, 'a row with sizes or ids has a listed instrument')
}

function instrumentName(id: InstrumentId, { exchange }: Context): string {
  return instrumentIn({ exchange, instrument: allInstruments(exchange)[id] ?? null }).name
}

function nameOf(account: AccountId | -1, context: Context): string | undefined {
  return account === -1 ? undefined : accountOf(context.exchange, account).name
}

/** The unit of the price of an option order, and the price in it. */
function advancedOut({ type, value9 }: AdvancedTerms): object {
  return { type, value: type === 'usd' ? priceOut(price9(value9)) : percentOut(value9) }
}

/** The condition of a trigger order; for a trailing stop also its distance and reference price. */
function triggerOut({ source, price, offset, reference }: Trigger): object {
  const follows = offset === 0 ? {} : { offset: priceOut(offset), reference: priceOut(reference) }
  return { source, price: priceOut(price), ...follows }
}

/** The links of an order; undefined without links. */
function linksOut(links: OrderLinks, context: Context): object | undefined {
  const { condition, pair, primary, secondaries } = links
  if (pair === NO_ORDER && primary === NO_ORDER && secondaries.length === 0) return undefined
  const instrument = instrumentIn(context)
  return {
    fill_condition: condition,
    ...(pair === NO_ORDER ? {} : { pair: ocoRefOut(instrument, pair) }),
    ...(primary === NO_ORDER ? {} : { primary: orderIdOut(instrument, primary) }),
    ...(secondaries.length === 0 ? {} : { secondaries: secondaries.map((order) => orderIdOut(instrument, order)) }),
  }
}

function configOut(config: MmpConfig): object {
  return {
    interval: scaledToNumber(BigInt(config.interval), 6),
    frozen_time: scaledToNumber(BigInt(config.frozenTime), 6),
    ...(config.quantity9 === null ? {} : { quantity_limit: nano(config.quantity9) }),
    ...(config.delta9 === null ? {} : { delta_limit: nano(config.delta9) }),
    ...(config.vega9 === null ? {} : { vega_limit: nano(config.vega9) }),
    max_quote_quantity: nano(config.maxQuote9),
  }
}

function limitsOut(limits: { readonly [G in LspGroup]?: number }): object {
  const own = lspGroups.flatMap((group) => {
    const limit = limits[group]
    return limit === undefined ? [] : [[lspGroupName(group), percentOfPpm(limit)] as const]
  })
  return Object.fromEntries(own)
}

/** Converts a value in 1e-9 to a number. */
function nano(value9: number): number {
  return scaledToNumber(BigInt(value9), 9)
}
