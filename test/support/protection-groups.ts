/**
 * Market-maker protection in the model: it recounts windows from trades, compares the recounted sums with the limits,
 * and tracks requests that a freeze must refuse.
 *
 * Sizes are exact; each share is rounded to 1e-9. Greeks of options come from Black-76 with the volatility of the mark
 * in the trade, which is rounded: a delta may be off by 2e-5 of a coin for each coin traded, and a vega by 0.02 USD. If
 * that error decides whether a limit was reached, the model accepts the engine's decision.
 */
import { assert } from '../../src/core/index.ts'
import type { EventOf } from '../../src/model/index.ts'
import { fraction, plus } from './fraction.ts'
import { black76, impliedVolatility } from './naive-black.ts'
import {
  coinsOf,
  type Facts,
  freshWindow,
  type KnownConfig,
  type KnownGroup,
  type KnownInstrument,
  type KnownOrder,
  keyOf,
  leftOf,
  nearest,
  type Sent,
} from './protection-facts.ts'
import type { Params } from './protection-world.ts'

/** Expiry and strike of the option of a run. */
const EXPIRY = Date.UTC(2026, 0, 30, 8) * 1000
const STRIKE = 3000
const YEAR = 365 * 86_400 * 1_000_000
/** Error bounds of the greeks of one coin, in 1e-9. */
const DELTA_BOUND = 20_000n
const VEGA_BOUND = 20_000_000n
const SECOND = 1_000_000

/** Counts a fill of a protected order. A limit that it reaches takes effect before the next fill. */
export function countFill(facts: Facts, order: KnownOrder, trade: EventOf<'trade'>): void {
  const { group } = order
  if (group === null) return
  const { config, freeze } = group
  if (freeze !== null && !freeze.isFree) {
    assert(order.isExempt, 'no order of a frozen group is filled but those that waited')
    facts.note('filled while frozen')
    return
  }
  if (config === null) return
  const { window } = group
  if (window.start === null || trade.time >= window.start + config.interval) {
    if (window.start !== null) facts.note('window ended')
    if (window.start !== null && trade.time === window.start + config.interval) {
      facts.note('trade at the end of a window')
    }
    group.window = { ...freshWindow(), start: trade.time }
    group.opens = true
  }
  addShare(facts, group, order, trade)
  const reached = reachedBy(group.window, config)
  if (reached === 'no') return
  group.trips = reached
  if (isExact(group.window, config)) facts.note('limit reached exactly')
  if (reached === 'yes') freezeNow(facts, group)
}

function addShare(facts: Facts, group: KnownGroup, order: KnownOrder, trade: EventOf<'trade'>): void {
  const { window } = group
  const instrument = facts.instrument(trade.instrument)
  const price = BigInt(trade.price)
  const coins = coinsOf(instrument, trade.amount, price)
  window.exact = plus(window.exact, coins)
  window.quantity += nearest(coins)
  window.shares += 1
  const sign = order.side === 'buy' ? 1n : -1n
  if (!instrument.traded.isOption) {
    window.delta += sign * nearest(coins)
    return
  }
  const { delta, vega } = greeksOf(trade)
  const amount = BigInt(trade.amount) * instrument.step
  const size = Number(amount) / 1e9
  window.delta += sign * BigInt(Math.round(delta * size * 1e9))
  window.vega += sign * BigInt(Math.round(vega * size * 1e9))
  window.deltaBound += (DELTA_BOUND * amount) / 1_000_000_000n + 1n
  window.vegaBound += (VEGA_BOUND * amount) / 1_000_000_000n + 1n
}

/** Net delta and vega of one option at the mark of a trade. */
function greeksOf(trade: EventOf<'trade'>): { readonly delta: number; readonly vega: number } {
  const { option, mark, time } = trade
  if (option === null || option.forward === 0) return { delta: 0, vega: 0 }
  const terms = { right: 'call', strike: STRIKE } as const
  const forward = option.forward / 1e9
  const years = (EXPIRY - time) / YEAR
  const volatility = impliedVolatility(terms, { forward, years, inCoin: true }, mark / 1e9)
  const { delta, vega } = black76(terms, { forward, years, volatility })
  return { delta: delta - mark / 1e9, vega }
}

