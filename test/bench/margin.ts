/**
 * The cost of margin: orders of an account with 500 option positions and 1,000 open orders, under standard and
 * portfolio margin, alone and among many instruments and accounts; and the risk matrices of those positions, after a
 * move of the index and built from scratch.
 *
 * Each order is placed where it rests and cancelled again, options and a perpetual in turn, so that the state does not
 * change; every placement is checked against the margins of the whole account.
 */
import {
  type AccountId,
  accountId,
  amount,
  instrumentId,
  lots,
  type Micros,
  micros,
  type OrderId,
  price9,
  sequence,
  ticks,
} from '../../src/core/index.ts'
import { apply, audit, createExchange, type Exchange, findAccount, marginsOf } from '../../src/engine/index.ts'
import { emptyPair } from '../../src/engine/state/holdings.ts'
import { heldContract, pairMargin, risksOfGroup } from '../../src/engine/value/pairs.ts'
import { sizeOf } from '../../src/ledger/index.ts'
import { readExposure, updateGroup } from '../../src/margin/index.ts'
import {
  type Command,
  type CommandHeader,
  defaultConfig,
  type EventSink,
  type MarginModel,
  NO_ACCOUNT,
  type PlaceOrder,
  positionAccount,
  specFromName,
} from '../../src/model/index.ts'
import { median, secondsOf } from './measure.ts'
import type { BenchRow } from './row.ts'

const start: Micros = micros(1_767_603_600_000_000)
const positions = 500
const openOrders = 1_000
const orders = 20_000
const rounds = 5
/** The number of additional instruments and accounts, which may not make orders slower. */
const beside = 1_000
const index = price9(60_000_000_000_000)

/** An exchange with the measured account. */
interface Portfolio {
  readonly exchange: Exchange
  readonly sink: EventSink & { last: OrderId | null }
  readonly account: AccountId
  sequence: number
}

/** Orders per second under both margins, and the matrices in microseconds. */
export function benchMargin(): BenchRow[] {
  const standard = openPortfolio('segregated_sm')
  const portfolio = openPortfolio('segregated_pm')
  const alone = openPortfolio('segregated_sm')
  const crowded = openPortfolio('segregated_sm', beside)
  const rates = [standard, portfolio].map((market) => orders / median(roundsOf(market)))
  const rows: BenchRow[] = [
    ...rates.map((value, at) => ({
      name: `${at === 0 ? 'standard' : 'portfolio'} margin, ${positions} positions, ${openOrders} orders`,
      unit: 'orders/s',
      value,
      target: at === 0 ? '>= 100000' : '>= 10000',
    })),
    {
      name: `the first beside ${beside} more instruments and accounts against alone`,
      unit: 'x',
      value: besideOf(alone, crowded),
      target: '>= 0.8',
    },
    {
      name: `portfolio margin of ${positions} positions after a move of the index`,
      unit: 'us',
      value: movesOf(portfolio),
    },
    {
      name: `portfolio margin matrices of ${positions} positions from nothing`,
      unit: 'us',
      value: matricesOf(portfolio),
    },
  ]
  for (const market of [standard, portfolio, alone, crowded]) audit(market.exchange)
  return rows
}

/** Seconds of placing and cancelling, by round; the first round warms up and is left out. */
function roundsOf(market: Portfolio): readonly number[] {
  const seconds: number[] = []
  for (let round = 0; round <= rounds; round += 1) seconds.push(ordersOf(market))
  return seconds.slice(1)
}

/**
 * The speed of orders in a crowd relative to alone: the best round of each, because alternating rounds share the
 * machine, and a disturbance only makes a round slower.
 */
function besideOf(alone: Portfolio, crowded: Portfolio): number {
  let best = Number.POSITIVE_INFINITY
  let bestCrowded = Number.POSITIVE_INFINITY
  for (let round = 0; round <= rounds; round += 1) {
    bestCrowded = Math.min(bestCrowded, ordersOf(crowded))
    best = Math.min(best, ordersOf(alone))
  }
  return best / bestCrowded
}

/** Seconds of one round of placing and cancelling. */
function ordersOf(market: Portfolio): number {
  return secondsOf(() => {
    for (let each = 0; each < orders; each += 1) {
      place(market, each % 4 === 0 ? positions : each % positions, each % 2 === 0 ? 'buy' : 'sell')
      cancel(market)
    }
  })
}

/** Microseconds in which the margins of the account follow a move of the index, with every option repriced. */
function movesOf(market: Portfolio): number {
  const { exchange, account } = market
  const figures: number[] = []
  for (let round = 0; round <= 20; round += 1) {
    const price = price9(index + (round % 2) * 10_000_000_000)
    send(market, { kind: 'set_index', ...header(market), index: 'btc_usd', price })
    figures.push(secondsOf(() => marginsOf(exchange, account, 'BTC')) * 1e6)
  }
  return median(figures.slice(1))
}

/**
 * Microseconds of building the three matrices of all positions from scratch and reading them, if the profit of each
 * option in every scenario of its minute is already known.
 */
function matricesOf({ exchange, account }: Portfolio): number {
  const owners = exchange.holdings.filter((owner) => owner.account === account)
  const [first] = owners
  if (first === undefined) throw new RangeError('the account has positions')
  const figures: number[] = []
  for (let round = 0; round <= 20; round += 1) {
    let initial = 0n
    const seconds = secondsOf(() => {
      const pair = emptyPair(exchange, account, first.row)
      for (const { row, holding } of owners) {
        const { buys, sells } = readExposure(exchange.margin, holding)
        const position = sizeOf(exchange.ledger, holding)
        updateGroup(pair.group, heldContract(exchange, row, holding), { position, buys, sells })
      }
      initial = pairMargin(risksOfGroup(exchange, pair, null)).initial
    })
    if (initial !== marginsOf(exchange, account, 'BTC').initial) {
      throw new RangeError('matrices from nothing are those of the account')
    }
    figures.push(seconds * 1e6)
  }
  return median(figures.slice(1))
}

