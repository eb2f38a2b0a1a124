/**
 * Holdings: the rows that link an account and an instrument to the ledger and to margin.
 */

import { defined, intMapGet, intMapSet } from '../../core/index.ts'
import { reserveHoldings, sizeOf } from '../../ledger/index.ts'
import { createRiskGroup, reserveExposures, type ScenarioTable, scenarioTable } from '../../margin/index.ts'
import { defaultPortfolioTerms, type Side } from '../../model/index.ts'
import { type AccountRow, walletRowOf } from './account-row.ts'
import { accountRow } from './accounts.ts'
import type { Exchange } from './exchange.ts'
import { type HoldingRisk, type HoldingRow, holdingRisks, type PairRow } from './holding-row.ts'
import type { InstrumentRow } from './instrument-row.ts'
import { holdingAt } from './order-fields.ts'

/** Maximum number of instruments that the key of a holding distinguishes. */
const INSTRUMENTS_MAX = 1_048_576

/** The holding of an account in an instrument. Creates it if it does not exist. */
export function holdingFor(exchange: Exchange, account: number, row: InstrumentRow): HoldingRow {
  const known = findHolding(exchange, account, row)
  if (known !== undefined) return known
  const made = addHolding(exchange, account, row)
  reserveHoldings(exchange.ledger, made.holding + 1)
  reserveExposures(exchange.margin, made.holding + 1)
  return made
}

/** Gives the next row to an account and an instrument. The ledger and margin must have room for it. */
export function addHolding(exchange: Exchange, account: number, row: InstrumentRow): HoldingRow {
  const owner = defined(exchange.accounts[account], 'the account exists')
  const made: HoldingRow = {
    holding: exchange.holdings.length,
    account,
    wallet: walletRowOf(account, row.settlement),
    row,
    margined: row.base < 0 && !owner.account.house,
    risk: riskOf(owner, row),
    pair: pairOf(exchange, owner, row),
    isStale: false,
    skip: null,
    isFundable: false,
    reducing: [],
    wanted: { buy: 0, sell: 0 },
    funded: row.funding === null ? 0n : row.funding.accumulated,
  }
  exchange.holdings.push(made)
  owner.holdings += 1
  intMapSet(exchange.holdingOf, account * INSTRUMENTS_MAX + row.instrument.id, made.holding)
  row.holdings.push(made.holding)
  row.checked.push(made.holding)
  if (row.funding !== null) {
    owner.perpetuals.push(made)
  }
  made.pair?.holdings.push(made)
  return made
}

/** Updates the state that a holding stores for its margin model, after its account changed the model. */
export function followModel(exchange: Exchange, made: HoldingRow): void {
  const owner = accountRow(exchange, made.account)
  made.risk = riskOf(owner, made.row)
  made.pair = pairOf(exchange, owner, made.row)
  made.isStale = false
  made.pair?.holdings.push(made)
}

/** Updates `isFundable` of a perpetual's holding, after its position or the funding rate began or ended. */
export function noteFundable(exchange: Exchange, owner: HoldingRow): void {
  const isFundable = mayBeDue(exchange, owner)
  if (isFundable === owner.isFundable) return
  owner.isFundable = isFundable
  const { fundable } = accountRow(exchange, owner.account)
  if (isFundable) {
    fundable.push(owner)
    return
  }
  const last = defined(fundable.pop(), 'a holding with funding is listed')
  if (last !== owner) fundable[fundable.indexOf(owner)] = last
}

/**
 * True if a holding may owe or receive funding: it has a position, and the rate is not 0 or was not 0 since its
 * funding was last booked.
 */
export function mayBeDue(exchange: Exchange, owner: HoldingRow): boolean {
  const { funding } = owner.row
  if (funding === null || sizeOf(exchange.ledger, owner.holding) === 0) return false
  return funding.excess !== 0n || funding.accumulated !== owner.funded
}

function riskOf({ account }: AccountRow, row: InstrumentRow): HoldingRisk {
  if (row.base >= 0 || account.house) return 'none'
  const { kind } = row.instrument
  if (kind === 'future_combo' || kind === 'option_combo') return 'combo'
  return holdingRisks[account.marginModel] ?? (kind === 'option' ? 'option' : 'future')
}

function pairOf(exchange: Exchange, owner: AccountRow, row: InstrumentRow): PairRow | null {
  return riskOf(owner, row) === 'portfolio' ? pairFor(exchange, owner, row) : null
}

/** The holding of an account in an instrument; undefined if it does not exist. */
export function findHolding(exchange: Exchange, account: number, row: InstrumentRow): HoldingRow | undefined {
  const holding = intMapGet(exchange.holdingOf, account * INSTRUMENTS_MAX + row.instrument.id)
  return holding < 0 ? undefined : exchange.holdings[holding]
}

/** The holding of a live order. */
export function holdingOfOrder(exchange: Exchange, slot: number): HoldingRow {
  return defined(exchange.holdings[holdingAt(exchange.orders, slot)], 'an order has a holding')
}

/** Size by which an order on a side can reduce the position, in lots. */
export function reducible(exchange: Exchange, holding: number, side: Side): number {
  const size = sizeOf(exchange.ledger, holding)
  return Math.max(0, side === 'buy' ? -size : size)
}

/**
 * Rows of the pairs of accounts with portfolio margin. A row is empty when it is created.
 */

/** The pair of an account that an instrument belongs to. Creates it if it does not exist. */
function pairFor(exchange: Exchange, owner: AccountRow, row: InstrumentRow): PairRow {
  const known = findPair(owner, row)
  if (known !== undefined) return known
  const made = emptyPair(exchange, owner.account.id, row)
  owner.risk.pairs.push(made)
  return made
}

/** The pair of an account that an instrument belongs to; undefined if it does not exist. */
export function findPair(owner: AccountRow, row: InstrumentRow): PairRow | undefined {
  const wallet = walletRowOf(owner.account.id, row.settlement)
  return owner.risk.pairs.find((pair) => pair.index === row.index && pair.wallet === wallet)
}

function groupFor(exchange: Exchange, row: InstrumentRow): PairRow['group'] {
  const table = scenarioTableOf(exchange, row.index.name)
  return createRiskGroup(table, isCoinPair(row))
}

/** The scenario tables of an index. Creates them if they do not exist. */
export function scenarioTableOf(exchange: Exchange, index: string): ScenarioTable {
  const known = exchange.scenarioTables.get(index)
  if (known !== undefined) return known
  const terms = exchange.config.portfolioTerms[index] ?? defaultPortfolioTerms(index)
  const made = scenarioTable(terms)
  exchange.scenarioTables.set(index, made)
  return made
}

/** True if the profit of a pair is counted in its coin. */
function isCoinPair({ instrument }: InstrumentRow): boolean {
  return instrument.settlementCurrency === instrument.baseCurrency
}

/** A pair of an account without holdings. */
export function emptyPair(exchange: Exchange, account: number, row: InstrumentRow): PairRow {
  return {
    wallet: walletRowOf(account, row.settlement),
    index: row.index,
    group: groupFor(exchange, row),
    holdings: [],
    stale: [],
    minute: -1,
    risks: null,
    riskIndex: 0,
    moves: new Map(),
    movesAt: -1,
    dampeners: null,
    dampenedAt: 0,
  }
}