type Reached = KnownGroup['trips']

function reachedBy(window: KnownGroup['window'], config: KnownConfig): Reached {
  if (config.quantity !== null && window.quantity >= config.quantity) return 'yes'
  const delta = compare(window.delta, window.deltaBound, config.delta)
  const vega = compare(window.vega, window.vegaBound, config.vega)
  if (delta === 'yes' || vega === 'yes') return 'yes'
  return delta === 'perhaps' || vega === 'perhaps' ? 'perhaps' : 'no'
}

function compare(value: bigint, bound: bigint, limit: bigint | null): Reached {
  if (limit === null) return 'no'
  const size = value < 0n ? -value : value
  if (size - bound >= limit) return 'yes'
  return size + bound >= limit ? 'perhaps' : 'no'
}

function isExact({ quantity, delta, deltaBound }: KnownGroup['window'], config: KnownConfig): boolean {
  const size = delta < 0n ? -delta : delta
  return quantity === config.quantity || (deltaBound === 0n && size === config.delta)
}

function freezeNow(facts: Facts, group: KnownGroup): void {
  const { config, freeze } = group
  assert(config !== null, 'what trips has limits')
  if (freeze !== null) facts.note('tripped again after a reset')
  const until = config.frozenTime === 0 ? null : facts.now + config.frozenTime
  group.trips = 'yes'
  group.freeze = { since: facts.now, until, isFree: false }
  group.lastPulled = 0
  group.pulled = 0
  for (const order of facts.membersOf(group)) {
    if (order.waiting !== null) order.isExempt = true
  }
}

/** An order of a group is cancelled because of a trip, which confirms an uncertain trip. */
export function confirmTrip(facts: Facts, group: KnownGroup): void {
  if (group.trips === 'perhaps') freezeNow(facts, group)
  assert(group.trips === 'yes', 'orders go where a limit was reached')
}

/** An order of a group was cancelled because of a trip; these cancels come in the order of creation (C44). */
export function pullMember(facts: Facts, order: KnownOrder): void {
  const { group } = order
  assert(group !== null, 'only protected orders go with a group')
  confirmTrip(facts, group)
  assert(order.created > group.lastPulled, 'orders of a group go as they were created')
  group.lastPulled = order.created
  group.pulled += 1
}

/** A fill that reaches a limit takes effect before the next trade and before the end of the request. */
export function assertSettled(facts: Facts): void {
  for (const group of facts.groups.values()) {
    assert(group.trips !== 'yes', 'what a fill trips goes before anything else')
    group.trips = 'no'
    assert(!group.opens, 'a window that opens is told')
  }
}

/**
 * After the maximum is lowered, the newest orders of an instrument and side are cancelled until the rest fits (C45).
 */
export function curtail(facts: Facts, order: KnownOrder, { params }: Sent): void {
  const { group, created } = order
  assert(group !== null, 'only protected orders are curtailed')
  const { interval, maxQuote } = configOf(params)
  if (interval === 0) return
  let open = coinsOf(facts.instrument(order.instrument), leftOf(order), order.price)
  for (const other of facts.membersOf(group)) {
    if (other.instrument !== order.instrument || other.side !== order.side) continue
    if (other !== order && endsAnyway(other)) continue
    assert(other.created <= created, 'the newest are curtailed first')
    if (other === order) continue
    facts.note('curtailed the newest of several')
    open = plus(open, coinsOf(facts.instrument(other.instrument), leftOf(other), other.price))
  }
  assert(open.n + open.d > maxQuote * open.d, 'only what does not fit is curtailed')
}

