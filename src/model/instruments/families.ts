/**
 * The tables of the catalogue: terms that the instruments of one family share, by base. They are plain data in decimal
 * text; the catalogue converts it to integers.
 *
 * The columns are those of market.md 1.3. `observed` rows are from real replies: market.md 1.3, and for linear
 * perpetuals that it does not list, the `get_instruments` reply of May 2022 in the shared capture (contract size,
 * minimum and tick; fees and leverage as in market.md).
 */
import { defined, micros, parseScaled, price9, safeNumber } from '../../core/index.ts'
import type { FundingTerms, MarginTerms, MarkTerms, TickStep } from '../instrument.ts'
import type { ProductGroup } from '../words/instruments.ts'

/** Sizes and tick of a family. The minimum is also the amount step (market.md 1.2). */
export interface FamilySizes {
  readonly contractSize9: number
  readonly minAmount9: number
  readonly tick9: number
}

/** Terms that futures and perpetuals of a product group share. */
interface GroupTerms {
  readonly liquidationFee9: number
  readonly margin: MarginTerms
}

const NANO_SCALE = 9

/** Inverse perpetuals; dated futures differ only in the tick, see below. */
export const inversePerpetuals: ReadonlyMap<string, FamilySizes> = new Map([
  ['BTC', sizes('10', '10', '0.5')],
  ['ETH', sizes('1', '1', '0.05')],
])

/** Inverse dated futures. */
export const inverseFutures: ReadonlyMap<string, FamilySizes> = new Map([
  ['BTC', sizes('10', '10', '2.5')],
  ['ETH', sizes('1', '1', '0.05')],
])

/** Inverse options. All share the steps of `inverseOptionSteps`. */
export const inverseOptions: ReadonlyMap<string, FamilySizes> = new Map([
  ['BTC', sizes('1', '0.1', '0.0001')],
  ['ETH', sizes('1', '1', '0.0001')],
])

/** From 0.005 coin upward options move by 0.0005 coin (market.md 1.3, T11, T12). */
export const inverseOptionSteps: readonly TickStep[] = [{ above: price9(nano('0.005')), tick9: nano('0.0005') }]

/**
 * Linear perpetuals and dated futures, settled in USDC or USDT.
 * Assumed: dated linear futures and those settled in USDT have the sizes of the USDC perpetual.
 * Assumed: BNB, HYPE and PAXG, in proportion to their prices; no real reply was found.
 */
export const linearFutures: ReadonlyMap<string, FamilySizes> = new Map([
  ['BTC', linear('0.001', '0.5')],
  ['ETH', linear('0.01', '0.1')],
  ['SOL', linear('0.1', '0.01')],
  ['XRP', linear('10', '0.0001')],
  ['AAVE', linear('0.01', '0.01')],
  ['ADA', linear('10', '0.0001')],
  ['ALGO', linear('10', '0.0001')],
  ['AVAX', linear('0.1', '0.01')],
  ['BCH', linear('0.02', '0.01')],
  ['BNB', linear('0.01', '0.05')],
  ['DOGE', linear('100', '0.00001')],
  ['DOT', linear('1', '0.001')],
  ['HYPE', linear('0.1', '0.001')],
  ['LINK', linear('1', '0.001')],
  ['LTC', linear('0.1', '0.01')],
  ['MATIC', linear('10', '0.0001')],
  ['NEAR', linear('1', '0.001')],
  ['PAXG', linear('0.001', '0.1')],
  ['TRX', linear('100', '0.00001')],
  ['UNI', linear('1', '0.001')],
])

/** Assumed: any other linear base moves in whole coins and in 0.0001; a scenario may override it. */
export const otherLinearFuture: FamilySizes = linear('1', '0.0001')

/**
 * Linear options, settled in USDC. BTC, SOL and XRP as in market.md 1.3.
 * Assumed: ETH, AVAX and TRX take the multiplier and the tick of their block rules (market.md 1.4),
 * and ETH the minimum of 0.1 of its inverse sister's contract.
 */
export const linearOptions: ReadonlyMap<string, FamilySizes> = new Map([
  ['BTC', sizes('1', '0.01', '5')],
  ['ETH', sizes('1', '0.1', '0.2')],
  ['SOL', sizes('10', '10', '0.1')],
  ['XRP', sizes('1000', '1000', '0.0001')],
  ['AVAX', sizes('100', '100', '0.0005')],
  ['TRX', sizes('10000', '10000', '0.00005')],
])

/**
 * Spot pairs by base. BTC_USDC as in market.md 1.3.
 * Assumed: the other bases, in proportion to their prices; stablecoins in whole units and 0.0001.
 */
export const spotPairs: ReadonlyMap<string, FamilySizes> = new Map([
  ['BTC', linear('0.0001', '0.01')],
  ['ETH', linear('0.001', '0.01')],
  ['STETH', linear('0.001', '0.01')],
  ['PAXG', linear('0.001', '0.01')],
  ['BNB', linear('0.001', '0.01')],
  ['SOL', linear('0.01', '0.01')],
  ['XRP', linear('1', '0.0001')],
])

/** Assumed: a stablecoin or another base in spot. */
export const otherSpotPair: FamilySizes = linear('1', '0.0001')

/** Assumed: spot priced in a coin (ETH_BTC) has a separate tick, because its prices are small. */
export const coinQuotedSpotTick9: number = nano('0.00001')

