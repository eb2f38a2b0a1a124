/**
 * Inputs of a holding's margin: the mark of its instrument and its position.
 */
import { sizeOf } from '../../ledger/index.ts'
import type { MarginInput, OptionInput } from '../../margin/index.ts'
import type { Exchange, HoldingRow } from '../state/index.ts'

/** Mark and position of an option. Together with its open orders they determine its margin. */
export function optionInput(exchange: Exchange, owner: HoldingRow): OptionInput {
  return { marked: owner.row.risk?.marked ?? null, position: sizeOf(exchange.ledger, owner.holding) }
}

/** Mark and position of a holding. Together with its open orders they determine its margin. */
export function marginInput(exchange: Exchange, owner: HoldingRow): MarginInput {
  return { marked: owner.row.markScale, position: sizeOf(exchange.ledger, owner.holding) }
}