/** An account of a margin model, among `more` other instruments and accounts with a position. */
function openPortfolio(marginModel: MarginModel, more = 0): Portfolio {
  const sink = {
    last: null as OrderId | null,
    emit(event: Parameters<EventSink['emit']>[0]): void {
      if (event.kind === 'order' && event.change === 'opened') this.last = event.order
    },
  }
  const config = { ...defaultConfig(start), priceBands: false, marks: 'index' as const }
  const exchange = createExchange(config, sink)
  const market: Portfolio = { exchange, sink, account: accountId(0), sequence: 0 }
  const opened = { name: 'trader', marginModel, main: null, feePpm: 1_000_000 } as const
  send(market, { kind: 'open_account', ...header(market), ...opened })
  const account = findAccount(exchange, 'trader')?.id ?? positionAccount
  const own: Portfolio = { ...market, account, sequence: market.sequence }
  for (const name of [...optionNames(), 'BTC-PERPETUAL']) {
    const named = specFromName(name, { creation: start })
    if (!named.ok) throw new RangeError(`the catalogue knows ${name}`)
    send(own, { kind: 'list_instrument', ...header(own), spec: named.value, queue: null })
  }
  send(own, { kind: 'set_index', ...header(own), index: 'btc_usd', price: index })
  const money = { currency: 'BTC', amount: amount(1_000_000_000_000_000n) } as const
  send(own, { kind: 'deposit', ...header(own), target: account, ...money })
  for (let each = 0; each < positions; each += 1) {
    const given = { target: account, instrument: instrumentId(each), price: price9(10_000_000) }
    const change = lots(each % 3 === 0 ? -10 : 10)
    send(own, { kind: 'give_position', ...header(own), ...given, size: change })
  }
  for (let each = 0; each < openOrders; each += 1) {
    place(own, each % positions, each < positions ? 'buy' : 'sell')
  }
  crowd(own, more)
  return own
}

/** Lists more options, and opens more accounts with a position in the perpetual. */
function crowd(market: Portfolio, more: number): void {
  for (let each = 0; each < more; each += 1) {
    const named = specFromName(`BTC-25DEC26-${40_000 + each * 100}-C`, { creation: start })
    if (!named.ok) throw new RangeError('the catalogue knows options')
    send(market, { kind: 'list_instrument', ...header(market), spec: named.value, queue: null })
    const name = `other-${each}`
    const opened = { name, marginModel: 'segregated_sm', main: null, feePpm: 1_000_000 } as const
    send(market, { kind: 'open_account', ...header(market), ...opened })
    const target = findAccount(market.exchange, name)?.id ?? positionAccount
    const money = { currency: 'BTC', amount: amount(1_000_000_000_000n) } as const
    send(market, { kind: 'deposit', ...header(market), target, ...money })
    const given = { target, instrument: instrumentId(positions), price: index, size: lots(100) }
    send(market, { kind: 'give_position', ...header(market), ...given })
  }
}

/** Strikes 500 USD apart, calls and puts, three expirations. */
function optionNames(): readonly string[] {
  const names: string[] = []
  for (const date of ['27MAR26', '26JUN26', '25SEP26']) {
    for (let strike = 39_500; names.length < positions && strike < 82_000; strike += 500) {
      names.push(`BTC-${date}-${strike}-C`, `BTC-${date}-${strike}-P`)
    }
  }
  return names.slice(0, positions)
}

/** Places an order that rests: buys below, sells above all marks. */
function place(market: Portfolio, at: number, side: 'buy' | 'sell'): void {
  const isOption = at < positions
  const price = isOption ? (side === 'buy' ? 1 : 9_000) : side === 'buy' ? 100_000 : 140_000
  market.sequence += 1
  // Written out field by field, because a spread would cost more than the engine's work.
  const order: PlaceOrder = {
    kind: 'place_order',
    time: start,
    sequence: sequence(market.sequence),
    account: market.account,
    session: 0,
    fault: null,
    instrument: instrumentId(at),
    side,
    type: 'limit',
    timeInForce: 'good_til_cancelled',
    price: ticks(price),
    amount: lots(isOption ? 1 : 10),
    label: '',
    postOnly: 'off',
    reduceOnly: false,
    trigger: null,
    advanced: null,
    display: lots(0),
    linked: null,
    validUntil: null,
    extras: null,
  }
  market.sink.last = null
  send(market, order)
  if (market.sink.last === null) throw new RangeError('an order of the benchmark rests')
}

function cancel(market: Portfolio): void {
  const { last } = market.sink
  if (last === null) throw new RangeError('an order was placed')
  market.sequence += 1
  send(market, {
    kind: 'cancel_order',
    time: start,
    sequence: sequence(market.sequence),
    account: market.account,
    session: 0,
    fault: null,
    order: last,
  })
}

function send(market: Portfolio, command: Command): void {
  apply(market.exchange, command, market.sink)
}

function header(market: Portfolio): CommandHeader {
  market.sequence += 1
  const by = { account: NO_ACCOUNT, session: 0, fault: null } as const
  return { time: start, sequence: sequence(market.sequence), ...by }
}
