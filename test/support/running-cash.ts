/**
 * The law of cash: the amounts that events move add up to the cash that the events show and to the balance in the
 * ledger, for every account including those of the house; and the last row of every log shows that balance. The law
 * computes this without reading the ledger.
 *
 * Each event moves:
 * - `cash`: money from or to the outside;
 * - `trade`: the fee of each side to `house.fees`, the surcharge of a liquidation to `house.insurance`; for options
 *   also the premium between the two sides, for spot base and quote;
 * - `given_position`: the premium of an option between the account and `house.positions`;
 * - `position_transfer`: the premium of an option between the two, for spot base and quote; the commission from the
 *   giving account to `house.insurance`, or in part to the receiving account;
 * - `transfer`: money between two accounts;
 * - `settlement`: session profit from `house.rounding` to the holder, the fee to `house.fees`;
 * - `bankruptcy`: the debt from `house.insurance`; `shared_loss`: the tax to it.
 */
import { type AccountId, assert, defined, type InstrumentId, lots } from '../../src/core/index.ts'
import { allAccounts, viewWallet } from '../../src/engine/index.ts'
import { basisBig } from '../../src/ledger/index.ts'
import {
  amount9OfLots,
  CURRENCY_SLOTS,
  type Currency,
  currencies,
  currencyIdOf,
  type Event,
  type EventOf,
  type EventSink,
  type Fill,
  feeAccount,
  type Instrument,
  insuranceAccount,
  isCurrency,
  roundingAccount,
  sinkOf,
  type Trade,
  type TransferSide,
} from '../../src/model/index.ts'
import type { Desk } from '../../src/rpc/index.ts'

/** Computes the cash of all wallets from events. */
export class RunningCash {
  readonly sink: EventSink = sinkOf({
    instrument: ({ instrument }) => void this.instruments.set(instrument.id, instrument),
    cash: (event) => {
      postDeposit(this.cash, event)
      this.assertReported(event, event.account, event)
    },
    trade: (event) => this.trade(event),
    given_position: (event) => {
      const instrument = this.instrumentOf(event)
      postGiven(this.cash, event, instrument)
      this.assertReported(event, event.account, { ...event, currency: instrument.settlementCurrency })
    },
    position_transfer: (event) => {
      const instrument = this.instrumentOf(event)
      const currency = instrument.settlementCurrency
      for (const side of [event.from, event.to]) {
        postTransferSide(this.cash, event, { side, instrument })
      }
      for (const side of [event.from, event.to]) {
        this.assertReported(event, side.account, { currency, balance: side.balance })
        const balance = side === event.from ? event.fromBase : event.toBase
        const { baseCurrency } = instrument
        if (instrument.kind !== 'spot') assert(balance === 0n, 'only spot moves a base currency')
        else if (isCurrency(baseCurrency)) {
          this.assertReported(event, side.account, { currency: baseCurrency, balance })
        }
      }
    },
    transfer: (event) => {
      postCashTransfer(this.cash, event)
      const { currency, from, to, fromBalance, toBalance } = event
      this.assertReported(event, from, { currency, balance: fromBalance })
      this.assertReported(event, to, { currency, balance: toBalance })
    },
    settlement: (event) => {
      postSettlement(this.cash, event)
      this.assertReported(event, event.account, event)
    },
    bankruptcy: (event) => {
      postLoss(this.cash, event)
      this.assertReported(event, event.account, event)
    },
    shared_loss: (event) => {
      postLoss(this.cash, event)
      this.assertReported(event, event.account, event)
    },
    currency_bankruptcy: (event) => {
      postShared(this.cash, event)
      this.assertReported(event, insuranceAccount, { currency: event.currency, balance: event.fund })
    },
  })

  private readonly cash: Cash = new Map()
  private readonly instruments = new Map<InstrumentId, Instrument>()

  /** A copy that continues from here, for a copy of the run. */
  fork(): RunningCash {
    const copy = new RunningCash()
    for (const [wallet, nano] of this.cash) copy.cash.set(wallet, nano)
    for (const [id, instrument] of this.instruments) copy.instruments.set(id, instrument)
    return copy
  }

  /** Compares all balances, and the last rows of all logs. */
  check({ exchange, history }: Desk): void {
    for (const { id, name } of allAccounts(exchange)) {
      for (const currency of currencies) {
        const { balance } = viewWallet(exchange, id, currency)
        const followed = this.cashOf(id, currency)
        assert(
          followed === balance,
          `cash of ${name} in ${currency}: events tell ${followed}, the ledger has ${balance}`,
        )
        const row = history.transactions.windows.rows.get(id)?.findLast((each) => each.currency === currency)
        assert(row === undefined || row.balance === balance, `the log of ${name} in ${currency} ends with its balance`)
      }
    }
  }

  private trade(event: Trade): void {
    const instrument = this.instrumentOf(event)
    for (const fill of [event.maker, event.taker]) {
      const { account, balance, baseBalance } = fill
      if (event.legs.length === 0) postFill(this.cash, { trade: event, fill }, instrument)
      this.assertReported(event, account, { currency: instrument.settlementCurrency, balance })
      const { baseCurrency } = instrument
      if (instrument.kind !== 'spot') assert(baseBalance === 0n, 'only spot moves a base currency')
      else if (isCurrency(baseCurrency)) {
        this.assertReported(event, account, { currency: baseCurrency, balance: baseBalance })
      }
    }
  }

  private assertReported(
    { kind, number }: Event,
    account: AccountId,
    reported: { readonly currency: Currency; readonly balance: bigint },
  ): void {
    const followed = this.cashOf(account, reported.currency)
    assert(
      followed === reported.balance,
      `event ${number}, ${kind}: tells ${reported.balance} ${reported.currency} of account ${account}, events add up to ${followed}`,
    )
  }

