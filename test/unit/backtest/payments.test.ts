/** Payments of strategies: the callbacks of the account, and their times. */
import { expect, test } from 'vitest'
import { runLoop, type Strategy } from '../../../src/backtest/index.ts'
import { offset, seatOf, strategyRun } from '../../support/strategy-run.ts'

const details = {
  label: 'bob',
  beneficiary_vasp_name: 'Example Exchange',
  beneficiary_vasp_did: 'did:example:exchange',
  beneficiary_company_name: 'Example Ltd',
  beneficiary_address: 'Nowhere 1',
  agreed: true,
  personal: false,
}

test('onPayment reports a transfer to a user to both sides, to the receiver after its confirmation', () => {
  const heard: unknown[] = []
  const addresses: string[] = []
  const listen = (name: string): Strategy => ({
    onPayment: ({ type, id, state, reason, amount, change }, venue) =>
      void heard.push([name, type, id, state, reason, amount, change, offset(venue.now)]),
  })
  const sender: Strategy = {
    ...listen('alice'),
    onStart: (venue) => venue.setTimer('send', '1ms'),
    onTimer: (_, venue) => {
      const [address = ''] = addresses
      const sent = { currency: 'BTC', address } as const
      venue.request('private/add_to_address_book', { ...sent, type: 'transfer', ...details })
      venue.request('private/submit_transfer_to_user', {
        ...{ currency: 'BTC', amount: 0.5 },
        destination: address,
      })
    },
  }
  const receiver: Strategy = {
    ...listen('bob'),
    onStart: (venue) =>
      void venue.request('private/create_deposit_address', { currency: 'BTC' }, (reply) => {
        if (reply.ok) addresses.push(reply.result.address)
      }),
  }
  const run = strategyRun({
    seats: [seatOf('alice', sender), seatOf('bob', receiver, { response: 5 })],
    until: 1_000_000,
  })
  expect([runLoop(run.loop, Number.POSITIVE_INFINITY), run.loop.fault]).toEqual(['done', null])
  expect(heard).toEqual([
    ['alice', 'transfer', 1, 'prepared', 'user_request', 0.5, 0, 1000],
    ['alice', 'transfer', 1, 'confirmed', 'at_once', 0.5, -0.5, 1000],
    ['bob', 'transfer', 1, 'confirmed', 'at_once', 0.5, 0.5, 1005],
  ])
})
