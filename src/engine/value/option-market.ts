/**
 * The market data of an option from which margin is computed. It is stored again whenever the option's mark, forward or
 * volatility moved, or its index if fees depend on the index. So every margin depends only on this data and the minute
 * of the clock.
 *
 * Source: market.md 6.2, 6.5.
 */
import { modFloor } from '../../core/index.ts'
import { markedOption, type ScenarioTable, scaledProfits } from '../../margin/index.ts'
import { optionDelta9, optionStresses9, shockedVolatilities } from '../../pricing/index.ts'
import { type Exchange, type InstrumentRow, isCoinSettled, type OptionStress } from '../state/index.ts'

const MINUTE_MICROS = 60_000_000

/** The start of the current whole minute. Options are valued for this time. */
export function minuteOf({ now }: Pick<Exchange, 'now'>): number {
  return now - modFloor(now, MINUTE_MICROS)
}

/** Stores the market data of an option; true if it changed. The caller updates the holdings. */
export function noteOptionMarket(row: InstrumentRow): boolean {
  const { mark: mark9, option, risk, instrument, index } = row
  if (option === null || mark9 === 0 || option.series.forward === 0) return false
  const { series, volatility9 } = option
  const forward9 = series.forward
  // Margin does not depend on the index for options in coin, and for delivered options, which can no longer be bought.
  const isCharging = !isCoinSettled(row) && row.deliveredAt === null
  const index9 = isCharging ? index.price : 0
  const isPriced = risk !== null && risk.mark9 === mark9 && risk.forward9 === forward9
  const isStressed = isPriced && risk.volatility9 === volatility9
  const isCharged = isPriced && risk.index9 === index9
  if (isStressed && isCharged) return false
  const marked = isCharged ? risk.marked : markedOption(instrument, { mark9, forward9, index9 })
  const stress = isStressed ? risk.stress : null
  row.risk = { mark9, forward9, index9, volatility9, marked, stress }
  return true
}

/** Profit of one coin of an option in every scenario, at the minute of the clock; null while unknown. */
export function stressOf(exchange: Exchange, row: InstrumentRow, table: ScenarioTable): OptionStress | null {
  const { risk, option, instrument } = row
  if (risk === null || option === null) return null
  const minute = minuteOf(exchange)
  if (risk.stress?.minute === minute) return risk.stress
  const { contract } = option
  const { forward9, volatility9 } = risk
  const { expiration } = instrument
  const time = Math.min(minute, expiration)
  const market = { forward9, volatility9, time }
  const { up9, same9, down9 } = shockedVolatilities(table.terms, { volatility9, expiration, time })
  const volatilities = { up: up9, same: same9, down: down9 }
  const shocks = table.scenarios.map(({ movePpm, volatility }) => ({
    movePpm,
    volatility9: volatilities[volatility],
  }))
  const changes9 = optionStresses9(contract, market, shocks)
  risk.stress = {
    minute,
    profits9: scaledProfits(table, changes9, contract.isCoin),
    delta9: optionDelta9(contract, market),
  }
  return risk.stress
}
