/**
 * Saves a run while it continues: at the first pause after each interval of virtual time, and when it is interrupted.
 *
 * A run cannot be saved while a function waits for a reply. It is then saved at a later pause.
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

/** The parts of a run that a saved state consists of. */
interface SavedParts {
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
  /** Saves the run if an interval has passed. The caller calls it between two slices. */
  atPause(): void
  /** Saves the run in its current state, if that is possible. */
  now(): void
}

/** The files of a run and the file of its snapshot. */
interface SavedFiles extends Pick<RunFileOptions, 'out' | 'log' | 'replies' | 'events'> {
  readonly file: string
}

/** Why a run cannot be saved at all, or null. */
export function savingFault(run: ScenarioRun, { out, file, log, replies, events }: SavedFiles): RunFault | null {
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

/**
 * The options of a run in their saved form. Folders are relative to the partial folder, so that all may move together.
 */
function savedOptionsOf(options: RunFileOptions, partialPath: string, saveEvery: number): SavedOptions {
  return {
    force: options.force,
    format: options.format,
    exact: options.exact,
    journal: options.journal,
    audit: options.audit,
    metrics: options.metrics,
    set: options.set,
    allowSpecial: options.allowSpecial === true,
    saveEvery,
    feeds: options.feeds === null ? null : relative(partialPath, options.feeds),
  }
}

/**
 * Creates a saver, which saves the run once the clock has passed a multiple of `every` microseconds since the epoch.
 */
export function createSaver(parts: SavedParts, every: number, options: RunFileOptions, file: string | null): Saver {
  const { run, folder } = parts
  const clock = (): number => timeOf(run.desk.exchange)
  const passed = (): number => Math.floor(clock() / every)
  let saved = passed()
  const save = (): void => {
    const state = snapshotRun(run)
    // A reply that a function waits for cannot be saved; at a later pause it may have arrived.
    if (!state.ok) return
    saved = passed()
    // Before the mark, because this completes blocks.
    const results = parts.results.snapshot()
    const place = basename(options.out ?? folder.partialPath)
    const checkpoint = encodeCheckpoint({
      head: {
        engine: engineVersion(),
        clock: formatIsoTime(timeOf(run.desk.exchange)),
        place,
        file: file === null ? null : relative(folder.partialPath, file),
        receipt: parts.receipt,
        options: savedOptionsOf(options, folder.partialPath, every),
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
