/**
 * By how much an order would raise an initial margin: of options, of combos, and of accounts with portfolio or
 * cross margin. Orders of futures under segregated standard margin have a shorter way (`handlers/funds.ts`).
 *
 * What an order opens counts at its worst: all of it filled, or nothing. A check makes no holding.
 * Rule: margin.before-order. Source: market.md 6, 6.1, 6.2, 6.5.
 */
import { assert, currencyId, divHalfAwayBig, wideToBigint } from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import {
  addNano,
  type ForeseenSize,
  firstOptionMargin,
  initialMargin,
  initialMarginIncrease,
  MATRICES,
  type MatrixRisk,
  type Nano,
  optionMarginIncrease,
  readExposure,
  standardMargin18,
  takesNano,
  worstSize,
} from '../../margin/index.ts'
import { currencyOf, type Side } from '../../model/index.ts'
import {
  type AccountRow,
  accountRow,
  type Exchange,
  emptyPair,
  findHolding,
  findPair,
  type InstrumentRow,
  walletOf,
} from '../state/index.ts'
import {
  crossMargins,
  crossOf,
  crossParts,
  foreseenRisk,
  freshenPair,
  heldContract,
  legSizes,
  marginInput,
  marginsOf,
  NO_HOLDING,
  optionInput,
  pairMargin,
  pairRisks,
  setFree,
  usdIndex9,
} from '../value/index.ts'
import { type Entry, visitTakes } from './dry-run.ts'
import { setPremium } from './resting.ts'

/** What orders open on an instrument: lots on each side, and what its buys cost, in nano. */
interface Opened {
  readonly row: InstrumentRow
  buys: number
  sells: number
  /** Of options under standard margin: cost and size of buys. */
  cost: bigint
  costLots: number
}

/** Whether an account can bear what some orders open, all together. */
export function isAffordable(
  exchange: Exchange,
  account: number,
  entries: readonly Entry[],
): boolean {
  const owner = accountRow(exchange, account)
  const opened = openedBy(exchange, owner, entries)
  const [first] = entries
  if (first === undefined || opened.length === 0) return true
  if (owner.risk.isPortfolio) return isPortfolioAffordable(exchange, owner, opened)
  if (opened.every((each) => isBuyingBack(exchange, owner, each))) return true
  if (owner.risk.isCross) return isCrossAffordable(exchange, owner, opened)
  let increase: Nano = 0
  for (const each of opened) increase = addNano(increase, standardIncrease(exchange, owner, each))
  if (increase <= 0) return true
  setFree(exchange, FREE, walletOf(owner.account.id, first.row.settlement))
  return takesNano(exchange.scratch, FREE, increase)
}

/**
 * Whether orders only buy back options that an account is short of, together with what it has open: that takes
 * risk off, whatever the premium is that open buys reserve.
 */
function isBuyingBack(
  exchange: Exchange,
  owner: AccountRow,
  { row, buys, sells }: Opened,
): boolean {
  const held = findHolding(exchange, owner.account.id, row)
  if (row.instrument.kind !== 'option' || sells > 0 || held === undefined) return false
  const open = readExposure(exchange.margin, held.holding)
  return sizeOf(exchange.ledger, held.holding) + open.buys + buys <= 0
}

/**
 * By how much the initial margin of an account with portfolio margin would fall without an open order: the entry
 * of nothing that replaces it. In nano, of a cross account in 1e-9 USD; negative where it would rise.
 */
export function marginReliefOf(exchange: Exchange, owner: AccountRow, entry: Entry): bigint {
  assert(owner.risk.isPortfolio, 'an order is worth relief where margin is that of a portfolio')
  return -portfolioIncrease(exchange, owner, openedBy(exchange, owner, [entry]))
}

