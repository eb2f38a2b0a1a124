/**
 * A scenario: the actions and expectations of a run, as plain data with places in its file.
 *
 * Times are integer microseconds; parameters are those of the venue's API. Steps are in time order, ties in file order.
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

/** A request of the set-up, and the part of the file from which it comes. */
export interface SetupRequest {
  readonly method: string
  /** The account that sends it; null for the simulator's own controls. */
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

/** The fields that the reply to a step must contain. */
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
  /** True if `params` contain a `$`. */
  readonly inserts: boolean
  readonly session: number
  readonly saves: readonly Save[]
  readonly expect: ReplyExpectation | null
  readonly path: string
  readonly place: Place
}

/** The fields that the answer to a query must contain at the end of the run. */
export interface FinalCheck {
  readonly account: string | null
  readonly method: string
  readonly params: RequestParams
  /** The part of the result that is compared; null for the whole result. */
  readonly part: 'trades' | 'settlements' | 'logs' | 'data' | null
  readonly expected: Located
  readonly path: string
}

/** A recorded feed of a run. */
export interface FeedSpec {
  readonly format: TextFormat
  /** The files in their order, as named in the file. */
  readonly paths: readonly string[]
  /** The SHA-256 that each file must have, in the order of the files, or null. */
  readonly pinned: readonly string[] | null
  readonly kind: MarketKind
  readonly instrument: string
  /** The units of that instrument. */
  readonly units: Pick<Instrument, 'id' | 'tick9' | 'amountStep9' | 'tickSteps'> & Pick<FeedInstrument, 'mayBeNegative'>
  readonly symbol: string | null
  /** True if a file without `symbol` must hold rows of the instrument. Journals of earlier versions may differ. */
  readonly checksSymbol: boolean
  /** The meanings of the columns, for the format `csv`. */
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
  /** The module as named in the file. */
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
  /** End of the run; null for the time of the last request. */
  readonly until: Micros | null
  readonly config: ExchangeConfig
  readonly setup: readonly SetupRequest[]
  readonly steps: readonly Step[]
  readonly population: PopulationSpec | null
  readonly feeds: readonly FeedSpec[]
  readonly strategies: readonly StrategySpec[]
  /** Faults of messages between the exchange and strategies or clients. */
  readonly faults: readonly FaultRule[]
  /** Control requests that begin and end faults of the market itself, in time order. */
  readonly faultRequests: readonly FaultRequest[]
  readonly checks: readonly FinalCheck[]
  /** Expected counts of the whole run: requests (including the set-up), trades, refused. */
  readonly totals: Located | null
  /** The place of `expect.laws`; null if the laws are not checked. */
  readonly laws: Place | null
}
