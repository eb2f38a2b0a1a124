/**
 * Random command streams: a world (instruments, accounts, settings, habits) and intents, small plain
 * numbers that become commands once the ids and marks of the run so far are known. A stream is a
 * function of world and intents alone, so it can be shrunk and replayed.
 *
 * Worlds are swarms: each leaves out some kinds of command and stresses others.
 */
import fc from 'fast-check'
import {
  accountId,
  amount,
  instrumentId,
  lots,
  type Micros,
  micros,
  type OrderId,
  orderId,
  price9,
  sequence,
  ticks,
} from '../../src/core/index.ts'
import { apply, createExchange } from '../../src/engine/index.ts'
import {
  type Command,
  type CommandHeader,
  type Currency,
  currencies,
  defaultConfig,
  type Event,
  type ExchangeConfig,
  type InstrumentSpec,
  NO_ACCOUNT,
  overrideSpec,
  type SpecOverrides,
  specFromName,
} from '../../src/model/index.ts'

/** 2026-01-05T07:00Z: one hour before a settlement. */
const start: Micros = micros(1_767_596_400_000_000)

/** What a run takes place in. */
export interface World {
  readonly instruments: readonly number[]
  readonly accounts: number
  readonly rich: boolean
  readonly selfMatch: ExchangeConfig['selfMatch']
  readonly priceBands: boolean
  readonly bookEvents: boolean
  readonly orderLimit: number
  readonly kinds: readonly Kind[]
  /** Ticks by which prices spread around the mark. */
  readonly spread: number
}

/** One step, before it is known what it meets. */
export interface Intent {
  readonly kind: number
  readonly who: number
  readonly where: number
  readonly buys: boolean
  readonly offset: number
  readonly size: number
  readonly pick: number
}

/** An order that was placed. */
interface Placed {
  readonly id: OrderId
  readonly account: number
  readonly instrument: number
}

/** Every kind of step, the frequent ones several times. */
export const everyKind = [
  ...['limit', 'limit', 'limit', 'taker', 'market', 'market_limit', 'ioc', 'fok', 'day'],
  ...['slide', 'reject', 'edit', 'edit', 'cancel', 'cancel_all', 'index', 'mark', 'deposit'],
  ...['give', 'wait', 'fault', 'late', 'query'],
] as const
type Kind = (typeof everyKind)[number]

const catalogue: readonly (readonly [string, SpecOverrides, center: string])[] = [
  ['BTC-PERPETUAL', {}, '50000'],
  ['ETH-PERPETUAL', { maker_commission: '-0.0001', taker_commission: '0.00075' }, '3000'],
  ['BTC-27MAR26', { tick_size: '0.5', min_trade_amount: '100', amount_step: '10' }, '50000'],
  ['BTC_USDC-PERPETUAL', { maker_commission: '0.000123457' }, '50000'],
  ['SOL_USDC-PERPETUAL', {}, '200'],
  ['AAVE_USDC-PERPETUAL', { taker_commission: '0.000345' }, '150'],
  ['BTC_USDC', { maker_commission: '-0.0001', taker_commission: '0.001' }, '50000'],
  ['ETH_BTC', { taker_commission: '0.0005' }, '0.06'],
]

/** Any world. */
export const worldArbitrary: fc.Arbitrary<World> = fc.record({
  instruments: fc.uniqueArray(fc.nat(catalogue.length - 1), { minLength: 1, maxLength: 3 }),
  accounts: fc.integer({ min: 2, max: 4 }),
  rich: fc.boolean(),
  selfMatch: fc.constantFrom('reject_taker', 'cancel_maker', 'off'),
  priceBands: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, fc.constant(false)),
  bookEvents: fc.constant(false),
  orderLimit: fc.constantFrom(3, 8, 1000, 1000, 1000),
  kinds: fc.subarray([...everyKind], { minLength: 6 }).map((some) => ['limit' as const, ...some]),
  spread: fc.constantFrom(1, 3, 3, 10, 200),
})

