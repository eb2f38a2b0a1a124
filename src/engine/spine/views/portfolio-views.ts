/**
 * Portfolio margin for `pme/simulate`: matrices and margins of the positions of an account, or of positions in the
 * request. Nothing is stored.
 *
 * Money is nano of the settlement currency of a pair; shocks and risks are counts of 1e-18.
 * Source: market.md 6.5.
 */
import { type AccountId, AssertionFailure, assert, type InstrumentId } from '../../../core/index.ts'
import { sizeOf } from '../../../ledger/index.ts'
import {
  type CrossPart,
  countedCells,
  createRiskGroup,
  crossTotals,
  dampedPrice,
  dampenersOf,
  MATRICES,
  type MatrixRisk,
  offsetProfit,
  ofUsd,
  type RiskGroup,
  type RiskInput,
  readCells,
  readExposure,
  readMatrix,
  STANDARD_CELLS,
  updateGroup,
} from '../../../margin/index.ts'
import { type Currency, currencyOf, neverExpires, type PortfolioTerms } from '../../../model/index.ts'
import {
  type AccountRow,
  accountRow,
  type Exchange,
  emptyPair,
  findHolding,
  type InstrumentRow,
  type PairRow,
  rowOfInstrument,
  scenarioTableOf,
} from '../../state/index.ts'
import {
  coinRisks,
  crossOf,
  currencyOfPair,
  heldContract,
  heldForGroupsUsd,
  modelOf,
  type PairMargin,
  pairMargin,
  risksOfGroup,
  unpairedCoins,
  usdIndexName,
} from '../../value/index.ts'

/** The account, and the positions in addition to or in place of its positions. */
export interface SimulatedPortfolio {
  readonly account: AccountId
  /** Only pairs with this settlement currency; null for all. */
  readonly currency: Currency | null
  /** True if the positions are added to those of the account, including its open orders. */
  readonly add: boolean
  /** Signed lots. */
  readonly positions: readonly { readonly instrument: InstrumentId; readonly lots: number }[]
}

/** A position in the matrices. */
export interface SimulatedPosition {
  readonly instrument: InstrumentId
  readonly lots: number
  /** Its contribution to the cells: 27 of the standard table, then 8 of the extended one. */
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
  /** Sums over all positions. */
  readonly cells: readonly bigint[]
  /** The cells as margin uses them: profits offset in part, losses beyond the table dampened. */
  readonly counted: readonly bigint[]
  /**
   * The risk matrix in the settlement currency. For cross margin it is computed in USD, including the account's coins,
   * and converted.
   */
  readonly risk: MatrixRisk
  readonly margin: PairMargin
  /** The margin in 1e-9 USD; null except for cross margin. */
  readonly usd: PairMargin | null
}

/** Margins of an account whose currencies share theirs, in 1e-9 USD. */
interface SimulatedTotals {
  readonly marginBalance: bigint
  readonly initial: bigint
  readonly maintenance: bigint
  readonly spotReserve: bigint
}

/** The pairs of a portfolio, in the order in which their instruments are listed. */
export function simulatePortfolio(exchange: Exchange, asked: SimulatedPortfolio): readonly SimulatedPair[] {
  return simulatePairs(exchange, asked, sizesOf(exchange, asked))
}

/** The pairs of a portfolio without the nearest expiry (market.md 5.3). */
export function simulateProjected(exchange: Exchange, asked: SimulatedPortfolio): readonly SimulatedPair[] {
  const sizes = sizesOf(exchange, asked)
  const nearest = Math.min(...[...sizes.keys()].map(({ instrument }) => instrument.expiration))
  const isKept = ({ instrument: { expiration } }: InstrumentRow): boolean =>
    expiration !== nearest || expiration === neverExpires
  const kept = new Map([...sizes].filter(([row]) => isKept(row)))
  return simulatePairs(exchange, asked, kept)
}

function simulatePairs(
  exchange: Exchange,
  { account, currency }: SimulatedPortfolio,
  sizes: ReadonlyMap<InstrumentRow, Sizes>,
): readonly SimulatedPair[] {
  const byPair = new Map<string, InstrumentRow[]>()
  for (const row of exchange.instruments) {
    if (!sizes.has(row)) continue
    const key = `${row.settlement}/${row.index.name}`
    byPair.set(key, [...(byPair.get(key) ?? []), row])
  }
  const owner = accountRow(exchange, account)
  const parts = sharedPortfolioOf(owner)?.parts(exchange, owner) ?? null
  const asked: PairRow[] = []
  const simulated = [...byPair.values()].map((rows) => {
    const [first] = rows
    if (first === undefined) throw new AssertionFailure('a pair has an instrument')
    const pair = emptyPair(exchange, account, first)
    asked.push(pair)
    const cross = parts === null ? null : crossOf(exchange, pair, parts)
    return simulatePair(exchange, pair, rows, sizes, cross)
  })
  const coins = unpairedCoins(asked, parts ?? [])
    .filter((part) => currency === null || part.currency === currency)
    .map((part) => simulateCoin(exchange, part))
  return [...simulated, ...coins]
}

