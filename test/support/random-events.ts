/**
 * Random events that resemble a run: a listing, accounts, deposits, then orders, trades, refusals and marks. They have
 * valid types and numbers but need not follow the rules of the venue, because tables store any event. Some values are
 * extreme on purpose.
 */
import {
  accountId,
  amount,
  assert,
  instrumentId,
  lots,
  type Micros,
  micros,
  price9,
  type RandomStream,
  randomStream,
  sequence,
} from '../../src/core/index.ts'
import {
  currencyIdOf,
  type Event,
  type EventHeader,
  type EventOf,
  type Fill,
  houseAccountNames,
  instrumentStates,
  makeOrderId,
  makeTradeId,
  NO_ORDER,
  type OrderChanged,
  type OrderReason,
  type Refusal,
  specFromName,
  triggerOrderTypes,
  triggerSources,
  unlinked,
} from '../../src/model/index.ts'
import { blockEvent, blockOfTrade } from './random-blocks.ts'
import { byOf, randomExtras, randomProtection } from './random-protections.ts'
import { riskEvent } from './random-risk.ts'
import { optionOf, randomInterest, randomMoney } from './random-values.ts'
import { walletEvent } from './random-wallets.ts'

/** Parameters of a random run. */
export interface RandomRun {
  readonly seed: number
  /** Events after the opening ones; a trade counts as one. */
  readonly length: number
  /** Only plain orders and trades in the mix of a busy market: 2 orders and 0.3 trades for each command. */
  readonly tradingOnly?: boolean
}

const start = 1_767_600_000_000_000
const instrumentNames = [
  'BTC-PERPETUAL',
  'ETH-PERPETUAL',
  'BTC-27MAR26-100000-C',
  'SOL_USDC-PERPETUAL',
  'BTC-27MAR26',
  'BTC-FS-27MAR26_PERP',
]
const accountNames = [...houseAccountNames, 'maker', 'taker', 'naïve — 数', '']
const house = houseAccountNames.length
const shortLabels = ['', '', '', 'q1']
const labels = ['', '', '', 'q1', 'a-rather-long-label-of-a-strategy', 'étiquette', '🙂', '\ud800']
const orderChanges: readonly OrderChanged['change'][] = [
  ...(['opened', 'opened', 'opened', 'filled'] as const),
  ...(['cancelled', 'cancelled', 'edited', 'rested'] as const),
]
const specialChanges: readonly OrderChanged['change'][] = [
  ...orderChanges,
  'resized',
  'refreshed',
  'triggered',
  'rejected',
]
const cancelReasons: readonly OrderReason[] = ['user_request', 'time_in_force', 'expiry']
const specialReasons: readonly OrderReason[] = [
  'oco_other_closed',
  'oto_primary_closed',
  'linked_order',
  'invalid_trigger_price',
]
const refusals: readonly Refusal[] = [
  { reason: 'not_enough_funds' },
  { reason: 'price_too_high', limit: price9(101_500_000_000_000) },
  { reason: 'max_spot_open_orders', limit: 200 },
  { reason: 'not_enough_funds_in_currency', currency: 'USDC' },
  { reason: 'invalid_params', param: 'amount', problem: 'must be a number — really' },
  { reason: 'invalid_request', problem: '' },
]

/** The events of a random run, the same for the same seed. */
export function randomEvents(run: RandomRun): Event[] {
  const random = randomStream(run.seed, 'random-events')
  const events: Event[] = openingEvents()
  let time = start
  for (let count = 0; count < run.length; count += 1) {
    time += random.int(0, 3000)
    const header = headerAt(micros(time), events.length + 1)
    events.push(run.tradingOnly === true ? tradingEvent(random, header, shortLabels) : anyEvent(random, header))
  }
  return events
}

