/**
 * Direct access as a table: every message with its number in the schema, the first version that knows it, who sends
 * it, and its fields in the order of their bytes.
 *
 * The words of requests and replies are held to it by a test. An encoding in bytes can be built on it; there is none so far.
 *
 * Rule: direct.message-table. Source: sessions-blocks-gateways.md 8.4-8.6, 8.13; S289, S324-S333.
 */
import { defined } from '../core/index.ts'
import { directMessages } from '../model/index.ts'
import { field, fieldsOf, type MessageField, OLDEST, rowsOf } from './fields.ts'

/** A message of direct access. */
export interface GatewayMessage {
  /** Its number in the schema. */
  readonly template: number
  /** The first version of the schema that knows it. */
  readonly since: number
  /**
   * Who sends it.
   * - `client`: the client asks.
   * - `answer`: the gateway answers a request.
   * - `event`: the gateway tells what happened.
   * - `session`: either side, about the session itself.
   */
  readonly from: 'client' | 'answer' | 'event' | 'session'
  readonly fields: readonly MessageField[]
}

const untold = { word: null }

/** The fields of a match. */
const fill = fieldsOf({ matchId: 'number', fillPrice: 'price', fillQty: 'amount' })
/** Legs of a combo, which are told as trades of their own. */
const legs = rowsOf('legs', [], null)

const requestHead = [
  field('clientOrderId', 'number'),
  field('correlationId', 'number'),
  field('instrumentId', 'instrument'),
]
/** A cancel names its order, which has an instrument. */
const cancelHead = [
  field('correlationId', 'number'),
  field('instrumentId', 'instrument', untold),
] as const

const execution = [field('timestamp', 'ns'), field('execId', 'number')]

/** The state of an order in answers and messages. */
const orderNames = [
  field('clientOrderId', 'number'),
  field('correlationId', 'number'),
  field('orderId', 'number'),
  field('instrumentId', 'instrument'),
]
const orderSizes = [
  field('price', 'price'),
  field('quantity', 'amount'),
  field('totalFilled', 'amount'),
  field('visibleQty', 'amount'),
]
const orderEnd = [field('status', 'word'), field('cancelReason', 'reason')]
const orderRows = [rowsOf('fills', fill), legs]

const reject = [
  ...execution,
  ...orderNames,
  field('reason', 'reason'),
  field('details', 'text', { word: 'message' }),
]
const statusHead = [field('timestamp', 'ns'), field('correlationId', 'number')]
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
const thawed = field('correlationId', 'number')

function quoteSide(side: 'bid' | 'ask'): readonly MessageField[] {
  return [
    field(`${side}OrderId`, 'number', { word: `${side}.order_id` }),
    field(`${side}Price`, 'price', { word: `${side}.price` }),
    field(`${side}Qty`, 'amount', { word: `${side}.amount` }),
    field(`${side}FilledQty`, 'amount', { word: `${side}.filled_amount` }),
    field(`${side}Status`, 'word', { word: `${side}.status` }),
    field(`${side}RejectReason`, 'reason', { word: `${side}.reject_reason` }),
    rowsOf(`${side}Fills`, fill, `${side}.fills`),
  ]
}

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
      field('cancelOnDisconnect', 'flag', { since: 13 }),
    ],
  },
  LogonResponse: {
    ...session,
    template: 2,
    fields: [
      field('heartbeatIntervalSeconds', 'seconds'),
      field('schemaVersion', 'number', { since: 12 }),
    ],
  },
  LogoutRequest: { ...client, template: 4, fields: [field('reason', 'text')] },
  LoggedOut: { ...session, template: 5, fields: [field('reason', 'text')] },
  Heartbeat: { ...session, template: 10, fields: [field('correlationId', 'number')] },
  TestRequest: { ...session, template: 11, fields: [field('correlationId', 'number')] },
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
      field('clientOrderId', 'number'),
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
    fields: [field('clientOrderId', 'number'), ...cancelHead],
  },
  CancelOrderByIdRequest: {
    ...client,
    template: directMessages.CancelOrderByIdRequest,
    fields: [field('orderId', 'number'), ...cancelHead],
  },
  MassQuoteRequest: {
    ...client,
    template: directMessages.MassQuoteRequest,
    fields: [
      field('quoteId', 'number'),
      field('correlationId', 'number'),
      group,
      field('selfMatchPreventionId', 'number', untold),
      field('flags', 'flags'),
      rowsOf('quotes', [
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
      field('correlationId', 'number'),
      pair,
      field('instrumentId', 'instrument'),
      field('productType', 'word'),
      field('side', 'word'),
    ],
  },
  MassQuoteCancelRequest: {
    ...client,
    template: directMessages.MassQuoteCancelRequest,
    fields: [field('correlationId', 'number'), group, field('side', 'word')],
  },
  GetMassQuoteMmpStatusRequest: {
    ...client,
    template: directMessages.GetMassQuoteMmpStatusRequest,
    since: STATUS_SINCE,
    fields: [field('correlationId', 'number'), group],
  },
  GetOrdersMmpStatusRequest: {
    ...client,
    template: directMessages.GetOrdersMmpStatusRequest,
    since: STATUS_SINCE,
    fields: [field('correlationId', 'number'), pair],
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
    fields: [
      ...execution,
      ...orderNames,
      ...orderSizes,
      field('receiveTime', 'ns'),
      ...orderEnd,
      ...orderRows,
    ],
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
      field('quoteId', 'number'),
      field('correlationId', 'number'),
      group,
      field('receiveTime', 'ns'),
      rowsOf('quotes', [
        field('instrumentId', 'instrument'),
        ...quoteSide('bid'),
        ...quoteSide('ask'),
      ]),
      legs,
    ],
  },
  MassQuoteReject: {
    ...answer,
    template: 232,
    fields: [
      ...execution,
      field('quoteId', 'number'),
      field('correlationId', 'number'),
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
      field('correlationId', 'number'),
      field('receiveTime', 'ns'),
      field('totalOrderCount', 'number'),
    ],
  },
  MassCancelReject: {
    ...answer,
    template: 242,
    fields: [
      ...execution,
      field('correlationId', 'number'),
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
    // One fill is a message here; the schema has a list of them.
    fields: [
      ...execution,
      field('clientOrderId', 'number'),
      field('orderId', 'number'),
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
      rowsOf('orders', [
        field('clientOrderId', 'number'),
        field('orderId', 'number'),
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
      field('clientOrderId', 'number'),
      field('orderId', 'number'),
      field('instrumentId', 'instrument'),
      ...orderSizes,
      ...orderEnd,
      field('correlationId', 'number'),
      ...orderRows,
    ],
  },
  MassQuoteOrdersPlaced: {
    ...event,
    template: 314,
    // One order is a message here; the schema has a list of them.
    fields: [
      ...execution,
      field('mmpGroupId', 'group', untold),
      field('clientOrderId', 'number'),
      field('orderId', 'number'),
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

/** True if a version of the schema has a message, or the field of it that is named. */
export function hasMessage(version: number, name: MessageName, fieldName?: string): boolean {
  const { since, fields }: GatewayMessage = gatewayMessages[name]
  if (fieldName === undefined) return version >= since
  const found = fields.find((each) => each.name === fieldName)
  return version >= defined(found, 'a field that is asked for is one of its message').since
}
