/**
 * The guard around callbacks of strategies on Node: chance comes from the strategy's own stream, dates tell virtual
 * time, what would act later or outside (timers, `fetch`, `process.exit`) throws by name, and what goes to the console
 * or to stdout goes to stderr with virtual time, so that results stay alone on stdout.
 *
 * The globals are exchanged for a stretch of synchronous work and put back after it; within it they act as ever unless
 * a callback is being called. While a module is loaded only `process.exit` and the console are guarded: chance and time
 * at the top of a module are those of the machine, which `run --twice` finds out.
 */
import { format } from 'node:util'
import type { GuardedSeat, StrategyGuard } from '../backtest/index.ts'
import { coded, divFloor, formatIsoTime } from '../core/index.ts'

/** A value of an object, and what stands for it meanwhile. */
interface Exchanged {
  readonly target: object
  readonly name: string
  readonly guarded: unknown
  original: PropertyDescriptor | undefined
}

const CONSOLE: readonly string[] = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir']
const REFUSED: readonly string[] = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'fetch',
]

/** A guard for one run. `write` takes lines of strategies; else they go to stderr. */
export function createStrategyGuard(write: (line: string) => void = toStderr): StrategyGuard {
  const guard: StrategyGuard = {
    seat: null,
    enter: () => {
      depth += 1
      if (depth === 1) for (const each of exchanged) exchange(each)
    },
    leave: () => {
      depth -= 1
      if (depth === 0) for (const each of exchanged) putBack(each)
    },
    log: (seat, text) => write(`${formatIsoTime(seat.now)} ${seat.name}: ${text}\n`),
  }
  let depth = 0
  const exchanged = exchangedFor(guard)
  return guard
}

/** Runs `load` while a module must not end the process, nor write among the results. */
export async function whileLoading<T>(name: string, load: () => Promise<T>): Promise<T> {
  const refuse = (): never => {
    throw coded(new Error(refusalOf('process.exit')), 'STRATEGY')
  }
  const exchanged: Exchanged[] = [
    { target: process, name: 'exit', guarded: refuse, original: undefined },
  ]
  for (const word of CONSOLE) {
    const guarded = (...what: readonly unknown[]): void => toStderr(`${name}: ${format(...what)}\n`)
    exchanged.push({ target: console, name: word, guarded, original: undefined })
  }
  const print = (bytes: string | Uint8Array): boolean => {
    toStderr(`${name}: ${linesOf(bytes).join('\n')}\n`)
    return true
  }
  exchanged.push({ target: process.stdout, name: 'write', guarded: print, original: undefined })
  for (const each of exchanged) exchange(each)
  try {
    return await load()
  } finally {
    for (const each of exchanged) putBack(each)
  }
}

function exchangedFor(guard: StrategyGuard): readonly Exchanged[] {
  const exchanged: Exchanged[] = []
  const add = (target: object, name: string, guarded: unknown): void => {
    exchanged.push({ target, name, guarded, original: undefined })
  }
  const { random } = Math
  add(Math, 'random', () => (guard.seat === null ? random() : guard.seat.random()))
  add(globalThis, 'Date', dateFor(guard))
  const { performance: real } = globalThis
  const now = real.now.bind(real)
  add(real, 'now', () => (guard.seat === null ? now() : millisOf(guard.seat)))
  for (const name of REFUSED) add(globalThis, name, refusing(guard, globalThis, name, name))
  add(process, 'exit', refusing(guard, process, 'exit', 'process.exit'))
  for (const name of CONSOLE) {
    const write = (...what: readonly unknown[]): void => {
      if (guard.seat !== null) guard.log(guard.seat, format(...what))
    }
    add(console, name, orElse(guard, console, name, write))
  }
  const print = (bytes: unknown): boolean => {
    for (const line of linesOf(bytes)) {
      if (guard.seat !== null) guard.log(guard.seat, line)
    }
    return true
  }
  add(process.stdout, 'write', orElse(guard, process.stdout, 'write', print))
  return exchanged
}

/** The lines of what is written to a stream. */
function linesOf(bytes: unknown): readonly string[] {
  const text = typeof bytes === 'string' ? bytes : Buffer.from(bytes as Uint8Array).toString()
  return text.replace(/\n$/, '').split('\n')
}

/** `Date` whose present is the strategy's; given times are what they always are. */
function dateFor(guard: StrategyGuard): DateConstructor {
  const real = Date
  const present = (): number => (guard.seat === null ? real.now() : millisOf(guard.seat))
  return new Proxy(real, {
    apply: () => new real(present()).toString(),
    construct: (target, given: unknown[], newTarget) =>
      // What is constructed is what the real one constructs from the same arguments.
      Reflect.construct(target, given.length === 0 ? [present()] : given, newTarget) as object,
    get: (target, name, receiver) =>
      name === 'now' ? present : (Reflect.get(target, name, receiver) as unknown),
  })
}

/** A function that throws within a callback. */
function refusing(
  guard: StrategyGuard,
  target: object,
  name: string,
  words: string,
): (...given: readonly unknown[]) => unknown {
  return orElse(guard, target, name, () => {
    throw coded(new Error(refusalOf(words)), 'STRATEGY')
  })
}

/** A function that is another one within a callback, and itself outside. */
function orElse(
  guard: StrategyGuard,
  target: object,
  name: string,
  within: (...given: readonly unknown[]) => unknown,
): (...given: readonly unknown[]) => unknown {
  // Whatever stands there is called with what it was called with.
  const real: unknown = Reflect.get(target, name)
  return (...given) => {
    if (guard.seat !== null) return within(...given)
    return typeof real === 'function' ? (Reflect.apply(real, target, given) as unknown) : undefined
  }
}

function refusalOf(name: string): string {
  const instead = /^set|Microtask/.test(name) ? '; venue.setTimer runs on virtual time' : ''
  return `${name} is not for strategies${instead}`
}

function millisOf({ now }: GuardedSeat): number {
  return divFloor(now, 1000)
}

function exchange(each: Exchanged): void {
  const { target, name, guarded } = each
  each.original = Object.getOwnPropertyDescriptor(target, name)
  Object.defineProperty(target, name, {
    value: guarded,
    writable: true,
    configurable: true,
    enumerable: each.original?.enumerable ?? false,
  })
}

function putBack({ target, name, original }: Exchanged): void {
  if (original === undefined) Reflect.deleteProperty(target, name)
  else Object.defineProperty(target, name, original)
}

function toStderr(line: string): void {
  process.stderr.write(line)
}
