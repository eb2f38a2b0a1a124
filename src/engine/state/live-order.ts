/**
 * The fields of a live order: its terms, and what the engine needs to find at once.
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
 * Where a live order is.
 * - `entering`: it is being matched, or about to be.
 * - `resting`: in its book.
 * - `emptied`: an iceberg whose visible part is gone, until it shows its next.
 * - `routed`: on its way to the third-party exchange that matches it.
 * - `bumped`: behind the speed bump.
 * - `waiting`: the second of two partners, until the first has had its turn.
 * - `untriggered`: it waits for a price.
 * - `fired`: its price came, and it waits for its turn.
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

/** Where a live order is. */
export type OrderStage = (typeof orderStages)[number]

/** The condition that a trigger order waits for; of a dormant secondary, the one that it will wait for. */
export interface OrderTrigger {
  readonly source: TriggerSource
  /** Value of the source when a trailing order was placed; 0 for others. */
  reference: Price9
  readonly waiting: WaitingTrigger
}

/** How an order is linked to others; `NO_ORDER` where it is not. */
export interface OrderLink {
  readonly condition: FillCondition
  /** Names the link of two partners, as `OrderLinks` does. */
  pair: OrderId
  /** Its partner while that lives: of the two one cancels the other. */
  partner: OrderId
  /** How much fills of the other have cut off it. */
  cut: Lots
  /** The order whose fills place this secondary, or placed the order that this one came from. */
  primary: OrderId
  /** The secondary that this order was placed for. */
  origin: OrderId
  /** Secondaries of a primary. */
  secondaries: readonly OrderId[]
  /** Partner of a dormant secondary, dormant too. */
  sibling: OrderId
  /** The fill of the primary at which the other last had its turn. */
  siblingTurn: Lots
  /** How much of it was placed, as which order last, and how many turns are to come. */
  placed: Lots
  placedAs: OrderId
  turns: number
  /** It ends once its turns are over. */
  ends: boolean
}

export const liveOrderFields = {
  ...orderFields,
  /** The holding whose order it is, which knows account and instrument. */
  holding: fixed(units.row),
  /**
   * The basis of its fills: null before the first, their price while they all had one, then the basis of all
   * of them as a wide integer.
   */
  fills: changing(plainUnit<null | Ticks | Float64Array>('basis of fills')),
  stage: changing(plainUnit<OrderStage>('stage')),
  /** Time at which its matching must have begun at the latest, where it waits on its way; null for no end. */
  validUntil: rare(null, changing(orNull(units.micros))),
  /** It has stood in its book. */
  stood: changing(units.flag),
  /** Null but for trigger types. */
  trigger: rare(null, changing(plainUnit<OrderTrigger | null>('trigger or null'))),
  /** Null where it is linked to none. */
  link: rare(null, changing(plainUnit<OrderLink | null>('link or null'))),
}

/** A live order: its terms, and what the engine needs to find at once. */
export interface LiveOrder extends RowOf<typeof liveOrderFields> {}

export const liveOrderUnit = rowUnit('live order', liveOrderFields)

/** Fields that change, and that every order has: those that few have are kept apart. */
const movingFields = Object.entries(liveOrderFields).flatMap(([name, field]) =>
  field.isFixed || 'isRare' in field ? [] : [name as keyof LiveOrder],
)

/** Brings what changes of an order, and what every order has, to what another one has. */
export function bringTo(order: LiveOrder, saved: LiveOrder): void {
  const to: { -readonly [N in keyof LiveOrder]: unknown } = order
  for (const name of movingFields) to[name] = saved[name]
}

/** All fields of an order as they are now, in an object of its own. */
export function copyOfOrder(order: LiveOrder): LiveOrder {
  return copyRow(liveOrderFields, order)
}