/** What orders open on each instrument, legs of combos for the combo itself. */
function openedBy(
  exchange: Exchange,
  owner: AccountRow,
  entries: readonly Entry[],
): readonly Opened[] {
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
    for (const leg of legSizes(row, { side, lots: more }))
      add(openedOf(leg.row), leg.side, leg.lots)
    const { kind } = row.instrument
    if ((kind !== 'option' && kind !== 'option_combo') || owner.risk.isPortfolio) continue
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

/** Scratch registers of this file. */
const COST = 0
const FREE = 4

/** What an order pays at most; one without a price of its own, which never rests, what it takes from the book. */
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

/** By how much the standard margin of one instrument would rise, in nano. */
function standardIncrease(exchange: Exchange, owner: AccountRow, opened: Opened): Nano {
  const { row, buys, sells, cost } = opened
  const held = findHolding(exchange, owner.account.id, row)
  const { kind } = row.instrument
  if (kind === 'future') {
    return held === undefined
      ? initialMargin(row.markScale, Math.max(buys, sells))
      : initialMarginIncrease(exchange.margin, held, marginInput(exchange, held), { buys, sells })
  }
  // Of a combo only its cost counts here, its legs stand beside it.
  const more = { sells: kind === 'option' ? sells : 0, buys: opened.costLots, cost }
  const marked = row.risk?.marked ?? null
  if (held === undefined) return firstOptionMargin(marked, more)
  const input = kind === 'option' ? optionInput(exchange, held) : { marked: null, position: 0 }
  return optionMarginIncrease(exchange.margin, held, input, more)
}

/** Cross standard margin: the exact margins of the currency change, and with them the total in USD. */
function isCrossAffordable(
  exchange: Exchange,
  owner: AccountRow,
  opened: readonly Opened[],
): boolean {
  const totals = crossMargins(exchange, owner)
  const needs = new Map<number, bigint>()
  for (const each of opened) {
    const { settlement } = each.row
    const rise = exactIncrease(exchange, owner, each)
    needs.set(settlement, (needs.get(settlement) ?? 0n) + rise)
  }
  let increase = 0n
  for (const [currency, rise18] of needs) {
    const index9 = usdIndexOf(exchange, currency)
    increase += divHalfAwayBig(rise18 * BigInt(index9), 1_000_000_000_000_000_000n)
  }
  if (increase <= 0n) return true
  return totals.marginBalance - totals.initial - totals.spotReserve >= increase
}

function usdIndexOf(exchange: Exchange, currency: number): number {
  return usdIndex9(exchange, currencyOf(currencyId(currency)))
}

/** By how much the exact margin of one instrument would rise, in 1e-18. */
function exactIncrease(exchange: Exchange, owner: AccountRow, opened: Opened): bigint {
  const { row, buys, sells } = opened
  if (row.instrument.kind !== 'future') {
    return BigInt(standardIncrease(exchange, owner, opened)) * 1_000_000_000n
  }
  const held = findHolding(exchange, owner.account.id, row)
  const open = held === undefined ? null : readExposure(exchange.margin, held.holding)
  const position = held === undefined ? 0 : sizeOf(exchange.ledger, held.holding)
  const worst = (more: { readonly buys: number; readonly sells: number }): number =>
    worstSize({
      position,
      buys: (open?.buys ?? 0) + more.buys,
      sells: (open?.sells ?? 0) + more.sells,
    })
  const { instrument, mark: mark9 } = row
  const need = (lots: number): bigint =>
    standardMargin18(instrument, { lots, mark9, rate: 'initialPpm' })
  return need(worst({ buys, sells })) - need(worst({ buys: 0, sells: 0 }))
}

/** Portfolio margin: two matrices of each pair change. */
function isPortfolioAffordable(
  exchange: Exchange,
  owner: AccountRow,
  opened: readonly Opened[],
): boolean {
  const increase = portfolioIncrease(exchange, owner, opened)
  if (increase <= 0n) return true
  const [first] = opened
  if (first === undefined) return true
  if (owner.risk.isCross) {
    const totals = crossMargins(exchange, owner)
    return totals.marginBalance - totals.initial - totals.spotReserve >= increase
  }
  const currency = currencyOf(first.row.settlement)
  return marginsOf(exchange, owner.account.id, currency).available >= increase
}

/** By how much the margins of all pairs would rise, in nano of their currency, or of USD in cross margin. */
function portfolioIncrease(
  exchange: Exchange,
  owner: AccountRow,
  opened: readonly Opened[],
): bigint {
  const byPair = new Map<string, Opened[]>()
  for (const each of opened) {
    const key = `${each.row.settlement}/${each.row.index.name}`
    byPair.set(key, [...(byPair.get(key) ?? []), each])
  }
  let increase = 0n
  for (const group of byPair.values()) increase += pairIncrease(exchange, owner, group)
  return increase
}

/** By how much the margin of one pair would rise, in nano of its currency, or of USD in cross margin. */
function pairIncrease(exchange: Exchange, owner: AccountRow, opened: readonly Opened[]): bigint {
  const [first] = opened
  if (first === undefined) return 0n
  const known = findPair(owner, first.row)
  const parts = owner.risk.isCross ? crossParts(exchange, owner) : []
  const pair = known ?? emptyPair(exchange, owner.account.id, first.row)
  freshenPair(exchange, pair)
  const cross = owner.risk.isCross ? crossOf(exchange, pair, parts) : null
  const before = pairRisks(exchange, pair, cross)
  const [own] = before
  const after: MatrixRisk[] = own === undefined ? [] : [own]
  for (let matrix = 1; matrix < MATRICES; matrix += 1) {
    const kept = before[matrix]
    const isSame = opened.every(({ buys, sells }) => (matrix === 1 ? buys : sells) === 0)
    if (isSame && kept !== undefined) {
      after.push(kept)
      continue
    }
    const sizes = opened.map((each) => foreseenSize(exchange, owner, each, matrix))
    after.push(foreseenRisk(exchange, pair, { matrix, sizes, cross }))
  }
  return pairMargin(after).initial - pairMargin(before).initial
}

/** The size of an instrument in the matrix of all buys (1) or of all sells (2), with what an order opens. */
function foreseenSize(
  exchange: Exchange,
  owner: AccountRow,
  { row, buys, sells }: Opened,
  matrix: number,
): ForeseenSize {
  const held = findHolding(exchange, owner.account.id, row)
  const contract = heldContract(exchange, row, held?.holding ?? NO_HOLDING - row.instrument.id)
  const open = held === undefined ? null : readExposure(exchange.margin, held.holding)
  const position = held === undefined ? 0 : sizeOf(exchange.ledger, held.holding)
  const lots =
    matrix === 1 ? position + (open?.buys ?? 0) + buys : position - (open?.sells ?? 0) - sells
  return { held: contract, lots }
}
