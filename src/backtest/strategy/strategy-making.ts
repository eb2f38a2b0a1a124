/**
 * Makes a strategy from its definition and parameters. Mistakes while it is made and in the names of its callbacks are
 * reported with their place.
 */
import { err, type InputError, nearest, ok, type Result } from '../../core/index.ts'
import { isPromise, quieten } from './seat.ts'
import type { Strategy, StrategyDefinition } from './strategy.ts'
import { placedFault, textOfError } from './strategy-fault.ts'
import type { GuardedSeat, StrategyGuard } from './strategy-guard.ts'

/** The specification of a strategy. */
export interface StrategySpec {
  /** Its name in messages, such as the path of its module. */
  readonly name: string
  readonly definition: StrategyDefinition<unknown>
  readonly params: unknown
  /** True to refuse unknown callbacks and parameters. Default: true. */
  readonly strict?: boolean
}

/**
 * Makes a strategy under its guard. The guarded strategy has the random stream of the strategy, and its time is the
 * start of the run.
 */
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
    // The mistake is at the parameters in the scenario; the trace shows the code that refused them.
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
