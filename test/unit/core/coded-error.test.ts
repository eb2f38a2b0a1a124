/** Codes of thrown errors: the guide has them all, and the doors of programs throw none without one. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { errorCodes, openVenue } from '../../../src/index.ts'
import { repository } from '../../support/repository.ts'

test('the guide has the codes, each with what it means', () => {
  const guide = readFileSync(join(repository, 'src/program/README.md'), 'utf8')
  const [, table = ''] = /\| Code \| Means \|\n\| --- \| --- \|\n([\s\S]*?)\n\n/.exec(guide) ?? []
  const rows = Object.entries(errorCodes).map(([code, means]) => `| \`${code}\` | ${means} |`)
  expect(table.split('\n')).toEqual(rows)
})

const doors = [
  'program/venue.ts',
  'program/venue-config.ts',
  'backtest/strategy/strategy-venue.ts',
  'backtest/strategy/plain-copy.ts',
  'server/server.ts',
  'testing/index.ts',
]

test.each(doors)('%s throws no error without a code', (path) => {
  const text = readFileSync(join(repository, 'src', path), 'utf8')
  expect(text).toContain('throw coded(')
  expect(text.match(/throw new \w+/g)).toBeNull()
})

const unknown: object = { now: 1 }
const options = { start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } }

test.each([
  ['OPTION', () => openVenue({ ...options, config: { fundingInterval: -1 } as object })],
  ['TIME', () => openVenue({ start: 'today' })],
  ['TIME', () => openVenue(options).wait('long')],
  ['TIME', () => openVenue(options).at('2020-01-01T00:00:00Z')],
  ['START', () => openVenue({ ...options, instruments: ['NOTHING'] })],
  [
    'PARAMETER',
    () => openVenue(options).request('public/get_time', unknown as Record<string, never>),
  ],
])('%s is the code of what cannot be', (code, ask) => {
  let thrown: unknown
  try {
    ask()
  } catch (error) {
    thrown = error
  }
  expect(thrown).toBeInstanceOf(RangeError)
  expect(thrown).toMatchObject({ code })
})
