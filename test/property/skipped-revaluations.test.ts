/**
 * Law: skipped revaluations change no result. An engine that skips every holding it can
 * (`engine/value/skipped-revaluations.ts`) has the same events, so the same liquidations, and the same state as one that
 * revalues every holding at every mark.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { defined, formatScaled, modFloor, randomStream } from '../../src/core/index.ts'
import { apply, audit, createExchange, type Exchange, fork, stateHash, viewWallet } from '../../src/engine/index.ts'
import { readHolding } from '../../src/ledger/index.ts'
import { type Command, defaultConfig, type Event, type ExchangeConfig } from '../../src/model/index.ts'
import { commandsOf, configOf, intentArbitrary, worldArbitrary } from '../support/command-stream.ts'
import { type Market, market, start } from '../support/harness.ts'
import { askedRuns, askedSeed, isShort, isWhole, sampledNumbers } from '../support/property-runs.ts'

const seed = askedSeed(7)

/** A finished run, with the largest numbers of skipped holdings and of accounts that had one. */
interface Run {
  readonly exchange: Exchange
  readonly events: readonly Event[]
  readonly skippedHoldings: number
  readonly skippedAccounts: number
  /** The number of accounts that were liquidated after one of their holdings had been skipped. */
  readonly ended: number
  /** How often an account with a skipped holding paid or received funding. */
  readonly paying: number
}

/** Applies commands to an exchange that skips holdings of instruments with more checked holdings than this. */
function runOf(config: ExchangeConfig, commands: readonly Command[], skipFrom: number): Run {
  const events: Event[] = []
  const sink = { emit: (event: Event): void => void events.push(event) }
  const exchange = createExchange(config, sink)
  exchange.skipFrom = skipFrom
  let skippedHoldings = 0
  let skippedAccounts = 0
  const skippedOnce = new Set<number>()
  const ended = new Set<number>()
  let paying = 0
  for (const command of commands) {
    apply(exchange, command, sink)
    const skipped = exchange.accounts.filter((owner) => skips(exchange, owner))
    skippedAccounts = Math.max(skippedAccounts, skipped.length)
    skippedHoldings = Math.max(skippedHoldings, exchange.holdings.filter(({ skip }) => skip !== null).length)
    for (const { account } of skipped) skippedOnce.add(account.id)
    paying += skipped.filter(({ fundable }) => fundable.length > 0).length
    for (const id of skippedOnce) {
      const owner = defined(exchange.accounts[id], 'accounts are never removed')
      if (owner.liquidations.length > 0) ended.add(id)
    }
  }
  return { exchange, events, skippedHoldings, skippedAccounts, ended: ended.size, paying }
}

/** True if an account has a skipped holding that relies on the slack of its wallet. */
function skips(exchange: Exchange, { account }: Exchange['accounts'][number]): boolean {
  return exchange.holdings.some(({ account: owner, skip }) => owner === account.id && skip !== null && skip.share > 0)
}

/** Compares three runs: with every possible skip, with those that save time, and with none. */
function compare(config: ExchangeConfig, commands: readonly Command[]): Run {
  const skipping = runOf(config, commands, -1)
  const full = runOf(config, commands, Number.POSITIVE_INFINITY)
  expect(full.skippedHoldings).toBe(0)
  for (const { events, exchange } of [skipping, runOf(config, commands, 0)]) {
    expect(events).toEqual(full.events)
    audit(exchange)
    expect(stateHash(exchange)).toBe(stateHash(full.exchange))
  }
  return skipping
}

test.each([
  ['segregated standard', ['segregated_sm'] as const],
  ['every', ['cross_sm', 'segregated_sm', 'cross_pm', 'segregated_pm'] as const],
])('a liquidation happens at the same time as in an engine that skips nothing: %s margin', (_, models) => {
  const met = { liquidation: 0, skipped: 0 }
  const world = worldArbitrary.map((some) => ({
    ...some,
    ...{ accounts: 6, rich: false, liquidations: true, models },
    ...{ longestWait: 0.02, spread: 10 },
    kinds: [
      ...(['give', 'give', 'index', 'index', 'index', 'mark', 'wait', 'limit', 'taker'] as const),
      ...(['cancel', 'edit', 'transfer', 'deposit', 'loss', 'session', 'market'] as const),
    ],
  }))
  const intents = fc.array(intentArbitrary, { minLength: 30, maxLength: 120, size: 'max' })
  fc.assert(
    fc.property(world, intents, (some, intended) => {
      const { events, skippedHoldings } = compare(configOf(some), commandsOf(some, intended))
      met.liquidation += events.filter(({ kind }) => kind === 'liquidation').length
      met.skipped += skippedHoldings
    }),
    // A failure ends the test, because shrinking a whole market takes too long.
    { numRuns: askedRuns(1000, 1, 2), endOnFailure: true, ...seed },
  )
  if (!isWhole) return
  expect(met.liquidation).toBeGreaterThan(20)
  expect(met.skipped).toBeGreaterThan(100)
})

