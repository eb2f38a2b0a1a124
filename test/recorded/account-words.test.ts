/**
 * The fields and identities of an observed account summary, compared with ours.
 * Source: market.md 5.3; golden account-identities.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { expectIdentities } from '../support/account-identities.ts'
import { deskMarket, type Json } from '../support/desk-market.ts'
import { recordedFile } from '../support/recorded-feeds.ts'

const perpetual = 'BTC-PERPETUAL'
const btc = { currency: 'BTC' }

describe('the fields of an observed account', () => {
  const real: Json = JSON.parse(readFileSync(recordedFile('deribit', 'account', 'account_summaries.json'), 'utf8'))

  test('our summary has only fields of the observed one, except reserved ones', () => {
    const m = deskMarket({
      instruments: [perpetual],
      index: { btc_usd: 50_000 },
      accounts: { alice: { BTC: 10 } },
    })
    const position = { instrument_name: perpetual, amount: 50_000, price: 50_000 }
    m.result(null, 'sim/give_position', { account: 'alice', ...position })
    const [theirs] = real.summaries
    const ours = m.result('alice', 'private/get_account_summary', btc)
    // The venue's published list contains these fields.
    const published = ['additional_reserve', 'locked_balance', 'options_theta_map']
    const added = Object.keys(ours).filter((key) => !(key in theirs))
    expect(added.filter((key) => !published.includes(key))).toEqual([])
    // The extended summary contains the missing fields.
    const missing = Object.keys(theirs).filter((key) => !(key in ours))
    expect(missing).toEqual(['limits', 'fees'])
  })

  test('golden account-identities: the published account satisfies them as ours does', () => {
    const [summary] = real.summaries
    expect(summary).toMatchObject({ ...btc, margin_model: 'segregated_sm' })
    expectIdentities(summary)
  })
})
