/**
 * Cash of every wallet, followed through the events alone. It never looks at the ledger, so that it
 * shows what the events tell: they must add up to the balances of accounts.
 *
 * What each event moves:
 * - `cash_posted`: money from or to the outside;
 * - `trade`: the fee of each side to `house.fees`, the surcharge of a liquidation to `house.insurance`; of
 *   options also the premium between the two, of spot base and quote;
 * - `position_given`: the premium of an option between the account and `house.positions`;
 * - `position_transferred`: the premium of an option between the two, the commission from the one that
 *   gives to `house.insurance`, or in part to the one that takes;
 * - `cash_transferred`: money between two accounts;
 * - `position_settled`: session profit from `house.rounding` to the holder, the fee to `house.fees`;
 * - `account_bankrupt`: the debt from `house.insurance`; `loss_shared`: the tax to it.
 */
import { type AccountId, type Amount, amount } from '../../../core/index.ts'
import { basisBig } from '../../../ledger/index.ts'
import {
  amount9OfLots,
  CURRENCY_SLOTS,
  type Currency,
  currencyIdOf,
  type EventOf,
  type Fill,
  feeAccount,
  type Instrument,
  insuranceAccount,
  isCurrency,
  roundingAccount,
  type Trade,
  type TransferSide,
} from '../../../model/index.ts'

/** Cash in nano by wallet. */
export type Cash = Map<number, bigint>

/** A wallet's cash. */
export function cashIn(cash: Cash, account: AccountId, currency: Currency): Amount {
  return amount(cash.get(walletOf(account, currency)) ?? 0n)
}

/** Money from or to the outside. */
export function postDeposit(cash: Cash, event: EventOf<'cash_posted'>): void {
  post(cash, event.account, event.currency, event.change)
}

/** One side of a position that a scenario gave. */
export function postGiven(
  cash: Cash,
  event: EventOf<'position_given'>,
  { settlementCurrency }: Instrument,
): void {
  if (event.premium !== 0n) post(cash, event.account, settlementCurrency, event.premium)
}

/** One side of a trade. */
export function postFill(
  cash: Cash,
  { trade, fill }: { readonly trade: Trade; readonly fill: Fill },
  instrument: Instrument,
): void {
  if (instrument.kind === 'spot') {
    for (const leg of spotLegs(trade, fill, instrument)) {
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

/** What a spot fill gives and takes before the fee: base, then quote. */
export function spotLegs(
  trade: Trade,
  fill: Fill,
  instrument: Instrument,
): readonly { readonly currency: Currency; readonly change: bigint }[] {
  const { baseCurrency, settlementCurrency } = instrument
  const base = amount9OfLots(instrument, trade.amount)
  const quote = basisBig(instrument, trade.amount, trade.price)
  const buys = fill.side === 'buy'
  const paid = { currency: settlementCurrency, change: buys ? -quote : quote }
  if (!isCurrency(baseCurrency)) return [paid]
  return [{ currency: baseCurrency, change: buys ? base : -base }, paid]
}

/**
 * One side of a position that changed hands; returns what it received, negative: paid, for that beside
 * the premium. The fund takes its part with the side that gives.
 */
export function postTransferSide(
  cash: Cash,
  event: EventOf<'position_transferred'>,
  of: { readonly side: TransferSide; readonly currency: Currency },
): bigint {
  const { side, currency } = of
  const gives = side === event.from
  const commission = gives ? -event.commission : event.commissionToTarget
  if (side.premium !== 0n) post(cash, side.account, currency, side.premium)
  if (commission !== 0n) post(cash, side.account, currency, commission)
  const toFund = gives ? event.commission - event.commissionToTarget : 0n
  if (toFund !== 0n) post(cash, insuranceAccount, currency, toFund)
  return commission
}

/** Money from one account to another. */
export function postCashTransfer(cash: Cash, event: EventOf<'cash_transferred'>): void {
  post(cash, event.from, event.currency, -event.amount)
  post(cash, event.to, event.currency, event.amount)
}

/** A holder's settlement or delivery. */
export function postSettlement(cash: Cash, event: EventOf<'position_settled'>): void {
  const { account, currency, sessionProfitLoss, fee } = event
  post(cash, account, currency, sessionProfitLoss)
  post(cash, roundingAccount, currency, -sessionProfitLoss)
  if (fee === 0n) return
  post(cash, account, currency, -fee)
  post(cash, feeAccount, currency, fee)
}

/** A debt that the fund pays, or a tax that lies with the rounding account until all of them are in. */
export function postLoss(cash: Cash, event: EventOf<'account_bankrupt' | 'loss_shared'>): void {
  const isDebt = event.kind === 'account_bankrupt'
  const change = isDebt ? event.loss : -event.tax
  post(cash, event.account, event.currency, change)
  post(cash, isDebt ? insuranceAccount : roundingAccount, event.currency, -change)
}

/** The fund receives what winners share, exactly; what rounding left of their taxes stays where it is. */
export function postShared(cash: Cash, event: EventOf<'bankruptcy_settled'>): void {
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
