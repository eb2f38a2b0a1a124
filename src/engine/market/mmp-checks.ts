/**
 * Checks of market-maker protection before an order is admitted, and the membership of an admitted order.
 *
 * Rule: mmp.refusals. The checks in their order: the account has no permission (13040); the instrument is not
 * protected: spot, and options and their combos under standard margin (10031); the index has no configuration
 * (`mmp_not_configured`); the group is frozen; the size exceeds the maximum quote quantity (C43).
 *
 * Rule: mmp.max-quote. The open size of a group on one instrument and side, including queued size, is at most the
 * maximum quote quantity of its configuration, in base coin (7.3).
 *
 * Source: trading.md 7.2, 7.3, C43; sessions-blocks-gateways.md 8.9; coverage R11.
 */
import { NO_SLOT, ownerOf, priceOf, remainingOf } from '../../book/index.ts'
import type { Ticks } from '../../core/index.ts'
import {
  lastingOf,
  type MmpMembership,
  type OrderExtras,
  type PlacementExtras,
  type Refusal,
  type Side,
} from '../../model/index.ts'
import {
  accountRow,
  type Exchange,
  findMmpGroup,
  type InstrumentRow,
  type MmpGroup,
  mmpGroupAt,
  orderAt,
  orderSlotOf,
  quoteSlot,
  type Turn,
  visitAccountOrders,
} from '../state/index.ts'
import { mmpCoinSize9, modelOf } from '../value/index.ts'
import { frozenRefusal, resetGroup } from './mmp-freeze.ts'

/** An order that requests protection, or comes by direct access. */
interface GuardedOrder {
  readonly row: InstrumentRow
  readonly account: number
  readonly session: number
  readonly extras: PlacementExtras
  readonly side: Side
  readonly price: Ticks
  readonly lots: number
}

/** A size that a group would have open. `except` is the slot of the order that it replaces, or `NO_SLOT`. */
interface QuotedSize {
  readonly row: InstrumentRow
  readonly side: Side
  /** In ticks. */
  readonly price: number
  /** Open size of it, in lots. */
  readonly lots: number
  readonly except: number
}

/** The reason why the protection of its group refuses an order (C43), or null. */
export function mmpRefusal(exchange: Exchange, order: GuardedOrder): Refusal | null {
  if (!order.extras.mmp) return null
  return joiningRefusal(exchange, order.account, order.session, order.extras.resetMmp, {
    row: order.row,
    side: order.side,
    price: order.price,
    lots: order.lots,
    except: NO_SLOT,
  })
}

/** The reason why an account may not protect orders of an instrument, or null. */
function permissionRefusal(exchange: Exchange, account: number, row: InstrumentRow): Refusal | null {
  const owner = accountRow(exchange, account)
  if (!owner.standing.permissions.mmp) return { reason: 'mmp_required' }
  const { kind } = row.instrument
  const isOption = kind === 'option' || kind === 'option_combo'
  const isBarred = kind === 'spot' || (isOption && !modelOf(owner).netsPositions)
  return isBarred ? { reason: 'invalid_args_for_instrument' } : null
}

/** The reason why a size does not fit the maximum quote quantity of a configured group, or null. */
export function maxQuoteRefusal(exchange: Exchange, group: MmpGroup, size: QuotedSize): Refusal | null {
  const most = group.config?.maxQuote9 ?? 0
  const asked = mmpCoinSize9(size.row, { lots: size.lots, price9: price9Of(size) })
  const isWithin = asked <= most && asked + openSize9(exchange, group, size) <= most
  return isWithin ? null : { reason: 'other_reject max_quote_quantity' }
}

/** The reason why the protection that an order would have after an edit refuses the edit, or null. */
export function mmpEditRefusal(
  exchange: Exchange,
  slot: number,
  /** Null does not change the protection. */
  mmp: boolean | null,
  session: number,
  size: QuotedSize,
): Refusal | null {
  const { extras } = orderAt(exchange, slot)
  const before = extras?.mmp ?? null
  if (!(mmp ?? before !== null)) return null
  if (before === null) {
    const account = ownerOf(exchange.slots, slot)
    return joiningRefusal(exchange, account, session, false, size)
  }
  const group = mmpGroupAt(exchange, before.group)
  const frozen = frozenRefusal(exchange, group, session, false)
  // An order that does not grow always fits, even if the marks of a spread raised its size in coins.
  return frozen ?? (isLarger(exchange, slot, size) ? maxQuoteRefusal(exchange, group, size) : null)
}

