/**
 * The risk settings of an exchange in the head of a journal: a part of `journal-config.ts`.
 *
 * Fractions and volatilities are exact decimals as texts. Parameters of portfolio margin are doubles, as
 * the venue publishes them; JSON keeps a double exactly.
 */
import { formatScaledNumber, micros, parseScaled, z } from '../core/index.ts'
import {
  type Currency,
  currencies,
  defaultConfig,
  type ExchangeConfig,
  type LspGroup,
  lspGroups,
  type PortfolioTerms,
  type Smile,
} from '../model/index.ts'
import { type PortfolioField, portfolioFields } from './file/sections/risk.ts'

type RiskConfig = Pick<
  ExchangeConfig,
  'smiles' | 'portfolioTerms' | 'haircutsPpm' | 'liquidation' | 'lsp' | 'comboLimits'
>

const usual = defaultConfig(micros(0))
const count = z.int().min(0)
const parameter = z.number().min(0)

/** A decimal of so many places, between counts of the last one. */
function decimalText(scale: number, min: number, max: number): z.ZodString {
  return z.string().refine(
    (text) => {
      const parsed = parseScaled(text, scale)
      return parsed.ok && parsed.value >= BigInt(min) && parsed.value <= BigInt(max)
    },
    `a decimal from ${formatScaledNumber(min, scale)} to ${formatScaledNumber(max, scale)}`,
  )
}

const fraction = decimalText(6, 0, 1_000_000)
const limit = decimalText(6, 0, 1_000_000_000)
const bend = decimalText(9, -100_000_000_000, 100_000_000_000)

const lspSchema = z.strictObject({
  cooldown_micros: count.min(1),
  capacity_factor: count,
  limits: z.record(z.enum(lspGroups), limit),
  spread: fraction,
  adl_spread: fraction,
  commission: fraction,
  failures: count.min(1),
  failure_micros: count.min(1),
})

/** The settings as JSON. What journals of earlier versions do not say is as the venue has it. */
export const journalRiskShape = {
  smiles: z
    .record(
      z.string(),
      z.strictObject({
        atm: decimalText(9, 10_000_000, 5_000_000_000),
        skew: bend,
        curvature: bend,
      }),
    )
    .default({}),
  portfolio_margin: z
    .record(
      z.string(),
      z.strictObject(
        // Every field is a number; the names keep their types.
        Object.fromEntries(Object.keys(portfolioFields).map((name) => [name, parameter])) as {
          readonly [F in PortfolioField]: typeof parameter
        },
      ),
    )
    .default({}),
  haircuts: z.partialRecord(z.enum(currencies), fraction).default(textsOf(usual.haircutsPpm)),
  liquidation: z
    .strictObject({ enabled: z.boolean(), chunk: decimalText(6, 1, 1_000_000) })
    .default(liquidationOut(usual.liquidation)),
  lsp: lspSchema.default(lspOut(usual.lsp)),
  combo_limits: z.strictObject({ soft: count, hard: count }).default({ ...usual.comboLimits }),
}

const riskSchema = z.strictObject(journalRiskShape)

/** Settings as JSON. */
export function encodeJournalRisk(config: RiskConfig): z.input<typeof riskSchema> {
  return {
    smiles: mapped(config.smiles, ({ atm9, skew9, curvature9 }) => ({
      atm: formatScaledNumber(atm9, 9),
      skew: formatScaledNumber(skew9, 9),
      curvature: formatScaledNumber(curvature9, 9),
    })),
    portfolio_margin: mapped(config.portfolioTerms, portfolioOut),
    haircuts: textsOf(config.haircutsPpm),
    liquidation: liquidationOut(config.liquidation),
    lsp: lspOut(config.lsp),
    combo_limits: { ...config.comboLimits },
  }
}

