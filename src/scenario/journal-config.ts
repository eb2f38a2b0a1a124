/**
 * The settings of an exchange in the head of a journal. Money and rates are exact decimals as texts.
 *
 * What journals of earlier versions do not say is as the venue has it.
 */
import {
  amount,
  formatIsoTime,
  formatScaled,
  formatScaledNumber,
  type Micros,
  micros,
  parseIsoTime,
  parseScaled,
  z,
} from '../core/index.ts'
import {
  type Currency,
  currencies,
  defaultConfig,
  type ExchangeConfig,
  feeProfiles,
  hasListedOptions,
  isCurrency,
  isListedPair,
  markModes,
  selfMatchModes,
} from '../model/index.ts'
import { historyShape, limitsOfWords, wordsOfLimits } from './history-limits.ts'
import {
  encodeJournalProtection,
  journalProtectionShape,
  readJournalProtection,
} from './journal-protection.ts'
import { encodeJournalRisk, journalRiskShape, readJournalRisk } from './journal-risk.ts'
import { encodeJournalWallet, journalWalletShape, readJournalWallet } from './journal-wallet.ts'

const count = z.int().min(0)
const usual = defaultConfig(micros(0))

const money = z.string().refine((text) => {
  const parsed = parseScaled(text, 9)
  return parsed.ok && parsed.value >= 0n && parsed.value <= MONEY_MAX
}, 'an amount of money')
const rate = z.string().refine((text) => {
  const parsed = parseScaled(text, 8)
  return parsed.ok && parsed.value >= 0n && parsed.value <= RATE_MAX
}, 'a rate between 0 and 1')
const moment = z.string().refine((text) => parseIsoTime(text).ok, 'an ISO 8601 time')
const pair = z.string().refine(isListedPair, 'a pair whose futures are listed')
const optionPair = z.string().refine(hasListedOptions, 'a pair whose options are listed')

/** The largest value that 64 bits of the tables hold. */
const MONEY_MAX = 9_223_372_036_854_775_807n
const RATE_MAX = 100_000_000n

/** The settings as JSON. */
export const journalConfigSchema = z.strictObject({
  price_bands: z.boolean(),
  self_match: z.enum(selfMatchModes),
  open_order_limits: z.strictObject({
    total: count,
    future: count,
    option: count,
    spot: count,
    triggers: count.default(usual.openOrderLimits.triggers),
    secondaries: count.default(usual.openOrderLimits.secondaries),
  }),
  marks: z.enum(markModes).default(usual.marks),
  listed_futures: z.array(pair).default([...usual.listedFutures]),
  listed_options: z.array(optionPair).default([...usual.listedOptions]),
  fees: z.enum(feeProfiles).default(usual.feeProfile),
  funding_dampers: z
    .array(z.strictObject({ from: moment, rate }))
    .nullable()
    .default(null),
  settlement_micros: count.default(usual.settlementTime),
  insurance_fund: z.partialRecord(z.enum(currencies), money).default(fundOut(usual.insuranceFund)),
  ...journalRiskShape,
  ...journalProtectionShape,
  ...journalWalletShape,
  book_events: z.boolean(),
  print_events: z.boolean(),
  history_limits: z.strictObject(historyShape).optional(),
})

type JournalConfig = z.input<typeof journalConfigSchema>

/** Settings as JSON, but for the start. */
export function encodeJournalConfig(config: ExchangeConfig): JournalConfig {
  return {
    price_bands: config.priceBands,
    self_match: config.selfMatch,
    open_order_limits: config.openOrderLimits,
    marks: config.marks,
    listed_futures: [...config.listedFutures],
    listed_options: [...config.listedOptions],
    fees: config.feeProfile,
    funding_dampers:
      config.fundingDampers?.map(({ from, rate8 }) => ({
        from: formatIsoTime(from),
        rate: formatScaledNumber(rate8, 8),
      })) ?? null,
    settlement_micros: config.settlementTime,
    insurance_fund: fundOut(config.insuranceFund),
    ...encodeJournalRisk(config),
    ...encodeJournalProtection(config),
    ...encodeJournalWallet(config),
    book_events: config.bookEvents,
    print_events: config.printEvents,
    ...(config.historyLimits === undefined
      ? {}
      : { history_limits: wordsOfLimits(config.historyLimits) }),
  }
}

/** The settings that a journal names. */
export function readJournalConfig(
  config: z.output<typeof journalConfigSchema>,
  start: Micros,
): ExchangeConfig {
  return {
    start,
    priceBands: config.price_bands,
    selfMatch: config.self_match,
    openOrderLimits: config.open_order_limits,
    marks: config.marks,
    listedFutures: config.listed_futures,
    listedOptions: config.listed_options,
    feeProfile: config.fees,
    fundingDampers:
      config.funding_dampers?.map(({ from, rate: text }) => ({
        from: timeOf(from),
        rate8: Number(scaledOf(text, 8)),
      })) ?? null,
    settlementTime: micros(config.settlement_micros),
    insuranceFund: fundOf(config.insurance_fund),
    ...readJournalRisk(config),
    ...readJournalProtection(config),
    ...readJournalWallet(config),
    bookEvents: config.book_events,
    printEvents: config.print_events,
    ...(config.history_limits === undefined
      ? {}
      : { historyLimits: limitsOfWords(config.history_limits) }),
  }
}

function fundOut(fund: ExchangeConfig['insuranceFund']): { [C in Currency]?: string } {
  const texts: { [C in Currency]?: string } = {}
  for (const currency of currencies) {
    const held = fund[currency]
    if (held !== undefined) texts[currency] = formatScaled(held, 9)
  }
  return texts
}

function fundOf(
  texts: { readonly [C in Currency]?: string | undefined },
): ExchangeConfig['insuranceFund'] {
  const fund: { -readonly [C in Currency]?: ExchangeConfig['insuranceFund'][C] } = {}
  for (const [currency, text] of Object.entries(texts)) {
    if (isCurrency(currency) && text !== undefined) fund[currency] = amount(scaledOf(text, 9))
  }
  return fund
}

function scaledOf(text: string, scale: number): bigint {
  const parsed = parseScaled(text, scale)
  return parsed.ok ? parsed.value : 0n
}

function timeOf(text: string): Micros {
  const parsed = parseIsoTime(text)
  return parsed.ok ? parsed.value : micros(0)
}