function openingEvents(): Event[] {
  const events: Event[] = []
  const header = (): EventHeader => headerAt(micros(start), events.length + 1)
  for (const [id, name] of accountNames.entries()) {
    const account = accountId(id)
    events.push({
      ...{ kind: 'account', ...header(), account, name },
      ...{ marginModel: 'segregated_sm', house: id < house, feePpm: id * 1_000 },
      main: id === house + 3 ? accountId(house) : account,
    })
  }
  for (const [id, name] of instrumentNames.entries()) {
    const spec = specFromName(name, { creation: micros(start) })
    assert(spec.ok, `a name of the catalogue, found ${name}`)
    const routeDelay = id === 3 ? micros(5_000) : null
    const instrument = { ...spec.value, routeDelay, id: instrumentId(id) }
    events.push({ kind: 'instrument', ...header(), instrument })
  }
  return events
}

function headerAt(time: Micros, number: number): EventHeader {
  return { time, number, cause: sequence(number >> 1) }
}

function tradingEvent(random: RandomStream, header: EventHeader, labelChoice: readonly string[]): Event {
  if (random.chance(3, 23)) return tradeEvent(random, header)
  return orderEvent(random, header, random.pick(labelChoice))
}

function anyEvent(random: RandomStream, header: EventHeader): Event {
  const account = accountId(random.int(0, accountNames.length - 1))
  const instrument = instrumentId(random.int(0, instrumentNames.length - 1))
  const price = price9(random.int(1, 9_007_199_254_740_991))
  switch (random.int(0, 25)) {
    case 25:
      return walletEvent(random, header, account)
    case 24:
      return blockEvent(random, header, { account, instrument, price })
    case 0:
      return {
        ...{ kind: 'refusal', ...header, command: 'place_order' },
        account: random.chance(1, 3) ? -1 : account,
        instrument: random.chance(1, 3) ? -1 : instrument,
        refusal: random.pick(refusals),
      }
    case 1:
      return { kind: 'request', ...header, outcome: 'done', count: 0 }
    case 2:
      return { kind: 'index', ...header, index: 'btc_usd', price }
    case 3:
      return {
        ...{ kind: 'mark', ...header, instrument, price, index: price },
        source: random.pick(['set', 'index', 'fair', 'delivery', 'feed', 'model'] as const),
        option: optionOf(random),
      }
    case 4: {
      const [change, balance] = [randomMoney(random), randomMoney(random)]
      return { kind: 'cash', ...header, account, currency: 'USDC', change, balance }
    }
    case 5: {
      const [change, position] = [lots(random.int(-1e6, 1e6)), lots(random.int(-9e7, 9e7))]
      return {
        ...{ kind: 'given_position', ...header, account, instrument, change, price },
        ...{ realized: amount(0n), premium: amount(random.chance(1, 2) ? 0n : 5n), position },
        balance: amount(0n),
      }
    }
    case 6:
      return {
        ...{ kind: 'level', ...header, instrument, side: 'sell', price },
        ...{ amount: lots(random.int(0, 9e7)), changeId: header.number },
      }
    case 7:
      return { kind: 'self_trading', ...header, account, mode: 'cancel_maker', extended: true }
    case 8:
      return {
        ...{ kind: 'state', ...header, instrument },
        state: random.pick(instrumentStates),
      }
    case 11:
    case 12:
    case 13:
      return moneyEvent(random, header, { account, instrument, price })
    case 14:
    case 15:
    case 16:
      return riskEvent(random, header, {
        ...{ account, instrument, price, money: () => randomMoney(random) },
        other: accountId(random.int(0, accountNames.length - 1)),
      })
    case 17:
    case 18:
      return randomProtection(random, header, { account, instrument })
    case 9:
    case 10:
      return specialOrderEvent(random, header)
    default:
      return tradingEvent(random, header, labels)
  }
}

