/**
 * The settings of engines, speed bumps and limits as the head of a journal writes them. Journals from before
 * there were such settings have the venue's own.
 */
import * as z from 'zod'
import { micros } from '../core/index.ts'
import {
  type BlockSettings,
  defaultConfig,
  type ExchangeConfig,
  type MatchingEngine,
  matchingEngines,
  type RfqSettings,
  type RiskLimits,
} from '../model/index.ts'

const usual = defaultConfig(micros(0))
const count = z.int().min(0)
const bucket = z.strictObject({ burst: count, rate: count })
const limit9 = z.int().min(-1).nullable()

/** Keys of the configuration of a journal that are about protections. */
export const journalProtectionShape = {
  engines: z.record(z.string(), z.enum(matchingEngines)).default({ ...usual.engines }),
  rwa_bases: z.array(z.string()).optional(),
  speed_bumps: z.boolean().default(usual.speedBumps),
  bump_limits: z.strictObject({ member: count, queue: count }).default(usual.bumpLimits),
  rate_limits: z
    .strictObject({
      enabled: z.boolean(),
      disconnects: z.boolean(),
      nonMatching: bucket,
      trading: bucket,
      spot: bucket,
      cancelAll: bucket,
      maximumQuotes: bucket,
      maximumMassQuotes: bucket,
      guaranteedMassQuotes: bucket,
    })
    .default(usual.rateLimits),
  risk_limits: z
    .record(
      z.string(),
      z.strictObject({
        futurePosition9: limit9,
        optionPosition9: limit9,
        futureOrder9: limit9,
        optionOrder9: limit9,
      }),
    )
    .default({}),
  block_trades: z
    .strictObject({
      key: z.string(),
      signature_micros: count,
      approval_micros: count,
      band_ppm: count,
      legs_max: count,
    })
    .optional(),
  block_rfqs: z
    .strictObject({
      expiry_micros: count,
      grace_micros: count,
      legs_max: count,
      anonymous_makers_min: count,
      open_max: count,
      quotes_max: count,
      side_quotes_max: count,
      rating_micros: count,
    })
    .optional(),
}

type ProtectionSettings = Pick<
  ExchangeConfig,
  | 'engines'
  | 'rwaBases'
  | 'speedBumps'
  | 'bumpLimits'
  | 'rateLimits'
  | 'riskLimits'
  | 'blockTrades'
  | 'blockRfqs'
>

const schema = z.object(journalProtectionShape)

/** Settings of protections as JSON. */
export function encodeJournalProtection(config: ProtectionSettings): z.input<typeof schema> {
  return {
    engines: { ...config.engines },
    ...(config.rwaBases === undefined ? {} : { rwa_bases: [...config.rwaBases] }),
    speed_bumps: config.speedBumps,
    bump_limits: config.bumpLimits,
    rate_limits: config.rateLimits,
    risk_limits: { ...config.riskLimits },
    ...blocksOut(config.blockTrades),
    ...rfqsOut(config.blockRfqs),
  }
}

/** The settings of protections that a journal names. */
export function readJournalProtection(config: z.output<typeof schema>): ProtectionSettings {
  const engines: { readonly [index: string]: MatchingEngine } = config.engines
  const riskLimits: { readonly [index: string]: RiskLimits } = config.risk_limits
  return {
    engines,
    riskLimits,
    ...(config.rwa_bases === undefined ? {} : { rwaBases: config.rwa_bases }),
    speedBumps: config.speed_bumps,
    bumpLimits: config.bump_limits,
    rateLimits: config.rate_limits,
    blockTrades: blocksOf(config.block_trades),
    blockRfqs: rfqsOf(config.block_rfqs),
  }
}

/** Settings of block trades, where they are not the usual ones. */
function blocksOut(blocks: BlockSettings): Pick<z.input<typeof schema>, 'block_trades'> {
  const { key, signatureWindow, approvalWindow, bandPpm, legsMax } = blocks
  const entries = Object.entries(blocks) as [keyof BlockSettings, unknown][]
  if (entries.every(([name, value]) => value === usual.blockTrades[name])) return {}
  return {
    block_trades: {
      key,
      signature_micros: signatureWindow,
      approval_micros: approvalWindow,
      band_ppm: bandPpm,
      legs_max: legsMax,
    },
  }
}

function blocksOf(blocks: z.output<typeof schema>['block_trades']): BlockSettings {
  if (blocks === undefined) return usual.blockTrades
  return {
    key: blocks.key,
    signatureWindow: micros(blocks.signature_micros),
    approvalWindow: micros(blocks.approval_micros),
    bandPpm: blocks.band_ppm,
    legsMax: blocks.legs_max,
  }
}

/** Settings of Block RFQs, where they are not the usual ones. */
function rfqsOut(rfqs: RfqSettings): Pick<z.input<typeof schema>, 'block_rfqs'> {
  const entries = Object.entries(rfqs) as [keyof RfqSettings, unknown][]
  if (entries.every(([name, value]) => value === usual.blockRfqs[name])) return {}
  return {
    block_rfqs: {
      expiry_micros: rfqs.expiry,
      grace_micros: rfqs.grace,
      legs_max: rfqs.legsMax,
      anonymous_makers_min: rfqs.anonymousMakersMin,
      open_max: rfqs.openMax,
      quotes_max: rfqs.quotesMax,
      side_quotes_max: rfqs.sideQuotesMax,
      rating_micros: rfqs.ratingWindow,
    },
  }
}

function rfqsOf(rfqs: z.output<typeof schema>['block_rfqs']): RfqSettings {
  if (rfqs === undefined) return usual.blockRfqs
  return {
    expiry: micros(rfqs.expiry_micros),
    grace: micros(rfqs.grace_micros),
    legsMax: rfqs.legs_max,
    anonymousMakersMin: rfqs.anonymous_makers_min,
    openMax: rfqs.open_max,
    quotesMax: rfqs.quotes_max,
    sideQuotesMax: rfqs.side_quotes_max,
    ratingWindow: micros(rfqs.rating_micros),
  }
}
