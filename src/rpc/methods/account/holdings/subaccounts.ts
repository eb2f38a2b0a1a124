/**
 * private/get_subaccounts, get_subaccounts_details and create_subaccount.
 *
 * For a main account, the list has the account and then its subaccounts by id. For a subaccount, it has the main
 * account with the fields that identify it, and then the subaccount. Proofs are secrets of the account holder (R57).
 * Source: interface document, Subaccount (S144-S155, S262, S263); sessions document 6.1; coverage R43, R56.
 */

import { type AccountId, accountId, defined, z } from '../../../../core/index.ts'
import {
  accountOf,
  allAccounts,
  allInstruments,
  type Exchange,
  heldPositions,
  isAccountName,
  profileOf,
  seenOrders,
  viewMargins,
  viewWallet,
  withdrawableOf,
} from '../../../../engine/index.ts'
import {
  type AccessEntry,
  type Account,
  type AccountProfile,
  accountTitle,
  anyOrder,
  type Currency,
  currencies,
  type Fault,
  type MarginModel,
  tradingProducts,
  validationStep,
} from '../../../../model/index.ts'
import type { AccessNote } from '../../../history/index.ts'
import { balanceCut, balanceOut, type WireOrder } from '../../../wire/index.ts'
import { asker, defineMethod, queryOf, type ReadContext, type ReadRequest, unreadable } from '../../method.ts'
import { paramFault, requestCurrency } from '../../params.ts'
import { proofOf } from '../../secrets.ts'
import { listedOrderReport } from '../../trading/order-reports.ts'
import { familyOf, mainFault, ownerFault, ownNote } from '../owner.ts'
import { positionOut, type WirePosition } from './positions.ts'
import { identityOut, tradingProductsOut, type WireFunds, type WireTradingProducts } from './summary.ts'

/** One currency of an account: its key and its field `currency` are the currency in lower case. */
export interface WirePortfolio extends WireFunds {
  readonly currency: string
}

/** Identity of an account. */
interface WireIdentity {
  readonly id: number
  readonly type: 'main' | 'subaccount'
  readonly email: string
  readonly username: string
  readonly system_name: string
  readonly is_password: boolean
  readonly receive_notifications: boolean
}

/** An account in the list of subaccounts. */
export interface WireSubaccount extends WireIdentity, Partial<WireTradingProducts> {
  readonly login_enabled?: boolean
  readonly margin_model?: MarginModel
  readonly security_keys_enabled?: boolean
  readonly security_keys_assignments?: readonly string[]
  /** A simulator has no referrals. */
  readonly referrals_count?: 0
  readonly proof_id?: string
  readonly proof_id_signature?: string
  /** Only if portfolios are requested, like the next field. */
  readonly not_confirmed_email?: string | null
  /** Balances and margins by currency. */
  readonly portfolio?: { readonly [C in Lowercase<Currency>]?: WirePortfolio }
}

/** Positions and orders of a (sub)account. */
export interface WireSubaccountDetails {
  readonly uid: number
  readonly positions: readonly WirePosition[]
  readonly open_orders?: readonly WireOrder[]
}

/** The accounts of the same owner. */
const getSubaccounts = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    with_portfolio: z.boolean().default(false).describe('true if the result includes balances and margins'),
  }),
  read: () => queryOf(null),
  reply: (context, params): readonly WireSubaccount[] => {
    const { exchange } = context
    const own = accountOf(exchange, asker(context))
    const portfolio = params.with_portfolio
    if (own.main === own.id) {
      return familyOf(exchange, own.id).map((each) => subaccountOut(exchange, each, portfolio))
    }
    const main = { ...nameOut(exchange, accountOf(exchange, own.main)), email: '' }
    return [main, subaccountOut(exchange, own, portfolio)]
  },
})

/** Positions, and with `with_open_orders` also open orders, of each account; for a subaccount, only its own. */
const getSubaccountsDetails = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency: requestCurrency,
    with_open_orders: z.boolean().default(false).describe('true if the result includes open orders'),
  }),
  read: () => queryOf(null),
  reply: (context, params): readonly WireSubaccountDetails[] => {
    const own = accountOf(context.exchange, asker(context))
    const accounts = own.main === own.id ? familyOf(context.exchange, own.id) : [own]
    return accounts.map((account) => detailsOut(context, account, params.currency, params.with_open_orders))
  },
})

/**
 * Opens a subaccount `<main>_<n>`, which has the fee share of its main account; only for main accounts (13012), at most
 * 20 subaccounts (12001). Assumed: it has the venue's default margin model, which the public text does not state.
 */
const createSubaccount = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'open_account',
  params: z.object({}),
  read: (context): ReadRequest => {
    const { main, feePpm } = accountOf(context.exchange, asker(context))
    const marginModel = 'segregated_sm'
    const name = nextName(context.exchange, main)
    const isFull = familyOf(context.exchange, main).length > SUBACCOUNTS_MAX
    const full: Fault = {
      step: validationStep.scope,
      refusal: { reason: 'too_many_subaccounts' },
    }
    const fault = mainFault(context) ?? (isFull ? full : null)
    return { body: { kind: 'open_account', name, marginModel, main, feePpm }, fault }
  },
  reply: (context): WireSubaccount => {
    const last = familyOf(context.exchange, asker(context)).at(-1)
    return subaccountOut(context.exchange, defined(last, 'the account exists'), false)
  },
})

