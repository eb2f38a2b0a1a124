/** Accounts and instruments of a run; the rows of other tables refer to them by number. */
import type { ReadableRun } from '../../host/index.ts'
import { eachRow } from './cursor.ts'

/** An account of the run. */
export interface AccountRow {
  readonly id: number
  readonly name: string
  readonly house: boolean
}

/** Terms of an instrument. */
export interface InstrumentRow {
  readonly id: number
  readonly name: string
  readonly kind: string
  readonly payoff: string
  readonly base: string
  readonly quote: string
  readonly settlement: string
  readonly index: string
  readonly tick: number
  readonly isPerpetual: boolean
  /** Strike price of an option; NaN for others. */
  readonly strike: number
  readonly isCall: boolean
}

/** Accounts and instruments by number, in the order in which they were opened or listed. */
export interface Standing {
  readonly accounts: ReadonlyMap<number, AccountRow>
  readonly instruments: ReadonlyMap<number, InstrumentRow>
  readonly faults: readonly string[]
}

/** Reads accounts and instruments. */
export async function readStanding(run: ReadableRun): Promise<Standing> {
  const accounts = new Map<number, AccountRow>()
  const instruments = new Map<number, InstrumentRow>()
  const first = await eachRow(run, 'accounts', (row) => {
    const id = row.number('account_id')
    const house = row.number('house') === 1
    accounts.set(id, { id, name: row.text('account') ?? '', house })
  })
  const second = await eachRow(run, 'instruments', (row) => {
    const id = row.number('instrument_id')
    instruments.set(id, {
      id,
      name: row.text('instrument') ?? '',
      kind: row.text('kind') ?? '',
      payoff: row.text('payoff') ?? '',
      base: row.text('base_currency') ?? '',
      quote: row.text('quote_currency') ?? '',
      settlement: row.text('settlement_currency') ?? '',
      index: row.text('price_index') ?? '',
      tick: row.number('tick_size'),
      isPerpetual: row.text('settlement_period') === 'perpetual',
      strike: row.number('strike'),
      isCall: row.text('option_type') === 'call',
    })
  })
  return { accounts, instruments, faults: [...first.faults, ...second.faults] }
}

/** True for an option, whose price is the money for one unit. */
function isOption(row: InstrumentRow): boolean {
  return row.kind === 'option'
}

/** True for a combo, whose fills are the fills of its legs. */
export function isCombo(row: InstrumentRow): boolean {
  return row.kind.endsWith('combo')
}

/** The value of a size of one at a price, up to a constant; for an inverse contract in coin. */
export function worth(of: InstrumentRow, price: number): number {
  if (of.payoff === 'inverse') return price > 0 ? -1 / price : 0
  return price
}

/** Notional of a size of one in the settlement currency. */
export function notional(of: InstrumentRow, price: number, index: number): number {
  if (isOption(of)) return of.quote === of.base ? 1 : index
  if (of.payoff !== 'inverse') return price
  return price > 0 ? 1 / price : 0
}

/** The price that closes a position at a delivery price; for an option its payoff. */
export function priceAtDelivery(of: InstrumentRow, delivered: number): number {
  if (!isOption(of)) return delivered
  const paid = Math.max(0, of.isCall ? delivered - of.strike : of.strike - delivered)
  return of.quote === of.base && delivered > 0 ? paid / delivered : paid
}
