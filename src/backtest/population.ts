/**
 * A population of simple traders in a closed market: makers and takers around a drifting index.
 *
 * - The index takes a step of up to `step` ticks every `every`; steps are uniform, so it drifts.
 * - Each maker acts after exponential waits of mean `every`: while it has fewer than `orders` resting it places a
 *   post-only order `offset` ticks from the index on a random side; otherwise it cancels its oldest order or, equally
 *   often, moves it to a new price.
 * - Each taker acts after exponential waits of mean `every`: it sends a market order or, with probability
 *   `limit_percent`, a limit order at the index, both immediate-or-cancel. It chooses the side that reduces its
 *   position three times out of four, so that positions stay small.
 *
 * Every trader draws from a separate random stream, so that an additional trader does not change the draws of others.
 * Traders see only the index, their replies and the ends of their orders.
 */
import {
  AssertionFailure,
  assert,
  createTimerQueue,
  decimalTextOf,
  defined,
  formatScaled,
  type Micros,
  micros,
  type Plain,
  parseDuration,
  parseScaled,
  peekTime,
  popDue,
  type RandomState,
  type RandomStream,
  randomStream,
  restoreRandomStream,
  restoreTimerQueue,
  schedule,
  snapshotTimerQueue,
  type TimerQueue,
  type TimerQueueSnapshot,
  z,
} from '../core/index.ts'
import { borrowing, type EventTakers, type Liquidity, numberOfId, sinkOf } from '../model/index.ts'
import type { RequestParams, VenueReply } from '../rpc/index.ts'
import type { RequestSource, TimedRequest } from './loop-state.ts'

/** The microseconds of a positive duration; null for any other text. */
function microsOf(text: string): number | null {
  const parsed = parseDuration(text)
  return parsed.ok && parsed.value > 0 ? parsed.value : null
}

const duration = z
  .string()
  .refine((text) => microsOf(text) !== null, 'a duration such as 500ms, 4s or 3h')
  .transform((text) => defined(microsOf(text) ?? undefined, 'a checked duration'))
  .describe('a duration such as 500ms, 4s or 3h')
const whole = z.int().min(1)
const range = z.tuple([whole, whole]).refine(([low, high]) => low <= high, 'smallest first')
const deposit = z.record(z.string(), z.number()).describe('currency and amount of each trader')

/** Each trader opens an account with deposits, so a run with millions of them would never begin. */
const traders = whole.max(10_000).describe('number of traders, at most 10,000')

/** The `population` section of a scenario. */
export const populationSchema = z.strictObject({
  instrument: z.string().describe('instrument that the traders trade'),
  duration: duration.describe('how long they trade'),
  index: z.strictObject({
    name: z.string().describe('price index that drifts'),
    price: z.number().describe('first value'),
    tick: z.number().describe('grid of the index and of all order prices'),
    every: duration,
    step: whole.describe('largest step in ticks'),
  }),
  amount: z.number().describe('unit of all amounts; orders are whole multiples of it'),
  makers: z.strictObject({
    count: traders,
    deposit,
    every: duration.describe('mean wait between two actions of a maker'),
    orders: whole.describe('number of resting orders of each maker'),
    offset: range.describe('distance from the index in ticks'),
    size: range.describe('order size in units of amount'),
  }),
  takers: z.strictObject({
    count: traders,
    deposit,
    every: duration.describe('mean wait between two orders of a taker'),
    size: range.describe('order size in units of amount'),
    limit_percent: z.int().min(0).max(100).describe('percentage of limit orders; the others are market orders'),
  }),
})

/** A population, with durations in microseconds. */
export type PopulationSpec = z.output<typeof populationSchema>

/** Accounts and deposits of the traders, and the first index, as requests. */
export function populationSetup(
  spec: PopulationSpec,
): readonly { readonly method: string; readonly params: RequestParams }[] {
  const { name, price } = spec.index
  const requests: { readonly method: string; readonly params: RequestParams }[] = [
    { method: 'sim/set_index', params: { index_name: name, price } },
  ]
  for (const [role, group] of [
    ['maker', spec.makers],
    ['taker', spec.takers],
  ] as const) {
    for (let number = 1; number <= group.count; number += 1) {
      const account = `${role}-${number}`
      requests.push({ method: 'sim/create_account', params: { name: account } })
      for (const [currency, amount] of Object.entries(group.deposit)) {
        requests.push({ method: 'sim/deposit', params: { account, currency, amount } })
      }
    }
  }
  return requests
}

interface Trader {
  readonly account: string
  readonly role: Liquidity
  chance: RandomStream
  /** A maker's resting orders, oldest first. */
  orders: { readonly id: string; readonly buys: boolean }[]
  /** Signed sum of a taker's fills, in the instrument's amount unit. */
  position: number
}

type Actor = Trader | { readonly role: 'index'; chance: RandomStream }

