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

import { bestPrice } from '../../book/index.ts'
import {
  addWide,
  assert,
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
import { isCountable, sizeOf } from '../../ledger/index.ts'
import { initialMargin, initialMarginIncrease, readExposure } from '../../margin/index.ts'
import { CURRENCY_SLOTS, currencyOf, type Refusal, type Side } from '../../model/index.ts'
import {
  type AccountRow,
  accountRow,
  type Exchange,
  findHolding,
  type InstrumentRow,
  walletRowOf,
} from '../state/index.ts'
import {
  hasProfitRoom,
  isSurelyFree,
  legSizes,
  marginInput,
  modelOf,
  type Opened,
  setFree,
  spendableOf,
  updateSkippedHolding,
} from '../value/index.ts'
import { type Entry, visitTakes } from './dry-run.ts'
import { setPremium, setReserve } from './resting.ts'

/**
 * Scratch registers of this file. `COST` and `NEEDED` share register 0: only orders of options and of their combos use
 * the first, and only spot orders the second.
 */
const COST = 0

const NEEDED = 0

const REPLACED = 2

const AVAILABLE = 4

const BESIDE = 6

/**
 * The reason why an account cannot afford an order, together with another order that enters at the same time, or null.
 */
export function fundsRefusal(exchange: Exchange, entry: Entry, beside: Entry | null): Refusal | null {
  const owner = accountRow(exchange, entry.account)
  if (owner.account.house) return null
  if (isUncountable(entry) || !hasProfitRoom(exchange, entry.row)) return { reason: 'not_enough_funds' }
  if (!hasPlainFunds(entry.row, owner)) return otherRefusal(exchange, entry, beside)
  const opens = { buys: 0, sells: 0 }
  for (const each of [entry, beside]) {
    if (each === null) continue
    if (each.side === 'buy') opens.buys += openedBy(each)
    else opens.sells += openedBy(each)
  }
  return futureRefusal(exchange, entry.row, owner, opens)
}

/** True if an instrument has the margin of a future, and the account's margin is a sum over its holdings. */
function hasPlainFunds(row: InstrumentRow, owner: AccountRow): boolean {
  return row.instrument.kind === 'future' && modelOf(owner).isSummed
}

/**
 * True if an order costs more than the arithmetic can represent, at its limit or at the best price that it meets. No
 * account has this amount.
 */
function isUncountable({ row, side, price, bounded, lots }: Entry): boolean {
  const met = bestPrice(row.book, side === 'buy' ? 'sell' : 'buy') ?? 0
  return (bounded && isUncountableAt(row, lots, price)) || isUncountableAt(row, lots, met)
}

function isUncountableAt({ terms, instrument }: InstrumentRow, lots: number, price: number): boolean {
  return price !== 0 && !isCountable(terms, lots, Math.abs(price) * instrument.tick9)
}

/** The reason why an account cannot afford an order outside `hasPlainFunds`, or null. */
function otherRefusal(exchange: Exchange, entry: Entry, beside: Entry | null): Refusal | null {
  if (entry.row.base >= 0) {
    return spotRefusal(exchange, entry, beside) ?? (beside === null ? null : spotRefusal(exchange, beside, entry))
  }
  const entries = beside === null ? [entry] : [entry, beside]
  return isAffordable(exchange, entry.account, entries) ? null : { reason: 'not_enough_funds' }
}

/** Sizes in lots that the order opens on each side. */
interface OpenSizes {
  readonly buys: number
  readonly sells: number
}

/** The reason why an account cannot afford more lots of a future under segregated standard margin, or null. */
function futureRefusal(exchange: Exchange, row: InstrumentRow, account: AccountRow, opens: OpenSizes): Refusal | null {
  // A check creates no holding: a refused order leaves no trace.
  const owner = findHolding(exchange, account.account.id, row)
  if (owner !== undefined) updateSkippedHolding(exchange, owner)
  const increase =
    owner === undefined
      ? initialMargin(row.markScale, Math.max(opens.buys, opens.sells))
      : initialMarginIncrease(exchange.margin, owner, marginInput(exchange, owner), opens.buys, opens.sells)
  if (increase <= 0) return null
  const need = { currency: row.settlement, rise: increase }
  if (!exchange.orders.forcesRare && isSurelyFree(exchange, account, need.currency, need.rise)) return null
  setAvailable(exchange, walletRowOf(account.account.id, row.settlement))
  const isBorne = takesNano(exchange.scratch, AVAILABLE, increase)
  return isBorne ? null : { reason: 'not_enough_funds' }
}

/** Change of the open size by an order; a reduce-only order adds nothing. */
function openedBy(entry: Entry): number {
  return (entry.reduceOnly ? 0 : entry.lots) - (entry.replaces?.lots ?? 0)
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
  if (entry.bounded || entry.side === 'sell')
    setReserve(exchange, entry.row, { at, side: entry.side, lots: entry.lots, price: entry.price })
  else setCostOfTaking(exchange, entry, at)
}

/**
 * Sets a register to the cost of taking from the book: a market buy without a band has no price and never rests. It
 * does not take orders of the same account, unless self-matches are allowed.
 */
function setCostOfTaking(exchange: Exchange, entry: Entry, at: number): void {
  const { scratch } = exchange
  let left = entry.lots
  setWide(scratch, at, 0)
  visitTakes(exchange, entry, (offer) => {
    if (offer.own) return true
    const lots = Math.min(left, offer.lots)
    setReserve(exchange, entry.row, { at: REPLACED, side: entry.side, lots, price: offer.price })
    addWide(scratch, at, scratch, REPLACED)
    left -= lots
    return left > 0
  })
}

/** True if an account has a given amount of a currency free to give, in nano. */
export function coversSpot(exchange: Exchange, account: number, currency: number, nano: bigint): boolean {
  setAvailable(exchange, walletRowOf(account, currency))
  // A request may name more than a register holds.
  return wideToBigint(exchange.scratch, AVAILABLE) >= nano
}

/**
 * Sets a scratch register to the free amount of a wallet (balance and session profit less initial margin and spot
 * reserve, in nano) and returns the register.
 */
function setAvailable(exchange: Exchange, wallet: number): number {
  const account = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
  if (!modelOf(account).isSummed) {
    const currency = currencyOf(currencyId(modFloor(wallet, CURRENCY_SLOTS)))
    setWideBigint(exchange.scratch, AVAILABLE, spendableOf(exchange, account.account.id, currency))
    return AVAILABLE
  }
  setFree(exchange, AVAILABLE, wallet)
  return AVAILABLE
}

/**
 * Computes by how much an order would raise an initial margin: for options, for combos, and for accounts with portfolio
 * or cross margin. Orders of futures under segregated standard margin have a shorter way (`futureRefusal`).
 *
 * The size that an order opens counts in the worse of two cases: all of it is filled, or nothing. A check creates no
 * holding.
 * Rule: margin.before-order. Source: market.md 6, 6.1, 6.2, 6.5.
 */

/** True if an account can afford all orders together. */
function isAffordable(exchange: Exchange, account: number, entries: readonly Entry[]): boolean {
  const owner = accountRow(exchange, account)
  const opened = openedEntries(exchange, owner, entries)
  const [first] = entries
  if (first === undefined || opened.every(isNothing)) return true
  const model = modelOf(owner)
  const isRelief = opened.every((each) => isBuyingBack(exchange, owner, each))
  if (!model.netsPositions && isRelief) return true
  const rise = model.riseOfOrders(exchange, owner, opened)
  if (rise <= 0) return true
  return model.hasFree(exchange, owner, { currency: first.row.settlement, rise })
}

/**
 * True for an order that raises no margin: a reduce-only order, or an order that only changes its price while prices do
 * not affect margin. `costLots` needs no check: an order that buys no more lots adds nothing to it.
 */
function isNothing(opened: Opened): boolean {
  return opened.buys === 0 && opened.sells === 0 && opened.cost === 0n
}

/**
 * True if orders only buy back options that an account is short of, including its open orders. This reduces risk,
 * whatever premium the open buys reserve.
 */
function isBuyingBack(exchange: Exchange, owner: AccountRow, { row, buys, sells }: Opened): boolean {
  const held = findHolding(exchange, owner.account.id, row)
  if (row.instrument.kind !== 'option' || sells > 0 || held === undefined) return false
  const open = readExposure(exchange.margin, held.holding)
  return sizeOf(exchange.ledger, held.holding) + open.buys + buys <= 0
}

/**
 * Decrease of the initial margin of an account with portfolio margin if an open order ended; `entry` replaces that
 * order with nothing. In nano, for a cross account in 1e-9 USD; negative if the margin would rise.
 */
export function marginReliefOf(exchange: Exchange, owner: AccountRow, entry: Entry): bigint {
  const model = modelOf(owner)
  assert(model.netsPositions, 'an order reduces margin only under portfolio margin')
  return -BigInt(model.riseOfOrders(exchange, owner, openedEntries(exchange, owner, [entry])))
}

/** Sizes that orders open on each instrument, with the legs of combos instead of the combos. */
function openedEntries(exchange: Exchange, owner: AccountRow, entries: readonly Entry[]): readonly Opened[] {
  const { netsPositions } = modelOf(owner)
  const all = new Map<InstrumentRow, Opened>()
  const openedOf = (row: InstrumentRow): Opened => {
    const known = all.get(row)
    if (known !== undefined) return known
    const made: Opened = { row, buys: 0, sells: 0, cost: 0n, costLots: 0 }
    all.set(row, made)
    return made
  }
  for (const entry of entries) {
    const { row, side, reduceOnly } = entry
    const more = openedBy(entry)
    if (row.legs.length === 0) add(openedOf(row), side, more)
    for (const leg of legSizes(row, side, more)) add(openedOf(leg.row), leg.side, leg.lots)
    const { kind } = row.instrument
    if ((kind !== 'option' && kind !== 'option_combo') || netsPositions) continue
    const opened = openedOf(row)
    opened.cost += (reduceOnly ? 0n : costOf(exchange, entry)) - replacedCost(exchange, entry)
    if (kind === 'option' && side === 'buy') opened.costLots += more
  }
  return [...all.values()]
}

function add(opened: Opened, side: Side, lots: number): void {
  if (side === 'buy') opened.buys += lots
  else opened.sells += lots
}

/**
 * The most that an order pays. For an order without a limit price, which never rests, it is the cost of the size that
 * it takes from the book.
 */
function costOf(exchange: Exchange, entry: Entry): bigint {
  const { row, side, lots, price } = entry
  if (entry.bounded || side === 'sell') return premiumOf(exchange, row, side, lots, price)
  let left = lots
  let cost = 0n
  visitTakes(exchange, entry, (offer) => {
    if (offer.own) return true
    const taken = Math.min(left, offer.lots)
    cost += premiumOf(exchange, row, side, taken, offer.price)
    left -= taken
    return left > 0
  })
  return cost
}

function premiumOf(exchange: Exchange, row: InstrumentRow, side: Side, lots: number, price: number): bigint {
  setPremium(exchange, row, { at: COST, side, lots, price })
  return wideToBigint(exchange.scratch, COST)
}

function replacedCost(exchange: Exchange, { row, side, replaces }: Entry): bigint {
  if (replaces === null) return 0n
  return premiumOf(exchange, row, side, replaces.lots, replaces.price)
}
