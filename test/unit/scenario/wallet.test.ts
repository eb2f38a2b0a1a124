/** Settings of wallets in scenario files and in programs: their values, and refusals. */
import { expect, test } from 'vitest'
import { formatInputError } from '../../../src/core/index.ts'
import { openVenue } from '../../../src/program/index.ts'
import { parseScenario } from '../../../src/scenario/index.ts'

const file = (wallet: string): string =>
  [
    'version: 1',
    'title: wallets',
    'start: 2026-01-05T09:00:00Z',
    'instruments: [BTC-PERPETUAL]',
    'index: { btc_usd: 50000 }',
    `venue: { wallet: ${wallet} }`,
    'accounts: { alice: { wallet: third_party } }',
    'steps: []',
  ].join('\n')

test('a file sets how long things take and their cost', () => {
  const text = file('{ address_wait: 1h, deposit_time: 2m, hold_transfers: true, fees: { BTC: 0.1 } }')
  const parsed = parseScenario(text, 'case.yaml')
  if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
  expect(parsed.value.config.wallet).toEqual({
    addressWait: 3_600_000_000,
    addressesMax: 100,
    needsConfirmation: true,
    confirmationTime: null,
    completionTime: null,
    depositTime: 120_000_000,
    holdsTransfers: true,
    fees: { BTC: 100_000_000n },
  })
  expect(parsed.value.setup.map(({ method }) => method)).toContain('sim/set_wallet_type')
})

test.each([
  ['{ address_wait: 400d }', 'venue.wallet.address_wait: expected a duration of at most 365d'],
  ['{ deposit_time: 0s }', 'venue.wallet.deposit_time: expected a duration above 0'],
  ['{ fees: { BTC: -1 } }', 'venue.wallet.fees.BTC: expected money from 0 to 1000000000'],
  ['{ fees: { DOGE: 1 } }', 'venue.wallet.fees'],
  ['{ hold: true }', 'venue.wallet'],
])('%s is refused', (wallet, mistake) => {
  const parsed = parseScenario(file(wallet), 'case.yaml')
  expect(parsed.ok ? [] : parsed.error.map(formatInputError).join('\n')).toContain(mistake)
})

test.each([
  [{ addressWait: -1 }, 'config.wallet.addressWait: expected whole microseconds from 0'],
  [{ hold: true }, 'config.wallet.hold: expected one of addressWait'],
  [{ fees: { BTC: 5 } }, 'config.wallet.fees.BTC: expected money'],
])('a program is refused %j', (wallet, mistake) => {
  const config = { wallet } as never
  expect(() => openVenue({ start: '2026-01-05T09:00:00Z', config })).toThrow(mistake)
})
