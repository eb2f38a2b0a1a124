/**
 * The names of refusals over direct access, one for each kind of reject. This file contains sets of names that several
 * refusals share. The names of a single refusal are in its row.
 *
 * Source: sessions-blocks-gateways.md 8.4, 8.7; trading.md 9.2; coverage R52, R53, R61; S303-S307.
 */

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

/** The message that carries a reason. */
export type ReasonTable = keyof typeof reasonTables

/** A reason of a table. */
export type ReasonOf<T extends ReasonTable> = keyof (typeof reasonTables)[T] & string

/** A reason with its number. */
export interface Reason {
  readonly code: number
  readonly name: string
}

/** The first version with a reason, and the reason for sessions of older versions (8.7, 8.13). */
interface Gate<Name extends string> {
  readonly since: number
  readonly older: Name
}

type Gates<Name extends string> = { readonly [N in Name]?: Gate<Name> }

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

/**
 * The reasons of the binary order entry with their numbers: why a message is refused, and why an order was cancelled.
 * Newer reasons also have the first version of the schema that supports them and the reason for older versions.
 *
 * Source: sessions document 8.4 (Reject), 8.7 (tables), 8.13 (versions); trading.md 9.2; S303-S307, S324-S332.
 */

/** Reasons of NewOrderReject and AmendOrderReject, and of one side of a mass quote. */
const orderRejectReasons = {
  SYSTEM_ERROR: 0,
  INVALID_INSTRUMENT: 1,
  INVALID_FIELD: 2,
  INSUFFICIENT_MARGIN: 3,
  DUPLICATE_CLIENT_ORDER_ID: 4,
  INVALID_QUANTITY: 5,
  INVALID_PRICE: 6,
  NOT_ALLOWED_BY_MARKET_STATE: 7,
  POST_ONLY: 8,
  TOO_MANY_OPEN_ORDERS: 9,
  PERMISSION_ERROR: 10,
  PORTFOLIO_NOT_FOUND: 11,
  ORDER_NOT_FOUND: 12,
  MMP_NOT_CONFIGURED: 13,
  MMP_MAX_QUOTE_QTY_EXCEEDED: 14,
  MMP_GROUP_FROZEN: 15,
  INVALID_MARGIN_MODE: 16,
  IN_LIQUIDATION: 17,
  RISK_CHECK_TIMED_OUT: 18,
  TOO_MANY_PENDING_REPLACES: 19,
  ICEBERG_NOT_ALLOWED: 20,
  INVALID_ALLOCATIONS: 21,
  PRICE_TOO_HIGH: 22,
  PRICE_TOO_LOW: 23,
  PRICE_BAND_UNAVAILABLE: 24,
  RATE_LIMIT: 25,
  PORTFOLIO_LOCKED: 26,
  POSITION_LIMIT_EXCEEDED: 27,
  ORDER_SIZE_LIMIT_EXCEEDED: 28,
  MEMBER_SPEED_BUMP_LIMIT_EXCEEDED: 29,
  MMP_MIN_FREEZE_TIME_NOT_ELAPSED: 30,
  CANCEL_ONLY: 31,
} as const

/** Reasons of MassQuoteReject. */
const massQuoteRejectReasons = {
  SYSTEM_ERROR: 0,
  INVALID_MMP_GROUP: 1,
  MMP_GROUP_DISABLED: 2,
  MMP_GROUP_FROZEN: 3,
  TOO_MANY_QUOTES: 4,
  INVALID_INSTRUMENT: 5,
  RATE_LIMIT: 6,
  PORTFOLIO_LOCKED: 7,
  DUPLICATE_INSTRUMENT: 8,
  MMP_MIN_FREEZE_TIME_NOT_ELAPSED: 9,
} as const

/** Reasons of CancelOrderReject. */
const cancelOrderRejectReasons = {
  ERROR: 0,
  UNKNOWN_ORDER: 1,
  CLIENT_PERMISSION_ERROR: 2,
  NOT_ALLOWED_BY_MARKET_STATE: 3,
  CANCEL_PENDING: 4,
  IN_LIQUIDATION: 5,
  INVALID_INSTRUMENT: 6,
  TIME_IN_FORCE: 7,
  SPEED_BUMP_CONVERTED_TO_IOC: 8,
} as const

