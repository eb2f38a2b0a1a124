/**
 * The methods of the REST interface of a gateway. Some of them have names of JSON-RPC methods but a different meaning.
 *
 * Source: sessions document 1.5, 8.11, 8.15; coverage R28; S245-S249, S293.
 */

import { type Amount, amount, type Lots, scaledToNumber, z } from '../../../../core/index.ts'
import { allInstruments, type OrderView, openOrders, pairNumberOf, viewRiskLimits } from '../../../../engine/index.ts'
import { anyOrder, coinSize9, type Instrument, originOf, type Side, type TimeInForce } from '../../../../model/index.ts'
import { tradesOfOrder } from '../../../history/index.ts'
import { moneyOut, priceOut, timeOut, type WireInstrument } from '../../../wire/index.ts'
import { instrumentFilters, instrumentOut, listedInstruments } from '../../market/instruments.ts'
import { asker, defineMethod, type Method, queryOf, type ReplyContext, unreadable, validRequest } from '../../method.ts'
import { traderNamed, unknownAccount } from '../../params.ts'

/** The limits of one pair. */
export interface WireRiskLimits {
  readonly currency_pair: string
  readonly max_future_position?: number
  readonly max_option_position?: number
  readonly max_future_open_order_size?: number
  readonly max_option_open_order_size?: number
}

type GatewayKind = (typeof gatewayKinds)[number]

/** An instrument in a gateway's list. */
export interface GatewayInstrument extends Pick<WireInstrument, (typeof fields)[number]> {
  readonly kind: GatewayKind
  /** Price index of the currency pair. */
  readonly currency_pair: string
  /** Number of the currency pair, which never changes within a run. */
  readonly currency_pair_id: number
}

/** An order in a gateway's list. */
export interface GatewayOrder {
  readonly order_id: string
  readonly instrument_name: string
  readonly side: Side
  readonly price: number
  readonly amount: number
  readonly filled_amount: number
  readonly average_price: number
  readonly order_state: 'open'
  readonly order_type: 'limit'
  readonly time_in_force: 'GTC' | 'IOC' | 'FOK' | 'GTD'
  readonly post_only: boolean
  readonly reduce_only: boolean
  readonly creation_timestamp: number
  readonly last_update_timestamp: number
  readonly label: string
  readonly api: boolean
  readonly max_show: number
  readonly profit_loss: number
  readonly commission: number
}

/**
 * private/lock_portfolio and unlock_portfolio of the REST gateway, and sim/lock_portfolio.
 *
 * Source: sessions document 1.5, 8.11; coverage R61; S172-S174, S248.
 */

/** Ends all direct access of the requesting portfolio: cancels its orders and quotes and rejects new ones. */
export const lockPortfolio = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'rest_gateway',
  command: 'lock_portfolio',
  params: z.object({}),
  read: () => validRequest({ kind: 'lock_portfolio', target: null, locked: true }),
  reply: () => 'ok',
})

/** Allows the requesting portfolio to trade by direct access again; cancelled orders are not restored. */
export const unlockPortfolio = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'rest_gateway',
  command: 'lock_portfolio',
  params: z.object({}),
  read: () => validRequest({ kind: 'lock_portfolio', target: null, locked: false }),
  reply: () => 'ok',
})

/** Locks or unlocks any portfolio, without a session. */
const setPortfolioLock = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'lock_portfolio',
  params: z.object({
    account: z.string().describe('name of an account'),
    locked: z.boolean().default(true).describe('true to lock it'),
  }),
  read: (context, params) => {
    const target = traderNamed(context.exchange, params.account)
    if (target === undefined) return { body: unreadable('lock_portfolio'), fault: unknownAccount }
    return validRequest({ kind: 'lock_portfolio', target, locked: params.locked })
  },
  reply: () => 'ok',
})

const NANO_SCALE = 9

const times: { readonly [T in TimeInForce]: GatewayOrder['time_in_force'] } = {
  good_til_cancelled: 'GTC',
  good_til_day: 'GTD',
  fill_or_kill: 'FOK',
  immediate_or_cancel: 'IOC',
}

/** The kinds of instruments over a gateway. */
const gatewayKinds = ['perp_future', 'dated_future', 'option', 'spot', 'future_combo', 'option_combo'] as const

