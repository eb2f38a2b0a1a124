/**
 * Fields of the messages of direct access: names of the schema, units, and the words of requests and replies.
 *
 * The word of a field follows from its name: `correlationId` is `correlation_id`. If the venue's JSON has a word for
 * the name, the field has that word: a quantity is an amount.
 */
import { z } from '../core/index.ts'

const wideDigits = /^-?[0-9]{1,19}$/

/** A signed whole number of 64 bits, written as a number or as digits, and read as digits. */
export const wideNumber = z
  .union([z.int(), z.string().regex(wideDigits).refine(isWide, 'out_of_range')])
  .transform((number) => `${number}`)

/** True if a text is a number of 64 bits. */
function isWide(text: string): boolean {
  return wideDigits.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text)
}

/** The unit or encoding of a field's value. */
export type FieldUnit =
  /** A whole number. */
  | 'number'
  /** A whole number of 64 bits; its digits in JSON. */
  | 'id'
  /** Nanoseconds since 1970. */
  | 'ns'
  /** Nanoseconds since 1970 in the schema, milliseconds in JSON. */
  | 'time'
  | 'seconds'
  /** A price of the instrument. */
  | 'price'
  /** A size in the amount unit of the instrument. */
  | 'amount'
  /** A level of market-maker protection. */
  | 'level'
  /** A word of a list; a number in the schema. */
  | 'word'
  /** Words of a list; bits in the schema. */
  | 'flags'
  | 'flag'
  | 'text'
  /** A reason with its number. */
  | 'reason'
  /** An instrument, a currency pair or a group; its number in the schema. */
  | 'instrument'
  | 'pair'
  | 'group'
  /** Rows with separate fields. */
  | 'rows'

/** A field of a message. */
export interface MessageField {
  /** Its name in the schema. */
  readonly name: string
  readonly unit: FieldUnit
  /** Its word in requests and replies; null if the simulator does not have the field. */
  readonly word: string | null
  /** The first version of the schema with the field. */
  readonly since: number
  /** Fields of its rows; empty for other units. */
  readonly rows: readonly MessageField[]
}

/** The oldest supported version of the schema. */
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

/** A field whose word follows from its name, unless a word is given. */
export function field<
  const Name extends string,
  const Unit extends FieldUnit,
  const Word extends string | null = string,
>(
  name: Name,
  unit: Unit,
  { word, since = OLDEST }: { readonly word?: Word; readonly since?: number } = {},
): TypedField<Name, Unit, Word, readonly []> {
  // Without a given word, the type of the word is `string`.
  const reported = word === undefined ? (wordOf(name) as Word) : word
  return { name, unit, word: reported, since, rows: [] }
}

/** A field of rows. */
export function rowsField<
  const Name extends string,
  const Rows extends readonly MessageField[],
  const Word extends string | null = string,
>(name: Name, rows: Rows, word?: Word): TypedField<Name, 'rows', Word, Rows> {
  // The same cast as in `field`.
  const reported = word === undefined ? (wordOf(name) as Word) : word
  return { name, unit: 'rows', word: reported, since: OLDEST, rows }
}

/** The word of a field by its name in the schema. */
function wordOf(name: string): string {
  return wordOfName[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