/** The deposits and the pace of a walk. */
interface Walk {
  /** The largest balances of an account in BTC (in 1e-4) and in USDC. */
  readonly coins: number
  readonly dollars: number
  /** Microseconds. */
  readonly step: number
  /** The largest move of an index in a step, in 0.1 USD. */
  readonly jump: number
  /** True if the perpetual pays funding. */
  readonly pays: boolean
}

const seconds = 700_000
/** Steps of a walk. */
const steps = isWhole ? 200 : isShort ? 70 : 100

/** Small steps of two indices, during which poor accounts hold, trade and are liquidated. */
function walkOf(seed: number, { coins, dollars, step: longest, jump, pays }: Walk): Market {
  const random = randomStream(seed, 'walk')
  const names = Array.from({ length: 8 }, (_, at) => `holder-${at}`)
  const deposit = (): string => formatScaled(BigInt(random.int(1_000, coins)), 4)
  const m = market({
    instruments: {
      ...{ 'BTC-PERPETUAL': {}, 'BTC-6JAN26': {}, 'BTC_USDC-PERPETUAL': {} },
      ...{ 'BTC-30JAN26-52000-C': {}, 'BTC-30JAN26-48000-P': {}, 'BTC_USDC-30JAN26-50000-C': {} },
      ...{ 'BTC-6JAN26-50000-C': {} },
    },
    accounts: {
      other: { BTC: '100000', USDC: '1000000000' },
      ...Object.fromEntries(names.map((name) => [name, { BTC: deposit(), USDC: `${random.int(20_000, dollars)}` }])),
    },
    index: { btc_usd: '50000', btc_usdc: '50000' },
    config: { liquidation: { ...defaultConfig(start).liquidation, enabled: true } },
  })
  const inverse = ['BTC-PERPETUAL', 'BTC-6JAN26'] as const
  for (const name of names) {
    for (const instrument of inverse)
      m.give(name, `${random.pick([-1, 1]) * random.int(1, 40)}0000`, '50000', instrument)
    m.give(name, `${random.int(-30, 30)}.5`, '50000', 'BTC_USDC-PERPETUAL')
    m.give(name, `${random.int(-9, 3)}.5`, '0.02', 'BTC-30JAN26-52000-C')
    m.give(name, `${random.int(-9, 3)}.5`, '0.02', 'BTC-30JAN26-48000-P')
    m.give(name, `${random.int(-2, 1)}.5`, '900', 'BTC_USDC-30JAN26-50000-C')
    m.give(name, `${random.int(-2, 1)}.5`, '0.01', 'BTC-6JAN26-50000-C')
  }
  const level = { btc_usd: 500_000, btc_usdc: 500_000 }
  for (let step = 0; step < steps; step += 1) {
    const index = random.pick(['btc_usd', 'btc_usdc'] as const)
    level[index] += random.int(-jump, jump)
    m.index(index, formatScaled(BigInt(level[index]), 1))
    m.wait(random.int(0, longest))
    const name = random.pick(names)
    const price = formatScaled(BigInt(level.btc_usd - modFloor(level.btc_usd, 5)), 1)
    if (random.chance(1, 6)) m.sell('other', { amount: '10000', price })
    if (random.chance(1, 6)) m.buy(name, { amount: '10000', price })
    if (random.chance(1, 20)) m.deposit(name, 'BTC', '0.1')
    // A mark that was set stays, and its implied volatility changes with each forward.
    const pinned = random.chance(1, 2) ? `0.0${random.int(2, 4)}` : null
    if (random.chance(1, 10)) m.mark(pinned, 'BTC-30JAN26-52000-C')
    // Funding begins, changes and ends.
    if (!pays || random.chance(7, 8)) continue
    const premium = Math.trunc((level.btc_usd * random.int(-80, 80)) / 10_000)
    const mark = formatScaled(BigInt(level.btc_usd + premium), 1)
    m.mark(random.chance(1, 3) ? null : mark)
  }
  return m
}

