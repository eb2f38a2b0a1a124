/**
 * Settlements, deliveries and bankruptcies in the sums of a performance.
 *
 * At a settlement floating profit becomes cash: what was realized before by fills is in the sums already,
 * so that only the rest of the session's profit is added, funding apart.
 */
import type { AccountBankrupt, LossShared, PositionSettled } from '../../model/index.ts'
import { accountAt, type State, touch } from './state.ts'
import { type AccountTally, instrumentOf, walletOf } from './tallies.ts'

/** Adds what a settlement did to an account; the house has no sums. */
export function followSettlement(
  state: State,
  event: PositionSettled | AccountBankrupt | LossShared,
): void {
  const account = accountAt(state, event.account)
  if (account.house) return
  const wallet = walletOf(account, event.currency)
  switch (event.kind) {
    case 'position_settled':
      wallet.realized += event.sessionProfitLoss - event.profitLoss
      wallet.funding += event.funding
      wallet.deliveryFees += event.fee
      if (event.type === 'delivery') endPosition(account, event)
      break
    case 'account_bankrupt':
      wallet.insurance += event.loss
      break
    case 'loss_shared':
      wallet.insurance -= event.tax
      break
  }
  touch(state, event.account, { currency: event.currency, wallet })
}

function endPosition(account: AccountTally, { instrument }: PositionSettled): void {
  instrumentOf(account, instrument).position = 0
}
