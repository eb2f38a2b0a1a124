/**
 * Money and positions that move without an order, in the sums of a performance: deposits and transfers, given
 * positions, settlements, deliveries and bankruptcies.
 *
 * At a settlement floating profit becomes cash: what was realized before by fills is in the sums already,
 * so that only the rest of the session's profit is added, funding apart. Of an option nothing becomes cash
 * but what it delivers.
 */
import { lots } from '../../core/index.ts'
import { basisBig } from '../../ledger/index.ts'
import type { EventOf, TransferSide } from '../../model/index.ts'
import { accountAt, type State, termsAt, touch } from './state.ts'
import { type AccountTally, instrumentOf, type WalletTally, walletOf } from './tallies.ts'

/** Adds what came or went without a trade. */
export function followTransfer(
  state: State,
  event: EventOf<'cash' | 'transfer' | 'given_position' | 'position_transfer'>,
): void {
  switch (event.kind) {
    case 'cash':
      walletOf(accountAt(state, event.account), event.currency).deposits += event.change
      return
    case 'transfer':
      walletOf(accountAt(state, event.from), event.currency).deposits -= event.amount
      walletOf(accountAt(state, event.to), event.currency).deposits += event.amount
      return
    case 'given_position':
      takePosition(state, event, event)
      return
    case 'position_transfer':
      followPositionTransfer(state, event)
      return
  }
}

/** Both sides of a position, or of coins, that changed hands. The commission is in what `from` receives. */
function followPositionTransfer(state: State, event: EventOf<'position_transfer'>): void {
  const { instrument, from, to, amount } = event
  const { base, settlementCurrency } = termsAt(state, instrument)
  const currency = base !== null && amount < 0 ? base : settlementCurrency
  for (const side of [from, to]) {
    if (takePosition(state, event, side) === null) continue
    const wallet = walletOf(accountAt(state, side.account), currency)
    wallet.commissions += side === from ? event.commission : -event.commissionToTarget
    if (base === null) continue
    takeCoins(state, event, { account: side.account, size: side === from ? -amount : amount })
  }
}

/** Coins of a spot pair came, or went where the size is negative, and money for them. */
function takeCoins(
  state: State,
  { instrument, price }: Pick<EventOf<'position_transfer'>, 'instrument' | 'price'>,
  { account: id, size }: { readonly account: TransferSide['account']; readonly size: number },
): void {
  const terms = termsAt(state, instrument)
  const { base, amountStep9, settlementCurrency } = terms
  if (base === null) return
  const account = accountAt(state, id)
  const wallet = walletOf(account, base)
  const paid = basisBig(terms, lots(Math.abs(size)), price)
  wallet.flows += BigInt(size) * BigInt(amountStep9)
  walletOf(account, settlementCurrency).flows += size > 0 ? -paid : paid
  touch(state, id, { currency: base, wallet })
}

/** One account's new position; its wallet, or null of the house, which has no sums. */
function takePosition(
  state: State,
  { instrument }: Pick<EventOf<'position_transfer'>, 'instrument'>,
  side: TransferSide,
): WalletTally | null {
  const account = accountAt(state, side.account)
  if (account.house) return null
  const { settlementCurrency, isOption } = termsAt(state, instrument)
  const wallet = walletOf(account, settlementCurrency)
  if (isOption) wallet.premiums += side.premium
  else wallet.realized += side.realized
  instrumentOf(account, instrument).position = side.position
  touch(state, side.account, { currency: settlementCurrency, wallet })
  return wallet
}

/** Adds what a settlement did to an account; the house has no sums. */
export function followSettlement(
  state: State,
  event: EventOf<'settlement' | 'bankruptcy' | 'shared_loss'>,
): void {
  const account = accountAt(state, event.account)
  if (account.house) return
  const wallet = walletOf(account, event.currency)
  switch (event.kind) {
    case 'settlement':
      if (!termsAt(state, event.instrument).isOption) {
        wallet.realized += event.sessionProfitLoss - event.profitLoss
      } else if (event.type === 'delivery') {
        wallet.premiums += event.sessionProfitLoss
      }
      wallet.funding += event.funding
      wallet.deliveryFees += event.fee
      if (event.type === 'delivery') endPosition(account, event)
      break
    case 'bankruptcy':
      wallet.insurance += event.loss
      break
    case 'shared_loss':
      wallet.insurance -= event.tax
      break
  }
  touch(state, event.account, { currency: event.currency, wallet })
}

function endPosition(account: AccountTally, { instrument }: EventOf<'settlement'>): void {
  instrumentOf(account, instrument).position = 0
}
