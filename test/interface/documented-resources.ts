/**
 * Resources of the interface document: fields that are always present, words and whole numbers. A reply may have more
 * fields, and may omit optional ones.
 *
 * Source: interface document, Resources; S020-S165.
 */

/** A field: its type and its possible words. */
export interface DocumentedField {
  readonly required?: true
  readonly type?: 'string' | 'integer' | 'number' | 'boolean'
  readonly enum?: readonly (string | number)[]
}

const text = { type: 'string' } as const
const number = { type: 'number' } as const
const integer = { type: 'integer' } as const
const flag = { type: 'boolean' } as const
const direction = { type: 'string', enum: ['buy', 'sell'] } as const
const advanced = { type: 'string', enum: ['usd', 'implv'] } as const

const publicTrade = {
  trade_id: { required: true, ...text },
  trade_seq: { required: true, ...integer },
  instrument_name: { required: true, ...text },
  timestamp: { required: true, ...integer },
  direction: { required: true, ...direction },
  tick_direction: { required: true, type: 'number', enum: [0, 1, 2, 3] },
  index_price: { required: true, ...number },
  price: { required: true, ...number },
  amount: { required: true, ...number },
  mark_price: { required: true, ...number },
  contracts: number,
  iv: number,
  liquidation: { type: 'string', enum: ['M', 'T', 'MT'] },
  block_trade_id: text,
  block_trade_leg_count: integer,
  block_rfq_id: integer,
  combo_id: text,
  combo_trade_id: text,
  alt_timestamp: integer,
  alt_match_id: integer,
} as const

/** The fields of each type. */
export const documentedResources: Readonly<Record<string, Readonly<Record<string, DocumentedField>>>> = {
  WireTrade: publicTrade,
  WireUserTrade: {
    ...publicTrade,
    order_id: { required: true, ...text },
    fee: { required: true, ...number },
    liquidity: { required: true, ...text },
    order_type: { required: true, type: 'string', enum: ['limit', 'market', 'liquidation'] },
    state: {
      type: 'string',
      enum: ['open', 'filled', 'rejected', 'cancelled', 'untriggered', 'archive'],
    },
    fee_currency: {
      type: 'string',
      enum: [...['BTC', 'ETH', 'USDC', 'USDT', 'EURR', 'SOL', 'XRP', 'STETH', 'USYC', 'PAXG', 'BNB'], 'USDE'],
    },
    reduce_only: flag,
    post_only: flag,
    underlying_price: number,
    advanced,
  },
  WireOrder: {
    order_id: text,
    order_state: {
      type: 'string',
      enum: ['open', 'filled', 'rejected', 'cancelled', 'untriggered', 'triggered'],
    },
    order_type: {
      type: 'string',
      enum: [...['market', 'limit', 'stop_market', 'stop_limit', 'take_market', 'take_limit'], 'trailing_stop'],
    },
    time_in_force: {
      type: 'string',
      enum: ['good_til_cancelled', 'good_til_day', 'fill_or_kill', 'immediate_or_cancel'],
    },
    instrument_name: text,
    creation_timestamp: integer,
    last_update_timestamp: integer,
    direction,
    label: text,
    post_only: flag,
    reject_post_only: flag,
    reduce_only: flag,
    api: flag,
    web: flag,
    amount: number,
    contracts: number,
    filled_amount: number,
    average_price: number,
    max_show: number,
    replaced: flag,
    is_liquidation: flag,
    is_rebalance: flag,
    advanced,
    implv: number,
    usd: number,
    triggered: flag,
    trigger: { type: 'string', enum: ['index_price', 'mark_price', 'last_price'] },
    trigger_price: number,
    cancel_reason: {
      type: 'string',
      enum: [
        ...['user_request', 'autoliquidation', 'cancel_on_disconnect', 'risk_mitigation'],
        ...['pme_risk_reduction', 'pme_account_locked', 'position_locked', 'mmp_trigger'],
        ...['mmp_config_curtailment', 'edit_post_only_reject', 'oco_other_closed'],
        ...['oto_primary_closed', 'settlement'],
      ],
    },
    instrument_id: integer,
    product_group: text,
  },
  WireSettlement: {
    type: { required: true, type: 'string', enum: ['settlement', 'delivery', 'bankruptcy'] },
    timestamp: { required: true, ...integer },
    instrument_name: text,
    index_price: number,
    mark_price: number,
    position: number,
    profit_loss: number,
    session_profit_loss: number,
    funding: number,
  },
  WireBlockRfq: {
    block_rfq_id: integer,
    creation_timestamp: integer,
    expiration_timestamp: integer,
    role: { type: 'string', enum: ['taker', 'maker'] },
    state: { type: 'string', enum: ['open', 'filled', 'cancelled', 'expired'] },
    taker_rating: text,
    amount: number,
    min_trade_amount: number,
    mark_price: number,
    label: text,
    app_name: text,
    disclosed: flag,
  },
  WireRfqLeg: {
    instrument_name: { required: true, ...text },
    ratio: { required: true, ...number },
    direction: { required: true, ...direction },
  },
  WireRfqShown: {
    maker: { required: true, ...text },
    price: { required: true, ...number },
    amount: { required: true, ...number },
    last_update_timestamp: { required: true, ...integer },
    expiration_timestamp: { required: true, ...integer },
    execution_instruction: {
      required: true,
      type: 'string',
      enum: ['any_part_of', 'all_or_none'],
    },
  },
  WireRfqTrigger: {
    state: { required: true, type: 'string', enum: ['triggered', 'untriggered', 'cancelled'] },
    price: { required: true, ...number },
    direction: { required: true, ...direction },
    cancel_reason: text,
  },
  WireSubaccount: {
    id: integer,
    type: { type: 'string', enum: ['main', 'subaccount'] },
    email: text,
    username: text,
    system_name: text,
    is_password: flag,
    login_enabled: flag,
    receive_notifications: flag,
    margin_model: text,
    security_keys_enabled: flag,
  },
  WirePortfolio: {
    currency: text,
    balance: number,
    equity: number,
    margin_balance: number,
    initial_margin: number,
    maintenance_margin: number,
    available_funds: number,
    available_withdrawal_funds: number,
    additional_reserve: number,
    spot_reserve: number,
  },
  WireLspUsages: { cooldown_period_ms: { required: true, ...integer } },
  WireLspUsage: { pct: number, used: number },
}
