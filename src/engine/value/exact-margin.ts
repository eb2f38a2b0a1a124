/**
 * Standard margin of accounts whose currencies share it, to 1e-18. It is stored for each holding and summed for each
 * currency, so that the sums in USD are rounded once (T79).
 */
import { type HeldSizes, readExposure, readPremium, standardMargin18, worstSize } from '../../margin/index.ts'
import { CURRENCY_SLOTS } from '../../model/index.ts'
import { accountRow, type ExactMargin, type Exchange, type HoldingRow } from '../state/index.ts'

const NANO = 1_000_000_000n

/** Represents a holding that does not exist. */
export const NO_HOLDING = -1

/** The margin without positions and orders. */
export const noExactMargin: ExactMargin = { initial18: 0n, maintenance18: 0n }

/** Updates the exact margin of a holding with a position, and the sums of its currency. */
export function updateExact(exchange: Exchange, owner: HoldingRow, position: number): void {
  const { exact, exactTotals } = accountRow(exchange, owner.account).risk
  const { buys, sells } = readExposure(exchange.margin, owner.holding)
  const after = exactMargin(exchange, owner, { position, buys, sells })
  const before = exact.get(owner.holding) ?? noExactMargin
  exact.set(owner.holding, after)
  const currency = owner.wallet % CURRENCY_SLOTS
  const total = exactTotals.get(currency) ?? noExactMargin
  exactTotals.set(currency, {
    initial18: total.initial18 + after.initial18 - before.initial18,
    maintenance18: total.maintenance18 + after.maintenance18 - before.maintenance18,
  })
}

/** The margin of a holding with the given position and open orders, computed from scratch. */
export function exactMargin(
  exchange: Exchange,
  { row, holding }: Pick<HoldingRow, 'row' | 'holding'>,
  sizes: HeldSizes,
): ExactMargin {
  if (row.instrument.kind === 'future') {
    const held = Math.abs(sizes.position)
    return {
      initial18: standardMargin18(row.instrument, {
        lots: worstSize(sizes),
        mark9: row.mark,
        rate: 'initialPpm',
      }),
      maintenance18: standardMargin18(row.instrument, { lots: held, mark9: row.mark, rate: 'maintenancePpm' }),
    }
  }
  // An account that never had this holding reserves nothing for it.
  const reserve = holding === NO_HOLDING ? 0 : readPremium(exchange.margin, holding).reserve
  const reserve18 = BigInt(reserve) * NANO
  const marked = row.risk?.marked
  if (marked === undefined) return { initial18: reserve18, maintenance18: 0n }
  const need18 = (unit9: number, short: number): bigint =>
    short <= 0 ? 0n : BigInt(unit9) * BigInt(short) * BigInt(marked.amountStep9)
  return {
    initial18: need18(marked.initial9, sizes.sells - sizes.position) + reserve18,
    maintenance18: need18(marked.maintenance9, -sizes.position),
  }
}