/** Tick of option combos on inverse pairs, flat (observed). */
export const inverseOptionComboTick9: number = nano('0.0001')

/** Bases of TIER_2. BTC and ETH (with STETH) are separate groups; all other bases are TIER_3 (R21). */
export const tier2Bases: ReadonlySet<string> = new Set(
  'ADA AVAX BCH BNB DOGE DOT HYPE LINK LTC NEAR PAXG SOL TRX UNI XRP'.split(' '),
)

/**
 * Terms of futures and perpetuals by product group (market.md 1.3, 6.1).
 * Assumed: linear futures have the liquidation fee of their group, 1 % in both tiers (observed for AAVE, chosen for
 * SOL).
 */
export const groupTerms: Readonly<Record<ProductGroup, GroupTerms>> = {
  BTC: {
    liquidationFee9: nano('0.0075'),
    margin: { initialPpm: 20_000, maintenancePpm: 10_000, slopePpb: 50_000, per: 'coin' },
  },
  ETH: {
    liquidationFee9: nano('0.009'),
    margin: { initialPpm: 20_000, maintenancePpm: 10_000, slopePpb: 4_000, per: 'coin' },
  },
  TIER_2: {
    liquidationFee9: nano('0.01'),
    margin: {
      initialPpm: 40_000,
      maintenancePpm: 20_000,
      slopePpb: 5_000_000,
      per: 'million_quote',
    },
  },
  TIER_3: {
    liquidationFee9: nano('0.01'),
    margin: {
      initialPpm: 100_000,
      maintenancePpm: 50_000,
      slopePpb: 10_000_000,
      per: 'million_quote',
    },
  },
}

/** Margin terms of bases that differ from their group: for SOL the slope counts coins (market.md 6.1). */
export const baseMarginTerms: ReadonlyMap<string, MarginTerms> = new Map([
  ['SOL', { initialPpm: 40_000, maintenancePpm: 20_000, slopePpb: 5_000, per: 'coin' }],
])

/** Margin terms of instruments whose margin is not a rate of their size: options, combos, spot. */
export const noMargin: MarginTerms = {
  initialPpm: 0,
  maintenancePpm: 0,
  slopePpb: 0,
  per: 'coin',
}

/** Rates of futures and perpetuals: maker 0, taker 0.05 %, block 0.025 % (market.md 1.3, R26). */
export const futureTakerFee9: number = nano('0.0005')
export const futureBlockFee9: number = nano('0.00025')
/** Rate of options for all roles and blocks: 0.03 % of the underlying (market.md 1.3, R26). */
export const optionFee9: number = nano('0.0003')
/** Delivery fee of options that live longer than a day, as a share of the underlying (market.md 4). */
export const optionDeliveryFee9: number = nano('0.00015')
/** Liquidation fee of options: 0.19 % of the underlying (market.md 4). */
export const optionLiquidationFee9: number = nano('0.0019')

/** Rate of a delivered future that lived longer than a week: 0.025 % (market.md 4). */
export const futureDeliveryFee9: number = nano('0.00025')

/**
 * How marks are computed (market.md 3.2): perpetuals use an impact of 1 BTC, 10 ETH or 50,000 quote units, and a
 * premium of at most 0.5 %; dated futures use the middle of their book and a premium of at most 10 %.
 */
export const perpetualClampPpm = 5_000
export const inverseImpact9: ReadonlyMap<string, number> = new Map([
  ['BTC', nano('1')],
  ['ETH', nano('10')],
])
export const linearImpact9: number = nano('50000')
export const datedMark: MarkTerms = { impact9: 0, clampPpm: 100_000 }

/**
 * Funding by product group: caps as in market.md 3.3. The damper is 0.05 % in real messages of 2019 to June 2022
 * (golden funding-rate) and 0.025 % as published now.
 * Assumed: it changed on 2023-01-01; no document gives the date.
 */
const dampers: FundingTerms['dampers'] = [
  { from: micros(0), rate8: 50_000 },
  { from: micros(1_672_531_200_000_000), rate8: 25_000 },
]
export const fundingTerms: Readonly<Record<ProductGroup, FundingTerms>> = {
  BTC: { dampers, cap8: 500_000 },
  ETH: { dampers, cap8: 500_000 },
  TIER_2: { dampers, cap8: 1_000_000 },
  TIER_3: { dampers, cap8: 5_000_000 },
}

/** Greatest leverage of futures and perpetuals. */
export const futureLeverageMax = 50

/** Price bands in parts per million (market.md 1.3, R05). */
export const bandPpm = {
  inversePerpetual: 15_000,
  datedFuture: 30_000,
  linearPerpetual: 25_000,
  spot: 20_000,
  /** Rate of the underlying: 0.04 coin if the price is in coin, otherwise 4 % of the index. */
  option: 40_000,
  /** The band of a combo is computed from the bands of its legs. */
  none: 0,
} as const

function sizes(contractSize: string, minAmount: string, tick: string): FamilySizes {
  return { contractSize9: nano(contractSize), minAmount9: nano(minAmount), tick9: nano(tick) }
}

/** Contract size, minimum and step are equal (market.md 1.2: linear futures = quantity step). */
function linear(step: string, tick: string): FamilySizes {
  return sizes(step, step, tick)
}

function nano(text: string): number {
  const scaled = parseScaled(text, NANO_SCALE)
  return safeNumber(defined(scaled.ok ? scaled.value : undefined, `a decimal, found ${text}`))
}
