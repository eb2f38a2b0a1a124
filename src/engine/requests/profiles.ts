/**
 * Profiles of accounts, which controls and main accounts set, the removal of subaccounts, and the product groups that
 * the owner of accounts forbids each of them to trade.
 *
 * Rule: account.remove. A subaccount can be removed if it has nothing left: no money, position, order, open payment,
 * open Block RFQ or quote on one, signature of a block trade or place in the liquidity support programme. From then on
 * its requests are refused, it cannot receive transfers, and its name stays taken.
 * Rule: account.products.
 * Source: trading.md 4.1, 4.9; coverage R56; the venue's page of `remove_subaccount`.
 */

import { assert } from '../../core/index.ts'
import { isEmptyWallet, sizeOf } from '../../ledger/index.ts'
import {
  CURRENCY_SLOTS,
  type RemoveAccount,
  type SetDisabledProducts,
  type SetProfile,
  tradingProducts,
  usualProfile,
  validationStep,
} from '../../model/index.ts'
import {
  type AccountRow,
  type CheckResult,
  type Exchange,
  emitStanding,
  isUsername,
  noteRestrictions,
  pass,
  refuse,
  type Turn,
  walletRowOf,
} from '../state/index.ts'
import { badParam, type Handlers, seal } from './handler.ts'

function checkSetProfile(exchange: Exchange, { target, profile }: SetProfile): CheckResult<null> {
  const row = exchange.accounts[target]
  if (row === undefined || row.account.house) {
    return badParam('account', 'expected the account of a trader')
  }
  if (profile.username === undefined) return pass(null)
  const username = profile.username ?? row.account.name
  if (!isUsername(exchange, username, target)) return pass(null)
  return refuse(validationStep.parameters, { reason: 'wrong_subaccount_name' })
}

function commitSetProfile({ exchange }: Turn, { target, profile }: SetProfile): number {
  assert(exchange.accounts[target]?.account.house === false, 'a profile belongs to a trader')
  const before = exchange.profiles.get(target) ?? usualProfile
  exchange.profiles.set(target, { ...before, ...profile })
  return 1
}

function checkRemoveAccount(exchange: Exchange, { target }: RemoveAccount): CheckResult<null> {
  const row = exchange.accounts[target]
  if (row === undefined || row.account.main === row.account.id || exchange.removed.has(target)) {
    return badParam('subaccount_id', 'unknown_subaccount')
  }
  const left = leftOf(exchange, row)
  return left === null ? pass(null) : badParam('subaccount_id', `the subaccount still has ${left}`)
}

/** The first thing that an account still has, as text; null for nothing. */
function leftOf(exchange: Exchange, owner: AccountRow): string | null {
  const { ledger, holdings, wallets, rfqs, blocks, participants } = exchange
  const { id } = owner.account
  if (owner.firstOrder >= 0) return 'open orders'
  const own = holdings.filter((holding) => holding.account === id)
  if (own.some(({ holding }) => sizeOf(ledger, holding) !== 0)) return 'open positions'
  for (let currency = 0; currency < CURRENCY_SLOTS; currency += 1) {
    if (!isEmptyWallet(ledger, walletRowOf(id, currency))) return 'a balance'
  }
  const payments = [...wallets.payments.values()]
  if (payments.some((each) => each.account === id || each.target === id)) return 'open payments'
  const isParty = [...rfqs.open].some((number) => {
    const rfq = rfqs.rfqs.get(number)
    if (rfq === undefined) return false
    const isMaker = [...rfq.quotes.values()].some(({ maker }) => maker === id)
    return isMaker || rfq.taker === id || rfq.shares.some(({ account: of }) => of === id)
  })
  if (isParty) return 'open Block RFQs'
  const signed = [...blocks.signatures.values()].some((each) => each.account === id)
  const waits = [...blocks.pending.values()].some(({ maker, taker }) => maker === id || taker === id)
  if (signed || waits) return 'recent block trades'
  if (participants.has(id)) return 'a place in the liquidity support programme'
  return owner.liquidations.length > 0 ? 'a liquidation' : null
}

function commitRemoveAccount({ exchange }: Turn, { target }: RemoveAccount): number {
  assert(!exchange.removed.has(target), 'an account is removed once')
  exchange.removed.add(target)
  for (const [place, { account }] of exchange.keys) {
    if (account === target) exchange.keys.delete(place)
  }
  const { depositAddresses } = exchange.wallets
  const kept = depositAddresses.filter(({ account }) => account !== target)
  depositAddresses.splice(0, depositAddresses.length, ...kept)
  return 1
}

export const profilesHandlers: Handlers<'set_profile' | 'remove_account'> = {
  set_profile: seal({ check: checkSetProfile, commit: commitSetProfile }),
  remove_account: seal({ check: checkRemoveAccount, commit: commitRemoveAccount }),
}

/** The target must belong to the main account that sends the request, or be that account; only reads. */
function checkSetDisabledProducts(
  exchange: Exchange,
  { account, target }: SetDisabledProducts,
): CheckResult<AccountRow> {
  const row = exchange.accounts[target]
  if (row !== undefined && row.account.main === account) return pass(row)
  return refuse(validationStep.parameters, { reason: 'forbidden' })
}

/**
 * Sets the disabled products. Events: `standing` of each product that changed, in the venue's order. Returns their
 * number.
 */
function commitSetDisabledProducts(turn: Turn, { session, products }: SetDisabledProducts, owner: AccountRow): number {
  const { account, standing } = owner
  const { disabledProducts } = standing
  const changed = tradingProducts.filter((product) => disabledProducts.has(product) !== products.includes(product))
  // The set keeps the venue's order, so that equal settings are equal states.
  disabledProducts.clear()
  for (const product of tradingProducts) {
    if (products.includes(product)) disabledProducts.add(product)
  }
  assert(disabledProducts.size <= products.length, 'only named products are disabled')
  noteRestrictions(owner)
  for (const product of changed) {
    emitStanding(turn, {
      protection: 'trading_product',
      change: disabledProducts.has(product) ? 'on' : 'off',
      account: account.id,
      session,
      group: product,
    })
  }
  return changed.length
}

export const productsHandlers: Handlers<'set_disabled_products'> = {
  set_disabled_products: seal({
    check: checkSetDisabledProducts,
    commit: commitSetDisabledProducts,
  }),
}
