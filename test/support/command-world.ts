/**
 * Worlds of random command streams: instruments, accounts, settings and habits, as plain data. This is swarm testing:
 * each world leaves out some kinds of command and stresses others.
 */
import fc from 'fast-check'
import { amount, type Micros, micros, parseScaled } from '../../src/core/index.ts'
import { createExchange, type Exchange } from '../../src/engine/index.ts'
import {
  defaultConfig,
  type EventSink,
  type ExchangeConfig,
  type InstrumentSpec,
  type MarginModel,
  overrideSpec,
  type SpecOverrides,
  specFromName,
} from '../../src/model/index.ts'
import { isShort, isWhole } from './property-runs.ts'

/** 2026-01-05T07:00Z: one hour before a settlement. */
export const start: Micros = micros(1_767_596_400_000_000)

/** The set-up of a run. */
export interface World {
  readonly instruments: readonly number[]
  readonly accounts: number
  /** The number of subaccounts of the first account. They are the last accounts. */
  readonly subaccounts: number
  readonly rich: boolean
  /** True if the index of the last instrument is unknown at the beginning. */
  readonly unknownIndex: boolean
  readonly selfMatch: ExchangeConfig['selfMatch']
  readonly priceBands: boolean
  readonly bookEvents: boolean
  readonly marks: ExchangeConfig['marks']
  /** The longest wait in hours: few if part of the run is checked at every second, less than one if all of it is. */
  readonly longestWait: number
  /** The initial balance of the insurance fund in each currency, in whole units. */
  readonly fund: string
  readonly settlementTime: number
  readonly listedFutures: readonly string[]
  readonly liquidations: boolean
  /** Margin models, assigned to the accounts in turn. */
  readonly models: readonly MarginModel[]
  /** The share of the fees that accounts pay, in millionths, assigned in turn. */
  readonly feePpm: readonly number[]
  readonly orderLimit: number
  readonly triggerLimit: number
  readonly secondaryLimit: number
  readonly kinds: readonly Kind[]
  /** Ticks by which prices spread around the mark. */
  readonly spread: number
  /** A factor for sizes; icebergs need a large one. */
  readonly scale: number
  /** True if the exchange skips revaluations that no threshold needs, even with few holdings. */
  readonly skipsAll: boolean
}

/**
 * One step before the state of the run is known. `pick` and `detail` decide everything that the other fields leave
 * open.
 */
export interface Intent {
  readonly kind: number
  readonly who: number
  readonly where: number
  readonly buys: boolean
  readonly offset: number
  readonly size: number
  readonly pick: number
  readonly detail: number
}

/** Every kind of step, the frequent ones several times. */
export const everyKind = [
  ...['limit', 'limit', 'limit', 'taker', 'taker', 'taker', 'market', 'market', 'market_limit'],
  ...['ioc', 'fok', 'day'],
  ...['slide', 'reject', 'edit', 'edit', 'edit', 'cancel', 'cancel', 'cancel_all', 'index', 'index'],
  ...['mark', 'deposit', 'give', 'give', 'wait', 'fault', 'late', 'query', 'state', 'self_trading'],
  ...['session', 'session', 'loss', 'list'],
  ...['combo', 'combo', 'move', 'transfer', 'participant'],
  ...['iceberg', 'iceberg', 'iceberg', 'stop', 'stop', 'stop', 'trailing', 'reduce', 'reduce', 'reduce_stop'],
  ...['one_cancels', 'one_cancels', 'one_triggers', 'one_triggers', 'bracket', 'bracket'],
] as const
export type Kind = (typeof everyKind)[number]