interface Population {
  readonly spec: PopulationSpec
  /** Makers by account name, and by account id once it is known. */
  readonly makers: Map<string, Trader>
  readonly makerOf: Map<number, Trader>
  readonly end: number
  /** First the index, then all traders. */
  readonly actors: Actor[]
  waiting: TimerQueue<Actor>
  /** Index in ticks. */
  index: number
}

/** The source of a population's requests. The same seed gives the same traders. */
export function populationSource(spec: PopulationSpec, seed: string, start: Micros): RequestSource {
  const tick9 = nano(spec.index.tick)
  const population: Population = {
    spec,
    makers: new Map(),
    makerOf: new Map(),
    end: start + spec.duration,
    actors: [],
    waiting: createTimerQueue(),
    index: Number(nano(spec.index.price) / tick9),
  }
  const stream = (name: string): RandomStream => randomStream(seed, `population.${name}`)
  const join = (actor: Actor): void => {
    population.actors.push(actor)
    wait(population, actor, start)
  }
  join({ role: 'index', chance: stream('index') })
  for (const [role, group] of [
    ['maker', spec.makers],
    ['taker', spec.takers],
  ] as const) {
    for (let number = 1; number <= group.count; number += 1) {
      const account = `${role}-${number}`
      const chance = stream(account)
      const trader: Trader = { account, role, chance, orders: [], position: 0 }
      if (role === 'maker') population.makers.set(account, trader)
      join(trader)
    }
  }
  return {
    nextTime: () => peekTime(population.waiting),
    take: () => act(population),
    events: borrowing(sinkOf(makerTakers(population)), ['order']),
    save: () => savePopulation(population),
    load: (state) => loadPopulation(population, state),
    goesBack: true,
    resume: (waiter) => resumeTrader(population, waiter),
  }
}

/** A population as plain data. Actors are named by their index in the list. */
type PopulationData = {
  readonly index: number
  readonly chances: readonly RandomState[]
  /** Orders of makers and positions of takers, by the same indices. */
  readonly orders: readonly (readonly { readonly id: string; readonly buys: boolean }[])[]
  readonly positions: readonly number[]
  readonly accounts: readonly (readonly [account: number, actor: number])[]
  readonly waiting: TimerQueueSnapshot<number>
}

function savePopulation({ actors, index, makerOf, waiting }: Population): Plain {
  const { nextSequence, timers } = snapshotTimerQueue(waiting)
  const data: PopulationData = {
    index,
    chances: actors.map(({ chance }) => chance.snapshot()),
    orders: actors.map((actor) => (actor.role === 'maker' ? actor.orders : [])),
    positions: actors.map((actor) => (actor.role === 'taker' ? actor.position : 0)),
    accounts: [...makerOf].map(([account, maker]) => [account, actors.indexOf(maker)]),
    waiting: {
      nextSequence,
      timers: timers.map((timer) => ({ ...timer, payload: actors.indexOf(timer.payload) })),
    },
  }
  return data
}

/** Restores the saved state of a population with the same terms. */
function loadPopulation(population: Population, state: Plain): void {
  // `savePopulation` wrote this state.
  const data = state as PopulationData
  population.index = data.index
  for (const [place, actor] of population.actors.entries()) {
    actor.chance = restoreRandomStream(defined(data.chances[place], 'every actor was saved'))
    if (actor.role === 'maker') actor.orders = [...(data.orders[place] ?? [])]
    else if (actor.role === 'taker') actor.position = data.positions[place] ?? 0
  }
  for (const [account, place] of data.accounts) {
    const maker = population.actors[place]
    if (maker?.role === 'maker') population.makerOf.set(account, maker)
  }
  const { nextSequence, timers } = data.waiting
  population.waiting = restoreTimerQueue({
    nextSequence,
    timers: timers.map((timer) => ({
      ...timer,
      payload: defined(population.actors[timer.payload], 'a timer belongs to an actor'),
    })),
  })
}

/** Removes filled orders from the state of their makers. */
function makerTakers(population: Population): EventTakers {
  return {
    account: (event) => {
      const maker = population.makers.get(event.name)
      if (maker !== undefined) population.makerOf.set(event.account, maker)
    },
    order: (event) => {
      if (event.change !== 'filled' || event.state !== 'filled') return
      const maker = population.makerOf.get(event.account)
      if (maker === undefined) return
      const number = numberOfId(event.order)
      maker.orders = maker.orders.filter(({ id }) => Number(id.replace(/^.*-/, '')) !== number)
    },
  }
}

/** Schedules an actor's next action. No actor acts after the end. */
function wait(population: Population, actor: Actor, now: number): void {
  const { spec, waiting } = population
  const pause = actor.role === 'index' ? spec.index.every : actor.chance.exponentialMicros(spec[`${actor.role}s`].every)
  const time = now + Math.max(1, pause)
  if (time < population.end) schedule(waiting, { time: micros(time), rank: 0, payload: actor })
}

