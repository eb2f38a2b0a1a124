/**
 * The strategy runners of a run: creates them from the specifications of a scenario, and connects them to the request
 * router and their accounts.
 */

import {
  type AccountId,
  checkArgument,
  checkOptions,
  err,
  type InputError,
  MICROS_PER_DAY,
  type Micros,
  micros,
  nearest,
  ok,
  type Result,
  randomStream,
} from '../../core/index.ts'
import { findAccount } from '../../engine/index.ts'
import type { Desk } from '../../rpc/index.ts'
import { type Agenda, createAgenda } from './agenda.ts'
import type { RecordedDelivery } from './recorded-delivery.ts'
import { createSeat, isPromise, type OutsideFault, quieten, type Seat } from './seat.ts'
import type { Latency, Strategy, StrategyDefinition } from './strategy.ts'
import { type GuardedSeat, noGuard, placedFault, type StrategyGuard, textOfError } from './strategy-guard.ts'

/** A strategy of a run. */
export interface SeatSpec extends StrategySpec {
  /** The account that it trades. No other strategy trades this account. */
  readonly account: string
  readonly latency: Latency
}

/** Options that all strategies of a run share. */
export interface SeatOptions {
  /** Seed of the run. Each strategy's random stream derives from it. */
  readonly seed?: string
  /** Time at which strategies are created: the start of the run. Default: 0. */
  readonly start?: Micros
  /** The guard around their callbacks. */
  readonly guard?: StrategyGuard
}

/** The strategies of a run, in the order of the file. */
export interface Seats {
  readonly list: readonly Seat[]
  readonly agenda: Agenda
  readonly guard: StrategyGuard
  /** By account id, once the account is open. */
  readonly byAccount: (Seat | undefined)[]
  readonly byAccountName: ReadonlyMap<string, Seat>
  /** The request router. It is created after the runners, because its events pass through them. */
  desk: Desk | undefined
  /** The delivery of news; set when the loop is created. */
  delivery: RecordedDelivery | undefined
}

/** The specification of a strategy. */
interface StrategySpec {
  /** Its name in messages, such as the path of its module. */
  readonly name: string
  readonly definition: StrategyDefinition<unknown>
  readonly params: unknown
  /** True to refuse unknown callbacks and parameters. Default: true. */
  readonly strict?: boolean
}

/**
 * Creates the strategies of a run, or returns all mistakes.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist.
 *
 * @example
 * const definition = defineStrategy(() => ({}))
 * const latency = { feed: micros(0), entry: micros(0), response: micros(0) }
 * const seats = openSeats([{ name: 'mine', account: 'maker', params: {}, latency, definition }])
 * console.log(seats.ok) // true
 */
export function openSeats(specs: readonly SeatSpec[], options: SeatOptions = {}): Result<Seats, readonly InputError[]> {
  checkArgument('openSeats: specs', specs, 'list')
  checkOptions('openSeats', options, { seed: 'string?', start: 'number?', guard: 'object?' })
  const { seed = '0', start = micros(0), guard = noGuard } = options
  const errors: InputError[] = []
  const list: Seat[] = []
  const agenda = createAgenda()
  const outside: OutsideFault = { fault: null }
  const byAccountName = new Map<string, Seat>()
  for (const spec of specs) {
    const { name, account, latency } = spec
    for (const [which, delay] of Object.entries(latency)) {
      if (Number.isSafeInteger(delay) && delay >= 0 && delay <= MICROS_PER_DAY) continue
      const expected = 'whole microseconds from 0 to a day'
      errors.push({
        code: 'VALUE',
        file: name,
        path: `latency.${which}`,
        expected,
        found: String(delay),
      })
    }
    if (byAccountName.has(account)) {
      const expected = 'an account that no other strategy uses'
      errors.push({ code: 'VALUE', file: name, path: 'account', expected, found: account })
    }
    // The name of a stream must not contain '|'.
    const chance = randomStream(seed, `strategy.${account.replaceAll('|', '_')}`)
    const making = { name, now: start, random: () => chance.nextDouble() }
    const made = makeGuarded(spec, making, guard)
    if (!made.ok) errors.push(made.error)
    else {
      const isStrict = spec.strict !== false
      const strategy = made.value
      const seat = createSeat({
        name,
        accountName: account,
        latency,
        strategy,
        agenda,
        place: list.length,
        isStrict,
        chance,
        guard,
        outside,
      })
      list.push(seat)
      byAccountName.set(account, seat)
    }
  }
  if (errors.length > 0) return err(errors)
  const seats = { list, agenda, guard, byAccount: [], byAccountName }
  return ok({ ...seats, desk: undefined, delivery: undefined })
}

