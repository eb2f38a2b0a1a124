/**
 * Whether a new order of direct access may enter its book: the checks of the binary gateway in its own order,
 * which is not that of JSON-RPC.
 *
 * Permission, lock, cancel-only; instrument; state of the market; fields, quantity, price, iceberg; the name
 * that the client gave; market-maker protection; price band; number of open orders, size, position;
 * liquidation; margin; post-only. Those before the order itself are in `protection/direct-checks.ts`; the
 * speed bump comes last, with the book.
 *
 * Rule: direct.check-order. Source: sessions-blocks-gateways.md 8.5, 8.7; S303.
 */
import { NO_SLOT } from '../../book/index.ts'
import type { Ticks } from '../../core/index.ts'
import { entryTypeOf, type PlaceOrder, type Refusal, validationStep } from '../../model/index.ts'
import {
  accountRefusal,
  bandRefusal,
  bumpRefusal,
  type Entry,
  entryPrice,
  fundsRefusal,
  icebergRefusal,
  limitRefusal,
  lockRefusal,
  mmpRefusal,
  noMark,
  postOnlyPrice,
  riskRefusal,
  selfMatchRefusal,
  sizeRefusal,
  stateRefusal,
  type Valued,
  wouldWait,
} from '../market/index.ts'
import {
  accountRow,
  type Exchange,
  type InstrumentRow,
  isMarked,
  pass,
  refuse,
  rowOfInstrument,
  type Verdict,
} from '../state/index.ts'
import { portfolioFault, routingFault } from './direct-checks.ts'

const step = validationStep

/** Checks a placement over a session of direct access; reads only. */
export function checkDirectPlace(exchange: Exchange, command: PlaceOrder): Verdict<Entry> {
  const { account, session, display } = command
  const barred = portfolioFault(exchange, account, { isAlgo: display > 0 })
  if (barred !== null) return { ok: false, fault: barred }
  const listed = exchange.instruments[command.instrument]
  const astray = routingFault(exchange, session, listed)
  if (astray !== null) return { ok: false, fault: astray }
  const row = rowOfInstrument(exchange, command.instrument)
  const shape = checkShape(exchange, row, command)
  if (!shape.ok) return shape
  const placed = postOnlyPrice(row, { ...command, price: shape.plan })
  return checkStanding(exchange, command, { row, asked: shape.plan, placed })
}

/** What the order is by itself; the plan is its price. */
function checkShape(exchange: Exchange, row: InstrumentRow, command: PlaceOrder): Verdict<Ticks> {
  const { account, amount, display, extras } = command
  const closed = stateRefusal(row)
  if (closed !== null) return refuse(step.bookState, closed)
  const size = sizeRefusal(row, amount)
  if (size !== null) return refuse(step.amount, size)
  const entered = entryPrice(exchange, row, command)
  if (!entered.ok) return refuse(step.price, entered.refusal)
  const iceberg = directIcebergRefusal(row, { lots: amount, display })
  if (iceberg !== null) return refuse(step.triggerPrice, iceberg)
  const called = extras?.direct?.clientOrderId ?? null
  if (called !== null && accountRow(exchange, account).clientOrders.has(called)) {
    return refuse(step.triggerPrice, { reason: 'duplicate_client_order_id' })
  }
  return pass(entered.value)
}

/** What its group, its book and its account allow. A price that post-only moves is the one that counts. */
function checkStanding(
  exchange: Exchange,
  command: PlaceOrder,
  at: {
    readonly row: InstrumentRow
    readonly asked: Ticks
    readonly placed: Valued<Ticks>
  },
): Verdict<Entry> {
  const { account, session, side, amount, extras } = command
  const { row, placed } = at
  const price = placed.ok ? placed.value : at.asked
  const guarded =
    extras === null
      ? null
      : mmpRefusal(exchange, { row, account, session, extras, side, price, lots: amount })
  if (guarded !== null) return refuse(step.postOnly, guarded)
  const outside = !isMarked(row) ? noMark : bandRefusal(exchange, row, { side, price })
  if (outside !== null) return refuse(step.priceBand, outside)
  const limit =
    limitRefusal(exchange, accountRow(exchange, account), { row, orders: 1 }) ??
    riskRefusal(exchange, { row, account, side, lots: amount, from: NO_SLOT })
  if (limit !== null) return refuse(step.openOrderLimits, limit)
  const locked =
    lockRefusal(exchange, account) ?? accountRefusal(exchange, account, { reduceOnly: false, row })
  if (locked !== null) return refuse(step.mmp, locked)
  const entry: Entry = {
    row,
    account,
    side,
    price,
    lots: amount,
    bounded: entryTypeOf(command.type) !== 'market' || row.hasBand,
    reduceOnly: false,
    replaces: null,
    linked: null,
    from: NO_SLOT,
  }
  const funds = fundsRefusal(exchange, entry, null)
  if (funds !== null) return refuse(step.margin, funds)
  if (!placed.ok) return refuse(step.margin, placed.refusal)
  // What waits behind the speed bump cancels what it then meets of its own, whatever it asked for (8.8).
  const isMetLater = wouldWait(exchange, row, entry)
  const overlap = isMetLater ? null : selfMatchRefusal(exchange, entry)
  if (overlap !== null) return refuse(step.selfMatch, overlap)
  const waiting = bumpRefusal(exchange, entry, false)
  return waiting === null ? pass(entry) : refuse(step.speedBump, waiting)
}

/** Only futures and spot show a part of themselves (20); how much of it is as elsewhere (2). */
function directIcebergRefusal(
  row: InstrumentRow,
  order: { readonly lots: number; readonly display: number },
): Refusal | null {
  const { kind } = row.instrument
  const isAllowed = kind === 'future' || kind === 'spot'
  if (order.display > 0 && !isAllowed) return { reason: 'iceberg_not_allowed' }
  return icebergRefusal(row, order)
}
