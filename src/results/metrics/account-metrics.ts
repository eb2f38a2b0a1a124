/**
 * Metrics of an account: its profit in exact money, its positions, its orders.
 */

import { type Figure, type MetricDeclarations, mapFigure, metric, ratio } from './figure.ts'
import { autocorrelationOf, halfLifeOf, meanSizeOf, sizeDeviationOf } from './inventory.ts'
import type { CurrencyPerformance, OrderFunnel } from './performance.ts'
import { quantileOf, type Sketch } from './sketch.ts'
import type { InventoryState } from './state.ts'

/** Money of one currency of an account, exact in nano. */
export const profitMetrics: Readonly<
  Record<string, { readonly sentence: string; readonly of: (of: CurrencyPerformance) => bigint }>
> = {
  profit_price: {
    sentence: 'Realized and unrealized profit from prices.',
    of: ({ price }) => price,
  },
  profit_funding: {
    sentence: 'Funding received minus funding paid: `funding_booked + funding_accrued`.',
    of: ({ funding }) => funding,
  },
  profit_fees: {
    sentence: 'Fees and commissions paid, minus rebates: `maker_fees + taker_fees + delivery_fees + liquidation_fees`.',
    of: ({ fees }) => fees,
  },
  profit_insurance: {
    sentence: "Debts that the insurance fund paid, minus the account's share of socialised losses.",
    of: ({ insurance }) => insurance,
  },
  profit_total: {
    sentence: '`profit_price + profit_funding - profit_fees + profit_insurance`, exact to the last digit.',
    of: ({ total }) => total,
  },
  funding_booked: {
    sentence: 'Funding booked into the profit of positions: the sum of the table `funding`.',
    of: ({ funding, fundingAccrued }) => funding - fundingAccrued,
  },
  funding_accrued: {
    sentence: 'Funding of open positions since the last booking: included in equity, but not in the table `funding`.',
    of: ({ fundingAccrued }) => fundingAccrued,
  },
  maker_fees: { sentence: 'Fees of maker fills.', of: ({ makerFees }) => makerFees },
  taker_fees: { sentence: 'Fees of taker fills.', of: ({ takerFees }) => takerFees },
  delivery_fees: { sentence: 'Delivery fees.', of: ({ deliveryFees }) => deliveryFees },
  liquidation_fees: {
    sentence: 'Commissions paid for positions that a liquidation transferred, minus commissions received.',
    of: ({ commissions }) => commissions,
  },
  turnover: {
    sentence: 'Notional of all fills; for options, the premium.',
    of: ({ turnover }) => turnover,
  },
  maker_turnover: {
    sentence: 'Notional of maker fills.',
    of: ({ makerTurnover }) => makerTurnover,
  },
}

/** An account's position in an instrument, and the amount of one lot. */
interface InventoryInput {
  readonly inventory: InventoryState
  readonly lot: number
}

/** Positions of an account in one instrument, in its amount unit. */
export const inventoryMetrics: MetricDeclarations<InventoryInput> = {
  inventory_mean: metric('amount', 'Time-weighted mean of the signed position.', ({ inventory, lot }) =>
    mapFigure(meanSizeOf(inventory), (size) => size * lot),
  ),
  inventory_deviation: metric(
    'amount',
    'Time-weighted standard deviation of the signed position.',
    ({ inventory, lot }) => mapFigure(sizeDeviationOf(inventory), (size) => size * lot),
  ),
  inventory_autocorrelation: metric(
    'ratio',
    'Correlation between the positions at consecutive whole minutes.',
    ({ inventory }) => autocorrelationOf(inventory),
  ),
  inventory_half_life: metric(
    'minutes',
    'Time until half of the distance to the mean is gone: `-log(2) / log(inventory_autocorrelation)`.',
    ({ inventory }) => halfLifeOf(inventory),
  ),
  queue_at_entry_p50: metric(
    'amount',
    'Median recorded size ahead of an order when it joined its queue, within 0.2 %.',
    ({ inventory, lot }) => ahead(inventory.aheadAtEntry, 0.5, lot),
  ),
  queue_at_entry_p90: metric(
    'amount',
    '90th percentile of the recorded size ahead of an order when it joined its queue, within 0.2 %.',
    ({ inventory, lot }) => ahead(inventory.aheadAtEntry, 0.9, lot),
  ),
  queue_at_fill_p50: metric(
    'amount',
    'Median recorded size ahead of an order at its fill, within 0.2 %.',
    ({ inventory, lot }) => ahead(inventory.aheadAtFill, 0.5, lot),
  ),
  queue_at_fill_p90: metric(
    'amount',
    '90th percentile of the recorded size ahead of an order at its fill, within 0.2 %.',
    ({ inventory, lot }) => ahead(inventory.aheadAtFill, 0.9, lot),
  ),
}

/** An account's orders, and its fills in all currencies. */
interface OrderInput {
  readonly orders: OrderFunnel
  readonly fills: number
}

/** Outcomes of an account's orders. */
export const orderMetrics: MetricDeclarations<OrderInput> = {
  orders_placed: metric(
    'count',
    'Orders that entered a book or were on their way to a book.',
    ({ orders }) => orders.opened,
  ),
  orders_filled: metric('count', 'Orders that were filled completely.', ({ orders }) => orders.filled),
  orders_filled_partly: metric(
    'count',
    'Orders with a partial fill that ended or still rest.',
    ({ orders }) => orders.filledPartly,
  ),
  orders_resting: metric('count', 'Orders that rest at the end.', ({ orders }) => orders.resting),
  orders_edited: metric('count', 'Edits.', ({ orders }) => orders.edited),
  orders_cancelled: metric('count', 'Cancelled orders; rows with a label count one reason.', ({ orders }) =>
    sumOfCounts(orders.cancelled),
  ),
  orders_refused: metric(
    'count',
    'Rejected requests to place an order; rows with a label count one reason.',
    ({ orders }) => sumOfCounts(orders.refused),
  ),
  edits_refused: metric('count', 'Rejected edits; rows with a label count one reason.', ({ orders }) =>
    sumOfCounts(orders.editsRefused),
  ),
  fill_ratio: metric('part', '`(orders_filled + orders_filled_partly) / orders_placed`.', ({ orders }) =>
    ratio(orders.filled + orders.filledPartly, orders.opened, 'no_order'),
  ),
  order_to_trade: metric(
    'ratio',
    '`(orders_placed + orders_edited + orders_cancelled) / fills`.',
    ({ orders, fills }) => ratio(orders.opened + orders.edited + sumOfCounts(orders.cancelled), fills, 'no_fill'),
  ),
}

/** The metrics with counts by reason; each reason is the label of a row. */
export const orderReasons: Readonly<Record<string, (orders: OrderFunnel) => ReadonlyMap<string, number>>> = {
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
