/**
 * Random command streams. Intents are small plain numbers; they become commands when the ids, prices and positions of
 * the run so far are known. A stream depends only on its world and its intents, so fast-check can shrink and replay it.
 */
import {
  accountId,
  amount,
  dayBoundaryAfter,
  instrumentId,
  lots,
  type Micros,
  micros,
  orderId,
  price9,
  sequence,
} from '../../src/core/index.ts'
import { apply } from '../../src/engine/index.ts'
import {
  type Command,
  type CommandHeader,
  type Currency,
  type Event,
  type EventOf,
  houseAccountNames,
  instrumentStates,
  type MarketMessage,
  NO_ACCOUNT,
  type OrderChanged,
  type OrderFilter,
} from '../../src/model/index.ts'
import { OrderWriter, type Placed, type Sight } from './command-orders.ts'
import { tickerOf } from './command-tickers.ts'
import { faultOf, filterOf, type TransferKind, transferOf } from './command-transfers.ts'
import {
  anyCombo,
  anySpec,
  centreOf,
  exchangeOf,
  type Intent,
  type Kind,
  listingsOf,
  nanoOf,
  start,
  type World,
} from './command-world.ts'

export {
  configOf,
  everyKind,
  exchangeOf,
  type Intent,
  intentArbitrary,
  type World,
  worldArbitrary,
} from './command-world.ts'

const hour = 3_600_000_000

/** The first account that does not belong to the house. */
const firstUser = houseAccountNames.length

/** The commands of a run, one at a time. Before `next` it must observe the events of the previous commands. */
export class CommandStream {
  private readonly world: World
  private readonly listings: ReturnType<typeof listingsOf>
  private readonly orders: Placed[] = []
  private readonly live = new Map<number, Placed>()
  /** Instruments by their ids. */
  private readonly sights: Sight[] = []
  /** Instruments whose book is closed. */
  private readonly closed = new Set<number>()
  private sequence = 0
  private now: Micros = start

  constructor(world: World) {
    this.world = world
    this.listings = listingsOf(world)
  }

  /** The clock. */
  get time(): Micros {
    return this.now
  }

  /** Sets the time of the next command. */
  skipTo(time: Micros): void {
    this.now = time
  }

  /** Records which orders are live. */
  private observeOrder(event: OrderChanged): void {
    if (event.change === 'opened') {
      const { order: id, account, instrument, side, type, timeInForce, trigger } = event
      const source = trigger?.source ?? null
      const order = { id, account, instrument, side, type, timeInForce, source }
      this.orders.push(order)
      this.live.set(id, order)
    } else if (event.state !== 'open' && event.state !== 'untriggered') {
      this.live.delete(event.order)
    }
  }

  /** Records ids, prices and positions. */
  observe(event: Event): void {
    switch (event.kind) {
      case 'instrument': {
        const { instrument: spec } = event
        const price = centreOf(spec.priceIndex)
        this.sights.push({ spec, mark: price, index: price, last: 0, positions: new Map() })
        return
      }
      case 'order':
        this.observeOrder(event)
        return
      case 'mark':
        this.see(event.instrument).mark = event.price
        return
      case 'index':
        for (const sight of this.sights) {
          if (sight.spec.priceIndex === event.index) sight.index = event.price
        }
        return
      case 'trade': {
        const sight = this.see(event.instrument)
        sight.last = event.price
        for (const fill of [event.maker, event.taker]) {
          sight.positions.set(fill.account, fill.position)
        }
        return
      }
      case 'position_transfer': {
        const { positions } = this.see(event.instrument)
        for (const side of [event.from, event.to]) positions.set(side.account, side.position)
        return
      }
      case 'given_position':
        this.see(event.instrument).positions.set(event.account, event.position)
        return
      case 'state':
        if (event.state === 'open' || this.isOver(event)) this.closed.delete(event.instrument)
        else this.closed.add(event.instrument)
    }
  }

