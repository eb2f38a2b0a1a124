/**
 * Rows of holdings (an account and an instrument), and rows of pairs: the holdings of one index and one currency that
 * portfolio margin computes together.
 */
import {
  cached,
  changing,
  derived,
  fixed,
  liveUnit,
  plainUnit,
  type RowOf,
  type Unit,
  units,
  wired,
} from '../../core/index.ts'
import type { PricedTerms } from '../../ledger/index.ts'
import type { MatrixRisk, RiskGroup } from '../../margin/index.ts'
import type { MarginModel, Side } from '../../model/index.ts'
import type { IndexRow, InstrumentRow, OptionRisk } from './instrument-row.ts'

/** The part of a holding's risk that its margin model stores. */
export type HoldingRisk =
  /** Spot and the house: no risk. */
  | 'none'
  /** Standard margin of a future. */
  | 'future'
  /** Standard margin of an option. */
  | 'option'
  /** A combo: its open orders count for its legs. */
  | 'combo'
  /** Standard margin of an account whose currencies share their margin. */
  | 'cross'
  | 'portfolio'

/**
 * A skipped holding: marks do not revalue it while a figure stays between two bounds. `value/skipped-revaluations.ts`
 * explains the figure and the bounds.
 */
export interface Skip {
  /** The mark of its stored value; for an option also the market data of its stored margin. */
  readonly marked: PricedTerms
  readonly market: OptionRisk | null
  /** Bounds in 1e-9. */
  readonly low: number
  readonly high: number
  /** The largest loss, in nano, that the holding can cause its wallet within the bounds. */
  readonly share: number
  /** True if it has no position and no open orders: its value is 0 at any mark. */
  readonly isIdle: boolean
}

/** An instrument. Snapshots store its number. */
const instrumentUnit: Unit<InstrumentRow> = {
  ...liveUnit<InstrumentRow>(),
  save: ({ instrument }) => instrument.id,
}

/**
 * The kind of risk that each margin model stores for futures and options. Null means that each holding has standard
 * margin for its own kind, and that a currency has the sum of its holdings.
 */
export const holdingRisks: { readonly [M in MarginModel]: 'cross' | 'portfolio' | null } = {
  segregated_sm: null,
  cross_sm: 'cross',
  segregated_pm: 'portfolio',
  cross_pm: 'portfolio',
}

export const holdingFields = {
  holding: derived(fixed(units.row)),
  account: fixed(units.row),
  wallet: derived(fixed(units.row)),
  row: wired(fixed(instrumentUnit)),
  /** True if the holding needs margin: it is neither spot, which reserves money instead, nor held by the house. */
  margined: derived(fixed(units.flag)),
  risk: derived(changing(plainUnit<HoldingRisk>('margin of a holding'))),
  /** Its pair under portfolio margin, otherwise null. */
  pair: derived(changing(liveUnit<PairRow | null>())),
  /** True if it is in the `stale` list of its pair. */
  isStale: cached(changing(units.flag), ['pairs.stale']),
  /** Null while each mark of its instrument revalues it. */
  skip: cached(changing(liveUnit<Skip | null>()), [
    'exchange.ledger',
    'exchange.margin',
    'instruments.mark',
    'instruments.risk',
    'exchange.now',
  ]),
  /** True if it is in the `fundable` list of its account. */
  isFundable: cached(changing(units.flag), ['accounts.fundable']),
  /** Slots of its resting reduce-only orders. */
  reducing: cached(fixed(liveUnit<number[]>()), ['exchange.orders']),
  /** Total remaining size of these orders on each side, in lots. */
  wanted: derived(fixed(liveUnit<{ [S in Side]: number }>())),
  /** The accumulator of funding at the last booking of the holding's funding. */
  funded: changing(units.wide),
}

/**
 * An account and an instrument, with its row in the ledger and in margin (`holding`), its row among the wallets of its
 * account (`wallet`), and its resting reduce-only orders.
 */
export interface HoldingRow extends RowOf<typeof holdingFields> {}

/** The skipped holdings of a wallet. */
export interface SkippedHoldings {
  /** The part of the wallet's slack that these holdings may use, in nano: the sum of their shares. */
  reserved: number
  readonly holdings: HoldingRow[]
  readonly idle: HoldingRow[]
  /** The count of marks (`markCount`) when all of them were last updated. */
  seen: number
  /** The estimate of funding is valid until this time. */
  readonly until: number
}

export const pairFields = {
  wallet: derived(fixed(units.row)),
  index: derived(fixed(liveUnit<IndexRow>())),
  group: cached(fixed(liveUnit<RiskGroup>()), ['pairs.stale']),
  /** In the order in which they were created. */
  holdings: derived(fixed(liveUnit<HoldingRow[]>())),
  /** Holdings whose part of the matrices must be recomputed. */
  stale: cached(fixed(liveUnit<HoldingRow[]>()), [
    'exchange.ledger',
    'exchange.margin',
    'instruments.mark',
    'instruments.risk',
    'pairs.minute',
  ]),
  /** The minute for which options were valued; -1 before the first valuation. */
  minute: cached(changing(units.count), ['exchange.now']),
  /** The risk of the three matrices, in the currency of the pair, and the index price at which it was computed. */
  risks: cached(changing(liveUnit<readonly MatrixRisk[] | null>()), ['pairs.group', 'pairs.minute', 'pairs.riskIndex']),
  riskIndex: cached(changing(units.nano), ['indices.price']),
  /** Largest move of the premium of each expiration, and the minute for which it was computed. */
  moves: cached(fixed(liveUnit<Map<number, number>>()), ['pairs.movesAt']),
  movesAt: cached(changing(units.count), ['exchange.now']),
  /** Dampeners of its extended cells, and the index price at which they were computed. */
  dampeners: cached(changing(liveUnit<Float64Array | null>()), ['pairs.dampenedAt']),
  dampenedAt: cached(changing(units.nano), ['indices.price']),
}

/** The positions of an account in one pair under portfolio margin: those of one index and one currency. */
export interface PairRow extends RowOf<typeof pairFields> {}
