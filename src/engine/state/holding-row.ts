/**
 * Rows of holdings (an account and an instrument) and of pairs, the holdings of one index and one currency
 * that portfolio margin counts together.
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

/** The part of a holding's risk that its margin model keeps. */
export type HoldingRisk =
  /** Spot and the house: nothing. */
  | 'none'
  /** Standard margin of a future. */
  | 'future'
  /** Standard margin of an option. */
  | 'option'
  /** A combo: its open orders count on its legs. */
  | 'combo'
  /** Standard margin of an account whose currencies share it. */
  | 'cross'
  | 'portfolio'

/**
 * A skipped holding: marks do not revalue it while a figure stays between two bounds. `value/skipped-revaluations.ts`
 * explains the figure and the bounds.
 */
export interface Skip {
  /** The mark of its stored value; for an option also the market of its stored margin. */
  readonly marked: PricedTerms
  readonly market: OptionRisk | null
  /** Bounds in 1e-9. */
  readonly low: number
  readonly high: number
  /** The most that its wallet can lose by it within the bounds, in nano. */
  readonly share: number
  /** It has no position and no open orders: its value is 0 at any mark. */
  readonly isIdle: boolean
}

/** An instrument, which snapshots hold by its number. */
const instrumentUnit: Unit<InstrumentRow> = {
  ...liveUnit<InstrumentRow>(),
  save: ({ instrument }) => instrument.id,
}

/**
 * The kind of risk that each margin model keeps of an account's futures and options; null where each has the margin
 * of its own kind, and a currency the sum of them.
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
  /** Margin binds it: it is not spot, which reserves what it needs, and not of the house. */
  margined: derived(fixed(units.flag)),
  risk: derived(changing(plainUnit<HoldingRisk>('margin of a holding'))),
  /** Its pair under portfolio margin, else null. */
  pair: derived(changing(liveUnit<PairRow | null>())),
  /** It is among the stale ones of its pair. */
  isStale: cached(changing(units.flag), ['pairs.stale']),
  /** Null while each mark of its instrument revalues it. */
  skip: cached(changing(liveUnit<Skip | null>()), [
    'exchange.ledger',
    'exchange.margin',
    'instruments.mark',
    'instruments.risk',
    'exchange.now',
  ]),
  /** It is among the fundable ones of its account. */
  isFundable: cached(changing(units.flag), ['accounts.fundable']),
  /** Slots of its resting reduce-only orders. */
  reducing: cached(fixed(liveUnit<number[]>()), ['exchange.orders']),
  /** Size that they want together on each side, in lots. */
  wanted: derived(fixed(liveUnit<{ [S in Side]: number }>())),
  /** The accumulator of funding when it was last touched. */
  funded: changing(units.wide),
}

/**
 * An account and an instrument, with the rows it has in the ledger and in margin (`holding`) and
 * in the wallets of its account (`wallet`), and its resting reduce-only orders.
 */
export interface HoldingRow extends RowOf<typeof holdingFields> {}

/** The skipped holdings of a wallet. */
export interface SkippedHoldings {
  /** The sum of their shares in the slack of the wallet, in nano. */
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
  /** In the order in which they arose. */
  holdings: derived(fixed(liveUnit<HoldingRow[]>())),
  /** Those whose part of the matrices is to be found anew. */
  stale: cached(fixed(liveUnit<HoldingRow[]>()), [
    'exchange.ledger',
    'exchange.margin',
    'instruments.mark',
    'instruments.risk',
    'pairs.minute',
  ]),
  /** The minute for which options were valued; -1 before. */
  minute: cached(changing(units.count), ['exchange.now']),
  /** The risk of the three matrices, in the currency of the pair, and the index it was found at. */
  risks: cached(changing(liveUnit<readonly MatrixRisk[] | null>()), ['pairs.group', 'pairs.minute', 'pairs.riskIndex']),
  riskIndex: cached(changing(units.nano), ['indices.price']),
  /** How far the premium of each expiration may move, at a minute. */
  moves: cached(fixed(liveUnit<Map<number, number>>()), ['pairs.movesAt']),
  movesAt: cached(changing(units.count), ['exchange.now']),
  /** Dampeners of its extended cells, at an index. */
  dampeners: cached(changing(liveUnit<Float64Array | null>()), ['pairs.dampenedAt']),
  dampenedAt: cached(changing(units.nano), ['indices.price']),
}

/** The positions of an account in one pair, under portfolio margin: those of one index and one currency. */
export interface PairRow extends RowOf<typeof pairFields> {}
