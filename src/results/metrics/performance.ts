/**
 * The performance of accounts, the first figures that a trader reads.
 *
 * For each account except house accounts, and each of its currencies:
 *
 *     total = price + funding - fees + insurance = equity - deposits
 *
 * exactly, in nano. Each part is computed from different events than the others, so the equation is a real check, and
 * the end of a run asserts it:
 *
 * - `price`: realized profit of fills and of given and transferred positions, profit that settlements turned into cash,
 *   and the floating profit at the end; for options the premiums received less those paid, the deliveries and the value
 *   at the end; for spot the coins and money received less those given.
 * - `funding`: the funding of settlements, and of positions at the end.
 * - `fees`: fees of fills and deliveries, and commissions of transfers.
 * - `insurance`: bankruptcies and shared losses.
 *
 * - Deposits are money from outside or from other accounts of the same owner, less money that went there.
 * - The drawdown is the largest fall of profit (equity less deposits) below its peak so far, which starts at 0; its
 *   fraction is the largest share of the peak of equity that was lost, where the peak counts with the deposits of the
 *   moment, so that a deposit is no gain and a withdrawal no loss. Equity is sampled after each input with fills, at
 *   whole seconds of virtual time, and at the end.
 */
import {
  type Amount,
  addNano,
  amount,
  assert,
  divHalfAwayBig,
  type Lots,
  lots,
  type Nano,
  nanoOf,
  subtractNano,
} from '../../core/index.ts'
import type { Currency } from '../../model/index.ts'
import { type AccountState, rowsBy, type State, termsAt, type WalletState } from './state.ts'
import type { MetricsViews, Standing } from './views.ts'

/**
 * Performance in one currency, in nano. Paid fees are positive. Insurance is the part of a bankrupt account's debts
 * that the fund paid, less shares paid of the losses of others.
 */
export interface CurrencyPerformance {
  readonly currency: Currency
  readonly deposits: Amount
  readonly equity: Amount
  readonly price: Amount
  /** Booked and accrued funding. */
  readonly funding: Amount
  /** Funding that is not in a row of the table `funding` at the end. */
  readonly fundingAccrued: Amount
  readonly fees: Amount
  readonly insurance: Amount
  readonly total: Amount
  readonly makerFees: Amount
  readonly takerFees: Amount
  readonly deliveryFees: Amount
  /** Commissions of positions that a liquidation transferred. */
  readonly commissions: Amount
  readonly fills: number
  readonly makerFills: number
  readonly turnover: Amount
  readonly makerTurnover: Amount
  readonly drawdown: Amount
  /** Parts per billion of the peak, rounded half away from zero; 0 without equity at stake. */
  readonly drawdownPpb: number
}

/** Traded totals of one instrument. */
export interface InstrumentPerformance {
  readonly instrument: string
  readonly amountStep9: number
  readonly bought: Lots
  readonly sold: Lots
  /** Signed position at the end; 0 for spot. */
  readonly position: Lots
}

/** Outcomes of an account's orders. */
export interface OrderFunnel {
  /** Orders that entered a book or were about to, including orders that triggers placed. */
  readonly opened: number
  readonly edited: number
  readonly filled: number
  /** Orders that ended or rest partly filled. */
  readonly filledPartly: number
  readonly resting: number
  /** By reason, in the order of the first occurrence. */
  readonly refused: ReadonlyMap<string, number>
  readonly editsRefused: ReadonlyMap<string, number>
  readonly cancelled: ReadonlyMap<string, number>
  /** Orders that waited for a price or a fill. `cancelled` above includes the cancelled ones. */
  readonly triggers: TriggerFunnel
}

/** Outcomes of trigger orders, and of secondary orders before their activation. */
export interface TriggerFunnel {
  readonly placed: number
  /** Trigger orders that fired. The orders that they placed are among the opened ones. */
  readonly fired: number
  /** Orders that were refused when they fired. */
  readonly rejected: number
  readonly cancelled: number
}

/** The performance of one account. */
export interface AccountPerformance {
  readonly account: string
  readonly currencies: readonly CurrencyPerformance[]
  readonly instruments: readonly InstrumentPerformance[]
  readonly orders: OrderFunnel
}

