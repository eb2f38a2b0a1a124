/**
 * Stale timers do nothing. Each kind of timer has one case with two runs. In the first run the timer acts when it is
 * due. In the second run its order, window, payment or outage has already ended, or has a newer timer. A new kind of
 * timer does not compile until it has a case here.
 *
 * Source: DESIGN 4; STYLE 12.
 */
import { describe, expect, test } from 'vitest'
import { micros, snapshotTimerQueue } from '../../src/core/index.ts'
import { setTimer, type TimerKind } from '../../src/engine/state/index.ts'
import { defaultConfig, type Event, type EventSink } from '../../src/model/index.ts'
import { BlockMarket, usualTerms } from '../support/block-market.ts'
import { DeskMarket, type Json } from '../support/desk-market.ts'
import { idOf, type Market, market, start } from '../support/harness.ts'
import { protect, protectedOrder, reset } from '../support/protection-words.ts'
import { cancelQuotes, quotedMarket } from '../support/quote-words.ts'
import { RfqVenue } from '../support/rfq-venue.ts'
import { TimedDesk } from '../support/timed-desk.ts'
import { WalletMarket } from '../support/wallet-market.ts'

const second = 1_000_000
const minute = 60 * second

/** Counts the effects of a timer when it is due: in a plain run, or in a run in which it is stale by then. */
type StaleCase = (isStale: boolean) => number

/** Collects the events of a run. */
class Heard implements EventSink {
  readonly events: Event[] = []

  emit(event: Event): void {
    this.events.push(event)
  }

  /** Counts the matching events of an action. */
  during(act: () => void, fits: (event: Event) => boolean): number {
    const before = this.events.length
    act()
    return this.events.slice(before).filter(fits).length
  }
}

const countOf = (events: readonly Event[], fits: (event: Event) => boolean): number => events.filter(fits).length

function perpetuals(config: Parameters<typeof market>[0]['config'] = {}): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {}, 'BTC-30JAN26': {}, 'BTC-30JAN26-50000-C': {} },
    accounts: { alice: { BTC: '1' }, bob: { BTC: '100' } },
    index: { btc_usd: '50000' },
    config: { liquidation: defaultConfig(start).liquidation, ...config },
  })
}

const tasksOf = ({ exchange }: Market, kind: TimerKind): readonly Json[] =>
  snapshotTimerQueue(exchange.timers).timers.filter(({ payload }) => payload.kind === kind)

/** Sets a second timer with the same task and time, which must add no event. */
function twice(kind: TimerKind, run: { make: () => Market; wait: number }): StaleCase {
  return (isStale) => {
    const [plain, doubled] = [run.make(), run.make()]
    for (const { time, payload } of tasksOf(doubled, kind)) {
      setTimer(doubled.exchange.timers, micros(time), payload)
    }
    const reported = plain.wait(run.wait).events
    if (!isStale) return tasksOf(run.make(), kind).length
    const events = doubled.wait(run.wait).events
    expect(events).toEqual(reported)
    return 0
  }
}

/** A kind with at most one pending timer: an earlier one replaces a later one. */
function single(kind: TimerKind, acts: readonly ((m: Market) => void)[]): StaleCase {
  return (isStale) => {
    const m = perpetuals({ marks: kind === 'day_end' ? 'index' : 'venue' })
    const counts = acts.map((act) => {
      act(m)
      return tasksOf(m, kind).length
    })
    expect(Math.max(...counts)).toBe(1)
    return isStale ? Math.max(...counts) - 1 : 1
  }
}

const busy: readonly ((m: Market) => void)[] = [
  (m) => m.give('alice', '200000', '50000'),
  (m) => m.mark('50100'),
  (m) => m.wait(200_000),
  (m) => m.buy('bob', { amount: '10000', price: '49990' }),
  (m) => m.index('btc_usd', '50010'),
  (m) => m.wait(3 * minute + 1),
  (m) => m.mark(null),
  (m) => m.index('btc_usd', '41000'),
  (m) => m.wait(700_000),
  (m) => m.give('alice', '200000', '50000'),
  (m) => m.wait(2 * second),
]

const days: readonly ((m: Market) => void)[] = [
  (m) => m.give('alice', '10', '50000'),
  (m) => m.wait(24 * 60 * minute),
  (m) => m.wait(24 * 60 * minute),
]

const withdrawn = { addressWait: 0, confirmationTime: 200_000_000, completionTime: 100_000_000 }

function withBlock(sink: EventSink): BlockMarket {
  const m = new BlockMarket({}, { sink })
  const features = ['block_trade_approval']
  m.result(null, 'sim/create_key', { account: 'taker', name: 'desk', features })
  return m
}

