/**
 * Rows of the pairs of accounts with portfolio margin. A row is empty when it is created.
 */
import { createRiskGroup, type ScenarioTable, scenarioTable } from '../../margin/index.ts'
import { defaultPortfolioTerms } from '../../model/index.ts'
import { type AccountRow, walletRowOf } from './account-row.ts'
import type { Exchange } from './exchange.ts'
import type { PairRow } from './holding-row.ts'
import type { InstrumentRow } from './instrument-row.ts'

/** The pair of an account that an instrument belongs to. Creates it if it does not exist. */
export function pairFor(exchange: Exchange, owner: AccountRow, row: InstrumentRow): PairRow {
  const known = findPair(owner, row)
  if (known !== undefined) return known
  const made = emptyPair(exchange, owner.account.id, row)
  owner.risk.pairs.push(made)
  return made
}

/** The pair of an account that an instrument belongs to; undefined if it does not exist. */
export function findPair({ account, risk }: AccountRow, row: InstrumentRow): PairRow | undefined {
  const wallet = walletRowOf(account.id, row.settlement)
  return risk.pairs.find((pair) => pair.index === row.index && pair.wallet === wallet)
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
