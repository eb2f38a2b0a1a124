/** The section of faults of a file: mistakes have their place, and valid rules become rules and requests. */
import { describe, expect, test } from 'vitest'
import { beginning, mistakesAfter, sound } from './documents.ts'

const START = 1_767_603_600_000_000

function mistake(fault: string): string {
  const found = mistakesAfter(`faults:\n  - ${fault}\n`)
  expect(found).toHaveLength(1)
  return (found[0] ?? '').replace('test.yaml:', '')
}

describe('a fault that cannot be', () => {
  test.each([
    [
      '{ kind: dropp }',
      '10:13: faults.0.kind: expected one of drop, delay, double, reorder, refuse, half_open, maintenance, index_outage, gateway_outage, clock_jump, found "dropp" (did you mean drop?)',
    ],
    ['{ kind: drop }', 'faults.0.of: expected replies or notifications, found nothing'],
    ['{ kind: drop, of: answers }', 'faults.0.of: expected one of replies, notifications, found "answers"'],
    ['{ kind: drop, of: replies, probability: 2 }', 'faults.0.probability: expected at most 1, found 2'],
    ['{ kind: drop, of: replies, every: 0 }', 'faults.0.every: expected at least 1, found 0'],
    ['{ kind: drop, of: replies, chance: 1 }', 'faults.0.chance: expected one of kind, of, methods'],
    ['{ kind: drop, of: replies, by: 1s }', 'faults.0.by: expected no by in a fault of kind drop'],
    ['{ kind: drop, of: replies, index: btc_usd }', 'faults.0.index: expected no index in a fault of kind drop'],
    ['{ kind: delay, of: replies, by: soon }', 'faults.0.by: expected a duration'],
    ['{ kind: delay, of: replies }', 'faults.0.by: expected a delay, such as 250ms, found nothing'],
    [
      '{ kind: drop, of: replies, methods: [private/by] }',
      'faults.0.methods.0: expected a served private/ or public/ method, found "private/by" (did you mean private/buy?)',
    ],
    [
      '{ kind: drop, of: notifications, channels: [bok] }',
      'faults.0.channels.0: expected the prefix of a channel name, found "bok"',
    ],
    ['{ kind: half_open, account: anne }', 'faults.0.account: expected an account'],
    [
      '{ kind: half_open, from: 10s, until: 5s }',
      'faults.0.until: expected a time not before the beginning of the fault, found "5s"',
    ],
    ['{ kind: half_open, from: 2026-01-04T09:00:00Z }', 'faults.0.from: expected a time at or after the start'],
    ['{ kind: index_outage }', 'faults.0.index: expected an index such as btc_usd, found nothing'],
    [
      '{ kind: index_outage, index: btc_us }',
      'faults.0.index: expected the index of an instrument of this file, found "btc_us" (did you mean btc_usd?)',
    ],
    ['{ kind: gateway_outage, gateway: ETH }', 'faults.0.gateway: expected one of BTC_A'],
    ['{ kind: maintenance, account: ann }', 'faults.0.account: expected no account in a fault of kind maintenance'],
    ['{ kind: clock_jump }', 'faults.0.by: expected the length of the jump, such as 10m, found nothing'],
    ['{ kind: clock_jump, by: 1m, until: 5m }', 'faults.0.until: expected no until in a fault of kind clock_jump'],
    ['{ kind: clock_jump, by: 0s }', 'faults.0.by: expected a duration above 0, found "0s"'],
  ])('%s', (fault, words) => {
    expect(mistake(fault)).toContain(words)
  })
})

test('rules and requests of a file, times from its start', () => {
  const scenario = sound(`${beginning}faults:
  - { kind: delay, of: replies, by: 250ms, from: 10s, until: 20s, account: ann, every: 2 }
  - { kind: index_outage, index: btc_usd, from: 5s, until: 30s }
  - { kind: gateway_outage, gateway: ETH_A }
  - { kind: clock_jump, from: 8s, by: 500us }
`)
  expect(scenario.faults).toEqual([
    {
      ...{ kind: 'delay', of: 'replies', methods: null, channels: null, account: 'ann' },
      ...{ probability: 1, every: 2, most: null, by: 250_000, reason: null },
      ...{ from: START + 10_000_000, until: START + 20_000_000 },
    },
  ])
  const requests = scenario.faultRequests.map(({ time, method, params }) => [time - START, method, params])
  expect(requests).toEqual([
    [0, 'sim/set_gateway_active', { gateway: 'ETH_A', active: false }],
    [5_000_000, 'sim/set_index_outage', { index_name: 'btc_usd', active: true }],
    // Whole milliseconds, like in requests.
    [8_000_000, 'sim/advance', { to: START / 1000 + 8_001 }],
    [30_000_000, 'sim/set_index_outage', { index_name: 'btc_usd', active: false }],
  ])
})

test('a file without faults has no rules', () => {
  const { faults, faultRequests } = sound(beginning)
  expect([faults, faultRequests]).toEqual([[], []])
})
