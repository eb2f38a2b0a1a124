/**
 * Funds: checks whether an account can afford an order.
 *
 * Rule: margin.before-order. Available funds must cover the increase of the initial margin. An order that does not
 * increase it is always allowed. A spot order must be covered in full by the currency that it gives. Source: market.md
 * 6 and 6.1; trading.md C09 (10009, 10039).
 *
 * Assumed: fees and the difference between fill price and mark are not added to the requirement, since the published
 * rule names initial margin only.
 */
import {
  addWide,
  compareWide,
  currencyId,
  divFloor,
  modFloor,
  setWide,
  setWideBigint,
  subtractWide,
  takesNano,
  wideToBigint,
} from '../../core/index.ts'
import { isCountable } from '../../ledger/index.ts'
import { initialMargin, initialMarginIncrease } from '../../margin/index.ts'
import { CURRENCY_SLOTS, currencyOf, type Refusal } from '../../model/index.ts'
import {
  type AccountRow,
  accountRow,
  type Exchange,
  findHolding,
  type InstrumentRow,
  walletRowOf,
} from '../state/index.ts'
import { freshenHolding, isSurelyFree, marginInput, modelOf, setFree, spendableOf } from '../value/index.ts'
import { type Entry, visitTakes } from './dry-run.ts'
import { isAffordable } from './pre-trade.ts'
import { setReserve } from './resting.ts'

/** Scratch registers of this file. */
const NEEDED = 0
const REPLACED = 2
const AVAILABLE = 4
const BESIDE = 6

/**
 * The reason why an account cannot afford an order, together with another order that enters at the same time, or null.
 */
export function fundsRefusal(exchange: Exchange, entry: Entry, beside: Entry | null): Refusal | null {
  const { row } = entry
  const owner = accountRow(exchange, entry.account)
  if (owner.account.house) return null
  if (isUncountable(entry)) return { reason: 'not_enough_funds' }
  if (!hasPlainFunds(row, owner)) return otherRefusal(exchange, entry, beside)
  const opens = { buys: 0, sells: 0 }
  for (const each of [entry, beside]) {
    if (each === null) continue
    if (each.side === 'buy') opens.buys += openedBy(each)
    else opens.sells += openedBy(each)
  }
  return futureRefusal(exchange, row, owner, opens)
}

/**
 * The reason why an account cannot afford a new order of a future under segregated standard margin (`hasPlainFunds`),
 * or null.
 */
export function plainFundsRefusal(
  exchange: Exchange,
  order: Pick<Entry, 'row' | 'side' | 'price' | 'bounded' | 'lots'> & {
    readonly owner: AccountRow
  },
): Refusal | null {
  const { row, owner, side, lots } = order
  if (owner.account.house) return null
  if (isUncountable(order)) return { reason: 'not_enough_funds' }
  const opens = side === 'buy' ? { buys: lots, sells: 0 } : { buys: 0, sells: lots }
  return futureRefusal(exchange, row, owner, opens)
}

/** True if an instrument has the margin of a future, and the account's margin is a sum over its holdings. */
export function hasPlainFunds({ instrument }: InstrumentRow, owner: AccountRow): boolean {
  return instrument.kind === 'future' && modelOf(owner).isSummed
}

/** True if an order costs more than the arithmetic can represent. No account has this amount. */
function isUncountable({ row, price, bounded, lots }: Pick<Entry, 'row' | 'price' | 'bounded' | 'lots'>): boolean {
  const price9 = Math.abs(price) * row.instrument.tick9
  return bounded && price9 !== 0 && !isCountable(row.terms, { lots, price9 })
}

/** The reason why an account cannot afford an order outside `hasPlainFunds`, or null. */
function otherRefusal(exchange: Exchange, entry: Entry, beside: Entry | null): Refusal | null {
  const { row, account } = entry
  if (row.base >= 0) {
    return spotRefusal(exchange, entry, beside) ?? (beside === null ? null : spotRefusal(exchange, beside, entry))
  }
  const entries = beside === null ? [entry] : [entry, beside]
  return isAffordable(exchange, account, entries) ? null : { reason: 'not_enough_funds' }
}

