/**
 * Orders and edits in words, as tests ask a market for them (see `harness.ts`).
 */
import type { Micros } from '../../src/core/index.ts'
import type {
  AdvancedTerms,
  Fault,
  FillCondition,
  LinkedOrderType,
  OrderType,
  PlacementExtras,
  PostOnly,
  Side,
  TimeInForce,
  TriggerSource,
} from '../../src/model/index.ts'

/** An order in words; a limit order where no type is named. */
export interface OrderWords {
  readonly amount: string
  readonly price?: string
  readonly instrument?: string
  readonly type?: OrderType
  readonly timeInForce?: TimeInForce
  readonly postOnly?: PostOnly
  readonly reduceOnly?: boolean
  readonly label?: string
  readonly advanced?: AdvancedTerms
  /** What an iceberg shows, in the unit of `amount`. */
  readonly display?: string
  readonly trigger?: TriggerWords
  readonly linked?: {
    readonly type: LinkedOrderType
    readonly condition?: FillCondition
    /** In words too; `side` is that of the secondary. */
    readonly secondaries: readonly (OrderWords & { readonly side: Side })[]
  }
  readonly validUntil?: Micros
  readonly extras?: PlacementExtras
  readonly fault?: Fault
}

/** A trigger in words: `price`, or `offset` of a trailing stop. The last price where no source is named. */
export interface TriggerWords {
  readonly source?: TriggerSource
  readonly price?: string
  readonly offset?: string
}

/** An edit in words; what is absent stays. */
export interface EditWords {
  readonly amount?: string
  readonly advanced?: AdvancedTerms
  readonly price?: string
  readonly postOnly?: PostOnly
  readonly reduceOnly?: boolean
  readonly display?: string
  readonly triggerPrice?: string
  readonly triggerOffset?: string
  readonly mmp?: boolean
  readonly validUntil?: Micros
  readonly fault?: Fault
}
