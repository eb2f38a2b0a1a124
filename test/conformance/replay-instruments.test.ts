/**
 * Recorded liquidity of several instruments in one exchange: inverse, linear and spot share the account `market`.
 * Including this account, positions sum to zero and money sums to the deposits.
 */
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../src/core/assert.ts'
import { instrumentId, micros, sequence } from '../../src/core/index.ts'
import {
  apply,
  applyMarketMessage,
  audit,
  createExchange,
  type Exchange,
  findAccount,
  type MessageFinding,
  totalCash,
  viewPosition,
} from '../../src/engine/index.ts'
import {
  type Command,
  currencyIdOf,
  defaultConfig,
  type Event,
  houseAccountNames,
  type MarketKind,
  rowSide,
  specFromName,
} from '../../src/model/index.ts'

const start = micros(1_770_000_000_000_000)

/** An exchange with its events. Commands are written without their header. */
class Run {
  readonly events: Event[] = []
  readonly exchange: Exchange
  private sequence = 0
  private time = start + 0

  constructor() {
    this.exchange = createExchange({ ...defaultConfig(start), priceBands: false }, this)
  }

  emit(event: Event): void {
    this.events.push(event)
  }

  /** The reason of a refused command, or null. */
  send(body: object, account = -1): unknown {
    this.sequence += 1
    this.time += 1
    const header = { time: micros(this.time), sequence: sequence(this.sequence), session: 0 }
    // The body is one of the commands; its header has just been added.
    apply(this.exchange, { ...header, account, fault: null, ...body } as Command, this)
    audit(this.exchange)
    const refused = this.events.findLast((event) => event.kind === 'refusal' && event.cause === this.sequence)
    return refused?.kind === 'refusal' ? refused.refusal : null
  }

  list(name: string, queue: 'risk_averse' | null): unknown {
    const named = specFromName(name, { creation: start })
    if (!named.ok) throw new Error(named.error)
    return this.send({ kind: 'list_instrument', spec: named.value, queue })
  }

  report(
    kind: MarketKind,
    instrument: number,
    [side, price, lots]: readonly ['buy' | 'sell', number, number],
  ): MessageFinding {
    this.time += 1
    const rows = {
      side: Uint8Array.of(rowSide[side]),
      price: Float64Array.of(price),
      amount: Float64Array.of(lots),
      row: Float64Array.of(1),
    }
    const at = { time: micros(this.time), instrument: instrumentId(instrument), feed: 0 }
    const flags = { snapshot: false, uncross: false }
    const message = { kind, ...at, ...flags, rows, from: 0, to: 1 }
    const finding = applyMarketMessage(this.exchange, message, this)
    audit(this.exchange)
    return finding
  }

  buy(instrument: number, price: number, lots: number): unknown {
    const plain = {
      ...{ type: 'limit', timeInForce: 'good_til_cancelled', label: '', postOnly: 'off' },
      ...{
        reduceOnly: false,
        trigger: null,
        advanced: null,
        display: 0,
        linked: null,
        validUntil: null,
        extras: null,
      },
    }
    const order = { kind: 'place_order', instrument, side: 'buy', price, amount: lots, ...plain }
    return this.send(order, this.own())
  }

  own(): number {
    return findAccount(this.exchange, 'own')?.id ?? -1
  }

  cash(currency: 'BTC' | 'USDC'): bigint {
    return totalCash(this.exchange, currencyIdOf(currency))
  }
}

const names = ['BTC-PERPETUAL', 'BTC_USDC-PERPETUAL', 'BTC_USDC']
const deposited = 1_000_000_000_000_000n

function openRun(): Run {
  const run = new Run()
  for (const name of names) expect(run.list(name, 'risk_averse')).toBeNull()
  for (const index of ['btc_usd', 'btc_usdc']) {
    run.send({ kind: 'set_index', index, price: 50_000_000_000 })
  }
  run.send({
    kind: 'open_account',
    name: 'own',
    marginModel: 'segregated_sm',
    main: null,
    feePpm: 1_000_000,
  })
  for (const currency of ['BTC', 'USDC']) {
    run.send({ kind: 'deposit', target: run.own(), currency, amount: deposited })
  }
  return run
}

