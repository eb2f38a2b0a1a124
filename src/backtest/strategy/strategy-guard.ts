/**
 * The guard around the callbacks of strategies, so that only the run determines their behaviour. The loader of strategy
 * modules creates the guard that replaces the globals of a platform, and injects it.
 */

import { AssertionFailure, formatIsoTime, type InputError, isError, type Micros } from '../../core/index.ts'

/** A strategy as seen by its guard. */
export interface GuardedSeat {
  readonly name: string
  readonly now: Micros
  /** The next number of the strategy's random stream: a multiple of 2^-53 in [0, 1). */
  random(): number
}

/** Wraps the calls of strategies. */
export interface StrategyGuard {
  /** The strategy whose callback runs; null outside of callbacks, where the globals are the original ones. */
  seat: GuardedSeat | null
  /** Called before a stretch of synchronous work in which callbacks run. */
  enter(): void
  /** Called after it, even after an exception; restores the globals. */
  leave(): void
  /** Writes a line of a strategy's log. */
  log(seat: GuardedSeat, text: string): void
}

/** A line of a stack. */
interface Frame {
  readonly text: string
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A guard without effect, as in a browser; it drops lines of the log. */
export const noGuard: StrategyGuard = {
  seat: null,
  enter: () => undefined,
  leave: () => undefined,
  log: () => undefined,
}

/**
 * Mistakes of strategies as bad input, with the place in their own code if it is known: the first frame of the
 * exception's stack, and the frames below it up to the call of the strategy.
 *
 * Known limit: this file reads frames in the format of V8; errors of other engines have no place.
 */

const FRAME = /^\s*at (?:.*\()?(.+?):(\d+):(\d+)\)?$/

const FRAMES_MAX = 20

/** The strategy that failed and the time. */
interface FaultySeat {
  readonly name: string
  readonly now: Micros
}

/**
 * A mistake of a strategy at its time. Assertions of the library are defects, unless the strategy caused them itself.
 */
export function strategyFault(seat: FaultySeat, callback: string, error: unknown): InputError {
  if (error instanceof AssertionFailure && !isOfStrategy(error)) throw error
  const words = {
    expected: `no exception at ${formatIsoTime(seat.now)}`,
    found: textOfError(error),
  }
  return placedFault(seat.name, callback, error, words)
}

/**
 * True if a strategy called the constructor of a unit with a wrong value. The first frames of the stack are the
 * refusal, the constructor and its caller, which is outside of this library's folder.
 */
function isOfStrategy({ isOfCaller, stack = '' }: AssertionFailure): boolean {
  if (!isOfCaller) return false
  const [, , caller] = filesOf(stack)
  return caller !== undefined && !caller.startsWith(libraryHome)
}

/** The files of the frames of a stack, innermost first. */
function filesOf(stack: string): readonly string[] {
  return stack.split('\n').flatMap((line) => {
    const url = FRAME.exec(line)?.[1]
    return url === undefined ? [] : [url.replace(/^file:\/\//, '')]
  })
}

/**
 * The folder of this library: the folder of all floors in the sources and in the build, the folder of the bundle in the
 * program. Wrong arguments throw inside it; the place of such a mistake is the strategy's call.
 */
const libraryHome =
  (filesOf(new Error('home').stack ?? '')[0] ?? '\0').replace(/(?:backtest\/strategy\/)?[^/]*$/, '') || '\0'

/** The expected and the found value. */
interface FaultText {
  readonly expected: string
  readonly found: string
}

/** A mistake with the place of an exception; `part` is the callback or section that it belongs to. */
export function placedFault(name: string, part: string, error: unknown, words: FaultText): InputError {
  const frames = framesOf(error)
  const [first] = frames
  const { expected, found } = words
  if (first === undefined) return { code: 'STRATEGY', file: name, path: part, expected, found }
  const trace = frames.map(({ text }) => text)
  if (lastPart(first.file) === lastPart(name)) {
    return { code: 'STRATEGY', file: name, line: first.line, column: first.column, path: part, expected, found, trace }
  }
  return {
    code: 'STRATEGY',
    file: first.file,
    line: first.line,
    column: first.column,
    path: `${name}: ${part}`,
    expected,
    found,
    trace,
  }
}

/** The text of a thrown value. */
export function textOfError(error: unknown): string {
  return isError(error) ? `${error.name}: ${error.message}` : String(error)
}

/** The frames of a strategy, innermost first, without frames of this library above and below them. */
function framesOf(error: unknown): readonly Frame[] {
  if (!isError(error) || typeof error.stack !== 'string') return []
  const frames: Frame[] = []
  for (const text of error.stack.split('\n')) {
    const found = FRAME.exec(text)
    if (found === null || text.includes('node:')) continue
    const [, url = '', line, column] = found
    const file = url.replace(/^file:\/\//, '')
    if (file.startsWith(libraryHome)) {
      if (frames.length > 0) break
      continue
    }
    frames.push({ text: text.trim(), file, line: Number(line), column: Number(column) })
    if (frames.length === FRAMES_MAX) break
  }
  return frames
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
