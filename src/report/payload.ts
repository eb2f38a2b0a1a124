/**
 * All data of a report: the host side builds it from run folders, the page draws it.
 *
 * Times are seconds since 1970 as doubles (UTC). Amounts and money are doubles in the unit named next to them. Long
 * columns are `Numbers`, which are packed for the page (`packing.ts`); NaN is a gap.
 */

/** A long column. */
export type Numbers = Float64Array

/** A value over time. */
export interface Line {
  readonly time: Numbers
  readonly value: Numbers
  /** Number of points before the line was thinned out; the number of its points if it was not. */
  readonly points: number
}

/** A small table as texts, with the total number of rows before it was shortened. */
export interface Grid {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
  readonly total: number
}

/** A row of the table `metrics`. */
export interface FigureRow {
  readonly metric: string
  readonly label: string | null
  readonly currency: string | null
  readonly instrument: string | null
  readonly unit: string
  readonly value: number | null
  /** The exact decimal for money that adds up. */
  readonly exact: string | null
  readonly reason: string | null
}

/** A drawdown of the curve of returns. */
export interface Fall {
  readonly start: number
  readonly valley: number
  /** Null if the curve was still below its peak at the end. */
  readonly recovery: number | null
  /** A negative fraction. */
  readonly depth: number
}

/** An account in one currency, or in USD over all currencies. */
export interface Wallet {
  readonly currency: string
  readonly equity: Line
  /** The curve of returns: 1 at the first money, time-weighted, so that deposits do not move it. */
  readonly growth: Line
  /** Cumulated since the start; null for USD. */
  readonly split: {
    readonly price: Line
    readonly funding: Line
    readonly fees: Line
    readonly insurance: Line
  } | null
  /** Sum of the notionals over equity. */
  readonly leverage: Line | null
  /** Sampled margins, as fractions of the equity. */
  readonly initial: Line | null
  readonly maintenance: Line | null
  /** Returns of the periods of the metrics: the ends of the periods, and the returns. */
  readonly returns: { readonly every: string; readonly seconds: number; readonly line: Line }
  /** The deepest drawdowns first. */
  readonly falls: readonly Fall[]
  /** The index for comparison, as if it were held, or null. */
  readonly benchmark: string | null
  /** Largest difference between computed and sampled equity, as a fraction of equity. */
  readonly drift: number
}

/** Position, fills and orders of an account in one instrument. */
export interface Activity {
  readonly instrument: string
  readonly position: Line
  /** Prices of fills. */
  readonly buys: Line
  readonly sells: Line
  /** Best prices of the account's resting orders; NaN without an order. */
  readonly bids: Line
  readonly asks: Line
}

/** An account. */
export interface Account {
  readonly name: string
  readonly wallets: readonly Wallet[]
  readonly activities: readonly Activity[]
  readonly figures: readonly FigureRow[]
  readonly funding: Grid
  readonly liquidations: Grid
  readonly protections: Grid
  /** Number of times that each protection acted, by kind, change and reason. */
  readonly protectionCounts: Grid
  readonly refusals: Grid
}

/** An instrument's prices. */
export interface Market {
  readonly name: string
  readonly kind: string
  readonly amountUnit: string
  readonly quote: string
  readonly settlement: string
  readonly tick: number
  readonly mark: Line
  readonly funding: Line | null
}

/** An index price. */
interface Index {
  readonly name: string
  readonly line: Line
}

/** The receipt of a run: the facts needed to repeat it. */
export interface Receipt {
  readonly command: string
  readonly file: string
  readonly fileSha256: string
  readonly scenarioSha256: string
  readonly set: readonly string[]
  readonly seed: string
  readonly digest: string
  readonly engine: string
  readonly node: string
  readonly journal: boolean
  readonly feeds: Grid
  readonly strategies: Grid
  readonly tables: Grid
}

/** One run. */
export interface Run {
  readonly name: string
  readonly title: string
  readonly from: number
  readonly until: number
  readonly requests: number
  readonly events: number
  /** Damage, interruptions and parts that could not be read. */
  readonly warnings: readonly string[]
  /** Notes about thinned-out lines and shortened lists. */
  readonly notes: readonly string[]
  readonly conventions: readonly string[]
  readonly receipt: Receipt
  readonly accounts: readonly Account[]
  readonly markets: readonly Market[]
  readonly indices: readonly Index[]
  readonly quality: Grid
  readonly currencies: readonly string[]
}

/** The best Sharpe ratio of several runs, corrected for the number of trials. */
export interface Deflated {
  readonly account: string
  readonly currency: string
  readonly best: string
  readonly trials: number
  readonly value: number | null
  readonly reason: string | null
}

/** A whole report. */
export interface Report {
  readonly version: 1
  readonly title: string
  readonly runs: readonly Run[]
  /** True if all runs computed their metrics alike. */
  readonly alike: boolean
  /** Metrics that the comparison shows first, in their order. */
  readonly leading: readonly string[]
  readonly deflated: readonly Deflated[]
}
