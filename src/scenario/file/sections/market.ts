/**
 * The sections of a scenario file that make a backtest: recorded feeds and strategies.
 */
import { z } from '../../../core/index.ts'
import {
  feedBeginnings,
  feedClocks,
  feedColumnsSchema,
  feedMarks,
  feedPoliciesSchema,
  textFormats,
} from '../../../feeds/index.ts'
import { queueModels } from '../../../model/index.ts'

const text = z.string().min(1)
const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/, 'a SHA-256 in lowercase hexadecimal')
  .meta({ examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'] })

const moment = text.meta({
  description: 'A duration from `start`, or a point of time in ISO 8601 with its offset.',
  examples: ['30s', '2026-01-05T08:00:00Z'],
})

const oneOrMore = <T extends z.ZodType>(one: T): z.ZodUnion<readonly [T, z.ZodArray<T>]> =>
  z.union([one, z.array(one).min(1)])

/** One feed: recorded rows of one sort for one instrument. */
export const feedFormat = z
  .strictObject({
    format: z.enum(textFormats).meta({
      description:
        'Format of the recorded text; a tape that was converted from it is recognised by itself.',
      examples: ['tardis.incremental_book_L2'],
    }),
    path: oneOrMore(text).meta({
      description:
        'The file, from the folder of this one; several follow each other in time. Plain, gzip or zstd.',
      examples: ['../../data/recorded-market/incremental_book_L2.csv.gz'],
    }),
    sha256: oneOrMore(sha256).optional().meta({
      description:
        'SHA-256 of each file, of a tape that of what it was converted from; another one is refused.',
    }),
    instrument: text.meta({
      description: 'The instrument of this file whose market it is.',
      examples: ['BTC-PERPETUAL'],
    }),
    symbol: text.optional().meta({
      description: 'Which symbol of the feed; needed where its file holds several.',
      examples: ['BTCUSD_PERP'],
    }),
    columns: feedColumnsSchema.optional(),
    queue: z
      .enum(queueModels)
      .optional()
      .meta({ description: 'How places of own orders in recorded queues are modelled.' }),
    clock: z
      .enum(feedClocks)
      .optional()
      .meta({ description: "Whose clock counts: else the exchange's." }),
    mark: z
      .enum(feedMarks)
      .optional()
      .meta({
        description:
          'Whether the mark prices beside an index count, or the venue computes them; else recorded.',
        examples: ['computed'],
      }),
    begin: z
      .enum(feedBeginnings)
      .optional()
      .meta({
        description:
          'Where a book begins: at its first snapshot (default), from an empty book, or with its first message as a snapshot.',
        examples: ['first_message'],
      }),
    policy: feedPoliciesSchema.optional(),
    from: moment.optional(),
    to: moment.optional(),
  })
  .meta({ description: 'A recorded feed.' })

const duration = text.meta({ description: 'A duration; else 0.', examples: ['2ms'] }).optional()

/** One strategy: a module that trades an account. */
export const strategyFormat = z
  .strictObject({
    account: text.meta({ description: 'The account it trades.', examples: ['maker'] }),
    module: text.meta({
      description: 'A TypeScript or JavaScript module whose default export is a strategy.',
      examples: ['./market-maker.ts'],
    }),
    params: z
      .unknown()
      .optional()
      .meta({ description: 'What the strategy takes.', examples: [{ half_spread: 25 }] }),
    latency: z
      .strictObject({ feed: duration, entry: duration, response: duration })
      .optional()
      .meta({
        description:
          'How long recorded messages, requests, and replies with order changes and fills travel.',
        examples: [{ feed: '2ms', entry: '5ms', response: '5ms' }],
      }),
    strict: z.boolean().optional().meta({
      description:
        'Whether callbacks and parameters of requests that nobody knows end the run. Default: true.',
    }),
  })
  .meta({ description: 'A strategy.' })