function begin(m: BlockMarket): void {
  const counterparty_signature = m.sign('maker', { ...usualTerms, role: 'maker' })
  const asked = { ...usualTerms, role: 'taker', counterparty_signature }
  m.result('taker/desk', 'private/execute_block_trade', asked)
}

const named = { timestamp: usualTerms.timestamp, nonce: usualTerms.nonce }

const staleCases: { readonly [K in TimerKind]: StaleCase } = {
  order_arrival: (isStale) => {
    const m = market({
      instruments: { BTC_USDC: { routing: 'third_party' } },
      accounts: { alice: { USDC: '100000' }, bob: { BTC: '1' } },
      index: { btc_usdc: '50000' },
    })
    m.sell('bob', { amount: '1', price: '50000' })
    m.wait(second)
    const order = idOf(m.buy('alice', { amount: '1', price: '50000' }))
    if (isStale) expect(m.cancel('alice', order).refusal).toBeNull()
    return m.wait(second).trades.length
  },
  bump_release: (isStale) => {
    const m = new TimedDesk({})
    const order = (amount: number, price: number): Json => ({
      ...{ instrument_name: 'ETH-27MAR26', amount, price },
    })
    m.result('maker', 'private/buy', order(100, 3990))
    const { order_id } = m.result('taker', 'private/sell', order(100, 4010)).order
    m.at(1_000).ask('taker', 'private/edit', { order_id, amount: 100, price: 3990 })
    // A second amend restarts the wait.
    if (isStale) m.at(5_000).ask('taker', 'private/edit', { order_id, amount: 100, price: 3980 })
    m.until(12_000)
    return m.bumps().filter(([, change]) => change === 'released').length
  },
  mmp_unfreeze: (isStale) => {
    const m = perpetuals()
    protect(m, 'bob', { quantity: 1 })
    m.sell('bob', { amount: '50000', price: '50000', extras: protectedOrder })
    m.buy('alice', { amount: '50000', price: '50000' })
    // A reset within the first second of a freeze leaves a timer for direct access.
    m.wait(2 * second)
    if (isStale) reset(m, 'bob')
    const { events } = m.wait(11 * second)
    return countOf(events, (event) => event.kind === 'mmp' && event.change === 'unfrozen')
  },
  quotes_thaw: (isStale) => {
    const m = quotedMarket()
    const freeze = (): void => void cancelQuotes(m, {}, { freeze: true })
    freeze()
    m.wait(second / 2)
    if (isStale) freeze()
    const { events } = m.wait(0.7 * second)
    return countOf(
      events,
      (event) => event.kind === 'standing' && event.protection === 'quote_freeze' && event.change === 'off',
    )
  },
  lsp_window: (isStale) => {
    const lsp = { ...defaultConfig(start).lsp, cooldown: micros(10 * second) }
    const m = market({
      instruments: { 'BTC_USDC-PERPETUAL': {} },
      accounts: { alice: { USDC: '3000' }, pat: { USDC: '100000' } },
      index: { btc_usdc: '50000' },
      config: { liquidation: defaultConfig(start).liquidation, lsp },
    })
    const enter = (enabled: boolean): void => {
      const target = m.account('pat')
      m.send({ kind: 'set_lsp_participant', target, enabled, limitsPpm: {} })
    }
    m.give('alice', '2', '50000')
    enter(true)
    m.index('btc_usdc', '48600')
    m.wait(second)
    if (isStale) {
      // The participant leaves without a position and returns, and a second window opens.
      m.give('pat', '-0.25', '48600')
      enter(false)
      enter(true)
    }
    m.wait(second)
    m.deposit('alice', 'USDC', '100000')
    const { events } = m.wait(9 * second)
    return countOf(events, (event) => event.kind === 'lsp' && event.change === 'window_reset')
  },
  block_signature: (isStale) => {
    const heard = new Heard()
    const m = withBlock(heard)
    const signature = m.sign('maker', { ...usualTerms, role: 'maker' })
    if (isStale) m.result('maker', 'private/invalidate_block_trade_signature', { signature })
    return heard.during(
      () => m.venue.wait('6m'),
      (event) => event.kind === 'block_trade',
    )
  },
  block_approval: (isStale) => {
    const heard = new Heard()
    const m = withBlock(heard)
    begin(m)
    if (isStale) m.result('taker', 'private/approve_block_trade', { ...named, role: 'taker' })
    return heard.during(
      () => m.venue.wait('6m'),
      (event) => event.kind === 'block_trade',
    )
  },
  // A block is decided once, and its key stays reserved while it is listed, so it has only one timer.
  block_listing: (isStale) => {
    const m = withBlock(new Heard())
    begin(m)
    m.result('taker', 'private/reject_block_trade', { ...named, role: 'taker' })
    const again = m.refusal('taker', 'private/reject_block_trade', { ...named, role: 'taker' })
    expect(again).toMatch(/already_closed/)
    const set = snapshotTimerQueue(m.venue.exchange.timers).timers
    const count = set.filter(({ payload }) => payload.kind === 'block_listing').length
    return isStale ? count - 1 : count
  },
  address_ready: (isStale) => {
    const heard = new Heard()
    const m = new WalletMarket({ addressWait: 60_000_000 }, heard)
    const { address } = m.add('alice')
    const entry = { currency: 'BTC', type: 'withdrawal', address }
    if (isStale) m.result('alice', 'private/remove_from_address_book', entry)
    return heard.during(
      () => m.venue.wait('2m'),
      (event) => event.kind === 'address',
    )
  },
  payment_due: (isStale) => {
    const heard = new Heard()
    const m = new WalletMarket(withdrawn, heard)
    m.ready('alice')
    m.withdraw('alice')
    m.move('withdrawal', 1, 'confirmed')
    if (isStale) m.move('withdrawal', 1, 'interrupted')
    return heard.during(
      () => m.venue.wait('10m'),
      (event) => event.kind === 'payment',
    )
  },
  rfq_grace: (isStale) => {
    const heard = new Heard()
    const m = new RfqVenue({}, { sink: heard })
    const { block_rfq_id } = m.create()
    m.quote('alpha')
    if (isStale) m.result('taker', 'private/cancel_block_rfq', { block_rfq_id })
    return heard.during(
      () => m.venue.wait('6s'),
      (event) => event.kind === 'block_rfq',
    )
  },
  rfq_expiry: (isStale) => {
    const heard = new Heard()
    const m = new RfqVenue({}, { sink: heard })
    const { block_rfq_id } = m.create()
    m.grace()
    if (isStale) m.result('taker', 'private/cancel_block_rfq', { block_rfq_id })
    return heard.during(
      () => m.venue.wait('1h'),
      (event) => event.kind === 'block_rfq',
    )
  },
  rfq_quote_expiry: (isStale) => {
    const heard = new Heard()
    const m = new RfqVenue({}, { sink: heard })
    m.create()
    m.grace()
    const expires_at = Math.floor(m.venue.now / 1000) + 30_000
    const { block_rfq_quote_id } = m.quote('alpha', { expires_at })
    if (isStale) m.result('alpha', 'private/cancel_block_rfq_quote', { block_rfq_quote_id })
    return heard.during(
      () => m.venue.wait('40s'),
      (event) => event.kind === 'block_rfq_quote',
    )
  },
  price_grid: single('price_grid', busy),
  delivery_window: twice('delivery_window', {
    make: () => perpetuals({ marks: 'venue' }),
    wait: 26 * 24 * 60 * minute,
  }),
  funding_terms: twice('funding_terms', {
    make: () => {
      const m = perpetuals({ marks: 'venue' })
      const { exchange } = m
      if (tasksOf(m, 'funding_terms').length === 0) {
        setTimer(exchange.timers, micros(start + minute), { kind: 'funding_terms', instrument: 0 })
      }
      return m
    },
    wait: 2 * minute,
  }),
  index_stale: (isStale) => {
    const heard = new Heard()
    const m = new DeskMarket({ sink: heard })
    const turn = (active: boolean): void => {
      // All outages begin at one instant, so their start time does not distinguish them.
      const asked = m.venue.request('sim/set_index_outage', { index_name: 'btc_usd', active })
      expect(asked).toMatchObject({ ok: true })
    }
    const acts = (event: Event): boolean =>
      event.kind === 'standing' && event.protection === 'index_outage' && event.change === 'acted'
    turn(true)
    turn(false)
    turn(true)
    if (isStale) turn(false)
    const count = heard.during(() => m.venue.wait('4m'), acts)
    expect(count).toBeLessThan(2)
    return count
  },
  option_listing: twice('option_listing', {
    make: () => {
      const m = market({
        instruments: { 'BTC-PERPETUAL': {} },
        accounts: { alice: { BTC: '1' } },
        index: {},
        config: { listedOptions: ['BTC'] },
      })
      setTimer(m.exchange.timers, micros(start + minute), { kind: 'option_listing' })
      return m
    },
    wait: 2 * minute,
  }),
  funding_look: single('funding_look', busy),
  day_end: single('day_end', days),
  settlement_over: twice('settlement_over', {
    make: () => {
      const m = perpetuals({ settlementTime: micros(2 * second) })
      m.wait(23 * 60 * minute + second)
      return m
    },
    wait: 10 * second,
  }),
  liquidation_round: single('liquidation_round', busy),
}

describe.each(Object.entries(staleCases))('%s', (_, reported) => {
  test('acts when it is due', () => {
    expect(reported(false)).toBeGreaterThan(0)
  })

  test('D5 D6 does nothing once it is stale', () => {
    expect(reported(true)).toBe(0)
  })
})
