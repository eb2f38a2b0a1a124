/**
 * How a run is asked for, and its report: the options of `runFile` and `runDocument`, progress, and the
 * figures at the end. Amounts are doubles nearest to the exact value; times are ISO.
 */
import type { RefusalCount, RequestSource } from '../../backtest/index.ts'
import type { InputError, Micros, Result } from '../../core/index.ts'
import type { FaultCount } from '../../faults/index.ts'
import type { MetricsTerms, RunDigest, TableFormat } from '../../results/index.ts'
import type { ScenarioRun } from '../../scenario/index.ts'
import type { AccountResult } from './closing.ts'
import type { RunSources } from './load-run.ts'
import type { MetricsReport } from './metrics-report.ts'
import type { PerformanceRecord, PerformanceTotals } from './performance-report.ts'
import type { FeedReport } from './run-feeds.ts'
import type { UnreadParams } from './watched-params.ts'

/** Options of `runFile`. Null omits a part; missing options are absent or false. */
export interface RunFileOptions {
  /** Values of a scenario that are set from outside: `key=value`, the key a path with dots, the value YAML. */
  readonly set: readonly string[]
  /** Folder for tables, journal and manifest. */
  readonly out: string | null
  /** True if a run folder of that name is replaced. */
  readonly force: boolean
  /** Format of the tables in that folder; null for the format in the file, by default Arrow. */
  readonly format: TableFormat | null
  /** Scaled integers instead of doubles or decimals. */
  readonly exact: boolean
  readonly journal: boolean
  /** Recompute the whole state before every input and at the end, and compare. */
  readonly audit: boolean
  /** A folder that recorded files are looked for in first. */
  readonly feeds: string | null
  /** True if tables are made where no folder is written, so that the report has their rows and hashes. */
  readonly tables: boolean
  /** File for JSON-RPC replies, one a line; `-` is stdout. */
  readonly replies: string | null
  /** File for events, one a line; `-` is stdout. */
  readonly events: string | null
  /** File for the event log, whose bytes the digest is made of; not stdout. */
  readonly log: string | null
  /**
   * Virtual microseconds after which the run is saved in its folder, again and again, so that `resumeRun` can go on; null
   * where it is not. Asks for `out`, and for strategies with `save` and `load`.
   */
  readonly saveEvery: Micros | null
  /** How metrics are computed, where that is not as the file says. */
  readonly metrics: Partial<MetricsTerms>
  /** True if recorded files may be pipes and devices, which are read to their end first. */
  readonly allowSpecial?: boolean
  /** The command line that asked for the run, which its manifest names; null for a program. */
  readonly command: readonly string[] | null
  /** Asked between slices, and while a file is read; true ends the run where it is. */
  readonly interrupted: () => boolean
  readonly onProgress: (progress: RunProgress) => void
  /** Who drives a scenario and brings requests to it while it runs; left out where it runs by itself to its end. */
  readonly live?: LiveRun
}

/** A run that goes along with a clock and takes requests from outside. It has no end but that of its driver. */
export interface LiveRun {
  /** The requests that come; its `events` take every event, those of recorded trades too. */
  readonly source: RequestSource
  /** Drives the run to its end. */
  drive(run: ScenarioRun, means: LiveMeans): Promise<void>
}

/** Means that the driver of a live run has. */
export interface LiveMeans {
  /** Reads more of recorded files, where the run is starved. */
  refill(): Promise<Result<void, InputError>>
  /** How many bytes of the journal were written; 0 where none is. */
  journalBytes(): number
}

/** Progress of a run. */
export interface RunProgress {
  readonly requests: number
  /** Rows of recorded files that were read. */
  readonly rows: number
  /** The virtual clock as an ISO time. */
  readonly clock: string
  /** How far the clock is between start and end, or null where the end is not known. */
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
  /** How many things the file expects, steps and final checks together. */
  readonly expectations: number
  /** Expectations that failed, as printable lines. */
  readonly failures: readonly string[]
  /** The same expectations with codes and places, in the same order. */
  readonly unmet: readonly InputError[]
  /** Digest of the event log. */
  readonly digest: string
  readonly state_hash: string
  /** Rows and hashes of the tables; none where no tables were made. */
  readonly tables: RunDigest['tables']
  /** Recorded files that were read. */
  readonly feeds: readonly FeedReport[]
  readonly accounts: readonly AccountResult[]
  /** Profit and activity of each account, accounts in the order of their opening. */
  readonly performance: readonly PerformanceRecord[]
  /** Returns, risk and trading of each account, with its equity over time. */
  readonly metrics: MetricsReport
  /** Strategies by their module as the file names it, with the account that each trades for. */
  readonly strategies: readonly { readonly strategy: string; readonly account: string }[]
  /** Refused requests of strategies by reason, strategies in the order of the file. */
  readonly refusals: readonly StrategyRefusals[]
  /**
   * Parameters that their strategy never read, probably misspelt. Empty for interrupted, resumed and restored runs,
   * whose strategies may have read them in another part.
   */
  readonly unread_params: readonly UnreadParams[]
  /** How often each fault of messages happened, of those that did. */
  readonly faults: readonly FaultCount[]
  readonly performance_totals: PerformanceTotals
  /** The folder that was written, or null. */
  readonly out: string | null
}

/** Refusals of a strategy's requests. */
export interface StrategyRefusals {
  /** Its module as the file names it. */
  readonly strategy: string
  readonly account: string
  readonly reasons: readonly RefusalCount[]
}

/** Options of a resumed run. */
export interface ResumeOptions {
  /** The scenario or journal, where it is elsewhere now. */
  readonly file?: string
  /** The scenario of a program, as it was given to `runDocument`. */
  readonly document?: object
  /** Strategies by the word that stands for their module in the document. */
  readonly strategies?: RunSources['strategies']
  /** The folder that paths in the document start from; else the current one. */
  readonly folder?: string
  /** A folder that recorded files are looked for in first; else that of the run. */
  readonly feeds?: string
  /** Asked between slices, and while a file is read; true ends the run where it is. */
  readonly interrupted?: () => boolean
  readonly onProgress?: (progress: RunProgress) => void
}

/** Options of `runDocument`. Output that no option requests is not written. */
export interface RunDocumentOptions extends Partial<RunFileOptions> {
  /** Strategies by the word that stands for their module in the document. */
  readonly strategies?: RunSources['strategies']
  /** The folder that paths in the document start from; else the current one. */
  readonly folder?: string
}
