/**
 * Quality checks of recorded rows: their meaning, the policy that decides, and their counts.
 *
 * Nothing is repaired silently: every check counts, and a policy decides about some of them. Source: DESIGN 5.
 *
 * | Check | Counts | Policy |
 * |---|---|---|
 * | rows | rows of the wanted symbol that the cursor has seen | |
 * | messages | recorded messages that the cursor returned | |
 * | snapshots | messages that replace the book | |
 * | other_symbol | rows of other symbols, skipped by the reader | |
 * | before_snapshot | rows of a book without a preceding snapshot: skipped | |
 * | backward | rows whose time is before the time of an earlier row | keep: the message has the greatest time so far |
 * | disorder | rows far behind the earlier rows or the previous file: more than jitter can explain | fail |
 * | duplicate | rows that repeat an earlier row, also one of an earlier file of the feed | skip |
 * | gap | rows before which some are missing | keep; skip: a book is skipped until its next snapshot |
 * | crossed | messages after which the book was crossed; counted by their consumer | keep |
 * | off_grid | rows whose price or amount is not a whole tick or lot | fail |
 * | empty | trades with amount 0, as recorded or in whole lots: without effect | skip |
 * | off_book | trades far from the recorded book (`OFF_BOOK_PPM`); counted by their consumer | skip |
 * | out_of_life | rows before the listing or (book, trades) after the delivery; counted by their consumer | skip |
 * | cut | a last line without newline, perhaps incomplete; the reader counts it and refuses, skips or reads it | fail |
 * | left_out | trades selected by `leave_out` of the columns, such as blocks and legs: skipped | |
 * | unknown_side | trades without a recorded taker's side | |
 * | outside_window | rows before the time window, and rows seen after it | |
 * | unknown_removal | removals of levels that do not exist; counted by their consumer | |
 */
import { z } from '../../core/index.ts'
import { type FeedCheck, type FeedPolicy, feedChecks, feedPolicies, type MarketKind } from '../../model/index.ts'

/** The index of a check among the counts of a file. */
export const checkAt = Object.fromEntries(feedChecks.map((check, at) => [check, at])) as {
  // Its keys are the names of the checks.
  readonly [C in FeedCheck]: number
}

/** Checks that have a record only if they found something, so that digests of other runs stay unchanged. */
const rareChecks: ReadonlySet<FeedCheck> = new Set(['disorder', 'empty', 'off_book', 'out_of_life', 'left_out', 'cut'])

/** The order of a file's records, which digests depend on. Checks of rows that were not read come last. */
export const recordOrder: readonly FeedCheck[] = [
  ...feedChecks.filter((check) => check !== 'outside_window' && check !== 'unknown_removal' && !rareChecks.has(check)),
  ...(['outside_window', 'unknown_removal'] as const),
  ...rareChecks,
]

/** Checks with a policy. */
export type PolicyCheck =
  | 'backward'
  | 'disorder'
  | 'duplicate'
  | 'gap'
  | 'crossed'
  | 'off_grid'
  | 'empty'
  | 'off_book'
  | 'out_of_life'
  | 'cut'

/** The policies of the checks. */
export type FeedPolicies = { readonly [C in PolicyCheck]: FeedPolicy }

/** The default policies. */
export const defaultPolicies: FeedPolicies = {
  backward: 'keep',
  disorder: 'fail',
  duplicate: 'skip',
  gap: 'keep',
  crossed: 'keep',
  off_grid: 'fail',
  empty: 'skip',
  off_book: 'skip',
  out_of_life: 'skip',
  cut: 'fail',
}

const policy = z.enum(feedPolicies).optional()

/** Policies of a feed in a scenario. */
export const feedPoliciesSchema = z
  .strictObject({
    backward: policy.meta({
      description: 'Rows with an earlier time than a row before them; kept rows get the latest time so far.',
      examples: ['keep'],
    }),
    disorder: policy.meta({
      description:
        "Rows more than a minute behind the recorder's clock, or of a file that begins before the previous file (default: fail).",
      examples: ['fail'],
    }),
    duplicate: policy.meta({
      description: 'Repeated rows (default: skip).',
      examples: ['skip'],
    }),
    gap: policy.meta({
      description: 'Missing rows; skip excludes a book until its next snapshot.',
      examples: ['keep'],
    }),
    crossed: policy.meta({
      description: 'Messages after which a bid is at or above an ask.',
      examples: ['keep'],
    }),
    off_grid: policy.meta({
      description: 'Prices and amounts that are not whole ticks and lots (default: fail).',
      examples: ['fail'],
    }),
    off_book: policy.meta({
      description:
        'Trades more than 0.5 % and ten ticks below the recorded best bid or above the best ask, such as legs of combos and blocks (default: skip).',
      examples: ['keep'],
    }),
    out_of_life: z
      .enum(['fail', 'skip'])
      .optional()
      .meta({
        description:
          'Rows before the listing of their instrument, and rows of a book or trades after its delivery (default: skip).',
        examples: ['fail'],
      }),
    empty: z
      .enum(['fail', 'skip'])
      .optional()
      .meta({
        description: 'Trades of amount 0, as recorded or in whole lots (default: skip).',
        examples: ['skip'],
      }),
    cut: policy.meta({
      description: 'A last line without a newline, whose last cell may be incomplete (default: fail).',
      examples: ['skip'],
    }),
  })
  .meta({ description: 'Policies for faulty rows.' })

/** Counts of one file. */
export interface FileQuality {
  /** A count for each check, by its index. */
  readonly counts: Float64Array
  /** The first row of each check; 0 without one. */
  readonly firstRows: Float64Array
}

/** One check of one file, as a record. */
export interface QualityRow {
  /** Number of the file among all files of the run's feeds. */
  readonly feed: number
  readonly kind: MarketKind
  readonly check: FeedCheck
  /** The policy of the check; null for a count without a policy. */
  readonly policy: FeedPolicy | null
  readonly count: number
  readonly firstRow: number | null
}

/** Counts of a file before its first row. */
export function createFileQuality(): FileQuality {
  return {
    counts: new Float64Array(feedChecks.length),
    firstRows: new Float64Array(feedChecks.length),
  }
}

/** Counts rows of a check; `row` is the first of them. */
export function countRows(quality: FileQuality, at: number, found: RowsFound): void {
  if (found.rows === 0) return
  quality.counts[at] = (quality.counts[at] as number) + found.rows
  if (quality.firstRows[at] === 0) quality.firstRows[at] = found.row
}

/** A number of rows, and the number of the first one. */
interface RowsFound {
  readonly rows: number
  readonly row: number
}

/** The checks of a file as records, in their documented order. */
export function qualityRowsOf(
  feed: number,
  kind: MarketKind,
  quality: FileQuality,
  policies: FeedPolicies,
): QualityRow[] {
  const asked: Readonly<Partial<Record<FeedCheck, FeedPolicy>>> = policies
  return recordOrder.flatMap((check) => {
    const at = checkAt[check]
    if (quality.counts[at] === 0 && rareChecks.has(check)) return []
    const row = {
      feed,
      kind,
      check,
      policy: asked[check] ?? null,
      count: quality.counts[at] as number,
      firstRow: quality.firstRows[at] === 0 ? null : (quality.firstRows[at] as number),
    }
    return [row]
  })
}
