/**
 * Read-only views of positions and wallets of accounts, in engine units.
 *
 * Prices are 1e-9 quote units, sizes lots, money nano (1e-9 of the currency).
 * Source: market.md 5.2 (positions), 5.3 (accounts).
 */

import {
  type AccountId,
  type Amount,
  amount,
  divHalfAwayBig,
  type InstrumentId,
  type Lots,
  lots,
  type Micros,
  type Nano,
  type Price9,
  price9,
} from '../../../core/index.ts'
import { cashOf, optionsValueOf, profitOf, readHolding, sizeOf } from '../../../ledger/index.ts'
import { initialMargin, readExposure, sizedMargin } from '../../../margin/index.ts'
import {
  type Account,
  type AddressDetails,
  type AddressStatus,
  type AddressType,
  type Currency,
  currencyIdOf,
  currencyOf,
  type Instrument,
  type WalletType,
} from '../../../model/index.ts'
import { depositAddressOf, walletTypeOf } from '../../requests/index.ts'
import {
  accountRow,
  type Exchange,
  findHolding,
  type HoldingRisk,
  type HoldingRow,
  type InstrumentRow,
  walletRowOf,
} from '../../state/index.ts'
import {
  accumulatedNow,
  averagePriceOf,
  marginsOf,
  modelOf,
  pendingFunding,
  pendingOfWallet,
  updateSkippedHolding,
  updateSkippedOfWallet,
} from '../../value/index.ts'
import { rowOf } from './market-views.ts'

/** Properties of the margin model of an account. */
interface MarginModelView {
  /**
   * True if margin nets the positions of an index, as portfolio margin does; otherwise each position has its margin.
   */
  readonly netsPositions: boolean
  /** True if all currencies together have one margin in USD; otherwise each has a separate one. */
  readonly sharesCurrencies: boolean
}

/** An entry of an address book. */
export interface AddressView {
  /** Its number among all entries, from 1. */
  readonly entry: number
  readonly id: string
  readonly currency: Currency
  readonly type: AddressType
  readonly address: string
  readonly network: string | null
  readonly tag: string | null
  readonly createdAt: Micros
  readonly details: AddressDetails
  readonly status: AddressStatus
  /** End of its waiting time, also if it has passed; null if it never waited. */
  readonly waitsUntil: Micros | null
  readonly needsConfirmation: boolean
}

/** True for holdings with a separate initial margin. */
const hasOwnMargin: { readonly [R in HoldingRisk]: boolean } = {
  none: false,
  future: true,
  option: true,
  combo: false,
  cross: true,
  portfolio: false,
}

/** A position. The profits and margins are in nano of the settlement currency. */
export interface PositionView {
  readonly account: AccountId
  readonly instrument: Instrument
  /** Signed: positive is long. */
  readonly size: Lots
  readonly averagePrice: Price9
  readonly mark: Price9
  readonly index: Price9
  readonly realized: Amount
  /** Profit since the last settlement. */
  readonly floating: Amount
  /** Profit since opening. */
  readonly total: Amount
  readonly initialMargin: Amount
  readonly maintenanceMargin: Amount
  readonly openOrdersMargin: Amount
  /** Funding of the session so far, positive if received, negative if paid; part of `realized`. */
  readonly funding: Amount
  /** Mark of the last settlement of the instrument, 0 before the first. */
  readonly settlementPrice: Price9
  /** The present funding accumulator; null except for perpetuals. */
  readonly accumulated: bigint | null
  /** Size at the mark: in coin (1e-9) for inverse, in quote (1e-9) for linear contracts. */
  readonly sizeAtMark: Amount
}

