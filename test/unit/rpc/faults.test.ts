/**
 * The controls of faults: `sim/set_faults` refuses unknown methods.
 */
import { expect, test } from 'vitest'
import { openVenue } from '../../../src/index.ts'

test('set_faults refuses an unknown method with the name that was probably meant', () => {
  const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
  const faults = [{ kind: 'drop' as const, of: 'replies' as const, methods: ['private/byu'] }]
  const answer = venue.request('sim/set_faults', { faults })
  expect(answer.ok).toBe(false)
  expect(JSON.stringify(answer.reply)).toContain('did you mean private/buy?')
  const known = [{ kind: 'drop' as const, of: 'replies' as const, methods: ['private/buy'] }]
  expect(venue.request('sim/set_faults', { faults: known }).ok).toBe(true)
})
