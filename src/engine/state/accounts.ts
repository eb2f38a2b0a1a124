/**
 * The accounts of an exchange: how one is added and found.
 */
import { defined } from '../../core/index.ts'
import type { Account } from '../../model/index.ts'
import type { AccountRisk, AccountRow } from './account-row.ts'
import type { Exchange } from './exchange.ts'
import { holdingRisks } from './holding-row.ts'
import { freshStanding } from './standing.ts'

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
  if (holdingRisks[account.marginModel] !== null) {
    exchange.shared.accounts.push(account.id)
    exchange.shared.restless.add(account.id)
  }
  exchange.accountIds.set(account.name, account.id)
  const main = exchange.accounts[account.main]
  if (main !== undefined && main !== row) main.subaccounts += 1
  return row
}

/** The row of an account that exists. */
export function accountRow(exchange: Exchange, account: number): AccountRow {
  return defined(exchange.accounts[account], 'the account exists')
}

/** Notes whether anything restricts an account, after a liquidation, a lock or its products changed. */
export function noteRestrictions(owner: AccountRow): void {
  owner.isRestricted = hasRestrictions(owner)
}

/** True if anything restricts an account, found from the facts. */
export function hasRestrictions({ liquidations, standing }: AccountRow): boolean {
  const { locks, disabledProducts } = standing
  return liquidations.length > 0 || locks.size > 0 || disabledProducts.size > 0
}

/** True if an account is a portfolio of a Member, who may use direct access (8.2). */
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
    calm: null,
  }
}
