/**
 * Laws of the performance of accounts, on random markets: the parts of each profit add up to equity less deposits, all
 * accounts and the house together earn zero, a snapshot changes no figure, and the sums equal those of a naive reader
 * of the events.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accountId, divHalfAwayBig } from '../../src/core/index.ts'
import { advanceTo, allAccounts, apply, type createExchange, openOrders, viewWallet } from '../../src/engine/index.ts'
import {
  anyOrder,
  type Command,
  type Currency,
  currencies,
  currencyIdOf,
  type Event,
  feeAccount,
  formOfId,
  houseAccountNames,
  insuranceAccount,
  positionAccount,
  roundingAccount,
} from '../../src/model/index.ts'
import type { AccountPerformance, TriggerFunnel } from '../../src/results/index.ts'
import { commandsOf, exchangeOf, intentArbitrary, type World, worldArbitrary } from '../support/command-stream.ts'
import { worth } from '../support/naive-money.ts'
import { PerformanceWatch } from '../support/performance-watch.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'

interface Run {
  readonly events: readonly Event[]
  readonly accounts: readonly AccountPerformance[]
  readonly exchange: ReturnType<typeof createExchange>
}

/** Measures a run of commands; every `split`-th boundary goes through a snapshot. */
function run(world: World, commands: readonly Command[], split: number): Run {
  const events: Event[] = []
  const sink = { emit: (event: Event): void => void events.push(event) }
  const exchange = exchangeOf(world, sink)
  const watch = new PerformanceWatch(exchange)
  watch.see(events)
  for (const [at, command] of commands.entries()) {
    watch.sample(command.time)
    const seen = events.length
    advanceTo(exchange, command.time, sink)
    apply(exchange, command, sink)
    watch.see(events.slice(seen))
    if (split > 0 && at % split === 0) watch.renew()
  }
  return { events, accounts: watch.finish(), exchange }
}

const intents = fc.array(intentArbitrary, { maxLength: 150, size: 'max' })

test('parts add up, the total is zero, and the sums equal those of the events', () => {
  let fills = 0
  let falls = 0
  const waited = { placed: 0, fired: 0, rejected: 0, cancelled: 0 }
  fc.assert(
    fc.property(worldArbitrary, intents, (world, steps) => {
      const { events, accounts, exchange } = run(world, commandsOf(world, steps), 0)
      for (const currency of currencies) {
        const sums = { price: 0n, fees: 0n, deposits: 0n }
        for (const account of accounts) {
          const of = account.currencies.find((one) => one.currency === currency)
          if (of === undefined) continue
          const parts = of.price + of.funding - of.fees + of.insurance
          expect(parts).toBe(of.equity - of.deposits)
          expect(of.total).toBe(of.equity - of.deposits)
          expect(of.fees).toBe(of.makerFees + of.takerFees + of.deliveryFees + of.commissions)
          expect(of.drawdown).toBeGreaterThanOrEqual(0n)
          sums.price += of.price + of.funding + of.insurance
          sums.fees += of.fees
          fills += of.fills
          if (of.drawdown > 0n) falls += 1
        }
        // Each holding rounds its realized and its floating profit and its funding to nano.
        const others = [positionAccount, roundingAccount, insuranceAccount]
        const given = others.reduce(
          (sum, account) => sum + viewWallet(exchange, account, currency).equity,
          -fundedBy(events, currency),
        )
        const holdings = BigInt(accounts.length + 2) * BigInt(exchange.instruments.length)
        const rounded = 2n * holdings + BigInt(exchange.roundings[currencyIdOf(currency)] ?? 0)
        // The fund's fees are not profit from prices.
        const taken = fundFeesOf(events, exchange, currency)
        const made = sums.price + given - taken
        expect(made <= rounded && made >= -rounded).toBe(true)
        expect(viewWallet(exchange, feeAccount, currency).equity).toBe(sums.fees - taken)
      }
      for (const [at, account] of accounts.entries()) {
        for (const fate of ['placed', 'fired', 'rejected', 'cancelled'] as const) {
          waited[fate] += account.orders.triggers[fate]
        }
        expect(figuresOf(account)).toEqual(naiveFigures(exchange, events, at + houseAccountNames.length))
      }
    }),
    { ...askedSeed(7), numRuns: askedRuns(1800, 20, 200) },
  )
  if (!isWhole) return
  expect(fills).toBeGreaterThan(100)
  expect(falls).toBeGreaterThan(20)
  expect(waited.placed).toBeGreaterThan(100)
  for (const count of Object.values(waited)) expect(count).toBeGreaterThan(5)
})

test('a run that goes through snapshots has the same figures', () => {
  fc.assert(
    fc.property(worldArbitrary, intents, fc.integer({ min: 1, max: 9 }), (world, steps, split) => {
      const commands = commandsOf(world, steps)
      expect(run(world, commands, split).accounts).toEqual(run(world, commands, 0).accounts)
    }),
    { ...askedSeed(7), numRuns: askedRuns(800, 20, 100) },
  )
})

