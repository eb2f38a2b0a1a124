/**
 * A cursor over the messages of one feed: batches of its files go in, messages come out in order.
 *
 * The cursor is starved while it has no message and its files are not at their end; then whoever reads
 * the files adds a batch. A cursor can be brought to where another one was: see `skipTo`.
 */
import { assert, defined, err, type InputError, ok, type Result } from '../../core/index.ts'
import type { FeedCheck, MarketMessage } from '../../model/index.ts'
import type { FeedBatch } from '../batch.ts'
import type { FeedTotals } from '../reader/reader.ts'
import type { FeedCursorOptions, Preparation, Segment } from './judgement.ts'
import { createPreparation, endFiles, messageAt, missingSnapshot, prepareBatch } from './preparation.ts'
import { checkAt, countRows, type QualityRow, qualityRowsOf } from './quality.ts'

/** Position of a cursor, as plain data for snapshots. */
export interface CursorPosition {
  /** Messages handed out. */
  readonly messages: number
  /** Counts that the consumers of messages have noted, by file. */
  readonly noted: readonly NotedCounts[]
}

/** Checks that only those who apply a message can make, and what each expects and finds where it is refused. */
const notedChecks = {
  crossed: ['a book that is not crossed', 'a bid at or above an ask'],
  unknown_removal: null,
  off_book: ['trades near the recorded book', 'a trade more than 0.5 % and ten ticks from its best prices'],
  out_of_life: ['rows between the listing and the delivery of the instrument', 'another row'],
} as const satisfies { readonly [C in FeedCheck]?: readonly [string, string] | null }

/** A check that only those who apply a message can make. */
export type NotedCheck = keyof typeof notedChecks

// The keys of a constant of this file.
const notedNames = Object.keys(notedChecks) as readonly NotedCheck[]

/** Count and first row of each of these checks of a file; a first row of 0 stands for none. */
export type NotedCounts = { readonly [C in NotedCheck]: readonly [count: number, first: number] }

/** The messages of one feed. */
export interface FeedCursor {
  readonly options: FeedCursorOptions
  /** True if nothing comes but what is added. */
  readonly isStarved: boolean
  /** True if the cursor needs no further batch: the files or the time window have ended. */
  readonly isEnded: boolean
  /** Takes a batch of the file at this place of `options.files`, or says which row is refused. */
  addBatch(batch: FeedBatch, file: number): Result<void, InputError>
  /** Takes what only the reader of a file knows. */
  endFile(file: number, totals: FeedTotals): void
  /** The last file has ended. An error where a book never had a snapshot to begin at. */
  end(): Result<void, InputError>
  /** Time of the next message; infinite at the end, and while starved. */
  peekTime(): number
  /** The next message; undefined at the end, and while starved. */
  next(): MarketMessage | undefined
  /** Counts what applying a message showed; an error where the policy says so. */
  note(message: MarketMessage, check: NotedCheck, rows: number): Result<void, InputError>
  /** The checks of all files, in the order of the files and of `recordOrder`. */
  qualityRows(): QualityRow[]
  position(): CursorPosition
  /**
   * Brings a new cursor to a position of another with the same options. It has to be fed the same
   * batches from the first on; the messages before the position do not come out again.
   */
  skipTo(position: CursorPosition): void
}

/** A cursor before the first row. */
export function createFeedCursor(options: FeedCursorOptions): FeedCursor {
  return new Cursor(options)
}

/** One shape for all cursors, so that the merge of several stays fast. */
class Cursor implements FeedCursor {
  readonly options: FeedCursorOptions
  readonly #prep: Preparation
  #segment: Segment | undefined
  #given = 0
  #toSkip = 0
  #hasEnded = false

  constructor(options: FeedCursorOptions) {
    this.options = options
    this.#prep = createPreparation(options)
  }

  get isStarved(): boolean {
    return this.#segment === undefined && !this.isEnded
  }

  get isEnded(): boolean {
    return this.#hasEnded || this.#prep.isOver
  }