/** Any intent. */
export const intentArbitrary: fc.Arbitrary<Intent> = fc.record({
  kind: fc.nat(1000),
  who: fc.nat(3),
  where: fc.nat(3),
  buys: fc.boolean(),
  offset: fc.integer({ min: -6, max: 6 }),
  size: fc.integer({ min: 1, max: 12 }),
  pick: fc.nat(100_000),
})

/** The settings of a world. */
export function configOf(world: World): ExchangeConfig {
  const { selfMatch, priceBands, bookEvents, orderLimit } = world
  const config = defaultConfig(start)
  const limits = { total: orderLimit + 2, future: orderLimit, option: orderLimit, spot: orderLimit }
  return { ...config, selfMatch, priceBands, bookEvents, openOrderLimits: limits }
}

/** The commands of a run, one at a time: `next` needs to have seen the events of those before. */
export class CommandStream {
  readonly specs: readonly InstrumentSpec[]
  private readonly world: World
  private readonly orders: Placed[] = []
  private readonly marks: number[]
  private sequence = 0
  private now: Micros = start

  constructor(world: World) {
    this.world = world
    this.specs = world.instruments.map((at) => specAt(at))
    this.marks = world.instruments.map((at) => nanoOf(catalogue[at]?.[2] ?? '1'))
  }

  /** Learns ids and marks. */
  observe(event: Event): void {
    if (event.kind === 'order_opened') {
      this.orders.push({ id: event.order, account: event.account, instrument: event.instrument })
    }
    if (event.kind === 'mark_changed') this.marks[event.instrument] = event.price
  }

  /** Opens accounts with money, lists instruments and sets indices; one index stays unknown at times. */
  opening(): readonly Command[] {
    const { accounts, rich } = this.world
    const commands: Command[] = []
    for (const spec of this.specs) {
      commands.push({ ...this.header(NO_ACCOUNT), kind: 'list_instrument', spec, queue: null })
    }
    for (const [at, { priceIndex }] of this.specs.entries()) {
      const price = price9(this.marks[at] ?? 1)
      commands.push({ ...this.header(NO_ACCOUNT), kind: 'set_index', index: priceIndex, price })
    }
    for (let account = 0; account < accounts; account += 1) {
      const name = `account${account}`
      const marginModel = 'segregated_sm'
      commands.push({ ...this.header(NO_ACCOUNT), kind: 'open_account', name, marginModel })
      for (const [currency, text] of [
        ['BTC', rich ? '1000' : '0.05'],
        ['ETH', rich ? '30000' : '1'],
        ['USDC', rich ? '50000000' : '3000'],
      ] as const) {
        commands.push(this.deposit(account + 2, currency, BigInt(nanoOf(text))))
      }
    }
    return commands
  }

  next(intent: Intent): Command {
    const { kinds: habits } = this.world
    const kind = habits[intent.kind % habits.length] ?? 'limit'
    // A step in four moves the clock a little.
    if (intent.pick % 4 === 0) this.now = micros(this.now + (intent.pick % 1000))
    switch (kind) {
      case 'edit':
        return this.edit(intent)
      case 'cancel': {
        const { id, account } = this.pickOrder(intent)
        return { ...this.header(account), kind: 'cancel_order', order: id }
      }
      case 'cancel_all':
        return this.cancelAll(intent)
      case 'query':
        return { ...this.header(this.account(intent)), kind: 'query' }
      case 'index':
      case 'mark':
      case 'give':
      case 'deposit':
      case 'wait':
        return this.control(kind, intent)
      default:
        return this.place(kind, intent)
    }
  }

