/**
 * Recomputes margin from nothing: for every holding from its position, its open orders and the mark; for pairs of
 * portfolio margin from all of their holdings.
 */
import { addNano, assert, type Nano, nanoOf } from '../../../core/index.ts'
import { basisBig, sizeOf } from '../../../ledger/index.ts'
import {
  createRiskGroup,
  type Exposure,
  initialMargin,
  MATRICES,
  maintenanceMargin,
  premiumReserve,
  readCells,
  readExposure,
  readMatrix,
  readPremium,
  sizedMargin,
  updateGroup,
} from '../../../margin/index.ts'
import type { Side } from '../../../model/index.ts'
import { reservesPremium } from '../../market/index.ts'
import {
  type AccountRow,
  accountRow,
  type Exchange,
  type HoldingRow,
  type InstrumentRow,
  type PairRow,
} from '../../state/index.ts'
import { exactMargin, heldContract, legSizes, noExactMargin, updateStalePair } from '../../value/index.ts'

/** Sums over open orders, recomputed from the orders. */
export interface OpenOrders {
  /** By account, instrument and side. */
  readonly lots: Map<string, number>
  /** By holding, for orders that reserve their premium: cost in nano, and lots of option buys. */
  readonly premiums: Map<number, { readonly cost: bigint; readonly lots: number }>
}

/** An order with its margin-relevant terms. */
interface CountedOrder {
  readonly owner: HoldingRow
  readonly side: Side
  readonly lots: number
  readonly price: number
}

/** Adds an order to the open sums. Spot orders are not allowed. */
export function countOrder(exchange: Exchange, open: OpenOrders, order: CountedOrder): void {
  const { owner, side, lots, price } = order
  const { row, account } = owner
  for (const leg of legSizes(row, side, lots)) {
    addLots(open, `${account}/${leg.row.instrument.id}/${leg.side}`, leg.lots)
  }
  if (!reservesPremium(exchange, owner)) return
  const paid = side === 'buy' ? price : -price
  const isBuy = row.instrument.kind === 'option' && side === 'buy'
  const cost = paid <= 0 ? 0n : basisBig(row.terms, lots, paid * row.instrument.tick9)
  const before = open.premiums.get(owner.holding) ?? { cost: 0n, lots: 0 }
  open.premiums.set(owner.holding, {
    cost: before.cost + cost,
    lots: before.lots + (isBuy ? lots : 0),
  })
}

/** Adds lots to the open sums under a key. */
export function addLots({ lots }: OpenOrders, key: string, more: number): void {
  lots.set(key, (lots.get(key) ?? 0) + more)
}

/** Audits that the margin of a holding equals the margin of its position and its open orders at the mark. */
export function auditMargin(exchange: Exchange, owner: HoldingRow, open: OpenOrders): void {
  const exposure = readExposure(exchange.margin, owner.holding)
  const position = sizeOf(exchange.ledger, owner.holding)
  const premium = readPremium(exchange.margin, owner.holding)
  const counted = open.premiums.get(owner.holding) ?? { cost: 0n, lots: 0 }
  assert(premium.cost === counted.cost, 'the cost of open buys is correct')
  assert(premium.lots === counted.lots, 'the count of open buys with a reserve is correct')
  const expected = expectedMargin(owner, { ...exposure, position, premium: counted })
  assert(exposure.initial === expected.initial, 'initial margin equals a full recomputation')
  assert(exposure.maintenance === expected.maintenance, 'maintenance margin equals a full recomputation')
  assert(premium.reserve === expected.reserve, 'the reserve of open buys is correct')
  auditShared(exchange, owner)
}

/**
 * Audits that a holding of an account with one margin for all currencies is in its exact sums, and a holding of a
 * portfolio in a pair.
 */
function auditShared(exchange: Exchange, owner: HoldingRow): void {
  const { exact, pairs } = accountRow(exchange, owner.account).risk
  if (owner.risk === 'portfolio') {
    assert(owner.pair !== null && pairs.includes(owner.pair), 'a holding under portfolio margin has a pair')
    assert(owner.pair.holdings.includes(owner), 'a pair lists its holdings')
  }
  if (owner.risk !== 'cross') return
  const kept = exact.get(owner.holding) ?? noExactMargin
  const { buys, sells } = readExposure(exchange.margin, owner.holding)
  const position = sizeOf(exchange.ledger, owner.holding)
  const anew = exactMargin(exchange, owner, { position, buys, sells })
  assert(kept.initial18 === anew.initial18, 'exact initial margin covers the open size')
  assert(kept.maintenance18 === anew.maintenance18, 'exact maintenance margin needs a position')
}

