/**
 * Processes money and positions that move without an order: deposits and transfers, given positions, funding,
 * settlements, deliveries, bankruptcies and liquidations.
 *
 * A settlement turns floating profit into cash. The sums already contain the realized profit of fills, so only the rest
 * of the session's profit is added, and funding separately. An option turns into cash only at its delivery.
 */
import { type AccountId, addNano, lots, type Nano, nanoOf, subtractNano } from '../../core/index.ts'
import { basisBig } from '../../ledger/index.ts'
import type { Currency, EventOf, EventTakers, TransferSide } from '../../model/index.ts'
import { deliverPosition, passExposure } from './exposure.ts'
import { changePosition, markDue, openSeries } from './fills.ts'
import { touch } from './performance.ts'
import { accountAt, type State, termsAt, tradedOf, walletOf } from './state.ts'

/** Takes the events of money and positions that move without an order. */
export function transferTakers(state: State): EventTakers {
  return {
    cash: ({ account, currency, time, change }) => followFlow(state, account, { currency, time, amount: change }),
    transfer: ({ from, to, currency, time, amount }) => {
      followFlow(state, from, { currency, time, amount: -amount })
      followFlow(state, to, { currency, time, amount })
    },
    funding: ({ account, instrument, funding }) => {
      const owner = accountAt(state, account)
      if (owner.house) return
      const wallet = walletOf(state, owner, termsAt(state, instrument).settlementCurrency)
      const booked = nanoOf(funding)
      if (funding > 0n) wallet.fundingReceived = addNano(wallet.fundingReceived, booked)
      else wallet.fundingPaid = subtractNano(wallet.fundingPaid, booked)
    },
    given_position: (event) => takePosition(state, event, event),
    position_transfer: (event) => followPositionTransfer(state, event),
    settlement: (event) => followSettlement(state, event),
    bankruptcy: ({ account, currency, loss }) => insure(state, account, currency, nanoOf(loss)),
    shared_loss: ({ account, currency, tax }) => insure(state, account, currency, nanoOf(-tax)),
    liquidation: ({ change, account, currency }) => {
      if (change !== 'started') return
      const owner = accountAt(state, account)
      owner.liquidations += 1
      // A liquidation of all currencies together counts only for the account.
      if (currency !== 'USD') walletOf(state, owner, currency).liquidations += 1
    },
  }
}

/** Money that came in; negative if it left. */
interface MoneyMove {
  readonly currency: Currency
  readonly time: number
  readonly amount: bigint
}

function followFlow(state: State, account: AccountId, { currency, time, amount }: MoneyMove): void {
  const owner = accountAt(state, account)
  if (owner.house) return
  const wallet = walletOf(state, owner, currency)
  wallet.deposits = addNano(wallet.deposits, nanoOf(amount))
  state.flows.push({ account, currency, time, amount })
  passExposure(wallet, time)
  markDue(state, wallet)
}

/**
 * Processes both sides of a transferred position or of transferred coins. The commission is in the currency that `from`
 * receives.
 */
function followPositionTransfer(state: State, event: EventOf<'position_transfer'>): void {
  const { instrument, from, to, amount, reason } = event
  const { base, settlementCurrency } = termsAt(state, instrument)
  const currency = base !== null && amount < 0 ? base : settlementCurrency
  for (const side of [from, to]) {
    const account = accountAt(state, side.account)
    if (account.house) continue
    takePosition(state, event, side)
    const wallet = walletOf(state, account, currency)
    const paid = side === from ? event.commission : -event.commissionToTarget
    wallet.commissions = addNano(wallet.commissions, nanoOf(paid))
    if (base !== null) takeCoins(state, event, side.account, side === from ? -amount : amount)
    if (reason === 'adl') followDeleveraging(state, event, side.account)
  }
}

