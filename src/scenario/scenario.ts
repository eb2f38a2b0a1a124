/**
 * A scenario: what a run does and what must come of it, as plain data with the places of its file.
 *
 * Times are integer microseconds; parameters are requests in the venue's own words. Steps are in the
 * order of time, ties in the order of the file.
 */
import type { Latency, PopulationSpec } from '../backtest/index.ts'
import type { Micros } from '../core/index.ts'
import type { FaultRule } from '../faults/index.ts'
import type {
  FeedBeginning,
  FeedClock,
  FeedColumns,
  FeedInstrument,
  FeedMark,
  FeedPolicies,
  TextFormat,
} from '../feeds/index.ts'
import type { ExchangeConfig, Instrument, MarketKind } from '../model/index.ts'
import type { RequestParams } from '../rpc/index.ts'
import type { Located, Place } from './file/located.ts'
import type { RunTerms } from './run-terms.ts'

/** A request of the set-up, and the part of the file it comes from. */
export interface SetupRequest {
  readonly method: string
  /** The account that asks; null for the simulator's own controls. */
  readonly account: string | null
  readonly params: RequestParams
  readonly path: string
  readonly place: Place
}

/** A value of a reply that later steps use as `$name`. */
export interface Save {
  readonly name: string
  /** Keys from the reply's root, which is `result` or `error`. */
  readonly keys: readonly string[]
  readonly path: string
  readonly place: Place
}

/** The fields that the reply of a step must hold. */
export interface ReplyExpectation {
  readonly part: 'result' | 'error'
  readonly expected: Located
  readonly path: string
}

/** One request of the file. */
export interface Step {
  readonly time: Micros
  readonly account: string | null
  readonly method: string
  readonly params: RequestParams
  /** True if `params` hold a `$`. */
  readonly inserts: boolean
  readonly session: number
  readonly saves: readonly Save[]
  readonly expect: ReplyExpectation | null
  readonly path: string
  readonly place: Place
}

/** The fields that the answer to a query must hold at the end of the run. */
export interface FinalCheck {
  readonly account: string | null
  readonly method: string
  readonly params: RequestParams
  /** The part of the result that is compared; null for the whole. */
  readonly part: 'trades' | 'settlements' | 'logs' | 'data' | null
  readonly expected: Located
  readonly path: string
}

/** A recorded feed of a run. */
export interface FeedSpec {
  readonly format: TextFormat
  /** The files in the order in which they follow each other, as the file names them. */
  readonly paths: readonly string[]
  /** The SHA-256 each file must have, in the order of the files, or null. */
  readonly pinned: readonly string[] | null
  readonly kind: MarketKind
  readonly instrument: string
  /** The units of that instrument. */
  readonly units: Pick<Instrument, 'id' | 'tick9' | 'amountStep9' | 'tickSteps'> & Pick<FeedInstrument, 'mayBeNegative'>
  readonly symbol: string | null
  /** True if a file without `symbol` must hold rows of the instrument. Journals of earlier versions may differ. */
  readonly checksSymbol: boolean
  /** The columns by their meaning, for the format `csv`. */
  readonly columns: FeedColumns | null
  readonly clock: FeedClock
  readonly policies: FeedPolicies
  /** Use of the mark prices in an index file; null for other kinds. */
  readonly mark: FeedMark | null
  /** Beginning of a book; null for other kinds. */
  readonly begin: FeedBeginning | null
  readonly from: Micros | null
  readonly to: Micros | null
}

/** A strategy of a run. */
export interface StrategySpec {
  readonly account: string
  /** The module as the file names it. */
  readonly module: string
  readonly params: unknown
  readonly latency: Latency
  /** True if unknown callbacks and parameters are errors. */
  readonly strict: boolean
  readonly path: string
  readonly place: Place
}

/** A request that begins or ends a fault of the market. */
export interface FaultRequest {
  readonly time: Micros
  readonly method: string
  readonly params: RequestParams
}

/** A whole scenario. */
export interface Scenario extends RunTerms {
  readonly file: string
  readonly title: string
  readonly seed: string
  readonly start: Micros
  /** When the run ends; null for the time of the last request. */
  readonly until: Micros | null
  readonly config: ExchangeConfig
  readonly setup: readonly SetupRequest[]
  readonly steps: readonly Step[]
  readonly population: PopulationSpec | null
  readonly feeds: readonly FeedSpec[]
  readonly strategies: readonly StrategySpec[]
  /** Faults of messages between the exchange and strategies or clients. */
  readonly faults: readonly FaultRule[]
  /** Requests of controls that begin and end faults of the market itself, in the order of time. */
  readonly faultRequests: readonly FaultRequest[]
  readonly checks: readonly FinalCheck[]
  /** Expected counts of the whole run: requests (set-up included), trades, refused. */
  readonly totals: Located | null
}