  addBatch(batch: FeedBatch, file: number): Result<void, InputError> {
    assert(!this.#hasEnded, 'a feed that ended takes no batch')
    const fault = prepareBatch(this.#prep, batch, file)
    if (fault !== null) return err(fault)
    this.#takeSegments()
    return ok(undefined)
  }

  endFile(file: number, totals: FeedTotals): void {
    const quality = defined(this.#prep.quality[file], 'a file has its counts')
    const found = { rows: totals.otherSymbols, row: totals.firstOtherSymbol ?? 0 }
    countRows(quality, checkAt.other_symbol, found)
    const { cutRecord } = totals
    if (cutRecord !== undefined) countRows(quality, checkAt.cut, { rows: 1, row: cutRecord })
  }

  end(): Result<void, InputError> {
    assert(!this.#hasEnded, 'a feed ends once')
    this.#hasEnded = true
    endFiles(this.#prep)
    this.#takeSegments()
    const fault = missingSnapshot(this.#prep)
    return fault === null ? ok(undefined) : err(fault)
  }

  peekTime(): number {
    const segment = this.#segment
    return segment === undefined ? Number.POSITIVE_INFINITY : (segment.times[segment.next] as number)
  }

  next(): MarketMessage | undefined {
    const segment = this.#segment
    if (segment === undefined) return undefined
    const message = messageAt(this.options, segment, segment.next)
    this.#given += 1
    segment.next += 1
    if (segment.next === segment.messages) this.#segment = this.#prep.segments.shift()
    return message
  }

  note(message: MarketMessage, check: NotedCheck, rows: number): Result<void, InputError> {
    const row = message.rows.row[message.from] ?? 0
    const file = this.#fileOf(message)
    const quality = defined(this.#prep.quality[file], 'a file has its counts')
    countRows(quality, checkAt[check], { rows, row })
    const words = notedChecks[check]
    if (check === 'unknown_removal' || words === null) return ok(undefined)
    if (this.options.policies[check] !== 'fail') return ok(undefined)
    const { name } = defined(this.options.files[file], 'a file has its name')
    const [expected, found] = words
    return err({ code: 'ORDER', file: name, line: row + 1, expected, found })
  }

  qualityRows(): QualityRow[] {
    const { kind, files, policies } = this.options
    return files.flatMap(({ feed }, file) =>
      qualityRowsOf({ feed, kind }, defined(this.#prep.quality[file], 'a file has its counts'), policies),
    )
  }

  position(): CursorPosition {
    return {
      // What is still to be skipped was handed out before.
      messages: this.#given + this.#toSkip,
      noted: this.#prep.quality.map(({ counts, firstRows }) => {
        const pairs = notedNames.map((check) => {
          const at = checkAt[check]
          return [check, [counts[at] ?? 0, firstRows[at] ?? 0]] as const
        })
        // A pair for each of the checks.
        return Object.fromEntries(pairs) as NotedCounts
      }),
    }
  }

  skipTo(position: CursorPosition): void {
    assert(this.#given === 0 && this.#prep.segments.length === 0, 'only a new cursor is moved to a position')
    assert(position.noted.length === this.options.files.length, 'a position is of the same files')
    this.#toSkip = position.messages
    for (const [file, noted] of position.noted.entries()) {
      const quality = defined(this.#prep.quality[file], 'a file has its counts')
      for (const check of notedNames) {
        const [rows, row] = noted[check]
        countRows(quality, checkAt[check], { rows, row })
      }
    }
  }

  #fileOf(message: MarketMessage): number {
    const file = this.options.files.findIndex(({ feed }) => feed === message.feed)
    assert(file >= 0, 'a message is of a file of its feed')
    return file
  }

  /** Makes the first segment that is not used up the one at work; skips what is to be skipped. */
  #takeSegments(): void {
    const { segments } = this.#prep
    this.#segment ??= segments.shift()
    while (this.#toSkip > 0 && this.#segment !== undefined) {
      const segment = this.#segment
      const skipped = Math.min(this.#toSkip, segment.messages - segment.next)
      segment.next += skipped
      this.#toSkip -= skipped
      this.#given += skipped
      if (segment.next < segment.messages) return
      this.#segment = segments.shift()
    }
  }
}