interface MarginState extends Pick<Exposure, 'buys' | 'sells'> {
  readonly position: number
  readonly premium: { readonly cost: bigint; readonly lots: number }
}

interface ExpectedMargin {
  readonly initial: Nano
  readonly maintenance: Nano
  readonly reserve: Nano
}

function expectedMargin({ risk, row }: HoldingRow, state: MarginState): ExpectedMargin {
  if (risk === 'none' || risk === 'portfolio') return noMargin
  const { kind } = row.instrument
  if (risk === 'combo' || kind === 'option') return optionMargin(row, risk === 'combo', state)
  if (row.mark <= 0) return noMargin
  const sizes = [state.position, state.position + state.buys, state.position - state.sells]
  const worst = Math.max(...sizes.map(Math.abs))
  return {
    initial: initialMargin(row.markScale, worst),
    maintenance: maintenanceMargin(row.markScale, Math.abs(state.position)),
    reserve: 0,
  }
}

const noMargin = { initial: 0, maintenance: 0, reserve: 0 }

function optionMargin(row: InstrumentRow, isCombo: boolean, { position, sells, premium }: MarginState): ExpectedMargin {
  const marked = isCombo ? null : (row.risk?.marked ?? null)
  const reserve = premiumReserve(marked, nanoOf(premium.cost), premium.lots)
  if (marked === null) return { initial: reserve, maintenance: 0, reserve }
  const short = sizedMargin(marked.initial9, Math.max(0, sells - position), marked.amountStep9)
  const maintenance = sizedMargin(marked.maintenance9, Math.max(0, -position), marked.amountStep9)
  return { initial: addNano(short, reserve), maintenance, reserve }
}

/** Audits the other stored margin state of an account: exact sums and matrices. */
export function auditAccountRisk(exchange: Exchange, { risk }: AccountRow): void {
  const totals = new Map<number, { initial18: bigint; maintenance18: bigint }>()
  for (const [holding, kept] of risk.exact) {
    const owner = exchange.holdings[holding]
    assert(owner !== undefined, 'exact margin belongs to a holding')
    const { buys, sells } = readExposure(exchange.margin, holding)
    const position = sizeOf(exchange.ledger, holding)
    const exact = exactMargin(exchange, owner, { position, buys, sells })
    assert(kept.initial18 === exact.initial18, 'exact initial margin covers the open size')
    assert(kept.maintenance18 === exact.maintenance18, 'exact maintenance margin needs a position')
    const { settlement } = owner.row
    const total = totals.get(settlement) ?? { initial18: 0n, maintenance18: 0n }
    total.initial18 += exact.initial18
    total.maintenance18 += exact.maintenance18
    totals.set(settlement, total)
  }
  for (const [currency, kept] of risk.exactTotals) {
    const total = totals.get(currency) ?? noExactMargin
    assert(kept.initial18 === total.initial18, 'exact initial margins add up')
    assert(kept.maintenance18 === total.maintenance18, 'exact maintenance margins add up')
  }
  for (const pair of risk.pairs) auditPair(exchange, pair)
}

/** Audits that the matrices of a pair, after an update, equal the matrices recomputed from all holdings. */
function auditPair(exchange: Exchange, pair: PairRow): void {
  updateStalePair(exchange, pair)
  const { table, isCoin } = pair.group
  const anew = createRiskGroup(table, isCoin)
  for (const owner of pair.holdings) {
    assert(owner.pair === pair, 'a holding belongs to its pair')
    const { buys, sells } = readExposure(exchange.margin, owner.holding)
    const position = sizeOf(exchange.ledger, owner.holding)
    updateGroup(anew, heldContract(exchange, owner.row, owner.holding), { position, buys, sells })
  }
  for (let matrix = 0; matrix < MATRICES; matrix += 1) {
    const kept = readMatrix(pair.group, matrix, (expiration) => expiration)
    const found = readMatrix(anew, matrix, (expiration) => expiration)
    const anewCells = readCells(found.cells)
    assert(
      readCells(kept.cells).every((cell, at) => cell === anewCells[at]),
      'a cached matrix equals a full recomputation',
    )
    const deltas = new Map(found.deltas.map(({ delta9, move9 }) => [move9, delta9]))
    assert(
      kept.deltas.length === deltas.size && kept.deltas.every(({ delta9, move9 }) => deltas.get(move9) === delta9),
      'cached net deltas equal a full recomputation',
    )
  }
}
