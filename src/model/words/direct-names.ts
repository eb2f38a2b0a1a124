/**
 * The names of refusals over direct access, one for each kind of reject. This file contains sets of names that several
 * refusals share. The names of a single refusal are in its row.
 *
 * Source: sessions-blocks-gateways.md 8.4, 8.7; trading.md 9.2; coverage R52, R53, R61; S303-S307.
 */
import type { ReasonOf } from './direct-reasons.ts'

/**
 * The names of a refusal over direct access, one for each kind of reject. `order` applies to orders, amends and single
 * sides of quotes, `massQuote` to whole mass quotes. `message` is set for refusals of a message regardless of its
 * content, which the venue answers with `Reject`. It is null for all others, which the venue answers with the reject of
 * the message.
 */
export interface DirectNames {
  readonly order: ReasonOf<'NewOrderReject'>
  readonly massQuote: ReasonOf<'MassQuoteReject'>
  readonly cancel: ReasonOf<'CancelOrderReject'>
  readonly massCancel: ReasonOf<'MassCancelReject'>
  readonly mmpStatus: ReasonOf<'MassQuoteMmpStatusReject'>
  readonly message: ReasonOf<'Reject'> | null
}

/** The general name of each table. */
const generalNames: DirectNames = {
  order: 'SYSTEM_ERROR',
  massQuote: 'SYSTEM_ERROR',
  cancel: 'ERROR',
  massCancel: 'ERROR',
  mmpStatus: 'SYSTEM_ERROR',
  message: null,
}

/**
 * For refusals that a message of direct access can get although no table has a name for them. Each table uses its
 * general name.
 */
export const withoutName = generalNames

/**
 * For refusals that only requests of JSON-RPC can get. Messages of direct access have no such parameter or action, so
 * no client sees these names.
 */
export const ofJsonRpc = generalNames

/** For refusals with a name in the table of orders. The other tables use their general name. */
export function ofOrders(order: DirectNames['order']): DirectNames {
  return { ...generalNames, order }
}

/** For refusals with a name in the tables of orders and of mass quotes. The other tables use their general name. */
export function ofOrdersAndQuotes(order: DirectNames['order'], massQuote: DirectNames['massQuote']): DirectNames {
  return { ...generalNames, order, massQuote }
}

/** The tables of mass cancels and of statuses have no name for a wrong instrument. */
export const wrongInstrument: DirectNames = {
  ...generalNames,
  order: 'INVALID_INSTRUMENT',
  massQuote: 'INVALID_INSTRUMENT',
  cancel: 'INVALID_INSTRUMENT',
}

/** The account has no such live order. */
export const unknownOrder: DirectNames = {
  ...generalNames,
  order: 'ORDER_NOT_FOUND',
  cancel: 'UNKNOWN_ORDER',
}

/** The state of the book allows neither orders nor cancels. */
export const marketState: DirectNames = {
  ...generalNames,
  order: 'NOT_ALLOWED_BY_MARKET_STATE',
  cancel: 'NOT_ALLOWED_BY_MARKET_STATE',
  massCancel: 'NOT_ALLOWED_BY_MARKET_STATE',
}

/**
 * The table of mass quotes has no number for a permission. Assumed: the groups of an account that may not quote are
 * disabled.
 */
export const mayNotQuote = ofOrdersAndQuotes('PERMISSION_ERROR', 'MMP_GROUP_DISABLED')

/** A permission is missing, also for cancels. */
export const noPermission: DirectNames = {
  ...mayNotQuote,
  cancel: 'CLIENT_PERMISSION_ERROR',
  massCancel: 'CLIENT_PERMISSION_ERROR',
}

/** Assumed: mass quotes of an account that staff lock or that may only reduce get the reason of a locked portfolio. */
export const lockedByStaff = ofOrdersAndQuotes('PERMISSION_ERROR', 'PORTFOLIO_LOCKED')

/** The table of mass quotes has no number for liquidation. Assumed: they get the reason of a locked portfolio. */
export const inLiquidation: DirectNames = {
  ...generalNames,
  order: 'IN_LIQUIDATION',
  massQuote: 'PORTFOLIO_LOCKED',
  cancel: 'IN_LIQUIDATION',
  massCancel: 'CLIENT_PERMISSION_ERROR',
}

/** A group of market-maker protection is frozen. */
export const frozenGroup = ofOrdersAndQuotes('MMP_GROUP_FROZEN', 'MMP_GROUP_FROZEN')

/** There is no such group of market-maker protection. */
export const unknownGroup: DirectNames = {
  ...generalNames,
  order: 'MMP_NOT_CONFIGURED',
  massQuote: 'INVALID_MMP_GROUP',
  massCancel: 'INVALID_MMP_GROUP',
  mmpStatus: 'INVALID_MMP_GROUP',
}

/** A group of market-maker protection has no configuration. */
export const groupWithoutTerms: DirectNames = { ...unknownGroup, massQuote: 'MMP_GROUP_DISABLED' }