/** Instruments with their overrides and their initial prices. */
const catalogue: readonly (readonly [string, SpecOverrides, center: string])[] = [
  ['BTC-PERPETUAL', {}, '50000'],
  ['ETH-PERPETUAL', { maker_commission: '-0.0001', taker_commission: '0.00075' }, '3000'],
  ['BTC-27MAR26', { tick_size: '0.5', min_trade_amount: '100', amount_step: '10' }, '50000'],
  ['BTC_USDC-PERPETUAL', { maker_commission: '0.000123457' }, '50000'],
  ['SOL_USDC-PERPETUAL', {}, '200'],
  ['AAVE_USDC-PERPETUAL', { taker_commission: '0.000345' }, '150'],
  ['BTC_USDC', { maker_commission: '-0.0001', taker_commission: '0.001' }, '50000'],
  ['ETH_BTC', { taker_commission: '0.0005' }, '0.06'],
  ['ETH_USDC', { routing: 'third_party', route_delay_ms: '0.7' }, '3000'],
  ['BTC-5JAN26', { delivery_commission: '0.00025', maker_commission: '-0.0001' }, '50000'],
  ['ETH-6JAN26', { delivery_commission: '0.000345' }, '3000'],
  ['BTC_USDC-6JAN26', { mark_band: '0.01' }, '50000'],
  ['SOL_USDC-7JAN26', { delivery_commission: '0.00025' }, '200'],
  ['ETH_USDC-PERPETUAL', { funding_damper: '0', impact_amount: '900' }, '3000'],
  ['BTC-5JAN26-50000-C', {}, '50000'],
  ['BTC-27MAR26-55000-P', { taker_commission: '0.0004' }, '50000'],
  ['BTC-27MAR26-45000-C', {}, '50000'],
  ['ETH-6JAN26-3000-P', {}, '3000'],
  ['BTC_USDC-6JAN26-50000-C', {}, '50000'],
  ['SOL_USDC-30JAN26-220-C', {}, '200'],
  ['BTC-27MAR26-55000-C', {}, '50000'],
]

/** Margin models of the accounts of a run, assigned in turn; standard margin is the most frequent. */
const modelsOfRuns: readonly (readonly MarginModel[])[] = [
  ...([['segregated_sm'], ['segregated_sm'], ['segregated_sm'], ['segregated_sm']] as const),
  ['segregated_sm', 'segregated_pm'],
  ['cross_sm', 'segregated_sm'],
  ['cross_pm', 'cross_sm', 'segregated_sm', 'segregated_pm'],
  ['segregated_pm', 'cross_pm'],
]

/** Combos that a run may create; their legs are instruments of the catalogue. */
const combos: readonly string[] = [
  ...['BTC-FS-27MAR26_PERP', 'BTC-FS-27MAR26_5JAN26', 'BTC-CS-27MAR26-45000_55000'],
  ...['BTC-STRD-27MAR26-55000', 'BTC-REV-27MAR26-55000', 'BTC-CSR12-27MAR26-45000_55000'],
]

/** Instruments that serve as legs of combos. */
const legs: readonly (readonly number[])[] = [
  [0, 2],
  [0, 2, 9],
  [15, 16, 20],
  [2, 16, 20],
]

/** A random combo of instruments of the catalogue. */
export function anyCombo(pick: number): InstrumentSpec {
  return specOf(combos[pick % combos.length] ?? 'BTC-FS-27MAR26_PERP', {})
}

/** Half of the worlds have every habit, the others some; a few have them all under stress. */
const habits: fc.Arbitrary<readonly Kind[]> = fc
  .tuple(
    fc.subarray([...everyKind], { minLength: 8 }),
    fc.subarray([...new Set(everyKind)], { minLength: 1, maxLength: 4 }),
  )
  .map(([some, often]) => ['limit', ...some, ...often, ...often, ...often])

/** Any world. */
export const worldArbitrary: fc.Arbitrary<World> = fc
  .record({
    instruments: fc.oneof(
      {
        weight: 3,
        arbitrary: fc.uniqueArray(fc.nat(catalogue.length - 1), { minLength: 1, maxLength: 3 }),
      },
      fc.constantFrom(...legs),
    ),
    accounts: fc.integer({ min: 2, max: 4 }),
    subaccounts: fc.constantFrom(0, 0, 1, 2),
    rich: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
    unknownIndex: fc.oneof({ weight: 8, arbitrary: fc.constant(false) }, fc.constant(true)),
    selfMatch: fc.constantFrom('reject_taker', 'cancel_maker', 'off'),
    priceBands: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
    bookEvents: fc.constant(false),
    marks: fc.oneof({ weight: 9, arbitrary: fc.constant('index' as const) }, fc.constant('venue' as const)),
    fund: fc.constantFrom('1000000', '0', '0.00000001', '1'),
    settlementTime: fc.constantFrom(0, 0, 0, 0, 300, 5_000_000),
    listedFutures: fc.constantFrom(...Array.from({ length: 17 }, () => []), ...[['BTC'], ['ETH', 'BTC_USDC']]),
    liquidations: fc.boolean(),
    models: fc.constantFrom(...modelsOfRuns),
    feePpm: fc.constantFrom([1_000_000], [1_000_000], [333_333, 1_000_000, 0, 50_000]),
    orderLimit: fc.constantFrom(3, 8, 1000, 1000, 1000, 1000),
    triggerLimit: fc.constantFrom(2, 4, 100, 100, 100),
    secondaryLimit: fc.constantFrom(2, 4, 100, 100, 100),
    kinds: habits,
    spread: fc.constantFrom(1, 3, 3, 10, 200),
    scale: fc.constantFrom(1, 100, 100),
    skipsAll: fc.boolean(),
    longestWait: fc.constantFrom(40, 0.9, 0.9, 0.9),
  })
  .map((world) => ({ ...world, longestWait: longestWaitOf(world) }))

