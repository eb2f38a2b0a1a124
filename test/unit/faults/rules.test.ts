/** Rules of faults: the messages that they match, their frequency, and continuation from their state. */
import { describe, expect, test } from 'vitest'
import { decodeValue, encodeValue } from '../../../src/core/index.ts'
import {
  createFaults,
  type FaultMessage,
  type Faults,
  type FaultsState,
  faultChannels,
  faultCounts,
  faultOf,
  isHalfOpen,
  loadFaults,
  nextHalfOpenEdge,
  ruleMistakes,
  ruleOf,
  type SaidRule,
  saveFaults,
  setFaultRules,
} from '../../../src/faults/index.ts'
import { methodNames } from '../../../src/gateways/index.ts'
import { channelList } from '../../../src/rpc/index.ts'

const always = { from: 0, until: null }

function faultsOf(...said: readonly SaidRule[]): Faults {
  for (const rule of said) expect(ruleMistakes(rule, methodNames)).toEqual([])
  return createFaults(
    'monday',
    said.map((rule) => ruleOf(rule, always.from, always.until)),
  )
}

function message(of: FaultMessage['of'], name: string, more: Partial<FaultMessage> = {}): FaultMessage {
  return { of, name, account: 'ann', time: 100, ...more }
}

const reply = message('replies', 'private/buy')

/** The positions of matched messages among equal ones. */
function metOf(faults: Faults, count: number, each = reply): readonly number[] {
  return Array.from({ length: count }, (_, at) => at).filter(() => faultOf(faults, each) !== null)
}

describe('a rule matches', () => {
  test('messages of its kind, methods, channels, account and time', () => {
    const book: SaidRule = { kind: 'drop', of: 'notifications', channels: ['book.BTC', 'user'] }
    const faults = faultsOf(book, { kind: 'refuse', reason: 'too_many_requests', account: 'ben' })
    const isMet = (each: FaultMessage): boolean => faultOf(faults, each) !== null
    expect(isMet(message('notifications', 'book.BTC.raw'))).toBe(true)
    expect(isMet(message('notifications', 'book.BTC'))).toBe(true)
    // Part by part: another name that begins with the same letters is another.
    expect(isMet(message('notifications', 'book.BTC-PERPETUAL.raw'))).toBe(false)
    expect(isMet(message('notifications', 'user.orders.any.any.raw'))).toBe(true)
    expect(isMet(message('replies', 'book.BTC.raw'))).toBe(false)
    expect(isMet(message('requests', 'private/buy', { account: 'ben' }))).toBe(true)
    expect(isMet(message('requests', 'private/buy'))).toBe(false)
    expect(isMet(message('requests', 'private/buy', { account: null }))).toBe(false)
  })

  test('a time from its beginning on, and until just before its end', () => {
    const rule = ruleOf({ kind: 'half_open' }, 10, 20)
    const faults = createFaults('0', [rule])
    const open = [9, 10, 19, 20].map((time) => isHalfOpen(faults, { account: null, time }))
    expect(open).toEqual([false, true, true, false])
    expect([0, 9, 10, 19, 20].map((time) => nextHalfOpenEdge(faults, time))).toEqual([
      ...[10, 10, 20, 20],
      Number.POSITIVE_INFINITY,
    ])
    for (const of of ['requests', 'replies', 'notifications'] as const) {
      expect(faultOf(faults, message(of, 'any', { time: 10 }))?.kind).toBe('half_open')
    }
  })

  test('no second copy and no other order of a message that is alone', () => {
    const faults = faultsOf(
      { kind: 'double', of: 'replies' },
      { kind: 'reorder', of: 'replies' },
      { kind: 'delay', of: 'replies', by: '1ms' },
    )
    expect(faultOf(faults, { ...reply, isAlone: true })).toMatchObject({ kind: 'delay', by: 1000 })
    expect(faultOf(faults, reply)).toMatchObject({ kind: 'double' })
  })
})

