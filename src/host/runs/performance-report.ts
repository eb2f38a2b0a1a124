/**
 * The performance of accounts in summaries and JSON: doubles nearest to the exact values, and additional exact texts
 * for the profit.
 */

import { divNearest, formatScaled, scaledToNumber } from '../../core/index.ts'
import type {
  AccountPerformance,
  CurrencyPerformance,
  InstrumentPerformance,
  OrderFunnel,
  TriggerFunnel,
} from '../../results/index.ts'

/** Profit and activity in one currency. */
export interface CurrencyRecord {
  readonly currency: string
  readonly deposits: number
  readonly equity: number
  /** total = price + funding - fees + insurance; the exact decimals add up to the last digit. */
  readonly profit: {
    readonly price: number
    readonly funding: number
    /** The part of `funding` that is not yet in a row of the table `funding`. */
    readonly funding_accrued: number
    readonly fees: number
    readonly insurance: number
    readonly total: number
    readonly exact: {
      readonly price: string
      readonly funding: string
      readonly funding_accrued: string
      readonly fees: string
      readonly insurance: string
      readonly total: string
    }
  }
  readonly maker_fees: number
  readonly taker_fees: number
  readonly delivery_fees: number
  /** Paid for positions that a liquidation transferred; negative if the account received it. */
  readonly commissions: number
  readonly fills: number
  readonly maker_fills: number
  /** Notional of all fills, and of the fills as maker. */
  readonly turnover: number
  readonly maker_turnover: number
  /** Maker share of the turnover; null without trades. */
  readonly maker_share: number | null
}

/**
 * Outcomes of orders: placed + triggers.cancelled = filled + cancelled + resting; `filled_partly` counts orders among
 * the last two.
 */
export interface OrderRecord {
  readonly placed: number
  readonly edited: number
  readonly filled: number
  readonly filled_partly: number
  readonly resting: number
  readonly refused: Readonly<Record<string, number>>
  readonly edits_refused: Readonly<Record<string, number>>
  readonly cancelled: Readonly<Record<string, number>>
  /** Orders that waited for a price or a fill. `placed` counts the orders that resulted from them. */
  readonly triggers: TriggerFunnel
}

/** An account's performance; money is in the named currency, amounts are in the unit of the instrument. */
export interface PerformanceRecord {
  readonly account: string
  readonly currencies: readonly (CurrencyRecord & {
    /** Largest fall of profit below its peak, and largest lost share of the peak of equity. */
    readonly drawdown: number
    readonly drawdown_fraction: number
  })[]
  readonly instruments: readonly {
    readonly instrument: string
    readonly bought: number
    readonly sold: number
    readonly position: number
  }[]
  readonly orders: OrderRecord
}

/** Sums over all accounts except those of the venue. A trade counts once for each side. */
export interface PerformanceTotals {
  readonly accounts: number
  readonly currencies: readonly CurrencyRecord[]
  readonly orders: OrderRecord
}

/** The performance of a run. */
interface RunPerformance {
  readonly records: readonly PerformanceRecord[]
  readonly totals: PerformanceTotals
}

/** The performance of all accounts, and their sums. */
export function reportPerformance(accounts: readonly AccountPerformance[]): RunPerformance {
  return { records: accounts.map(recordOf), totals: totalsOf(accounts) }
}

function recordOf(of: AccountPerformance): PerformanceRecord {
  return {
    account: of.account,
    currencies: of.currencies.map((currency) => ({
      ...sumsOut(currency),
      drawdown: money(currency.drawdown),
      drawdown_fraction: scaledToNumber(currency.drawdownPpb, 9),
    })),
    instruments: of.instruments.map(instrumentOut),
    orders: ordersOut(of.orders),
  }
}

function totalsOf(accounts: readonly AccountPerformance[]): PerformanceTotals {
  const sums = new Map<string, CurrencySums>()
  for (const one of accounts.flatMap(({ currencies }) => currencies)) {
    const sum = sums.get(one.currency)
    sums.set(one.currency, sum === undefined ? one : sumOf(sum, one))
  }
  const orders = accounts.map((account) => ordersOut(account.orders))
  return {
    accounts: accounts.length,
    currencies: [...sums.values()].map(sumsOut),
    orders: orders.reduce((left, right) => sumOf(left, right), noOrders),
  }
}

type CurrencySums = Omit<CurrencyPerformance, 'drawdown' | 'drawdownPpb'>

const noOrders: OrderRecord = {
  placed: 0,
  edited: 0,
  filled: 0,
  filled_partly: 0,
  resting: 0,
  refused: {},
  edits_refused: {},
  cancelled: {},
  triggers: { placed: 0, fired: 0, rejected: 0, cancelled: 0 },
}

/** Adds the figures of two records of the same type; texts come from the left record. */
function sumOf<T extends object>(left: T, right: T): T {
  const sums = new Map<string, unknown>(Object.entries(left))
  for (const [name, value] of Object.entries(right)) sums.set(name, sumOfValues(sums.get(name), value))
  // The object has the fields of both records.
  return Object.fromEntries(sums) as T
}

function sumOfValues(left: unknown, right: unknown): unknown {
  if (typeof left === 'number' && typeof right === 'number') return left + right
  if (typeof left === 'bigint' && typeof right === 'bigint') return left + right
  if (typeof left === 'object' && typeof right === 'object' && left !== null && right !== null)
    return sumOf(left, right)
  return left ?? right
}

function sumsOut(of: CurrencySums): CurrencyRecord {
  const { currency, price, funding, fees, insurance, total, turnover, makerTurnover } = of
  return {
    currency,
    deposits: money(of.deposits),
    equity: money(of.equity),
    profit: {
      price: money(price),
      funding: money(funding),
      funding_accrued: money(of.fundingAccrued),
      fees: money(fees),
      insurance: money(insurance),
      total: money(total),
      exact: {
        price: formatScaled(price, 9),
        funding: formatScaled(funding, 9),
        funding_accrued: formatScaled(of.fundingAccrued, 9),
        fees: formatScaled(fees, 9),
        insurance: formatScaled(insurance, 9),
        total: formatScaled(total, 9),
      },
    },
    maker_fees: money(of.makerFees),
    taker_fees: money(of.takerFees),
    delivery_fees: money(of.deliveryFees),
    commissions: money(of.commissions),
    fills: of.fills,
    maker_fills: of.makerFills,
    turnover: money(turnover),
    maker_turnover: money(makerTurnover),
    maker_share: turnover === 0n ? null : divNearest(Number(makerTurnover), Number(turnover)),
  }
}

function instrumentOut(of: InstrumentPerformance): PerformanceRecord['instruments'][number] {
  const { instrument, bought, sold, position } = of
  const out = (size: typeof bought): number => scaledToNumber(BigInt(size) * BigInt(of.amountStep9), 9)
  return { instrument, bought: out(bought), sold: out(sold), position: out(position) }
}

function ordersOut(orders: OrderFunnel): OrderRecord {
  return {
    placed: orders.opened,
    edited: orders.edited,
    filled: orders.filled,
    filled_partly: orders.filledPartly,
    resting: orders.resting,
    refused: Object.fromEntries(orders.refused),
    edits_refused: Object.fromEntries(orders.editsRefused),
    cancelled: Object.fromEntries(orders.cancelled),
    triggers: orders.triggers,
  }
}

function money(nano: bigint): number {
  return scaledToNumber(nano, 9)
}