/** The margin that all pairs of an account share, or null. */
function sharedPortfolioOf(owner: AccountRow): ReturnType<typeof modelOf>['shared'] {
  const { shared, netsPositions } = modelOf(owner)
  return netsPositions ? shared : null
}

/**
 * The margins that an account under cross portfolio margin would have with these pairs in all its currencies. The
 * account's money, haircuts and market-maker protection are included, as in its summary.
 */
export function simulatedTotals(
  exchange: Exchange,
  account: AccountId,
  pairs: readonly SimulatedPair[],
): SimulatedTotals {
  const owner = accountRow(exchange, account)
  const shared = sharedPortfolioOf(owner)
  assert(shared !== null, 'totals are for accounts whose currencies share one margin')
  const own = crossTotals(shared.parts(exchange, owner))
  let initial = own.initial + heldForGroupsUsd(exchange, owner)
  let { maintenance } = own
  for (const { usd } of pairs) {
    initial += usd?.initial ?? 0n
    maintenance += usd?.maintenance ?? 0n
  }
  return { marginBalance: own.marginBalance, initial, maintenance, spotReserve: own.spotReserve }
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
function isCounted(row: InstrumentRow, currency: Currency | null): boolean {
  const { kind } = row.instrument
  if (kind !== 'future' && kind !== 'option') return false
  return currency === null || currencyOf(row.settlement) === currency
}

function simulatePair(
  exchange: Exchange,
  asked: PairRow,
  rows: readonly InstrumentRow[],
  sizes: ReadonlyMap<InstrumentRow, Sizes>,
  cross: RiskInput['cross'],
): SimulatedPair {
  const { group, index } = asked
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
  return {
    index: index.name,
    currency: currencyOfPair(asked),
    terms: group.table.terms,
    positions,
    ...cellsOf(group, index.price, cross),
    ...marginsOfRisks(risksOfGroup(exchange, asked, cross), cross),
  }
}

/** Simulates the coins of an account, without a position that moves with them. */
function simulateCoin(exchange: Exchange, part: CrossPart & CurrencyOf): SimulatedPair {
  const index = usdIndexName(part.currency)
  const group = createRiskGroup(scenarioTableOf(exchange, index), true)
  const cross = { usd9: part.index9, equity: part.equity }
  return {
    index,
    currency: part.currency,
    terms: group.table.terms,
    positions: [],
    ...cellsOf(group, part.index9, cross),
    ...marginsOfRisks(coinRisks(exchange, part), cross),
  }
}

interface CurrencyOf {
  readonly currency: Currency
}

/** Risk and margin in the currency of a pair, and the margin in USD if it was computed in USD. */
function marginsOfRisks(
  risks: readonly MatrixRisk[],
  cross: RiskInput['cross'],
): Pick<SimulatedPair, 'risk' | 'margin' | 'usd'> {
  const [risk] = risks
  if (risk === undefined || risks.length !== MATRICES) {
    throw new AssertionFailure('a pair has a risk')
  }
  const margin = pairMargin(risks)
  if (cross === null) return { risk, margin, usd: null }
  const own = (usd: bigint): bigint => ofUsd(usd, cross.usd9)
  return {
    risk: {
      worst: own(risk.worst),
      cell: risk.cell,
      roll18: own(risk.roll18),
      shock18: own(risk.shock18),
      risk18: own(risk.risk18),
    },
    margin: {
      initial: own(margin.initial),
      maintenance: own(margin.maintenance),
      openOrders: own(margin.openOrders),
    },
    usd: margin,
  }
}

function cellsOf(
  group: RiskGroup,
  index9: number,
  cross: RiskInput['cross'],
): { readonly cells: readonly bigint[]; readonly counted: readonly bigint[] } {
  const { table, isCoin } = group
  const { cells } = readMatrix(group, 0, () => 0)
  const dampeners = dampenersOf(table, dampedPrice(isCoin && cross === null, index9))
  const counted = countedCells({ table, cells, deltas: [], isCoin, index9, dampeners, cross })
  const inCoin = cross === null ? counted : counted.map((cell) => ofUsd(cell, cross.usd9))
  const coin9 = isCoin ? index9 : ONE_UNIT9
  return {
    cells: readCells(cells),
    counted: inCoin.map((cell, at) => (at < STANDARD_CELLS ? offsetProfit(table, cell, coin9) : cell)),
  }
}

/** Price of a quote unit in itself, 1e-9. */
const ONE_UNIT9 = 1_000_000_000