  /** Opens accounts with money, lists instruments and sets indices. */
  opening(): readonly Command[] {
    const { accounts, subaccounts, rich, unknownIndex, feePpm, models } = this.world
    const commands: Command[] = []
    for (const { spec } of this.listings) {
      commands.push({ ...this.header(NO_ACCOUNT), kind: 'list_instrument', spec, queue: null })
    }
    const known = unknownIndex ? this.listings.slice(0, -1) : this.listings
    for (const { spec, price: index } of known) {
      const price = price9(index)
      commands.push({
        ...this.header(NO_ACCOUNT),
        ...{ kind: 'set_index', index: spec.priceIndex, price },
      })
    }
    for (let account = 0; account < accounts; account += 1) {
      const name = `account${account}`
      const isSub = account > 0 && account >= accounts - subaccounts
      commands.push({
        ...this.header(NO_ACCOUNT),
        ...{
          kind: 'open_account',
          name,
          marginModel: models[account % models.length] ?? 'segregated_sm',
        },
        main: isSub ? accountId(firstUser) : null,
        feePpm: feePpm[account % feePpm.length] ?? 1_000_000,
      })
      for (const [currency, text] of [
        ['BTC', rich ? '1000' : '0.5'],
        ['ETH', rich ? '30000' : '10'],
        ['USDC', rich ? '50000000' : '30000'],
      ] as const) {
        commands.push(this.deposit(account + firstUser, currency, BigInt(nanoOf(text))))
      }
    }
    return commands
  }

  next(intent: Intent): Command {
    const { kinds: habits } = this.world
    const habit = habits[intent.kind % habits.length] ?? 'limit'
    const isSpot = this.see(this.instrument(intent)).spec.payoff === 'spot'
    // Spot has no positions, but some requests to give one are made anyway.
    const gives = habit === 'give' || habit === 'loss'
    const kind = gives && isSpot && intent.pick % 9 > 0 ? 'taker' : habit
    // One step in four moves the clock a little, and further if the venue computes the marks.
    const unit = this.world.marks === 'venue' ? 2000 : 1
    if (intent.pick % 4 === 0) this.now = micros(this.now + (intent.pick % 1000) * unit)
    // A closed book soon opens again.
    const [closed] = this.closed
    if (closed !== undefined && intent.detail % 3 === 0) {
      const instrument = instrumentId(closed)
      return {
        ...this.header(NO_ACCOUNT),
        ...{ kind: 'set_instrument_state', instrument, state: 'open' },
      }
    }
    // Prices move while it is closed, so that triggers fire and their orders cannot enter.
    if (closed !== undefined && intent.detail % 3 === 1) {
      return this.control('index', { ...intent, where: closed, pick: intent.pick * 2 })
    }
    // Sometimes the session ends while it is closed.
    if (closed !== undefined && intent.detail % 9 === 2) return this.control('session', intent)
    switch (kind) {
      case 'edit':
        return this.edit(intent)
      case 'cancel': {
        const { id, account } = this.pickOrder(intent)
        return { ...this.header(account), kind: 'cancel_order', order: orderId(id) }
      }
      case 'cancel_all':
        return {
          ...this.header(this.account(intent)),
          ...{ kind: 'cancel_orders', filter: this.filterOfAny(intent), freezesQuotes: false },
        }
      case 'self_trading':
        return {
          ...this.header(this.account(intent)),
          kind: 'set_self_trading',
          // "Off" is a setting of the run that accounts cannot request.
          mode: intent.pick % 2 === 0 ? 'reject_taker' : 'cancel_maker',
          extended: intent.buys,
        }
      case 'list': {
        // Some are already listed, and some have expired.
        const spec = anySpec(intent.pick)
        return { ...this.header(NO_ACCOUNT), kind: 'list_instrument', spec, queue: null }
      }
      case 'query':
        return { ...this.header(this.account(intent)), kind: 'query' }
      case 'combo': {
        const spec = anyCombo(intent.pick)
        return { ...this.header(this.account(intent)), kind: 'create_combo', spec }
      }
      case 'move':
      case 'transfer':
      case 'participant':
        return this.between(kind, intent)
      case 'state':
      case 'index':
      case 'mark':
      case 'give':
      case 'loss':
      case 'deposit':
      case 'wait':
      case 'session':
        return this.control(kind, intent)
      default:
        return this.place(kind, intent)
    }
  }

