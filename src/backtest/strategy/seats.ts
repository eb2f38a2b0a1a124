/**
 * The strategy runners of a run: creates them from the specifications of a scenario, and connects them to the request
 * router and their accounts.
 */
import {
  type AccountId,
  checkOptions,
  err,
  type InputError,
  MICROS_PER_DAY,
  type Micros,
  micros,
  ok,
  type Result,
  randomStream,
} from '../../core/index.ts'
import { findAccount } from '../../engine/index.ts'
import type { Desk } from '../../rpc/index.ts'
import { type Agenda, createAgenda } from './agenda.ts'
import type { RecordedDelivery } from './recorded-delivery.ts'
import { createSeat, type OutsideFault, type Seat } from './seat.ts'
import type { Latency } from './strategy.ts'
import { noGuard, type StrategyGuard } from './strategy-guard.ts'
import { makeGuarded, type StrategySpec } from './strategy-making.ts'

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
  checkOptions('openSeats', options, { seed: true, start: true, guard: true })
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