/** Fields that are the same as over JSON-RPC. */
const fields = [
  'instrument_id',
  'instrument_name',
  'product_group',
  'base_currency',
  'quote_currency',
  'settlement_currency',
  'tick_size',
  'strike',
  'option_type',
  'is_active',
  'expiration_timestamp',
  'creation_timestamp',
  'min_trade_amount',
  'contract_size',
  'settlement_period',
  'maker_commission',
  'taker_commission',
  'block_trade_commission',
] as const satisfies readonly (keyof WireInstrument)[]

/** Listed instruments of the alternative engine that match all given filters. */
export const getGatewayInstruments = defineMethod({
  scope: 'public',
  sessions: 'rest_gateway',
  command: 'query',
  charge: 'get_instruments',
  params: z.object({
    currency: z.string().optional().describe('base currency, in upper or lower case'),
    kind: z.enum(gatewayKinds).optional().describe('only instruments of this kind'),
    ...instrumentFilters,
  }),
  read: () => queryOf(null),
  reply: (context, params): readonly GatewayInstrument[] =>
    listedInstruments(context, params)
      .filter(
        ({ instrument }) =>
          instrument.engine === 'alt' &&
          (params.kind === undefined || kindOf(instrument) === params.kind) &&
          (params.currency ?? instrument.baseCurrency).toUpperCase() === instrument.baseCurrency,
      )
      .map(({ instrument, state }) => {
        const all = instrumentOut(instrument, state)
        const reported = fields.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const]))
        // `fields` has exactly the fields of this type.
        const shared = Object.fromEntries(reported) as Pick<WireInstrument, (typeof fields)[number]>
        return {
          ...shared,
          kind: kindOf(instrument),
          currency_pair: instrument.priceIndex,
          currency_pair_id: pairNumberOf(context.exchange, instrument.priceIndex),
        }
      }),
})

/** The limits in force, pairs in alphabetical order; a currency selects the pairs with that base currency. */
export const getAltRiskLimits = defineMethod({
  scope: 'direct_access:read',
  sessions: 'rest_gateway',
  command: 'query',
  charge: 'gateway_risk_limits',
  params: z.object({
    currency: z.string().optional().describe('base currency, in upper or lower case'),
  }),
  read: () => queryOf(null),
  reply: (context, { currency }): readonly WireRiskLimits[] =>
    viewRiskLimits(context.exchange, asker(context))
      .filter(([pair]) => currency === undefined || hasBase(context, pair, currency))
      .map(([currency_pair, limits]) => ({
        currency_pair,
        ...field('max_future_position', limits.futurePosition9),
        ...field('max_option_position', limits.optionPosition9),
        ...field('max_future_open_order_size', limits.futureOrder9),
        ...field('max_option_open_order_size', limits.optionOrder9),
      })),
})

/** Open orders of the portfolio in books of the alternative engine. */
const getGatewayOrders = defineMethod({
  scope: 'direct_access:read',
  sessions: 'rest_gateway',
  command: 'query',
  charge: 'gateway_open_orders',
  params: z.object({}),
  read: () => queryOf(null),
  reply: (context): readonly GatewayOrder[] => gatewayOrders(context),
})

// Rule: gateway.cancel-all (R28).
/** Cancels all orders and quotes of the portfolio on both engines, in every session. */
const cancelPortfolio = defineMethod({
  scope: 'direct_access:read_write',
  sessions: 'rest_gateway',
  command: 'cancel_orders',
  params: z.object({}),
  read: () => validRequest({ kind: 'cancel_orders', filter: anyOrder, freezesQuotes: false }),
  reply: (context): number => context.count,
})

/** The methods by name, each with a separate type. */
export const gatewayTable = {
  'public/get_instruments': getGatewayInstruments,
  'private/get_open_orders': getGatewayOrders,
  'private/cancel_all': cancelPortfolio,
  'private/lock_portfolio': lockPortfolio,
  'private/unlock_portfolio': unlockPortfolio,
  'private/get_alt_risk_limits': getAltRiskLimits,
} as const

