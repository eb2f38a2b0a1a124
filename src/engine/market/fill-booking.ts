/**
 * Books one side of a fill: the position or the coins, the premium of an option, and the fee. Trades of books and legs
 * of combos use the same functions.
 *
 * Fees go to the house, the surcharge of a liquidation to the insurance fund. Every posting is computed from the fill
 * itself, never as a difference of other postings.
 * Source: market.md 4 (fees), 5.1 (positions).
 */
import {
  type Amount,
  amount,
  type CurrencyId,
  currencyId,
  mulDivFloor,
  type Nano,
  nanoOf,
  setWideProduct,
  subtractNano,
  wideToBigint,
} from '../../core/index.ts'
import {
  baseFeeNano,
  cashOf,
  feeNano,
  feeShareNano,
  liquidationFee,
  optionFeeNano,
  type PricedTerms,
  postFill,
  postFutureFill,
  postNano,
  postWideCash,
  profitShare,
  setBasis,
  sizeOf,
  WHOLE_FEE,
} from '../../ledger/index.ts'
import { type FillRule, feeAccount, insuranceAccount, type Liquidity, type Side } from '../../model/index.ts'
import {
  accountRow,
  type Exchange,
  type HoldingRow,
  type InstrumentRow,
  isCoinSettled,
  noteFundable,
  ONE_COIN9,
  type Turn,
  walletRowOf,
} from '../state/index.ts'
import { touchFunding } from '../value/index.ts'

/** One side of a fill. */
export interface SideFill {
  readonly row: InstrumentRow
  readonly owner: HoldingRow
  readonly direction: Side
  readonly lots: number
  /** The arithmetic of the contract at the price of the fill. */
  readonly priced: PricedTerms
}

/** Result of booking one side, in nano of the settlement currency. */
export interface Booked {
  readonly realized: Nano
  readonly premium: Nano
  readonly position: number
}

/** The currency in which a side of a fill pays its fee: the currency that it receives. */
export function feeCurrencyOf(row: InstrumentRow, direction: Side): CurrencyId {
  return row.base >= 0 && direction === 'buy' ? currencyId(row.base) : row.settlement
}

/** Books one side. The caller updates the margin with `refreshMargin`. */
export function bookFill(turn: Turn, fill: SideFill): Booked {
  return fill.row.base >= 0 ? bookSpot(turn.exchange, fill) : bookContract(turn, fill)
}

/** Books the new position of a contract, and the premium of an option. */
function bookContract(turn: Turn, fill: SideFill): Booked {
  const realized = bookPosition(turn, fill)
  const bought = fill.direction === 'buy' ? fill.lots : -fill.lots
  return {
    realized,
    premium: fill.row.terms.premium ? premiumOf(turn.exchange, fill.priced, bought) : 0,
    position: sizeOf(turn.exchange.ledger, fill.owner.holding),
  }
}

/** Books the new position of a contract, and returns the realized profit. */
export function bookPosition(turn: Turn, { row, owner, direction, lots, priced }: SideFill): Nano {
  const { ledger } = turn.exchange
  if (row.funding !== null) touchFunding(turn, owner)
  const sign = direction === 'buy' ? 1 : -1
  const posting = { sign, lots, price: priced, mark: row.markTerms } as const
  const isOnePass = !row.terms.premium && !turn.exchange.orders.forcesRare
  const realized = isOnePass ? postFutureFill(ledger, owner, posting) : postFill(ledger, owner, posting)
  if (row.funding !== null) noteFundable(turn.exchange, owner)
  row.mostLots = Math.max(row.mostLots, Math.abs(sizeOf(ledger, owner.holding)))
  row.mostProfit = Math.max(row.mostProfit, profitShare(ledger, owner.holding))
  return realized
}

/**
 * Books the base and quote amounts of a spot fill. The two postings of one account mirror those of the other exactly.
 */
function bookSpot(exchange: Exchange, { row, owner, direction, lots, priced }: SideFill): Booked {
  const { account } = owner
  const buys = direction === 'buy'
  setWideProduct(exchange.scratch, 0, lots, row.instrument.amountStep9)
  postWideCash(exchange.ledger, walletRowOf(account, row.base), exchange.scratch, 0, buys ? 1 : -1)
  setBasis(exchange.scratch, 0, priced, lots)
  postWideCash(exchange.ledger, walletRowOf(account, row.settlement), exchange.scratch, 0, buys ? -1 : 1)
  return nothingBooked
}

/** Cash of an account in the base currency of spot; 0 for contracts. */
export function baseCashOf(exchange: Exchange, { base }: InstrumentRow, account: number): Amount {
  return base < 0 ? noCash : amount(cashOf(exchange.ledger, walletRowOf(account, base)))
}

const noCash = amount(0n)
const nothingBooked: Booked = { realized: 0, premium: 0, position: 0 }

