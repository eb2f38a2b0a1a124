/** Rows of `liquidations`: the course of a liquidation, and the positions that it transfers. */
import type { Currency, EventOf, LiquidationRoute, TransferReason } from '../../model/index.ts'
import { moneyInTable } from '../columns.ts'
import { otherSide, transferChange } from './account-rows.ts'
import { type Cells, headOf, instrumentSize, orNone } from './cells.ts'
import { type AmountSteps, currencyAt, wireIdOf } from './trading-rows.ts'

type Row = Cells<'liquidations'>

/** Reason why a liquidation transfers a position. */
type LiquidationTransfer = Exclude<TransferReason, 'move' | 'allocation'>

const routeOf: { readonly [R in LiquidationTransfer]: LiquidationRoute } = {
  lsp: 'lsp',
  adl: 'adl',
  close_out: 'fund',
}

/** The start or the end of a liquidation. */
export function liquidationCells(source: EventOf<'liquidation'>): Row {
  return { kind: source.change, outcome: source.outcome, ...partOf(source) }
}

/** A way in which a selected position was reduced. */
export function stepCells(source: EventOf<'liquidation_step'>, steps: AmountSteps): Row {
  const { instrument } = source
  return {
    kind: 'step',
    instrument_id: wireIdOf(instrument),
    route: source.route,
    rule: source.rule,
    position_margin: moneyInTable(source.positionMaintenance),
    position_before: instrumentSize(steps, instrument, source.position),
    asked: instrumentSize(steps, instrument, source.asked),
    closed: instrumentSize(steps, instrument, source.closed),
    price: source.price,
    ...partOf(source),
  }
}

function partOf(source: EventOf<'liquidation' | 'liquidation_step'>): Omit<Row, 'kind'> {
  return {
    account_id: source.account,
    currency: source.currency,
    round: source.round,
    margin_balance: source.marginBalance,
    initial_margin: moneyInTable(source.initial),
    maintenance_margin: moneyInTable(source.maintenance),
    ...headOf(source),
  }
}

/** One side of a transfer; the liquidated account's row comes first. */
export function handoverCells(
  source: EventOf<'position_transfer'>,
  side: 'from' | 'to',
  reason: LiquidationTransfer,
  steps: AmountSteps,
  currencies: readonly Currency[],
): Row {
  const { instrument, price, commission, commissionToTarget } = source
  const { account, position, realized, premium } = source[side]
  return {
    kind: 'transfer',
    account_id: account,
    currency: currencyAt(currencies, instrument),
    instrument_id: wireIdOf(instrument),
    route: routeOf[reason],
    price,
    change: instrumentSize(steps, instrument, transferChange(source, side)),
    position: instrumentSize(steps, instrument, position),
    counter_account_id: otherSide(source, side).account,
    realized,
    premium: orNone(premium),
    commission: side === 'from' ? commission : -commissionToTarget,
    ...headOf(source),
  }
}
