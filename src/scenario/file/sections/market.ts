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
  description: 'A duration after `start`, or an ISO 8601 time with an offset.',
  examples: ['30s', '2026-01-05T08:00:00Z'],
})

const oneOrMore = <T extends z.ZodType>(one: T): z.ZodUnion<readonly [T, z.ZodArray<T>]> =>
  z.union([one, z.array(one).min(1)])

/** One feed: recorded rows of one kind for one instrument. */
export const feedFormat = z
  .strictObject({
    format: z.enum(textFormats).meta({
      description: 'Format of the recorded text; a tape of such text is recognised automatically.',
      examples: ['tardis.incremental_book_L2'],
    }),
    path: oneOrMore(text).meta({
      description:
        'Path of the file, relative to the folder of this file, or several paths in order of time. Plain, gzip or zstd.',
      examples: ['../../data/recorded-market/incremental_book_L2.csv.gz'],
    }),
    sha256: oneOrMore(sha256).optional().meta({
      description: 'SHA-256 of each file, or of the source of a tape. A file with another hash is refused.',
    }),
    instrument: text.meta({
      description: 'The instrument of this file that the feed records.',
      examples: ['BTC-PERPETUAL'],
    }),
    symbol: text.optional().meta({
      description: 'Symbol to read; required if the file has several.',
      examples: ['BTCUSD_PERP'],
    }),
    columns: feedColumnsSchema.optional(),
    queue: z
      .enum(queueModels)
      .optional()
      .meta({ description: 'Model of the queue positions of own orders in the recorded book.' }),
    clock: z
      .enum(feedClocks)
      .optional()
      .meta({ description: 'Clock that gives the times of rows (default: exchange).' }),
    mark: z
      .enum(feedMarks)
      .optional()
      .meta({
        description: 'Source of mark prices: recorded with an index, or computed by the venue (default: recorded).',
        examples: ['computed'],
      }),
    begin: z
      .enum(feedBeginnings)
      .optional()
      .meta({
        description:
          'Start of a book: at its first snapshot (default), from an empty book, or with its first message as a snapshot.',
        examples: ['first_message'],
      }),
    policy: feedPoliciesSchema.optional(),
    from: moment.optional(),
    to: moment.optional(),
  })
  .meta({ description: 'A recorded feed.' })

const duration = text.meta({ description: 'A duration (default: 0).', examples: ['2ms'] }).optional()

/** One strategy: a module that trades an account. */
export const strategyFormat = z
  .strictObject({
    account: text.meta({ description: 'The account that the strategy uses.', examples: ['maker'] }),
    module: text.meta({
      description: 'A TypeScript or JavaScript module whose default export is a strategy.',
      examples: ['./market-maker.ts'],
    }),
    params: z
      .unknown()
      .optional()
      .meta({ description: 'Parameters of the strategy.', examples: [{ half_spread: 25 }] }),
    latency: z
      .strictObject({ feed: duration, entry: duration, response: duration })
      .optional()
      .meta({
        description: 'Latency of recorded messages, of requests, and of replies with order changes and fills.',
        examples: [{ feed: '2ms', entry: '5ms', response: '5ms' }],
      }),
    strict: z.boolean().optional().meta({
      description: 'True if unknown callbacks and unknown parameters of requests end the run (default: true).',
    }),
  })
  .meta({ description: 'A strategy.' })