/** A wallet: one currency of one account, in nano. */
export interface WalletView {
  readonly account: AccountId
  readonly currency: Currency
  readonly balance: Amount
  /**
   * Realized profit of futures in this session, with funding. The balance already contains realized profit of
   * options.
   */
  readonly sessionRealized: Amount
  /** Floating profit of futures in this session. */
  readonly sessionFloating: Amount
  /** Value of options at their marks, part of `equity`. */
  readonly optionsValue: Amount
  /** Profit since opening, over all positions. */
  readonly totalProfit: Amount
  /** Cash, session profit of futures, and value of options. */
  readonly equity: Amount
  readonly marginBalance: Amount
  readonly initialMargin: Amount
  readonly maintenanceMargin: Amount
  readonly spotReserve: Amount
  readonly available: Amount
  /** Sum of position sizes in coin of this currency's inverse contracts, 1e-9. */
  readonly delta: Amount
}

/**
 * An account's position in an instrument; size 0 without a position.
 *
 * @throws RangeError with the code `INSTRUMENT` if the instrument is not listed.
 *
 * @example
 * const venue = openVenue({
 *   start: '2026-01-05T09:00:00Z',
 *   instruments: ['BTC-PERPETUAL'],
 *   index: { btc_usd: 50_000 },
 *   accounts: { ann: { BTC: 1 } },
 * })
 * const { exchange } = venue
 * const instrument = findInstrument(exchange, 'BTC-PERPETUAL')
 * const account = findAccount(exchange, 'ann')
 * if (instrument === undefined || account === undefined) throw new Error('both are there')
 * console.log(viewPosition(exchange, account.id, instrument.id).size) // 0
 */
export function viewPosition(exchange: Exchange, account: AccountId, instrument: InstrumentId): PositionView {
  return positionOf(exchange, account, rowOf(exchange, instrument))
}

/** The position of an account in the instrument of a row. */
function positionOf(exchange: Exchange, account: AccountId, row: InstrumentRow): PositionView {
  const owner = findHolding(exchange, account, row)
  if (owner === undefined) return emptyPosition(exchange, row, account)
  updateSkippedHolding(exchange, owner)
  const state = readHolding(exchange.ledger, owner.holding)
  const exposure = readExposure(exchange.margin, owner.holding)
  const inverse = row.terms.payoff === 'inverse'
  const nano = (value: bigint): Amount => amount(inverse ? divHalfAwayBig(value, 1_000_000_000n) : value)
  const opening = BigInt(exposure.initial) - BigInt(ownMargin(owner, state.size))
  const openOrdersMargin = amount(opening > 0n ? opening : 0n)
  const funding = state.funding + pendingFunding(exchange, owner)
  const sizeAtMark = nano(state.value < 0n ? -state.value : state.value)
  return {
    account,
    instrument: row.instrument,
    size: lots(state.size),
    averagePrice: averagePriceOf(row, state.size, state.entry),
    mark: row.mark,
    index: row.index.price,
    realized: amount(nano(state.realized) + funding),
    floating: nano(state.day - state.value),
    total: nano(state.entry - state.value),
    initialMargin: amount(BigInt(exposure.initial)),
    maintenanceMargin: amount(BigInt(exposure.maintenance)),
    openOrdersMargin,
    funding: amount(funding),
    settlementPrice: row.settlementPrice,
    accumulated: row.funding === null ? null : accumulatedNow(exchange, row),
    sizeAtMark: amount(state.size < 0 ? -sizeAtMark : sizeAtMark),
  }
}

/** All positions of an account, instruments in the order of listing, without flat ones. */
export function openPositions(exchange: Exchange, account: AccountId): readonly PositionView[] {
  const found: PositionView[] = []
  for (const row of exchange.instruments) {
    const owner = findHolding(exchange, account, row)
    if (owner === undefined || sizeOf(exchange.ledger, owner.holding) === 0) continue
    found.push(viewPosition(exchange, account, row.instrument.id))
  }
  return found
}

/**
 * A wallet of an account.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * const account = findAccount(venue.exchange, 'ann')
 * if (account !== undefined) {
 *   console.log(viewWallet(venue.exchange, account.id, 'BTC').balance) // 1000000000n
 * }
 */
