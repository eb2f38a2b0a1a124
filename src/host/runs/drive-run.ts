/**
 * Drives a run slice by slice. Between two slices it refills feeds, reports progress and checks for interruptions. It
 * also reports rejected promises and exceptions that a strategy leaves behind as mistakes of that strategy.
 */
import { basename } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { feedLoop, placedFault, textOfError } from '../../backtest/index.ts'
import { defined, err, formatIsoTime, type InputError, isError, ok, type Result } from '../../core/index.ts'
import { audit, timeOf } from '../../engine/index.ts'
import type { ScenarioRun } from '../../scenario/index.ts'
import type { JournalFile } from '../run-folder.ts'
import type { LoadedRun } from './load-run.ts'
import { type RunFault, runFault } from './run-fault.ts'
import type { LiveRun, RunFileOptions } from './run-report.ts'
import type { Saver } from './saving.ts'

/** Size of a slice in work items: requests, recorded messages, deliveries. */
const SLICE = 2_000
/** Size of a slice in a run that is saved, because an interval of virtual time may contain few items. */
const SAVED_SLICE = 100

/** Options for observing a run, and its saver. */
type Driving = Pick<RunFileOptions, 'audit' | 'interrupted' | 'onProgress'> & {
  readonly saver: Saver | null
}

/**
 * Drives a run and watches for unhandled rejections and uncaught exceptions. If a strategy caused one, it becomes the
 * fault of the run; all others end the process as usual.
 */
export async function heeding(
  run: ScenarioRun,
  drive: () => Promise<Result<'complete' | 'interrupted', RunFault>>,
): Promise<Result<'complete' | 'interrupted', RunFault>> {
  const [first] = run.loop.seats
  if (first === undefined) return await drive()
  const names = run.loop.seats.map(({ seat }) => seat.name)
  const ownerOf = (error: unknown): string | undefined => {
    const stack = isError(error) ? (error.stack ?? '') : ''
    return names.find((name) => stack.includes(basename(name.split(' ')[0] ?? name)))
  }
  const outsideFault = (): InputError | null => run.loop.seats[0]?.seat.outside.fault ?? null
  const blame = (name: string, part: string, of: { error: unknown; expected: string }): void => {
    const words = { expected: of.expected, found: textOfError(of.error) }
    run.loop.fault ??= placedFault(name, part, { error: of.error, words })
  }
  const onRejection = (error: unknown): void => {
    // The strategy runner has already recorded the mistake with its place.
    if (outsideFault() !== null) return
    const own = ownerOf(error)
    if (own === undefined && isError(error) && !isOfStrategies(error)) throw error
    blame(own ?? names.join(', '), 'a promise', {
      error,
      expected: 'a promise that is not rejected',
    })
  }
  const onException = (error: Error): void => {
    if (outsideFault() !== null) return
    const own = ownerOf(error)
    if (own !== undefined) {
      blame(own, 'a timer or callback', { error, expected: 'no exception' })
      return
    }
    // The exception does not belong to a strategy, so it goes to the other listeners, as if there were no run. Without
    // other listeners, Node ends the process.
    process.off('uncaughtException', onException)
    if (process.listenerCount('uncaughtException') === 0) throw error
  }
  process.on('unhandledRejection', onRejection)
  process.prependListener('uncaughtException', onException)
  try {
    const driven = await drive()
    // Promises that the last callback left behind are rejected when the event loop has no other work.
    await setImmediate()
    run.loop.fault ??= outsideFault()
    const { fault } = run.loop
    return driven.ok && fault !== null ? err(runFault('input', fault)) : driven
  } finally {
    process.off('unhandledRejection', onRejection)
    process.off('uncaughtException', onException)
  }
}

/** True for an error thrown by virtual globals or by the venue of a strategy. */
function isOfStrategies(error: Error): boolean {
  return 'code' in error && error.code === 'STRATEGY'
}

/** Lets the driver of a live run continue the run until the driver ends it. */
export async function driveLive(
  run: ScenarioRun,
  loaded: LoadedRun,
  { live, journal }: { readonly live: LiveRun; readonly journal: JournalFile | null },
): Promise<Result<'complete', RunFault>> {
  let kind: RunFault['kind'] = 'input'
  await live.drive(run, {
    refill: async () => {
      const filled = await loaded.feeds.refill()
      if (filled.ok) return filled
      kind = filled.error.kind
      return err(filled.error.error)
    },
    journalBytes: () => journal?.size ?? 0,
  })
  const { fault } = run.loop
  return fault === null ? ok('complete') : err(runFault(kind, fault))
}

/** Runs slice by slice until the run is done, fails or is interrupted. */
export async function driveRun(
  run: ScenarioRun,
  loaded: LoadedRun,
  options: Driving,
): Promise<Result<'complete' | 'interrupted', RunFault>> {
  const { start } = loaded.head.config
  const length = loaded.until === null ? 0 : loaded.until - start
  let kind: RunFault['kind'] = 'input'
  const state = await feedLoop(run.loop, {
    slice: options.saver === null ? SLICE : SAVED_SLICE,
    refill: async () => {
      const filled = await loaded.feeds.refill()
      if (filled.ok) return filled
      kind = filled.error.kind
      return err(filled.error.error)
    },
    pause: async () => {
      if (options.interrupted()) return false
      options.saver?.atPause()
      const now = timeOf(run.desk.exchange)
      options.onProgress({
        requests: run.counts.requests,
        rows: loaded.feeds.rowsRead(),
        clock: formatIsoTime(now),
        fraction: length > 0 ? Math.min(1, (now - start) / length) : null,
      })
      // Signals and timers of the program are handled here.
      await setImmediate()
      return true
    },
  })
  if (options.audit) audit(run.desk.exchange)
  if (state === 'done') return ok('complete')
  if (state === 'more' || options.interrupted()) return ok('interrupted')
  const fault = defined(run.loop.fault ?? undefined, 'a run that failed says why')
  return err(runFault(kind, fault))
}
