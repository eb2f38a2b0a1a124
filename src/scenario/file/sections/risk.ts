/**
 * The parts of a scenario file about risk: smiles of options, what margin models stress, liquidations, the
 * liquidity support programme, limits on combos, block trades. The defaults are those of the model's `risk-terms`.
 */
import { z } from '../../../core/index.ts'
import {
  currencies,
  type LspGroup,
  lspGroupName,
  lspGroups,
  type PortfolioTerms,
} from '../../../model/index.ts'
import { decimal, fraction, limit } from './decimals.ts'

const text = z.string()
const duration = text.meta({ examples: ['5m'] }).optional()

/** Parameters of portfolio margin by the venue's names, and what they are here. */
export const portfolioFields = {
  price_range: 'priceRange',
  volatility_range_up: 'volatilityUp',
  volatility_range_down: 'volatilityDown',
  short_term_vega_power: 'shortVegaPower',
  long_term_vega_power: 'longVegaPower',
  min_volatility_for_shock_up: 'minVolatilityForShockUp',
  extended_table_factor: 'extendedTableFactor',
  extended_dampener: 'extendedDampener',
  m_inc: 'deltaShockIncrease',
  delta_total_liq_shock_threshold: 'deltaShockThreshold',
  max_delta_shock: 'deltaShockMax',
  min_annualised_move: 'minAnnualisedMove',
  annualised_move_risk: 'annualisedMoveRisk',
  pnl_offset: 'pnlOffset',
  max_offsetable_pnl: 'pnlOffsetMax',
} as const satisfies { readonly [name: string]: keyof PortfolioTerms }

/** The names of those parameters. */
export type PortfolioField = keyof typeof portfolioFields

const parameter = decimal.meta({ type: 'number', minimum: 0, examples: [0.16] }).optional()

const smile = z
  .strictObject({
    atm: decimal.meta({
      description: 'Volatility at the forward, a fraction: 0.6 is 60 %.',
      examples: [0.6],
    }),
    skew: decimal.optional().meta({ description: 'How it changes with k; else 0.' }),
    curvature: decimal.optional().meta({ description: 'How it changes with k squared; else 0.' }),
  })
  .meta({ description: 'atm + skew k + curvature k^2, with k = ln(strike / forward).' })

/** Groups of the programme by their names on the wire, and what they are here. */
export const wireGroups: ReadonlyMap<string, LspGroup> = new Map(
  lspGroups.map((group) => [lspGroupName(group), group]),
)

/** Limits by group, in percent of equity. */
export const groupLimits = z
  .partialRecord(
    z.enum([...wireGroups.keys()]),
    decimal.meta({ type: 'number', minimum: 0, examples: [15] }),
  )
  .optional()
  .meta({
    description: 'Limits by group, in percent of equity; those left out have the default.',
    examples: [{ '1': 15, rwa: 10 }],
  })

/** Settings of the exchange about risk. */
export const riskFormat = {
  smiles: z
    .record(text, smile)
    .optional()
    .meta({
      description: 'Where volatilities of options start, by index; else 60 % at every strike.',
      examples: [{ btc_usd: { atm: 0.55, skew: -0.1, curvature: 0.3 } }],
    }),
  portfolio_margin: z
    .record(
      text,
      z.strictObject(
        // Every field is the same optional number; the names keep their types.
        Object.fromEntries(Object.keys(portfolioFields).map((name) => [name, parameter])) as {
          readonly [F in PortfolioField]: typeof parameter
        },
      ),
    )
    .optional()
    .meta({
      description:
        "What portfolio margin stresses, by index, in the names of the venue's model_params; else the venue's.",
      examples: [{ btc_usd: { price_range: 0.2 } }],
    }),
  haircuts: z
    .partialRecord(z.enum(currencies), fraction)
    .optional()
    .meta({
      description:
        'What of positive equity cross margin takes as initial margin, a fraction by currency.',
      examples: [{ USDT: 0.02 }],
    }),
  liquidation: z
    .strictObject({
      enabled: z
        .boolean()
        .optional()
        .meta({ description: 'Whether there are liquidations; else true.' }),
      chunk: fraction.optional().meta({
        description: 'What of a position one round closes, a fraction with up to 6 decimals.',
        examples: [0.125],
      }),
    })
    .optional()
    .meta({ description: 'How accounts below their maintenance margin are closed out.' }),
  lsp: z
    .strictObject({
      cooldown: duration.meta({ description: 'Window in which a limit is used up; else 5m.' }),
      capacity_factor: z
        .int()
        .min(0)
        .max(1000)
        .optional()
        .meta({ description: 'Notional a participant may hold, in times of its equity; else 2.' }),
      group_limits: groupLimits,
      spread: fraction.optional().meta({
        description: 'How far from the mark a participant takes over; else 0.0025.',
        examples: [0.0025],
      }),
      adl_spread: fraction.optional().meta({
        description: 'The same of automatic deleveraging; else 0.0025.',
        examples: [0.0025],
      }),
      commission: fraction.optional().meta({
        description: 'What the liquidated account pays of the notional; else 0.00025.',
        examples: [0.00025],
      }),
      failures: z
        .int()
        .min(1)
        .optional()
        .meta({ description: 'So many failures disable a participant; else 5.' }),
      failure_window: duration.meta({ description: 'Within this time; else 10m.' }),
    })
    .optional()
    .meta({ description: 'Liquidity support programme.' }),
  block_trades: z
    .strictObject({
      signature_window: duration.meta({
        description: 'How long a signature is valid before and after its timestamp; else 5m.',
      }),
      approval_window: duration.meta({
        description: 'How long a block trade waits for approval; else 5m.',
      }),
      price_band: fraction.optional().meta({
        description:
          'How far a price may be from the mark, as a part of it; of options, of their underlying; else 0.1.',
        examples: [0.05],
      }),
    })
    .optional()
    .meta({
      description: 'Settings of block trades.',
      examples: [{ signature_window: '1m' }],
    }),
  block_rfqs: z
    .strictObject({
      expiry: duration.meta({ description: 'How long a Block RFQ is open; else 5m.' }),
      grace: duration.meta({
        description: 'How long its taker sees no quotes and cannot trade; else 5s.',
      }),
      open_max: limit.meta({ description: 'Most open Block RFQs of a taker; else 25.' }),
      quotes_max: limit.meta({
        description: 'Most open quotes of a maker on a Block RFQ; else 10.',
      }),
      side_quotes_max: limit.meta({ description: 'The same on one side of it; else 5.' }),
      anonymous_makers_min: limit.meta({
        description:
          'A Block RFQ that is not disclosed names no makers or at least so many; else 5.',
      }),
    })
    .optional()
    .meta({ description: 'Settings of Block RFQs.', examples: [{ expiry: '1m' }] }),
  combo_limits: z
    .strictObject({ soft: limit, hard: limit })
    .optional()
    .meta({
      description:
        'Active option combos: above `soft` idle ones go, at `hard` none is created; else 1000 and 1500.',
      examples: [{ soft: 10, hard: 20 }],
    }),
}
