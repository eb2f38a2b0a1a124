/**
 * The law of margin before an order: an order that opens a position is accepted only if the account can afford the
 * initial margin after it. The law compares the margins of the account around each command. An order that filled at
 * once changed them by more than its margin, so the law compares it with the funds available before.
 */
import { type AccountId, accountId, assert, type InstrumentId, sequence } from '../../src/core/index.ts'
import {
  accountOf,
  apply,
  type Exchange,
  fork,
  marginsOf,
  openOrders,
  viewOrder,
  viewPosition,
} from '../../src/engine/index.ts'
import {
  anyOrder,
  type Command,
  type Currency,
  currencyOf,
  type Event,
  type MarginModel,
  type OrderChanged,
} from '../../src/model/index.ts'

/** The cases in which the law was checked. */
type Tried = 'rested' | 'filled' | 'set off' | 'refused'

/** A pool before a command. */
interface Before {
  readonly available: bigint
  readonly initial: bigint
}

type OrderEvent = OrderChanged

/** Rounding of totals in USD: each currency that an order touches is rounded separately. */
const ROUNDINGS = 4n

/** Checks the law and counts the checked cases by margin model. */
export class MarginLaw {
  readonly tried = new Map<string, number>()

  /** The margins of the account before its order is placed or edited. */
  before(exchange: Exchange, command: Command): Before | null {
    const currency = currencyOfOrder(exchange, command)
    const { account } = command
    return currency === null || account < 0 ? null : stateOf(exchange, accountId(account), currency)
  }

  /** Throws if an order that a command caused opens a position that its account cannot afford. */
  after(
    exchange: Exchange,
    {
      command,
      before,
      events,
    }: {
      readonly command: Command
      readonly before: Before | null
      readonly events: readonly Event[]
    },
  ): void {
    const refused = events.find(({ kind }) => kind === 'refusal')
    if (refused?.kind === 'refusal' && refused.refusal.reason === 'not_enough_funds') {
      this.count(exchange, 'refused', refused.account)
    }
    const orders = events.filter(isOrder).filter((order) => isMargined(exchange, order))
    const own = orders.filter(({ account }) => account === command.account)
    const [only] = own
    // The first book of an option moves its mark after the order that made the book was admitted (rule
    // option.first-book). One order in 200 makes such a book. No other mark changes during a command.
    const isFirst = ({ instrument }: OrderEvent): boolean =>
      events.some((event) => event.kind === 'mark' && event.instrument === instrument)
    if (before !== null && only !== undefined && own.length === 1 && !isFirst(only)) {
      this.placed(exchange, { order: only, before, isFilled: trades(events, only.account) })
    }
    // Time passes within these commands, so an order that was affordable may not be affordable now.
    if (command.kind === 'advance_time') return
    // An account that can no longer afford its order may still make an edit that raises nothing.
    for (const order of orders) {
      const isNew = order.kind === 'order' && order.change === 'opened' && order.state === 'open'
      if (isNew && !isFirst(order) && !changes(events, order.account)) this.standing(exchange, order)
    }
  }

  private placed(
    exchange: Exchange,
    {
      order,
      before,
      isFilled,
    }: {
      readonly order: OrderEvent
      readonly before: Before
      readonly isFilled: boolean
    },
  ): void {
    const currency = currencyOfInstrument(exchange, order.instrument)
    const after = stateOf(exchange, order.account, currency)
    const rise = after.initial - before.initial
    if (rise <= ROUNDINGS || reduces(exchange, order)) return
    if (!isFilled) {
      this.count(exchange, 'rested', order.account)
      assert(after.available >= -ROUNDINGS, 'an order that opens is borne')
      return
    }
    // After a fill, an unbalanced portfolio may need more than either of the two portfolios that the engine checked.
    if (modelOf(exchange, order.account).endsWith('pm')) return
    this.count(exchange, 'filled', order.account)
    assert(rise <= before.available + ROUNDINGS, 'an order that is filled was borne')
  }

