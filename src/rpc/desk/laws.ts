/**
 * Laws that hold in every state of an exchange. Each one reads the state and returns a sentence with decimal amounts
 * about the first violation, or null. `audit` of the engine checks more, in the engine's own integers.
 */
import { formatScaled } from '../../core/index.ts'
import {
  allAccounts,
  allInstruments,
  audit,
  openOrders,
  totalCash,
  viewMarket,
  viewPosition,
} from '../../engine/index.ts'
import { amountTextOfLots, anyOrder, currencies, currencyIdOf } from '../../model/index.ts'
import type { Desk } from './desk.ts'

/** Returns the sentence about a violation, or null. */
type StateLaw = (desk: Desk) => string | null

/** The sentence about the first law that does not hold; null if all hold. Throws if the audit of the engine fails. */
export function brokenLaw(desk: Desk): string | null {
  for (const law of Object.values(laws)) {
    const problem = law(desk)
    if (problem !== null) return problem
  }
  audit(desk.exchange)
  return null
}

const laws: { readonly [name: string]: StateLaw } = {
  money: ({ exchange, history }) => {
    for (const currency of currencies) {
      const expected = history.deposited.get(currency) ?? 0n
      const found = totalCash(exchange, currencyIdOf(currency))
      if (found === expected) continue
      const sum = `${formatScaled(expected, 9)} ${currency} deposited (with the insurance fund)`
      return `money is conserved: expected ${sum}, found ${formatScaled(found, 9)}`
    }
    return null
  },
  book: ({ exchange }) => {
    for (const { id, name } of allInstruments(exchange)) {
      const { bestBid, bestAsk } = viewMarket(exchange, id)
      if (bestBid === null || bestAsk === null || bestBid.price < bestAsk.price) continue
      const [bid, ask] = [bestBid, bestAsk].map(({ price }) => formatScaled(BigInt(price), 9))
      return `a book at rest is not crossed: ${name} has a bid at ${bid} and an ask at ${ask}`
    }
    return null
  },
  positions: ({ exchange }) => {
    for (const instrument of allInstruments(exchange)) {
      const held = allAccounts(exchange).map(({ id, name }) => {
        return { name, size: viewPosition(exchange, id, instrument.id).size }
      })
      if (held.reduce((sum, { size }) => sum + size, 0) === 0) continue
      const sizes = held.filter(({ size }) => size !== 0)
      const list = sizes.map(({ name, size }) => `${name} ${amountTextOfLots(instrument, size)}`).join(', ')
      return `positions of an instrument sum to zero: ${instrument.name} has ${list}`
    }
    return null
  },
  orders: ({ exchange }) => {
    for (const { id, name } of allAccounts(exchange)) {
      for (const { order, instrument, filled } of openOrders(exchange, id, anyOrder)) {
        if (filled >= 0 && filled < order.amount) continue
        const [done, whole] = [filled, order.amount].map((size) => amountTextOfLots(instrument, size))
        return `an open order has a remaining amount: an order of ${name} in ${instrument.name} filled ${done} of ${whole}`
      }
    }
    return null
  },
}
