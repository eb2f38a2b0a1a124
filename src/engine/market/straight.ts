/**
 * The straight path: placements, edits and cancels without rare terms, which are almost all requests of a run.
 *
 * It refuses nothing. Each function decides only whether a request is surely admitted, by the same checks as the
 * validation steps (`steps.ts`, `request-steps.ts`), and changes nothing. If the answer is null, the general code
 * applies the request. `test/property/plain-orders.test.ts` compares the two paths.
 * Source: trading.md C07.
 */
import { NO_SLOT, ownerOf, priceOf, remainingOf, wouldTake } from '../../book/index.ts'
import { type Lots, lots, PRICE9_MAX, type Ticks, ticks } from '../../core/index.ts'
import {
  type AdvancedTerms,
  type CancelOrder,
  type CommandHeader,
  type EditOrder,
  entryTypeOf,
  isOnGrid,
  isTriggerType,
  type OrderTerms,
  type PlaceOrder,
  type PostOnly,
} from '../../model/index.ts'
import {
  type AccountRow,
  type Exchange,
  type InstrumentRow,
  instrumentOf,
  isMarked,
  isRareAt,
  orderAt,
  orderSlotOf,
  rowOfInstrument,
  stageAt,
  type Turn,
} from '../state/index.ts'
import { announce, createPlainOrder } from './creation.ts'
import { type Entry, mayMeetOwn, newEntry } from './dry-run.ts'
import { enterOrder } from './entering.ts'
import { entryPrice } from './entry-price.ts'
import { fundsRefusal } from './funds.ts'
import { bandRefusal, limitRefusal, reduceOnlyRefusal, sizeRefusal } from './order-checks.ts'
import { riskRefusal } from './risk-limits.ts'

/**
 * Rare terms of a placement, with their values in placements on the straight path. A new term does not compile without
 * a line here, and needs one in `isPlain`.
 */
const plain = {
  extras: null,
  linked: null,
  advanced: null,
  trigger: null,
  validUntil: null,
  display: 0,
} as const satisfies {
  readonly [N in Exclude<keyof PlaceOrder, keyof CommandHeader | CommonTerm>]: PlaceOrder[N] | 0
}

type CommonTerm = 'kind' | 'instrument' | Exclude<keyof OrderTerms, 'advanced' | 'trigger'>

/** True if a placement has no rare terms, and its own numbers are within their bounds. */
function isPlain(command: PlaceOrder, tick9: number): boolean {
  return (
    Number.isSafeInteger(command.account) &&
    Number.isSafeInteger(command.instrument) &&
    command.extras === plain.extras &&
    command.linked === plain.linked &&
    command.advanced === plain.advanced &&
    command.trigger === plain.trigger &&
    command.validUntil === plain.validUntil &&
    Object.is(command.display, plain.display) &&
    Number.isSafeInteger(command.amount) &&
    (command.price === null || isPrice(command.price, tick9))
  )
}

function isPrice(price: Ticks, tick9: number): boolean {
  return Number.isSafeInteger(price) && price > 0 && price * tick9 <= PRICE9_MAX
}

/** True if neither the instrument nor the account has a condition that concerns only some orders. */
function isUsual(exchange: Exchange, row: InstrumentRow, owner: AccountRow): boolean {
  if (exchange.participants.size > 0 || owner.isRestricted) return false
  if (row.state !== 'open' || row.legs.length > 0 || !isMarked(row)) return false
  return row.instrument.speedBump === 0 && row.instrument.routeDelay === null
}

/** True if the account surely has the funds for an entry, and the entry meets no order that it may not take. */
function mayEnter(exchange: Exchange, owner: AccountRow, entry: Entry, postOnly: PostOnly): boolean {
  if (postOnly !== 'off' && wouldTake(entry.row.book, entry.side, entry.price)) return false
  if (mayMeetOwn(exchange, owner, entry)) return false
  return fundsRefusal(exchange, entry, null) === null
}

