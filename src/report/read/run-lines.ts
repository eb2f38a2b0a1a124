/**
 * Reads all tables of a run in one pass, in the order of their events, and builds the lines of accounts, markets and
 * indices.
 */
import type { ReadableRun } from '../../host/index.ts'
import { AccountCurve } from './account-curve.ts'
import { Cursor, eachInOrder } from './cursor.ts'
import type { PeriodTerms } from './growth.ts'
import { LineBuilder, type LineSpan } from './line-builder.ts'
import { type InstrumentRow, isCombo, priceAtDelivery, type Standing } from './standing.ts'
import type { MarkNow } from './wallet-curve.ts'

/** The order of tables within one event; samples come last, so that they see the whole event. */
const tables = [
  'cash',
  'given_positions',
  'fills',
  'marks',
  'funding_rates',
  'funding',
  'settlements',
  'liquidations',
  'orders',
  'equity',
] as const

/** Maximum number of drawn instruments that no drawn account traded. */
const MARKETS_MAX = 24
const INDICES_MAX = 12
const MICROS = 1e6

/** Prices of an instrument. */
interface MarketLines {
  readonly of: InstrumentRow
  readonly mark: LineBuilder
  readonly funding: LineBuilder
}

/** The lines of a run. */
export interface RunLines {
  readonly accounts: readonly AccountCurve[]
  readonly markets: ReadonlyMap<number, MarketLines>
  readonly indices: ReadonlyMap<string, LineBuilder>
  readonly faults: readonly string[]
}

/** The input for the lines. */
interface LineTerms {
  readonly standing: Standing
  /** Accounts to draw. */
  readonly drawn: ReadonlySet<number>
  readonly span: LineSpan
  readonly periods: PeriodTerms
}

/** Reads the lines of a run. */
export async function readLines(run: ReadableRun, terms: LineTerms): Promise<RunLines> {
  const cursors: Cursor[] = []
  for (const table of tables) cursors.push(await Cursor.open(run, table))
  const reading = new Reading(terms)
  try {
    await eachInOrder(cursors, (row) => reading.take(row))
    reading.flush()
  } finally {
    for (const cursor of cursors) await cursor.close()
  }
  const faults = cursors.flatMap((cursor) => cursor.faults)
  return { accounts: [...reading.accounts.values()], markets: reading.markets, indices: reading.indices, faults }
}

class Reading {
  readonly accounts = new Map<number, AccountCurve>()
  readonly markets = new Map<number, MarketLines>()
  readonly indices = new Map<string, LineBuilder>()
  readonly #terms: LineTerms
  readonly #prices = new Map<string, number>()
  readonly #marks = new Map<number, MarkNow>()
  /** Accounts with changes that are not in their lines yet. */
  readonly #moved = new Set<AccountCurve>()
  #time = Number.NaN

