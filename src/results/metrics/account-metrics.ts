/**
 * Metrics of what an account did: its profit in exact money, its positions, its orders.
 */
import type { CurrencyPerformance, OrderFunnel } from '../performance/account-performance.ts'
import { type MetricDeclarations, metric } from './declaration.ts'
import { type Figure, mapFigure, ratio } from './figure.ts'
import { autocorrelationOf, halfLifeOf, meanSizeOf, sizeDeviationOf } from './inventory.ts'
import { quantileOf, type Sketch } from './sketch.ts'
import type { InventoryState } from './state.ts'

/** Money of one currency of an account, exact in nano. */
export const profitMetrics: Readonly<
  Record<string, { readonly sentence: string; readonly of: (of: CurrencyPerformance) => bigint }>
> = {
  profit_price: { sentence: 'Profit by prices, realized or not.', of: ({ price }) => price },
  profit_funding: {
    sentence: 'Funding received less funding paid: `funding_booked + funding_accrued`.',
    of: ({ funding }) => funding,
  },
  profit_fees: {
    sentence:
      'Fees and commissions paid, less rebates: `maker_fees + taker_fees + delivery_fees + liquidation_fees`.',
    of: ({ fees }) => fees,
  },
  profit_insurance: {
    sentence: 'Debts that the insurance fund paid, less the share of the losses of others.',
    of: ({ insurance }) => insurance,
  },
  profit_total: {
    sentence:
      '`profit_price + profit_funding - profit_fees + profit_insurance`, to the last digit.',
    of: ({ total }) => total,
  },
  funding_booked: {
    sentence: 'Funding that entered the profit of positions: the sum of the table `funding`.',
    of: ({ funding, fundingAccrued }) => funding - fundingAccrued,
  },
  funding_accrued: {
    sentence:
      'Funding of open positions since the last booking: part of equity, but not of the table `funding`.',
    of: ({ fundingAccrued }) => fundingAccrued,
  },
  maker_fees: { sentence: 'Fees of fills as maker.', of: ({ makerFees }) => makerFees },
  taker_fees: { sentence: 'Fees of fills as taker.', of: ({ takerFees }) => takerFees },
  delivery_fees: { sentence: 'Fees of deliveries.', of: ({ deliveryFees }) => deliveryFees },
  liquidation_fees: {
    sentence: 'Commissions paid for positions that a liquidation transferred, less those received.',
    of: ({ commissions }) => commissions,
  },
  turnover: {
    sentence: 'Notional of all fills; for options the premium.',
    of: ({ turnover }) => turnover,
  },
  maker_turnover: {
    sentence: 'Notional of fills as maker.',
    of: ({ makerTurnover }) => makerTurnover,
  },
}

/** An account's position in an instrument, and the amount of one lot. */
export interface InventoryInput {
  readonly inventory: InventoryState
  readonly lot: number
}

/** Positions of an account in one instrument, in its amount unit. */
export const inventoryMetrics: MetricDeclarations<InventoryInput> = {
  inventory_mean: metric('amount', 'Mean position over time, signed.', ({ inventory, lot }) =>
    mapFigure(meanSizeOf(inventory), (size) => size * lot),
  ),
  inventory_deviation: metric('amount', 'Its standard deviation over time.', ({ inventory, lot }) =>
    mapFigure(sizeDeviationOf(inventory), (size) => size * lot),
  ),
  inventory_autocorrelation: metric(
    'ratio',
    'Correlation of the positions at neighbouring whole minutes.',
    ({ inventory }) => autocorrelationOf(inventory),
  ),
  inventory_half_life: metric(
    'minutes',
    '`-log(2) / log(inventory_autocorrelation)`: half of the distance to the mean is gone.',
    ({ inventory }) => halfLifeOf(inventory),
  ),
  queue_at_entry_p50: metric(
    'amount',
    'Median recorded size ahead of an order when it joined its queue, within 0.2 %.',
    ({ inventory, lot }) => ahead(inventory.aheadAtEntry, 0.5, lot),
  ),
  queue_at_entry_p90: metric('amount', 'Its 90th percentile.', ({ inventory, lot }) =>
    ahead(inventory.aheadAtEntry, 0.9, lot),
  ),
  queue_at_fill_p50: metric(
    'amount',
    'Median recorded size ahead of an order at its fill.',
    ({ inventory, lot }) => ahead(inventory.aheadAtFill, 0.5, lot),
  ),
  queue_at_fill_p90: metric('amount', 'Its 90th percentile.', ({ inventory, lot }) =>
    ahead(inventory.aheadAtFill, 0.9, lot),
  ),
}

/** An account's orders, and its fills in all currencies. */
export interface OrderInput {
  readonly orders: OrderFunnel
  readonly fills: number
}

/** Where the orders of an account went. */
export const orderMetrics: MetricDeclarations<OrderInput> = {
  orders_placed: metric(
    'count',
    'Orders that entered a book or were on their way to it.',
    ({ orders }) => orders.opened,
  ),
  orders_filled: metric(
    'count',
    'Orders that were filled completely.',
    ({ orders }) => orders.filled,
  ),
  orders_filled_partly: metric(
    'count',
    'Orders that ended, or still rest, with a partial fill.',
    ({ orders }) => orders.filledPartly,
  ),
  orders_resting: metric('count', 'Orders that rest at the end.', ({ orders }) => orders.resting),
  orders_edited: metric('count', 'Edits.', ({ orders }) => orders.edited),
  orders_cancelled: metric(
    'count',
    'Cancelled orders; rows with a label count one reason.',
    ({ orders }) => sumOfCounts(orders.cancelled),
  ),
  orders_refused: metric(
    'count',
    'Refused requests to place an order; rows with a label count one reason.',
    ({ orders }) => sumOfCounts(orders.refused),
  ),
  edits_refused: metric(
    'count',
    'Refused edits; rows with a label count one reason.',
    ({ orders }) => sumOfCounts(orders.editsRefused),
  ),
  fill_ratio: metric(
    'part',
    '`(orders_filled + orders_filled_partly) / orders_placed`.',
    ({ orders }) => ratio(orders.filled + orders.filledPartly, orders.opened, 'no_order'),
  ),
  order_to_trade: metric(
    'ratio',
    '`(orders_placed + orders_edited + orders_cancelled) / fills`.',
    ({ orders, fills }) =>
      ratio(orders.opened + orders.edited + sumOfCounts(orders.cancelled), fills, 'no_fill'),
  ),
}

/** The counts by reason that rows with a label have. */
export const orderReasons: Readonly<
  Record<string, (orders: OrderFunnel) => ReadonlyMap<string, number>>
> = {
  orders_cancelled: ({ cancelled }) => cancelled,
  orders_refused: ({ refused }) => refused,
  edits_refused: ({ editsRefused }) => editsRefused,
}

function ahead(sketch: Sketch, share: number, lot: number): Figure {
  return mapFigure(quantileOf(sketch, share) ?? 'no_queue', (lots) => lots * lot)
}

function sumOfCounts(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}
