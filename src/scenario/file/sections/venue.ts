/**
 * The sections of a scenario file that set up the exchange and say what is recorded.
 */
import { z } from '../../../core/index.ts'
import { metricsSettings, tableFormats } from '../../../results/index.ts'
import { BAR_INTERVALS_MAX, SNAPSHOT_DEPTH, SNAPSHOT_DEPTH_MAX } from '../../journal-record.ts'
import { sectionShape, settingFormat } from './settings.ts'

const text = z.string()

/** Settings of the exchange. */
export const venueFormat = z
  .strictObject(sectionShape('venue'))
  .meta({ description: "Settings of the exchange; what is left out is the venue's own." })

/** Format of the section `record`. */
export const recordFormat = z
  .strictObject({
    ...sectionShape('record'),
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
    metrics: settingFormat(metricsSettings.metrics),
    format: z
      .enum(tableFormats)
      .optional()
      .meta({
        description: 'Format of the tables of a run folder; else arrow.',
        examples: ['parquet'],
      }),
  })
  .meta({ description: 'What is recorded beside the usual.', examples: [{ book: true }] })