export function viewWallet(exchange: Exchange, account: AccountId, currency: Currency): WalletView {
  const margins = marginsOf(exchange, account, currency)
  const sums = { realized: 0n, floating: 0n, total: 0n, delta: 0n }
  for (const row of exchange.instruments) {
    if (row.base >= 0 || currencyOf(row.settlement) !== currency) continue
    if (findHolding(exchange, account, row) === undefined) continue
    const position = positionOf(exchange, account, row)
    sums.total += position.total
    if (row.terms.premium) continue
    sums.realized += position.realized
    sums.floating += position.floating
    if (row.terms.payoff === 'inverse') sums.delta += position.sizeAtMark
  }
  return {
    account,
    currency,
    balance: amount(margins.balance),
    sessionRealized: amount(sums.realized),
    sessionFloating: amount(sums.floating),
    totalProfit: amount(sums.total),
    equity: amount(margins.equity),
    optionsValue: amount(margins.optionsValue),
    marginBalance: amount(margins.marginBalance),
    initialMargin: amount(margins.initial),
    maintenanceMargin: amount(margins.maintenance),
    spotReserve: amount(margins.spotReserve),
    available: amount(margins.available),
    delta: amount(sums.delta),
  }
}

/**
 * Cash, session profit and value of options of a wallet in nano, including funding so far: the equity of `viewWallet`,
 * at a lower cost.
 */
export function equityOf(exchange: Exchange, account: AccountId, currency: Currency): Amount {
  const wallet = walletRowOf(account, currencyIdOf(currency))
  const pending = pendingOfWallet(exchange, accountRow(exchange, account), wallet)
  updateSkippedOfWallet(exchange, wallet)
  const held = profitOf(exchange.ledger, wallet) + optionsValueOf(exchange.ledger, wallet)
  return amount(cashOf(exchange.ledger, wallet) + held + pending)
}

/** Properties of the margin model of an account. */
export function viewMarginModel(account: Account): MarginModelView {
  const { shared, netsPositions } = modelOf({ account })
  return { netsPositions, sharesCurrencies: shared !== null }
}

/** The initial margin of a position without its open orders, under standard margin. */
function ownMargin({ row, risk }: HoldingRow, size: number): Nano {
  if (!hasOwnMargin[risk] || row.mark === 0) return 0
  if (row.option === null) return initialMargin(row.markScale, Math.abs(size))
  const { amountStep9 } = row.instrument
  return sizedMargin(row.risk?.marked.initial9 ?? 0, Math.max(0, -size), amountStep9)
}

function emptyPosition(exchange: Exchange, row: InstrumentRow, account: AccountId): PositionView {
  const zero = amount(0n)
  return {
    account,
    instrument: row.instrument,
    size: lots(0),
    averagePrice: price9(0),
    mark: row.mark,
    index: row.index.price,
    realized: zero,
    floating: zero,
    total: zero,
    initialMargin: zero,
    maintenanceMargin: zero,
    openOrdersMargin: zero,
    funding: zero,
    settlementPrice: row.settlementPrice,
    accumulated: row.funding === null ? null : accumulatedNow(exchange, row),
    sizeAtMark: zero,
  }
}

/** Read-only views of wallets: address books and deposit addresses. Source: sessions-blocks-gateways.md 6.2, 6.4. */

/** The type of an account's wallet. */
export function viewWalletType(exchange: Exchange, account: AccountId): WalletType {
  return walletTypeOf(exchange, account)
}

/** Entries of an account's address book, in the order in which they were added. */
export function viewAddresses(exchange: Exchange, account: AccountId): readonly AddressView[] {
  return [...exchange.wallets.entries.values()].filter((each) => each.account === account)
}

/** The newest deposit address of an account, and the time of its creation; undefined for none. */
export function viewDepositAddress(
  exchange: Exchange,
  account: AccountId,
  currency: Currency,
): { readonly address: string; readonly createdAt: Micros } | undefined {
  return depositAddressOf(exchange, account, currency)
}
