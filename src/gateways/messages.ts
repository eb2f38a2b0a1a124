/**
 * Direct access as a table: every message with its number in the schema, its first version, its sender, and its fields
 * in the order of their bytes.
 *
 * The JSON of answers and messages is made from this table (`message-json.ts`), and a test compares the words of
 * requests with it. An encoding in bytes can be built on it; none exists so far.
 *
 * Rule: direct.message-table. Source: sessions-blocks-gateways.md 8.4-8.6, 8.13; S289, S324-S333.
 */
import { directMessages, schemaSince } from '../model/index.ts'
import { field, type MessageField, OLDEST, rowsField } from './fields.ts'

/** A message of direct access. */
export interface GatewayMessage {
  /** Template number in the schema. */
  readonly template: number
  /** The first version of the schema with the message. */
  readonly since: number
  /**
   * The sender of the message.
   * - `client`: a request of the client.
   * - `answer`: an answer of the gateway to a request.
   * - `event`: a notification of the gateway.
   * - `session`: a message of either side about the session itself.
   */
  readonly from: 'client' | 'answer' | 'event' | 'session'
  readonly fields: readonly MessageField[]
}

const untold = { word: null }

/** The fields of a match. */
const fill = [field('matchId', 'number'), field('fillPrice', 'price'), field('fillQty', 'amount')] as const
/** Legs of a combo. They are omitted, because each leg is reported as a separate trade. */
const legs = rowsField('legs', [], null)

const requestHead = [field('clientOrderId', 'id'), field('correlationId', 'id'), field('instrumentId', 'instrument')]
/** A cancel names only its order, so the instrument is not in its JSON. */
const cancelHead = [field('correlationId', 'id'), field('instrumentId', 'instrument', untold)] as const

const execution = [field('timestamp', 'ns'), field('execId', 'number')]

/** The state of an order in answers and messages. */
const orderNames = [
  field('clientOrderId', 'id'),
  field('correlationId', 'id'),
  field('orderId', 'id'),
  field('instrumentId', 'instrument'),
]
const orderSizes = [
  field('price', 'price'),
  field('quantity', 'amount'),
  field('totalFilled', 'amount'),
  field('visibleQty', 'amount'),
]
const orderEnd = [field('status', 'word'), field('cancelReason', 'reason')]
const orderRows = [rowsField('fills', fill), legs]

const reject = [...execution, ...orderNames, field('reason', 'reason'), field('details', 'text', { word: 'message' })]
const statusHead = [field('timestamp', 'ns'), field('correlationId', 'id')]
const group = field('mmpGroupId', 'group')
const pair = field('currencyPairId', 'pair')
const frozen = field('frozenUntilTime', 'time')
const frozenUntil = field('frozenUntil', 'time')
const levels = [
  frozenUntil,
  field('quantityLevel', 'level'),
  field('vegaLevel', 'level'),
  field('deltaLevel', 'level'),
  field('trigger', 'word'),
]
const thawed = field('correlationId', 'id')

/** The fields of one side of a quote. */
const bidSide = [
  field('bidOrderId', 'id', { word: 'bid.order_id' }),
  field('bidPrice', 'price', { word: 'bid.price' }),
  field('bidQty', 'amount', { word: 'bid.amount' }),
  field('bidFilledQty', 'amount', { word: 'bid.filled_amount' }),
  field('bidStatus', 'word', { word: 'bid.status' }),
  field('bidRejectReason', 'reason', { word: 'bid.reject_reason' }),
  rowsField('bidFills', fill, 'bid.fills'),
]
const askSide = [
  field('askOrderId', 'id', { word: 'ask.order_id' }),
  field('askPrice', 'price', { word: 'ask.price' }),
  field('askQty', 'amount', { word: 'ask.amount' }),
  field('askFilledQty', 'amount', { word: 'ask.filled_amount' }),
  field('askStatus', 'word', { word: 'ask.status' }),
  field('askRejectReason', 'reason', { word: 'ask.reject_reason' }),
  rowsField('askFills', fill, 'ask.fills'),
]

const client = { since: OLDEST, from: 'client' } as const
const answer = { since: OLDEST, from: 'answer' } as const
const event = { since: OLDEST, from: 'event' } as const
const session = { since: OLDEST, from: 'session' } as const
/** The first version with messages about the state of groups. */
const STATUS_SINCE = 11