/** Summarizes an account at the end, after a last sample of its wallets. */
export function performanceOf(state: State, account: AccountState, views: MetricsViews): AccountPerformance {
  const { orders, triggers, refused, editsRefused, cancelled } = account
  const closed = [...cancelled.values()].reduce((sum, count) => sum + count, orders.filled)
  return {
    account: account.name,
    currencies: [...account.wallets].map(([currency, wallet]) =>
      performanceOfWallet(wallet, views.standingOf(account.id, currency)),
    ),
    instruments: rowsBy(account, 'tradedRank').map(({ instrument, bought, sold, size }) => {
      const { name, amountStep9 } = termsAt(state, instrument)
      return {
        instrument: name,
        amountStep9,
        bought: lots(bought),
        sold: lots(sold),
        position: lots(size),
      }
    }),
    orders: {
      opened: orders.opened,
      edited: orders.edited,
      filled: orders.filled,
      filledPartly: orders.cancelledPartly + orders.livePartly,
      resting: orders.opened + triggers.cancelled - closed,
      refused,
      editsRefused,
      cancelled,
      triggers: { ...triggers },
    },
  }
}

function performanceOfWallet(wallet: WalletState, standing: Standing): CurrencyPerformance {
  sampleWallet(wallet, standing.equity)
  const exact = (sum: Nano): Amount => amount(BigInt(sum))
  const [deposits, insurance, commissions] = [
    exact(wallet.deposits),
    exact(wallet.insurance),
    exact(wallet.commissions),
  ]
  const [makerFees, takerFees, deliveryFees] = [
    exact(wallet.makerFees),
    exact(wallet.takerFees),
    exact(wallet.deliveryFees),
  ]
  const optionProfit = exact(wallet.premiums) + standing.optionsValue
  const price = exact(wallet.realized) + standing.floating + exact(wallet.flows) + optionProfit
  const funding = exact(wallet.funding) + standing.funding
  const fees = makerFees + takerFees + deliveryFees + commissions
  const total = standing.equity - deposits
  const parts = price + funding - fees + insurance
  assert(parts === total, 'profit is exactly price, funding and insurance minus fees')
  const [shareFall, sharePeak] = [exact(wallet.shareFall), exact(wallet.sharePeak)]
  const share = sharePeak === 0n ? 0n : divHalfAwayBig(shareFall * 1_000_000_000n, sharePeak)
  const booked = exact(wallet.fundingReceived) - exact(wallet.fundingPaid)
  return {
    currency: wallet.currency,
    deposits,
    equity: standing.equity,
    price: amount(price),
    funding: amount(funding),
    fundingAccrued: amount(funding - booked),
    fees: amount(fees),
    insurance,
    total: amount(total),
    deliveryFees,
    commissions,
    makerFees,
    takerFees,
    fills: wallet.fills,
    makerFills: wallet.makerFills,
    turnover: exact(wallet.turnover),
    makerTurnover: exact(wallet.makerTurnover),
    drawdown: exact(wallet.drawdown),
    drawdownPpb: Number(share),
  }
}

/** Schedules a sample of a wallet's equity after it has changed. */
export function touch(state: State, wallet: WalletState): void {
  if (wallet.isUnsampled) return
  wallet.isUnsampled = true
  state.unsampled.push(wallet.slot)
  if (wallet.hasMoved) return
  wallet.hasMoved = true
  state.moving.push(wallet.slot)
}

/** Samples the equity of a wallet: its peak and its fall below the peak. */
export function sampleWallet(wallet: WalletState, equity: bigint): void {
  wallet.isUnsampled = false
  const profit = subtractNano(nanoOf(equity), wallet.deposits)
  if (profit >= wallet.peak) {
    wallet.peak = profit
    return
  }
  const fall = subtractNano(wallet.peak, profit)
  if (fall > wallet.drawdown) wallet.drawdown = fall
  const peak = addNano(wallet.peak, wallet.deposits)
  if (peak <= 0 || (fall <= wallet.shareFall && peak >= wallet.sharePeak)) return
  // Most comparisons are clear with doubles.
  if (Number(fall) * Number(wallet.sharePeak) < Number(wallet.shareFall) * Number(peak) * NEARLY) return
  // Shares are compared by cross-multiplication, so no division is needed until the end.
  if (BigInt(fall) * BigInt(wallet.sharePeak) >= BigInt(wallet.shareFall) * BigInt(peak)) {
    wallet.shareFall = fall
    wallet.sharePeak = peak
  }
}

const NEARLY = 1 - 1e-12
