/**
 * Figures of a strategy's own account as the exchange has them at the moment of reading: nothing is kept or computed
 * before somebody reads.
 *
 * Assumed: they are not delayed, unlike everything that is delivered, because what the venue would push is a picture
 * of its own moment, whose history nobody keeps. With latencies they are ahead of what has arrived by those; a strategy
 * that must not see so far asks `private/get_account_summary`.
 */
import type { AccountId } from '../../core/index.ts'
import { type Exchange, heldPositions, viewMargins, viewPosition, viewRisk, viewWallet } from '../../engine/index.ts'
import type { Currency, Instrument } from '../../model/index.ts'
import { amountOut, moneyOut, priceOut } from '../../rpc/index.ts'
import type { StrategyFunds, StrategyPosition } from './strategy.ts'

/** Where an account stands in a currency. */
export function fundsOf(exchange: Exchange, account: AccountId, currency: Currency): StrategyFunds {
  const wallet = viewWallet(exchange, account, currency)
  const margins = viewMargins(exchange, account, currency)
  return {
    currency,
    balance: moneyOut(wallet.balance),
    equity: moneyOut(wallet.equity),
    marginBalance: moneyOut(margins.marginBalance),
    initialMargin: moneyOut(margins.initial),
    maintenanceMargin: moneyOut(margins.maintenance),
    availableFunds: moneyOut(wallet.available),
    optionsValue: moneyOut(wallet.optionsValue),
    sessionRealized: moneyOut(wallet.sessionRealized),
    sessionFloating: moneyOut(wallet.sessionFloating),
  }
}

/** A position of an account with its profit, margin and greeks. */
export function positionOf(exchange: Exchange, account: AccountId, instrument: Instrument): StrategyPosition {
  return positionOut(exchange, viewPosition(exchange, account, instrument.id))
}

/** Open positions of an account, instruments in the order of listing. */
export function strategyPositions(exchange: Exchange, account: AccountId): readonly StrategyPosition[] {
  return heldPositions(exchange, account)
    .filter(({ size }) => size !== 0)
    .map((position) => positionOut(exchange, position))
}

function positionOut(exchange: Exchange, position: ReturnType<typeof viewPosition>): StrategyPosition {
  const { instrument } = position
  const { delta, greeks } = viewRisk(exchange, position)
  return {
    instrument: instrument.name,
    size: amountOut(instrument, position.size),
    averagePrice: priceOut(position.averagePrice),
    markPrice: priceOut(position.mark),
    indexPrice: priceOut(position.index),
    realized: moneyOut(position.realized),
    floating: moneyOut(position.floating),
    total: moneyOut(position.total),
    initialMargin: moneyOut(position.initialMargin),
    maintenanceMargin: moneyOut(position.maintenanceMargin),
    delta: moneyOut(delta),
    gamma: greeks === null ? 0 : moneyOut(greeks.gamma),
    vega: greeks === null ? 0 : moneyOut(greeks.vega),
    theta: greeks === null ? 0 : moneyOut(greeks.theta),
  }
}
