/**
 * A year of an exchange without trading: the cost of reference prices, funding, daily settlement, delivery and listing
 * alone.
 *
 * 50 instruments at a time: 26 perpetuals (BTC, ETH and 24 linear ones) and the 24 dated futures of BTC and ETH that
 * the schedule lists; each day some expire and some are new. 100 accounts, each with a position in every perpetual and
 * in every future that is listed at the start. Each hour every index moves, and the marks of four perpetuals are set
 * away from it, so that funding is paid.
 */
import { accountId, amount, instrumentId, lots, micros, price9, sequence } from '../../src/core/index.ts'
import { apply, audit, createExchange, type Exchange } from '../../src/engine/index.ts'
import {
  type Command,
  type CommandHeader,
  currencies,
  defaultConfig,
  type EventSink,
  type InstrumentSpec,
  NO_ACCOUNT,
  specFromName,
} from '../../src/model/index.ts'
import { secondsOf } from './measure.ts'
import type { BenchRow } from './row.ts'

const start = micros(1_767_603_600_000_000)
const hours = 365 * 24
const hour = 3_600_000_000
const traders = 100
const funded = 4
const nano = 1_000_000_000

/** Bases of the linear perpetuals. */
const bases = 'BTC ETH SOL XRP AAVE ADA ALGO AVAX BCH BNB DOGE DOT HYPE LINK LTC MATIC NEAR PAXG TRX UNI SUI APT ARB OP'

const perpetuals = [...['BTC-PERPETUAL', 'ETH-PERPETUAL'], ...bases.split(' ').map((base) => `${base}_USDC-PERPETUAL`)]

interface Year {
  readonly exchange: Exchange
  readonly sink: EventSink
  sequence: number
  events: number
}

/** Seconds for the year, and the number of its events. */
export function benchYear(): BenchRow[] {
  const year = openYear()
  const seconds = secondsOf(() => runYear(year))
  audit(year.exchange)
  const { instruments } = year.exchange
  if (instruments.filter(({ deliveredAt }) => deliveredAt !== null).length < 365) {
    throw new Error('expected the schedule to deliver futures every day')
  }
  return [
    {
      name: 'a year of hourly index moves, 50 instruments, 100 accounts',
      unit: 's',
      value: seconds,
      target: '<= 20',
    },
    { name: 'events of that year', value: year.events, unit: '' },
  ]
}

function openYear(): Year {
  let year: Year | undefined
  const sink: EventSink = {
    emit() {
      if (year !== undefined) year.events += 1
    },
  }
  const config = { ...defaultConfig(start), listedFutures: ['BTC', 'ETH'] }
  year = { exchange: createExchange(config, sink), sink, sequence: 0, events: 0 }
  for (const name of perpetuals) send(year, { kind: 'list_instrument', spec: specOf(name), queue: null })
  const firstAccount = year.exchange.accounts.length
  for (let each = 0; each < traders; each += 1) {
    const named = { name: `account-${each}`, marginModel: 'segregated_sm', main: null } as const
    send(year, { kind: 'open_account', ...named, feePpm: 1_000_000 })
    for (const currency of currencies.slice(0, 3)) {
      const target = accountId(firstAccount + each)
      send(year, { kind: 'deposit', target, currency, amount: amount(1_000_000_000_000_000n) })
    }
  }
  moveIndices(year, 0)
  const { instruments } = year.exchange
  for (let each = 0; each < traders; each += 1) {
    for (const { instrument, mark } of instruments) {
      const target = accountId(firstAccount + each)
      const size = lots(each % 2 === 0 ? 1 + each : -1 - each)
      send(year, { kind: 'give_position', target, instrument: instrument.id, size, price: mark })
    }
  }
  return year
}

function runYear(year: Year): void {
  for (let at = 1; at <= hours; at += 1) moveIndices(year, at)
}

/** Every index moves along a slow wave; the marks of the first perpetuals are above or below their index. */
function moveIndices(year: Year, at: number): void {
  const { exchange } = year
  for (const [place, { name }] of [...exchange.indices.values()].entries()) {
    const level = name === 'btc_usd' ? 100_000 : name === 'eth_usd' ? 4_000 : 20 + 7 * place
    const wave = ((at * (7 + place)) % 200) - 100
    const price = price9(level * nano + wave * level * (nano / 10_000))
    send(year, { kind: 'set_index', index: name, price }, at)
  }
  for (let each = 0; each < funded; each += 1) {
    const row = exchange.instruments.find(({ instrument }) => instrument.name === perpetuals[each])
    if (row === undefined) continue
    // Up to 0.1 % on either side; the damper takes a quarter of that.
    const price = price9(row.index.price + ((at % 5) - 2) * Math.floor(row.index.price / 2_000))
    const instrument = instrumentId(row.instrument.id)
    send(year, { kind: 'set_mark', instrument, price }, at)
  }
}

function specOf(name: string): InstrumentSpec {
  const spec = specFromName(name, { creation: start })
  if (!spec.ok) throw new Error(spec.error)
  return spec.value
}

type Body<C> = C extends Command ? Omit<C, keyof CommandHeader> : never

function send(year: Year, body: Body<Command>, at = 0): void {
  year.sequence += 1
  const header: CommandHeader = {
    time: micros(start + at * hour),
    sequence: sequence(year.sequence),
    account: NO_ACCOUNT,
    session: 0,
    fault: null,
  }
  apply(year.exchange, { ...header, ...body }, year.sink)
}
