/**
 * Figures of a strategy's account, computed from the exchange at the moment of reading. Nothing is computed or stored
 * before a read.
 *
 * Assumed: these figures are not delayed, unlike all deliveries. The venue would push a snapshot of the time of the
 * push, and no history of such snapshots exists. With latencies the figures are therefore ahead of the delivered
 * messages; a strategy that must not see so far calls `private/get_account_summary`.
 */
import type { AccountId } from '../../core/index.ts'
import { type Exchange, heldPositions, viewMargins, viewPosition, viewRisk, viewWallet } from '../../engine/index.ts'
import type { Currency, Instrument } from '../../model/index.ts'
import { amountOut, moneyOut, priceOut } from '../../rpc/index.ts'
import type { StrategyFunds, StrategyPosition } from './strategy.ts'

/** The funds of an account in a currency. */
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