/** Extras of an admitted order, from those of its request. */
export function extrasOf(
  exchange: Exchange,
  row: InstrumentRow,
  account: number,
  extras: PlacementExtras,
): OrderExtras | null {
  const mmp = extras.mmp ? membershipOf(exchange, account, row) : null
  if (mmp === null && extras.direct === null && extras.lasting === null) return null
  return { mmp, quote: null, direct: extras.direct, ...extras.lasting }
}

/** The order whose extras the new order takes over. */
interface OldOrder {
  readonly extras: OrderExtras | null
}

/** Extras of the order that another order became, or of an order placed for a secondary: only the lasting ones. */
export function successorExtras({ extras }: OldOrder): OrderExtras | null {
  const lasting = lastingOf(extras)
  return lasting === null ? null : { mmp: null, quote: null, direct: null, ...lasting }
}

/** Extras of an order after its protection is switched on or off. */
export function switchedExtras(
  exchange: Exchange,
  slot: number,
  row: InstrumentRow,
  account: number,
  isProtected: boolean,
): OrderExtras | null {
  const { extras } = orderAt(exchange, slot)
  const before = extras?.mmp ?? null
  const mmp = isProtected ? (before ?? membershipOf(exchange, account, row)) : null
  const quote = extras?.quote ?? null
  const direct = extras?.direct ?? null
  const lasting = lastingOf(extras)
  if (mmp === null && quote === null && direct === null && lasting === null) return null
  return { mmp, quote, direct, ...lasting }
}

/** Ends the freeze of the group of a direct-access placement that requests it (8.9). */
export function liftFreeze(
  turn: Turn,
  row: InstrumentRow,
  account: number,
  extras: PlacementExtras,
  session: number,
): void {
  if (!extras.resetMmp || !extras.mmp) return
  const group = ordersGroup(turn.exchange, account, row)
  if (group !== undefined) resetGroup(turn, group, session)
}

/** The reason why an order may not join the group of orders of its index, or null. */
function joiningRefusal(
  exchange: Exchange,
  account: number,
  session: number,
  resets: boolean,
  size: QuotedSize,
): Refusal | null {
  const barred = permissionRefusal(exchange, account, size.row)
  if (barred !== null) return barred
  const group = ordersGroup(exchange, account, size.row)
  if (group === undefined || group.config === null) {
    return { reason: 'other_reject mmp_not_configured' }
  }
  return frozenRefusal(exchange, group, session, resets) ?? maxQuoteRefusal(exchange, group, size)
}

/** The group of orders of the index that an instrument follows. */
function ordersGroup(exchange: Exchange, account: number, row: InstrumentRow): MmpGroup | undefined {
  return findMmpGroup(exchange, account, { index: row.index.name, name: null, blockRfq: false })
}

function membershipOf(exchange: Exchange, account: number, row: InstrumentRow): MmpMembership | null {
  return ordersGroup(exchange, account, row)?.membership ?? null
}

/**
 * Open size of a group on an instrument and side in addition to one order, in base coin. A group of quotes has at most
 * one open quote there, and its earlier quotes may still wait behind the speed bump, so no other orders need a check.
 */
function openSize9(exchange: Exchange, group: MmpGroup, size: QuotedSize): number {
  const { id } = size.row.instrument
  // A group of quotes has one quote for an instrument and side, which is replaced. Only waiting quotes could be open in
  // addition.
  if (group.membership.name !== null && exchange.bumps.size === 0) return 0
  let open = 0
  const add = (slot: number): void => {
    const { extras, instrument, side: own } = orderAt(exchange, slot)
    if (slot === size.except || extras === null || extras.mmp?.group !== group.membership.group) return
    if (instrument === id && own === size.side) open += openCoins9(exchange, size.row, slot)
  }
  if (group.membership.name === null) {
    visitAccountOrders(exchange, group.account, add)
    return open
  }
  const quote = quoteSlot(exchange, group, { instrument: id, side: size.side })
  if (quote !== NO_SLOT) add(quote)
  for (const order of exchange.bumps.keys()) {
    const slot = orderSlotOf(exchange, order)
    if (slot !== quote) add(slot)
  }
  return open
}

/** Open size of an order, in base coin. */
export function openCoins9(exchange: Exchange, row: InstrumentRow, slot: number): number {
  const lots = remainingOf(exchange.slots, slot)
  return mmpCoinSize9(row, { lots, price9: price9Of({ row, price: priceOf(exchange.slots, slot) }) })
}

function isLarger(exchange: Exchange, slot: number, size: QuotedSize): boolean {
  return mmpCoinSize9(size.row, { lots: size.lots, price9: price9Of(size) }) > openCoins9(exchange, size.row, slot)
}

function price9Of(size: Pick<QuotedSize, 'row' | 'price'>): number {
  return size.price * size.row.instrument.tick9
}
