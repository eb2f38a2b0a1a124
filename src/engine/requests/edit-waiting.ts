/**
 * Edits an order that waits for a price or a fill. Fields that the request omits do not change, nor does the best price
 * seen by a trailing stop. Bands, margin and the account's other orders are checked when the order enters the book.
 *
 * Source: trading.md 4.2, 6.13 (C31), 6.14 (C32g).
 */
import { addTrigger, remainingOf, removeTrigger, setSlot, setTriggerOffset, setTriggerPrice } from '../../book/index.ts'
import { assert, type Lots, lots, type Ticks } from '../../core/index.ts'
import { type AdvancedTerms, type EditOrder, entryTypeOf, isTrailing, type PostOnly } from '../../model/index.ts'
import { price9Of } from '../market/index.ts'
import { emitOrder, type InstrumentRow, type LiveOrder, orderAt, type Turn } from '../state/index.ts'

/** The order in a slot after an edit. */
export interface EditPlan {
  readonly row: InstrumentRow
  readonly slot: number
  readonly amount: Lots
  readonly display: Lots
  /** True if the edit makes more of an iceberg visible. */
  readonly showsMore: boolean
  readonly price: Ticks
  readonly advanced: AdvancedTerms | null
  readonly postOnly: PostOnly
  readonly reduceOnly: boolean
  /** True if a reject-post-only order would take, so that it is cancelled (C24). */
  readonly cancels: boolean
  /** True if the order waits for a price or a fill and is in no book. */
  readonly waits: boolean
  /** Market-maker protection after the edit; null keeps it. */
  readonly mmp: boolean | null
}

/** Changes a waiting order. Events: `order` edited. */
export function commitEditWaiting(turn: Turn, command: EditOrder, plan: EditPlan): void {
  const { exchange } = turn
  const { row, slot, amount } = plan
  const { slots } = exchange
  const order = orderAt(exchange, slot)
  order.reduceOnly = plan.reduceOnly
  order.display = plan.display
  const remaining = remainingOf(slots, slot) + amount - order.amount
  assert(order.stage !== 'resting', 'an untriggered order is in no book')
  assert(remaining > 0, 'an edit of a waiting order leaves a remaining size')
  order.amount = lots(amount)
  const price = entryTypeOf(order.type) === 'limit' ? plan.price : 0
  setSlot(slots, slot, { price, remaining })
  changeTrigger(row, command, order)
  emitOrder(turn, row, slot, {
    change: 'edited',
    state: 'untriggered',
    rested: false,
    reason: null,
  })
}

function changeTrigger(
  row: InstrumentRow,
  { triggerPrice, triggerOffset }: EditOrder,
  { type, stage, trigger }: LiveOrder,
): void {
  const follows = isTrailing(type)
  const changed = follows ? triggerOffset : triggerPrice
  if (trigger === null || changed === null) return
  assert(stage !== 'fired', 'a fired trigger places its order before the next command')
  const { source, waiting } = trigger
  const book = stage === 'untriggered' ? row.triggers[source] : null
  if (book !== null) removeTrigger(book, waiting)
  const price9 = price9Of(row, changed)
  if (follows) setTriggerOffset(waiting, price9)
  else setTriggerPrice(waiting, price9)
  if (book !== null) addTrigger(book, waiting)
}
