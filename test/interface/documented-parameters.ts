/**
 * Parameters of every operation that the interface document describes. Names that the document does not show are not
 * here.
 *
 * Source: interface document, Endpoints and Limits; S180-S200, S202-S236, S237-S272; R34, R73.
 */

/** A parameter: a partial JSON Schema, and whether it is required. */
export interface DocumentedParameter {
  readonly required?: true
  readonly type?: 'string' | 'number' | 'integer' | 'boolean' | 'array'
  readonly enum?: readonly string[]
  readonly default?: string | number | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
}

/**
 * Requests accept every currency of `public/get_currencies`. The document lists only those in which instruments settle.
 */
const currencies = [
  ...['BTC', 'ETH', 'USDC', 'USDT', 'EURR'],
  ...['SOL', 'XRP', 'STETH', 'USYC', 'PAXG', 'BNB', 'USDE'],
]
const sorting = { type: 'string', enum: ['asc', 'desc', 'default'] } as const
const time = { type: 'integer' } as const
const number = { type: 'number' } as const
const flag = { type: 'boolean' } as const
const text = { type: 'string' } as const
const label = { type: 'string', maxLength: 64 } as const
const advanced = { type: 'string', enum: ['usd', 'implv'] } as const

const order = {
  instrument_name: { required: true, ...text },
  amount: number,
  contracts: number,
  type: {
    type: 'string',
    default: 'limit',
    enum: [
      ...['limit', 'stop_limit', 'take_limit', 'market', 'stop_market', 'take_market'],
      ...['market_limit', 'trailing_stop'],
    ],
  },
  label,
  price: number,
  time_in_force: {
    type: 'string',
    default: 'good_til_cancelled',
    enum: ['good_til_cancelled', 'good_til_day', 'fill_or_kill', 'immediate_or_cancel'],
  },
  post_only: flag,
  reject_post_only: flag,
  reduce_only: flag,
  trigger_price: number,
  trigger: { type: 'string', enum: ['index_price', 'mark_price', 'last_price'] },
  advanced,
} as const

/** The parameters of each method. */
export const documentedParameters: Readonly<Record<string, Readonly<Record<string, DocumentedParameter>>>> = {
  'public/get_last_trades_by_instrument': {
    instrument_name: { required: true, ...text },
    start_timestamp: time,
    end_timestamp: time,
    count: { type: 'integer', minimum: 1, maximum: 1000, default: 10 },
    sorting,
  },
  'public/get_last_trades_by_instrument_and_time': {
    instrument_name: { required: true, ...text },
    start_timestamp: { required: true, ...time },
    end_timestamp: { required: true, ...time },
    count: { type: 'integer', minimum: 1, maximum: 1000, default: 10 },
    sorting,
  },
  'public/get_last_settlements_by_currency': {
    currency: { required: true, type: 'string', enum: currencies },
    type: { type: 'string', enum: ['settlement', 'delivery', 'bankruptcy'] },
    count: { type: 'integer', minimum: 1, maximum: 1000, default: 20 },
    continuation: text,
  },
  'public/get_expirations': {
    currency: {
      required: true,
      type: 'string',
      enum: [...currencies, 'any', 'grouped'],
    },
    kind: { required: true, type: 'string', enum: ['future', 'option', 'any'] },
  },
  'public/get_instruments': {
    currency: { type: 'string', enum: currencies },
    kind: { type: 'string', enum: ['future', 'option', 'spot', 'future_combo', 'option_combo'] },
    instrument_id: { type: 'integer' },
    product_group: { type: 'string', enum: ['BTC', 'ETH', 'TIER_2', 'TIER_3'] },
    state: {
      type: 'string',
      enum: ['open', 'inactive', 'settlement', 'delivered', 'locked', 'halted'],
    },
  },
  'private/sell': order,
  'private/buy': order,
  'private/edit': {
    order_id: { required: true, ...text },
    amount: number,
    contracts: number,
    price: number,
    post_only: flag,
    reject_post_only: flag,
    reduce_only: flag,
    advanced,
    trigger_price: number,
  },
  'private/get_open_orders': {
    kind: { type: 'string', enum: ['future', 'option', 'spot', 'future_combo', 'option_combo'] },
    type: {
      type: 'string',
      default: 'all',
      enum: [
        ...['all', 'limit', 'trigger_all', 'stop_all', 'stop_limit', 'stop_market', 'take_all'],
        ...['take_limit', 'take_market', 'trailing_all', 'trailing_stop'],
      ],
    },
  },
  'private/cancel_by_label': {
    label: { required: true, ...label },
    currency: { type: 'string', enum: currencies },
  },
  'private/execute_block_trade': {
    timestamp: { required: true, ...time },
    nonce: { required: true, ...text },
    role: { required: true, type: 'string', enum: ['maker', 'taker'] },
    trades: { required: true, type: 'array' },
    counterparty_signature: { required: true, ...text },
  },
  'private/invalidate_block_trade_signature': { signature: { required: true, ...text } },
  'private/cancel_block_rfq': { block_rfq_id: { required: true, type: 'integer' } },
  'private/cancel_block_rfq_trigger': { block_rfq_id: { required: true, type: 'integer' } },
  'private/get_subaccounts': { with_portfolio: { type: 'boolean', default: false } },
  'private/get_lsp_usage': {},
  'private/remove_from_address_book': {
    currency: { required: true, type: 'string', enum: [...currencies, 'all'] },
    type: { required: true, type: 'string', enum: ['transfer', 'withdrawal'] },
    address: text,
    network: text,
    tag: text,
    id: text,
  },
  'private/logout': {
    access_token: text,
    invalidate_token: { type: 'boolean', default: true },
  },
}

/** Scopes of methods (interface document, Authentication 5). */
export const documentedScopes: Readonly<Record<string, string>> = {
  'private/get_open_orders': 'trade:read',
  'private/sell': 'trade:read_write',
  'private/edit': 'trade:read_write',
  'private/cancel_by_label': 'trade:read_write',
  'private/execute_block_trade': 'block_trade:read_write',
  'private/invalidate_block_trade_signature': 'block_trade:read_write',
  'private/cancel_block_rfq': 'block_rfq:read_write',
  'private/cancel_block_rfq_trigger': 'block_rfq:read_write',
  'private/get_subaccounts': 'account:read',
  'private/get_lsp_usage': 'account:read',
  'private/remove_from_address_book': 'wallet:read_write',
}
