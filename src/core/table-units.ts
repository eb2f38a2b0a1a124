/**
 * The units that fields of rows are declared with (see `tables.ts`).
 */
import type { TimerId } from './clock/timer-queue.ts'
import { plainUnit } from './tables.ts'
import type {
  AccountId,
  CurrencyId,
  InstrumentId,
  Lots,
  Micros,
  OrderId,
  Price9,
  Sequence,
  Ticks,
} from './units.ts'

/** Units by their names. */
export const units = {
  micros: plainUnit<Micros>('microseconds'),
  ticks: plainUnit<Ticks>('ticks'),
  lots: plainUnit<Lots>('lots'),
  price9: plainUnit<Price9>('price in 1e-9'),
  /** Amounts, volatilities and sums of them as doubles that hold integers. */
  nano: plainUnit<number>('count of 1e-9'),
  /** Money and accumulators beyond what a double holds. */
  wide: plainUnit<bigint>('wide integer'),
  rate8: plainUnit<number>('rate in 1e-8'),
  count: plainUnit<number>('count'),
  flag: plainUnit<boolean>('yes or no'),
  text: plainUnit<string>('text'),
  /** The row of something in a list or a column; -1 for none. */
  row: plainUnit<number>('row'),
  accountId: plainUnit<AccountId>('account'),
  instrumentId: plainUnit<InstrumentId>('instrument'),
  currencyId: plainUnit<CurrencyId>('currency'),
  orderId: plainUnit<OrderId>('order'),
  sequence: plainUnit<Sequence>('sequence'),
  timerId: plainUnit<TimerId>('timer'),
} as const
