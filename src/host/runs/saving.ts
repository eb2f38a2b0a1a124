/**
 * Saving a run while it goes on: at the first pause after each interval of virtual time, and where somebody interrupts it.
 *
 * A run cannot be saved while a function waits for a reply; then it is saved at a later pause.
 */
import { basename, relative } from 'node:path'
import { formatIsoTime } from '../../core/index.ts'
import { timeOf } from '../../engine/index.ts'
import type { Metrics, ResultsSink } from '../../results/index.ts'
import { type ScenarioRun, snapshotRun } from '../../scenario/index.ts'
import type { RunReceipt } from '../manifest.ts'
import type { RunFolder } from '../run-folder.ts'
import { encodeCheckpoint, type SavedOptions } from './checkpoint.ts'
import { type RunFault, runFault } from './run-fault.ts'
import type { RunFileOptions } from './run-report.ts'
import { engineVersion } from './version.ts'

/** The parts of a run that are saved. */
export interface SavedParts {
  readonly run: ScenarioRun
  readonly folder: RunFolder
  readonly results: ResultsSink
  readonly metrics: Metrics
  readonly deposits: ReadonlyMap<string, bigint>
  readonly receipt: RunReceipt
  readonly isPutBack: () => boolean
}

/** Saves one run. */
export interface Saver {
  /** To be called between two slices: saves the run where an interval has passed. */
  atPause(): void
  /** Saves the run as it stands, where that can be done. */
  now(): void
}

/** Why a run cannot be saved at all, or null. */
export function savingFault(
  run: ScenarioRun,
  {
    out,
    file,
    log,
    replies,
    events,
  }: Pick<RunFileOptions, 'out' | 'log' | 'replies' | 'events'> & { readonly file: string },
): RunFault | null {
  const fault = (path: string, expected: string, found: string): RunFault =>
    runFault('input', { code: 'OPTION', file, path, expected, found })
  if (out === null) return fault('saveEvery', 'a folder for the saved run', 'none')
  const others = Object.entries({ log, replies, events }).filter(([, to]) => to !== null)
  if (others.length > 0) {
    const names = others.map(([name]) => name).join(', ')
    return fault('saveEvery', 'a run that writes only to its folder', names)
  }
  if (file === 'stdin') return fault('saveEvery', 'a file that can be read again', 'stdin')
  const stranger = run.loop.seats.find(
    ({ seat: { strategy } }) => strategy.save === undefined || strategy.load === undefined,
  )
  if (stranger === undefined) return null
  const { name } = stranger.seat
  return fault('saveEvery', 'strategies with save and load', `${name} without them`)
}

/** Options of a run as they are saved; folders are named from the partial folder, so that both may move together. */
function savedOptionsOf(options: RunFileOptions, partialPath: string, saveEvery: number): SavedOptions {
  const { force, format, exact, journal, audit, metrics, set, feeds } = options
  return {
    force,
    format,
    exact,
    journal,
    audit,
    metrics,
    set,
    allowSpecial: options.allowSpecial === true,
    saveEvery,
    feeds: feeds === null ? null : relative(partialPath, feeds),
  }
}

/** A saver of a run, which saves it once the clock has passed a multiple of `every` microseconds since the epoch. */
export function createSaver(
  parts: SavedParts,
  terms: { readonly every: number; readonly options: RunFileOptions; readonly file: string | null },
): Saver {
  const { run, folder } = parts
  const { every, options, file } = terms
  const clock = (): number => timeOf(run.desk.exchange)
  const passed = (): number => Math.floor(clock() / every)
  let saved = passed()
  const save = (): void => {
    const state = snapshotRun(run)
    // What is on its way to a function cannot be kept; later it may have come.
    if (!state.ok) return
    saved = passed()
    // Before the mark: it completes blocks.
    const results = parts.results.snapshot()
    const { partialPath } = folder
    const place = basename(options.out ?? partialPath)
    const checkpoint = encodeCheckpoint({
      head: {
        engine: engineVersion(),
        clock: formatIsoTime(timeOf(run.desk.exchange)),
        place,
        file: file === null ? null : relative(partialPath, file),
        receipt: parts.receipt,
        options: savedOptionsOf(options, partialPath, every),
        mark: folder.mark(),
        isPutBack: parts.isPutBack(),
        deposits: [...parts.deposits].map(([wallet, nano]) => [wallet, String(nano)]),
      },
      run: state.value,
      results,
      metrics: parts.metrics.snapshot(),
    })
    folder.saved?.save(checkpoint)
  }
  return {
    atPause: () => {
      if (passed() > saved) save()
    },
    now: save,
  }
}