/** Every message by its name. */
export const gatewayMessages = {
  LogonRequest: {
    ...client,
    template: 1,
    fields: [
      field('clientId', 'text'),
      field('secret', 'text'),
      field('resetSeqNum', 'flag'),
      field('schemaVersion', 'number', { since: 12 }),
      field('cancelOnDisconnect', 'flag', { since: schemaSince.cancelOnDisconnect }),
    ],
  },
  LogonResponse: {
    ...session,
    template: 2,
    fields: [field('heartbeatIntervalSeconds', 'seconds'), field('schemaVersion', 'number', { since: 12 })],
  },
  LogoutRequest: { ...client, template: 4, fields: [field('reason', 'text')] },
  LoggedOut: { ...session, template: 5, fields: [field('reason', 'text')] },
  Heartbeat: { ...session, template: 10, fields: [field('correlationId', 'id')] },
  TestRequest: { ...session, template: 11, fields: [field('correlationId', 'id')] },
  ResendRequest: {
    ...client,
    template: 20,
    fields: [field('from', 'number'), field('to', 'number')],
  },
  GapFill: { ...session, template: 21, fields: [field('newSequenceNumber', 'number')] },
  Reject: {
    ...answer,
    template: 30,
    fields: [
      field('refSequenceNumber', 'number', untold),
      field('reason', 'reason'),
      field('details', 'text', { word: 'message' }),
    ],
  },
  NewOrderRequest: {
    ...client,
    template: directMessages.NewOrderRequest,
    fields: [
      ...requestHead,
      field('price', 'price'),
      field('quantity', 'amount'),
      field('showQty', 'amount'),
      field('selfMatchPreventionId', 'number', untold),
      field('side', 'word'),
      field('timeInForce', 'word'),
      field('flags', 'flags'),
      field('selfTradingMode', 'word', untold),
    ],
  },
  AmendOrderRequest: {
    ...client,
    template: directMessages.AmendOrderRequest,
    fields: [
      field('clientOrderId', 'id'),
      ...cancelHead,
      field('price', 'price'),
      field('quantity', 'amount'),
      field('showQty', 'amount'),
      field('flags', 'flags'),
    ],
  },
  CancelOrderRequest: {
    ...client,
    template: directMessages.CancelOrderRequest,
    fields: [field('clientOrderId', 'id'), ...cancelHead],
  },
  CancelOrderByIdRequest: {
    ...client,
    template: directMessages.CancelOrderByIdRequest,
    fields: [field('orderId', 'id'), ...cancelHead],
  },
  MassQuoteRequest: {
    ...client,
    template: directMessages.MassQuoteRequest,
    fields: [
      field('quoteId', 'id'),
      field('correlationId', 'id'),
      group,
      field('selfMatchPreventionId', 'number', untold),
      field('flags', 'flags'),
      rowsField('quotes', [
        field('instrumentId', 'instrument'),
        field('bidPrice', 'price'),
        field('askPrice', 'price'),
        field('bidQty', 'amount', { word: 'bid_amount' }),
        field('askQty', 'amount', { word: 'ask_amount' }),
        field('bidFlags', 'flags'),
        field('askFlags', 'flags'),
      ]),
    ],
  },
  MassCancelRequest: {
    ...client,
    template: directMessages.MassCancelRequest,
    fields: [
      field('correlationId', 'id'),
      pair,
      field('instrumentId', 'instrument'),
      field('productType', 'word'),
      field('side', 'word'),
    ],
  },
  MassQuoteCancelRequest: {
    ...client,
    template: directMessages.MassQuoteCancelRequest,
    fields: [field('correlationId', 'id'), group, field('side', 'word')],
  },
  GetMassQuoteMmpStatusRequest: {
    ...client,
    template: directMessages.GetMassQuoteMmpStatusRequest,
    since: STATUS_SINCE,
    fields: [field('correlationId', 'id'), group],
  },
  GetOrdersMmpStatusRequest: {
    ...client,
    template: directMessages.GetOrdersMmpStatusRequest,
    since: STATUS_SINCE,
    fields: [field('correlationId', 'id'), pair],
  },
  NewOrderResponse: {
    ...answer,
    template: 200,
    fields: [
      ...execution,
      ...orderNames,
      ...orderSizes,
      field('receiveTime', 'ns'),
      field('side', 'word'),
      ...orderEnd,
      field('flags', 'flags', { since: 19 }),
      ...orderRows,
    ],
  },
  NewOrderReject: { ...answer, template: 202, fields: reject },
  AmendOrderResponse: {
    ...answer,
    template: 210,
    fields: [...execution, ...orderNames, ...orderSizes, field('receiveTime', 'ns'), ...orderEnd, ...orderRows],
  },
  AmendOrderReject: { ...answer, template: 212, fields: reject },
  CancelOrderResponse: {
    ...answer,
    template: 220,
    fields: [
      ...execution,
      ...orderNames,
      field('receiveTime', 'ns'),
      field('quantity', 'amount', { since: 16 }),
      field('totalFilled', 'amount', { since: 16 }),
    ],
  },
  CancelOrderReject: { ...answer, template: 222, fields: reject },
  MassQuoteResponse: {
    ...answer,
    template: 230,
    fields: [
      ...execution,
      field('quoteId', 'id'),
      field('correlationId', 'id'),
      group,
      field('receiveTime', 'ns'),
      rowsField('quotes', [field('instrumentId', 'instrument'), ...bidSide, ...askSide]),
      legs,
    ],
  },
  MassQuoteReject: {
    ...answer,
    template: 232,
    fields: [
      ...execution,
      field('quoteId', 'id'),
      field('correlationId', 'id'),
      group,
      field('reason', 'reason'),
      field('details', 'text', { word: 'message' }),
    ],
  },
  MassCancelResponse: {
    ...answer,
    template: 240,
    fields: [
      ...execution,
      field('correlationId', 'id'),
      field('receiveTime', 'ns'),
      field('totalOrderCount', 'number'),
    ],
  },
  MassCancelReject: {
    ...answer,
    template: 242,
    fields: [
      ...execution,
      field('correlationId', 'id'),
      field('reason', 'reason'),
      field('details', 'text', { word: 'message' }),
    ],
  },
  MassQuoteMmpStatusResponse: {
    ...answer,
    template: 280,
    since: STATUS_SINCE,
    fields: [...statusHead, group, frozen],
  },
  MassQuoteMmpStatusReject: {
    ...answer,
    template: 281,
    since: STATUS_SINCE,
    fields: [...statusHead, field('reason', 'reason')],
  },
  OrdersMmpStatusResponse: {
    ...answer,
    template: 282,
    since: STATUS_SINCE,
    fields: [...statusHead, pair, frozen],
  },
  OrdersMmpStatusReject: {
    ...answer,
    template: 283,
    since: STATUS_SINCE,
    fields: [...statusHead, field('reason', 'reason')],
  },
  OrderFilled: {
    ...event,
    template: 300,
    // Each fill is a separate message here; the schema has a list of fills.
    fields: [
      ...execution,
      field('clientOrderId', 'id'),
      field('orderId', 'id'),
      field('instrumentId', 'instrument'),
      ...fill,
      field('totalFilled', 'amount'),
      field('side', 'word'),
      field('flags', 'flags'),
      legs,
    ],
  },
  OrdersCanceled: {
    ...event,
    template: 310,
    fields: [
      ...execution,
      field('flags', 'flags'),
      rowsField('orders', [
        field('clientOrderId', 'id'),
        field('orderId', 'id'),
        field('instrumentId', 'instrument'),
        field('totalFilled', 'amount'),
        field('cancelReason', 'reason'),
        field('flags', 'flags'),
      ]),
    ],
  },
  OrderPlaced: {
    ...event,
    template: 312,
    fields: [
      ...execution,
      field('clientOrderId', 'id'),
      field('orderId', 'id'),
      field('instrumentId', 'instrument'),
      ...orderSizes,
      ...orderEnd,
      field('correlationId', 'id'),
      ...orderRows,
    ],
  },
  MassQuoteOrdersPlaced: {
    ...event,
    template: 314,
    // Each order is a separate message here; the schema has a list of orders.
    fields: [
      ...execution,
      field('mmpGroupId', 'group', untold),
      field('clientOrderId', 'id'),
      field('orderId', 'id'),
      field('instrumentId', 'instrument'),
      ...orderSizes,
      field('side', 'word'),
      ...orderEnd,
      ...orderRows,
    ],
  },
  MassQuoteMmpTriggered: {
    ...event,
    template: 320,
    fields: [...execution, group, ...levels],
  },
  OrdersMmpTriggered: { ...event, template: 322, fields: [...execution, pair, ...levels] },
  MassQuoteMmpUnfrozen: { ...event, template: 324, fields: [...execution, group, thawed] },
  OrdersMmpUnfrozen: { ...event, template: 326, fields: [...execution, pair, thawed] },
} as const satisfies { readonly [name: string]: GatewayMessage }

/** The name of a message. */
export type MessageName = keyof typeof gatewayMessages

/** True if a version of the schema has a message. */
export function hasMessage(version: number, name: MessageName): boolean {
  return version >= gatewayMessages[name].since
}
