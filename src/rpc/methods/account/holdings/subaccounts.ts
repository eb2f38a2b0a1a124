/**
 * private/get_subaccounts, get_subaccounts_details and create_subaccount.
 *
 * For a main account, the list has the account and then its subaccounts by id. For a subaccount, it has the main
 * account with the fields that identify it, and then the subaccount. Proofs are secrets of the account holder (R57).
 * Source: interface document, Subaccount (S144-S155, S262, S263); sessions document 6.1; coverage R43, R56.
 */
import { type AccountId, defined, z } from '../../../../core/index.ts'
import {
  accountOf,
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
  type Account,
  anyOrder,
  type Currency,
  currencies,
  type Fault,
  type MarginModel,
  validationStep,
} from '../../../../model/index.ts'
import { balanceCut, balanceOut, type WireOrder } from '../../../wire/index.ts'
import { asker, defineMethod, queryOf, type ReadContext, type ReadRequest } from '../../method.ts'
import { requestCurrency } from '../../params.ts'
import { proofOf } from '../../secrets.ts'
import { listedOrderReport } from '../../trading/order-reports.ts'
import { familyOf, mainFault } from '../owner.ts'
import { positionOut, type WirePosition } from './position-out.ts'
import { identityOut, tradingProductsOut } from './summary-extended.ts'
import type { WireFunds, WireTradingProducts } from './summary-types.ts'

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
    const { exchange } = context
    const own = accountOf(exchange, asker(context))
    const accounts = own.main === own.id ? familyOf(exchange, own.id) : [own]
    return accounts.map((account) => detailsOut(context, account, params))
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
    const { exchange } = context
    const { main, feePpm } = accountOf(exchange, asker(context))
    const marginModel = 'segregated_sm'
    const name = nextName(exchange, main)
    const isFull = familyOf(exchange, main).length > SUBACCOUNTS_MAX
    const full: Fault = {
      step: validationStep.scope,
      refusal: { reason: 'too_many_subaccounts' },
    }
    const fault = mainFault(context) ?? (isFull ? full : null)
    return { body: { kind: 'open_account', name, marginModel, main, feePpm }, fault }
  },
  reply: (context): WireSubaccount => {
    const { exchange } = context
    const last = familyOf(exchange, asker(context)).at(-1)
    return subaccountOut(exchange, defined(last, 'the account exists'), false)
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
  const { id } = account
  const margins = viewMargins(exchange, id, currency)
  const { balance } = viewWallet(exchange, id, currency)
  const { equity, marginBalance, initial, maintenance, additionalReserve, spotReserve } = margins
  const out = (money: bigint): number => balanceOut(currency, money)
  return {
    currency: currency.toLowerCase(),
    balance: out(balance),
    equity: out(equity),
    margin_balance: out(marginBalance),
    initial_margin: out(initial),
    maintenance_margin: out(maintenance),
    available_funds: out(marginBalance - initial),
    available_withdrawal_funds: balanceCut(currency, withdrawableOf(exchange, id, currency)),
    additional_reserve: out(additionalReserve),
    spot_reserve: out(spotReserve),
  }
}

function detailsOut(
  context: ReadContext,
  { id }: Account,
  params: { readonly currency: Currency; readonly with_open_orders: boolean },
): WireSubaccountDetails {
  const { exchange } = context
  const positions = heldPositions(exchange, id)
    .filter(({ instrument }) => instrument.settlementCurrency === params.currency)
    .filter(({ size }) => size !== 0)
    .map((view) => positionOut(exchange, view))
  if (!params.with_open_orders) return { uid: id, positions }
  const orders = seenOrders(exchange, id, { ...anyOrder, currencies: [params.currency] })
  return {
    uid: id,
    positions,
    open_orders: orders.map((view) => listedOrderReport(context, view)),
  }
}

/** Methods by their names; a part of the table. */
export const subaccountMethods = {
  'private/get_subaccounts': getSubaccounts,
  'private/create_subaccount': createSubaccount,
  'private/get_subaccounts_details': getSubaccountsDetails,
} as const