  /** Commands without orders: transfers of positions and money, and participants of the liquidity support programme. */
  private between(kind: TransferKind, intent: Intent): Command {
    const { world, sights } = this
    const { asks, ...body } = transferOf(kind, { world, sights, intent })
    return { ...this.header(asks), ...body }
  }

  /** A recorded message of the index of an instrument. */
  ticker(intent: Intent): MarketMessage {
    const at = this.instrument(intent)
    if (intent.pick % 3 === 0) this.now = micros(this.now + (intent.pick % 2_000_000))
    return tickerOf(this.see(at), { time: this.now, instrument: instrumentId(at), intent })
  }

  private place(kind: Kind, intent: Intent): Command {
    const { pick } = intent
    const at = this.instrument(intent)
    const account = this.account(intent)
    return {
      ...this.header(account),
      ...this.writer(at).order(kind, intent, account),
      kind: 'place_order',
      fault: kind === 'fault' ? faultOf(pick) : null,
      instrument: instrumentId(at),
      validUntil: kind === 'late' ? micros(this.now + (pick % 2)) : null,
      extras: null,
    }
  }

  private edit(intent: Intent): Command {
    const { pick } = intent
    const order = this.pickOrder(intent)
    return {
      ...this.header(order.account),
      ...this.writer(order.instrument).edit(order, intent),
      kind: 'edit_order',
      fault: pick % 19 === 0 ? faultOf(pick) : null,
      order: orderId(order.id),
      validUntil: null,
    }
  }

  private filterOfAny(intent: Intent): OrderFilter {
    const at = this.instrument(intent)
    return filterOf(at, this.see(at).spec, intent)
  }