/** Funding, settlements and their consequences, with numbers that need not be consistent. */
function moneyEvent(
  random: RandomStream,
  header: EventHeader,
  at: Pick<EventOf<'settlement'>, 'account' | 'instrument'> & {
    readonly price: EventOf<'settlement'>['mark']
  },
): Event {
  const { account, instrument, price } = at
  const money = (): EventOf<'settlement'>['fee'] => randomMoney(random)
  const currency = random.pick(['BTC', 'USDC'] as const)
  const settled = {
    ...{ type: random.pick(['settlement', 'delivery'] as const), instrument, currency },
    ...{ index: price, mark: price, position: lots(random.int(-9e7, 9e7)) },
    ...{ profitLoss: money(), sessionProfitLoss: money(), funding: money() },
  }
  const { sessionProfitLoss } = settled
  switch (random.int(0, 7)) {
    case 0:
      return {
        ...{ kind: 'funding_rate', ...header, instrument, mark: price, index: price },
        ...{ rate8: random.int(-5_000_000, 5_000_000), accumulated: randomInterest(random) },
      }
    case 1: {
      const [from, to] = [randomInterest(random), randomInterest(random)]
      return {
        ...{ kind: 'funding', ...header, account, instrument, from, to },
        ...{ position: settled.position, funding: money() },
      }
    }
    case 2:
      return {
        ...{ kind: 'delivery_price', ...header, index: 'btc_usd', price },
        samples: random.int(0, 450),
      }
    case 3:
      return { kind: 'instrument_settlement', ...header, ...settled }
    case 4:
      return {
        ...{ kind: 'bankruptcy', ...header, account, currency, loss: money() },
        sessionProfitLoss,
        balance: amount(0n),
      }
    case 5:
      return {
        ...{ kind: 'shared_loss', ...header, account, currency, tax: money() },
        ...{ sessionProfitLoss, balance: money() },
      }
    case 6:
      return {
        ...{ kind: 'currency_bankruptcy', ...header, currency, sessionProfitLoss, loss: money() },
        ...{ funded: money(), socialized: money(), tax: money(), fund: money() },
        taxRate9: random.int(0, 1e9),
      }
    default:
      return {
        ...{ kind: 'settlement', ...header, ...settled, account },
        ...{ fee: money(), balance: money() },
      }
  }
}

/** An order with any of the fields that plain orders leave empty, consistent or not. */
function specialOrderEvent(random: RandomStream, header: EventHeader): OrderChanged {
  const plain = orderEvent(random, header, random.pick(labels))
  const other = (): OrderChanged['order'] =>
    random.chance(1, 2) ? NO_ORDER : makeOrderId(currencyIdOf('BTC'), random.int(1, 9e6), 'ordinary')
  const price = (): OrderChanged['price'] => price9(random.int(0, 2) * 99_999_500_000_000)
  const trigger = {
    ...{ source: random.pick(triggerSources), price: price(), offset: price() },
    reference: price(),
  }
  return {
    ...plain,
    change: random.pick(specialChanges),
    order: makeOrderId(currencyIdOf('BTC'), random.int(1, 5_000_000), 'mark_price_sell'),
    type: random.pick(triggerOrderTypes),
    state: random.pick(['untriggered', 'triggered', 'rejected'] as const),
    display: random.chance(1, 2) ? lots(0) : lots(random.int(1, 5e7)),
    shown: lots(random.int(0, 5e7)),
    trigger: random.chance(1, 3) ? null : trigger,
    links: random.chance(1, 3)
      ? unlinked
      : { condition: 'incremental', pair: other(), primary: other(), secondaries: [other()] },
    triggeredBy: other(),
    successor: other(),
    advanced: random.pick([
      null,
      { type: 'usd', value9: random.int(1, 9e15) },
      { type: 'implv', value9: 600_000_000 },
    ] as const),
    autoReplaced: random.chance(1, 2),
    liquidation: random.chance(1, 4),
    session: random.int(0, 2),
    extras: randomExtras(random),
    reason: random.pick([null, ...specialReasons]),
    by: byOf(plain),
  }
}

