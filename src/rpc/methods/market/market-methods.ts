/**
 * The methods of market data, as one table.
 */
import { comboMethods } from '../combos/combos.ts'
import { announcementMethods } from './announcements.ts'
import { currencyMethods } from './currencies.ts'
import { expirationMethods } from './expirations.ts'
import { instrumentMethods } from './instruments.ts'
import { chartMethods } from './prices/chart.ts'
import { fundingMethods } from './prices/funding.ts'
import { priceMethods } from './prices/prices.ts'
import { volatilityMethods } from './prices/volatility.ts'
import { settlementMethods } from './settlements.ts'
import { bookSummaryMethods, tickerMethods } from './ticker.ts'
import { tradeVolumeMethods } from './trade-volumes.ts'
import { tradeMethods } from './trades.ts'

/**
 * Instruments, books, trades, prices and charts, for a `methodSet`.
 *
 * @example
 * console.log(Object.keys(marketMethods).includes('public/ticker')) // true
 */
export const marketMethods = {
  ...instrumentMethods,
  ...tickerMethods,
  ...tradeMethods,
  ...comboMethods,
  ...currencyMethods,
  ...expirationMethods,
  ...bookSummaryMethods,
  ...settlementMethods,
  ...fundingMethods,
  ...priceMethods,
  ...chartMethods,
  ...volatilityMethods,
  ...tradeVolumeMethods,
  ...announcementMethods,
} as const
