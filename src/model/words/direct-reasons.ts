/**
 * The reasons of the binary order entry with their numbers: why a message is refused, and why an order was cancelled.
 * Newer reasons also have the first version of the schema that supports them and the reason for older versions.
 *
 * Source: sessions document 8.4 (Reject), 8.7 (tables), 8.13 (versions); trading.md 9.2; S303-S307, S324-S332.
 */

/** Reasons of NewOrderReject and AmendOrderReject, and of one side of a mass quote. */
export const orderRejectReasons = {
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
export const massQuoteRejectReasons = {
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
export const cancelOrderRejectReasons = {
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
export const massCancelRejectReasons = {
  ERROR: 0,
  INVALID_MMP_GROUP: 1,
  CLIENT_PERMISSION_ERROR: 2,
  NOT_ALLOWED_BY_MARKET_STATE: 3,
} as const

/** Reasons of the rejects of requests for the status of market-maker protection. */
export const mmpStatusRejectReasons = { SYSTEM_ERROR: 0, INVALID_MMP_GROUP: 1 } as const

/** Reasons of Reject, for a message that is wrong regardless of its content. */
export const messageRejectReasons = {
  INVALID_SCHEMA_ID: 1,
  INVALID_TEMPLATE_ID: 2,
  INVALID_BLOCK_LENGTH: 3,
  INVALID_FIELD_VALUE: 4,
  MESSAGE_DISABLED: 5,
  GATEWAY_NOT_ACTIVE: 6,
} as const

/** Why an order was cancelled. */
export const cancelReasons = {
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

const orderGates: Gates<ReasonOf<'NewOrderReject'>> = {
  MMP_MIN_FREEZE_TIME_NOT_ELAPSED: { since: 15, older: 'MMP_GROUP_FROZEN' },
  CANCEL_ONLY: { since: 18, older: 'NOT_ALLOWED_BY_MARKET_STATE' },
}

/** Reasons that the oldest version does not have. */
export const reasonGates: { readonly [T in ReasonTable]?: Gates<ReasonOf<T>> } = {
  NewOrderReject: orderGates,
  AmendOrderReject: orderGates,
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
  const gates: Gates<ReasonOf<T>> | undefined = reasonGates[table]
  const gate = gates?.[name]
  const told = gate === undefined || version >= gate.since ? name : gate.older
  return { code: reasonNumbers[table][told], name: told }
}