/**
 * Only accounts with segregated standard margin skip revaluations. A day with other accounts takes seconds, so three
 * of four sampled worlds with such accounts wait less than an hour at a time, and all worlds of `npm run check`.
 */
function longestWaitOf({ marks, models, longestWait }: Pick<World, 'marks' | 'models' | 'longestWait'>): number {
  if (marks === 'venue') return 1
  if (isWhole || models.every((model) => model === 'segregated_sm')) return 40
  return isShort ? 0.9 : longestWait
}

/** The exchange of a world. */
export function exchangeOf(world: World, sink: EventSink): Exchange {
  const exchange = createExchange(configOf(world), sink)
  if (world.skipsAll) exchange.skipFrom = -1
  return exchange
}

/** Any intent. */
export const intentArbitrary: fc.Arbitrary<Intent> = fc.record({
  kind: fc.nat(1000),
  who: fc.nat(11),
  where: fc.nat(23),
  buys: fc.boolean(),
  offset: fc.integer({ min: -6, max: 6 }),
  size: fc.integer({ min: 1, max: 12 }),
  pick: fc.nat(100_000),
  detail: fc.nat(100_000_000),
})

/** The settings of a world. */
export function configOf(world: World): ExchangeConfig {
  const { selfMatch, priceBands, bookEvents, orderLimit, triggerLimit, secondaryLimit } = world
  const config = defaultConfig(start)
  const limits = {
    ...{ total: orderLimit + 2, future: orderLimit, option: orderLimit, spot: orderLimit },
    ...{ triggers: triggerLimit, secondaries: secondaryLimit },
  }
  const { marks, settlementTime, listedFutures } = world
  const fund = amount(parseNano(world.fund))
  return {
    ...{ ...config, selfMatch, priceBands, bookEvents, openOrderLimits: limits },
    ...{ marks, listedFutures, settlementTime: micros(settlementTime), speedBumps: false },
    liquidation: { ...config.liquidation, enabled: world.liquidations },
    insuranceFund: { BTC: fund, ETH: fund, USDC: fund, USDT: amount(0n) },
  }
}

/** The instruments of a world, each with its initial price. */
export function listingsOf(world: World): readonly { readonly spec: InstrumentSpec; readonly price: number }[] {
  return world.instruments.map((at) => ({
    spec: specAt(at),
    price: nanoOf(catalogue[at]?.[2] ?? '1'),
  }))
}

/** A random instrument of the catalogue. */
export function anySpec(pick: number): InstrumentSpec {
  return specAt(pick % catalogue.length)
}

/** The initial price of instruments on an index. */
export function centreOf(priceIndex: string): number {
  const at = catalogue.findIndex((_entry, each) => specAt(each).priceIndex === priceIndex)
  return nanoOf(catalogue[at]?.[2] ?? '1')
}

/** A decimal as a count of 1e-9. */
export function nanoOf(text: string): number {
  return Math.round(Number(text) * 1e9)
}

function parseNano(text: string): bigint {
  const scaled = parseScaled(text, 9)
  if (!scaled.ok) throw new Error(`no decimal: ${text}`)
  return scaled.value
}

function specAt(at: number): InstrumentSpec {
  const [name, overrides] = catalogue[at] ?? ['BTC-PERPETUAL', {}]
  return specOf(name, overrides)
}

function specOf(name: string, overrides: SpecOverrides): InstrumentSpec {
  const named = specFromName(name, { creation: start })
  if (!named.ok) throw new Error(named.error)
  const spec = overrideSpec(named.value, overrides)
  if (!spec.ok) throw new Error(JSON.stringify(spec.error))
  // Options of one day pay no delivery fee, but some options of the streams do.
  const paysDelivery = spec.value.kind === 'option' && !name.startsWith('BTC-')
  return paysDelivery ? { ...spec.value, deliveryFee9: 150_000 } : spec.value
}