const SUBACCOUNTS_MAX = 20

/** The first free name of that form. */
function nextName(exchange: Exchange, main: AccountId): string {
  const { name } = accountOf(exchange, main)
  let number = familyOf(exchange, main).length
  while (isAccountName(exchange, `${name}_${number}`)) number += 1
  return `${name}_${number}`
}

function nameOut(exchange: Exchange, account: Account): WireIdentity {
  const { hasPassword, receivesNotifications } = profileOf(exchange, account.id)
  return {
    id: account.id,
    ...identityOut(exchange, account),
    is_password: hasPassword,
    receive_notifications: receivesNotifications,
  }
}

function subaccountOut(exchange: Exchange, account: Account, withPortfolio: boolean): WireSubaccount {
  const { loginEnabled, securityKeysEnabled, securityKeys } = profileOf(exchange, account.id)
  return {
    ...nameOut(exchange, account),
    login_enabled: loginEnabled,
    margin_model: account.marginModel,
    security_keys_enabled: securityKeysEnabled,
    security_keys_assignments: securityKeys,
    ...tradingProductsOut(exchange, account),
    referrals_count: 0,
    ...proofOf(account.id),
    ...(withPortfolio ? { not_confirmed_email: null, portfolio: portfoliosOut(exchange, account) } : {}),
  }
}

/** BTC and ETH, and other currencies if the account has a balance, position or order in them or names them (R56). */
function portfoliosOut(exchange: Exchange, account: Account): { readonly [currency: string]: WirePortfolio } {
  const touched = touchedBy(exchange, account)
  const named = new Set<Currency>(['BTC', 'ETH', ...profileOf(exchange, account.id).currencies])
  const shown = currencies.filter((each) => named.has(each) || touched.has(each) || isHeld(each))
  function isHeld(currency: Currency): boolean {
    return viewWallet(exchange, account.id, currency).balance !== 0n
  }
  return Object.fromEntries(shown.map((each) => [each.toLowerCase(), portfolioOut(exchange, account, each)] as const))
}

/** Currencies of the positions and orders of an account; a spot order counts for both of its currencies. */
function touchedBy(exchange: Exchange, { id }: Account): ReadonlySet<string> {
  const touched = new Set<string>()
  for (const { instrument, size } of heldPositions(exchange, id)) {
    if (size !== 0) touched.add(instrument.settlementCurrency)
  }
  const instruments = allInstruments(exchange)
  for (const { order } of seenOrders(exchange, id, anyOrder)) {
    const instrument = instruments[order.instrument]
    if (instrument === undefined) continue
    touched.add(instrument.settlementCurrency)
    if (instrument.kind === 'spot') touched.add(instrument.baseCurrency)
  }
  return touched
}

function portfolioOut(exchange: Exchange, account: Account, currency: Currency): WirePortfolio {
  const margins = viewMargins(exchange, account.id, currency)
  const { balance } = viewWallet(exchange, account.id, currency)
  const out = (money: bigint): number => balanceOut(currency, money)
  return {
    currency: currency.toLowerCase(),
    balance: out(balance),
    equity: out(margins.equity),
    margin_balance: out(margins.marginBalance),
    initial_margin: out(margins.initial),
    maintenance_margin: out(margins.maintenance),
    available_funds: out(margins.marginBalance - margins.initial),
    available_withdrawal_funds: balanceCut(currency, withdrawableOf(exchange, account.id, currency)),
    additional_reserve: out(margins.additionalReserve),
    spot_reserve: out(margins.spotReserve),
  }
}

function detailsOut(
  context: ReadContext,
  { id }: Account,
  currency: Currency,
  withOpenOrders: boolean,
): WireSubaccountDetails {
  const positions = heldPositions(context.exchange, id)
    .filter(({ instrument }) => instrument.settlementCurrency === currency)
    .filter(({ size }) => size !== 0)
    .map((view) => positionOut(context.exchange, view))
  if (!withOpenOrders) return { uid: id, positions }
  const orders = seenOrders(context.exchange, id, { ...anyOrder, currencies: [currency] })
  return {
    uid: id,
    positions,
    open_orders: orders.map((view) => listedOrderReport(context, view)),
  }
}

/**
 * Settings of subaccounts that main accounts can change: private/change_subaccount_name, set_email_for_subaccount,
 * toggle_subaccount_login, toggle_notifications_from_subaccount and remove_subaccount.
 *
 * Assumed: a change of the name changes only the username; requests, files and keys continue to use the `system_name`.
 * An email needs no confirmation. The simulator has no logins with a password, so disabling the login ends no session,
 * and keys of the subaccount stay valid. No second factor is required.
 * Source: the venue's page of each method; sessions document 6.1.
 */

const sid = z.int().min(0).describe('number of the subaccount')