/** The settings that a journal names. */
export function readJournalRisk(config: z.output<typeof riskSchema>): RiskConfig {
  const { lsp } = config
  return {
    smiles: mapped(
      config.smiles,
      ({ atm, skew, curvature }): Smile => ({
        atm9: scaledOf(atm, 9),
        skew9: scaledOf(skew, 9),
        curvature9: scaledOf(curvature, 9),
      }),
    ),
    portfolioTerms: mapped(config.portfolio_margin, portfolioOf),
    haircutsPpm: haircutsOf(config.haircuts),
    liquidation: {
      enabled: config.liquidation.enabled,
      chunkPpm: scaledOf(config.liquidation.chunk, 6),
    },
    lsp: {
      cooldown: micros(lsp.cooldown_micros),
      capacityFactor: lsp.capacity_factor,
      limitsPpm: limitsOf(lsp.limits),
      spreadPpm: scaledOf(lsp.spread, 6),
      adlSpreadPpm: scaledOf(lsp.adl_spread, 6),
      commissionPpm: scaledOf(lsp.commission, 6),
      failures: lsp.failures,
      failureWindow: micros(lsp.failure_micros),
    },
    comboLimits: config.combo_limits,
  }
}

function liquidationOut(of: RiskConfig['liquidation']): { enabled: boolean; chunk: string } {
  return { enabled: of.enabled, chunk: formatScaledNumber(of.chunkPpm, 6) }
}

function lspOut(of: RiskConfig['lsp']): z.input<typeof lspSchema> {
  return {
    cooldown_micros: of.cooldown,
    capacity_factor: of.capacityFactor,
    limits: limitsOut(of.limitsPpm),
    spread: formatScaledNumber(of.spreadPpm, 6),
    adl_spread: formatScaledNumber(of.adlSpreadPpm, 6),
    commission: formatScaledNumber(of.commissionPpm, 6),
    failures: of.failures,
    failure_micros: of.failureWindow,
  }
}

function limitsOut(limits: RiskConfig['lsp']['limitsPpm']): { [G in LspGroup]: string } {
  return mapped(limits, (ppm) => formatScaledNumber(ppm, 6))
}

function limitsOf(texts: { readonly [G in LspGroup]: string }): RiskConfig['lsp']['limitsPpm'] {
  return mapped(texts, (text) => scaledOf(text, 6))
}

function textsOf(haircuts: RiskConfig['haircutsPpm']): { [C in Currency]?: string } {
  const texts: { [C in Currency]?: string } = {}
  for (const currency of currencies) {
    const ppm = haircuts[currency]
    if (ppm !== undefined) texts[currency] = formatScaledNumber(ppm, 6)
  }
  return texts
}

function haircutsOf(
  texts: { readonly [C in Currency]?: string | undefined },
): RiskConfig['haircutsPpm'] {
  const haircuts: { [C in Currency]?: number } = {}
  for (const currency of currencies) {
    const text = texts[currency]
    if (text !== undefined) haircuts[currency] = scaledOf(text, 6)
  }
  return haircuts
}

function portfolioOut(terms: PortfolioTerms): { [F in PortfolioField]: number } {
  return mapped(portfolioFields, (term) => terms[term])
}

function portfolioOf(fields: { readonly [F in PortfolioField]: number }): PortfolioTerms {
  const entries = Object.entries(portfolioFields).map(([name, term]) => [
    term,
    // The names of the fields are those of the format.
    fields[name as PortfolioField],
  ])
  // Exactly the terms are named.
  return Object.fromEntries(entries) as PortfolioTerms
}

/** A record with the same keys. */
function mapped<Key extends string, From, To>(
  record: { readonly [K in Key]: From },
  to: (value: From) => To,
): { [K in Key]: To } {
  const entries = Object.entries<From>(record).map(([key, value]) => [key, to(value)])
  // The keys are those of the record.
  return Object.fromEntries(entries) as { [K in Key]: To }
}

function scaledOf(text: string, scale: number): number {
  const parsed = parseScaled(text, scale)
  return parsed.ok ? Number(parsed.value) : 0
}
