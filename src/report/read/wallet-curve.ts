/**
 * The equity of an account in one currency over time, computed from all changes: deposits and withdrawals, fills,
 * marks, fees, funding, deliveries and payments of the insurance fund.
 *
 * A run writes its equity once a day (or as often as `record.equity` says), which is too rare for a chart. Profit by
 * prices is the size of a position times the change of its mark, so that no entry price is needed. If the run has a
 * sample, the curve is set to it, and the report shows the largest difference.
 */
import type { Line, Wallet } from '../payload.ts'
import { Growth, type PeriodTerms } from './growth.ts'
import { LineBuilder, type LineSpan } from './line-builder.ts'
import { type InstrumentRow, notional, worth } from './standing.ts'

/** A position and the mark of its last valuation. */
interface Holding {
  readonly of: InstrumentRow
  size: number
  price: number
  index: number
}

/** Money is shown to 1e-9. */
const MONEY = 1e9
const MONEY_MIN = 1e-9
/** Smaller sizes are rounding errors of sums of decimals. */
const SIZE_MIN = 1e-9

/** A mark of an instrument, with its index. */
export interface MarkNow {
  readonly price: number
  readonly index: number
}

/** The lines of a wallet while the events are read. */
export class WalletCurve {
  readonly currency: string
  isDirty = false
  readonly #equity: LineBuilder
  readonly #growth: Growth
  readonly #leverage: LineBuilder
  readonly #initial: LineBuilder
  readonly #maintenance: LineBuilder
  readonly #lines: { readonly [name in keyof NonNullable<Wallet['split']>]: LineBuilder }
  readonly #terms: PeriodTerms
  readonly #holdings = new Map<number, Holding>()
  readonly #sums = { flow: 0, price: 0, funding: 0, fees: 0, insurance: 0, sampled: 0 }
  #drift = 0
  /** The largest equity so far, to which differences are relative. */
  #most = MONEY_MIN
  #hadPosition = false

  constructor(currency: string, span: LineSpan, terms: PeriodTerms) {
    this.currency = currency
    this.#terms = terms
    this.#equity = new LineBuilder(span)
    this.#growth = new Growth(span, terms)
    this.#leverage = new LineBuilder(span)
    this.#initial = new LineBuilder(span)
    this.#maintenance = new LineBuilder(span)
    const line = (): LineBuilder => new LineBuilder(span)
    this.#lines = { price: line(), funding: line(), fees: line(), insurance: line() }
  }

  /** Equity now. */
  get equity(): number {
    const { flow, price, funding, fees, insurance, sampled } = this.#sums
    return flow + price + funding - fees + insurance + sampled
  }

  /** Processes money that came in; negative if it left. */
  flow(time: number, change: number): void {
    this.#growth.move(time, this.equity)
    this.#sums.flow += change
    this.#growth.rebase(time, this.equity)
    this.isDirty = true
  }