describe('a rule affects', () => {
  test('every n-th of its messages, and so many at most', () => {
    expect(metOf(faultsOf({ kind: 'drop', of: 'replies', every: 3 }), 9)).toEqual([2, 5, 8])
    expect(metOf(faultsOf({ kind: 'drop', of: 'replies', most: 2 }), 9)).toEqual([0, 1])
    expect(metOf(faultsOf({ kind: 'drop', of: 'replies', every: 2, most: 2 }), 9)).toEqual([1, 3])
  })

  test('a share near its probability, the same for the same seed, and none at probability zero', () => {
    const half: SaidRule = { kind: 'drop', of: 'replies', probability: 0.5 }
    const met = metOf(faultsOf(half), 1000)
    expect(met.length).toBeGreaterThan(400)
    expect(met.length).toBeLessThan(600)
    expect(metOf(faultsOf(half), 1000)).toEqual(met)
    expect(metOf(createFaults('tuesday', [ruleOf(half, always.from, always.until)]), 1000)).not.toEqual(met)
    expect(metOf(faultsOf({ ...half, probability: 0 }), 1000)).toEqual([])
  })

  test('messages that no earlier rule has matched, whose draws do not move it', () => {
    const rare: SaidRule = { kind: 'drop', of: 'replies', probability: 0.3 }
    const first = faultsOf(rare)
    const alone = metOf(first, 200)
    const both = faultsOf(rare, { kind: 'delay', of: 'replies', by: '1s', probability: 0.5 })
    const kinds = Array.from({ length: 200 }, () => faultOf(both, reply)?.kind)
    expect(kinds.flatMap((kind, at) => (kind === 'drop' ? [at] : []))).toEqual(alone)
    expect(faultCounts(both)).toEqual([
      { kind: expect.any(String), of: 'replies', count: expect.any(Number) },
      { kind: expect.any(String), of: 'replies', count: expect.any(Number) },
    ])
  })
})

test('faults that were saved continue like unsaved ones', () => {
  const rules: SaidRule[] = [
    { kind: 'drop', of: 'replies', probability: 0.5, most: 40 },
    { kind: 'double', of: 'replies', every: 3 },
  ]
  const faults = faultsOf(...rules)
  metOf(faults, 50)
  const saved = decodeValue(encodeValue(saveFaults(faults) as never))
  const again = loadFaults((saved.ok ? saved.value : null) as unknown as FaultsState)
  expect(metOf(again, 100)).toEqual(metOf(faults, 100))
  expect(faultCounts(again)).toEqual(faultCounts(faults))
  expect(saveFaults(createFaults())).toBeNull()
  // New rules draw again, and the counts stay.
  const before = faultCounts(faults)
  setFaultRules(faults, [])
  expect(metOf(faults, 10)).toEqual([])
  expect(faultCounts(faults)).toEqual(before)
})

test('rules may name exactly the existing channels', () => {
  const beginnings = channelList.flatMap(({ forms }) => forms.map((form) => form.replace(/\.?\{.*/, '')))
  expect(faultChannels).toEqual([...new Set(beginnings)].toSorted())
})

test.each<readonly [SaidRule, string]>([
  [{ kind: 'double' }, 'of: replies or notifications'],
  [{ kind: 'drop', of: 'replies', channels: ['book'] }, 'channels: methods, as replies have no channel'],
  [
    { kind: 'drop', of: 'notifications', methods: ['private/buy'] },
    'methods: channels, as notifications have no method',
  ],
  [{ kind: 'drop', of: 'replies', probability: 1, every: 1 }, 'every: either probability or every'],
  [{ kind: 'delay', of: 'replies', by: '0s' }, 'by: a duration above 0 and up to a day'],
  [{ kind: 'delay', of: 'replies', by: '2d' }, 'by: a duration above 0 and up to a day'],
  [{ kind: 'refuse', reason: 'too_many_requests', of: 'replies' }, 'of: no of in a fault of kind refuse'],
  [{ kind: 'half_open', probability: 1 }, 'probability: no probability in a fault of kind half_open'],
])('a rule that cannot be: %j', (said, problem) => {
  const [found] = ruleMistakes(said, methodNames)
  expect(`${found?.field}: ${found?.expected}`).toBe(problem)
})
