/**
 * A cursor over the messages of one feed. It takes batches of the feed's files and returns messages in order.
 *
 * The cursor is starved while it has no message and its files have not ended; the reader of the files then adds a
 * batch. `skipTo` moves a cursor to the position of another one.
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
  /** Number of messages returned so far. */
  readonly messages: number
  /** Counts recorded by the consumers of messages, by file. */
  readonly noted: readonly NotedCounts[]
}

/** Checks that only the consumer of a message can make, with the expected and the found text for a refusal. */
const notedChecks = {
  crossed: ['a book that is not crossed', 'a bid at or above an ask'],
  unknown_removal: null,
  off_book: ['trades near the recorded book', 'a trade more than 0.5 % and ten ticks from its best prices'],
  out_of_life: ['rows between the listing and the delivery of the instrument', 'another row'],
} as const satisfies { readonly [C in FeedCheck]?: readonly [string, string] | null }

/** A check that only the consumer of a message can make. */
type NotedCheck = keyof typeof notedChecks

// The keys are those of the constant in this file.
const notedNames = Object.keys(notedChecks) as readonly NotedCheck[]

/** Count and first row of each of these checks in a file; a first row of 0 means none. */
export type NotedCounts = { readonly [C in NotedCheck]: readonly [count: number, first: number] }

/** The messages of one feed. */
export interface FeedCursor {
  readonly options: FeedCursorOptions
  /** True if the cursor has no message until a batch is added. */
  readonly isStarved: boolean
  /** True if the cursor needs no further batch: the files or the time window have ended. */
  readonly isEnded: boolean
  /** Takes a batch of the file with this index in `options.files`. The error names a refused row. */
  addBatch(batch: FeedBatch, file: number): Result<void, InputError>
  /** Takes facts that only the reader of a file knows. */
  endFile(file: number, totals: FeedTotals): void
  /** Ends the feed. Returns an error if a book never had a snapshot to begin with. */
  end(): Result<void, InputError>
  /** Time of the next message; Infinity at the end and while starved. */
  peekTime(): number
  /** The next message; undefined at the end, and while starved. */
  next(): MarketMessage | undefined
  /** Counts a finding of the consumer of a message; returns an error if the policy refuses it. */
  note(message: MarketMessage, check: NotedCheck, rows: number): Result<void, InputError>
  /** The checks of all files, in the order of the files and of `recordOrder`. */
  qualityRows(): QualityRow[]
  position(): CursorPosition
  /**
   * Moves a new cursor to a position of another one with the same options. The caller must add the same batches from
   * the first on; the cursor does not return the messages before the position again.
   */
  skipTo(position: CursorPosition): void
}

/** A cursor before the first row. */
export function createFeedCursor(options: FeedCursorOptions): FeedCursor {
  return new Cursor(options)
}

/** One class for all cursors, so that merging several stays fast. */
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
    if (totals.cutRecord !== undefined) countRows(quality, checkAt.cut, { rows: 1, row: totals.cutRecord })
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
      qualityRowsOf(feed, kind, defined(this.#prep.quality[file], 'a file has its counts'), policies),
    )
  }

  position(): CursorPosition {
    return {
      // Messages that are still to be skipped were returned before the position.
      messages: this.#given + this.#toSkip,
      noted: this.#prep.quality.map(({ counts, firstRows }) => {
        const pairs = notedNames.map((check) => {
          const at = checkAt[check]
          return [check, [counts[at] ?? 0, firstRows[at] ?? 0]] as const
        })
        // The list has a pair for each of the checks.
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

  /** Selects the first segment with messages left, and skips messages up to the restored position. */
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
