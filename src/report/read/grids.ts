/**
 * The small tables of a report: figures, funding, liquidations, protections, refusals and the quality of feeds.
 */
import type { ReadableRun } from '../../host/index.ts'
import type { FigureRow, Grid } from '../payload.ts'
import { type Cursor, eachRow } from './cursor.ts'

/** Maximum number of shown rows in a list; the folder has all of them. */
const ROWS_MAX = 400
/** Number of decimal places of money in figures. */
const MONEY_PLACES = 9

type GridCell = string | number | null

/** A list that keeps its first rows and counts the others. */
export class GridBuilder {
  readonly #columns: readonly string[]
  readonly #rows: (readonly GridCell[])[] = []
  #total = 0

  constructor(columns: readonly string[]) {
    this.#columns = columns
  }

  add(row: readonly GridCell[]): void {
    this.#total += 1
    if (this.#rows.length < ROWS_MAX) this.#rows.push(row)
  }

  finish(): Grid {
    return { columns: this.#columns, rows: this.#rows, total: this.#total }
  }
}

/** The figures of all accounts. */
export interface Figures {
  readonly byAccount: ReadonlyMap<string, readonly FigureRow[]>
  readonly conventions: readonly string[]
  readonly faults: readonly string[]
}

/** Reads the table `metrics`. */
export async function readFigures(run: ReadableRun): Promise<Figures> {
  const byAccount = new Map<string, FigureRow[]>()
  const cursor = await eachRow(run, 'metrics', (row) => {
    const account = row.text('account') ?? ''
    const figures = byAccount.get(account) ?? []
    byAccount.set(account, figures)
    const [value, exact] = [row.number('value'), row.number('exact')]
    figures.push({
      metric: row.text('metric') ?? '',
      label: row.text('label'),
      currency: row.text('currency'),
      instrument: row.text('instrument'),
      unit: row.text('unit') ?? '',
      value: Number.isNaN(value) ? null : value,
      exact: Number.isNaN(exact) ? null : decimal(exact),
      reason: row.text('reason'),
    })
  })
  const conventions = cursor.metadata.get('pitclock.conventions')
  return { byAccount, conventions: conventions?.split('; ') ?? [], faults: cursor.faults }
}

/** The lists of each account. */
export interface AccountGrids {
  readonly funding: GridBuilder
  readonly liquidations: GridBuilder
  readonly protections: GridBuilder
  readonly protectionCounts: Map<string, number>
  readonly refusals: Map<string, number>
}

const liquidationColumns = [
  'time',
  'kind',
  'round',
  'outcome',
  'instrument',
  'route',
  'rule',
  'position_before',
  'closed',
  'change',
  'price',
  'margin_balance',
  'maintenance_margin',
  'currency',
] as const

const protectionColumns = [
  'time',
  'kind',
  'change',
  'group',
  'instrument',
  'side',
  'trigger',
  'reason',
  'refusal',
  'cancelled',
  'until',
] as const

/** Columns of texts among these; the others are numbers. */
const texts: ReadonlySet<string> = new Set([
  'kind',
  'outcome',
  'instrument',
  'route',
  'rule',
  'currency',
  'change',
  'group',
  'side',
  'trigger',
  'reason',
  'refusal',
])

/** Reads the data for the lists of each account. */
export async function readGrids(
  run: ReadableRun,
): Promise<{ readonly of: (account: string) => AccountGrids; readonly faults: readonly string[] }> {
  const known = new Map<string, AccountGrids>()
  const of = (account: string): AccountGrids => {
    const found = known.get(account) ?? {
      funding: new GridBuilder(['instrument', 'currency', 'payments', 'received', 'paid', 'net']),
      liquidations: new GridBuilder(liquidationColumns),
      protections: new GridBuilder(protectionColumns),
      protectionCounts: new Map(),
      refusals: new Map(),
    }
    known.set(account, found)
    return found
  }
  const own = (row: Cursor): AccountGrids => of(row.text('account') ?? '')
  const faults = [
    ...(await readFunding(run, of)),
    ...(await eachRow(run, 'liquidations', (row) => {
      const cells = liquidationColumns.map((name) =>
        name === 'change' ? cellOf(row, name, false) : cellOf(row, name, texts.has(name)),
      )
      own(row).liquidations.add(cells)
    }).then(({ faults: found }) => found)),
    ...(await eachRow(run, 'protections', (row) => {
      const grids = own(row)
      grids.protections.add(protectionColumns.map((name) => cellOf(row, name, texts.has(name))))
      const why = row.text('trigger') ?? row.text('reason') ?? row.text('refusal') ?? ''
      count(grids.protectionCounts, [row.text('kind') ?? '', row.text('change') ?? '', why])
    }).then(({ faults: found }) => found)),
    ...(await eachRow(run, 'rejects', (row) => {
      const detail = row.text('param') ?? ''
      const what = [row.text('command') ?? '', row.text('reason') ?? '', detail]
      count(own(row).refusals, what)
    }).then(({ faults: found }) => found)),
  ]
  return { of, faults }
}

async function readFunding(run: ReadableRun, of: (account: string) => AccountGrids): Promise<readonly string[]> {
  interface Sum {
    readonly cells: readonly [account: string, instrument: string, currency: string]
    payments: number
    received: number
    paid: number
  }
  const sums = new Map<string, Sum>()
  const cursor = await eachRow(run, 'funding', (row) => {
    const cells = [row.text('account'), row.text('instrument'), row.text('currency')] as const
    const [account, instrument, currency] = cells.map((cell) => cell ?? '')
    const key = JSON.stringify(cells)
    const sum: Sum = sums.get(key) ?? {
      cells: [account ?? '', instrument ?? '', currency ?? ''],
      payments: 0,
      received: 0,
      paid: 0,
    }
    sums.set(key, sum)
    const funding = row.number('funding')
    sum.payments += 1
    if (funding > 0) sum.received += funding
    else sum.paid -= funding
  })
  for (const { cells, payments, received, paid } of sums.values()) {
    const [account, instrument, currency] = cells
    const money = [received, paid, received - paid].map(decimal)
    of(account).funding.add([instrument, currency, payments, ...money])
  }
  return cursor.faults
}

/** Counts by word, the most frequent first. */
export function countGrid(counts: ReadonlyMap<string, number>, columns: readonly string[]): Grid {
  const grid = new GridBuilder([...columns, 'count'])
  const sorted = [...counts].sort(([, left], [, right]) => right - left)
  for (const [key, number] of sorted) grid.add([...(JSON.parse(key) as string[]), number])
  return grid.finish()
}

/** Reads the quality of the recorded files, beginning with checks that counted something. */
export async function readQuality(
  run: ReadableRun,
): Promise<{ readonly quality: Grid; readonly faults: readonly string[] }> {
  const columns = ['feed', 'instrument', 'kind', 'check', 'policy', 'count', 'first_row']
  const words: ReadonlySet<string> = new Set(['instrument', 'kind', 'check', 'policy'])
  const grid = new GridBuilder(columns)
  const cursor = await eachRow(run, 'feed_quality', (row) =>
    grid.add(columns.map((name) => cellOf(row, name, words.has(name)))),
  )
  return { quality: grid.finish(), faults: cursor.faults }
}

function count(counts: Map<string, number>, words: readonly string[]): void {
  const key = JSON.stringify(words)
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function cellOf(row: Cursor, column: string, isText: boolean): GridCell {
  if (isText) return row.text(column)
  const value = row.number(column)
  if (Number.isNaN(value)) return null
  return column === 'time' || column === 'until' ? value / 1e6 : value
}

/** A decimal of money without an exponent and without trailing zeros. */
function decimal(value: number): string {
  const text = value.toFixed(MONEY_PLACES).replace(/\.?0+$/, '')
  return text === '-0' ? '0' : text
}