describe('recorded liquidity of several instruments', () => {
  test('fills of every rule in each instrument, with one account on the opposite side', () => {
    const run = openRun()
    for (const [instrument, name] of names.entries()) {
      const from = run.events.length
      const step = run.exchange.instruments[instrument]?.instrument.minTradeLots ?? 1
      run.report('book', instrument, ['sell', 102, step])
      expect(run.buy(instrument, 102, 4 * step)).toBeNull()
      run.report('book', instrument, ['sell', 101, step])
      run.report('trades', instrument, ['sell', 102, step])
      run.report('trades', instrument, ['sell', 100, step])
      const trades = run.events.slice(from).filter((event) => event.kind === 'trade')
      const market = findAccount(run.exchange, 'market')?.id
      expect([name, trades.map(({ maker, taker }) => [maker.rule, taker.rule])]).toEqual([
        name,
        [
          ['recorded', 'level_taken'],
          ['level_reached', 'recorded'],
          ['print_at_price', 'recorded'],
          ['print_through', 'recorded'],
        ],
      ])
      for (const { maker, taker } of trades) {
        const house = maker.rule === 'recorded' ? maker : taker
        expect([house.account, house.fee]).toEqual([market, 0n])
      }
    }
    const { BTC = 0n, USDC = 0n } = defaultConfig(micros(0)).insuranceFund
    expect([run.cash('BTC'), run.cash('USDC')]).toEqual([deposited + BTC, deposited + USDC])
    expect(run.exchange.accounts.map(({ account }) => account.name)).toEqual([
      ...houseAccountNames,
      ...['market', 'own'],
    ])
    const sizes = [0, 1].map((at) => {
      const instrument = instrumentId(at)
      return run.exchange.accounts.map(({ account }) => {
        return viewPosition(run.exchange, account.id, instrument).size
      })
    })
    for (const held of sizes) {
      const house = held.slice(0, houseAccountNames.length)
      const [market, own] = held.slice(houseAccountNames.length)
      expect([...house, (market ?? 0) + (own ?? 0)]).toEqual([...house.map(() => 0), 0])
      expect(own).toBeGreaterThan(0)
    }
  })

  test('prints are accepted only for a book with recorded liquidity', () => {
    const run = openRun()
    expect(run.list('ETH-PERPETUAL', null)).toBeNull()
    expect(() => run.report('trades', 3, ['sell', 90, 1])).toThrow(AssertionFailure)
  })

  test('one message changes one book', () => {
    const run = openRun()
    run.report('book', 1, ['sell', 102, 1_000])
    const minimum = run.exchange.instruments[0]?.instrument.minTradeLots ?? 1
    expect(run.buy(0, 103, minimum)).toBeNull()
    run.report('trades', 1, ['sell', 90, 1_000])
    expect(run.events.filter(({ kind }) => kind === 'trade')).toEqual([])
    run.report('trades', 0, ['sell', 90, 1_000])
    expect(run.events.filter(({ kind }) => kind === 'trade')).toHaveLength(1)
  })
})

describe('the account `market`', () => {
  test('is refused if the run already has an account of that name, and then nothing changes', () => {
    const run = new Run()
    run.send({
      kind: 'open_account',
      name: 'market',
      marginModel: 'segregated_sm',
      main: null,
      feePpm: 1_000_000,
    })
    expect(run.list('BTC-PERPETUAL', 'risk_averse')).toMatchObject({ param: 'queue' })
    expect(run.exchange.instruments).toEqual([])
    expect(run.list('BTC-PERPETUAL', null)).toBeNull()
  })

  test('is opened once, and no command opens it again', () => {
    const run = openRun()
    const again = {
      kind: 'open_account',
      name: 'market',
      marginModel: 'segregated_sm',
      main: null,
      feePpm: 1_000_000,
    }
    expect(run.send(again)).toMatchObject({ reason: 'invalid_params', param: 'name' })
  })
})

test.each(['book', 'trades', 'index'] as const)(
  'd14 a row of %s before its instrument is listed changes nothing and is counted',
  (kind) => {
    const run = new Run()
    const before = run.events.length
    expect(run.report(kind, 0, ['buy', 90, 1]).leftOut).toEqual({ check: 'out_of_life', rows: 1 })
    expect(run.events.slice(before)).toEqual([])
    expect(run.list('BTC-PERPETUAL', null)).toBeNull()
  },
)
