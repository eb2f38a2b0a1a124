/**
 * The market of an option as margin sees it: noted whenever its mark, its forward or its volatility moved, so
 * that every margin follows from what is noted and from the clock's minute.
 *
 * Source: market.md 6.2, 6.5.
 */
import { defined, modFloor } from '../../core/index.ts'
import { markedOption, type ScenarioTable, scaledProfits } from '../../margin/index.ts'
import { flatSmile } from '../../model/index.ts'
import {
  optionContract,
  optionDelta9,
  optionStresses9,
  shockedVolatilities,
  smileVolatility9,
} from '../../pricing/index.ts'
import type { Exchange } from '../state/exchange.ts'
import type { InstrumentRow, OptionStress } from '../state/instrument-row.ts'

const MINUTE_MICROS = 60_000_000

/** The whole minute that the clock is in: options are valued for its beginning. */
export function minuteOf({ now }: Pick<Exchange, 'now'>): number {
  return now - modFloor(now, MINUTE_MICROS)
}

/** Notes the market of an option; holdings are brought up to date by the caller. */
export function noteOptionMarket(exchange: Exchange, row: InstrumentRow): void {
  const { mark, index, instrument } = row
  const { detail } = instrument
  const forward9 = index.price
  if (mark === 0 || forward9 === 0 || detail.type !== 'option') return
  const smile = exchange.config.smiles[index.name] ?? flatSmile
  const volatility9 = smileVolatility9(smile, { forward9, strike9: detail.strike })
  const market = { mark9: mark, forward9, index9: index.price }
  row.risk = { ...market, volatility9, marked: markedOption(instrument, market), stress: null }
}

/** What one coin of an option wins in every scenario, at the minute of the clock; null while unknown. */
export function stressOf(
  exchange: Exchange,
  row: InstrumentRow,
  table: ScenarioTable,
): OptionStress | null {
  const { risk, instrument } = row
  if (risk === null) return null
  const minute = minuteOf(exchange)
  if (risk.stress?.minute === minute) return risk.stress
  const contract = defined(optionContract(instrument) ?? undefined, 'an option has a contract')
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
