/**
 * Messages of direct access as JSON, by their table. A record has the fields of the schema in the engine's units. The
 * JSON follows from the name, the unit and the version of each field.
 *
 * A function that makes a record knows nothing of the encoding, so another encoding can use the same records.
 *
 * Rule: direct.message-table. Source: sessions-blocks-gateways.md 8.4-8.6, 8.13; S289, S324-S333.
 */
import { assert, type Lots, type Micros, type Price9, scaledToNumber, unreachable } from '../core/index.ts'
import type { Instrument, Reason } from '../model/index.ts'
import { amountOut, nanosOut, priceOut, timeOut } from '../rpc/index.ts'
import type { FieldUnit, MessageField } from './fields.ts'
import { gatewayMessages, type MessageName } from './messages.ts'

/** Decimals of levels of market-maker protection. */
const LEVEL_SCALE = 9

/** Values of the units in a record. */
interface ValueOf {
  readonly number: number
  readonly id: number | string | null
  readonly ns: Micros
  readonly time: Micros | null
  readonly seconds: number
  readonly price: Price9 | null
  readonly amount: Lots
  /** In 1e-9. */
  readonly level: number
  readonly word: string | { readonly code: number; readonly name: string } | null
  readonly flags: readonly string[]
  readonly flag: boolean
  readonly text: string
  readonly reason: Reason | null
  readonly instrument: Instrument
  readonly pair: string
  readonly group: number
}

/** The fields of a list for which JSON has a word. */
type FieldsOf<F extends MessageField> = {
  readonly [E in F as E['word'] extends null ? never : E['name']]?:
    | (E['unit'] extends keyof ValueOf ? ValueOf[E['unit']] : RowsOf<E['rows']>)
    | undefined
}
type RowsOf<R> = R extends readonly MessageField[] ? readonly FieldsOf<R[number]>[] : never

/** A message in the engine's units. A field that is omitted or undefined does not appear in the JSON. */
export type MessageRecord<N extends MessageName> = FieldsOf<(typeof gatewayMessages)[N]['fields'][number]>

/** The part of a message that the table describes, without its frame: the sequence number, template and time. */
type Framed<Shape> = Omit<Shape, 'template' | 'sequence' | 'timestamp'>

/**
 * A message as JSON, for a session with this version of the schema. `Shape` is the documented type of the message; a
 * test checks that the table has the same words.
 */
export function messageJson<Shape extends { readonly message: MessageName }>(
  name: Shape['message'],
  record: MessageRecord<Shape['message']>,
  version: number,
): Framed<Shape> {
  const written = { message: name }
  const { fields }: { readonly fields: readonly MessageField[] } = gatewayMessages[name]
  writeFields(written, fields, record, version, undefined)
  // The table has the words of the shape.
  return written as unknown as Framed<Shape>
}

/** A row of values by the names of their fields. */
interface AnyRecord {
  readonly [name: string]: unknown
}

/** A JSON object under construction. */
interface JsonFields {
  [word: string]: unknown
}

function writeFields(
  written: JsonFields,
  fields: readonly MessageField[],
  source: object,
  version: number,
  /** The instrument of the message, for rows without an instrument. */
  ownInstrument: Instrument | undefined,
): void {
  const record = source as AnyRecord
  const instrument = (record['instrumentId'] as Instrument | undefined) ?? ownInstrument
  for (const { name, unit, word, since, rows } of fields) {
    const value = record[name]
    if (word === null || value === undefined || since > version) continue
    const isRows = unit === 'rows'
    writeWord(
      written,
      word,
      isRows
        ? (value as readonly object[]).map((row) => {
            const inner: JsonFields = {}
            writeFields(inner, rows, row, version, instrument)
            return inner
          })
        : valueJson(unit, value, instrument),
    )
  }
}

/** Sets a word; a dot in a word separates a nested object from its field. */
function writeWord(written: JsonFields, word: string, value: unknown): void {
  const at = word.indexOf('.')
  if (at < 0) {
    written[word] = value
    return
  }
  const part = word.slice(0, at)
  written[part] ??= {}
  writeWord(written[part] as JsonFields, word.slice(at + 1), value)
}

function valueJson(unit: Exclude<FieldUnit, 'rows'>, value: unknown, instrument: Instrument | undefined): unknown {
  if (value === null) return null
  // The values of a record have the types of their units.
  switch (unit) {
    case 'id':
      return `${value as number | string}`
    case 'ns':
      return nanosOut(value as Micros)
    case 'time':
      return timeOut(value as Micros)
    case 'price':
      return priceOut(value as Price9)
    case 'amount':
      assert(instrument !== undefined, 'a size belongs to an instrument')
      return amountOut(instrument, value as Lots)
    case 'level':
      return scaledToNumber(BigInt(value as number), LEVEL_SCALE)
    case 'instrument':
      return (value as Instrument).name
    case 'number':
    case 'seconds':
    case 'word':
    case 'flags':
    case 'flag':
    case 'text':
    case 'reason':
    case 'pair':
    case 'group':
      return value
    default:
      return unreachable(unit)
  }
}
