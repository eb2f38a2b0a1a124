/**
 * The laws of visibility of a Block RFQ (5.3): a viewer sees exactly the fields of its role, and an undisclosed alias
 * appears in no message to other accounts.
 */
import { expect } from 'vitest'
import type { Json } from './desk-market.ts'
import type { NaiveRfqs } from './naive-rfq.ts'

/** Fields that only the taker sees. */
const takersOwn = [
  ...['bids', 'asks', 'makers', 'label', 'app_name', 'trade_trigger', 'trade_allocations'],
  'included_in_taker_rating',
]

/** All fields that a maker sees. */
const makersOwn = [
  ...['block_rfq_id', 'creation_timestamp', 'expiration_timestamp', 'role', 'state', 'amount'],
  ...['min_trade_amount', 'legs', 'hedge', 'combo_id', 'disclosed', 'taker_rating', 'taker'],
  ...['trades', 'index_prices', 'mark_price'],
]

/**
 * Checks that an RFQ has only fields and aliases that a viewer may see. Its targets are exempt, because the taker named
 * them.
 */
export function assertSight(twin: NaiveRfqs, viewer: string, rfq: Json): void {
  const allowed = rfq.role === 'taker' ? [...makersOwn, ...takersOwn] : makersOwn
  expect(Object.keys(rfq).filter((field) => !allowed.includes(field))).toEqual([])
  expect(rfq.role === 'taker').toBe(twin.rfq(rfq.block_rfq_id)?.taker === viewer)
  if (!rfq.disclosed) expect(rfq).not.toHaveProperty('taker')
  if (rfq.state !== 'filled') expect(rfq).not.toHaveProperty('trades')
  const { makers: _, ...rest } = rfq
  const text = JSON.stringify(rest)
  for (const { name, makerAlias, takerAlias, isMaker } of twin.parties) {
    const alias = isMaker ? makerAlias : takerAlias
    const mayKnow = rfq.disclosed && (isMaker ? rfq.role === 'taker' : alias === rfq.taker)
    if (name !== viewer && !mayKnow) expect(text).not.toContain(alias)
  }
}

/** Checks that a public message contains no alias. */
export function assertNameless(twin: NaiveRfqs, reported: Json): void {
  const text = JSON.stringify(reported)
  for (const { makerAlias, takerAlias, isMaker } of twin.parties) {
    expect(text).not.toContain(isMaker ? makerAlias : takerAlias)
  }
}
