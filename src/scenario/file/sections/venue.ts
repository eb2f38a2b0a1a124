/**
 * The sections of a scenario file that set up the exchange and say what is recorded.
 */
import { z } from '../../../core/index.ts'
import {
  feeProfiles,
  markModes,
  selfMatchModes,
  settlementCurrencies,
} from '../../../model/index.ts'
import { tableFormats } from '../../../results/index.ts'
import { historyShape } from '../../history-limits.ts'
import { BAR_INTERVALS_MAX, SNAPSHOT_DEPTH, SNAPSHOT_DEPTH_MAX } from '../../journal-record.ts'
import { decimal, fraction, limit } from './decimals.ts'
import { protectionFormat } from './protection.ts'
import { rateLimitFormat } from './rate-limits.ts'
import { riskFormat } from './risk.ts'
import { walletFormat } from './wallet.ts'

const text = z.string()

/** Money that is no debt. */
const fundMoney = decimal.meta({ type: 'number', minimum: 0, examples: [0.5] })

/** Settings of the exchange. */
export const venueFormat = z
  .strictObject({
    price_bands: z
      .boolean()
      .optional()
      .meta({ description: 'Whether orders outside the price band are refused; else true.' }),
    self_match: z
      .enum(selfMatchModes)
      .optional()
      .meta({
        description: 'What happens when an order would meet one of its own account.',
        examples: ['reject_taker'],
      }),
    open_order_limits: z
      .strictObject({
        total: limit,
        future: limit,
        option: limit,
        spot: limit,
        triggers: limit,
        secondaries: limit,
      })
      .optional()
      .meta({
        description:
          'Most open orders of one account: in all, by kind, trigger orders of one source, and secondaries before their turn.',
        examples: [{ total: 100 }],
      }),
    marks: z
      .enum(markModes)
      .optional()
      .meta({
        description:
          'Whether futures and perpetuals have the mark price that the venue computes, or that of their index; else venue.',
        examples: ['index'],
      }),
    listed_futures: z
      .array(text)
      .optional()
      .meta({
        description: "Pairs whose dated futures are listed by the venue's schedule; else none.",
        uniqueItems: true,
        examples: [['BTC', 'ETH_USDC']],
      }),
    listed_options: z
      .array(text)
      .optional()
      .meta({
        description:
          "Pairs whose options are listed by the venue's schedule, with strikes around the index from its first value on; else none.",
        uniqueItems: true,
        examples: [['BTC', 'SOL_USDC']],
      }),
    history_limits: z
      .strictObject(historyShape)
      .optional()
      .meta({
        description:
          'How much queries can look back to at least, each from 1; what is left out is as src/rpc/README.md tells.',
        examples: [{ trades: 1_000_000 }],
      }),
    settlement_time: text.optional().meta({
      description:
        'How long books stay closed at 08:00 UTC, at most 1h; else they settle in an instant. Cash changes at 08:00:00 either way.',
      examples: ['50ms'],
    }),
    insurance_fund: z
      .partialRecord(z.enum(settlementCurrencies), fundMoney)
      .optional()
      .meta({
        description:
          'What the insurance fund holds at the start, by currency; else 100 BTC, 100 ETH, 1,000,000 USDC and 1,000,000 USDT.',
        examples: [{ BTC: 0.5 }],
      }),
    fees: z
      .enum(feeProfiles)
      .optional()
      .meta({ description: 'Whose fees instruments have; else default.', examples: ['aug_2026'] }),
    funding_dampers: z
      .array(
        z.strictObject({
          from: text.meta({
            description:
              'From when on, in ISO 8601 with its offset; of the first, up to the start.',
            examples: ['2019-01-01T00:00:00Z'],
          }),
          rate: fraction.meta({
            description: 'The premium that is free, a fraction with up to 8 decimals.',
            examples: [0.0005],
          }),
        }),
      )
      .min(1)
      .optional()
      .meta({
        description: 'Premiums that are free of funding, of all perpetuals, in the order of time.',
        examples: [[{ from: '2019-01-01T00:00:00Z', rate: 0.0005 }]],
      }),
    ...riskFormat,
    ...protectionFormat,
    ...rateLimitFormat,
    ...walletFormat,
  })
  .meta({ description: "Settings of the exchange; what is left out is the venue's own." })

/** Format of the section `record`. */
export const recordFormat = z
  .strictObject({
    book: z.boolean().optional().meta({ description: 'Every change of a price level.' }),
    feed: z.boolean().optional().meta({ description: 'Every recorded trade.' }),
    equity: text.optional().meta({
      description:
        'Equity of all accounts at whole multiples of this since 1970-01-01T00:00Z, so that 1h is on whole hours and 7h is not on midnight; else at 08:00 and at the end alone.',
      examples: ['1h'],
    }),
    quotes: text.optional().meta({
      description:
        'Best bid and ask of every book, with their middle, at whole multiples of this since 1970-01-01T00:00Z.',
      examples: ['100ms'],
    }),
    book_snapshot: z
      .strictObject({
        every: text.meta({
          description: 'Snapshots stand at whole multiples of this since 1970-01-01T00:00Z.',
          examples: ['1s'],
        }),
        depth: z
          .int()
          .min(1)
          .max(SNAPSHOT_DEPTH_MAX)
          .optional()
          .meta({ description: `Levels of each side; else ${SNAPSHOT_DEPTH}.`, examples: [10] }),
      })
      .optional()
      .meta({
        description: 'Levels of every book at an interval.',
        examples: [{ depth: 10, every: '1s' }],
      }),
    bars: z
      .union([text, z.array(text).min(1).max(BAR_INTERVALS_MAX)])
      .optional()
      .meta({
        description:
          'Bars of the trades of every instrument, recorded ones included: their length, or several lengths.',
        examples: ['1m', ['1m', '1h']],
      }),
    metrics: z
      .strictObject({
        every: text.optional().meta({
          description:
            'The period of returns, which ends at whole multiples of this since 1970-01-01T00:00Z; else 1d.',
          examples: ['1h'],
        }),
        periods_per_year: decimal.optional().meta({
          description:
            'Periods that ratios of a year count; else those of 365 days. Other libraries take 252 days.',
          examples: [252],
        }),
        risk_free: decimal
          .optional()
          .meta({ description: 'Risk-free rate of a year; else 0.', examples: [0.02] }),
        benchmark: text.optional().meta({
          description: 'The index that is held for comparison; else that of the first instrument.',
          examples: ['btc_usd'],
        }),
      })
      .optional()
      .meta({ description: 'How metrics are computed.', examples: [{ every: '1h' }] }),
    format: z
      .enum(tableFormats)
      .optional()
      .meta({
        description: 'Format of the tables of a run folder; else arrow.',
        examples: ['parquet'],
      }),
  })
  .meta({ description: 'What is recorded beside the usual.', examples: [{ book: true }] })
