/**
 * Checks of the settings of risk and of rate limits that a program gives. Parts per million are those of one.
 */
import { type ExchangeConfig, isCurrency, lspGroups } from '../model/index.ts'

const WHOLE_PPM = 1_000_000
/** Mark volatilities are between 1 % and 500 %, in 1e-9. */
const VOLATILITY9_MIN = 10_000_000
const VOLATILITY9_MAX = 5_000_000_000

/** The first setting that cannot be: which, what was expected, and what was found. */
export interface ConfigFault {
  readonly name: string
  readonly expected: string
  readonly found: unknown
}

/** The first of these settings that cannot be, or undefined. */
export function riskFault(config: ExchangeConfig): ConfigFault | undefined {
  return (
    smileFault(config) ??
    haircutFault(config) ??
    programmeFault(config) ??
    comboFault(config) ??
    rateFault(config)
  )
}

function smileFault({ smiles }: ExchangeConfig): ConfigFault | undefined {
  for (const [index, { atm9, skew9, curvature9 }] of Object.entries(smiles)) {
    const isWhole = [atm9, skew9, curvature9].every(Number.isSafeInteger)
    if (isWhole && atm9 >= VOLATILITY9_MIN && atm9 <= VOLATILITY9_MAX) continue
    const expected = 'whole counts of 1e-9, at the money from 1 % to 500 %'
    return { name: `smiles.${index}`, expected, found: atm9 }
  }
  return undefined
}

function haircutFault({ haircutsPpm, liquidation }: ExchangeConfig): ConfigFault | undefined {
  for (const [currency, ppm] of Object.entries(haircutsPpm)) {
    const name = `haircutsPpm.${currency}`
    if (!isCurrency(currency)) {
      return { name, expected: 'currencies that accounts hold', found: currency }
    }
    if (!isWithin(ppm, 0, WHOLE_PPM)) {
      return { name, expected: 'parts per million of 0 to 1,000,000', found: ppm }
    }
  }
  const { chunkPpm } = liquidation
  if (isWithin(chunkPpm, 1, WHOLE_PPM)) return undefined
  const expected = 'parts per million of 1 to 1,000,000'
  return { name: 'liquidation.chunkPpm', expected, found: chunkPpm }
}

/** More than any leverage; times a million it is still a safe integer. */
const CAPACITY_MAX = 1000

function programmeFault({ lsp }: ExchangeConfig): ConfigFault | undefined {
  for (const field of ['cooldown', 'failures', 'failureWindow'] as const) {
    if (isWithin(lsp[field], 1, Number.MAX_SAFE_INTEGER)) continue
    return { name: `lsp.${field}`, expected: 'a whole number from 1', found: lsp[field] }
  }
  for (const field of ['spreadPpm', 'adlSpreadPpm', 'commissionPpm'] as const) {
    if (isWithin(lsp[field], 0, WHOLE_PPM)) continue
    const expected = 'parts per million of 0 to 1,000,000'
    return { name: `lsp.${field}`, expected, found: lsp[field] }
  }
  const { capacityFactor } = lsp
  if (!isWithin(capacityFactor, 0, CAPACITY_MAX)) {
    const expected = `a whole number from 0 to ${CAPACITY_MAX}`
    return { name: 'lsp.capacityFactor', expected, found: capacityFactor }
  }
  for (const group of lspGroups) {
    const ppm = lsp.limitsPpm[group]
    if (isWithin(ppm, 0, Number.MAX_SAFE_INTEGER)) continue
    return { name: `lsp.limitsPpm.${group}`, expected: 'parts per million from 0', found: ppm }
  }
  return undefined
}

function comboFault({ comboLimits }: ExchangeConfig): ConfigFault | undefined {
  const { soft, hard } = comboLimits
  if (isWithin(hard, 1, Number.MAX_SAFE_INTEGER) && isWithin(soft, 0, hard)) return undefined
  return { name: 'comboLimits', expected: 'whole numbers, soft at most hard', found: soft }
}

/** More than any run asks for; times a thousand it is still exact. */
const REQUESTS_MAX = 1_000_000_000

function rateFault({ rateLimits }: ExchangeConfig): ConfigFault | undefined {
  const { enabled: _enabled, disconnects: _disconnects, ...buckets } = rateLimits
  for (const [bucket, terms] of Object.entries(buckets)) {
    for (const part of ['burst', 'rate'] as const) {
      if (isWithin(terms[part], 0, REQUESTS_MAX)) continue
      const expected = `a whole number from 0 to ${REQUESTS_MAX}`
      return { name: `rateLimits.${bucket}.${part}`, expected, found: terms[part] }
    }
  }
  return undefined
}

function isWithin(value: number | undefined, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
}