  /** Changes a position by a size at a price; `mark` is the current mark, if there was one already. */
  trade(of: InstrumentRow, size: number, price: number, mark: MarkNow | undefined): void {
    const holding = this.#holdings.get(of.id) ?? {
      of,
      size: 0,
      price: mark?.price ?? price,
      index: mark?.index ?? 0,
    }
    this.#holdings.set(of.id, holding)
    this.#sums.price += size * (worth(of, holding.price) - worth(of, price))
    holding.size += size
    if (Math.abs(holding.size) < SIZE_MIN) holding.size = 0
    this.#hadPosition ||= holding.size !== 0
    this.isDirty = true
  }

  /** Processes a new mark of an instrument. */
  mark(of: InstrumentRow, price: number, index: number): void {
    const holding = this.#holdings.get(of.id)
    if (holding === undefined) return
    if (holding.size !== 0) {
      this.#sums.price += holding.size * (worth(of, price) - worth(of, holding.price))
      this.isDirty = true
    }
    holding.price = price
    holding.index = index
  }

  /** Size of a position. */
  sizeOf(instrument: number): number {
    return this.#holdings.get(instrument)?.size ?? 0
  }

  /** Adds earned money (negative: paid) to the sum of its reason. */
  post(reason: 'price' | 'funding' | 'fees' | 'insurance', change: number): void {
    this.#sums[reason] += change
    this.isDirty = true
  }

  /** Processes a sample of the run: sets the curve to it. */
  sample(
    time: number,
    { equity, initial, maintenance }: Readonly<Record<'equity' | 'initial' | 'maintenance', number>>,
  ): void {
    const apart = Math.abs(equity - this.equity)
    this.#most = Math.max(this.#most, Math.abs(equity), Math.abs(this.#equity.last || 0))
    this.#drift = Math.max(this.#drift, apart / this.#most)
    this.#sums.sampled += equity - this.equity
    this.isDirty = true
    if (equity <= 0) return
    this.#initial.add(time, rounded(initial / equity, MONEY))
    this.#maintenance.add(time, rounded(maintenance / equity, MONEY))
  }

  /** Adds the changes since the last time to the lines. */
  flush(time: number): void {
    if (!this.isDirty) return
    this.isDirty = false
    const { equity } = this
    const { price, funding, fees, insurance } = this.#sums
    this.#equity.add(time, rounded(equity, MONEY))
    this.#growth.move(time, equity)
    this.#lines.price.step(time, rounded(price, MONEY))
    this.#lines.funding.step(time, rounded(funding, MONEY))
    this.#lines.fees.step(time, rounded(-fees, MONEY))
    this.#lines.insurance.step(time, rounded(insurance, MONEY))
    if (this.#hadPosition) this.#leverage.step(time, rounded(this.#leverageAt(equity), 1e6))
  }

  /** The wallet in the form of the page. */
  finish(until: number): Wallet {
    const { line, falls, returns } = this.#growth.finish(until)
    const leverage = this.#leverage.finish(until)
    return {
      currency: this.currency,
      equity: this.#equity.finish(until),
      growth: line,
      split: {
        price: this.#lines.price.finish(until),
        funding: this.#lines.funding.finish(until),
        fees: this.#lines.fees.finish(until),
        insurance: this.#lines.insurance.finish(until),
      },
      leverage: leverage.points === 0 ? null : leverage,
      initial: this.#initial.finish(),
      maintenance: this.#maintenance.finish(),
      returns: returnsOf(this.#terms, returns),
      falls,
      benchmark: null,
      drift: this.#drift,
    }
  }

  #leverageAt(equity: number): number {
    if (equity <= 0) return Number.NaN
    let sum = 0
    for (const { of, size, price, index } of this.#holdings.values()) {
      if (size !== 0) sum += Math.abs(size) * notional(of, price, index)
    }
    return sum / equity
  }
}

/** The wallet of all currencies in USD. */
export class UsdCurve {
  readonly #equity: LineBuilder
  readonly #growth: Growth
  readonly #terms: PeriodTerms
  #isPriced = true

  constructor(span: LineSpan, terms: PeriodTerms) {
    this.#equity = new LineBuilder(span)
    this.#growth = new Growth(span, terms)
    this.#terms = terms
  }

  /** Sets the current equity; null if a currency has no price. */
  move(time: number, equity: number | null): void {
    const hasBegun = !Number.isNaN(this.#equity.last)
    if (equity === null) {
      this.#isPriced &&= !hasBegun
      return
    }
    // Before the first money the equity is unknown.
    if (!hasBegun && equity === 0) return
    this.#equity.add(time, rounded(equity, 1e6))
    this.#growth.move(time, equity)
  }

  /** Sets the equity after a flow of money. The curve keeps its value. */
  rebase(time: number, equity: number | null): void {
    if (equity !== null && equity !== 0) this.#growth.rebase(time, equity)
  }

  /** The wallet in the form of the page, or null if its equity was never known completely. */
  finish(until: number, benchmark: string | null): Wallet | null {
    const equity = this.#equity.finish(until)
    if (equity.points === 0 || !this.#isPriced) return null
    const { line, falls, returns } = this.#growth.finish(until)
    return {
      currency: 'USD',
      equity,
      growth: line,
      split: null,
      leverage: null,
      initial: null,
      maintenance: null,
      returns: returnsOf(this.#terms, returns),
      falls,
      benchmark,
      drift: 0,
    }
  }
}

function returnsOf(terms: PeriodTerms, line: Line): Wallet['returns'] {
  return { every: terms.every, seconds: terms.seconds, line }
}

function rounded(value: number, unit: number): number {
  return Math.round(value * unit) / unit
}
