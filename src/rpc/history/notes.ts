/**
 * Histories of a run that is saved again and again: instead of the rows of the histories, a save keeps the log of the
 * run and the notes of this file. The histories are made of both again when the run is resumed.
 *
 * Notes are the facts that histories need and the log does not contain: equities of accounts at the time of an event,
 * recorded trades, and how many ended orders were forgotten. Each is a record of whole words, in the order in which the
 * histories received it: a head as in the log, then for an equity one integer of 64 bits; for forgotten orders the
 * number of the event before them and their count; for a recorded trade the header of its event and its columns.
 */
import { type Amount, amount, assert, micros, sequence } from '../../core/index.ts'
import {
  appendNumber,
  appendRecord,
  appendWide,
  codeAt,
  createLogBuffer,
  familyLayout,
  type LogBuffer,
  lengthAt,
  logBufferOf,
  type Print,
  recordBytes,
  reserve,
  rowAt,
  setHead,
} from '../../model/index.ts'

/** Where the notes and the log of a saved run are kept. */
export interface HistoryFile {
  /** Appends notes, which the caller may overwrite afterwards. */
  write(notes: Uint8Array): void
  /** All notes so far, in pieces as they were written. */
  notes(): Iterable<Uint8Array>
  /** The records of all events so far, in pieces of whole records. */
  log(): Iterable<Uint8Array>
}

const codes = { equity: 1, forgotten: 2, print: 3 } as const
const PAGE_WORDS = 8192
const HEADER_WORDS = 3
const printLayout = familyLayout('print', codes.print)

/** Takes the notes of a run and writes them to its file. */
export class HistoryNotes {
  readonly #file: HistoryFile
  readonly #buffer = createLogBuffer(PAGE_WORDS)
  #isComplete = true

  constructor(file: HistoryFile) {
    this.#file = file
  }

  /** True if log and notes give the histories again. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Called when `sim/restore` replaces the histories. Snapshots contain all their rows from then on. */
  stop(): void {
    this.#isComplete = false
  }

  /** Notes an equity that a history read. */
  equity(value: Amount): void {
    const from = this.#begin()
    appendWide(this.#buffer, value)
    this.#end(from, codes.equity)
  }

  /** Notes that the oldest ended orders were forgotten after the event of this number. */
  forgotten(number: number, count: number): void {
    const from = this.#begin()
    for (const value of [number, count]) appendNumber(this.#buffer, value)
    this.#end(from, codes.forgotten)
  }

  /** Notes a recorded trade, which the log does not contain. */
  print(event: Print): void {
    const from = this.#begin()
    for (const value of [event.number, event.time, event.cause]) appendNumber(this.#buffer, value)
    appendRecord(this.#buffer, printLayout, event)
    this.#end(from, codes.print)
  }

  /** Writes all notes to the file. */
  flush(): void {
    if (this.#buffer.at > 0) this.#file.write(recordBytes(this.#buffer))
    this.#buffer.at = 0
  }

  #begin(): number {
    if (this.#buffer.at >= PAGE_WORDS) this.flush()
    const from = this.#buffer.at
    reserve(this.#buffer, 1)
    this.#buffer.at += 1
    return from
  }

  #end(from: number, code: number): void {
    // Without a file that gives the histories again, nobody reads the notes.
    if (this.#isComplete) setHead(this.#buffer, from, code, 0)
    else this.#buffer.at = from
  }
}

/** Functions that receive notes without an equity. */
export interface NoteTakers {
  /** The oldest ended orders were forgotten. */
  forgotten(count: number): void
  /** A recorded trade. */
  print(event: Print): void
}

/** Reads notes piece by piece, along with the events of the log. */
export class NoteReader {
  readonly #pieces: Iterator<Uint8Array>
  readonly #takers: NoteTakers
  #buffer: LogBuffer = createLogBuffer(0)
  /** The word at which the next note begins. */
  #at = 0

  constructor(pieces: Iterable<Uint8Array>, takers: NoteTakers) {
    this.#pieces = pieces[Symbol.iterator]()
    this.#takers = takers
  }

  /** The next equity. */
  equity(): Amount {
    assert(this.#next() === codes.equity, 'the notes have each equity that a history read')
    const at = this.#take()
    return amount(this.#buffer.wides[at] as bigint)
  }

  /** Passes on the notes before an event. */
  passUntil(event: number): void {
    for (let code = this.#next(); code === codes.forgotten || code === codes.print; code = this.#next()) {
      const buffer = this.#buffer
      if ((buffer.doubles[this.#at + 1] as number) >= event) return
      const at = this.#take()
      if (code === codes.print) this.#takers.print(printAt(buffer, at))
      else this.#takers.forgotten(buffer.doubles[at + 1] as number)
    }
  }

  /** Passes on the notes after the last event. */
  end(): void {
    this.passUntil(Number.POSITIVE_INFINITY)
    assert(this.#next() === 0, 'each equity belongs to an event of the log')
  }

  /** The code of the next note; 0 at the end. */
  #next(): number {
    while (this.#at === this.#buffer.at) {
      const piece = this.#pieces.next()
      if (piece.done === true) return 0
      this.#buffer = logBufferOf(piece.value)
      this.#at = 0
    }
    return codeAt(this.#buffer, this.#at)
  }

  /** Moves behind the next note and returns its first word after the head. */
  #take(): number {
    const first = this.#at + 1
    this.#at += lengthAt(this.#buffer, this.#at)
    return first
  }
}

/** The recorded trade of a note. */
function printAt(buffer: LogBuffer, at: number): Print {
  const [number, time, cause] = buffer.doubles.subarray(at, at + HEADER_WORDS) as unknown as [number, number, number]
  const header = { kind: 'print', time: micros(time), number, cause: sequence(cause) }
  // A note of a recorded trade contains the columns of its family.
  return Object.assign(header, rowAt(buffer, printLayout, at + HEADER_WORDS)) as Print
}
