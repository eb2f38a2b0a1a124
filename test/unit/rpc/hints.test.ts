/**
 * Hints of refused requests: every face shows the same one.
 */
import { expect, test } from 'vitest'
import { openVenue } from '../../../src/index.ts'
import { runDocument } from '../../../src/node.ts'
import { readFrame, replyText } from '../../../src/server/envelope.ts'

const order = { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 50_000 }
const cases: readonly (readonly [string, object, string])[] = [
  ['private/buy', { ...order, price: 50_000.3 }, 'tick 0.5'],
  ['private/buy', { ...order, amount: 15 }, 'step 10, at least 10'],
  ['private/buy', { ...order, instrument_name: 'BTC-PERPETUALS' }, 'did you mean BTC-PERPETUAL?'],
  ['private/buy', { ...order, time_in_force: 'good_til_canceled' }, 'did you mean good_til_cancelled?'],
  ['private/buy', { ...order, time_in_force: 'x' }, 'one of good_til_cancelled, '],
  ['private/buy', { ...order, price: 90_000 }, 'the price band ends at '],
  ['private/biy', order, 'did you mean private/buy?'],
  ['sim/set_faults', { faults: [{ kind: 'delay', of: 'replies', by: 500 }] }, 'such as "250ms"; found 500'],
  ['public/hello', { client_name: 'a', client_version: '1' }, 'needs a WebSocket connection'],
  ['sim/advance', { for: '1m' }, 'for is not a parameter; sim/advance accepts to, by'],
  ['sim/advance', { by: 500 }, 'such as "1.5s"; found 500'],
  ['sim/advance', {}, 'to: '],
]

test.each(cases)('U6 V13 %s %j has its hint in a program and a scenario', async (method, params, hint) => {
  const venue = openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: ['BTC-PERPETUAL'],
    index: { btc_usd: 50_000 },
    accounts: { ann: { BTC: 10 } },
    strict: false,
  })
  const answer = venue.as('ann').request(method as never, params as never) as {
    readonly hint?: string
    readonly reply: never
  }
  expect(answer.hint).toContain(hint)
  const { error } = JSON.parse(replyText(answer.reply, 1)) as {
    readonly error: { readonly data: { readonly hint: string } }
  }
  expect(error.data.hint).toBe(answer.hint)
  const run = await runDocument({
    version: 1,
    title: 'Refused',
    start: '2026-01-05T09:00:00Z',
    instruments: ['BTC-PERPETUAL'],
    index: { btc_usd: 50_000 },
    accounts: { ann: { deposit: { BTC: 10 } } },
    steps: [{ at: '1s', as: 'ann', call: method, params }],
  })
  const lines = run.ok ? run.value.failures : run.error.lines
  if (run.ok) expect(lines.join('\n')).toContain(hint)
})

test('V12 the hint of a key that cannot be used names the key', () => {
  const start = '2026-01-05T09:00:00Z'
  const venue = openVenue({ start, instruments: ['BTC-PERPETUAL'], accounts: { ann: { BTC: 10 } } })
  const made = venue.as('ann').request('private/create_api_key', { max_scope: 'trade:read' })
  if (!made.ok) throw new Error('the account has room for a key')
  const { id, client_id } = made.result
  venue.as('ann').request('private/disable_api_key', { id })
  const hintOf = (name: string): string | undefined =>
    (venue.as(name).request('private/get_positions', {}) as { readonly hint?: string }).hint
  expect(hintOf(client_id)).toBe(`the key ${client_id} is disabled`)
  expect(hintOf('ann/key_7')).toBe(`no key is named ann/key_7: ${client_id}`)
})

test('V12 the check of many steps that create keys ends', async () => {
  const accounts = ['ann', 'ben']
  const steps = Array.from({ length: 60 }, (_, at) => ({
    ...{ at: `${at + 1}s`, as: accounts[at % 2], call: 'private/create_api_key' },
    params: { max_scope: 'trade:read' },
  }))
  const run = await runDocument({
    ...{ version: 1, title: 'Keys', start: '2026-01-05T09:00:00Z', instruments: ['BTC-PERPETUAL'] },
    index: { btc_usd: 50_000 },
    ...{ accounts: { ann: {}, ben: {} }, steps },
  })
  const text = run.ok ? run.value.failures.join() : run.error.lines.join()
  expect(text).toContain('at most 8 keys')
})

test('U6 a reply without a hint is as the venue sends it', () => {
  const frame = readFrame('{"jsonrpc":"2.0","id":1,"method":"public/test","params":{}}', false)
  expect(frame.ok).toBe(true)
  const error = { code: 10009, message: 'not_enough_funds' }
  const reply = { sequence: 1, usIn: 0 as never, usOut: 0 as never, ok: false as const, error }
  expect(JSON.parse(replyText(reply, 1))).toMatchObject({ error })
})