/** Reasons of MassCancelReject, which also answers MassQuoteCancelRequest. */
const massCancelRejectReasons = {
  ERROR: 0,
  INVALID_MMP_GROUP: 1,
  CLIENT_PERMISSION_ERROR: 2,
  NOT_ALLOWED_BY_MARKET_STATE: 3,
} as const

/** Reasons of the rejects of requests for the status of market-maker protection. */
const mmpStatusRejectReasons = { SYSTEM_ERROR: 0, INVALID_MMP_GROUP: 1 } as const

/** Reasons of Reject, for a message that is wrong regardless of its content. */
const messageRejectReasons = {
  INVALID_SCHEMA_ID: 1,
  INVALID_TEMPLATE_ID: 2,
  INVALID_BLOCK_LENGTH: 3,
  INVALID_FIELD_VALUE: 4,
  MESSAGE_DISABLED: 5,
  GATEWAY_NOT_ACTIVE: 6,
} as const

/** Why an order was cancelled. */
const cancelReasons = {
  UNKNOWN: 0,
  SELF_MATCH_PREVENTION: 1,
  TIME_IN_FORCE: 2,
  ADMIN: 3,
  MM_PROTECTION: 4,
  LIQUIDATION: 5,
  MARKET_STATE_TRANSITION: 6,
  CLIENT_DISCONNECT: 7,
  REDUCE_ONLY: 8,
  DELIVERED: 9,
  SETTLEMENT: 10,
  BOOK_DEACTIVATED: 11,
  BY_REQUEST: 12,
  RISK_CHECK_TIMED_OUT: 13,
  MMP_GROUP_DELETED: 14,
  PORTFOLIO_LOCKED: 15,
  POST_ONLY: 16,
  QTY_TICK_SIZE_RESCALE: 17,
} as const

/** Every table of reasons, by the message or field that contains them. */
export const reasonTables = {
  NewOrderReject: orderRejectReasons,
  AmendOrderReject: orderRejectReasons,
  CancelOrderReject: cancelOrderRejectReasons,
  MassQuoteReject: massQuoteRejectReasons,
  MassCancelReject: massCancelRejectReasons,
  MassQuoteMmpStatusReject: mmpStatusRejectReasons,
  OrdersMmpStatusReject: mmpStatusRejectReasons,
  Reject: messageRejectReasons,
  CancelReason: cancelReasons,
} as const

const orderReasonVersions: Gates<ReasonOf<'NewOrderReject'>> = {
  MMP_MIN_FREEZE_TIME_NOT_ELAPSED: { since: 15, older: 'MMP_GROUP_FROZEN' },
  CANCEL_ONLY: { since: 18, older: 'NOT_ALLOWED_BY_MARKET_STATE' },
}

/** Reasons that the oldest version does not have. */
export const reasonVersions: { readonly [T in ReasonTable]?: Gates<ReasonOf<T>> } = {
  NewOrderReject: orderReasonVersions,
  AmendOrderReject: orderReasonVersions,
  MassQuoteReject: {
    MMP_MIN_FREEZE_TIME_NOT_ELAPSED: { since: 15, older: 'MMP_GROUP_FROZEN' },
  },
  Reject: { GATEWAY_NOT_ACTIVE: { since: 14, older: 'MESSAGE_DISABLED' } },
  CancelReason: { QTY_TICK_SIZE_RESCALE: { since: 9, older: 'ADMIN' } },
}

const reasonNumbers: {
  readonly [T in ReasonTable]: { readonly [N in ReasonOf<T>]: number }
} = reasonTables

/** Rule: direct.version-gates. The reason that a session of a version receives. */
export function reasonIn<T extends ReasonTable>(table: T, name: ReasonOf<T>, version: number): Reason {
  const gates: Gates<ReasonOf<T>> | undefined = reasonVersions[table]
  const gate = gates?.[name]
  const reported = gate === undefined || version >= gate.since ? name : gate.older
  return { code: reasonNumbers[table][reported], name: reported }
}