function orderEvent(random: RandomStream, header: EventHeader, label: string): OrderChanged {
  const change = random.pick(orderChanges)
  const amount = random.int(1000, 20_000)
  const filled = random.int(0, 1000)
  return {
    kind: 'order',
    change,
    time: header.time,
    number: header.number,
    cause: header.cause,
    order: makeOrderId(currencyIdOf('BTC'), random.int(1, 5_000_000), 'ordinary'),
    account: accountId(random.int(house, accountNames.length - 1)),
    instrument: instrumentId(random.int(0, 1)),
    side: random.pick(['buy', 'sell'] as const),
    type: random.chance(19, 20) ? 'limit' : 'market',
    timeInForce: random.chance(19, 20) ? 'good_til_cancelled' : 'immediate_or_cancel',
    price: price9(random.int(180_000, 220_000) * 500_000_000),
    amount: lots(amount),
    filled: lots(filled),
    averagePrice: price9(0),
    state: change === 'cancelled' ? 'cancelled' : 'open',
    postOnly: random.chance(9, 10) ? 'off' : random.pick(['slide', 'reject'] as const),
    reduceOnly: random.chance(1, 10),
    advanced: null,
    autoReplaced: false,
    liquidation: false,
    session: 0,
    extras: null,
    rested: false,
    replaced: false,
    label,
    createdAt: header.time,
    display: lots(0),
    shown: lots(amount - filled),
    trigger: null,
    links: unlinked,
    triggeredBy: NO_ORDER,
    successor: NO_ORDER,
    reason: change === 'cancelled' ? random.pick(cancelReasons) : null,
    by: null,
  }
}

function tradeEvent(random: RandomStream, header: EventHeader): Event {
  return {
    kind: 'trade',
    time: header.time,
    number: header.number,
    cause: header.cause,
    trade: makeTradeId(currencyIdOf('ETH'), random.int(1, 5_000_000)),
    tradeSeq: header.number,
    instrument: instrumentId(random.int(0, 1)),
    price: price9(random.int(180_000, 220_000) * 500_000_000),
    amount: lots(random.int(1, 20_000)),
    side: random.pick(['buy', 'sell'] as const),
    tickDirection: random.pick([0, 1, 2, 3] as const),
    block: blockOfTrade(random),
    rfq: random.chance(1, 9) ? { rfq: random.int(1, 99), quote: random.int(1, 99) } : null,
    altMatch: random.chance(1, 3) ? random.int(1, 1e9) : 0,
    index: price9(100_000_000_000_000),
    mark: price9(100_000_500_000_000),
    liquidation: random.chance(9, 10) ? 'none' : random.pick(['M', 'T', 'MT'] as const),
    option: random.chance(3, 4) ? null : optionOf(random),
    combo: random.chance(9, 10)
      ? null
      : {
          instrument: instrumentId(5),
          trade: makeTradeId(currencyIdOf('BTC'), random.int(1, 5_000_000)),
        },
    legs: [],
    maker: fill(random, random.chance(9, 10) ? 'book_maker' : 'hidden'),
    taker: fill(random, 'book_taker'),
  }
}

function fill(random: RandomStream, rule: Fill['rule']): Fill {
  return {
    account: accountId(random.int(house, accountNames.length - 1)),
    order: makeOrderId(currencyIdOf('ETH'), random.int(1, 5_000_000), 'ordinary'),
    side: rule === 'book_taker' ? 'sell' : 'buy',
    rule,
    aheadBefore: lots(random.int(0, 100)),
    aheadAfter: lots(0),
    source: random.chance(1, 4) ? { feed: random.int(0, 3), row: random.int(1, 1e9) } : null,
    fee: amount(BigInt(random.int(-50_000, 500_000))),
    feeCurrency: random.pick(['BTC', 'ETH'] as const),
    realized: amount(BigInt(random.int(-5_000_000_000, 5_000_000_000))),
    premium: amount(BigInt(random.int(-5_000_000_000, 5_000_000_000))),
    fundFee: amount(random.chance(9, 10) ? 0n : BigInt(random.int(1, 500_000))),
    balance: amount(0n),
    baseBalance: amount(0n),
    position: lots(random.chance(1, 20) ? random.int(-9e7, 9e7) : random.int(-5e5, 5e5)),
    remaining: lots(0),
  }
}