test.each(sampledNumbers(40, 1))('small steps end accounts at the same step, walk %i', (walk) => {
  const m = walkOf(walk, {
    ...{ coins: 30_000, dollars: 20_000, step: seconds, jump: 2_000, pays: false },
  })
  const { events, skippedHoldings } = compare(m.exchange.config, m.commands)
  expect(skippedHoldings).toBeGreaterThan(10)
  expect(events.filter(({ kind }) => kind === 'liquidation').length).toBeGreaterThan(0)
})

test('funding lowers the margin of skipped accounts like that of others', () => {
  const met = { skipped: 0, paying: 0, ended: 0 }
  for (const walk of sampledNumbers(40, 1)) {
    // Every other walk lasts longer than funding is counted on at once.
    const step = walk % 2 === 0 ? 400_000_000 : 30_000_000
    const m = walkOf(walk, { coins: 40_000, dollars: 200_000, step, jump: 5_000, pays: true })
    const run = compare(m.exchange.config, m.commands)
    met.skipped += run.skippedAccounts
    met.paying += run.paying
    met.ended += run.ended
  }
  if (!isWhole) return
  expect(met.skipped).toBeGreaterThan(0)
  expect(met.paying).toBeGreaterThan(0)
  expect(met.ended).toBeGreaterThan(0)
})

test('an exchange that is restored with skipped accounts continues in the same way', () => {
  const m = walkOf(1, { coins: 60_000, dollars: 400_000, step: seconds, jump: 5_000, pays: true })
  const sink = { emit: (): void => undefined }
  const exchange = createExchange(m.exchange.config, sink)
  exchange.skipFrom = -1
  let copies = 0
  let copy: Exchange | null = null
  for (const [at, command] of m.commands.entries()) {
    apply(exchange, command, sink)
    if (copy !== null) apply(copy, command, sink)
    if (at % 60 !== 59) continue
    copies += exchange.accounts.some((owner) => skips(exchange, owner)) ? 1 : 0
    if (copy !== null) expect(stateHash(copy)).toBe(stateHash(exchange))
    copy = fork(exchange)
    expect(copy.holdings.every(({ skip }) => skip === null)).toBe(true)
  }
  expect(copies).toBeGreaterThan(1)
})

test('a mark revalues only holdings that it may bring into danger', () => {
  const people = Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`holder-${at}`, { BTC: `${1 + at}` }]))
  const m = market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { other: { BTC: '100000' }, ...people },
    index: { btc_usd: '50000' },
    config: { liquidation: { ...defaultConfig(start).liquidation, enabled: true } },
  })
  for (const name of Object.keys(people)) {
    m.sell('other', { amount: '100000', price: '50000' })
    m.buy(name, { amount: '100000', price: '50000' })
  }
  const moves = ['49900', '49950', '35000'].map((price) => {
    m.index('btc_usd', price)
    return m.commands.at(-1)
  })
  const sink = { emit: (): void => undefined }
  const exchange = createExchange(m.exchange.config, sink)
  const looked: number[] = []
  for (const command of m.commands) {
    const before = exchange.holdings.map(({ holding }) => worthOf(exchange, holding))
    apply(exchange, command, sink)
    if (!moves.includes(command)) continue
    const after = exchange.holdings.map(({ holding }) => worthOf(exchange, holding))
    looked.push(after.filter((value, holding) => value !== before[holding]).length)
  }
  const [first = 0, near = 0, far = 0] = looked
  expect(first).toBe(41)
  expect(near).toBe(0)
  // An account with one coin is in danger long before an account with forty.
  expect(far).toBeGreaterThan(0)
  expect(far).toBeLessThan(12)
  // A query gets the current value: 100,000 USD bought at 50,000 and marked at 35,000.
  const richest = exchange.accounts.find(({ account }) => account.name === 'holder-39')
  const { id } = defined(richest, 'the holder has an account').account
  expect(viewWallet(exchange, id, 'BTC').sessionFloating).toBe(-857_142_857n)
  audit(exchange)
})

function worthOf(exchange: Exchange, holding: number): bigint {
  return readHolding(exchange.ledger, holding).value
}
