/**
 * Moves of the index with many holders: 100,000 of a perpetual, and 100 of each of 500 options. Most of them are far
 * from any danger, and a move skips them; the first move checks all of them. Accounts under portfolio margin are
 * checked in each round.
 */
import {
  type AccountId,
  amount,
  instrumentId,
  lots,
  type Micros,
  micros,
  price9,
  sequence,
} from '../../src/core/index.ts'
import { apply, audit, createExchange, type Exchange, findAccount } from '../../src/engine/index.ts'
import {
  type Command,
  type CommandHeader,
  defaultConfig,
  type MarginModel,
  NO_ACCOUNT,
  positionAccount,
  specFromName,
} from '../../src/model/index.ts'
import { median, secondsOf } from './measure.ts'
import type { BenchRow } from './row.ts'

const start = micros(1_767_603_600_000_000)
const holders = 100_000
const options = 500
const optionHolders = 100
const moves = 200
const portfolioHolders = 250
const level = 50_000_000_000_000

/** A command without its header. */
type Body<C> = C extends Command ? Omit<C, keyof CommandHeader> : never

/** An exchange that applies bodies of commands, one after the other. */
interface Told {
  readonly exchange: Exchange
  report(body: Body<Command>, time?: Micros): void
}

/** Milliseconds of a move. */
export function benchHolders(): BenchRow[] {
  const market = openHolders()
  const first = moveTo(market, level * 1.001)
  const figures: number[] = []
  for (let move = 0; move < moves; move += 1) {
    figures.push(moveTo(market, level * (1 + ((move * 7) % 11) / 10_000)))
  }
  audit(market.exchange)
  return [
    {
      name: `a move of the index, ${holders} holders`,
      unit: 'ms',
      value: median(figures) * 1000,
      target: '<= 5',
    },
    { name: 'the first move, which looks at all of them', unit: 'ms', value: first * 1000 },
    {
      name: `a move of the mark while funding runs, ${holders} holders, looks of the minutes included`,
      unit: 'ms',
      value: moveWhileFunded(market),
    },
    {
      name: `a virtual day of ${options} options with ${optionHolders} holders of all, index each second`,
      unit: 's',
      value: dayOfOptions(),
      target: '<= 120',
    },
    {
      name: `a move of the index and its round, ${portfolioHolders} accounts under portfolio margin`,
      unit: 'ms',
      value: moveOfPortfolios(portfolioHolders),
    },
  ]
}

/** Milliseconds of a mark each second, 0.2 % and more above the index, over minutes: the first minute is not counted. */
function moveWhileFunded({ exchange, report }: Told): number {
  const moveAt = (second: number): void => {
    const price = price9(level * 1.002 + ((second * 7) % 11) * 5_000_000_000)
    const time = micros(start + second * 1_000_000)
    report({ kind: 'set_mark', instrument: instrumentId(0), price }, time)
  }
  for (let second = 1; second <= 61; second += 1) moveAt(second)
  const seconds = secondsOf(() => {
    for (let second = 62; second <= 181; second += 1) moveAt(second)
  })
  audit(exchange)
  return (seconds * 1000) / 120
}

/** Milliseconds of a move each second with accounts that hold the perpetual and some options. */
function moveOfPortfolios(many: number): number {
  const market = openMarket()
  const names = ['BTC-PERPETUAL', ...optionNames().slice(60, 66)]
  for (const name of names) list(market, name)
  market.report({ kind: 'set_index', index: 'btc_usd', price: price9(level) })
  for (let each = 0; each < many; each += 1) {
    const target = openHolder(market, each, 20_000_000_000n, 'segregated_pm')
    for (let at = 0; at < names.length; at += 1) {
      const size = lots(((at + each) % 3 === 0 ? -1 : 1) * (at === 0 ? 1000 : 10))
      const given = { target, instrument: instrumentId(at), size, price: price9(10_000_000) }
      market.report({ kind: 'give_position', ...given, ...(at === 0 && { price: price9(level) }) })
    }
  }
  const moveAt = (second: number): number => {
    const price = price9(level + ((second * 7) % 11) * 5_000_000_000)
    const time = micros(start + second * 1_000_000)
    return secondsOf(() => market.report({ kind: 'set_index', index: 'btc_usd', price }, time))
  }
  for (let second = 1; second <= 5; second += 1) moveAt(second)
  const figures: number[] = []
  for (let second = 6; second <= 35; second += 1) figures.push(moveAt(second))
  audit(market.exchange)
  return median(figures) * 1000
}