/** Adds coins of a spot pair (negative: removes them), and money for them. */
function takeCoins(
  state: State,
  { instrument, price }: Pick<EventOf<'position_transfer'>, 'instrument' | 'price'>,
  id: AccountId,
  size: number,
): void {
  const terms = termsAt(state, instrument)
  if (terms.base === null) return
  const account = accountAt(state, id)
  const [coins, money] = [walletOf(state, account, terms.base), walletOf(state, account, terms.settlementCurrency)]
  const paid = nanoOf(basisBig(terms, lots(Math.abs(size)), price))
  coins.flows = addNano(coins.flows, nanoOf(BigInt(size) * BigInt(terms.amountStep9)))
  money.flows = size > 0 ? subtractNano(money.flows, paid) : addNano(money.flows, paid)
  touch(state, coins)
}

/** Sets one account's new position; the house accounts have no sums. */
function takePosition(
  state: State,
  event: Pick<EventOf<'position_transfer'>, 'instrument' | 'time' | 'price'>,
  side: TransferSide,
): void {
  const { instrument, time, price } = event
  const account = accountAt(state, side.account)
  if (account.house) return
  const { settlementCurrency, isOption, isSpot } = termsAt(state, instrument)
  const wallet = walletOf(state, account, settlementCurrency)
  const profit = nanoOf(isOption ? side.premium : side.realized)
  if (isOption) wallet.premiums = addNano(wallet.premiums, profit)
  else wallet.realized = addNano(wallet.realized, profit)
  tradedOf(account, instrument)
  touch(state, wallet)
  if (isSpot) openSeries(state, side.account, instrument)
  else {
    changePosition(state, { account: side.account, instrument, time, size: side.position, price, profit })
  }
}

/** Adds the profit, funding and fee of a settlement; the house accounts have no sums. */
function followSettlement(state: State, event: EventOf<'settlement'>): void {
  const { type, account: id, instrument, time, currency } = event
  const account = accountAt(state, id)
  if (account.house) return
  const wallet = walletOf(state, account, currency)
  const isDelivered = type === 'delivery'
  const { isOption } = termsAt(state, instrument)
  const settled = settledBy(event, isOption)
  if (isOption) wallet.premiums = addNano(wallet.premiums, settled)
  else wallet.realized = addNano(wallet.realized, settled)
  wallet.funding = addNano(wallet.funding, nanoOf(event.funding))
  wallet.deliveryFees = addNano(wallet.deliveryFees, nanoOf(event.fee))
  touch(state, wallet)
  if (isDelivered) tradedOf(account, instrument)
  const inventory = account.inventories.get(instrument)
  if (inventory === undefined || inventory.heldRank === 0) return
  if (isDelivered) deliverPosition(state, event)
  const size = isDelivered ? 0 : inventory.size
  const profit = inventory.size === 0 ? 0 : subtractNano(settled, nanoOf(event.fee))
  changePosition(state, { account: id, instrument, time, size, price: null, profit })
}

/** Profit realized by a settlement; an option realizes profit only at its delivery. */
function settledBy(event: EventOf<'settlement'>, isOption: boolean): Nano {
  if (!isOption) return nanoOf(event.sessionProfitLoss - event.profitLoss)
  return event.type === 'delivery' ? nanoOf(event.sessionProfitLoss) : 0
}

/** Adds the payment of a debt by the insurance fund (negative: the account's share of the losses of others). */
function insure(state: State, id: AccountId, currency: Currency, paid: Nano): void {
  const account = accountAt(state, id)
  if (account.house) return
  const wallet = walletOf(state, account, currency)
  wallet.insurance = addNano(wallet.insurance, paid)
  touch(state, wallet)
}

function followDeleveraging(
  state: State,
  { instrument, amount: size, price }: EventOf<'position_transfer'>,
  id: AccountId,
): void {
  const { settlementCurrency, amountStep9, payoff, isSpot } = termsAt(state, instrument)
  if (isSpot) return
  const wallet = walletOf(state, accountAt(state, id), settlementCurrency)
  const amount = Math.abs(size) * amountStep9 * 1e-9
  wallet.deleveraged += 1
  wallet.deleveragedNotional += payoff === 'inverse' ? amount / (price * 1e-9) : amount * price * 1e-9
}
