/**
 * The law of cash: what the history adds up from events alone is what the ledger holds, of every
 * account, those of the house too, and the last row of every log tells it.
 */
import { assert } from '../../src/core/index.ts'
import { allAccounts, viewWallet } from '../../src/engine/index.ts'
import { currencies } from '../../src/model/index.ts'
import { cashIn, type Desk } from '../../src/rpc/index.ts'

/** Compares all balances. */
export function assertCashFollows({ exchange, history }: Desk): void {
  for (const { id, name } of allAccounts(exchange)) {
    for (const currency of currencies) {
      const { balance } = viewWallet(exchange, id, currency)
      const followed = cashIn(history.cash, id, currency)
      assert(
        followed === balance,
        `cash of ${name} in ${currency}: events tell ${followed}, the ledger has ${balance}`,
      )
      const row = history.transactions.rows.get(id)?.findLast((each) => each.currency === currency)
      assert(
        row === undefined || row.balance === balance,
        `the log of ${name} in ${currency} ends with its balance`,
      )
    }
  }
}
