/**
 * Writers and readers of the records of marks and indices. A market of options has hundreds of them each second. See
 * `order-records.ts`.
 */
import {
  type InstrumentId,
  instrumentId,
  type Mutable,
  micros,
  type Price9,
  price9,
  sequence,
} from '../../../core/index.ts'
import { markSources } from '../../words/trades.ts'
import type { EventOf, EventRow } from '../event.ts'
import { type ColumnWays, handColumns, layoutOfFamily } from './layout.ts'
import { appendNumber, appendText, type LogBuffer, nextText, reserve, WORD_BYTES } from './log-buffer.ts'
import { bitsAt, codeOfWord, setHead } from './records.ts'

/** A mark that is filled from records. */
type FilledMark = Mutable<EventOf<'mark'>>

/** An index that is filled from records. */
type FilledIndex = Mutable<EventOf<'index'>>

const { words: markWords, code: markCode } = layoutOfFamily('mark')
const { places: inMark, bits: markBits } = handColumns('mark', {
  instrument: 'place',
  price: 'place',
  index: 'place',
  source: 'place',
  option: 'bit',
} as const satisfies ColumnWays<EventRow<'mark'>>)
const { option: optionBit } = markBits

/** Appends the record of a mark. */
export function appendMark(buffer: LogBuffer, event: EventOf<'mark'>): void {
  const from = buffer.at
  reserve(buffer, markWords)
  // The last word contains the instrument, a code and zeros. Clear it first.
  buffer.doubles[from + markWords - 1] = 0
  buffer.doubles[from + inMark.price] = event.price + 0
  buffer.doubles[from + inMark.index] = event.index + 0
  buffer.ints[2 * from + inMark.instrument] = event.instrument
  buffer.bytes[from * WORD_BYTES + inMark.source] = codeOfWord(markSources, event.source)
  buffer.at = from + markWords
  const { option } = event
  if (option !== null) {
    appendNumber(buffer, option.volatility9)
    appendNumber(buffer, option.forward)
  }
  setHead(buffer, from, markCode, option === null ? 0 : optionBit)
}

/** A blank mark event. */
export function blankMark(): FilledMark {
  return {
    kind: 'mark',
    time: micros(0),
    number: 0,
    cause: sequence(0),
    instrument: instrumentId(0),
    price: price9(0),
    index: price9(0),
    source: 'index',
    option: null,
  }
}

/** Fills an event from the record of a mark; the reader sets its header. */
export function fillMark(event: FilledMark, buffer: LogBuffer, from: number): void {
  const source = buffer.bytes[from * WORD_BYTES + inMark.source] as number
  // A record contains the values of an event, so each value read has the unit with which it was written.
  event.instrument = buffer.ints[2 * from + inMark.instrument] as InstrumentId
  event.price = buffer.doubles[from + inMark.price] as Price9
  event.index = buffer.doubles[from + inMark.index] as Price9
  event.source = markSources[source - 1] as FilledMark['source']
  event.option = null
  if ((bitsAt(buffer, from) & optionBit) === 0) return
  const volatility9 = buffer.doubles[from + markWords] as number
  event.option = { volatility9, forward: buffer.doubles[from + markWords + 1] as Price9 }
}

const { words: indexWords, code: indexCode } = layoutOfFamily('index')
const { places: inIndex } = handColumns('index', {
  index: 'behind',
  price: 'place',
} as const satisfies ColumnWays<EventRow<'index'>>)

/** Appends the record of an index. */
export function appendIndex(buffer: LogBuffer, event: EventOf<'index'>): void {
  const from = buffer.at
  reserve(buffer, indexWords)
  buffer.doubles[from + inIndex.price] = event.price + 0
  buffer.at = from + indexWords
  appendText(buffer, event.index)
  setHead(buffer, from, indexCode, 0)
}

/** A blank index event. */
export function blankIndex(): FilledIndex {
  return {
    kind: 'index',
    time: micros(0),
    number: 0,
    cause: sequence(0),
    index: '',
    price: price9(0),
  }
}

/** Fills an event from the record of an index; the reader sets its header. */
export function fillIndex(event: FilledIndex, buffer: LogBuffer, from: number): void {
  event.price = buffer.doubles[from + inIndex.price] as Price9
  event.index = nextText({ buffer, at: from + indexWords })
}