/** Connects the runners to the request router. With a restored router their accounts are already open. */
export function seatAt(seats: Seats, desk: Desk): void {
  seats.desk = desk
  for (const seat of seats.list) {
    seat.faults = desk.faults
    const account = findAccount(desk.exchange, seat.accountName)
    if (account !== undefined) takeAccount(seats, seat, account.id)
  }
}

/** Connects a runner to its open account. */
export function takeAccount(seats: Seats, seat: Seat, account: AccountId): void {
  seat.account = account
  seats.byAccount[account] = seat
}

/**
 * Makes a strategy from its definition and parameters. Mistakes while it is made and in the names of its callbacks are
 * reported with their place.
 */

/**
 * Makes a strategy under its guard. The guarded strategy has the random stream of the strategy, and its time is the
 * start of the run.
 */
function makeGuarded(spec: StrategySpec, seat: GuardedSeat, guard: StrategyGuard): Result<Strategy, InputError> {
  guard.enter()
  guard.seat = seat
  try {
    return makeStrategy(spec)
  } finally {
    guard.seat = null
    guard.leave()
  }
}

function makeStrategy({ name, definition, params, strict }: StrategySpec): Result<Strategy, InputError> {
  let made: unknown
  try {
    made = definition.make(params)
  } catch (error) {
    const words = { expected: 'parameters that the strategy accepts', found: textOfError(error) }
    // The mistake is at the parameters in the scenario; the trace shows the code that refused them.
    const { trace = [] } = placedFault(name, 'params', error, words)
    return err({
      code: 'STRATEGY',
      file: name,
      path: 'params',
      expected: words.expected,
      found: words.found,
      trace,
    })
  }
  if (isPromise(made)) quieten(made)
  if (typeof made !== 'object' || made === null || isPromise(made)) {
    const found = isPromise(made) ? 'a promise' : String(made)
    return err({ code: 'STRATEGY', file: name, expected: 'an object of callbacks', found })
  }
  for (const [callback, value] of callbacksOf(made)) {
    if (value === undefined || typeof value === 'function') continue
    return err({
      code: 'STRATEGY',
      file: name,
      path: callback,
      expected: 'a function',
      found: typeof value,
    })
  }
  const unknown = strict === false ? undefined : unknownCallback(made)
  if (unknown !== undefined) {
    const meant = nearest(unknown, callbackNames)
    const hint = meant === undefined ? 'strict: false ignores it' : `did you mean ${meant}?`
    const expected = 'a known callback'
    return err({ code: 'STRATEGY', file: name, path: unknown, expected, found: unknown, hint })
  }
  // The code above has checked that its callbacks are functions.
  const strategy = made as Strategy
  if ((strategy.save === undefined) !== (strategy.load === undefined)) {
    const found = strategy.save === undefined ? 'load alone' : 'save alone'
    return err({ code: 'STRATEGY', file: name, expected: 'save and load, or neither', found })
  }
  return ok(strategy)
}

const callbackNames = [
  'onStart',
  'onBook',
  'onTrade',
  'onIndex',
  'onMark',
  'onFunding',
  'onSettlement',
  'onOrder',
  'onFill',
  'onBlockTrade',
  'onPayment',
  'onBlockRfq',
  'onBlockQuote',
  'onReply',
  'onTimer',
  'save',
  'load',
] as const

/** The name of a function that looks like a misspelt callback; other fields may have any name. */
function unknownCallback(made: object): string | undefined {
  const known: readonly string[] = callbackNames
  for (let at = made; ; ) {
    const next = Object.getPrototypeOf(at) as object | null
    // The base prototype of all objects does not belong to the strategy.
    if (next === null) return undefined
    for (const name of Object.getOwnPropertyNames(at)) {
      if (known.includes(name) || name === 'constructor') continue
      if (!(/^on[A-Z_]/.test(name) || nearest(name, known) !== undefined)) continue
      // Reads the descriptor, because reading the value would call a getter.
      if (typeof Object.getOwnPropertyDescriptor(at, name)?.value === 'function') return name
    }
    at = next
  }
}

function callbacksOf(made: object): (readonly [string, unknown])[] {
  // Reading any name is safe for any object.
  const values = made as Readonly<Record<string, unknown>>
  return callbackNames.map((name) => [name, values[name]] as const)
}
