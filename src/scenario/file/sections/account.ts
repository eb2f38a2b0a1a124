/**
 * Accounts: what they have at the start, how their margin is found, and what they are to the venue.
 */
import { z } from '../../../core/index.ts'
import {
  currencies,
  lspLimits,
  marginModels,
  venueSelfMatchModes,
  walletTypes,
} from '../../../model/index.ts'
import { decimal, fraction } from './decimals.ts'
import { fileSettings, settingFormat, shapeOf } from './settings.ts'

const name = z.string().min(1)

const selfTrading = z.strictObject({
  mode: z.enum(venueSelfMatchModes).meta({
    description: 'What happens when an order of the account would meet one of its own.',
    examples: ['cancel_maker'],
  }),
  extended_to_subaccounts: z
    .boolean()
    .optional()
    .meta({ description: 'Whether other accounts of the same main account count too; else not.' }),
  block_rfq_self_match_prevention: z.boolean().optional().meta({
    description: 'Whether Block RFQs never trade between accounts of one owner; else not.',
  }),
})

/** An account of the run. */
export const accountFormat = z
  .strictObject({
    ...shapeOf(fileSettings['accounts.NAME']),
    wallet: z
      .enum(walletTypes)
      .optional()
      .meta({
        description: 'Who keeps its wallet: the venue, or a third party; else legacy.',
        examples: ['third_party'],
      }),
    main: name.optional().meta({
      description: 'The account of this file whose subaccount it is.',
      examples: ['desk'],
    }),
    self_trading: selfTrading.optional().meta({
      description: 'What the account asks of private/set_self_trading_config at the start.',
    }),
    margin_model: z
      .enum(marginModels)
      .optional()
      .meta({
        description: 'How its margin is found; else segregated_sm.',
        examples: ['cross_pm'],
      }),
    lsp: z
      .union([z.literal(true), z.strictObject({ group_limits: settingFormat(lspLimits) })])
      .optional()
      .meta({
        description:
          'Whether it takes part in the liquidity support programme, and limits of its own.',
        examples: [true],
      }),
    member: z
      .boolean()
      .optional()
      .meta({
        description:
          'Whether the account and its subaccounts may use direct access, as portfolios of a Member; else not.',
        examples: [true],
      }),
    mmp: z
      .boolean()
      .optional()
      .meta({
        description: 'Whether it may have market-maker protection; else so.',
        examples: [false],
      }),
    mass_quotes: z
      .boolean()
      .optional()
      .meta({
        description: 'Whether it may send mass quotes; else so.',
        examples: [false],
      }),
    fee_factor: fraction.optional().meta({
      description: 'What of its fees it pays, a fraction with up to 6 decimals; else all.',
      examples: [0.5],
    }),
    deposit: z
      .partialRecord(z.enum(currencies), decimal)
      .optional()
      .meta({ description: 'Money at the start, by currency.', examples: [{ BTC: 10 }] }),
    positions: z
      .record(name, z.strictObject({ amount: decimal, price: decimal }))
      .optional()
      .meta({
        description: 'Positions at the start, against the house; a negative amount is short.',
        examples: [{ 'BTC-PERPETUAL': { amount: 1000, price: 99000 } }],
      }),
  })
  .meta({ description: 'An account of the run.', examples: [{ deposit: { BTC: 10 } }] })