/** Compares an event of a group with the recounted window. */
export function checkGroupEvent(facts: Facts, event: EventOf<'mmp'>): void {
  const account = facts.account(event.account)
  const key = keyOf(account, event.index, event.name)
  const known = facts.groups.get(key)
  if (event.change === 'configured') {
    configure(facts, event, known ?? freshGroup(account, event))
    return
  }
  assert(known !== undefined && known.number === event.group, 'a group keeps its number')
  switch (event.change) {
    case 'removed':
      known.config = null
      known.window = freshWindow()
      facts.note(`removed${event.cancelled > 0 ? ' with orders' : ''}`)
      break
    case 'window_opened':
      assert(known.opens, 'a window opens with its first trade')
      known.opens = false
      break
    case 'triggered':
      confirmTrip(facts, known)
      checkTrigger(facts, known, event)
      break
    case 'unfrozen':
      unfreeze(facts, known, event.time)
      break
    case 'reset':
      reset(facts, known, event)
  }
  checkWindow(known, event)
}

function freshGroup(account: string, event: EventOf<'mmp'>): KnownGroup {
  const { index, name, group } = event
  return {
    ...{ key: keyOf(account, index, name), account, index, name, number: group, config: null },
    ...{ window: freshWindow(), freeze: null, opens: false, trips: 'no', lastPulled: 0, pulled: 0 },
  }
}

function configure(facts: Facts, event: EventOf<'mmp'>, group: KnownGroup): void {
  facts.groups.set(group.key, group)
  assert(group.number === event.group, 'a group keeps its number')
  group.config = configOf(facts.request(event.cause).params)
  const { config } = event
  assert(config !== null, 'what is configured has limits')
  const reported = [config.interval, config.frozenTime, config.quantity9, config.delta9, config.vega9]
  const { interval, frozenTime, quantity, delta, vega } = group.config
  const meant = [interval, frozenTime, quantity, delta, vega].map((each) => (each === null ? null : Number(each)))
  assert(`${reported}` === `${meant}`, 'the limits in force are those that were set')
  if (event.cancelled > 0) facts.note('curtailed')
  if (group.freeze !== null) facts.note('configured while frozen')
  checkWindow(group, event)
}

/** Limits in words of the wire. */
export function configOf(params: Params): KnownConfig {
  const limit = (name: string): bigint | null => {
    const value = BigInt(Math.round(Number(params[name] ?? 0) * 10_000)) * 100_000n
    return value === 0n ? null : value
  }
  return {
    interval: Number(params['interval']) * SECOND,
    frozenTime: Number(params['frozen_time']) * SECOND,
    quantity: limit('quantity_limit'),
    delta: limit('delta_limit'),
    vega: limit('vega_limit'),
    maxQuote: limit('max_quote_quantity') ?? 0n,
  }
}

function checkTrigger(facts: Facts, group: KnownGroup, event: EventOf<'mmp'>): void {
  const { freeze } = group
  assert(freeze !== null && freeze.since === event.time, 'a trip is told at its time')
  assert(event.frozenUntil === freeze.until, 'a freeze lasts as long as it was set to')
  assert(event.cancelled === group.pulled, 'a trip tells how many orders went')
  for (const order of facts.membersOf(group)) {
    assert(order.waiting !== null, 'a trip leaves no order but those that wait')
    assert(order.isImmediate || order.waiting.isConverted, 'what waits ends at its release')
  }
  group.trips = 'no'
  facts.note(`tripped by ${event.trigger}`)
  if (group.pulled > 1) facts.note('tripped with several orders')
}

function unfreeze(facts: Facts, group: KnownGroup, time: number): void {
  const { freeze } = group
  assert(freeze !== null, 'a group was frozen before it is unfrozen')
  assert(freeze.until === time, 'a freeze ends at its time')
  if (!freeze.isFree) group.window = freshWindow()
  group.freeze = null
  facts.note(freeze.isFree ? 'the first second was over after a reset' : 'unfrozen')
}

