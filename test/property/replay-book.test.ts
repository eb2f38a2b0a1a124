/**
 * The replay book agrees with its oracle: fills with their reasons, resting orders with their places, positions,
 * recorded levels, after every command and message; and a snapshot or a fork in the middle of a stream continues like
 * the stream. The laws are those of `replay-duel.ts`.
 *
 * PITCLOCK_RUNS sets the number of runs; the seed of a failure is printed and replays it.
 */
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  apply,
  applyMarketMessage,
  audit,
  createExchange,
  type Exchange,
  fork,
  restore,
  snapshot,
  stateHash,
} from '../../src/engine/index.ts'
import type { Event } from '../../src/model/index.ts'
import { askedRuns, unreached } from '../support/property-runs.ts'
import { ReplayDuel } from '../support/replay-duel.ts'
import type { WrittenRow } from '../support/replay-market.ts'

const runs = askedRuns(300, 1, 20)

const accounts = ['ann', 'bob', 'cat']

/** The settings of a run. */
const worldArbitrary = fc.record({
  selfMatch: fc.constantFrom('reject_taker' as const, 'cancel_maker' as const, 'off' as const),
  bookEvents: fc.boolean(),
  printEvents: fc.boolean(),
  followsMid: fc.boolean(),
  /** The steps before which the state is saved and the exchange is copied. */
  snapshotAt: fc.nat({ max: 60 }),
  forkAt: fc.nat({ max: 60 }),
})
type World = typeof worldArbitrary extends fc.Arbitrary<infer T> ? T : never

/** The frequent kinds several times. */
const kinds = [
  ...['delta', 'delta', 'delta', 'delta', 'snapshot', 'prints', 'prints', 'prints'],
  ...['rest', 'rest', 'rest', 'rest', 'take', 'take', 'ioc', 'fok', 'market', 'market_limit'],
  ...['slide', 'reject', 'cancel', 'edit', 'edit'],
] as const

