/** A feed in the head of a journal, with everything that is needed to read the same messages again. */
import {
  formatIsoTime,
  formatScaledNumber,
  instrumentId,
  type Micros,
  parseIsoTime,
  parseScaled,
  price9,
  z,
} from '../core/index.ts'
import {
  feedBeginnings,
  feedClocks,
  feedColumnsSchema,
  feedMarks,
  type feedPoliciesSchema,
  textFormats,
} from '../feeds/index.ts'
import { type FeedPolicy, feedPolicies, marketKinds, type TickStep } from '../model/index.ts'
import type { FeedSpec } from './scenario.ts'

const policy = z.enum(feedPolicies)
const decimal = z.string().refine((text) => {
  const parsed = parseScaled(text, 9)
  return parsed.ok && parsed.value > 0n && parsed.value <= BigInt(Number.MAX_SAFE_INTEGER)
}, 'a decimal above 0')
const moment = z.string().refine((text) => parseIsoTime(text).ok, 'an ISO 8601 time')

/** A feed in the head of a journal. */
export const journalFeedSchema = z.strictObject({
  format: z.enum(textFormats),
  kind: z.enum(marketKinds),
  files: z
    .array(
      z.strictObject({
        path: z.string(),
        sha256: z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 in lowercase hexadecimal'),
      }),
    )
    .min(1),
  instrument: z.string(),
  instrument_id: z.int().min(0),
  tick_size: decimal,
  // Absent if the tick size has no steps.
  tick_size_steps: z
    .array(z.strictObject({ above_price: z.union([z.literal('0'), decimal]), tick_size: decimal }))
    .optional(),
  // Absent if all prices are positive.
  negative_prices: z.literal(true).optional(),
  amount_step: decimal,
  symbol: z.string().nullable(),
  columns: feedColumnsSchema.nullable(),
  clock: z.enum(feedClocks),
  policy: z.strictObject({
    backward: policy,
    // Absent in journals of versions without this check, which accepted rows unchanged.
    disorder: policy.default('keep'),
    duplicate: policy,
    gap: policy,
    crossed: policy,
    off_grid: policy,
    empty: policy.default('skip'),
    off_book: policy.default('keep'),
    out_of_life: policy.default('skip'),
    // Earlier versions read such a line unchanged.
    cut: policy.default('keep'),
  } satisfies {
    readonly [K in keyof z.infer<typeof feedPoliciesSchema>]-?: z.ZodType<FeedPolicy>
  }),
  // Absent in journals of versions that did not read mark prices.
  mark: z.enum(feedMarks).nullable().optional(),
  // Absent in journals of versions that supported only one beginning.
  begin: z.enum(feedBeginnings).nullable().optional(),
  from: moment.nullable(),
  to: moment.nullable(),
})

type JournalFeed = z.infer<typeof journalFeedSchema>

/** A feed whose hashes are known, as JSON. */
export function encodeJournalFeed(feed: FeedSpec): JournalFeed {
  const { format, kind, instrument, units, symbol, columns, clock, policies } = feed
  return {
    format,
    kind,
    files: feed.paths.map((path, at) => ({ path, sha256: feed.pinned?.[at] ?? '' })),
    instrument,
    instrument_id: units.id,
    tick_size: formatScaledNumber(units.tick9, 9),
    ...(units.tickSteps.length === 0 ? {} : { tick_size_steps: units.tickSteps.map(stepOut) }),
    ...(units.mayBeNegative === true ? { negative_prices: true as const } : {}),
    amount_step: formatScaledNumber(units.amountStep9, 9),
    symbol,
    columns,
    clock,
    policy: { ...policies },
    mark: feed.mark,
    begin: feed.begin,
    from: feed.from === null ? null : formatIsoTime(feed.from),
    to: feed.to === null ? null : formatIsoTime(feed.to),
  }
}

/** The feed of an entry in a journal. */
export function readJournalFeed(feed: JournalFeed): FeedSpec {
  const { format, kind, instrument, symbol, columns, clock, policy } = feed
  return {
    format,
    kind,
    paths: feed.files.map(({ path }) => path),
    pinned: feed.files.map(({ sha256 }) => sha256),
    instrument,
    units: {
      id: instrumentId(feed.instrument_id),
      tick9: nanoOf(feed.tick_size),
      tickSteps: (feed.tick_size_steps ?? []).map((step) => ({
        above: price9(nanoOf(step.above_price)),
        tick9: nanoOf(step.tick_size),
      })),
      amountStep9: nanoOf(feed.amount_step),
      ...(feed.negative_prices === true ? { mayBeNegative: true } : {}),
    },
    symbol,
    checksSymbol: false,
    columns,
    clock,
    policies: policy,
    mark: kind === 'index' ? (feed.mark ?? 'computed') : null,
    begin: kind === 'book' ? (feed.begin ?? 'snapshot') : null,
    from: timeOf(feed.from),
    to: timeOf(feed.to),
  }
}

function stepOut({ above, tick9 }: TickStep): { above_price: string; tick_size: string } {
  return { above_price: formatScaledNumber(above, 9), tick_size: formatScaledNumber(tick9, 9) }
}

function nanoOf(text: string): number {
  const parsed = parseScaled(text, 9)
  return parsed.ok ? Number(parsed.value) : 0
}

function timeOf(text: string | null): Micros | null {
  const parsed = text === null ? null : parseIsoTime(text)
  return parsed?.ok === true ? parsed.value : null
}
