/**
 * Fields of the messages of direct access: names of the schema, units, and the words of requests and replies.
 *
 * The word of a field follows from its name: `correlationId` is `correlation_id`. Names that the venue's JSON has a word
 * for have that one: a quantity is an amount.
 */
import { z } from '../core/index.ts'

const wideDigits = /^-?[0-9]{1,19}$/

/** A whole number of 64 bits with its sign, as a number or in digits, in which it is read. */
export const wideNumber = z
  .union([z.int(), z.string().regex(wideDigits).refine(isWide, 'out_of_range')])
  .transform((number) => `${number}`)

/** True if a text is a number of 64 bits. */
function isWide(text: string): boolean {
  return wideDigits.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
}

/** How a value of a field is counted or written. */
export type FieldUnit =
  /** A whole number. */
  | 'number'
  /** A whole number of 64 bits; in words its digits. */
  | 'id'
  /** Nanoseconds since 1970. */
  | 'ns'
  /** The same in the schema; milliseconds in words. */
  | 'time'
  | 'seconds'
  /** A price of the instrument. */
  | 'price'
  /** A size in the amount unit of the instrument. */
  | 'amount'
  /** A level of market-maker protection. */
  | 'level'
  /** A word of a list, which the schema numbers. */
  | 'word'
  /** Words of a list, which the schema has as bits. */
  | 'flags'
  | 'flag'
  | 'text'
  /** A reason with its number. */
  | 'reason'
  /** An instrument, a currency pair, a group: by its number. */
  | 'instrument'
  | 'pair'
  | 'group'
  /** Rows with fields of their own. */
  | 'rows'

/** A field of a message. */
export interface MessageField {
  /** Its name in the schema. */
  readonly name: string
  readonly unit: FieldUnit
  /** Its word in requests and replies; null for what this simulator does not have. */
  readonly word: string | null
  /** The first version of the schema that has it. */
  readonly since: number
  /** Fields of its rows; none of other units. */
  readonly rows: readonly MessageField[]
}

/** The oldest version that is spoken. */
export const OLDEST = 9

/** Words that do not follow from the name. */
const wordOfName: { readonly [name: string]: string } = {
  timestamp: 'timestamp_ns',
  receiveTime: 'receive_time_ns',
  instrumentId: 'instrument_name',
  currencyPairId: 'currency_pair',
  quantity: 'amount',
  totalFilled: 'filled_amount',
  visibleQty: 'visible_amount',
  showQty: 'show_amount',
  fillPrice: 'price',
  fillQty: 'amount',
  resetSeqNum: 'reset_sequence',
  heartbeatIntervalSeconds: 'heartbeat_interval_seconds',
}

/** A field whose name, unit and rows the compiler knows. */
export interface TypedField<
  Name extends string,
  Unit extends FieldUnit,
  Word extends string | null,
  Rows extends readonly MessageField[],
> extends MessageField {
  readonly name: Name
  readonly unit: Unit
  readonly word: Word
  readonly rows: Rows
}

/** A field whose word follows from its name, unless it says another. */
export function field<
  const Name extends string,
  const Unit extends FieldUnit,
  const Word extends string | null = string,
>(
  name: Name,
  unit: Unit,
  { word, since = OLDEST }: { readonly word?: Word; readonly since?: number } = {},
): TypedField<Name, Unit, Word, readonly []> {
  // A word that follows from the name is a text.
  const told = word === undefined ? (wordOf(name) as Word) : word
  return { name, unit, word: told, since, rows: [] }
}

/** A field of rows. */
export function rowsField<
  const Name extends string,
  const Rows extends readonly MessageField[],
  const Word extends string | null = string,
>(name: Name, rows: Rows, word?: Word): TypedField<Name, 'rows', Word, Rows> {
  // As of a field.
  const told = word === undefined ? (wordOf(name) as Word) : word
  return { name, unit: 'rows', word: told, since: OLDEST, rows }
}

/** The word of a field by its name in the schema. */
function wordOf(name: string): string {
  return wordOfName[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