/** Finds a method of the REST interface of a gateway. */
export function findGatewayMethod(name: string): Method | undefined {
  const table: { readonly [name: string]: unknown } = gatewayTable
  // The methods of the table have different types, which an index signature cannot express.
  return Object.hasOwn(table, name) ? (table[name] as Method) : undefined
}

/**
 * private/get_alt_risk_limits of the REST gateway: the limits of a portfolio's orders and positions on the alternative
 * engine, by currency pair. Limits that are not set are omitted, and -1 means no limit.
 *
 * Source: sessions document 8.15; coverage R58; S249, S250.
 */

function hasBase(context: ReplyContext, pair: string, currency: string): boolean {
  const base = allInstruments(context.exchange).find(({ priceIndex }) => priceIndex === pair)?.baseCurrency
  return (base ?? pair.split('_')[0] ?? '').toLowerCase() === currency.toLowerCase()
}

function field(name: keyof WireRiskLimits, limit9: number | null): object {
  if (limit9 === null) return {}
  return { [name]: limit9 < 0 ? -1 : scaledToNumber(BigInt(limit9), 9) }
}

/**
 * public/get_instruments over the REST interface of a gateway: instruments of the alternative engine, whose kinds
 * distinguish perpetuals from dated futures.
 *
 * Assumed: a gateway lists every book of the engine on every currency pair, because open orders and cancels cover all
 * of them.
 *
 * Source: sessions document 1.5, 8.15; S026.
 */

function kindOf({ kind, detail }: Instrument): GatewayKind {
  if (kind !== 'future') return kind
  return detail.type === 'perpetual' ? 'perp_future' : 'dated_future'
}

/**
 * private/get_open_orders over the REST interface of a gateway: resting orders of the portfolio in books of the
 * alternative engine, from any of its sessions. Quotes and orders behind the speed bump are not listed.
 *
 * Sizes are in base units, as the document says for all instruments.
 *
 * Assumed: sizes of an inverse order, which are USD elsewhere, are divided by its limit price, which gives its size in
 * coin when it trades. The filled size is converted at the same price, so that it never exceeds the whole.
 *
 * Source: sessions document 8.15; S314.
 */

/** The orders of the requesting portfolio, in the order of creation. */
export function gatewayOrders(context: ReplyContext): readonly GatewayOrder[] {
  return openOrders(context.exchange, asker(context), { ...anyOrder, types: 'in_book' })
    .filter(({ order, instrument, rested }) => {
      const isQuote = order.extras?.quote != null
      return instrument.engine === 'alt' && rested && !isQuote
    })
    .map((view) => orderOut(context, view))
}

function orderOut(context: ReplyContext, view: OrderView): GatewayOrder {
  const { order, instrument, createdAt } = view
  const trades = tradesOfOrder(context.history, asker(context), order.id, createdAt)
  const coins = (size: Lots): number => scaledToNumber(coinSize9(instrument, size, view.price), NANO_SCALE)
  return {
    order_id: `${order.id}`,
    instrument_name: instrument.name,
    side: order.side,
    price: priceOut(view.price),
    amount: coins(order.amount),
    filled_amount: coins(view.filled),
    average_price: priceOut(view.averagePrice),
    order_state: 'open',
    order_type: 'limit',
    time_in_force: times[order.timeInForce],
    post_only: order.postOnly !== 'off',
    reduce_only: order.reduceOnly,
    creation_timestamp: timeOut(createdAt),
    last_update_timestamp: timeOut(view.updatedAt),
    label: order.label,
    api: originOf(order) !== 'system',
    max_show: coins(order.display > 0 ? order.display : order.amount),
    profit_loss: moneyOut(sumOf(trades.map(({ fill }) => fill.realized))),
    commission: moneyOut(sumOf(trades.map(({ fill }) => fill.fee))),
  }
}

function sumOf(amounts: readonly Amount[]): Amount {
  return amount(amounts.reduce<bigint>((sum, each) => sum + each, 0n))
}

/** Methods by their names; a part of the table. */
export const gatewayMethods = {
  'private/get_alt_risk_limits': getAltRiskLimits,
  'private/lock_portfolio': lockPortfolio,
  'private/unlock_portfolio': unlockPortfolio,
  'sim/lock_portfolio': setPortfolioLock,
} as const