  private place(kind: Kind, intent: Intent): Command {
    const { buys, pick, size } = intent
    const at = this.instrument(intent)
    const types = { market: 'market', market_limit: 'market_limit' } as const
    const times = {
      ioc: 'immediate_or_cancel',
      fok: 'fill_or_kill',
      day: 'good_til_day',
    } as const
    const base = kind === 'limit' ? awayOf(intent) : intent.offset
    const late = kind === 'late' ? micros(this.now + (pick % 2)) : null
    // Some orders are beyond all sizes.
    const usual = [1, 1, 1, 1, 10, 1000, 30_000][pick % 7] ?? 1
    const scale = pick % 101 === 0 ? 1_000_000_000_000 : usual
    return {
      ...this.header(this.account(intent)),
      kind: 'place_order',
      fault: kind === 'fault' ? faultOf(pick) : null,
      instrument: instrumentId(at),
      side: buys ? 'buy' : 'sell',
      type: kind === 'market' || kind === 'market_limit' ? types[kind] : 'limit',
      timeInForce:
        kind === 'ioc' || kind === 'fok' || kind === 'day'
          ? times[kind]
          : kind === 'market' && pick % 3 === 0
            ? 'immediate_or_cancel'
            : 'good_til_cancelled',
      price: ticks(this.ticksAt(at, base)),
      amount: lots(fewer(size, pick) * scale),
      label: pick % 3 === 0 ? 'a' : pick % 3 === 1 ? 'b' : '',
      postOnly: kind === 'slide' || kind === 'reject' ? kind : 'off',
      reduceOnly: false,
      validUntil: late,
    }
  }

  private edit(intent: Intent): Command {
    const { pick, size, offset } = intent
    const { id, account, instrument } = this.pickOrder(intent)
    const scale = [1, 1, 1, 10, 1000][pick % 5] ?? 1
    return {
      ...this.header(account),
      kind: 'edit_order',
      fault: pick % 19 === 0 ? faultOf(pick) : null,
      order: id,
      amount: pick % 3 === 0 ? null : lots(fewer(size, pick) * scale),
      price: pick % 7 < 3 ? null : ticks(this.ticksAt(instrument, offset)),
      postOnly: ([null, null, 'off', 'slide', 'reject'] as const)[(pick >> 3) % 5] ?? null,
      reduceOnly: pick % 7 === 0 ? pick % 2 === 0 : null,
      validUntil: null,
    }
  }

  private cancelAll(intent: Intent): Command {
    const { pick } = intent
    const part = <T>(every: number, value: T): T | null => (pick % every === 0 ? value : null)
    return {
      ...this.header(this.account(intent)),
      kind: 'cancel_orders',
      filter: {
        label: part(2, 'a'),
        currency: part(3, currencies[pick % 3] ?? 'BTC'),
        instrument: part(5, instrumentId(this.instrument(intent))),
        kind: part(7, pick % 2 === 0 ? ('future' as const) : ('spot' as const)),
      },
    }
  }

  private control(kind: 'index' | 'mark' | 'give' | 'deposit' | 'wait', intent: Intent): Command {
    const { pick, offset, size, buys } = intent
    const at = this.instrument(intent)
    const spec = this.specs[at]
    const header = this.header(NO_ACCOUNT)
    // Odd digits, as averages of an index have.
    const moved = price9(Math.max(1, (this.marks[at] ?? 1) + offset * 7_919_000_000 + (pick % 977)))
    const centre = price9(Math.round((this.marks[at] ?? 1) * (1 + offset * 0.002)))
    switch (kind) {
      case 'index': {
        const price = pick % 3 === 0 && moved > 10_000_000_000 ? moved : centre
        return { ...header, kind: 'set_index', index: spec?.priceIndex ?? '', price }
      }
      case 'mark':
        return {
          ...header,
          kind: 'set_mark',
          instrument: instrumentId(at),
          price: pick % 3 === 0 ? null : centre,
        }
      case 'give':
        return {
          ...header,
          kind: 'give_position',
          target: accountId(2 + (intent.who % this.world.accounts)),
          instrument: instrumentId(at),
          size: lots(buys ? size * (1 + (pick % 50)) : -size),
          price: moved > 10_000_000_000 ? moved : centre,
        }
      case 'deposit': {
        const currency = (['BTC', 'ETH', 'USDC'] as const)[pick % 3] ?? 'BTC'
        // Some deposits are beyond all balances.
        const usual = BigInt(size) * 10_000_000n + BigInt(pick)
        const change = pick % 31 === 0 ? 9_000_000_000_000_000_000n : usual
        const account = 2 + (intent.who % this.world.accounts)
        return this.deposit(account, currency, buys ? change : -change)
      }
      case 'wait': {
        // Some waits stop exactly at a settlement, which is an hour after the start.
        const hour = 3_600_000_000
        const to = [hour, 24 * hour, 60_000_000, start + hour - this.now][pick % 4] ?? 0
        return { ...header, kind: 'advance_time', to: this.wait(to) }
      }
    }
  }

