/** The parts of a chain of causes, and the names of accounts and orders in it. */
import { idPrefixOf } from '../../rpc/index.ts'
import type { Row, Tables } from './rows.ts'
import type { Rule } from './rules.ts'

/** A link of a chain, with the row that it was read from. */
export interface Link {
  readonly row: Row
  readonly text: string
  readonly rule: Rule
}

/** A fact that a chain needs and that the run did not record. */
export interface UnrecordedFact {
  readonly fact: string
  /** How to record it. */
  readonly how: string
}

/** Adds a fact that the run did not record, once. */
export function noteFact(facts: UnrecordedFact[], fact: string, how: string): void {
  if (!facts.some((known) => known.fact === fact)) facts.push({ fact, how })
}

/** An answer with its links, the cause before its effect. */
export interface Chain {
  readonly answer: string
  readonly links: readonly Link[]
  /** Number of rows in the middle of a long history for which there are no links. */
  readonly omitted: number
  readonly unrecorded: readonly UnrecordedFact[]
}

/** Items at the start and at the end of a list that are kept. */
const END_MAX = 12

/** The ends of a long list, and the number of items between them. */
interface Ends<T> {
  readonly kept: readonly T[]
  readonly omitted: number
}

/** Both ends of a list; all of a short one. */
export function endsOf<T>(list: readonly T[]): Ends<T> {
  const omitted = Math.max(0, list.length - 2 * END_MAX)
  return omitted === 0
    ? { kept: list, omitted }
    : { kept: [...list.slice(0, END_MAX), ...list.slice(-END_MAX)], omitted }
}

/** Accounts and instruments of a run, by the columns of other tables. */
export interface Names {
  readonly accounts: readonly Row[]
  /** The name of an account by its number. */
  account(id: number): string
  /** The row of an instrument by its name. */
  instrument(name: string | null): Row | undefined
  /** The id of an order or a trade of an instrument in replies, by its number within its currency. */
  id(instrument: string | null, number: string | null): string
}

/** Number of an order or a trade within a settlement currency. */
export interface Numbered {
  readonly currency: string
  readonly number: number
}

/** Reads the accounts and instruments of a run. */
export async function readNames(tables: Tables): Promise<Names> {
  const accounts = await tables.rows('accounts', () => true)
  const instruments = new Map<string | null, Row>()
  for (const row of await tables.rows('instruments', () => true)) instruments.set(row.cell('instrument'), row)
  const byId = new Map(accounts.map((row) => [row.number('account_id'), row.text('account')]))
  return {
    accounts,
    account: (id) => byId.get(id) ?? `account ${id}`,
    instrument: (name) => instruments.get(name),
    id: (name, number) => {
      const row = instruments.get(name)
      const currency = (column: string): string => row?.cell(column) ?? ''
      const prefix = idPrefixOf({
        baseCurrency: currency('base_currency'),
        quoteCurrency: currency('quote_currency'),
        settlementCurrency: currency('settlement_currency'),
      })
      return `${prefix}${number ?? ''}`
    },
  }
}
