/**
 * Common part of the two standard models: each position has its own margin.
 * Source: market.md 6.1, 6.2.
 */
import { divHalfAwayBig, type Nano } from '../../../core/index.ts'
import { sizeOf } from '../../../ledger/index.ts'
import {
  firstOptionMargin,
  initialMargin,
  initialMarginIncrease,
  optionMarginIncrease,
  readExposure,
  readTotals,
} from '../../../margin/index.ts'
import { type AccountRow, type Exchange, findHolding, type InstrumentRow } from '../../state/index.ts'
import { exactMargin, NO_HOLDING } from '../exact-margin.ts'
import { marginInput, optionInput } from '../margin-input.ts'
import { updateSkippedHolding } from '../skipped-revaluations.ts'
import { heldIn, type WalletState } from '../wallet-state.ts'
import type { Moved, Need, Opened, OwnMargins } from './margin-model.ts'
import { sizesOf } from './moved-sizes.ts'

/** Multiples of 1e-18 in a nano. */
export const NANO = 1_000_000_000n

/** Margins of one currency: sums over its holdings. The value of options does not count as margin balance. */
export function standardMargins(
  exchange: Exchange,
  owner: AccountRow,
  { wallet, equity, optionsValue }: WalletState,
): OwnMargins {
  const { initial, maintenance } = readTotals(exchange.margin, wallet)
  const held = heldIn(exchange, owner, wallet)
  return { marginBalance: equity - optionsValue, initial: initial + held, maintenance }
}

/** Increase of the margin of one instrument, in nano. */
export function riseOfOne(exchange: Exchange, owner: AccountRow, opened: Opened): Nano {
  const { row, buys, sells, cost } = opened
  const held = findHolding(exchange, owner.account.id, row)
  if (held !== undefined) updateSkippedHolding(exchange, held)
  const { kind } = row.instrument
  if (kind === 'future') {
    return held === undefined
      ? initialMargin(row.markScale, Math.max(buys, sells))
      : initialMarginIncrease(exchange.margin, held, marginInput(exchange, held), buys, sells)
  }
  // For a combo only its cost counts here. Its legs are passed separately.
  const more = { sells: kind === 'option' ? sells : 0, buys: opened.costLots, cost }
  const marked = row.risk?.marked ?? null
  if (held === undefined) return firstOptionMargin(marked, more)
  const input = kind === 'option' ? optionInput(exchange, held) : { marked: null, position: 0 }
  return optionMarginIncrease(exchange.margin, held, input, more)
}

/** Increase of the margins of positions that change hands, in 1e-18 of their currency. */
export function riseOfMoves18(
  exchange: Exchange,
  owner: AccountRow,
  moves: readonly Moved[],
  /** The margin of a future at some sizes. */
  futureMargin18: (holding: HeldNow, size: number) => bigint,
): bigint {
  let rise = 0n
  for (const { row, lots } of sizesOf(moves)) {
    const held = heldBy(exchange, owner, row)
    const marginAt = (size: number): bigint =>
      row.instrument.kind === 'future'
        ? futureMargin18(held, size)
        : exactMargin(exchange, { row, holding: held.holding }, { position: size, buys: held.buys, sells: held.sells })
            .initial18
    rise += marginAt(held.position + lots) - marginAt(held.position)
  }
  return rise
}

/** Position and open orders of an account in an instrument. */
export interface HeldNow {
  readonly row: InstrumentRow
  readonly holding: number
  readonly position: number
  readonly buys: number
  readonly sells: number
}

/** Position and open orders of an account in an instrument; all 0 if the account has no such holding. */
export function heldBy(exchange: Exchange, owner: AccountRow, row: InstrumentRow): HeldNow {
  const held = findHolding(exchange, owner.account.id, row)
  if (held === undefined) return { row, holding: NO_HOLDING, position: 0, buys: 0, sells: 0 }
  const { buys, sells } = readExposure(exchange.margin, held.holding)
  const position = sizeOf(exchange.ledger, held.holding)
  return { row, holding: held.holding, position, buys, sells }
}

/** Margin that the legs of an order need, each as a separate order. */
export function needOfLegs(_exchange: Exchange, _owner: AccountRow, legs: readonly Need[]): bigint {
  return legs.reduce((sum, leg) => sum + needOfLeg(leg), 0n)
}

function needOfLeg({ row, side, lots, cost }: Need): bigint {
  // The legs of a combo are passed separately; the combo itself pays its premium.
  if (row.legs.length > 0) return cost
  if (row.option === null) return BigInt(initialMargin(row.markScale, lots))
  const buys = side === 'buy' && cost > 0n ? lots : 0
  const sells = side === 'sell' ? lots : 0
  return BigInt(firstOptionMargin(row.risk?.marked ?? null, { buys, sells, cost }))
}

/** Converts 1e-18 to nano. */
export function nanoOf18(value18: bigint): bigint {
  return divHalfAwayBig(value18, NANO)
}
