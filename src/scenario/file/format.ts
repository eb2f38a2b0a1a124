/**
 * The schema of scenario files, version 1: the keys and the kind of value of each. The descriptions and examples are
 * for people and for editors. The files in `checks` check that the values fit together.
 */

import { populationSchema } from '../../backtest/index.ts'
import { z } from '../../core/index.ts'
import { methodNames } from '../../gateways/index.ts'
import { accountFormat } from './sections/account.ts'
import { faultFormat } from './sections/faults.ts'
import { instrumentFormat } from './sections/instrument.ts'
import { feedFormat, strategyFormat } from './sections/market.ts'
import { decimal, limit, recordFormat, venueFormat } from './sections/settings.ts'

/** Sections of later versions of the format, with the reason why this version refuses them. */
export const laterSections: ReadonlyMap<string, string> = new Map([['vary', 'sweeps cannot be run yet']])

const text = z.string()
const name = text.min(1)
/** Any value. Replies and parameters are open, so that a file can contain wrong ones. */
const anything = z.unknown()
const open = z.record(text, anything)
const time = text.meta({
  description: 'A duration after `start`, or an ISO 8601 time with an offset.',
  examples: ['0ms', '1.5s', '2026-01-05T08:00:00Z'],
})

/** An index that follows a recorded book. */
const followed = z.strictObject({
  from: z.enum(['mid']).meta({ description: 'The mid price of the recorded book.' }),
})

const step = z
  .strictObject({
    at: time.optional(),
    after: text.optional().meta({
      description: 'Time since the previous step, instead of `at`.',
      examples: ['5ms'],
    }),
    as: name.optional().meta({
      description: 'The account that sends the request; required for private methods.',
      examples: ['maker'],
    }),
    call: text.meta({
      description: 'The method of the request.',
      examples: ['private/buy'],
      enum: [...methodNames],
    }),
    params: open.optional().meta({
      description:
        'Parameters with the names of the venue, passed unchanged. `$name` inserts a saved value, and `$$` is a dollar sign.',
      examples: [{ instrument_name: 'BTC-PERPETUAL', amount: 1000, price: 99990 }],
    }),
    save: z
      .record(text, text)
      .optional()
      .meta({
        description: 'Values of the reply that later steps insert as `$name`.',
        examples: [{ order: 'result.order.order_id' }],
      }),
    expect: z
      .strictObject({
        result: anything.optional().meta({
          description: 'Expected values in the result; other keys can have any value.',
          examples: [{ order: { order_state: 'open' } }],
        }),
        error: anything.optional().meta({
          description: 'Expected values in the error; without them, an error fails the run.',
          examples: [{ code: 11044 }],
        }),
      })
      .optional()
      .meta({ description: 'The expected reply: a result or an error.' }),
    session: z
      .int()
      .min(0)
      .optional()
      .meta({ description: 'Number of the connection that sends the request.', examples: [1] }),
    note: text.optional().meta({ description: 'A note for readers.' }),
  })
  .meta({ description: 'A request with its time.' })

const finalAccount = z.strictObject({
  positions: z
    .record(name, open)
    .optional()
    .meta({
      description: 'Replies of private/get_position, by instrument.',
      examples: [{ 'BTC-PERPETUAL': { size: 1000 } }],
    }),
  open_orders: z
    .array(anything)
    .optional()
    .meta({ description: 'Reply of private/get_open_orders: the oldest order first.' }),
  account_summary: z
    .record(name, open)
    .optional()
    .meta({
      description: 'Replies of private/get_account_summary, by currency.',
      examples: [{ BTC: { balance: 10 } }],
    }),
  settlements: z
    .record(name, z.array(anything))
    .optional()
    .meta({
      description:
        'Records of private/get_settlement_history_by_currency, by currency: the latest 1,000, latest first.',
      examples: [{ BTC: [{ type: 'settlement', session_profit_loss: 0.01 }] }],
    }),
  user_trades: z.record(name, z.array(anything)).optional().meta({
    description: 'Trades of private/get_user_trades_by_instrument: the oldest 1,000, oldest first.',
  }),
  transaction_log: z
    .record(name, z.array(anything))
    .optional()
    .meta({
      description: 'Records of private/get_transaction_log, by currency: the latest 250, latest first.',
      examples: [{ BTC: [{ type: 'settlement' }] }],
    }),
  transfers: z
    .record(name, z.array(anything))
    .optional()
    .meta({
      description: 'Transfers of private/get_transfers, by currency: the latest 1,000.',
      examples: [{ BTC: [{ amount: 0.5 }] }],
    }),
  subaccounts: z.array(anything).optional().meta({
    description: 'Reply of private/get_subaccounts with their portfolios.',
  }),
  user_locks: z
    .array(anything)
    .optional()
    .meta({ description: 'Reply of private/get_user_locks, with one entry for each currency.' }),
  lsp_usage: open.optional().meta({
    description: 'Reply of private/get_lsp_usage, which only participants get.',
    examples: [{ groups: { '1': { used: 25000 } } }],
  }),
})

