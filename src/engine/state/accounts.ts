/**
 * The accounts of an exchange: adds accounts and finds them.
 */
import { defined } from '../../core/index.ts'
import { cashOf } from '../../ledger/index.ts'
import type { Account, MarginModel } from '../../model/index.ts'
import { type AccountRisk, type AccountRow, walletRowOf } from './account-row.ts'
import type { Exchange } from './exchange.ts'
import { holdingRisks } from './holding-row.ts'
import { freshStanding } from './standing.ts'

/** True if an account other than `except` has this username. An account without a username uses its name. */
export function isUsername({ accountIds, profiles }: Exchange, name: string, except: number): boolean {
  const own = accountIds.get(name)
  if (own !== undefined && own !== except && (profiles.get(own)?.username ?? null) === null) {
    return true
  }
  return [...profiles].some(([id, { username }]) => id !== except && username === name)
}

/** Adds the row of an account. */
export function addAccount(exchange: Exchange, account: Account): AccountRow {
  const row: AccountRow = {
    account,
    selfMatch: exchange.config.selfMatch,
    selfMatchExtended: false,
    subaccounts: 0,
    firstOrder: -1,
    lastOrder: -1,
    openTotal: 0,
    openFuture: 0,
    openOption: 0,
    openSpot: 0,
    holdings: 0,
    perpetuals: [],
    fundable: [],
    openTriggers: { index_price: 0, mark_price: 0, last_price: 0 },
    openSecondaries: 0,
    openSpotSecondaries: 0,
    liquidations: [],
    risk: accountRisk(),
    standing: freshStanding(),
    isRestricted: false,
    mmpGroups: [],
    clientOrders: new Map(),
  }
  exchange.accounts.push(row)
  noteMarginModel(exchange, row)
  exchange.accountIds.set(account.name, account.id)
  const main = exchange.accounts[account.main]
  if (main !== undefined && main !== row) main.subaccounts += 1
  return row
}

/**
 * Changes the margin model of an account. Its holdings keep the state of the old model until `followModel`; before this
 * call, no holding of the account may be skipped.
 */
export function setMarginModel(exchange: Exchange, owner: AccountRow, marginModel: MarginModel): void {
  owner.account = { ...owner.account, marginModel }
  owner.risk = accountRisk()
  noteMarginModel(exchange, owner)
}

function noteMarginModel({ crossOrPortfolio }: Exchange, { account }: AccountRow): void {
  if (holdingRisks[account.marginModel] === null) crossOrPortfolio.delete(account.id)
  else crossOrPortfolio.add(account.id)
}

/** Total cash of a currency over all accounts, in nano. Only deposits and withdrawals change it. */
export function totalCash(exchange: Exchange, currency: number): bigint {
  let total = 0n
  for (const { account } of exchange.accounts) {
    total += cashOf(exchange.ledger, walletRowOf(account.id, currency))
  }
  return total
}

/** Returns the row of an existing account. */
export function accountRow(exchange: Exchange, account: number): AccountRow {
  return defined(exchange.accounts[account], 'the account exists')
}

/** Updates `isRestricted` of an account, after a change to its liquidations, locks or products. */
export function noteRestrictions(owner: AccountRow): void {
  owner.isRestricted = hasRestrictions(owner)
}

/** True if an account has a restriction, computed from its liquidations, locks and disabled products. */
export function hasRestrictions({ liquidations, standing }: AccountRow): boolean {
  return liquidations.length > 0 || standing.locks.size > 0 || standing.disabledProducts.size > 0
}

/** True if an account is a portfolio of a Member. Only Members may use direct access (8.2). */
export function isOfMember(exchange: Exchange, account: number): boolean {
  const row = exchange.accounts[account]
  const main = row === undefined ? undefined : exchange.accounts[row.account.main]
  return main?.standing.permissions.member === true
}

function accountRisk(): AccountRisk {
  return {
    pairs: [],
    exact: new Map(),
    exactTotals: new Map(),
  }
}