/** Seconds that a day takes if the index moves each second, extrapolated from some minutes. */
function dayOfOptions(): number {
  const market = openMarket()
  const names = optionNames()
  for (const name of names) list(market, name)
  market.report({ kind: 'set_index', index: 'btc_usd', price: price9(level) })
  for (let each = 0; each < optionHolders; each += 1) {
    const target = openHolder(market, each, 100_000_000_000n)
    for (let at = 0; at < names.length; at += 1) {
      const size = lots((at + each) % 3 === 0 ? -1 : 1)
      const given = { target, instrument: instrumentId(at), size, price: price9(10_000_000) }
      market.report({ kind: 'give_position', ...given })
    }
  }
  const moveAt = (second: number): void => {
    const price = price9(level + (((second * 7_919) % 200) - 100) * 1_000_000_000)
    const time = micros(start + second * 1_000_000)
    market.report({ kind: 'set_index', index: 'btc_usd', price }, time)
  }
  for (let second = 1; second <= 60; second += 1) moveAt(second)
  const seconds = secondsOf(() => {
    for (let second = 61; second <= 360; second += 1) moveAt(second)
  })
  audit(market.exchange)
  return (seconds / 300) * 86_400
}

/** Strikes 500 USD apart, calls and puts, three expirations. */
function optionNames(): readonly string[] {
  const names = ['27MAR26', '26JUN26', '25SEP26'].flatMap((date) =>
    Array.from({ length: 84 }, (_, at) => `BTC-${date}-${31_500 + at * 500}`),
  )
  return names.flatMap((name) => [`${name}-C`, `${name}-P`]).slice(0, options)
}

function moveTo({ report }: Told, price: number): number {
  return secondsOf(() => report({ kind: 'set_index', index: 'btc_usd', price: price9(Math.round(price)) }))
}

function openHolders(): Told {
  const market = openMarket()
  list(market, 'BTC-PERPETUAL')
  market.report({ kind: 'set_index', index: 'btc_usd', price: price9(level) })
  for (let each = 0; each < holders; each += 1) {
    const target = openHolder(market, each, 1_000_000_000n)
    const size = lots((each % 2 === 0 ? 1 : -1) * (100 + (each % 900)))
    const given = { target, instrument: instrumentId(0), size, price: price9(level) }
    market.report({ kind: 'give_position', ...given })
  }
  return market
}

function openMarket(): Told {
  const sink = { emit: (): void => undefined }
  const exchange = createExchange({ ...defaultConfig(start), marks: 'index' }, sink)
  let last = 0
  const header = { account: NO_ACCOUNT, session: 0, fault: null } as const
  const report = (body: Body<Command>, time = start): void => {
    last += 1
    apply(exchange, { time, ...header, sequence: sequence(last), ...body } as Command, sink)
  }
  return { exchange, report }
}

function list({ report }: Told, name: string): void {
  const named = specFromName(name, { creation: start })
  if (!named.ok) throw new RangeError(`the catalogue knows ${name}`)
  report({ kind: 'list_instrument', spec: named.value, queue: null })
}

/** Opens an account with a deposit in nano of BTC. */
function openHolder(
  { exchange, report }: Told,
  each: number,
  deposit: bigint,
  marginModel: MarginModel = 'segregated_sm',
): AccountId {
  const name = `holder-${each}`
  report({ kind: 'open_account', name, marginModel, main: null, feePpm: 1_000_000 })
  const target = findAccount(exchange, name)?.id ?? positionAccount
  report({ kind: 'deposit', target, currency: 'BTC', amount: amount(deposit) })
  return target
}