const finalInstrument = z.strictObject({
  ticker: open.optional().meta({
    description: 'Reply of public/ticker.',
    examples: [{ last_price: 99990 }],
  }),
  order_book: open.optional().meta({
    description: 'Reply of public/get_order_book.',
    examples: [{ bids: [[99990, 1000]] }],
  }),
  last_trades: z.array(anything).optional().meta({
    description: 'Trades of public/get_last_trades_by_instrument: the oldest 1,000, oldest first.',
  }),
})

const expectations = z
  .strictObject({
    accounts: z.record(name, finalAccount).optional(),
    instruments: z.record(name, finalInstrument).optional(),
    index: z
      .record(name, open)
      .optional()
      .meta({
        description: 'Replies of public/get_index_price, by index.',
        examples: [{ btc_usd: { index_price: 100000 } }],
      }),
    settlements: z
      .record(name, z.array(anything))
      .optional()
      .meta({
        description: 'Records of public/get_last_settlements_by_currency, by currency: the latest 1,000, latest first.',
        examples: [{ BTC: [{ type: 'delivery', mark_price: 60224.5 }] }],
      }),
    combos: z
      .record(name, z.array(anything))
      .optional()
      .meta({
        description: 'Active combos of public/get_combos, by currency, in the order of listing.',
        examples: [{ BTC: [{ id: 'BTC-FS-27MAR26_PERP', state: 'active' }] }],
      }),
    totals: z
      .strictObject({ requests: limit, trades: limit, refused: limit })
      .optional()
      .meta({ description: 'Counts of the run; requests include those of the set-up.' }),
    laws: z.literal('hold').optional().meta({
      description: 'The laws of the exchange hold at the end: money is conserved, books are not crossed, totals agree.',
    }),
  })
  .meta({
    description: 'Expected values at the end. Other keys can have any value; lists must be complete.',
  })

/** The whole file. */
export const scenarioFormat = z.strictObject({
  $schema: text.optional().meta({ description: 'Address of this schema for editors, in JSON files.' }),
  version: z.literal(1).meta({ description: 'Version of the format.' }),
  title: name.meta({
    description: 'The subject of the scenario, in one sentence.',
    examples: ['A market sell fills the resting bid'],
  }),
  seed: z
    .union([text, z.int()])
    .optional()
    .meta({
      description: 'Seed of all random numbers in the run (default: 0).',
      examples: [7, 'monday'],
    }),
  start: text.meta({
    description: 'Time at the start of the run, in ISO 8601 with an offset.',
    examples: ['2026-01-05T07:59:00Z'],
  }),
  until: time.optional().meta({
    description: 'End of the run, a time as in `at` (default: the time of the last request).',
    examples: ['2026-01-05T08:05:00Z'],
  }),
  venue: venueFormat.optional(),
  record: recordFormat.optional(),
  instruments: z
    .array(instrumentFormat)
    .min(1)
    .meta({
      description: 'Instruments, by name or with some fields replaced.',
      examples: [['BTC-PERPETUAL']],
    }),
  index: z
    .record(name, z.union([decimal, followed, z.enum(['mid'])]))
    .optional()
    .meta({
      description:
        'Price indices: a price, or `{ from: mid }` for the mid price of a recorded book, for one index or for all.',
      examples: [{ btc_usd: 100000 }, { from: 'mid' }],
    }),
  accounts: z
    .record(name, accountFormat.nullable())
    .optional()
    .meta({ description: 'Accounts by name.', examples: [{ maker: { deposit: { BTC: 10 } } }] }),
  steps: z.array(step).optional().meta({ description: 'Requests in order of time.' }),
  feeds: z
    .array(feedFormat)
    .min(1)
    .optional()
    .meta({ description: 'Recorded market data; orders on its instruments trade against it.' }),
  strategies: z
    .array(strategyFormat)
    .min(1)
    .optional()
    .meta({ description: 'Programs that trade, each with its own account.' }),
  faults: z
    .array(faultFormat)
    .max(100)
    .optional()
    .meta({
      description: 'Faults between the exchange and strategies or clients.',
      examples: [[{ kind: 'drop', of: 'replies', probability: 0.1 }]],
    }),
  population: populationSchema.optional().meta({ description: 'Simple simulated traders that make a market.' }),
  expect: expectations.optional(),
})

/** A file with a valid shape. */
export type ScenarioShape = z.output<typeof scenarioFormat>
