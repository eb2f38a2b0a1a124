/**
 * The controls of faults: `sim/set_faults` refuses unknown methods, and accepts what `sim/get_faults` returns.
 */
import { expect, test } from 'vitest'
import { openVenue } from '../../../src/index.ts'

test('set_faults refuses an unknown method and suggests a similar name', () => {
  const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
  const faults = [{ kind: 'drop' as const, of: 'replies' as const, methods: ['private/byu'] }]
  const answer = venue.request('sim/set_faults', { faults })
  expect(answer.ok).toBe(false)
  expect(JSON.stringify(answer.reply)).toContain('did you mean private/buy?')
  const known = [{ kind: 'drop' as const, of: 'replies' as const, methods: ['private/buy'] }]
  expect(venue.request('sim/set_faults', { faults: known }).ok).toBe(true)
})

test('set_faults accepts the rules that get_faults returns, of all kinds', () => {
  const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
  const faults = [
    { kind: 'drop', of: 'replies', methods: ['private/buy'], probability: 0.5, most: 3 },
    { kind: 'delay', of: 'notifications', channels: ['book'], by: '1500us', every: 3 },
    { kind: 'delay', of: 'replies', by: '250ms', probability: 0 },
    { kind: 'double', of: 'replies', account: 'ann' },
    { kind: 'reorder', of: 'replies' },
    { kind: 'refuse', reason: 'too_many_requests', every: 2 },
    { kind: 'half_open', from: 1_767_603_600_000, until: 1_767_603_700_000 },
  ] as const
  const set = (rules: readonly object[]): boolean => venue.request('sim/set_faults', { faults: rules as never }).ok
  const get = (): readonly object[] => {
    const answer = venue.request('sim/get_faults', {})
    return answer.ok ? answer.result.faults : []
  }
  expect(set(faults)).toBe(true)
  const got = get()
  expect(got[2]).toMatchObject({ kind: 'delay', by: '250ms', probability: 0, every: null })
  expect(set(got)).toBe(true)
  expect(get()).toEqual(got)
})
