/**
 * Everything that a report shows, as data: the host side builds it from run folders, the page draws it.
 *
 * Times are seconds since 1970 as doubles (UTC), amounts and money doubles in the unit that is named beside them. Long
 * columns are `Numbers`, which travel packed (`packing.ts`); NaN is a gap.
 */

/** A long column. */
export type Numbers = Float64Array

/** A value over time. */
export interface Line {
  readonly time: Numbers
  readonly value: Numbers
  /** Points before the line was thinned out; as many as it has where it was not. */
  readonly points: number
}

/** A small table as texts, with the number of rows that it was cut from. */
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
  /** The exact decimal of money that adds up. */
  readonly exact: string | null
  readonly reason: string | null
}

/** A fall of the curve of returns below its peak. */
export interface Fall {
  readonly start: number
  readonly valley: number
  /** Null where the curve was still below at the end. */
  readonly recovery: number | null
  /** Part of one, negative. */
  readonly depth: number
}

/** An account in one currency, or in USD over all of them. */
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
  /** Sampled margins: parts of the equity. */
  readonly initial: Line | null
  readonly maintenance: Line | null
  /** Returns of the periods of the metrics: their ends, and the returns. */
  readonly returns: { readonly every: string; readonly seconds: number; readonly line: Line }
  /** The deepest first. */
  readonly falls: readonly Fall[]
  /** The index whose holding the wallet is compared with, or null. */
  readonly benchmark: string | null
  /** Largest difference between computed and sampled equity, as a part of equity. */
  readonly drift: number
}

/** Position, fills and orders of an account in one instrument. */
export interface Activity {
  readonly instrument: string
  readonly position: Line
  /** Prices of fills. */
  readonly buys: Line
  readonly sells: Line
  /** Best prices of its own resting orders; NaN where there is none. */
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
  /** How often each protection acted, by kind, change and reason. */
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
export interface Index {
  readonly name: string
  readonly line: Line
}

/** The receipt of a run: what must be known to have it again. */
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
  /** Lines that were thinned out and lists that were cut. */
  readonly notes: readonly string[]
  readonly conventions: readonly string[]
  readonly receipt: Receipt
  readonly accounts: readonly Account[]
  readonly markets: readonly Market[]
  readonly indices: readonly Index[]
  readonly quality: Grid
  readonly currencies: readonly string[]
}

/** Luck allowed for: of several runs, the best Sharpe ratio. */
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
  /** True where all runs computed their metrics alike. */
  readonly alike: boolean
  /** Metrics that are compared first, in their order. */
  readonly leading: readonly string[]
  readonly deflated: readonly Deflated[]
}
