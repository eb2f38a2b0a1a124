/**
 * Terms of recording: the tables of a run beside the usual, and their format. They are terms of its tables alone,
 * which its digest knows nothing of. In the head of a journal the section is left out where it says nothing.
 */
import { type Micros, micros, z } from '../core/index.ts'
import { type TableFormat, tableFormats } from '../results/index.ts'

/** Terms of tables in the section `record` of a file, beside samples of equity and metrics. */
export interface RecordTerms {
  /** Format of the tables of a run folder. */
  readonly format: TableFormat
  /** How far rows of `quotes` lie apart; null for none. */
  readonly quotes: Micros | null
  /** How far snapshots of books lie apart, and how many levels of a side they show; null for none. */
  readonly bookSnapshot: { readonly every: Micros; readonly depth: number } | null
  /** Lengths of bars of trades, from the shortest to the longest. */
  readonly bars: readonly Micros[]
}

/** Terms of recording where nothing is said. */
export const usualRecord: RecordTerms = {
  format: 'arrow',
  quotes: null,
  bookSnapshot: null,
  bars: [],
}

/** Levels of a side that a snapshot of a book shows, where nothing is said, and at most. */
export const SNAPSHOT_DEPTH = 10
export const SNAPSHOT_DEPTH_MAX = 10_000
/** Lengths of bars in one run at most. */
export const BAR_INTERVALS_MAX = 20

const duration = z.int().min(1)

/** The form of the section. */
export const journalRecordSchema = z.strictObject({
  format: z.enum(tableFormats).optional(),
  quotes_micros: duration.optional(),
  book_snapshot: z
    .strictObject({ every_micros: duration, depth: z.int().min(1).max(SNAPSHOT_DEPTH_MAX) })
    .optional(),
  bars_micros: z.array(duration).min(1).max(BAR_INTERVALS_MAX).optional(),
})

/** The section, or nothing of the usual. */
export function encodeJournalRecord({ record }: { readonly record: RecordTerms }): {
  readonly record?: z.input<typeof journalRecordSchema>
} {
  const { format, quotes, bookSnapshot, bars } = record
  const section: z.input<typeof journalRecordSchema> = {}
  if (format !== usualRecord.format) section.format = format
  if (quotes !== null) section.quotes_micros = quotes
  if (bookSnapshot !== null) {
    section.book_snapshot = { every_micros: bookSnapshot.every, depth: bookSnapshot.depth }
  }
  if (bars.length > 0) section.bars_micros = [...bars]
  return Object.keys(section).length === 0 ? {} : { record: section }
}

/** The terms that a section says. */
export function readJournalRecord(
  section: z.output<typeof journalRecordSchema> | undefined,
): RecordTerms {
  const { format, quotes_micros: quotes, book_snapshot: book, bars_micros: bars } = section ?? {}
  return {
    format: format ?? usualRecord.format,
    quotes: quotes === undefined ? null : micros(quotes),
    bookSnapshot:
      book === undefined ? null : { every: micros(book.every_micros), depth: book.depth },
    bars: risingIntervals((bars ?? []).map(micros)),
  }
}

/** Each length of bars once, from the shortest to the longest. */
export function risingIntervals(intervals: readonly Micros[]): readonly Micros[] {
  return [...new Set(intervals)].sort((left, right) => left - right)
}