/** The reason why an account cannot afford more lots of a future under segregated standard margin, or null. */
function futureRefusal(
  exchange: Exchange,
  row: InstrumentRow,
  account: AccountRow,
  opens: { readonly buys: number; readonly sells: number },
): Refusal | null {
  const { buys, sells } = opens
  // A check creates no holding: a refused order leaves no trace.
  const owner = findHolding(exchange, account.account.id, row)
  if (owner !== undefined) freshenHolding(exchange, owner)
  const increase =
    owner === undefined
      ? initialMargin(row.markScale, Math.max(buys, sells))
      : initialMarginIncrease(exchange.margin, owner, marginInput(exchange, owner), opens)
  if (increase <= 0) return null
  const need = { currency: row.settlement, rise: increase }
  if (!exchange.orders.forcesRare && isSurelyFree(exchange, account, need)) return null
  setAvailable(exchange, walletRowOf(account.account.id, row.settlement))
  const isBorne = takesNano(exchange.scratch, AVAILABLE, increase)
  return isBorne ? null : { reason: 'not_enough_funds' }
}

/** Change of the open size by an order; a reduce-only order adds nothing. */
function openedBy({ lots, reduceOnly, replaces }: Entry): number {
  return (reduceOnly ? 0 : lots) - (replaces?.lots ?? 0)
}

function spotRefusal(exchange: Exchange, entry: Entry, beside: Entry | null): Refusal | null {
  const { row, account, side, replaces } = entry
  const { scratch } = exchange
  const currency = side === 'buy' ? row.settlement : currencyId(row.base)
  setNeeded(exchange, entry, NEEDED)
  if (replaces !== null) {
    setReserve(exchange, row, { at: REPLACED, side, lots: replaces.lots, price: replaces.price })
    subtractWide(scratch, NEEDED, scratch, REPLACED)
  }
  if (beside !== null && beside.side === side) {
    setNeeded(exchange, beside, BESIDE)
    addWide(scratch, NEEDED, scratch, BESIDE)
  }
  setAvailable(exchange, walletRowOf(account, currency))
  // An order that needs no additional amount is allowed, whatever is available.
  setWide(scratch, REPLACED, 0)
  const isFree = compareWide(scratch, REPLACED, scratch, NEEDED) >= 0
  if (isFree || compareWide(scratch, AVAILABLE, scratch, NEEDED) >= 0) return null
  return { reason: 'not_enough_funds_in_currency', currency: currencyOf(currency) }
}

/** Sets a register to the amount that a spot order gives. */
function setNeeded(exchange: Exchange, entry: Entry, at: number): void {
  const { row, side, lots, price } = entry
  if (entry.bounded || side === 'sell') setReserve(exchange, row, { at, side, lots, price })
  else setCostOfTaking(exchange, entry, at)
}

/**
 * Sets a register to the cost of taking from the book: a market buy without a band has no price and never rests. It
 * does not take orders of the same account, unless self-matches are allowed.
 */
function setCostOfTaking(exchange: Exchange, entry: Entry, at: number): void {
  const { row, side } = entry
  const { scratch } = exchange
  let left = entry.lots
  setWide(scratch, at, 0)
  visitTakes(exchange, entry, (offer) => {
    if (offer.own) return true
    const lots = Math.min(left, offer.lots)
    setReserve(exchange, row, { at: REPLACED, side, lots, price: offer.price })
    addWide(scratch, at, scratch, REPLACED)
    left -= lots
    return left > 0
  })
}

/** True if an account has a given amount of a currency free to give, in nano. */
export function coversSpot(
  exchange: Exchange,
  account: number,
  given: { readonly currency: number; readonly nano: bigint },
): boolean {
  const { scratch } = exchange
  setAvailable(exchange, walletRowOf(account, given.currency))
  // A request may name more than a register holds.
  return wideToBigint(scratch, AVAILABLE) >= given.nano
}

/**
 * Sets a scratch register to the free amount of a wallet (balance and session profit less initial margin and spot
 * reserve, in nano) and returns the register.
 */
export function setAvailable(exchange: Exchange, wallet: number): number {
  const account = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
  if (!modelOf(account).isSummed) {
    const currency = currencyOf(currencyId(modFloor(wallet, CURRENCY_SLOTS)))
    setWideBigint(exchange.scratch, AVAILABLE, spendableOf(exchange, account.account.id, currency))
    return AVAILABLE
  }
  setFree(exchange, AVAILABLE, wallet)
  return AVAILABLE
}
