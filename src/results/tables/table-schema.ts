/** The schema of a table, and columns that many tables have. */
import { type ColumnSchema, flag, int32, int64, namedBy, nullable, text, time, words } from '../column-schema.ts'
import { vocabulary } from '../vocabulary/vocabulary.ts'

/** A result table. */
export interface TableSchema {
  readonly name: string
  readonly version: number
  readonly columns: readonly ColumnSchema[]
}

const eventNumber = int64('event', 'number of the event in the run, from 1')
/** Time of a row that was read from a view: after the event with that number. */
export const moment = [time('time', 'virtual time'), eventNumber] as const
/** Time, number and cause of a row from an event. */
export const header = [...moment, int64('cause', 'sequence number of the request that caused the event')] as const

/** The account of a row; its name is looked up. */
export const account = [
  namedBy('account_id', text('account', 'name of the account')),
  int32('account_id', 'index of the account in the run, from 0'),
] as const
/**
 * True for accounts of the venue. Their rows are the other side of traders' rows, so sums over all rows count twice.
 */
export const house = flag(
  'house',
  'true if the account belongs to the venue: counterparty of recorded books, fees, insurance fund',
)
/** The instrument by its id; its name is looked up. */
export const instrument = [
  namedBy('instrument_id', text('instrument', 'name of the instrument')),
  int32('instrument_id', 'id of the instrument in the API of the venue'),
] as const
/** Account and instrument columns for rows that may have none. */
export const someAccount = [nullable(account[0]), nullable(account[1])] as const
export const someInstrument = [nullable(instrument[0]), nullable(instrument[1])] as const
/** The currency within which orders and trades are numbered. */
export const ids = words(
  'currency',
  vocabulary.currency,
  'settlement currency; ids are counted per settlement currency',
)

/** A table. */
export function table<const Name extends string, const Columns extends readonly ColumnSchema[]>(
  name: Name,
  columns: Columns,
  version = 1,
): {
  readonly name: Name
  readonly version: number
  readonly columns: Columns
} {
  return { name, version, columns }
}
