/**
 * The performance of accounts as summaries and JSON show it: doubles nearest to the exact values, and
 * the exact texts of the profit beside them.
 */
import { divNearest, formatScaled, scaledToNumber } from '../../core/index.ts'
import { type Exchange, equityOf, viewWallet } from '../../engine/index.ts'
import type {
  AccountPerformance,
  CurrencyPerformance,
  EquityLookup,
  InstrumentPerformance,
  OrderFunnel,
  Performance,
} from '../../results/index.ts'

/** An account's performance; money is in the currency named, amounts in the instrument's unit. */
export interface PerformanceRecord {
  readonly account: string
  readonly currencies: readonly {
    readonly currency: string
    readonly deposits: number
    readonly equity: number
    /** total = price + funding - fees; the exact decimals add up to the last digit. */
    readonly profit: {
      readonly price: number
      readonly funding: number
      readonly fees: number
      readonly total: number
      readonly exact: {
        readonly price: string
        readonly funding: string
        readonly fees: string
        readonly total: string
      }
    }
    readonly maker_fees: number
    readonly taker_fees: number
    readonly fills: number
    readonly maker_fills: number
    /** Notional of all fills, and of those as maker. */
    readonly turnover: number
    readonly maker_turnover: number
    /** Share of the turnover that was made, null where nothing was traded. */
    readonly maker_share: number | null
    /** Largest fall of profit below its peak, and largest share of the peak of equity lost. */
    readonly drawdown: number
    readonly drawdown_fraction: number
  }[]
  readonly instruments: readonly {
    readonly instrument: string
    readonly bought: number
    readonly sold: number
    readonly position: number
  }[]
  /** placed = filled + cancelled + resting; `filled_partly` counts among the last two. */
  readonly orders: {
    readonly placed: number
    readonly edited: number
    readonly filled: number
    readonly filled_partly: number
    readonly resting: number
    readonly refused: Readonly<Record<string, number>>
    readonly edits_refused: Readonly<Record<string, number>>
    readonly cancelled: Readonly<Record<string, number>>
  }
}

/** Equity as the exchange has it now, for samples. */
export function equityLookup(exchange: Exchange): EquityLookup {
  return (account, currency) => equityOf(exchange, account, currency)
}

/** Ends the measurement where the exchange stands. */
export function reportPerformance(
  performance: Performance,
  exchange: Exchange,
): readonly PerformanceRecord[] {
  const accounts = performance.finish((account, currency) => {
    const { equity, sessionFloating } = viewWallet(exchange, account, currency)
    return { equity, floating: sessionFloating }
  })
  return accounts.map(recordOf)
}

function recordOf({
  account,
  currencies,
  instruments,
  orders,
}: AccountPerformance): PerformanceRecord {
  return {
    account,
    currencies: currencies.map(currencyOut),
    instruments: instruments.map(instrumentOut),
    orders: ordersOut(orders),
  }
}

function currencyOut(of: CurrencyPerformance): PerformanceRecord['currencies'][number] {
  const { currency, price, funding, fees, total, turnover, makerTurnover } = of
  return {
    currency,
    deposits: money(of.deposits),
    equity: money(of.equity),
    profit: {
      ...{ price: money(price), funding: money(funding), fees: money(fees), total: money(total) },
      exact: {
        ...{ price: formatScaled(price, 9), funding: formatScaled(funding, 9) },
        ...{ fees: formatScaled(fees, 9), total: formatScaled(total, 9) },
      },
    },
    ...{ maker_fees: money(of.makerFees), taker_fees: money(of.takerFees) },
    ...{ fills: of.fills, maker_fills: of.makerFills },
    ...{ turnover: money(turnover), maker_turnover: money(makerTurnover) },
    maker_share: turnover === 0n ? null : divNearest(Number(makerTurnover), Number(turnover)),
    ...{ drawdown: money(of.drawdown), drawdown_fraction: scaledToNumber(of.drawdownPpb, 9) },
  }
}

function instrumentOut(of: InstrumentPerformance): PerformanceRecord['instruments'][number] {
  const { instrument, bought, sold, position } = of
  const out = (size: typeof bought): number =>
    scaledToNumber(BigInt(size) * BigInt(of.amountStep9), 9)
  return { instrument, bought: out(bought), sold: out(sold), position: out(position) }
}

function ordersOut(orders: OrderFunnel): PerformanceRecord['orders'] {
  const { opened, edited, filled, filledPartly, resting } = orders
  return {
    ...{ placed: opened, edited, filled, filled_partly: filledPartly, resting },
    refused: Object.fromEntries(orders.refused),
    edits_refused: Object.fromEntries(orders.editsRefused),
    cancelled: Object.fromEntries(orders.cancelled),
  }
}

function money(nano: bigint): number {
  return scaledToNumber(nano, 9)
}
