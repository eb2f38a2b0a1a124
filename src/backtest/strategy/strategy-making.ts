/**
 * Making a strategy of its definition and parameters: mistakes in its making and in the names of its callbacks are told
 * by their place.
 */
import { err, type InputError, nearest, ok, type Result } from '../../core/index.ts'
import { isPromise, quieten } from './seat.ts'
import type { Strategy, StrategyDefinition } from './strategy.ts'
import { placedFault, textOfError } from './strategy-fault.ts'
import type { GuardedSeat, StrategyGuard } from './strategy-guard.ts'

/** A strategy that is to be made. */
export interface StrategySpec {
  /** How mistakes name it, such as the path of its module. */
  readonly name: string
  readonly definition: StrategyDefinition<unknown>
  readonly params: unknown
  /** True if callbacks and parameters that nobody knows are refused. Default: true. */
  readonly strict?: boolean
}

/** Makes a strategy under its guard, whose seat has chance of the strategy's stream and the start of the run as time. */
export function makeGuarded(spec: StrategySpec, seat: GuardedSeat, guard: StrategyGuard): Result<Strategy, InputError> {
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
    // Its place is that of the parameters in the scenario; the trace says where they were refused.
    const { trace = [] } = placedFault(name, 'params', { error, words })
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
  // Its callbacks were just seen to be functions.
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

/** A function whose name begins as those of callbacks do, or nearly is one, and is none; own fields are free. */
function unknownCallback(made: object): string | undefined {
  const known: readonly string[] = callbackNames
  for (let at = made; ; ) {
    const next = Object.getPrototypeOf(at) as object | null
    // The names of the prototype of all objects are none of the strategy.
    if (next === null) return undefined
    for (const name of Object.getOwnPropertyNames(at)) {
      if (known.includes(name) || name === 'constructor') continue
      if (!(/^on[A-Z_]/.test(name) || nearest(name, known) !== undefined)) continue
      // A getter is not called to see what it is.
      if (typeof Object.getOwnPropertyDescriptor(at, name)?.value === 'function') return name
    }
    at = next
  }
}

function callbacksOf(made: object): (readonly [string, unknown])[] {
  // Any object may be asked for any name.
  const values = made as Readonly<Record<string, unknown>>
  return callbackNames.map((name) => [name, values[name]] as const)
}
