/**
 * Computes by how much an order would raise an initial margin: for options, for combos, and for accounts with portfolio
 * or cross margin. Orders of futures under segregated standard margin have a shorter way (`funds.ts`).
 *
 * The size that an order opens counts in the worse of two cases: all of it is filled, or nothing. A check creates no
 * holding.
 * Rule: margin.before-order. Source: market.md 6, 6.1, 6.2, 6.5.
 */
import { assert, wideToBigint } from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import { readExposure } from '../../margin/index.ts'
import type { Side } from '../../model/index.ts'
import { type AccountRow, accountRow, type Exchange, findHolding, type InstrumentRow } from '../state/index.ts'
import { legSizes, modelOf, type Opened } from '../value/index.ts'
import { type Entry, visitTakes } from './dry-run.ts'
import { setPremium } from './resting.ts'

/** True if an account can afford all orders together. */
export function isAffordable(exchange: Exchange, account: number, entries: readonly Entry[]): boolean {
  const owner = accountRow(exchange, account)
  const opened = openedBy(exchange, owner, entries)
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
function isNothing({ buys, sells, cost }: Opened): boolean {
  return buys === 0 && sells === 0 && cost === 0n
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
  return -BigInt(model.riseOfOrders(exchange, owner, openedBy(exchange, owner, [entry])))
}

/** Sizes that orders open on each instrument, with the legs of combos instead of the combos. */
function openedBy(exchange: Exchange, owner: AccountRow, entries: readonly Entry[]): readonly Opened[] {
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
    const { row, side, lots, reduceOnly, replaces } = entry
    const more = (reduceOnly ? 0 : lots) - (replaces?.lots ?? 0)
    if (row.legs.length === 0) add(openedOf(row), side, more)
    for (const leg of legSizes(row, { side, lots: more })) add(openedOf(leg.row), leg.side, leg.lots)
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

/** Scratch register of this file. */
const COST = 0

/**
 * The most that an order pays. For an order without a limit price, which never rests, it is the cost of the size that
 * it takes from the book.
 */
function costOf(exchange: Exchange, entry: Entry): bigint {
  const { row, side, lots, price } = entry
  if (entry.bounded || side === 'sell') return premiumOf(exchange, row, { side, lots, price })
  let left = lots
  let cost = 0n
  visitTakes(exchange, entry, (offer) => {
    if (offer.own) return true
    const taken = Math.min(left, offer.lots)
    cost += premiumOf(exchange, row, { side, lots: taken, price: offer.price })
    left -= taken
    return left > 0
  })
  return cost
}

function premiumOf(
  exchange: Exchange,
  row: InstrumentRow,
  order: { readonly side: Side; readonly lots: number; readonly price: number },
): bigint {
  setPremium(exchange, row, { at: COST, side: order.side, lots: order.lots, price: order.price })
  return wideToBigint(exchange.scratch, COST)
}

function replacedCost(exchange: Exchange, { row, side, replaces }: Entry): bigint {
  if (replaces === null) return 0n
  return premiumOf(exchange, row, { side, lots: replaces.lots, price: replaces.price })
}
