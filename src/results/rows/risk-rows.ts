/**
 * Rows of risk: liquidations step by step, transfers that they make, locks, and limits of participants of
 * the liquidity support programme.
 *
 * Each function here returns the writer of one table; see `trading-rows.ts`. These rows are rare.
 */
import {
  type Currency,
  type LiquidationChanged,
  type LiquidationRoute,
  type LiquidationStep,
  type LspChanged,
  type LspParticipantSet,
  lspGroupName,
  lspGroups,
  type PositionTransferred,
  type TransferReason,
} from '../../model/index.ts'
import {
  marginInTable,
  type NamedBlock,
  setText,
  setValidMoney,
  setValidProduct,
  setValue,
} from '../columns.ts'
import { codeOf, vocabulary } from '../vocabulary/vocabulary.ts'
import { changeOf, otherSide } from './account-rows.ts'
import { headWriter, setNumber } from './protection-rows.ts'
import { type AmountSteps, type RowWriter, stepOf, wireIdOf } from './trading-rows.ts'

const NANO_PER_PPM = 1000

/** Why a liquidation makes a position change hands. */
type LiquidationTransfer = Exclude<TransferReason, 'move'>

/** Writes one row of `liquidations` for each event of one. */
export function liquidationWriter(
  block: NamedBlock<'liquidations'>,
  steps: AmountSteps,
): RowWriter<LiquidationEvent> {
  const { byName, values } = block
  const writeStep = stepWriter(block, steps)
  return (source) => {
    const row = block.rows
    values.time[row] = source.time
    values.event[row] = source.number
    values.cause[row] = source.cause
    values.kind[row] = codeOf(
      vocabulary.liquidationKind,
      source.kind === 'liquidation' ? source.change : 'step',
    )
    values.account_id[row] = source.account
    values.currency[row] = codeOf(vocabulary.liquidationCurrency, source.currency)
    setValue(byName.round, row, source.round)
    setValidMoney(byName.margin_balance, row, source.marginBalance)
    setValidMoney(byName.initial_margin, row, marginInTable(source.initial))
    setValidMoney(byName.maintenance_margin, row, marginInTable(source.maintenance))
    if (source.kind === 'liquidation_step') writeStep(source)
    else if (source.outcome !== null) {
      setValue(byName.outcome, row, codeOf(vocabulary.liquidationOutcome, source.outcome))
    }
  }
}

/** Writes the row of one side of a transfer to `liquidations`: first the liquidated one's. */
export function transferWriter(
  block: NamedBlock<'liquidations'>,
  { steps, currencies }: { readonly steps: AmountSteps; readonly currencies: readonly Currency[] },
): (
  source: PositionTransferred,
  of: { readonly side: 'from' | 'to'; readonly reason: LiquidationTransfer },
) => void {
  const { byName, values } = block
  return (source, { side, reason }) => {
    const row = block.rows
    const { instrument, commission, commissionToTarget } = source
    const own = source[side]
    const step = stepOf(steps, instrument)
    values.time[row] = source.time
    values.event[row] = source.number
    values.cause[row] = source.cause
    values.kind[row] = codeOf(vocabulary.liquidationKind, 'transfer')
    values.account_id[row] = own.account
    values.currency[row] = codeOf(vocabulary.liquidationCurrency, currencies[instrument] ?? '')
    setValue(byName.instrument_id, row, wireIdOf(instrument))
    setValue(byName.route, row, codeOf(vocabulary.liquidationRoute, routeOf[reason]))
    setValue(byName.price, row, source.price)
    setValidProduct(byName.change, row, changeOf(source, side), step)
    setValidProduct(byName.position, row, own.position, step)
    setValue(byName.counter_account_id, row, otherSide(source, side).account)
    setValidMoney(byName.realized, row, own.realized)
    if (own.premium !== 0n) setValidMoney(byName.premium, row, own.premium)
    setValidMoney(byName.commission, row, side === 'from' ? commission : -commissionToTarget)
  }
}

/** Writes the row of a lock to `protections`: it begins and ends with a liquidation. */
export function lockWriter(block: NamedBlock<'protections'>): RowWriter<LiquidationChanged> {
  const writeHead = headWriter(block)
  return (source) => {
    const change = source.change === 'started' ? 'locked' : 'unlocked'
    writeHead(source, { kind: 'lock', change, account: source.account })
    setText(block.byName.group, block.rows, source.currency)
  }
}

/** Writes one row of `protections` for each change of what a participant has used of a limit. */
export function lspWriter(block: NamedBlock<'protections'>): RowWriter<LspChanged> {
  const { byName } = block
  const writeHead = headWriter(block)
  return (source) => {
    const row = block.rows
    writeHead(source, { kind: 'lsp', change: source.change, account: source.account })
    setText(byName.group, row, lspGroupName(source.group))
    setValue(byName.limit, row, source.limitPpm * NANO_PER_PPM)
    setValidMoney(byName.used, row, source.used)
    setNumber(byName.from, row, source.windowStart)
    setNumber(byName.until, row, source.windowEnd)
  }
}

/** Writes what a participant is from now on to `protections`: one row, and one for each limit of its own. */
export function participantWriter(
  block: NamedBlock<'protections'>,
  endRow: () => void,
): RowWriter<LspParticipantSet> {
  const { byName } = block
  const writeHead = headWriter(block)
  return (source) => {
    const { account, enabled, limitsPpm } = source
    writeHead(source, { kind: 'lsp', change: enabled ? 'admitted' : 'removed', account })
    endRow()
    for (const group of lspGroups) {
      const limitPpm = limitsPpm[group]
      if (limitPpm === undefined) continue
      writeHead(source, { kind: 'lsp', change: 'limit_set', account })
      setText(byName.group, block.rows, lspGroupName(group))
      setValue(byName.limit, block.rows, limitPpm * NANO_PER_PPM)
      endRow()
    }
  }
}

type LiquidationEvent = LiquidationChanged | LiquidationStep

const routeOf: { readonly [R in LiquidationTransfer]: LiquidationRoute } = {
  lsp: 'lsp',
  adl: 'adl',
  close_out: 'fund',
}

/** The columns of a step that the start and the end have not. */
function stepWriter(
  block: NamedBlock<'liquidations'>,
  steps: AmountSteps,
): RowWriter<LiquidationStep> {
  const { byName } = block
  return (source) => {
    const row = block.rows
    const step = stepOf(steps, source.instrument)
    setValue(byName.instrument_id, row, wireIdOf(source.instrument))
    setValue(byName.route, row, codeOf(vocabulary.liquidationRoute, source.route))
    setValue(byName.rule, row, codeOf(vocabulary.pickRule, source.rule))
    setValidMoney(byName.position_margin, row, marginInTable(source.positionMaintenance))
    setValidProduct(byName.position_before, row, source.position, step)
    setValidProduct(byName.asked, row, source.asked, step)
    setValidProduct(byName.closed, row, source.closed, step)
    setValue(byName.price, row, source.price)
  }
}
