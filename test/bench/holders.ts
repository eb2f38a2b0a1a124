/**
 * A move of the index where 100,000 accounts hold a perpetual: most of them are far from any danger, and a move
 * passes them by. The first move looks at everybody.
 */
import { amount, instrumentId, lots, micros, price9, sequence } from '../../src/core/index.ts'
import { apply, audit, createExchange, type Exchange, findAccount } from '../../src/engine/index.ts'
import {
  type Command,
  type CommandHeader,
  defaultConfig,
  NO_ACCOUNT,
  positionAccount,
  specFromName,
} from '../../src/model/index.ts'
import { median, secondsOf } from './measure.ts'
import type { BenchRow } from './row.ts'

const start = micros(1_767_603_600_000_000)
const holders = 100_000
const moves = 200
const level = 50_000_000_000_000

/** A command without what all commands have. */
type Body<C> = C extends Command ? Omit<C, keyof CommandHeader> : never

/** An exchange that is told bodies of commands, each the next. */
interface Told {
  readonly exchange: Exchange
  tell(body: Body<Command>): void
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
  ]
}

function moveTo({ tell }: Told, price: number): number {
  return secondsOf(() =>
    tell({ kind: 'set_index', index: 'btc_usd', price: price9(Math.round(price)) }),
  )
}

function openHolders(): Told {
  const sink = { emit: (): void => undefined }
  const exchange = createExchange({ ...defaultConfig(start), marks: 'index' }, sink)
  let last = 0
  const header = { time: start, account: NO_ACCOUNT, session: 0, fault: null } as const
  const tell = (body: Body<Command>): void => {
    last += 1
    apply(exchange, { ...header, sequence: sequence(last), ...body } as Command, sink)
  }
  const named = specFromName('BTC-PERPETUAL', { creation: start })
  if (!named.ok) throw new RangeError('the catalogue knows BTC-PERPETUAL')
  tell({ kind: 'list_instrument', spec: named.value, queue: null })
  tell({ kind: 'set_index', index: 'btc_usd', price: price9(level) })
  for (let each = 0; each < holders; each += 1) {
    const name = `holder-${each}`
    tell({
      kind: 'open_account',
      name,
      marginModel: 'segregated_sm',
      main: null,
      feePpm: 1_000_000,
    })
    const target = findAccount(exchange, name)?.id ?? positionAccount
    tell({ kind: 'deposit', target, currency: 'BTC', amount: amount(1_000_000_000n) })
    const size = lots((each % 2 === 0 ? 1 : -1) * (100 + (each % 900)))
    tell({ kind: 'give_position', target, instrument: instrumentId(0), size, price: price9(level) })
  }
  return { exchange, tell }
}
