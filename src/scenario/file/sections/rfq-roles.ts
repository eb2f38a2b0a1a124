/**
 * Roles of accounts in Block RFQs: maker, aliases, the broker whose client it is, limits of quotes.
 */
import { z } from '../../../core/index.ts'
import { instrumentKinds } from '../../../model/index.ts'
import { decimal } from './decimals.ts'

const alias = z.string().regex(/^[A-Za-z0-9_-]{1,32}$/, 'at most 32 letters, digits, _ and -')

/** The role of an account. */
export const accountRfqRole = z
  .strictObject({
    maker: z
      .boolean()
      .optional()
      .meta({ description: 'Whether it may quote Block RFQs; else not.', examples: [true] }),
    maker_alias: alias
      .optional()
      .meta({ description: 'Its name as a maker; else MAKER and its number.' }),
    taker_alias: alias
      .optional()
      .meta({ description: 'Its name as a taker; else TAKER and its number.' }),
    broker: z
      .string()
      .min(1)
      .optional()
      .meta({ description: 'The account of this file whose client it is.', examples: ['desk'] }),
    quote_limits: z
      .array(
        z.strictObject({
          kind: z.enum(instrumentKinds).meta({ description: 'Kind of the instruments.' }),
          currency_pair: z.string().meta({
            description: 'Their base and counter currency.',
            examples: ['BTC_USD'],
          }),
          amount: decimal.meta({ description: 'Most of a leg.' }),
        }),
      )
      .optional()
      .meta({ description: 'Most of a leg that it may quote, by kind and currency pair.' }),
  })
  .optional()
  .meta({
    description: 'What it is to Block RFQs.',
    examples: [{ maker: true, maker_alias: 'ALPHA' }],
  })
