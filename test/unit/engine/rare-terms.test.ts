/** Rare terms of orders: a new order keeps each of them, even without the others. */
import { expect, test } from 'vitest'
import { lots, micros, orderId, ticks } from '../../../src/core/index.ts'
import { createOrder, newLink } from '../../../src/engine/market/index.ts'
import { holdsRareTerms, orderAt, usualTerms } from '../../../src/engine/state/index.ts'
import { NO_ORDER, NO_SESSION, usualTerms as plainTerms } from '../../../src/model/index.ts'
import { Market } from '../../support/harness.ts'

type Made = Parameters<typeof createOrder>[1]
type RareTerms = typeof usualTerms

const terms = { ...plainTerms, price: ticks(90_000), amount: lots(10) }
const trigger = { source: 'mark_price', price: ticks(80_000), offset: null } as const
const extras = { mmp: null, quote: null, direct: null, block: true }

/** A new order with one of the terms, or null if new orders cannot have it. A new term must be added here. */
const born: { readonly [N in keyof RareTerms]: Partial<Made> | null } = {
  display: { display: lots(5) },
  autoReplaced: null,
  advanced: { terms: { ...terms, advanced: { type: 'usd', value9: 5 } } },
  liquidation: { liquidation: true },
  triggeredBy: { triggeredBy: orderId(16) },
  extras: { extras: extras as never },
  validUntil: { validUntil: micros(7) },
  trigger: { terms: { ...terms, type: 'stop_limit', trigger }, stage: 'untriggered' },
  link: { link: newLink({ condition: 'first_hit' }) },
}

test('a new order keeps its only rare term', () => {
  const { exchange } = new Market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { ann: { BTC: '10' } },
    index: { btc_usd: '90000' },
  })
  const [row] = exchange.instruments
  if (row === undefined) throw new Error('a market has an instrument')
  const usual: Made = {
    row,
    account: exchange.accounts.length - 1,
    terms,
    price: 90_000,
    display: lots(0),
    stage: 'entering',
    link: null,
    triggeredBy: NO_ORDER,
    session: NO_SESSION,
    extras: null,
  }
  const plain = createOrder(exchange, usual)
  expect(holdsRareTerms(exchange.orders, plain)).toBe(false)
  expect(orderAt(exchange, plain)).toMatchObject({ ...usualTerms, label: '', session: NO_SESSION })
  const named = createOrder(exchange, { ...usual, terms: { ...terms, label: 'one' }, session: 3 })
  expect(holdsRareTerms(exchange.orders, named)).toBe(false)
  expect(orderAt(exchange, named)).toMatchObject({ ...usualTerms, label: 'one', session: 3 })
  expect(orderAt(exchange, plain)).toMatchObject({ label: '', session: NO_SESSION })
  for (const [name, made] of Object.entries(born)) {
    if (made === null) continue
    const slot = createOrder(exchange, { ...usual, ...made })
    expect(holdsRareTerms(exchange.orders, slot), name).toBe(true)
    const order: Partial<RareTerms> = { ...usualTerms }
    for (const term of Object.keys(usualTerms) as (keyof RareTerms)[]) {
      Object.assign(order, { [term]: orderAt(exchange, slot)[term] })
    }
    expect(order, name).not.toMatchObject({ [name]: usualTerms[name as keyof RareTerms] })
    expect({ ...order, [name]: null }).toEqual({ ...usualTerms, [name]: null })
  }
})