/** The entry price of a placement that is surely admitted and waits for nothing, otherwise null. Only reads. */
export function surePrice(exchange: Exchange, command: PlaceOrder): Ticks | null {
  const row = exchange.instruments[command.instrument]
  const owner = exchange.accounts[command.account]
  if (row === undefined || owner === undefined || exchange.orders.forcesRare) return null
  const { instrument } = row
  if (!isPlain(command, instrument.tick9) || isTriggerType(command.type)) return null
  if (!isUsual(exchange, row, owner)) return null
  const { account, side, amount, postOnly, reduceOnly } = command
  const entered = entryPrice(exchange, row, command)
  if (!entered.ok || sizeRefusal(row, amount) !== null) return null
  const price = entered.value
  if (bandRefusal(exchange, row, side, price) !== null) return null
  if (reduceOnly && reduceOnlyRefusal(exchange, row, account, side) !== null) return null
  if (limitRefusal(exchange, owner, row, 1) !== null) return null
  if (instrument.engine === 'alt') {
    if (riskRefusal(exchange, { row, account, side, lots: amount, from: NO_SLOT }) !== null) return null
  }
  const bounded = entryTypeOf(command.type) !== 'market' || row.hasBand
  const entry = newEntry({ row, account, side, price, bounded, reduceOnly, lots: amount })
  return mayEnter(exchange, owner, entry, postOnly) ? price : null
}

/** Places an order at the price of `surePrice`. */
export function placeStraight(turn: Turn, command: PlaceOrder, price: Ticks): void {
  const row = rowOfInstrument(turn.exchange, command.instrument)
  const slot = createPlainOrder(turn.exchange, {
    row,
    account: command.account,
    terms: command,
    price,
    session: command.session,
  })
  announce(turn, row, slot)
  enterOrder(turn, row, slot, 'placed')
}

/** The slot of an order without rare terms that rests and that its owner may surely cancel, otherwise null. */
export function sureSlot(exchange: Exchange, { account, order }: CancelOrder | EditOrder): number | null {
  const slot = Number.isSafeInteger(order) ? orderSlotOf(exchange, order) : NO_SLOT
  if (slot === NO_SLOT || isRareAt(exchange.orders, slot) || stageAt(exchange.orders, slot) !== 'resting') return null
  const owner = exchange.accounts[account]
  const mayCancel = owner !== undefined && ownerOf(exchange.slots, slot) === account && !owner.isRestricted
  return mayCancel && instrumentOf(exchange, slot).state === 'open' ? slot : null
}

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

/** Terms of an edit that few edits give. Null keeps those of the order. */
const rareChanges = ['advanced', 'display', 'triggerPrice', 'triggerOffset', 'mmp', 'validUntil'] as const

/** The plan of an edit of size, price or post-only that is surely admitted, otherwise null. Only reads. */
export function surePlan(exchange: Exchange, command: EditOrder): EditPlan | null {
  const slot = sureSlot(exchange, command)
  if (slot === null || rareChanges.some((term) => command[term] !== null)) return null
  const row = instrumentOf(exchange, slot)
  const { account, price: limit } = command
  const owner = exchange.accounts[account]
  const order = orderAt(exchange, slot)
  // The size of a reduce-only order depends on the other orders of its account.
  if (owner === undefined || !isUsual(exchange, row, owner) || order.reduceOnly || command.reduceOnly === true)
    return null
  if (limit !== null && !(isPrice(limit, row.instrument.tick9) && isOnGrid(row.instrument, limit))) return null
  const { side } = order
  const amount = command.amount ?? order.amount
  if (!Number.isSafeInteger(amount) || sizeRefusal(row, amount) !== null) return null
  const remaining = remainingOf(exchange.slots, slot)
  const rest = remaining + amount - order.amount
  if (rest <= 0) return null
  const before = ticks(priceOf(exchange.slots, slot))
  const price = limit ?? before
  if (price !== before && bandRefusal(exchange, row, side, price) !== null) return null
  const isLarger = rest > remaining
  if (isLarger && riskRefusal(exchange, { row, account, side, lots: rest, from: slot }) !== null) return null
  const postOnly = command.postOnly ?? order.postOnly
  const replaces = { lots: remaining, price: before }
  const entry = newEntry({ row, account, side, price, lots: rest, replaces, from: slot })
  if (!mayEnter(exchange, owner, entry, postOnly)) return null
  return {
    row,
    slot,
    amount,
    price,
    postOnly,
    display: lots(0),
    showsMore: false,
    advanced: null,
    reduceOnly: false,
    cancels: false,
    waits: false,
    mmp: null,
  }
}