function reset(facts: Facts, group: KnownGroup, event: EventOf<'mmp'>): void {
  const { freeze } = group
  const { isDirect } = facts.request(event.cause)
  assert(freeze !== null && !freeze.isFree, 'what is reset was frozen')
  const floor = freeze.since + SECOND
  if (event.time < floor) {
    assert(!isDirect, 'direct access ends no freeze in its first second')
    group.freeze = { since: freeze.since, until: floor, isFree: true }
  } else group.freeze = null
  group.window = freshWindow()
  if (isDirect && event.time === floor) facts.note('reset at the end of the first second')
  const when = event.time < floor ? 'in the first second' : 'later'
  facts.note(`reset ${isDirect ? 'by direct access' : when}`)
}

function checkWindow({ window, freeze }: KnownGroup, event: EventOf<'mmp'>): void {
  const { quantity, exact, shares, delta, deltaBound, vega, vegaBound } = window
  assert(event.windowStart === window.start, 'a window starts with its first trade')
  assert(BigInt(event.quantity9) === quantity, 'the quantity of a window is that of its trades')
  const off = fraction(exact.n - BigInt(event.quantity9) * exact.d, exact.d)
  const size = off.n < 0n ? -off.n : off.n
  assert(2n * size <= BigInt(shares) * off.d, 'what is rounded is half a unit of each trade')
  assert(isNear(event.delta9, delta, deltaBound), 'the delta of a window is that of its trades')
  assert(isNear(event.vega9, vega, vegaBound), 'the vega of a window is that of its trades')
  // A window opens before its first trade trips the group.
  const isFrozen = freeze !== null && !freeze.isFree && event.change !== 'window_opened'
  const until = isFrozen ? freeze.until : null
  assert(event.frozenUntil === until, 'it is told until when a group is frozen')
}

function isNear(reported: number, recounted: bigint, bound: bigint): boolean {
  const off = BigInt(reported) - recounted
  return off <= bound && -off <= bound
}

/** True if an order waits and will end at its release in any case; it is not withdrawn earlier. */
function endsAnyway({ waiting, isImmediate }: KnownOrder): boolean {
  return waiting !== null && (waiting.isConverted || isImmediate)
}

/** After each request: ended windows and freezes are gone, and no group exceeds its maximum. */
export function checkGroups(facts: Facts): void {
  for (const group of facts.groups.values()) {
    const { freeze, config } = group
    assert(freeze?.until == null || freeze.until > facts.now, 'a freeze that is over is told')
    const open = new Map<string, { size: ReturnType<typeof fraction>; orders: number }>()
    for (const order of facts.membersOf(group)) {
      if (endsAnyway(order)) continue
      const place = `${order.instrument}/${order.side}`
      const before = open.get(place) ?? { size: fraction(0), orders: 0 }
      const size = plus(before.size, coinsOf(facts.instrument(order.instrument), leftOf(order), order.price))
      open.set(place, { size, orders: before.orders + 1 })
    }
    for (const [, { size, orders }] of open) {
      assert(group.name === null || orders === 1, 'a group has at most one quote per instrument and side')
      const most = 2n * (config?.maxQuote ?? 0n) + BigInt(orders)
      assert(config === null || 2n * size.n <= most * size.d, 'no group has more open than it may')
    }
  }
}

/** A requested reset must have ended the freeze for the sessions that requested it. */
export function checkReset(facts: Facts, { account, params }: Sent): void {
  const name = params['mmp_group']
  const group = facts.group(account ?? '', String(params['index_name']), name === undefined ? null : String(name))
  assert(group?.freeze == null || group.freeze.isFree, 'a reset ends a freeze for JSON-RPC')
}

/** The instrument of a protected order must have the index of its group. */
export function assertOfIndex({ traded }: KnownInstrument, group: KnownGroup): void {
  assert(traded.index === group.index, 'a group has orders of its index')
}