  private cashOf(account: AccountId, currency: Currency): bigint {
    return this.cash.get(walletOf(account, currency)) ?? 0n
  }

  private instrumentOf({ instrument }: { readonly instrument: InstrumentId }): Instrument {
    return defined(this.instruments.get(instrument), 'an instrument is listed before it is traded')
  }
}

/** Cash in nano by wallet. */
type Cash = Map<number, bigint>

/** Money from or to the outside. */
function postDeposit(cash: Cash, event: EventOf<'cash'>): void {
  post(cash, event.account, event.currency, event.change)
}

/** One side of a position that a control created. */
function postGiven(cash: Cash, event: EventOf<'given_position'>, { settlementCurrency }: Instrument): void {
  if (event.premium !== 0n) post(cash, event.account, settlementCurrency, event.premium)
}

/** One side of a trade. */
function postFill(
  cash: Cash,
  { trade, fill }: { readonly trade: Trade; readonly fill: Fill },
  instrument: Instrument,
): void {
  if (instrument.kind === 'spot') {
    const { amount, price } = trade
    for (const leg of spotLegs({ amount, price, side: fill.side }, instrument)) {
      post(cash, fill.account, leg.currency, leg.change)
    }
  }
  if (fill.premium !== 0n) {
    post(cash, fill.account, instrument.settlementCurrency, fill.premium)
  }
  if (fill.fee === 0n) return
  post(cash, fill.account, fill.feeCurrency, -fill.fee)
  post(cash, feeAccount, fill.feeCurrency, fill.fee - fill.fundFee)
  if (fill.fundFee !== 0n) post(cash, insuranceAccount, fill.feeCurrency, fill.fundFee)
}

/** The base and quote that one side of a spot trade gives and receives before the fee. */
function spotLegs(
  { amount, price, side }: Pick<Trade, 'amount' | 'price'> & Pick<Fill, 'side'>,
  instrument: Instrument,
): readonly { readonly currency: Currency; readonly change: bigint }[] {
  const { baseCurrency, settlementCurrency } = instrument
  const base = amount9OfLots(instrument, amount)
  const quote = basisBig(instrument, amount, price)
  const buys = side === 'buy'
  const paid = { currency: settlementCurrency, change: buys ? -quote : quote }
  if (!isCurrency(baseCurrency)) return [paid]
  return [{ currency: baseCurrency, change: buys ? base : -base }, paid]
}

/**
 * One side of a transferred position. Returns the amount it received besides the premium; negative if it paid. The fund
 * gets its part with the giving side.
 */
function postTransferSide(
  cash: Cash,
  event: EventOf<'position_transfer'>,
  of: { readonly side: TransferSide; readonly instrument: Instrument },
): bigint {
  const { side, instrument } = of
  const gives = side === event.from
  const isSpot = instrument.kind === 'spot'
  const buys = gives === event.amount < 0
  if (isSpot) {
    const moved = { amount: lots(Math.abs(event.amount)), price: event.price }
    for (const leg of spotLegs({ ...moved, side: buys ? 'buy' : 'sell' }, instrument)) {
      post(cash, side.account, leg.currency, leg.change)
    }
  }
  // In spot, the giving account's receipt already includes the commission.
  const { baseCurrency, settlementCurrency } = instrument
  const inBase = isSpot && event.amount < 0 && isCurrency(baseCurrency)
  const currency = inBase ? baseCurrency : settlementCurrency
  const commission = gives ? -event.commission : event.commissionToTarget
  if (side.premium !== 0n) post(cash, side.account, currency, side.premium)
  if (commission !== 0n) post(cash, side.account, currency, commission)
  const toFund = gives ? event.commission - event.commissionToTarget : 0n
  if (toFund !== 0n) post(cash, insuranceAccount, currency, toFund)
  return commission
}

/** Money from one account to another. */
function postCashTransfer(cash: Cash, event: EventOf<'transfer'>): void {
  post(cash, event.from, event.currency, -event.amount)
  post(cash, event.to, event.currency, event.amount)
}

/** A holder's settlement or delivery. */
function postSettlement(cash: Cash, event: EventOf<'settlement'>): void {
  const { account, currency, sessionProfitLoss, fee } = event
  post(cash, account, currency, sessionProfitLoss)
  post(cash, roundingAccount, currency, -sessionProfitLoss)
  if (fee === 0n) return
  post(cash, account, currency, -fee)
  post(cash, feeAccount, currency, fee)
}

/** A debt that the fund pays, or a tax that the rounding account holds until all taxes are collected. */
function postLoss(cash: Cash, event: EventOf<'bankruptcy' | 'shared_loss'>): void {
  const isDebt = event.kind === 'bankruptcy'
  const change = isDebt ? event.loss : -event.tax
  post(cash, event.account, event.currency, change)
  post(cash, isDebt ? insuranceAccount : roundingAccount, event.currency, -change)
}

/**
 * The fund receives the winners' share exactly; the rounding remainder of their taxes stays with the rounding account.
 */
function postShared(cash: Cash, event: EventOf<'currency_bankruptcy'>): void {
  const { currency, socialized, sessionProfitLoss } = event
  const taken = socialized < sessionProfitLoss ? socialized : sessionProfitLoss
  post(cash, roundingAccount, currency, -taken)
  post(cash, insuranceAccount, currency, taken)
}

function post(cash: Cash, account: AccountId, currency: Currency, change: bigint): void {
  const wallet = walletOf(account, currency)
  cash.set(wallet, (cash.get(wallet) ?? 0n) + change)
}

function walletOf(account: AccountId, currency: Currency): number {
  return account * CURRENCY_SLOTS + currencyIdOf(currency)
}