function act(population: Population): TimedRequest {
  const timer = defined(
    popDue(population.waiting, micros(peekTime(population.waiting))),
    'a source with a next time has a request',
  )
  const actor = timer.payload
  wait(population, actor, timer.time)
  if (actor.role === 'index') return moveIndex(population, actor.chance, timer.time)
  const request = actor.role === 'maker' ? makerAct(population, actor) : takerAct(population, actor)
  return { time: timer.time, account: actor.account, session: 0, ...request }
}

function moveIndex(population: Population, chance: RandomStream, time: Micros): TimedRequest {
  const { index } = population.spec
  population.index = Math.max(1, population.index + chance.int(-index.step, index.step))
  const price = priceOf(population, population.index)
  const params = { index_name: index.name, price }
  return { time, method: 'sim/set_index', params, account: null, session: 0 }
}

/** A request of a trader without time and account, which the caller adds. */
type Action = Pick<TimedRequest, 'method' | 'params' | 'onReply' | 'waiter'>

function makerAct(population: Population, maker: Trader): Action {
  const { chance } = maker
  const oldest = maker.orders.length >= population.spec.makers.orders ? maker.orders.shift() : undefined
  if (oldest !== undefined && chance.chance(1, 2)) {
    const params = { order_id: oldest.id }
    return { method: 'private/cancel', params }
  }
  const buys = oldest?.buys ?? chance.chance(1, 2)
  const offset = chance.int(...population.spec.makers.offset)
  const quote = {
    amount: sizeOf(population.spec, chance, population.spec.makers.size),
    price: priceOf(population, population.index + (buys ? -offset : offset)),
    post_only: true,
  }
  const reported = repliesTo(maker, buys)
  if (oldest !== undefined) {
    return { method: 'private/edit', params: { order_id: oldest.id, ...quote }, ...reported }
  }
  const params = { instrument_name: population.spec.instrument, ...quote }
  return { method: buys ? 'private/buy' : 'private/sell', params, ...reported }
}

function takerAct(population: Population, taker: Trader): Action {
  const { spec, index } = population
  const { chance } = taker
  const reduces = chance.chance(3, 4)
  const buys = taker.position === 0 ? chance.chance(1, 2) : reduces ? taker.position < 0 : taker.position > 0
  const limit = chance.chance(spec.takers.limit_percent, 100)
  return {
    method: buys ? 'private/buy' : 'private/sell',
    params: {
      instrument_name: spec.instrument,
      amount: sizeOf(spec, chance, spec.takers.size),
      time_in_force: 'immediate_or_cancel',
      ...(limit ? { price: priceOf(population, index) } : { type: 'market' }),
    },
    ...repliesTo(taker, buys),
  }
}

/** The function that delivers a reply to a trader of a restored population. */
function resumeTrader(population: Population, waiter: Plain): (reply: VenueReply) => void {
  const [account, buys] = waiter as readonly [string, boolean]
  const trader = population.actors.find((actor) => actor.role !== 'index' && actor.account === account)
  if (trader === undefined || trader.role === 'index') {
    throw new AssertionFailure('a timer belongs to a trader')
  }
  return replyTo(trader, buys)
}

/** Delivers the reply to a placement to its trader, and names the trader for saved states. */
function repliesTo(trader: Trader, buys: boolean): Pick<TimedRequest, 'onReply' | 'waiter'> {
  return { waiter: [trader.account, buys], onReply: replyTo(trader, buys) }
}

function replyTo(trader: Trader, buys: boolean): (reply: VenueReply) => void {
  return (reply) => {
    const order = orderIn(reply)
    if (trader.role === 'maker') {
      if (order?.order_state === 'open') trader.orders.push({ id: order.order_id, buys })
      return
    }
    const filled = order?.filled_amount ?? 0
    trader.position += buys ? filled : -filled
  }
}

/** The order in a reply to a placement, or undefined if the placement was refused. */
function orderIn(
  reply: VenueReply,
): { readonly order_id: string; readonly order_state: string; readonly filled_amount: number } | undefined {
  if (!reply.ok) return undefined
  // The result type of the method, which a reply does not carry in its own type.
  const result = reply.result as {
    readonly order: { order_id: string; order_state: string; filled_amount: number }
  }
  return result.order
}

function priceOf(population: Population, ticks: number): number {
  return Number(formatScaled(BigInt(ticks) * nano(population.spec.index.tick), 9))
}

function sizeOf(spec: PopulationSpec, chance: RandomStream, size: readonly [number, number]): number {
  return Number(formatScaled(BigInt(chance.int(...size)) * nano(spec.amount), 9))
}

/** A number of the scenario in 1e-9, exactly. */
function nano(value: number): bigint {
  const scaled = parseScaled(decimalTextOf(value), 9)
  assert(scaled.ok, `a number has at most nine decimals, found ${value}`)
  return scaled.value
}
