/**
 * The straight path: placements and cancels without rare terms, which are almost all requests of a run.
 *
 * It refuses nothing. Each function decides only whether a request is surely admitted, by the same checks as the
 * validation steps (`steps.ts`, `request-steps.ts`), and changes nothing. If the answer is null, the general code
 * applies the request. `test/property/plain-orders.test.ts` compares the two paths.
 * Source: trading.md C07.
 */
import { NO_SLOT, ownerOf, wouldTake } from '../../book/index.ts'
import { PRICE9_MAX, type Ticks } from '../../core/index.ts'
import {
  type CancelOrder,
  type CommandHeader,
  entryTypeOf,
  isTriggerType,
  type OrderTerms,
  type PlaceOrder,
} from '../../model/index.ts'
import {
  type Exchange,
  instrumentOf,
  isMarked,
  isRareAt,
  orderSlotOf,
  rowOfInstrument,
  stageAt,
  type Turn,
} from '../state/index.ts'
import { announce, createPlainOrder } from './creation.ts'
import { mayMeetOwn, newEntry } from './dry-run.ts'
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
  const { amount, price } = command
  return (
    Number.isSafeInteger(command.account) &&
    Number.isSafeInteger(command.instrument) &&
    command.extras === plain.extras &&
    command.linked === plain.linked &&
    command.advanced === plain.advanced &&
    command.trigger === plain.trigger &&
    command.validUntil === plain.validUntil &&
    Object.is(command.display, plain.display) &&
    Number.isSafeInteger(amount) &&
    (price === null || (Number.isSafeInteger(price) && price > 0 && price * tick9 <= PRICE9_MAX))
  )
}

/** The entry price of a placement that is surely admitted and waits for nothing, otherwise null. Only reads. */
export function surePrice(exchange: Exchange, command: PlaceOrder): Ticks | null {
  const row = exchange.instruments[command.instrument]
  const owner = exchange.accounts[command.account]
  if (row === undefined || owner === undefined || exchange.orders.forcesRare) return null
  const { instrument } = row
  if (!isPlain(command, instrument.tick9) || isTriggerType(command.type)) return null
  if (exchange.participants.size > 0 || owner.isRestricted) return null
  if (row.state !== 'open' || row.legs.length > 0 || !isMarked(row)) return null
  if (instrument.speedBump > 0 || instrument.routeDelay !== null) return null
  const { account, side, amount, postOnly, reduceOnly } = command
  const entered = entryPrice(exchange, row, command)
  if (!entered.ok || sizeRefusal(row, amount) !== null) return null
  const price = entered.value
  if (postOnly !== 'off' && wouldTake(row.book, side, price)) return null
  if (bandRefusal(exchange, row, side, price) !== null) return null
  if (reduceOnly && reduceOnlyRefusal(exchange, row, account, side) !== null) return null
  if (limitRefusal(exchange, owner, row, 1) !== null) return null
  if (instrument.engine === 'alt') {
    if (riskRefusal(exchange, { row, account, side, lots: amount, from: NO_SLOT }) !== null) return null
  }
  if (mayMeetOwn(exchange, owner, { row, side, price })) return null
  const bounded = entryTypeOf(command.type) !== 'market' || row.hasBand
  const entry = newEntry({ row, account, side, price, bounded, reduceOnly, lots: amount })
  return fundsRefusal(exchange, entry, null) === null ? price : null
}

/** Places an order at the price of `surePrice`. */
export function placeStraight(turn: Turn, command: PlaceOrder, price: Ticks): void {
  const { account, session } = command
  const row = rowOfInstrument(turn.exchange, command.instrument)
  const slot = createPlainOrder(turn.exchange, { row, account, terms: command, price, session })
  announce(turn, row, slot)
  enterOrder(turn, row, slot, 'placed')
}

/** The slot of an order without rare terms that rests and that its owner may surely cancel, otherwise null. */
export function sureSlot(exchange: Exchange, command: CancelOrder): number | null {
  const slot = Number.isSafeInteger(command.order) ? orderSlotOf(exchange, command.order) : NO_SLOT
  if (slot === NO_SLOT || isRareAt(exchange.orders, slot) || stageAt(exchange.orders, slot) !== 'resting') return null
  const owner = exchange.accounts[command.account]
  const mayCancel = owner !== undefined && ownerOf(exchange.slots, slot) === command.account && !owner.isRestricted
  return mayCancel && instrumentOf(exchange, slot).state === 'open' ? slot : null
}
