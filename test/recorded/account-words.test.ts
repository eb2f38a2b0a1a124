/**
 * The words and identities of a real account summary, and those of ours.
 * Source: market.md 5.3; golden account-identities.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { expectIdentities } from '../support/account-identities.ts'
import { deskMarket, type Json } from '../support/desk-market.ts'
import { recordedFile } from '../support/recorded-feeds.ts'

const perpetual = 'BTC-PERPETUAL'
const btc = { currency: 'BTC' }

describe('the words of a real account', () => {
  const real: Json = JSON.parse(readFileSync(recordedFile('deribit', 'account', 'account_summaries.json'), 'utf8'))

  test('a summary says nothing that a real one does not, but for what is reserved', () => {
    const m = deskMarket({
      instruments: [perpetual],
      index: { btc_usd: 50_000 },
      accounts: { alice: { BTC: 10 } },
    })
    const position = { instrument_name: perpetual, amount: 50_000, price: 50_000 }
    m.result(null, 'sim/give_position', { account: 'alice', ...position })
    const [theirs] = real.summaries
    const ours = m.result('alice', 'private/get_account_summary', btc)
    // They stand in the venue's published list of fields.
    const published = ['additional_reserve', 'locked_balance', 'options_theta_map']
    const added = Object.keys(ours).filter((key) => !(key in theirs))
    expect(added.filter((key) => !published.includes(key))).toEqual([])
    // What is missing stands in the extended one.
    const missing = Object.keys(theirs).filter((key) => !(key in ours))
    expect(missing).toEqual(['limits', 'fees'])
  })

  test('golden account-identities: the published account keeps them as ours does', () => {
    const [summary] = real.summaries
    expect(summary).toMatchObject({ ...btc, margin_model: 'segregated_sm' })
    expectIdentities(summary)
  })
})
