/**
 * The performance of accounts, the first figures that a trader reads.
 *
 * For each account but those of the house, and each of its currencies:
 *
 *     total = price + funding - fees + insurance = equity - deposits
 *
 * exactly, in nano. Each part has its own sources, so the end of a run asserts the equation:
 *
 * - `price`: profit that fills, given and transferred positions realized, profit that settlements turned into cash, and
 *   the floating profit at the end; for options the premiums received less those paid, the deliveries and the value at
 *   the end; for spot the coins and money received less those given.
 * - `funding`: the funding of settlements, and of positions at the end.
 * - `fees`: fees of fills and deliveries, and commissions of transfers.
 * - `insurance`: bankruptcies and shared losses.
 *
 * - Deposits are money from outside or from other accounts of the same owner, less money that went there.
 * - The drawdown is the largest fall of profit (equity less deposits) below its peak so far, which
 *   starts at 0; its fraction is the largest share of the peak of equity that was lost, where the peak
 *   counts with the deposits of the moment, so that a deposit is no gain and a withdrawal no loss.
 *   Equity is sampled after each input that filled, at whole seconds of virtual time, and at the end.
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
 * Performance in one currency, in nano. Fees are positive where they were paid. Insurance is the part
 * of a bankrupt's debts that the fund paid, less the shares paid of the losses of others.
 */
export interface CurrencyPerformance {
  readonly currency: Currency
  readonly deposits: Amount
  readonly equity: Amount
  readonly price: Amount
  /** Booked and accrued. */
  readonly funding: Amount
  /** Funding that no row of the table `funding` has at the end. */
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
  /** Parts per billion of the peak, rounded half away from zero; 0 where nothing was at stake. */
  readonly drawdownPpb: number
}

/** Traded sums of one instrument. */
export interface InstrumentPerformance {
  readonly instrument: string
  readonly amountStep9: number
  readonly bought: Lots
  readonly sold: Lots
  /** Signed position at the end; 0 for spot. */
  readonly position: Lots
}

/** Where an account's orders went. */
export interface OrderFunnel {
  /** Orders that entered a book or were on their way to one, orders that triggers placed included. */
  readonly opened: number
  readonly edited: number
  readonly filled: number
  /** Ended or resting with a part filled. */
  readonly filledPartly: number
  readonly resting: number
  /** By reason, in the order of their first appearance. */
  readonly refused: ReadonlyMap<string, number>
  readonly editsRefused: ReadonlyMap<string, number>
  readonly cancelled: ReadonlyMap<string, number>
  /** Orders that waited for a price or a fill. `cancelled` above also counts the cancelled ones. */
  readonly triggers: TriggerFunnel
}

/** Where trigger orders, and secondaries before their turn, went. */
export interface TriggerFunnel {
  readonly placed: number
  /** Trigger orders that fired; the orders that they became are among the opened. */
  readonly fired: number
  /** Refused when they fired. */
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

/** Sums up an account at the end, after a last sample of its wallets. */
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
  const { equity } = standing
  sampleWallet(wallet, equity)
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
  const total = equity - deposits
  const parts = price + funding - fees + insurance
  assert(parts === total, 'profit is exactly price, funding and insurance minus fees')
  const [shareFall, sharePeak] = [exact(wallet.shareFall), exact(wallet.sharePeak)]
  const share = sharePeak === 0n ? 0n : divHalfAwayBig(shareFall * 1_000_000_000n, sharePeak)
  const booked = exact(wallet.fundingReceived) - exact(wallet.fundingPaid)
  return {
    currency: wallet.currency,
    deposits,
    equity,
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

/** Notes that the equity of a wallet moved and is to be sampled. */
export function touch(state: State, wallet: WalletState): void {
  if (wallet.isUnsampled) return
  wallet.isUnsampled = true
  state.unsampled.push(wallet.slot)
  if (wallet.hasMoved) return
  wallet.hasMoved = true
  state.moving.push(wallet.slot)
}

/** Samples the equity of a wallet: its peak, and how far it has fallen below. */
export function sampleWallet(wallet: WalletState, equity: bigint): void {
  wallet.isUnsampled = false
  const profit = subtractNano(nanoOf(equity), wallet.deposits)
  if (profit >= wallet.peak) {
    wallet.peak = profit
    return
  }
  const fall = subtractNano(wallet.peak, profit)
  if (fall > wallet.drawdown) wallet.drawdown = fall
  const { shareFall, sharePeak } = wallet
  const peak = addNano(wallet.peak, wallet.deposits)
  if (peak <= 0 || (fall <= shareFall && peak >= sharePeak)) return
  // Doubles decide most comparisons.
  if (Number(fall) * Number(sharePeak) < Number(shareFall) * Number(peak) * NEARLY) return
  // Shares are compared crosswise: a fraction of integers needs no division until the end.
  if (BigInt(fall) * BigInt(sharePeak) >= BigInt(shareFall) * BigInt(peak)) {
    wallet.shareFall = fall
    wallet.sharePeak = peak
  }
}

const NEARLY = 1 - 1e-12
