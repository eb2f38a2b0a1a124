/** The units for declarations of fields of rows (see `tables.ts`). */
import type { TimerId } from './clock/timer-queue.ts'
import { plainUnit } from './tables.ts'
import type {
  AccountId,
  Amount,
  CurrencyId,
  InstrumentId,
  Lots,
  Micros,
  OrderId,
  Price9,
  Sequence,
  TradeId,
} from './units.ts'

export const micros = plainUnit<Micros>('microseconds', 'number')
export const lots = plainUnit<Lots>('lots', 'number')
export const price9 = plainUnit<Price9>('price in 1e-9', 'number')
/** Amounts, volatilities and sums of them as doubles that hold integers. */
export const nano = plainUnit<number>('count of 1e-9', 'number')
/** Money in 1e-9 of its currency. */
export const money = plainUnit<Amount>('money in 1e-9', 'int64')
/** Volatilities in 1e-9, so that 0.6 is 600,000,000. */
export const volatility9 = plainUnit<number>('volatility in 1e-9', 'number')
export const ppm = plainUnit<number>('parts per million', 'number')
/** Accumulators of funding: 1e-24 coin for each USD, or 1e-18 quote for each coin. */
export const accumulator = plainUnit<bigint>('accumulated funding', 'wide')
/** Sums beyond the safe integers. */
export const wide = plainUnit<bigint>('wide integer', 'wide')
export const rate8 = plainUnit<number>('rate in 1e-8', 'number')
export const count = plainUnit<number>('count', 'number')
export const flag = plainUnit<boolean>('yes or no', 'flag')
export const text = plainUnit<string>('text', 'text')
/** The index of a row in a list or a column; -1 for none. */
export const row = plainUnit<number>('row', 'number')
export const accountId = plainUnit<AccountId>('account', 'int32')
export const instrumentId = plainUnit<InstrumentId>('instrument', 'int32')
export const currencyId = plainUnit<CurrencyId>('currency', 'int32')
export const orderId = plainUnit<OrderId>('order', 'number')
export const tradeId = plainUnit<TradeId>('trade', 'number')
export const sequence = plainUnit<Sequence>('sequence', 'number')
export const timerId = plainUnit<TimerId>('timer', 'number')
