/**
 * The risk settings of a file in which nothing is wrong; what it leaves out is the venue's own.
 */
import type { DecimalInput } from '../../../core/index.ts'
import {
  type BlockSettings,
  type Currency,
  currencies,
  defaultPortfolioTerms,
  type ExchangeConfig,
  type LspGroup,
  type LspTerms,
  type PortfolioTerms,
  type RfqSettings,
  type Smile,
} from '../../../model/index.ts'
import type { ScenarioShape } from '../format.ts'
import { type PortfolioField, portfolioFields, wireGroups } from '../sections/risk.ts'
import { durationOf, scaledOf } from './values.ts'

type Venue = NonNullable<ScenarioShape['venue']>
type RiskConfig = Pick<
  ExchangeConfig,
  | 'smiles'
  | 'portfolioTerms'
  | 'haircutsPpm'
  | 'liquidation'
  | 'lsp'
  | 'comboLimits'
  | 'blockTrades'
  | 'blockRfqs'
>

/** Settings about risk; `usual` are those of the venue. */
export function riskOf(venue: Venue, usual: ExchangeConfig): RiskConfig {
  const { liquidation, combo_limits: combos } = venue
  return {
    smiles: mapped(venue.smiles, smileOf),
    portfolioTerms: mapped(venue.portfolio_margin, portfolioOf),
    haircutsPpm: { ...usual.haircutsPpm, ...haircutsOf(venue.haircuts ?? {}) },
    liquidation: {
      enabled: liquidation?.enabled ?? usual.liquidation.enabled,
      chunkPpm: ppmOf(liquidation?.chunk) ?? usual.liquidation.chunkPpm,
    },
    lsp: lspOf(venue.lsp, usual.lsp),
    comboLimits: {
      soft: combos?.soft ?? usual.comboLimits.soft,
      hard: combos?.hard ?? usual.comboLimits.hard,
    },
    blockTrades: blocksOf(venue.block_trades, usual.blockTrades),
    blockRfqs: rfqsOf(venue.block_rfqs, usual.blockRfqs),
  }
}

function blocksOf(blocks: Venue['block_trades'], usual: BlockSettings): BlockSettings {
  return {
    ...usual,
    signatureWindow: durationOf(blocks?.signature_window) ?? usual.signatureWindow,
    approvalWindow: durationOf(blocks?.approval_window) ?? usual.approvalWindow,
    bandPpm: ppmOf(blocks?.price_band) ?? usual.bandPpm,
  }
}

function rfqsOf(rfqs: Venue['block_rfqs'], usual: RfqSettings): RfqSettings {
  return {
    ...usual,
    expiry: durationOf(rfqs?.expiry) ?? usual.expiry,
    grace: durationOf(rfqs?.grace) ?? usual.grace,
    openMax: rfqs?.open_max ?? usual.openMax,
    quotesMax: rfqs?.quotes_max ?? usual.quotesMax,
    sideQuotesMax: rfqs?.side_quotes_max ?? usual.sideQuotesMax,
    anonymousMakersMin: rfqs?.anonymous_makers_min ?? usual.anonymousMakersMin,
  }
}

function lspOf(lsp: Venue['lsp'], usual: LspTerms): LspTerms {
  return {
    cooldown: durationOf(lsp?.cooldown) ?? usual.cooldown,
    capacityFactor: lsp?.capacity_factor ?? usual.capacityFactor,
    limitsPpm: { ...usual.limitsPpm, ...limitsOf(lsp?.group_limits ?? {}) },
    spreadPpm: ppmOf(lsp?.spread) ?? usual.spreadPpm,
    adlSpreadPpm: ppmOf(lsp?.adl_spread) ?? usual.adlSpreadPpm,
    commissionPpm: ppmOf(lsp?.commission) ?? usual.commissionPpm,
    failures: lsp?.failures ?? usual.failures,
    failureWindow: durationOf(lsp?.failure_window) ?? usual.failureWindow,
  }
}

function limitsOf(percents: {
  readonly [group: string]: DecimalInput | undefined
}): Partial<LspTerms['limitsPpm']> {
  const found: { -readonly [G in LspGroup]?: number } = {}
  for (const [name, group] of wireGroups) {
    const percent = percents[name]
    // A percentage with four decimals counts parts per million.
    if (percent !== undefined) found[group] = Number(scaledOf(percent, 4))
  }
  return found
}

function haircutsOf(
  haircuts: { readonly [C in Currency]?: DecimalInput | undefined },
): ExchangeConfig['haircutsPpm'] {
  const found: { -readonly [C in Currency]?: number } = {}
  for (const currency of currencies) {
    const ppm = ppmOf(haircuts[currency])
    if (ppm !== undefined) found[currency] = ppm
  }
  return found
}

function smileOf({ atm, skew, curvature }: NonNullable<Venue['smiles']>[string]): Smile {
  return {
    atm9: Number(scaledOf(atm, 9)),
    skew9: skew === undefined ? 0 : Number(scaledOf(skew, 9)),
    curvature9: curvature === undefined ? 0 : Number(scaledOf(curvature, 9)),
  }
}

function portfolioOf(
  fields: { readonly [F in PortfolioField]?: DecimalInput | undefined },
  index: string,
): PortfolioTerms {
  const terms: { -readonly [T in keyof PortfolioTerms]: PortfolioTerms[T] } = {
    ...defaultPortfolioTerms(index),
  }
  for (const [field, term] of Object.entries(portfolioFields)) {
    // The names of the fields are those of the format.
    const value = fields[field as PortfolioField]
    if (value !== undefined) terms[term] = doubleOf(value)
  }
  return terms
}

function mapped<From, To>(
  record: { readonly [key: string]: From } | undefined,
  to: (value: From, key: string) => To,
): { readonly [key: string]: To } {
  const entries = Object.entries(record ?? {})
  return Object.fromEntries(entries.map(([key, value]) => [key, to(value, key)]))
}

/** Parameters are doubles, as the venue publishes them. */
function doubleOf(value: DecimalInput): number {
  return typeof value === 'number' ? value : Number(value.decimal)
}

function ppmOf(value: DecimalInput | undefined): number | undefined {
  return value === undefined ? undefined : Number(scaledOf(value, 6))
}
