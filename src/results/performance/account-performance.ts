/**
 * The figures of an account at the end of a run, from its running sums. `performance.ts` says what they
 * mean.
 */
import {
  type Amount,
  amount,
  assert,
  defined,
  divHalfAwayBig,
  type Lots,
  lots,
} from '../../core/index.ts'
import type { Currency } from '../../model/index.ts'
import {
  type AccountTally,
  type InstrumentTerms,
  sampleWallet,
  type WalletTally,
} from './tallies.ts'

/** Worth of an account's currency at the end. */
export interface Standing {
  readonly equity: Amount
  /** Worth of options at their marks, which equity includes. */
  readonly optionsValue: Amount
  /** Profit of other open positions at the mark, not yet realized. */
  readonly floating: Amount
  /** Funding of the session that is not yet settled, up to now. */
  readonly funding: Amount
}

/**
 * Performance in one currency, in nano. Fees are positive where they were paid. Insurance is what the
 * fund paid of a bankrupt's debts, less what was paid of the losses of others.
 */
export interface CurrencyPerformance {
  readonly currency: Currency
  readonly deposits: Amount
  readonly equity: Amount
  readonly price: Amount
  /** Booked and accrued. */
  readonly funding: Amount
  /** Funding that no row of the table `funding` has yet, as it stands at the end. */
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
  /** Orders that stood in a book or were on their way to it, those that triggers became included. */
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
  /** Orders that waited for a price or a fill; those of them that were cancelled are in `cancelled` too. */
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

/** Sums up an account; its wallets are sampled once more. */
export function performanceOfAccount(
  account: AccountTally,
  instruments: readonly InstrumentTerms[],
  standingOf: (currency: Currency) => Standing,
): AccountPerformance {
  const { orders, triggers, refused, editsRefused, cancelled } = account
  const closed = [...cancelled.values()].reduce((sum, count) => sum + count, orders.filled)
  return {
    account: account.name,
    currencies: [...account.wallets].map(([currency, wallet]) =>
      performanceOfWallet(currency, wallet, standingOf(currency)),
    ),
    instruments: [...account.instruments].map(([instrument, tally]) => {
      const { name, amountStep9 } = defined(instruments[instrument], 'the instrument is listed')
      const { bought, sold, position } = tally
      return {
        instrument: name,
        amountStep9,
        bought: lots(bought),
        sold: lots(sold),
        position: lots(position),
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

function performanceOfWallet(
  currency: Currency,
  wallet: WalletTally,
  standing: Standing,
): CurrencyPerformance {
  const { equity } = standing
  sampleWallet(wallet, equity)
  const { deposits, insurance, makerFees, takerFees, deliveryFees, commissions } = wallet
  const { fills, makerFills, turnover, makerTurnover } = wallet
  const optionProfit = wallet.premiums + standing.optionsValue
  const price = wallet.realized + standing.floating + wallet.flows + optionProfit
  const funding = wallet.funding + standing.funding
  const fees = makerFees + takerFees + deliveryFees + commissions
  const total = equity - deposits
  const parts = price + funding - fees + insurance
  assert(parts === total, 'profit is exactly price, funding and insurance minus fees')
  const { shareFall, sharePeak } = wallet
  const share = sharePeak === 0n ? 0n : divHalfAwayBig(shareFall * 1_000_000_000n, sharePeak)
  return {
    currency,
    deposits: amount(deposits),
    equity,
    price: amount(price),
    funding: amount(funding),
    fundingAccrued: amount(funding - wallet.bookedFunding),
    fees: amount(fees),
    insurance: amount(insurance),
    total: amount(total),
    deliveryFees: amount(deliveryFees),
    commissions: amount(commissions),
    makerFees: amount(makerFees),
    takerFees: amount(takerFees),
    fills,
    makerFills,
    turnover: amount(turnover),
    makerTurnover: amount(makerTurnover),
    drawdown: amount(wallet.drawdown),
    drawdownPpb: Number(share),
  }
}
