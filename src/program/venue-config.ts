/**
 * Checks of the settings that a program gives, as the checks of a scenario file are for a file.
 */
import { MICROS_PER_DAY } from '../core/index.ts'
import {
  baseName,
  defaultHistoryLimits,
  defaultWalletSettings,
  type ExchangeConfig,
  feeProfiles,
  HISTORY_LIMIT_MAX,
  hasListedOptions,
  isCurrency,
  isListedPair,
  markModes,
  matchingEngines,
} from '../model/index.ts'
import { riskFault } from './risk-config.ts'

/** A settlement lasts at most an hour. */
const SETTLEMENT_MICROS_MAX = 3_600_000_000
/** Most trades of a block that a request may name. */
const LEGS_MAX = 20
/** A year, and a billion units. */
const WAIT_MAX = 31_536_000_000_000
const FEE_MAX = 1_000_000_000_000_000_000n
/** A rate of 1 in 1e-8. */
const RATE8_MAX = 100_000_000

/** Throws `RangeError` at the first setting that cannot be: which, what was expected and what found. */
export function checkConfig(config: ExchangeConfig): void {
  const { marks, feeProfile, settlementTime, listedFutures, listedOptions, insuranceFund } = config
  // Programs without types may give anything.
  const words: readonly string[] = [marks, feeProfile]
  expectIn('marks', words[0], markModes)
  expectIn('feeProfile', words[1], feeProfiles)
  if (!isWithin(settlementTime, SETTLEMENT_MICROS_MAX)) {
    fail('settlementTime', 'whole microseconds of at most an hour', settlementTime)
  }
  for (const [at, pair] of listedFutures.entries()) {
    const isNew = listedFutures.indexOf(pair) === at
    if (!isListedPair(pair)) fail('listedFutures', 'pairs with dated futures, such as BTC', pair)
    if (!isNew) fail('listedFutures', 'each pair once', pair)
  }
  for (const [at, pair] of listedOptions.entries()) {
    const isNew = listedOptions.indexOf(pair) === at
    if (!hasListedOptions(pair)) fail('listedOptions', 'pairs with options, such as BTC', pair)
    if (!isNew) fail('listedOptions', 'each pair once', pair)
  }
  for (const [currency, money] of Object.entries(insuranceFund)) {
    if (!isCurrency(currency)) fail('insuranceFund', 'currencies that accounts hold', currency)
    const isMoney = typeof money === 'bigint' && money >= 0n
    if (!isMoney) fail('insuranceFund', 'money of at least 0 as a bigint in 1e-9', money)
  }
  checkDampers(config)
  checkEngines(config)
  checkHistory(config)
  checkBlocks(config)
  checkWallets(config)
  const risk = riskFault(config)
  if (risk !== undefined) fail(risk.name, risk.expected, risk.found)
}

function checkDampers({ fundingDampers, start }: ExchangeConfig): void {
  if (fundingDampers === null) return
  const first = fundingDampers[0]
  if (first === undefined || first.from > start) {
    fail('fundingDampers', 'one that holds at the start', first?.from)
  }
  for (const [at, { from, rate8 }] of fundingDampers.entries()) {
    const before = fundingDampers[at - 1]?.from ?? -1
    if (!Number.isSafeInteger(from) || from <= before)
      fail('fundingDampers', 'times that rise', from)
    if (!isWithin(rate8, RATE8_MAX)) fail('fundingDampers', 'rates of 0 to 1 in 1e-8', rate8)
  }
}

function checkEngines({ engines, rwaBases = [], bumpLimits }: ExchangeConfig): void {
  for (const [at, base] of rwaBases.entries()) {
    if (!baseName.test(base)) fail('rwaBases', 'bases in capital letters, such as XAU', base)
    if (rwaBases.indexOf(base) !== at) fail('rwaBases', 'each base once', base)
  }
  for (const engine of Object.values(engines)) {
    expectIn('engines', engine, matchingEngines)
  }
  for (const limit of [bumpLimits.member, bumpLimits.queue]) {
    if (!isWithin(limit, Number.MAX_SAFE_INTEGER)) fail('bumpLimits', 'whole numbers from 0', limit)
  }
}

function checkBlocks({ blockTrades }: ExchangeConfig): void {
  const { key, signatureWindow, approvalWindow, bandPpm, legsMax } = blockTrades
  // Programs without types may give anything.
  const text: unknown = key
  if (typeof text !== 'string') fail('blockTrades.key', 'a text', key)
  const windows = { signatureWindow, approvalWindow }
  for (const [name, window] of Object.entries(windows)) {
    const isWindow = window >= 1 && isWithin(window, MICROS_PER_DAY)
    if (!isWindow) fail(`blockTrades.${name}`, 'whole microseconds from 1 to a day', window)
  }
  if (!isWithin(bandPpm, 1_000_000)) fail('blockTrades.bandPpm', 'parts per million', bandPpm)
  const isCount = legsMax >= 1 && isWithin(legsMax, LEGS_MAX)
  if (!isCount) fail('blockTrades.legsMax', `a whole number from 1 to ${LEGS_MAX}`, legsMax)
}

function checkWallets({ wallet = {} }: ExchangeConfig): void {
  for (const [name, value] of Object.entries(wallet)) {
    const isKnown = Object.hasOwn(defaultWalletSettings, name)
    if (!isKnown) fail('wallet', Object.keys(defaultWalletSettings).join(', '), name)
    if (typeof value === 'number' && !isWithin(value, WAIT_MAX)) {
      fail(`wallet.${name}`, 'a whole number of at most a year in microseconds', value)
    }
  }
  for (const [currency, fee] of Object.entries(wallet.fees ?? {})) {
    if (!isCurrency(currency)) fail('wallet.fees', 'currencies that accounts hold', currency)
    const isMoney = typeof fee === 'bigint' && fee >= 0n && fee <= FEE_MAX
    if (!isMoney) fail('wallet.fees', 'money from 0 to a billion as a bigint in 1e-9', fee)
  }
}

function checkHistory({ historyLimits = {} }: ExchangeConfig): void {
  for (const [name, limit] of Object.entries(historyLimits)) {
    const isKnown = Object.hasOwn(defaultHistoryLimits, name)
    if (!isKnown) fail('historyLimits', Object.keys(defaultHistoryLimits).join(', '), name)
    const isLimit = limit >= 1 && isWithin(limit, HISTORY_LIMIT_MAX)
    if (!isLimit) fail(`historyLimits.${name}`, 'a whole number from 1 to 1,000,000,000', limit)
  }
}

function expectIn(name: string, found: string | undefined, words: readonly string[]): void {
  if (found === undefined || !words.includes(found)) fail(name, words.join(' or '), found)
}

function isWithin(value: number, most: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value <= most
}

function fail(name: string, expected: string, found: unknown): never {
  throw new RangeError(`config.${name}: expected ${expected}, found ${String(found)}`)
}
