/**
 * Random events of wallets: changes of addresses and of payments.
 */
import { type AccountId, amount, micros, type RandomStream } from '../../src/core/index.ts'
import {
  addressChanges,
  addressSorts,
  addressStatuses,
  type EventHeader,
  type EventOf,
  paymentStates,
  paymentTypes,
  walletReasons,
  withdrawalPriorities,
} from '../../src/model/index.ts'

const texts = [null, 'one', 'naïve — 数'] as const

/** A change of an address or of a payment. */
export function walletEvent(
  random: RandomStream,
  header: EventHeader,
  account: AccountId,
): EventOf<'address' | 'payment'> {
  const reason = random.pick(walletReasons)
  const currency = random.pick(['BTC', 'USDE'] as const)
  const time = random.chance(1, 2) ? micros(0) : header.time
  if (random.chance(1, 2)) {
    return {
      ...{ kind: 'address', ...header, account, reason, currency, until: time },
      change: random.pick(addressChanges),
      type: random.pick(addressSorts),
      entry: random.int(1, 1e6),
      address: random.pick(['', '0x00', 'naïve — 数']),
      network: random.pick(texts),
      tag: random.pick(texts),
      status: random.pick(addressStatuses),
    }
  }
  const sum = (): ReturnType<typeof amount> => amount(BigInt(random.int(-4e15, 4e15)))
  return {
    ...{ kind: 'payment', ...header, account, reason, currency, created: header.time },
    type: random.pick(paymentTypes),
    payment: random.int(1, 1e6),
    state: random.pick(paymentStates),
    counterparty: random.chance(1, 2) ? -1 : account,
    amount: sum(),
    fee: random.chance(1, 2) ? amount(0n) : sum(),
    address: random.pick(['', '0x00', 'naïve — 数']),
    source: random.pick(texts),
    transaction: random.pick(texts),
    priority: random.chance(1, 2) ? null : random.pick(withdrawalPriorities),
    nonce: random.pick(texts),
    note: random.pick(texts),
    confirmed: time,
    change: random.chance(1, 2) ? amount(0n) : sum(),
    balance: sum(),
  }
}
