/**
 * The sharing of a loss that an account cannot bear: the parts of the insurance fund and of the accounts with a profit
 * that day.
 *
 * Money is in 1e-9 of one currency. Each tax is rounded separately, half away from zero, so the sum of the taxes may
 * differ from `taken` by half a unit for each winner. The rounding account receives that difference.
 * Source: market.md 3.7, T47.
 */
import { type Amount, amount, assert, divHalfAwayBig, safeNumber } from '../../core/index.ts'

/** The parts of a shared loss. */
interface SharedLoss {
  /** Part of the loss that the fund can pay. */
  readonly funded: Amount
  /** The part for accounts with a profit. */
  readonly rest: Amount
  /** Part of the rest that they bear: all of it, or all their profits. */
  readonly taken: Amount
  /** Sum of all profits above 0. */
  readonly profit: Amount
  /** Taken share of each profit, in 1e-9; 1 at most, and 0 without profits. */
  readonly rate9: number
  /** Tax on each profit, in the order of `profits`; never more than the profit. */
  readonly taxes: readonly Amount[]
}

const RATE_SCALE = 1_000_000_000n

/** Shares a loss between a fund, which may be empty or overdrawn, and profits of any sign. */
export function shareLoss(loss: bigint, fund: bigint, profits: readonly bigint[]): SharedLoss {
  assert(loss >= 0n, 'a loss is not negative')
  const payable = fund > 0n ? fund : 0n
  const funded = loss < payable ? loss : payable
  const rest = loss - funded
  let profit = 0n
  for (const each of profits) if (each > 0n) profit += each
  const taken = rest < profit ? rest : profit
  return {
    funded: amount(funded),
    rest: amount(rest),
    taken: amount(taken),
    profit: amount(profit),
    rate9: profit === 0n ? 0 : safeNumber(divHalfAwayBig(taken * RATE_SCALE, profit)),
    taxes: profits.map((each) => taxOf(each, taken, profit)),
  }
}

/** Tax on one profit. If the rest exceeds all profits, `taken` is their sum and the tax is the whole profit. */
function taxOf(each: bigint, taken: bigint, profit: bigint): Amount {
  if (each <= 0n || taken === 0n) return amount(0n)
  return amount(divHalfAwayBig(each * taken, profit))
}