/** One step, independent of the state: few prices and small sizes, so that steps interact. */
const stepArbitrary = fc.record({
  kind: fc.constantFrom(...kinds),
  centre: fc.integer({ min: 99, max: 102 }),
  rows: fc.array(
    fc.record({
      side: fc.constantFrom('buy' as const, 'sell' as const),
      depth: fc.nat({ max: 3 }),
      lots: fc.integer({ min: 1, max: 9 }),
      odd: fc.nat({ max: 11 }),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  uncross: fc.boolean(),
  who: fc.nat({ max: 2 }),
  buys: fc.boolean(),
  offset: fc.nat({ max: 3 }),
  lots: fc.integer({ min: 1, max: 12 }),
  pick: fc.nat({ max: 999 }),
  /** A few steps come so late that taken size may be available again. */
  pause: fc.constantFrom(0, 0, 0, 0, 0, 0, 400_000, 998_000, 999_000, 59_000_000, 59_999_000),
})
type Step = typeof stepArbitrary extends fc.Arbitrary<infer T> ? T : never

/** Levels around the centre; one in twelve crosses it, and some are removed. */
function levelRows({ rows, centre, kind }: Step): WrittenRow[] {
  return rows.map(({ side, depth, lots, odd }) => {
    const away = odd === 0 ? -2 : depth
    const size = odd > 9 && kind === 'delta' ? 0 : lots
    return [side, side === 'buy' ? centre - away : centre + 1 + away, size]
  })
}

function printRows({ rows, centre }: Step): WrittenRow[] {
  return rows.map(({ side, depth, lots, odd }) => {
    const price = side === 'buy' ? centre + depth : centre + 1 - depth
    return [odd === 0 ? 'unknown' : side, price, lots]
  })
}

function applyStep(duel: ReplayDuel, step: Step): void {
  const { kind, uncross } = step
  const account = accounts[step.who] ?? ''
  switch (kind) {
    case 'delta':
    case 'snapshot':
      duel.book(levelRows(step), { snapshot: kind === 'snapshot', uncross })
      break
    case 'prints':
      duel.trades(printRows(step))
      break
    case 'cancel':
    case 'edit':
      changeOrder(duel, step, account)
      break
    default:
      duel.place(entryOf(step, account))
  }
}

/** Cancels or edits a live order; sometimes one that has ended, belongs to another account, or never existed. */
function changeOrder(duel: ReplayDuel, step: Step, account: string): void {
  const { pick, lots } = step
  const live = duel.live()
  const order = live[pick % Math.max(1, live.length)]
  const number = pick % 11 === 0 || order === undefined ? 1 + (pick % 40) : order.number
  const owner = pick % 7 === 0 || order === undefined ? account : order.account
  const price = pick % 2 === 0 ? (order?.price ?? 100) : step.centre - 1 + step.offset
  if (step.kind === 'cancel') duel.cancel(owner, number)
  else duel.edit(owner, number, { price, lots })
}

function entryOf(step: Step, account: string): Parameters<ReplayDuel['place']>[0] {
  const { kind, buys, centre, offset, lots } = step
  const away = kind === 'rest' ? offset : -offset
  return {
    account,
    lots,
    side: buys ? 'buy' : 'sell',
    type: kind === 'market' || kind === 'market_limit' ? kind : 'limit',
    timeInForce: kind === 'ioc' ? 'immediate_or_cancel' : kind === 'fok' ? 'fill_or_kill' : 'good_til_cancelled',
    price: buys ? centre - away : centre + 1 + away,
    postOnly: kind === 'slide' || kind === 'reject' ? kind : 'off',
  }
}

/** A place in a stream: the counts of inputs and events, and the state. */
interface Mark<State> {
  readonly inputs: number
  readonly events: number
  readonly state: State
}

/** Gives an exchange the inputs from a position on and returns its events. */
function giveInputs({ market }: ReplayDuel, exchange: Exchange, from: number): Event[] {
  const events: Event[] = []
  const sink = { emit: (event: Event): void => void events.push(event) }
  for (const input of market.inputs.slice(from)) {
    if ('rows' in input) applyMarketMessage(exchange, input, sink)
    else apply(exchange, input, sink)
  }
  audit(exchange)
  expect(stateHash(exchange)).toBe(stateHash(market.exchange))
  return events
}

/** Continues from a mark with the later inputs, and compares the results. */
function goOn(duel: ReplayDuel, exchange: Exchange, from: Mark<unknown>): void {
  const events = giveInputs(duel, exchange, from.inputs)
  const expected = duel.market.events.slice(from.events)
  if (!isDeepStrictEqual(events, expected)) expect(events).toEqual(expected)
}

/** Recording the book and prints, or not, changes nothing else. */
function askOtherwise(duel: ReplayDuel): void {
  const { market } = duel
  const { config } = market.exchange
  const { bookEvents, printEvents } = config
  const other = { ...config, bookEvents: !bookEvents, printEvents: !printEvents }
  const opening: Event[] = []
  const exchange = createExchange(other, { emit: (event) => void opening.push(event) })
  const isOther = ({ kind }: Event): boolean => kind !== 'level' && kind !== 'print'
  const events = [...opening, ...giveInputs(duel, exchange, 0)].filter(isOther)
  const expected = market.events.filter(isOther)
  if (!isDeepStrictEqual(events, expected)) expect(events).toEqual(expected)
}

function runStream(world: World, steps: readonly Step[]): ReplayDuel {
  const duel = new ReplayDuel(world, accounts)
  const { market } = duel
  market.setIndex(100)
  if (world.followsMid) market.followMid()
  let saved: Mark<Uint8Array> | undefined
  let copied: Mark<Exchange> | undefined
  for (const [at, step] of steps.entries()) {
    const place = { inputs: market.inputs.length, events: market.events.length }
    if (at === world.snapshotAt) saved = { ...place, state: snapshot(market.exchange) }
    if (at === world.forkAt) copied = { ...place, state: fork(market.exchange) }
    duel.wait(step.pause)
    applyStep(duel, step)
    duel.compareLevels()
  }
  const hash = stateHash(market.exchange)
  if (copied !== undefined) {
    goOn(duel, copied.state, copied)
    duel.count('forked')
  }
  if (saved !== undefined) {
    duel.count('restored')
    const restored = restore(saved.state)
    if (!restored.ok) throw new Error('a new snapshot can be restored')
    goOn(duel, restored.value, saved)
  }
  askOtherwise(duel)
  expect(stateHash(market.exchange)).toBe(hash)
  return duel
}

describe('the replay book agrees with its oracle', () => {
  test('on random streams of messages and commands', () => {
    const seen = new Map<string, number>()
    const steps = fc.array(stepArbitrary, { maxLength: 60, size: 'max' })
    fc.assert(
      fc.property(worldArbitrary, steps, (world, stream) => {
        for (const [key, times] of runStream(world, stream).seen) {
          seen.set(key, (seen.get(key) ?? 0) + times)
        }
      }),
      { numRuns: runs, endOnFailure: false },
    )
    // The streams reach every listed situation.
    const words = [
      ...['print_at_price', 'print_through', 'level_reached', 'level_taken', 'book_maker'],
      ...['book_taker', 'open', 'filled', 'cancelled', 'post_only_reject', 'crossed', 'uncrossed'],
      ...['unknown_removal', 'order_overlap', 'invalid_amount', 'already_closed'],
      ...['not_open_order', 'not_owner_of_order', 'order_not_found'],
      ...['other_reject no_opposite_price', 'forked', 'restored', 'refreshed'],
    ]
    expect(unreached(words, seen)).toEqual([])
    if (process.env['PITCLOCK_SEEN'] !== undefined) console.log(seen)
  })
})
