/** Accounts: their funds at the start, their margin model, and their roles at the venue. */
import { z } from '../../../core/index.ts'
import { currencies, lspLimits, marginModels, venueSelfMatchModes, walletTypes } from '../../../model/index.ts'
import { decimal, fileSettings, fraction, settingFormat, shapeOf } from './settings.ts'

const name = z.string().min(1)

const selfTrading = z.strictObject({
  mode: z.enum(venueSelfMatchModes).meta({
    description: 'Action if an order of the account would trade with another order of the account.',
    examples: ['cancel_maker'],
  }),
  extended_to_subaccounts: z.boolean().optional().meta({
    description: 'True if this includes other accounts of the same main account (default: false).',
  }),
  block_rfq_self_match_prevention: z.boolean().optional().meta({
    description: 'True if Block RFQs never trade between accounts of one owner (default: false).',
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
        description: 'Custody of the wallet, by the venue or by a third party (default: legacy).',
        examples: ['third_party'],
      }),
    main: name.optional().meta({
      description: 'The main account of this subaccount, an account of this file.',
      examples: ['desk'],
    }),
    self_trading: selfTrading.optional().meta({
      description: 'Parameters of private/set_self_trading_config at the start.',
    }),
    margin_model: z
      .enum(marginModels)
      .optional()
      .meta({
        description: 'Margin model (default: segregated_sm).',
        examples: ['cross_pm'],
      }),
    lsp: z
      .union([z.literal(true), z.strictObject({ group_limits: settingFormat(lspLimits) })])
      .optional()
      .meta({
        description: 'Participation in the liquidity support programme, with limits for this account.',
        examples: [true],
      }),
    member: z
      .boolean()
      .optional()
      .meta({
        description:
          'True if the account and its subaccounts can use direct access, as portfolios of a Member (default: false).',
        examples: [true],
      }),
    mmp: z
      .boolean()
      .optional()
      .meta({
        description: 'True if the account can use market-maker protection (default: true).',
        examples: [false],
      }),
    mass_quotes: z
      .boolean()
      .optional()
      .meta({
        description: 'True if the account can send mass quotes (default: true).',
        examples: [false],
      }),
    fee_factor: fraction.optional().meta({
      description: 'Share of its fees that the account pays, a fraction with up to 6 decimals (default: 1).',
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
