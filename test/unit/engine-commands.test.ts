/** The pure engine in a program that uses only the main entry point: integer commands, no casts. */
import { expect, test } from 'vitest'
import {
  accountId,
  allAccounts,
  amount,
  type Command,
  type CommandHeader,
  defaultConfig,
  type Event,
  findInstrument,
  instrumentId,
  lots,
  micros,
  NO_ACCOUNT,
  price9,
  sequence,
  simulate,
  specFromName,
  ticks,
  viewPosition,
} from '../../src/engine.ts'
import { orderRequest } from '../../src/testing/index.ts'

const start = micros(1_767_603_600_000_000)

/** The header of the nth command, one millisecond after the other. */
function header(nth: number, account: CommandHeader['account'] = NO_ACCOUNT): CommandHeader {
  const time = micros(start + nth * 1_000)
  return { time, sequence: sequence(nth), account, session: 0, fault: null }
}

/** An account of a name, and its money. */
function opened(nth: number, name: string, id: number): readonly Command[] {
  const [target, currency] = [accountId(id), 'BTC'] as const
  return [
    {
      ...header(nth),
      kind: 'open_account',
      name,
      marginModel: 'segregated_sm',
      main: null,
      feePpm: 1_000_000,
    },
    { ...header(nth + 1), kind: 'deposit', target, currency, amount: amount(1_000_000_000n) },
  ]
}

function limitOrder(nth: number, account: number, side: 'buy' | 'sell'): Command {
  return {
    ...header(nth, accountId(account)),
    kind: 'place_order',
    instrument: instrumentId(0),
    side,
    type: 'limit',
    timeInForce: 'good_til_cancelled',
    price: ticks(120_000),
    amount: lots(10),
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
}

/** The accounts of the house come first. */
function commands(first: number): readonly Command[] {
  const spec = specFromName('BTC-PERPETUAL', { creation: start })
  if (!spec.ok) throw new Error(spec.error)
  return [
    { ...header(1), kind: 'list_instrument', spec: spec.value, queue: null },
    { ...header(2), kind: 'set_index', index: 'btc_usd', price: price9(60_000_000_000_000) },
    ...opened(3, 'ann', first),
    ...opened(5, 'bob', first + 1),
    limitOrder(7, first, 'sell'),
    limitOrder(8, first + 1, 'buy'),
  ]
}

test('P14 simulate takes commands that are written with the units of the package alone', () => {
  const events: Event[] = []
  const emit = (event: Event): void => {
    events.push(event)
  }
  const empty = simulate(defaultConfig(start), [], { emit })
  const first = allAccounts(empty).length
  events.length = 0
  const exchange = simulate(defaultConfig(start), commands(first), { emit })
  expect(events.filter(({ kind }) => kind === 'refusal')).toEqual([])
  expect(events.filter(({ kind }) => kind === 'trade')).toMatchObject([{ price: 60_000 * 1e9 }])
  expect(viewPosition(exchange, accountId(first + 1), instrumentId(0))).toMatchObject({ size: 10 })
})

test('P15 the main entry point finds the instruments that pitclock/testing needs', () => {
  const exchange = simulate(defaultConfig(start), commands(0).slice(0, 1), { emit: () => {} })
  const instrument = findInstrument(exchange, 'BTC-PERPETUAL')
  if (instrument === undefined) throw new Error('it was listed')
  const space = { instrument, accounts: ['ann'], price: 60_000, spread: 5, lotsMax: 10 }
  expect(orderRequest(space).generate).toBeTypeOf('function')
})
