/**
 * The fields of a live order: its terms, and fields that the engine reads often.
 */
import type { WaitingTrigger } from '../../book/index.ts'
import {
  changing,
  copyRow,
  fixed,
  type Lots,
  type OrderId,
  orNull,
  type Price9,
  plainUnit,
  type RowOf,
  rare,
  rowUnit,
  type Ticks,
  units,
} from '../../core/index.ts'
import { type FillCondition, orderFields, type TriggerSource } from '../../model/index.ts'

/**
 * The stage of a live order.
 * - `entering`: it is being matched, or is about to be.
 * - `resting`: it is in its book.
 * - `emptied`: an iceberg whose visible part is filled, before its next part is shown.
 * - `routed`: it is on its way to the third-party exchange that matches it.
 * - `bumped`: it is behind the speed bump.
 * - `waiting`: it is the second of two partners and waits until the first is processed.
 * - `untriggered`: it waits for a price.
 * - `fired`: its price was reached, and it is queued for placement.
 * - `dormant`: a secondary that waits for its primary.
 */
export const orderStages = [
  'entering',
  'resting',
  'emptied',
  'routed',
  'bumped',
  'waiting',
  'untriggered',
  'fired',
  'dormant',
] as const

/** The stage of a live order. */
export type OrderStage = (typeof orderStages)[number]

/** The condition that a trigger order waits for. A dormant secondary will wait for it once it is placed. */
export interface OrderTrigger {
  readonly source: TriggerSource
  /** Value of the source when a trailing order was placed; 0 for others. */
  reference: Price9
  readonly waiting: WaitingTrigger
}

/** How an order is linked to others. Fields are `NO_ORDER` without such an order. */
export interface OrderLink {
  readonly condition: FillCondition
  /** Identifies the link of two partners, as in `OrderLinks`. */
  pair: OrderId
  /** Its partner while that is live. One of the two cancels the other. */
  partner: OrderId
  /** Size by which fills of the partner have reduced this order. */
  cut: Lots
  /**
   * The order whose fills place this secondary; for an order that was placed for a secondary, the primary of that
   * secondary.
   */
  primary: OrderId
  /** The secondary for which this order was placed. */
  origin: OrderId
  /** Secondaries of a primary. */
  secondaries: readonly OrderId[]
  /** The other secondary, also dormant, of a dormant secondary that has a partner. */
  sibling: OrderId
  /** Filled size of the primary when the sibling was last placed. */
  siblingTurn: Lots
  /**
   * Size of the secondary that was placed so far, the order that was placed last, and the number of queued placements.
   */
  placed: Lots
  placedAs: OrderId
  turns: number
  /** True if it ends when no queued placements are left. */
  ends: boolean
}

export const liveOrderFields = {
  ...orderFields,
  /** The holding of the order. It refers to the account and the instrument. */
  holding: fixed(units.row),
  /**
   * The basis of its fills: null before the first fill, the price while all fills have the same price, and then the
   * basis of all fills as a wide integer.
   */
  fills: changing(plainUnit<null | Ticks | Float64Array>('basis of fills')),
  stage: changing(plainUnit<OrderStage>('stage')),
  /** Time at which its matching must have begun at the latest, if it waits on its way; null without a limit. */
  validUntil: rare(null, changing(orNull(units.micros))),
  /** True if it has rested in its book. */
  stood: changing(units.flag),
  /** Null except for trigger types. */
  trigger: rare(null, changing(plainUnit<OrderTrigger | null>('trigger or null'))),
  /** Null without linked orders. */
  link: rare(null, changing(plainUnit<OrderLink | null>('link or null'))),
}

/** A live order: its terms, and fields that the engine reads often. */
export interface LiveOrder extends RowOf<typeof liveOrderFields> {}

export const liveOrderUnit = rowUnit('live order', liveOrderFields)

/** Names of the fields that change and that every order has; rare terms are excluded. */
const movingFields = Object.entries(liveOrderFields).flatMap(([name, field]) =>
  field.isFixed || 'isRare' in field ? [] : [name as keyof LiveOrder],
)

/** Copies the changing fields that every order has from `saved` to `order`. */
export function bringTo(order: LiveOrder, saved: LiveOrder): void {
  const to: { -readonly [N in keyof LiveOrder]: unknown } = order
  for (const name of movingFields) to[name] = saved[name]
}

/** A copy of all current fields of an order in a new object. */
export function copyOfOrder(order: LiveOrder): LiveOrder {
  return copyRow(liveOrderFields, order)
}