/** Deposits of the insurance fund, and its exchanges with accounts whose other currencies paid a debt. */
function fundedBy(events: readonly Event[], currency: Currency): bigint {
  let sum = 0n
  for (const event of events) {
    if (event.kind === 'cash') {
      if (event.account === insuranceAccount && event.currency === currency) sum += event.change
    } else if (event.kind === 'transfer' && event.currency === currency) {
      if (event.to === insuranceAccount) sum += event.amount
      if (event.from === insuranceAccount) sum -= event.amount
    }
  }
  return sum
}

/** Fees and commissions of liquidations that the insurance fund received. */
function fundFeesOf(events: readonly Event[], exchange: Run['exchange'], currency: Currency): bigint {
  let sum = 0n
  for (const event of events) {
    if (event.kind === 'trade') {
      for (const { feeCurrency, fundFee } of [event.maker, event.taker]) {
        if (feeCurrency === currency) sum += fundFee
      }
    } else if (event.kind === 'position_transfer') {
      const spec = exchange.instruments[event.instrument]?.instrument
      if (spec?.settlementCurrency === currency) {
        sum += event.commission - event.commissionToTarget
      }
    }
  }
  return sum
}

/** The figures that `naiveFigures` computes. */
function figuresOf(account: AccountPerformance): object {
  const { orders } = account
  const cancelled = [...orders.cancelled.values()].reduce((sum, count) => sum + count, 0)
  return {
    name: account.account,
    turnover: account.currencies.reduce((sum, of) => sum + of.turnover, 0n),
    makerTurnover: account.currencies.reduce((sum, of) => sum + of.makerTurnover, 0n),
    net: account.instruments.map(({ bought, sold }) => bought - sold),
    ...{ opened: orders.opened, filled: orders.filled, cancelled, resting: orders.resting },
    filledPartly: orders.filledPartly,
    triggers: orders.triggers,
    waiting: waitingOf(orders.triggers),
    refused: [...orders.refused.values()].reduce((sum, count) => sum + count, 0),
  }
}

/** Trigger orders that still wait. */
function waitingOf({ placed, fired, rejected, cancelled }: TriggerFunnel): number {
  return placed - fired - rejected - cancelled
}

/** The same figures from all events, and from the orders that rest at the end. */
function naiveFigures(exchange: Run['exchange'], events: readonly Event[], account: number): object {
  const figures = {
    turnover: 0n,
    makerTurnover: 0n,
    opened: 0,
    filled: 0,
    cancelled: 0,
    refused: 0,
  }
  const triggers = { placed: 0, fired: 0, rejected: 0, cancelled: 0 }
  const unfired = new Set<number>()
  const net = new Map<number, number>()
  let filledPartly = 0
  for (const event of events) {
    if (event.kind === 'position_transfer') {
      for (const side of [event.from, event.to]) {
        if (side.account !== account) continue
        net.set(event.instrument, net.get(event.instrument) ?? 0)
      }
      continue
    }
    if (!('account' in event) && event.kind !== 'trade') continue
    // A combo trades by its legs, which have separate trades.
    if (event.kind === 'trade' && event.legs.length > 0) continue
    if (event.kind === 'trade') {
      const spec = exchange.instruments[event.instrument]?.instrument
      if (spec === undefined) throw new Error('a trade has its instrument')
      const basis = worth(spec, BigInt(event.amount), BigInt(event.price))
      const notional = spec.payoff === 'inverse' ? divHalfAwayBig(basis, 1_000_000_000n) : basis
      for (const fill of [event.maker, event.taker]) {
        if (fill.account !== account) continue
        figures.turnover += notional
        const isMaker = fill === event.maker && fill.rule !== 'hidden'
        if (isMaker) figures.makerTurnover += notional
        const signed = fill.side === 'buy' ? event.amount : -event.amount
        net.set(event.instrument, (net.get(event.instrument) ?? 0) + signed)
      }
    } else if (event.account !== account) {
    } else if (event.kind === 'given_position') {
      net.set(event.instrument, net.get(event.instrument) ?? 0)
    } else if (event.kind === 'order' && event.change === 'opened' && event.state === 'untriggered') {
      triggers.placed += 1
      unfired.add(event.order)
    } else if (event.kind === 'order' && event.change === 'opened') {
      figures.opened += 1
    } else if (event.kind === 'order' && event.change === 'triggered') {
      triggers.fired += 1
      unfired.delete(event.order)
    } else if (event.kind === 'order' && event.change === 'rejected') {
      triggers.rejected += 1
      unfired.delete(event.order)
    } else if (event.kind === 'order' && event.change === 'filled' && event.state === 'filled') {
      figures.filled += 1
    } else if (event.kind === 'order' && event.change === 'cancelled') {
      figures.cancelled += 1
      if (event.filled > 0) filledPartly += 1
      if (unfired.delete(event.order)) triggers.cancelled += 1
    } else if (event.kind === 'refusal' && event.command === 'place_order') {
      figures.refused += 1
    }
  }
  const live = openOrders(exchange, accountId(account), anyOrder)
  const resting = live.filter(({ order }) => formOfId(order.id) === 'ordinary')
  filledPartly += resting.filter(({ filled }) => filled > 0).length
  const left = { resting: resting.length, waiting: live.length - resting.length, filledPartly }
  expect(unfired.size).toBe(left.waiting)
  const name = allAccounts(exchange)[account]?.name
  return { name, ...figures, net: [...net.values()], triggers, ...left }
}
