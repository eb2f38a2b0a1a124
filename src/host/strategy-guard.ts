/**
 * The guard around callbacks of strategies on Node. Random numbers come from the strategy's stream, and dates show
 * virtual time. Output to the console or stdout goes to stderr with virtual time, so that stdout has only results.
 * `virtualGlobals` lists the replaced globals.
 *
 * A strategy module has separate globals (`strategy-realm.ts`), and the process keeps its globals. Strategies that a
 * program passes were made in the process. For these the guard replaces the globals during a stretch of synchronous
 * work and restores them after it; between two callbacks within it they behave like the originals. Known limit: the
 * guard cannot replace a function that such a strategy took earlier (`const { random } = Math`).
 */
import { format } from 'node:util'
import type { GuardedSeat, StrategyGuard } from '../backtest/index.ts'
import { coded, divFloor, formatIsoTime } from '../core/index.ts'
import { type GlobalsHost, type VirtualGlobal, virtualGlobals } from './strategy-globals.ts'

/** Globals of the process that a callback may not use. */
const REFUSED: readonly string[] = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'clearTimeout',
  'clearInterval',
  'clearImmediate',
  'queueMicrotask',
  'fetch',
  'navigator',
  'Worker',
  'WebSocket',
  'EventSource',
  'BroadcastChannel',
  'MessageChannel',
  'WeakRef',
  'FinalizationRegistry',
]
/** Methods of `process` that code with an imported `process` can reach. */
const REFUSED_OF_PROCESS: readonly string[] = [
  'abort',
  'chdir',
  'cpuUsage',
  'cwd',
  'exit',
  'hrtime',
  'kill',
  'memoryUsage',
  'nextTick',
  'uptime',
]

/** Determines which globals a guard replaces. */
interface GuardOptions {
  /** True if a strategy of the run was made in this process, not loaded from a module. */
  readonly isInline?: boolean
  /** Receives lines of strategies. Default: stderr. */
  readonly write?: (line: string) => void
}

/** Creates a guard for one run. */
export function createStrategyGuard({ isInline = true, write = toStderr }: GuardOptions = {}): StrategyGuard {
  const guard: StrategyGuard = {
    seat: null,
    enter: () => {
      depth += 1
      if (depth > 1) return
      for (const { target, name, descriptor } of globals) {
        originals.push(Object.getOwnPropertyDescriptor(target, name))
        Object.defineProperty(target, name, descriptor)
      }
    },
    leave: () => {
      depth -= 1
      if (depth > 0) return
      for (const { target, name } of [...globals].reverse()) {
        const original = originals.pop()
        if (original === undefined) Reflect.deleteProperty(target, name)
        else Object.defineProperty(target, name, original)
      }
    },
    log: (seat, text) => {
      // The process writes the line, not the strategy.
      const { seat: running } = guard
      guard.seat = null
      write(`${formatIsoTime(seat.now)} ${seat.name}: ${text}\n`)
      guard.seat = running
    },
  }
  let depth = 0
  const originals: (PropertyDescriptor | undefined)[] = []
  const globals = [...constructorsFor(guard), ...(isInline ? globalsFor(guard) : [])]
  return guard
}

/** Time, random numbers and output of the strategy that runs or is being loaded. */
export function globalsHost(guard: StrategyGuard, loading: () => GuardedSeat | null): Omit<GlobalsHost, 'isActive'> {
  const seatOf = (): GuardedSeat => {
    const seat = guard.seat ?? loading()
    if (seat === null) {
      const message = 'a strategy can use time and random numbers in callbacks, not in a promise'
      throw coded(new Error(message), 'STRATEGY')
    }
    return seat
  }
  const writeLines = (text: string): void => {
    const seat = guard.seat ?? loading()
    for (const line of text.replace(/\n$/, '').split('\n')) {
      if (seat !== null) guard.log(seat, line)
    }
  }
  return {
    millis: () => divFloor(seatOf().now, 1000),
    random: () => seatOf().random(),
    refusal: refusalOf,
    print: (...what) => {
      const seat = guard.seat ?? loading()
      if (seat !== null) guard.log(seat, format(...what))
    },
    write: (bytes) => {
      writeLines(typeof bytes === 'string' ? bytes : Buffer.from(bytes as Uint8Array).toString())
      return true
    },
  }
}

/** The constructors of all functions, which create code with the globals of the process. */
function constructorsFor(guard: StrategyGuard): readonly VirtualGlobal[] {
  const samples = [() => undefined, async () => undefined, function* () {}, async function* () {}]
  return samples.map((sample) => {
    const target = Object.getPrototypeOf(sample) as object
    const real: unknown = Reflect.get(target, 'constructor')
    const get = (): unknown => (guard.seat === null ? real : () => refuse('Function'))
    return { target, name: 'constructor', descriptor: { get, configurable: true } }
  })
}

function globalsFor(guard: StrategyGuard): readonly VirtualGlobal[] {
  const isActive = (): boolean => guard.seat !== null
  const host = { ...globalsHost(guard, () => null), isActive }
  const { globals } = virtualGlobals(
    host,
    REFUSED.filter((name) => name in globalThis),
    (part) => part,
  )
  const instead = (target: object, name: string, within: (bytes: unknown) => unknown): VirtualGlobal => {
    const real: unknown = Reflect.get(target, name)
    const value = (...given: readonly unknown[]): unknown => {
      if (isActive()) return within(given[0])
      // The original gets the same arguments.
      return typeof real === 'function' ? Reflect.apply(real, target, given) : undefined
    }
    return { target, name, descriptor: { value, writable: true, configurable: true } }
  }
  const ofProcess = REFUSED_OF_PROCESS.map((name) => instead(process, name, () => refuse(`process.${name}`)))
  const now = instead(performance, 'now', () => host.millis())
  const write = instead(process.stdout, 'write', host.write)
  return [...globals, ...ofProcess, now, write]
}

function refuse(name: string): never {
  throw coded(new Error(refusalOf(name)), 'STRATEGY')
}

function refusalOf(name: string): string {
  const [, instead] = INSTEAD.find(([pattern]) => pattern.test(name)) ?? []
  return `strategies cannot use ${name}${instead === undefined ? '' : `; ${instead}`}`
}

/** Alternatives to refused globals. */
const INSTEAD: readonly (readonly [RegExp, string])[] = [
  [/^(?:set|clear)(?:Timeout|Interval|Immediate)|Microtask|nextTick|^node:timers/, 'use venue.setTimer'],
  [/^process\.(?:env|argv)|^node:os/, 'pass values as `params` in the scenario'],
  [/^node:fs/, 'import a module or a .json file, or pass values as `params` in the scenario'],
  [/^process\.(?:exit|abort|kill)/, 'throw an error to end the run'],
]

function toStderr(line: string): void {
  process.stderr.write(line)
}
