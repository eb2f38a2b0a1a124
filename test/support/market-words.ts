/** Orders and edits in words, in the form that tests send to a market (see `harness.ts`). */
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

/** An order in words; a limit order by default. */
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
  /** The displayed amount of an iceberg, in the unit of `amount`. */
  readonly display?: string
  readonly trigger?: TriggerWords
  readonly linked?: {
    readonly type: LinkedOrderType
    readonly condition?: FillCondition
    /** Secondaries in words; `side` is the side of the secondary. */
    readonly secondaries: readonly (OrderWords & { readonly side: Side })[]
  }
  readonly validUntil?: Micros
  readonly extras?: PlacementExtras
  readonly fault?: Fault
}

/** A trigger in words: `price`, or `offset` of a trailing stop. The source is the last price by default. */
export interface TriggerWords {
  readonly source?: TriggerSource
  readonly price?: string
  readonly offset?: string
}

/** An edit in words; omitted fields do not change. */
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