  private wait(micro: number): Micros {
    const to = micros(this.now + Math.max(0, micro))
    this.now = to
    return to
  }

  private deposit(account: number, currency: Currency, change: bigint): Command {
    const target = accountId(account)
    return {
      ...this.header(NO_ACCOUNT),
      ...{ kind: 'deposit', target, currency, amount: amount(change) },
    }
  }

  private header(account: number): CommandHeader {
    this.sequence += 1
    return {
      time: this.now,
      sequence: sequence(this.sequence),
      account: account === NO_ACCOUNT ? NO_ACCOUNT : accountId(account),
      session: 0,
      fault: null,
    }
  }

  private account(intent: Intent): number {
    return 2 + (intent.who % this.world.accounts)
  }

  private instrument(intent: Intent): number {
    return intent.where % this.specs.length
  }

  /**
   * A recent order more often than an old one, mostly by its owner; now and then an id that never
   * was: number 999,999 of BTC.
   */
  private pickOrder(intent: Intent): Placed {
    const { pick } = intent
    const back = pick % 5 === 0 ? pick % Math.max(1, this.orders.length) : pick % 6
    const asking = this.account(intent)
    const known = this.orders[this.orders.length - 1 - back]
    if (known === undefined) {
      return { id: orderId(15_999_984), account: asking, instrument: this.instrument(intent) }
    }
    return pick % 8 === 0 ? { ...known, account: asking } : known
  }

  private ticksAt(at: number, offset: number): number {
    const tick = this.specs[at]?.tick9 ?? 1
    return Math.round((this.marks[at] ?? 0) / tick) + offset * this.world.spread
  }
}

/** The commands of a run, fixed: what a later run does not choose anew. */
export function commandsOf(world: World, steps: readonly Intent[]): readonly Command[] {
  const stream = new CommandStream(world)
  const observer = { emit: (event: Event): void => stream.observe(event) }
  const exchange = createExchange(configOf(world), observer)
  const commands: Command[] = []
  const step = (command: Command): void => {
    commands.push(command)
    apply(exchange, command, observer)
  }
  for (const command of stream.opening()) step(command)
  for (const intent of steps) step(stream.next(intent))
  return commands
}

/** Small sizes half of the time, so that some orders fit each other exactly. */
function fewer(size: number, pick: number): number {
  return pick % 2 === 0 ? 1 + (size % 3) : size
}

/** Limit orders tend to stand on their own side of the mark. */
function awayOf({ buys, offset }: Intent): number {
  return buys ? offset - 3 : offset + 3
}

function faultOf(pick: number): NonNullable<CommandHeader['fault']> {
  const steps = [1, 5, 7, 10, 11, 12, 14, 15, 17, 19, 20, 21] as const
  return {
    step: steps[pick % steps.length] ?? 1,
    refusal: { reason: 'unsupported_arg_combination' },
  }
}

function specAt(at: number): InstrumentSpec {
  const [name, overrides] = catalogue[at] ?? ['BTC-PERPETUAL', {}]
  const named = specFromName(name, { creation: start })
  if (!named.ok) throw new Error(named.error)
  const spec = overrideSpec(named.value, overrides)
  if (!spec.ok) throw new Error(JSON.stringify(spec.error))
  return spec.value
}

function nanoOf(text: string): number {
  return Math.round(Number(text) * 1e9)
}