/** The subaccount of the requesting account with a number, or undefined. */
function subaccountOf(context: ReadContext, number: number): AccountId | undefined {
  const own = asker(context)
  return familyOf(context.exchange, own).find(({ id }) => id === number && id !== own)?.id
}

/** The fault if the requesting account has no such subaccount, or null. */
function faultOf(context: ReadContext, number: number, param: string): ReadRequest['fault'] {
  const main = mainFault(context)
  if (main !== null) return main
  const isKnown = subaccountOf(context, number) !== undefined
  return isKnown ? null : paramFault(param, 'unknown_subaccount')
}

/** The request that changes parts of the profile of a subaccount. */
function readProfile(context: ReadContext, number: number, profile: Partial<AccountProfile>): ReadRequest {
  const target = subaccountOf(context, number)
  const fault = faultOf(context, number, 'sid')
  if (target === undefined) return { body: unreadable('set_profile'), fault }
  return { body: { kind: 'set_profile', target, profile }, fault }
}

/** Changes the username of a subaccount. */
const changeSubaccountName = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'set_profile',
  params: z.object({
    sid,
    name: z.string().describe('letters, digits, _, - and dots, at most 32'),
  }),
  read: (context, { sid: number, name: username }): ReadRequest => {
    const change = readProfile(context, number, { username })
    if (change.fault !== null || accountTitle.test(username)) return change
    const step = validationStep.parameters
    return { ...change, fault: { step, refusal: { reason: 'wrong_subaccount_name' } } }
  },
  reply: () => 'ok' as const,
})

/** Changes the email address of a subaccount. The simulator sends no mail. */
const setEmailForSubaccount = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'set_profile',
  params: z.object({ sid, email: z.string().min(1).max(128).describe('an address') }),
  read: (context, { sid: number, email }) => readProfile(context, number, { email }),
  reply: () => 'ok' as const,
})

/** Enables or disables the login to a subaccount. */
const toggleSubaccountLogin = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'set_profile',
  params: z.object({
    sid,
    state: z.enum(['enable', 'disable']).describe('enable or disable the login'),
  }),
  note: (context, { sid: number, state }): AccessNote => {
    const log: AccessEntry = state === 'enable' ? 'enabled_subaccount_login' : 'disabled_subaccount_login'
    const data = accountOf(context.exchange, accountId(number)).name
    return ownNote(context, log, data)
  },
  read: (context, { sid: number, state }) => readProfile(context, number, { loginEnabled: state === 'enable' }),
  reply: () => 'ok' as const,
})

/** Enables or disables the notifications of a subaccount. */
const toggleNotifications = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'set_profile',
  params: z.object({ sid, state: z.boolean().describe('true to enable notifications') }),
  read: (context, { sid: number, state }) => readProfile(context, number, { receivesNotifications: state }),
  reply: () => 'ok' as const,
})

/** Removes an empty subaccount permanently, with its keys. */
const removeSubaccount = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'remove_account',
  params: z.object({ subaccount_id: sid }),
  read: (context, { subaccount_id: number }): ReadRequest => {
    const target = subaccountOf(context, number)
    const fault = faultOf(context, number, 'subaccount_id')
    if (target === undefined) return { body: unreadable('remove_account'), fault }
    return { body: { kind: 'remove_account', target }, fault }
  },
  reply: () => 'ok' as const,
})

/**
 * private/set_disabled_trading_products: the kinds of instruments that an account may not trade.
 *
 * Assumed: a main account names one of its subaccounts or itself; open orders stay.
 * Source: trading.md 4.1, 4.9.
 */

/** Rejects orders in these products from now on (11042); all other products are allowed again. */
const setDisabledTradingProducts = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  command: 'set_disabled_products',
  params: z.object({
    user_id: z.int().min(0).describe('number of the account, from get_subaccounts'),
    trading_products: z
      .array(z.enum(tradingProducts))
      .describe('products that the account may not trade; an empty list allows all'),
  }),
  read: (context, params) => {
    const known = allAccounts(context.exchange)[params.user_id] !== undefined
    const body = {
      kind: 'set_disabled_products',
      target: accountId(known ? params.user_id : 0),
      products: params.trading_products,
    } as const
    const fault = mainFault(context) ?? ownerFault(context, params.user_id)
    return { body, fault }
  },
  reply: () => 'ok',
})

/** Methods by their names; a part of the table. */
export const tradingProductMethods = {
  'private/set_disabled_trading_products': setDisabledTradingProducts,
} as const

/** Methods by their names; a part of the table. */
export const subaccountMethods = {
  'private/get_subaccounts': getSubaccounts,
  'private/create_subaccount': createSubaccount,
  'private/get_subaccounts_details': getSubaccountsDetails,
  'private/change_subaccount_name': changeSubaccountName,
  'private/set_email_for_subaccount': setEmailForSubaccount,
  'private/toggle_subaccount_login': toggleSubaccountLogin,
  'private/toggle_notifications_from_subaccount': toggleNotifications,
  'private/remove_subaccount': removeSubaccount,
} as const
