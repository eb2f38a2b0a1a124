/**
 * The names of refusals over direct access, one for each kind of reject. Sets of names that several refusals share
 * stand here; a refusal with names of its own has them in its row.
 *
 * Source: sessions-blocks-gateways.md 8.4, 8.7; trading.md 9.2; coverage R52, R53, R61; S303-S307.
 */
import type { ReasonOf } from './direct-reasons.ts'

/**
 * The names of a refusal over direct access, one for each kind of reject. `order` is told of orders, amends and
 * single sides of quotes, `massQuote` of whole mass quotes. `message` is null but for refusals of a message
 * whatever it says: those are told by `Reject`, and all others by the reject of the message.
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

/** A message of direct access may meet it, no table has a name for it, and so each tells its general one. */
export const withoutName = generalNames

/**
 * Requests of JSON-RPC alone meet it: messages of direct access have no such parameter and do nothing of the sort, so
 * that nobody is told these names.
 */
export const ofJsonRpc = generalNames

/** The table of orders alone has a name for it; the others tell their general one. */
export function ofOrders(order: DirectNames['order']): DirectNames {
  return { ...generalNames, order }
}

/** The tables of orders and of mass quotes have a name for it; the others tell their general one. */
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

/** An account has no such live order. */
export const unknownOrder: DirectNames = {
  ...generalNames,
  order: 'ORDER_NOT_FOUND',
  cancel: 'UNKNOWN_ORDER',
}

/** A book takes neither orders nor cancels in its state. */
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

/** A permission is missing, for cancels too. */
export const noPermission: DirectNames = {
  ...mayNotQuote,
  cancel: 'CLIENT_PERMISSION_ERROR',
  massCancel: 'CLIENT_PERMISSION_ERROR',
}

/** Assumed: to mass quotes an account that staff lock or that only reduces is a locked portfolio. */
export const lockedByStaff = ofOrdersAndQuotes('PERMISSION_ERROR', 'PORTFOLIO_LOCKED')

/** The table of mass quotes has no number for liquidation. Assumed: to them it is a locked portfolio. */
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
