/**
 * Portfolio margin as `pme/simulate` tells it: matrices and margins of positions that an account has, or that
 * somebody asks for. Nothing of it is kept.
 *
 * Money is nano of the settlement currency of a pair; shocks and risks are counts of 1e-18.
 * Source: market.md 6.5.
 */
import type { AccountId, InstrumentId } from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import {
  countedCells,
  createRiskGroup,
  dampedPrice,
  dampenersOf,
  MATRICES,
  type MatrixRisk,
  offsetProfit,
  type RiskGroup,
  readCells,
  readExposure,
  readMatrix,
  STANDARD_CELLS,
  updateGroup,
} from '../../margin/index.ts'
import { type Currency, currencyOf, neverExpires, type PortfolioTerms } from '../../model/index.ts'
import {
  emptyPair,
  heldContract,
  type PairMargin,
  pairMargin,
  risksOfGroup,
} from '../margins/pairs.ts'
import type { Exchange } from '../state/exchange.ts'
import { findHolding } from '../state/holdings.ts'
import type { IndexRow, InstrumentRow } from '../state/instrument-row.ts'
import { rowOfInstrument } from '../state/orders.ts'

/** Whose positions, and which beside or instead of them. */
export interface SimulatedPortfolio {
  readonly account: AccountId
  /** Only pairs that settle in it; null for all. */
  readonly currency: Currency | null
  /** Whether the positions are added to those of the account, with its open orders. */
  readonly add: boolean
  /** Signed lots. */
  readonly positions: readonly { readonly instrument: InstrumentId; readonly lots: number }[]
}

/** An instrument in the matrices. */
export interface SimulatedPosition {
  readonly instrument: InstrumentId
  readonly lots: number
  /** The cells that it adds: 27 of the standard table, then 8 of the extended one. */
  readonly profits: readonly bigint[]
  /** In 1e-9 coin. */
  readonly delta: bigint
}

/** A pair with its margins. */
export interface SimulatedPair {
  readonly index: string
  readonly currency: Currency
  readonly terms: PortfolioTerms
  readonly positions: readonly SimulatedPosition[]
  /** Sums over positions. */
  readonly cells: readonly bigint[]
  /** The same as they count: profits set off in part, losses beyond the table dampened. */
  readonly counted: readonly bigint[]
  readonly risk: MatrixRisk
  readonly margin: PairMargin
}

/** The pairs of a portfolio, in the order in which their instruments are listed. */
export function simulatePortfolio(
  exchange: Exchange,
  asked: SimulatedPortfolio,
): readonly SimulatedPair[] {
  return simulatePairs(exchange, asked.account, sizesOf(exchange, asked))
}

/** The same without the expiry that is nearest (market.md 5.3). */
export function simulateProjected(
  exchange: Exchange,
  asked: SimulatedPortfolio,
): readonly SimulatedPair[] {
  const sizes = sizesOf(exchange, asked)
  const nearest = Math.min(...[...sizes.keys()].map(({ instrument }) => instrument.expiration))
  const isKept = ({ instrument: { expiration } }: InstrumentRow): boolean =>
    expiration !== nearest || expiration === neverExpires
  const kept = new Map([...sizes].filter(([row]) => isKept(row)))
  return simulatePairs(exchange, asked.account, kept)
}

function simulatePairs(
  exchange: Exchange,
  account: AccountId,
  sizes: ReadonlyMap<InstrumentRow, Sizes>,
): readonly SimulatedPair[] {
  const byPair = new Map<string, InstrumentRow[]>()
  for (const row of exchange.instruments) {
    if (!sizes.has(row)) continue
    const key = `${row.settlement}/${row.index.name}`
    byPair.set(key, [...(byPair.get(key) ?? []), row])
  }
  return [...byPair.values()].map((rows) => {
    return simulatePair(exchange, account, { rows, sizes })
  })
}

interface Sizes {
  readonly position: number
  readonly buys: number
  readonly sells: number
}

function sizesOf(
  exchange: Exchange,
  { account, currency, add, positions }: SimulatedPortfolio,
): ReadonlyMap<InstrumentRow, Sizes> {
  const sizes = new Map<InstrumentRow, Sizes>()
  for (const row of add ? exchange.instruments : []) {
    const owner = findHolding(exchange, account, row)
    if (owner === undefined || !isCounted(row, currency)) continue
    const { buys, sells } = readExposure(exchange.margin, owner.holding)
    const position = sizeOf(exchange.ledger, owner.holding)
    if (position !== 0 || buys !== 0 || sells !== 0) sizes.set(row, { position, buys, sells })
  }
  for (const { instrument, lots } of positions) {
    const row = rowOfInstrument(exchange, instrument)
    if (!isCounted(row, currency)) continue
    const own = sizes.get(row) ?? { position: 0, buys: 0, sells: 0 }
    sizes.set(row, { ...own, position: own.position + lots })
  }
  return sizes
}

/** Futures and options count; spot and combos have no positions. */
function isCounted({ instrument, settlement }: InstrumentRow, currency: Currency | null): boolean {
  const { kind } = instrument
  if (kind !== 'future' && kind !== 'option') return false
  return currency === null || currencyOf(settlement) === currency
}

function simulatePair(
  exchange: Exchange,
  account: AccountId,
  {
    rows,
    sizes,
  }: {
    readonly rows: readonly InstrumentRow[]
    readonly sizes: ReadonlyMap<InstrumentRow, Sizes>
  },
): SimulatedPair {
  const [first] = rows
  if (first === undefined) throw new RangeError('a pair has an instrument')
  const asked = emptyPair(exchange, account, first)
  const { group } = asked
  const positions: SimulatedPosition[] = []
  for (const row of rows) {
    const own = sizes.get(row) ?? { position: 0, buys: 0, sells: 0 }
    const held = heldContract(exchange, row, row.instrument.id)
    updateGroup(group, held, own)
    const alone = createRiskGroup(group.table, group.isCoin)
    updateGroup(alone, held, { ...own, buys: 0, sells: 0 })
    const { cells, deltas } = readMatrix(alone, 0, () => 0)
    const delta = deltas.reduce((sum, { delta9 }) => sum + delta9, 0n)
    positions.push({
      instrument: row.instrument.id,
      lots: own.position,
      profits: readCells(cells),
      delta,
    })
  }
  const risks = risksOfGroup(exchange, asked, null)
  const [risk] = risks
  if (risk === undefined || risks.length !== MATRICES) throw new RangeError('a pair has a risk')
  return {
    index: first.index.name,
    currency: currencyOf(first.settlement),
    terms: group.table.terms,
    positions,
    ...cellsOf(group, first.index),
    risk,
    margin: pairMargin(risks),
  }
}

function cellsOf(
  group: RiskGroup,
  { price }: IndexRow,
): { readonly cells: readonly bigint[]; readonly counted: readonly bigint[] } {
  const { table, isCoin } = group
  const { cells } = readMatrix(group, 0, () => 0)
  const dampeners = dampenersOf(table, dampedPrice(isCoin, price))
  const prices = { isCoin, index9: price, dampeners, cross: null }
  const counted = countedCells({ table, cells, deltas: [], ...prices })
  const coin9 = isCoin ? price : ONE_UNIT9
  return {
    cells: readCells(cells),
    counted: counted.map((cell, at) =>
      at < STANDARD_CELLS ? offsetProfit(table, cell, coin9) : cell,
    ),
  }
}

/** A quote unit in itself, 1e-9. */
const ONE_UNIT9 = 1_000_000_000