/** The premium of an option: positive if received for a sale, negative if paid. */
function premiumOf(exchange: Exchange, priced: PricedTerms, bought: number): Nano {
  const basis = basisOf(exchange, priced, Math.abs(bought))
  return nanoOf(bought > 0 ? -basis : basis)
}

/** Basis of a size of a linear contract at a price, in nano. */
function basisOf({ scratch }: Exchange, priced: PricedTerms, lots: number): bigint {
  setBasis(scratch, 0, priced, lots)
  return wideToBigint(scratch, 0)
}

/** The role whose rate a side pays. A liquidated account pays the rate of liquidations (T57). */
export type FeeRole = Liquidity | 'liquidation'

/** The fee of one side, and the part of it that the insurance fund receives, in nano. */
interface FeeParts {
  readonly fee: Nano
  readonly fund: Nano
}

/**
 * The fee of one side, in the currency of `feeCurrencyOf`. A leg of a combo pays only the share `sharePpm`. The rates
 * are those of the fill's own terms.
 */
export function feeOf(exchange: Exchange, fill: SideFill, role: FeeRole, sharePpm: number): FeeParts {
  const { row, owner, direction, lots, priced } = fill
  const ppm = feePpmOf(exchange, owner, sharePpm)
  if (row.terms.premium) return optionFeeOf(exchange, fill, role, ppm)
  if (role === 'liquidation') {
    const { total, fund } = liquidationFee(priced, lots)
    return { fee: nanoOf(total), fund: nanoOf(fund) }
  }
  const inBase = row.base >= 0 && direction === 'buy'
  if (ppm !== WHOLE_FEE) {
    return { fee: nanoOf(feeShareNano(priced, { liquidity: role, lots, ppm, inBase })), fund: 0 }
  }
  const fee = inBase ? nanoOf(baseFeeNano(priced.terms, role, lots)) : feeNano(priced, role, lots)
  return fee === 0 ? noFee : { fee, fund: 0 }
}

/** No fee. */
export const noFee: FeeParts = { fee: 0, fund: 0 }

/** The account's own factor and the share together, in parts per million, rounded down. */
function feePpmOf(exchange: Exchange, owner: HoldingRow, sharePpm: number): number {
  const { feePpm } = accountRow(exchange, owner.account).account
  return sharePpm === WHOLE_FEE ? feePpm : mulDivFloor(feePpm, sharePpm, WHOLE_FEE)
}

/** True if an account pays exactly the fees of the instrument. */
export function paysWhole(exchange: Exchange, owner: HoldingRow): boolean {
  return accountRow(exchange, owner.account).account.feePpm === WHOLE_FEE
}

/** Options pay a fraction of their underlying, at most an eighth of the premium. */
function optionFeeOf(exchange: Exchange, fill: SideFill, role: FeeRole, ppm: number): FeeParts {
  const { row, lots, priced } = fill
  const { terms } = priced
  const underlying9 = isCoinSettled(row) ? ONE_COIN9 : row.index.price
  const base = { lots, underlying9, value: basisOf(exchange, priced, lots) }
  if (role !== 'liquidation') {
    const rate9 = role === 'maker' ? terms.makerFee9 : terms.takerFee9
    return { fee: nanoOf(optionFeeNano(terms, rate9, { ...base, ppm })), fund: 0 }
  }
  const whole = { ...base, ppm: WHOLE_FEE }
  const total = optionFeeNano(terms, terms.liquidationFee9, whole)
  const taker = optionFeeNano(terms, terms.takerFee9, whole)
  const surcharge = taker < 0n ? total : total - taker
  return { fee: nanoOf(total), fund: surcharge < 0n ? 0 : nanoOf(surcharge) }
}

/** Posts a fee: the fund's part to the fund, the rest to the house. A negative fee is a rebate from the house. */
export function payFee({ ledger }: Exchange, { fee, fund }: FeeParts, account: number, currency: CurrencyId): void {
  postNano(ledger, walletRowOf(account, currency), -fee)
  postNano(ledger, walletRowOf(feeAccount, currency), fund === 0 ? fee : subtractNano(fee, fund))
  if (fund !== 0) postNano(ledger, walletRowOf(insuranceAccount, currency), fund)
}

/** Posts a fee without a part for the fund. */
export function payHouse({ ledger }: Exchange, owner: HoldingRow, fee: Nano): void {
  postNano(ledger, owner.wallet, -fee)
  postNano(ledger, walletRowOf(feeAccount, owner.row.settlement), fee)
}

/** The role whose rate is charged: hidden volume pays the taker's rate, whichever order came first (C25). */
export function chargedAs(makerRule: FillRule, liquidity: Liquidity): Liquidity {
  return makerRule === 'hidden' ? 'taker' : liquidity
}