  /**
   * An order that rests although no funds are available must not make this worse: without it the account needs no less.
   */
  private standing(exchange: Exchange, { order, account, instrument, side }: OrderEvent): void {
    const currency = currencyOfInstrument(exchange, instrument)
    const now = stateOf(exchange, account, currency)
    this.count(exchange, 'set off', account)
    if (now.available >= -ROUNDINGS || reduces(exchange, { account, instrument, side })) return
    const copy = fork(exchange)
    apply(
      copy,
      {
        ...{ kind: 'cancel_order', order, time: exchange.now, account, session: 0, fault: null },
        sequence: sequence(exchange.lastSequence + 1),
      },
      { emit: () => undefined },
    )
    const without = stateOf(copy, account, currency)
    assert(now.initial <= without.initial + ROUNDINGS, 'what stands beyond what is available reduces')
  }

  private count(exchange: Exchange, tried: Tried, account: number): void {
    if (account < 0) return
    const key = `${tried} ${modelOf(exchange, accountId(account))}`
    this.tried.set(key, (this.tried.get(key) ?? 0) + 1)
  }
}

function isOrder(event: Event): event is OrderEvent {
  return (event.kind === 'order' && event.change === 'opened') || (event.kind === 'order' && event.change === 'edited')
}

/** True for orders that use margin: not spot, which is paid in full, and not liquidation orders. */
function isMargined(exchange: Exchange, { instrument, account, liquidation }: OrderEvent): boolean {
  const row = exchange.instruments[instrument]
  return row !== undefined && row.base < 0 && !liquidation && !accountOf(exchange, account).house
}

/** True if an order, together with the open orders of that side, only closes a position of the account. */
function reduces(
  exchange: Exchange,
  { account, instrument, side }: Pick<OrderEvent, 'account' | 'instrument' | 'side'>,
): boolean {
  const { size } = viewPosition(exchange, account, instrument)
  const open = openOrders(exchange, account, { ...anyOrder, instrument })
    .filter((view) => view.order.side === side && view.state === 'open')
    .reduce((sum, { order, filled }) => sum + order.amount - filled, 0)
  return side === 'buy' ? size + open <= 0 : size - open >= 0
}

function trades(events: readonly Event[], account: number): boolean {
  return events.some(
    (event) => event.kind === 'trade' && (event.maker.account === account || event.taker.account === account),
  )
}

/** True if an account traded, or lost an order that offset an order of its other side. */
function changes(events: readonly Event[], account: number): boolean {
  const cancels = events.some(
    (event) => event.kind === 'order' && event.change === 'cancelled' && event.account === account,
  )
  return cancels || trades(events, account)
}

/** The currency in which a placed or edited order needs margin; null if it needs none. */
function currencyOfOrder(exchange: Exchange, command: Command): Currency | null {
  if (command.kind !== 'place_order' && command.kind !== 'edit_order') return null
  const { instrument } = command.kind === 'place_order' ? command : instrumentOf(exchange, command)
  const row = instrument === null ? undefined : exchange.instruments[instrument]
  return row === undefined || row.base >= 0 ? null : currencyOf(row.settlement)
}

function instrumentOf(
  exchange: Exchange,
  { account, order }: Extract<Command, { readonly kind: 'edit_order' }>,
): { readonly instrument: InstrumentId | null } {
  const known = account < 0 ? null : viewOrder(exchange, order)
  return { instrument: known?.order.instrument ?? null }
}

function currencyOfInstrument(exchange: Exchange, instrument: InstrumentId): Currency {
  const row = exchange.instruments[instrument]
  assert(row !== undefined, 'an order is of an instrument')
  return currencyOf(row.settlement)
}

function modelOf(exchange: Exchange, account: AccountId): MarginModel {
  return accountOf(exchange, account).marginModel
}

/** Available funds and initial margin of the pool that an order uses: its currency, or all currencies in USD. */
function stateOf(exchange: Exchange, account: AccountId, currency: Currency): Before {
  const { available, initial, usd } = marginsOf(exchange, account, currency)
  if (usd === null) return { available, initial }
  return { available: usd.marginBalance - usd.initial - usd.spotReserve, initial: usd.initial }
}