  private control(
    kind: 'state' | 'index' | 'mark' | 'give' | 'loss' | 'deposit' | 'wait' | 'session',
    intent: Intent,
  ): Command {
    const { pick, offset, size, buys } = intent
    const at = this.instrument(intent)
    const { spec, mark, index } = this.see(at)
    const header = this.header(NO_ACCOUNT)
    const instrument = instrumentId(at)
    // Many digits, like an average of index prices.
    const moved = price9(Math.max(1, mark + offset * 7_919_000_000 + (pick % 977)))
    const centre = price9(Math.max(1, Math.round(mark * (1 + offset * 0.002))))
    switch (kind) {
      case 'index': {
        if (spec.kind === 'option' || spec.detail.type === 'combo') {
          const price = price9(Math.round(index * (1 + offset * 0.004)) + (pick % 977))
          return { ...header, kind: 'set_index', index: spec.priceIndex, price }
        }
        // Small moves trigger orders near the mark one by one.
        const near = price9(mark + offset * this.world.spread * spec.tick9)
        const wide = pick % 3 === 0 && moved > 10_000_000_000 ? moved : centre
        const price = pick % 2 === 0 && near > 0 ? near : wide
        return { ...header, kind: 'set_index', index: spec.priceIndex, price }
      }
      case 'mark':
        return { ...header, kind: 'set_mark', instrument, price: pick % 3 === 0 ? null : centre }
      case 'state': {
        const state = instrumentStates[pick % instrumentStates.length] ?? 'open'
        return { ...header, kind: 'set_instrument_state', instrument, state }
      }
      case 'give':
        return {
          ...header,
          ...{ kind: 'give_position', instrument },
          target: accountId(firstUser + (intent.who % this.world.accounts)),
          size: lots((buys ? size * (1 + (pick % 50)) : -size) * this.world.scale),
          price: moved > 10_000_000_000 ? moved : centre,
        }
      case 'loss': {
        // A position at three times its price, or at a third of it. Most accounts cannot carry it for long.
        const price = price9(Math.round(buys ? mark * 3 : mark / 3))
        const target = accountId(firstUser + (intent.who % this.world.accounts))
        const many = lots((buys ? size : -size) * this.world.scale * (1 + (pick % 400)))
        return { ...header, kind: 'give_position', instrument, target, size: many, price }
      }
      case 'deposit': {
        const currency = (['BTC', 'ETH', 'USDC'] as const)[pick % 3] ?? 'BTC'
        // Some deposits exceed every balance limit.
        const usual = BigInt(size) * 10_000_000n + BigInt(pick)
        const change = pick % 31 === 0 ? 9_000_000_000_000_000_000n : usual
        return this.deposit(this.account(intent), currency, buys ? change : -change)
      }
      case 'session': {
        // To the end of the session, and sometimes a little further.
        const left = dayBoundaryAfter(this.now) - this.now
        const isFar = left > Math.max(2, this.world.longestWait) * hour
        const further = pick % 3 === 0 ? pick % 6_000_000 : 0
        return { ...header, kind: 'advance_time', to: this.wait(isFar ? pick : left + further) }
      }
      case 'wait': {
        // Some waits end exactly at a settlement or within the half hour before it.
        const eight = micros(dayBoundaryAfter(this.now) - this.now)
        const longest = this.world.longestWait * hour
        const waits = [hour, longest, 60_000_000, eight, 650, 700, eight - (pick % 1_900_000_000)]
        const most = this.world.longestWait < 1 ? longest : Number.POSITIVE_INFINITY
        const to = Math.min(most, waits[pick % waits.length] ?? 0)
        return { ...header, kind: 'advance_time', to: this.wait(to) }
      }
    }
  }

  /** A future that was delivered stays so. */
  private isOver({ instrument, state, time }: EventOf<'state'>): boolean {
    return state === 'delivered' && this.see(instrument).spec.expiration <= time
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
    return firstUser + (intent.who % this.world.accounts)
  }

  private instrument(intent: Intent): number {
    return intent.where % this.sights.length
  }

  private see(instrument: number): Sight {
    const sight = this.sights[instrument]
    if (sight === undefined) throw new Error('a run knows its instruments')
    return sight
  }

  private writer(instrument: number): OrderWriter {
    return new OrderWriter(this.world, this.see(instrument))
  }

  /**
   * Mostly a live order of the asking account, more often a recent one. Sometimes an id that never existed: number
   * 999,999 of BTC.
   */
  private pickOrder(intent: Intent): Placed {
    const { pick } = intent
    const orders = pick % 7 < 5 ? [...this.live.values()] : this.orders
    const back = pick % 5 === 0 ? pick % Math.max(1, orders.length) : pick % 6
    const asking = this.account(intent)
    const known = pick % 43 === 0 ? undefined : orders[orders.length - 1 - back]
    if (known === undefined) {
      const instrument = this.instrument(intent)
      return {
        ...{ id: 127_999_872, account: asking, instrument },
        ...{ side: 'buy', type: 'limit', timeInForce: 'good_til_cancelled', source: null },
      }
    }
    return pick % 11 === 0 ? { ...known, account: asking } : known
  }
}

/** The recorded commands of a run. A later run repeats them without choosing again. */
export function commandsOf(world: World, steps: readonly Intent[]): readonly Command[] {
  const stream = new CommandStream(world)
  const observer = { emit: (event: Event): void => stream.observe(event) }
  const exchange = exchangeOf(world, observer)
  const commands: Command[] = []
  const step = (command: Command): void => {
    commands.push(command)
    apply(exchange, command, observer)
  }
  for (const command of stream.opening()) step(command)
  for (const intent of steps) step(stream.next(intent))
  return commands
}
