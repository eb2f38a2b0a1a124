/**
 * Updates margin after a change of the position, the open orders or the mark of a holding.
 */
import { defined, unreachable } from '../../core/index.ts'
import { revalueHolding, sizeOf } from '../../ledger/index.ts'
import { updateMargin, updateOptionMargin } from '../../margin/index.ts'
import { type Exchange, findHolding, type HoldingRisk, type HoldingRow, type InstrumentRow } from '../state/index.ts'
import { updateExact } from './exact-margin.ts'
import { optionInput } from './margin-input.ts'
import { modelOf } from './models/margin-models.ts'
import { markStale, noteOptionMarket } from './pairs.ts'
import { resumeCrossed, resumeHolding, resumeOverdue, skipIfSafe } from './skipped-revaluations.ts'
import { awaitChecksOf, suspectHolderIfShort } from './suspects.ts'

/**
 * Updates margin after a holding's position changed, and marks its account for the next round.
 *
 * A fill calls it at once for the two holdings that it changed. The next level of the same taker, a protection that the
 * fill triggers and a request at the same instant read the maker's free margin. Published results also show which
 * wallets a round checks, and when. Other effects are only marked: `suspects`, stale pairs, work.
 */
export function refreshMargin(exchange: Exchange, owner: HoldingRow): void {
  recomputeMargin(exchange, owner)
  suspectHolderIfShort(exchange, owner)
}

/**
 * Updates margin after the open orders of a holding changed. Maintenance margin depends only on positions, so no round
 * needs to check the account.
 */
export function recomputeMargin(exchange: Exchange, owner: HoldingRow): void {
  if (owner.skip !== null) resumeHolding(exchange, owner)
  if (owner.risk === 'future') {
    updateMargin(exchange.margin, owner, owner.row.markScale, sizeOf(exchange.ledger, owner.holding))
  } else if (owner.risk !== 'none') {
    refreshRisk(exchange, owner, owner.risk)
  }
}

/** Updates the margin of a holding that is not a future under segregated standard margin. */
function refreshRisk(exchange: Exchange, owner: HoldingRow, risk: Exclude<HoldingRisk, 'none' | 'future'>): void {
  switch (risk) {
    case 'option':
      updateOptionMargin(exchange.margin, owner, optionInput(exchange, owner))
      return
    case 'cross':
      if (owner.row.instrument.kind === 'option') {
        updateOptionMargin(exchange.margin, owner, optionInput(exchange, owner))
      } else updateMargin(exchange.margin, owner, owner.row.markScale, sizeOf(exchange.ledger, owner.holding))
      updateExact(exchange, owner, sizeOf(exchange.ledger, owner.holding))
      return
    case 'portfolio':
      markStale(owner)
      return
    case 'combo':
      refreshCombo(exchange, owner)
      return
    default:
      unreachable(risk)
  }
}

/**
 * Recomputes the derived values from the margin rows of a restored holding, and leaves the rows unchanged. A holding
 * without a computed margin so far, such as that of a waiting order, stays without it.
 */
export function rebuildMargin(exchange: Exchange, owner: HoldingRow): void {
  switch (owner.risk) {
    case 'none':
    case 'future':
    case 'option':
      return
    case 'cross':
      updateExact(exchange, owner, sizeOf(exchange.ledger, owner.holding))
      return
    case 'portfolio':
      markStale(owner)
      return
    case 'combo': {
      const account = defined(exchange.accounts[owner.account], 'the account exists')
      const isShared = modelOf(account).shared !== null
      if (isShared && owner.row.instrument.kind === 'option_combo') updateExact(exchange, owner, 0)
      return
    }
    default:
      unreachable(owner.risk)
  }
}

/** Updates the margin of a combo: its open orders count for its legs, and its reserve for itself. */
function refreshCombo(exchange: Exchange, owner: HoldingRow): void {
  const account = defined(exchange.accounts[owner.account], 'the account exists')
  for (const { row } of owner.row.legs) {
    const leg = findHolding(exchange, owner.account, row)
    if (leg !== undefined) recomputeMargin(exchange, leg)
  }
  if (owner.row.instrument.kind !== 'option_combo' || modelOf(account).netsPositions) return
  updateOptionMargin(exchange.margin, owner, { marked: null, position: 0 })
  if (modelOf(account).shared !== null) updateExact(exchange, owner, 0)
}

/** Revalues the holdings of an instrument at its new mark, except the skipped ones. */
export function revalueInstrument(exchange: Exchange, row: InstrumentRow): void {
  if (row.base >= 0) return
  if (row.option !== null) noteOptionMarket(row)
  lookAtHoldings(exchange, row, (owner) => revalueHolding(exchange.ledger, owner, row.markTerms))
}

/** Updates the margins of all holdings that are not skipped, and skips those that it can from now on. */
function lookAtHoldings(exchange: Exchange, row: InstrumentRow, before: (owner: HoldingRow) => void): void {
  exchange.markCount += 1
  resumeOverdue(exchange)
  resumeCrossed(exchange, row)
  awaitChecksOf(exchange, row)
  const { checked, lookedAt } = row
  if (lookedAt !== exchange.now) {
    row.lookPause = exchange.now - lookedAt
    row.lookedAt = exchange.now
  }
  const maySkip = checked.length > exchange.skipFrom
  let kept = 0
  for (const holding of checked) {
    const owner = defined(exchange.holdings[holding], 'the holding exists')
    before(owner)
    refreshMargin(exchange, owner)
    if (maySkip && skipIfSafe(exchange, owner)) continue
    checked[kept] = holding
    kept += 1
  }
  checked.length = kept
}

/**
 * Updates the margins of an option after its forward or its volatility moved but its mark did not. Standard margins do
 * not depend on volatility.
 */
export function followOptionMarket(exchange: Exchange, row: InstrumentRow): void {
  const before = row.risk?.marked
  if (!noteOptionMarket(row)) return
  if (row.risk?.marked !== before) {
    lookAtHoldings(exchange, row, () => undefined)
    return
  }
  for (const holding of row.checked) {
    const owner = defined(exchange.holdings[holding], 'the holding exists')
    if (owner.risk === 'portfolio') refreshMargin(exchange, owner)
  }
}
