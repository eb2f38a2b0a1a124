/** Order events made by hand: a test gives some fields, the others have plain values. */
import { accountId, instrumentId, lots, micros, price9, sequence } from '../../src/core/index.ts'
import {
  currencyIdOf,
  houseAccountNames,
  makeOrderId,
  NO_ORDER,
  type OrderChanged,
  type OrderForm,
  unlinked,
} from '../../src/model/index.ts'

/** The fields of an order event that a test may give. */
export interface ChangeWords
  extends Partial<Pick<OrderChanged, 'type' | 'state' | 'reason' | 'label' | 'time' | 'trigger' | 'successor'>> {
  readonly account?: number
  readonly form?: OrderForm
  readonly filled?: number
}

/** A change of the `number`-th order that settles in BTC: a sell of 10 lots on the first instrument. */
export function changeOf(
  change: OrderChanged['change'],
  number: number,
  { account = houseAccountNames.length, form = 'ordinary', filled = 0, ...words }: ChangeWords = {},
): OrderChanged {
  const time = micros(1_767_603_600_000_000)
  return {
    ...{ kind: 'order', change, time, number, cause: sequence(1), account: accountId(account) },
    ...{ order: makeOrderId(currencyIdOf('BTC'), number, form), instrument: instrumentId(0) },
    ...{ side: 'sell', type: 'limit', timeInForce: 'good_til_cancelled', price: price9(1) },
    ...{ amount: lots(10), filled: lots(filled), averagePrice: price9(0), state: 'open' },
    ...{ postOnly: 'off', reduceOnly: false, rested: true, replaced: false, label: '' },
    ...{ createdAt: time, display: lots(0), shown: lots(10 - filled), trigger: null },
    ...{ links: unlinked, triggeredBy: NO_ORDER, successor: NO_ORDER, reason: null },
    ...{
      advanced: null,
      autoReplaced: false,
      liquidation: false,
      session: 0,
      extras: null,
      by: null,
    },
    ...words,
  }
}
