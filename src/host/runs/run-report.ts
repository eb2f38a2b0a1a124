/**
 * Options and report of a run: the options of `runFile` and `runDocument`, progress, and the figures at the end.
 * Amounts are doubles nearest to the exact value; times are ISO.
 */
import type { RefusalCount, RequestSource } from '../../backtest/index.ts'
import type { InputError, Micros, Result } from '../../core/index.ts'
import type { FaultCount } from '../../faults/index.ts'
import type { MetricsTerms, RunDigest, TableFormat } from '../../results/index.ts'
import type { ScenarioRun } from '../../scenario/index.ts'
import type { AccountResult } from './closing.ts'
import type { MetricsReport } from './figures-report.ts'
import type { RunSources, UnreadParams } from './load-run.ts'
import type { PerformanceRecord, PerformanceTotals } from './performance-report.ts'
import type { FeedReport } from './run-feeds.ts'

/** Options of `runFile`. Null omits an output; missing options are absent or false. */
export interface RunFileOptions {
  /** Values of a scenario that are set from outside, as `key=value`: the key is a path with dots, the value is YAML. */
  readonly set: readonly string[]
  /** Folder for tables, journal and manifest. */
  readonly out: string | null
  /** True to replace a run folder with that name. */
  readonly force: boolean
  /** Format of the tables in that folder; null for the format in the file, which is Arrow by default. */
  readonly format: TableFormat | null
  /** True for scaled integers instead of doubles or decimals. */
  readonly exact: boolean
  readonly journal: boolean
  /** True to recompute the whole state before every input and at the end, and to compare it. */
  readonly audit: boolean
  /** A folder to search first for recorded files. */
  readonly feeds: string | null
  /** True to make tables even if no folder is written, so that the report has their rows and hashes. */
  readonly tables: boolean
  /** File for JSON-RPC replies, one per line; `-` is stdout. */
  readonly replies: string | null
  /** File for events, one per line; `-` is stdout. */
  readonly events: string | null
  /** File for the event log, from whose bytes the digest is computed; must not be stdout. */
  readonly log: string | null
  /**
   * Interval in virtual microseconds at which the run is saved in its folder, so that `resumeRun` can continue it; null
   * for a run that is not saved. Requires `out` and strategies that implement `save` and `load`.
   */
  readonly saveEvery: Micros | null
  /** Terms of metrics that differ from those in the file. */
  readonly metrics: Partial<MetricsTerms>
  /** True to accept pipes and devices as recorded files. They are first read to their end. */
  readonly allowSpecial?: boolean
  /** The command line that started the run, for the manifest; null for a program. */
  readonly command: readonly string[] | null
  /** Called between slices and while a file is read; a result of true ends the run. */
  readonly interrupted: () => boolean
  readonly onProgress: (progress: RunProgress) => void
  /** Driver and source of requests of a live run; absent for a run that proceeds to its end by itself. */
  readonly live?: LiveRun
}

/** A run that follows a clock and takes requests from outside. Only its driver ends it. */
export interface LiveRun {
  /** Source of the requests; its `events` receive every event, including those of recorded trades. */
  readonly source: RequestSource
  /** Drives the run to its end. */
  drive(run: ScenarioRun, means: LiveMeans): Promise<void>
}

/** Functions for the driver of a live run. */
export interface LiveMeans {
  /** Reads more of the recorded files if the run needs more rows. */
  refill(): Promise<Result<void, InputError>>
  /** Number of bytes written to the journal; 0 without a journal. */
  journalBytes(): number
}

/** Progress of a run. */
export interface RunProgress {
  readonly requests: number
  /** Number of rows read from recorded files. */
  readonly rows: number
  /** The virtual clock as an ISO time. */
  readonly clock: string
  /** Progress of the clock from start to end as a fraction, or null if the end is unknown. */
  readonly fraction: number | null
}

/** Report of a run. Amounts are doubles nearest to the exact value; times are ISO. */
export interface RunReport {
  readonly file: string
  readonly title: string
  readonly status: 'complete' | 'interrupted'
  readonly from: string
  readonly until: string
  readonly requests: number
  readonly refused: number
  readonly trades: number
  readonly events: number
  /** Number of expectations in the file, in steps and final checks together. */
  readonly expectations: number
  /** Expectations that failed, as printable lines. */
  readonly failures: readonly string[]
  /** The same expectations with codes and places, in the same order. */
  readonly unmet: readonly InputError[]
  /** Digest of the event log. */
  readonly digest: string
  readonly state_hash: string
  /** Rows and hashes of the tables; empty if no tables were made. */
  readonly tables: RunDigest['tables']
  /** Recorded files of the run. */
  readonly feeds: readonly FeedReport[]
  readonly accounts: readonly AccountResult[]
  /** Profit and activity of each account, in the order in which the accounts were opened. */
  readonly performance: readonly PerformanceRecord[]
  /** Returns, risk and trading of each account, with its equity over time. */
  readonly metrics: MetricsReport
  /** Strategies by module as named in the file, with the account of each. */
  readonly strategies: readonly { readonly strategy: string; readonly account: string }[]
  /** Refused requests of strategies by reason, in the order of the strategies in the file. */
  readonly refusals: readonly StrategyRefusals[]
  /**
   * Parameters that their strategy never read, probably because they are misspelt. Empty for interrupted, resumed and
   * restored runs, whose strategies may have read them in another part.
   */
  readonly unread_params: readonly UnreadParams[]
  /** Number of occurrences of each fault of messages that happened. */
  readonly faults: readonly FaultCount[]
  readonly performance_totals: PerformanceTotals
  /** Path of the written folder, or null. */
  readonly out: string | null
}

/** Refusals of a strategy's requests. */
export interface StrategyRefusals {
  /** Its module as named in the file. */
  readonly strategy: string
  readonly account: string
  readonly reasons: readonly RefusalCount[]
}

/** Options of a resumed run. */
export interface ResumeOptions {
  /** The scenario or journal, if its path has changed. */
  readonly file?: string
  /** The scenario of a program, as passed to `runDocument`. */
  readonly document?: object
  /** Strategies by their module name in the document. */
  readonly strategies?: RunSources['strategies']
  /** The folder from which paths in the document start. Default: the current folder. */
  readonly folder?: string
  /** A folder to search first for recorded files. Default: the one of the run. */
  readonly feeds?: string
  /** Called between slices and while a file is read; a result of true ends the run. */
  readonly interrupted?: () => boolean
  readonly onProgress?: (progress: RunProgress) => void
}

/** Options of `runDocument`. Only requested output is written. */
export interface RunDocumentOptions extends Partial<RunFileOptions> {
  /** Strategies by their module name in the document. */
  readonly strategies?: RunSources['strategies']
  /** The folder from which paths in the document start. Default: the current folder. */
  readonly folder?: string
}