  constructor(terms: LineTerms) {
    this.#terms = terms
    const shared = { span: terms.span, periods: terms.periods, indices: this.#prices, marks: this.#marks }
    for (const [id, account] of terms.standing.accounts) {
      if (terms.drawn.has(id)) this.accounts.set(id, new AccountCurve(account, shared))
    }
  }

  /** Processes the current row of a table. */
  take(row: Cursor): void {
    const time = row.number('time') / MICROS
    if (!Number.isFinite(time)) return
    if (time > this.#time || Number.isNaN(this.#time)) {
      this.flush()
      this.#time = time
    }
    this.#handlers[row.table as (typeof tables)[number]](row)
  }

  /** Adds the changes at one time to the lines. */
  flush(): void {
    for (const account of this.#moved) account.flush(this.#time)
    this.#moved.clear()
  }

  readonly #handlers: { readonly [T in (typeof tables)[number]]: (row: Cursor) => void } = {
    cash: (row) => {
      const currency = row.text('currency')
      if (currency === null) return
      this.#account(row)?.flow(this.#time, currency, row.number('change'))
    },
    given_positions: (row) => {
      const of = this.#instrument(row)
      const account = this.#account(row)
      const size = row.number('change')
      if (of !== undefined) account?.trade(this.#time, of, { size, price: row.number('price') })
    },
    fills: (row) => this.#fill(row),
    marks: (row) => this.#mark(row),
    funding_rates: (row) => {
      const of = this.#instrument(row)
      if (of !== undefined) this.#market(of)?.funding.step(this.#time, row.number('rate'))
    },
    funding: (row) => {
      const currency = row.text('currency')
      if (currency === null) return
      this.#account(row)?.wallet(currency).post('funding', row.number('funding'))
    },
    settlements: (row) => this.#settle(row),
    liquidations: (row) => this.#liquidate(row),
    orders: (row) => {
      const account = this.#account(row)
      const of = this.#instrument(row)
      if (account === undefined || of === undefined) return
      const isOpen = row.text('state') === 'open'
      const price = isOpen ? row.number('price') : Number.NaN
      const side = row.text('side') === 'buy' ? 'buy' : 'sell'
      account.rest(of, row.number('order_id'), side, price)
    },
    equity: (row) => {
      const currency = row.text('currency')
      if (currency === null) return
      this.#account(row)
        ?.wallet(currency)
        .sample(this.#time, {
          equity: row.number('equity'),
          initial: row.number('initial_margin'),
          maintenance: row.number('maintenance_margin'),
        })
    },
  }

  #fill(row: Cursor): void {
    const account = this.#account(row)
    const of = this.#instrument(row)
    if (account === undefined || of === undefined || isCombo(of)) return
    const isBuy = row.text('side') === 'buy'
    const size = row.number('amount') * (isBuy ? 1 : -1)
    const at = { size, price: row.number('price') }
    account.trade(this.#time, of, at)
    account.fill(this.#time, of, at)
    const fee = row.number('fee')
    const currency = row.text('fee_currency')
    if (fee !== 0 && currency !== null) account.wallet(currency).post('fees', fee)
  }

  #mark(row: Cursor): void {
    const price = row.number('price')
    const kind = row.text('kind')
    if (kind === 'index') {
      const name = row.text('index_name') ?? ''
      this.#prices.set(name, price)
      const line = this.indices.get(name)
      if (line !== undefined) line.add(this.#time, price)
      else if (this.indices.size < INDICES_MAX) {
        const first = new LineBuilder(this.#terms.span)
        first.add(this.#time, price)
        this.indices.set(name, first)
      }
      for (const account of this.accounts.values()) {
        account.touchUsd()
        this.#moved.add(account)
      }
      return
    }
    const of = kind === 'mark' ? this.#instrument(row) : undefined
    if (of === undefined) return
    this.#market(of)?.mark.add(this.#time, price)
    const index = row.number('index_price')
    this.#marks.set(of.id, { price, index })
    for (const account of this.accounts.values()) {
      account.mark(of, price, index)
      this.#moved.add(account)
    }
  }

  #settle(row: Cursor): void {
    const account = row.text('scope') === 'account' ? this.#account(row) : undefined
    const currency = row.text('currency')
    if (account === undefined || currency === null) return
    const of = this.#instrument(row)
    if (row.text('type') === 'delivery' && of !== undefined) {
      account.deliver(this.#time, of, priceAtDelivery(of, row.number('mark_price')))
    }
    const wallet = account.wallet(currency)
    const [fee, debt] = [numberOr(row, 'fee'), numberOr(row, 'session_bankruptcy')]
    const tax = numberOr(row, 'session_tax')
    if (fee !== 0) wallet.post('fees', fee)
    if (debt !== 0 || tax !== 0) wallet.post('insurance', debt - tax)
  }

  #liquidate(row: Cursor): void {
    const account = this.#account(row)
    const of = this.#instrument(row)
    const size = row.number('change')
    if (account === undefined || of === undefined || Number.isNaN(size)) return
    account.trade(this.#time, of, { size, price: row.number('price') })
    const commission = numberOr(row, 'commission')
    if (commission !== 0) account.wallet(of.settlement).post('fees', commission)
  }

  #account(row: Cursor): AccountCurve | undefined {
    const account = this.accounts.get(row.number('account_id'))
    if (account !== undefined) this.#moved.add(account)
    return account
  }

  #instrument(row: Cursor): InstrumentRow | undefined {
    return this.#terms.standing.instruments.get(row.number('instrument_id'))
  }

  #market(of: InstrumentRow): MarketLines | undefined {
    const known = this.markets.get(of.id)
    if (known !== undefined || this.markets.size >= MARKETS_MAX) return known
    const { span } = this.#terms
    const lines = { of, mark: new LineBuilder(span), funding: new LineBuilder(span) }
    this.markets.set(of.id, lines)
    return lines
  }
}

function numberOr(row: Cursor, column: string): number {
  const value = row.number(column)
  return Number.isNaN(value) ? 0 : value
}
