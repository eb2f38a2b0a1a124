/**
 * Laws of liquidations, checked on the events of a run and on the state after each round:
 * - a liquidation starts only if the margin balance of the account is below its maintenance margin, and rounds count
 *   from 1;
 * - the next round checks every account that is below after a round;
 * - an account in liquidation lost part of a position in this round, unless no order in the book takes any of it;
 * - the next round releases an account that is healthy again;
 * - a settlement leaves no trader in debt.
 */
import { bestPrice } from '../../src/book/index.ts'
import { assert, currencyId } from '../../src/core/index.ts'
import {
  allAccounts,
  type Exchange,
  marginsOfPool,
  openPositions,
  type PositionView,
  viewMarket,
} from '../../src/engine/index.ts'
import { cashOf } from '../../src/ledger/index.ts'
import {
  type Account,
  CURRENCY_SLOTS,
  type Currency,
  currencies,
  currencyIdOf,
  currencyOf,
  type Event,
  type EventOf,
  type EventSink,
} from '../../src/model/index.ts'

type Step = EventOf<'liquidation_step'>
type ChannelMessage = EventOf<'liquidation' | 'liquidation_step'>

/** Positions that share their margin: one currency of an account, or the whole account (null). */
interface Pool {
  readonly account: Account
  readonly currency: Currency | null
}

/** Checks these laws while a run emits events. */
export class LiquidationLaws implements EventSink {
  /** Rounds of running liquidations, by account and currency. */
  private readonly rounds = new Map<string, number>()
  /** Positions that were closed in the second of `time`. */
  private steps: Step[] = []
  private settled = new Set<Currency>()
  /** Accounts whose positions changed since those settlements: in the round of the same second. */
  private changed = new Set<number>()
  /** Instruments whose book got orders in the same second, perhaps after the round had checked it. */
  private arrived = new Set<number>()
  private time = 0

  emit(event: Event): void {
    if (event.time !== this.time) {
      this.steps = []
      this.settled = new Set()
      this.changed = new Set()
      this.arrived = new Set()
      this.time = event.time
    }
    switch (event.kind) {
      case 'instrument_settlement':
        this.settled.add(event.currency)
        return
      case 'order':
        if (event.change === 'opened' && !event.liquidation) this.arrived.add(event.instrument)
        return
      case 'trade':
        for (const { account } of [event.maker, event.taker]) this.changed.add(account)
        return
      case 'position_transfer':
        for (const { account } of [event.from, event.to]) this.changed.add(account)
        return
      case 'liquidation':
        this.change(event)
        return
      case 'liquidation_step':
        this.step(event)
    }
  }

  private change(event: EventOf<'liquidation'>): void {
    switch (event.change) {
      case 'started':
        assert(!this.rounds.has(keyOf(event)) && event.round === 1, 'a liquidation starts once')
        assert(event.maintenance > event.marginBalance, 'who is healthy is not liquidated')
        this.rounds.set(keyOf(event), 1)
        return
      case 'ended': {
        assert(this.rounds.delete(keyOf(event)), 'what ends was going on')
        const isHealthy = event.maintenance <= event.marginBalance
        assert(event.outcome !== 'healthy' || isHealthy, 'who is released is healthy')
      }
    }
  }

  /** Checks the state after a round; nothing may have happened since. */
  checkRound(exchange: Exchange): void {
    for (const account of allAccounts(exchange)) {
      if (account.house) continue
      for (const pool of poolsOf(account)) this.checkPool(exchange, pool)
      const name = String(account.id)
      const isLocked = [...this.rounds.keys()].some((key) => key.startsWith(`${name} `))
      const row = exchange.accounts[account.id]
      assert(row !== undefined && row.liquidations.length > 0 === isLocked, 'a lock is told')
    }
    // A second later, funding and option prices have already moved the zero balances that a settlement left.
    if (exchange.now !== this.time) return
    for (const currency of this.settled) checkSettled(exchange, currency, this.changed)
  }

  private step(event: Step): void {
    const before = this.rounds.get(keyOf(event))
    assert(before !== undefined, 'what is closed is of a liquidation')
    assert(event.round >= before, 'rounds count up')
    this.rounds.set(keyOf(event), event.round)
    assert(event.maintenance > event.marginBalance, 'who is healthy is not closed out')
    const size = Math.abs(event.position)
    assert(event.closed >= 0 && event.closed <= event.asked, 'no more is closed than is asked')
    assert(event.asked > 0 && event.asked <= size, 'no more is asked than there is')
    this.steps.push(event)
  }

  private checkPool(exchange: Exchange, pool: Pool): void {
    const { account, currency } = pool
    const margins = marginsOfPool(exchange, { account: account.id, currency })
    const key = `${account.id} ${currency ?? 'USD'}`
    const isGoing = this.rounds.has(key)
    const closed = this.steps.filter((step) => keyOf(step) === key).reduce((sum, step) => sum + step.closed, 0)
    if (margins.maintenance <= margins.marginBalance) {
      assert(!isGoing || closed > 0, 'whoever is healthy is released')
      return
    }
    const positions = positionsOf(exchange, pool)
    if (positions.length === 0) return
    const isSeen = exchange.suspects.has(account.id) && exchange.isRoundAwaited
    assert(isSeen, `account ${account.id} is below maintenance margin, and no round looks at it`)
    const isFree = positions.some(
      (position) => this.arrived.has(position.instrument.id) || !hasTaker(exchange, position),
    )
    const isOld = this.time === exchange.now && isGoing
    assert(!isOld || closed > 0 || isFree, 'a round closes a part of a position that has a taker')
  }
}

function keyOf({ account, currency }: ChannelMessage): string {
  return `${account} ${currency}`
}

function poolsOf(account: Account): readonly Pool[] {
  const isCross = account.marginModel === 'cross_sm' || account.marginModel === 'cross_pm'
  return isCross ? [{ account, currency: null }] : currencies.map((currency) => ({ account, currency }))
}

/** Positions of a pool that are not delivered yet. */
function positionsOf(exchange: Exchange, { account, currency }: Pool): readonly PositionView[] {
  return openPositions(exchange, account.id).filter(({ instrument }) => {
    const isHere = currency === null || instrument.settlementCurrency === currency
    return isHere && exchange.instruments[instrument.id]?.deliveredAt === null
  })
}

/** True if an order in the book would take part of a position at a price within the band. */
function hasTaker(exchange: Exchange, { instrument, size }: PositionView): boolean {
  const row = exchange.instruments[instrument.id]
  if (row === undefined || row.state !== 'open' || row.mark === 0) return false
  const best = bestPrice(row.book, size > 0 ? 'buy' : 'sell')
  if (best === undefined) return false
  if (!row.hasBand) return true
  const { bandMin, bandMax } = viewMarket(exchange, instrument.id)
  const price = best * instrument.tick9
  return size > 0 ? price >= bandMin : price <= bandMax
}

/** Cash below zero may remain only if the rest of the account is worth more. */
function checkSettled(exchange: Exchange, currency: Currency, changed: ReadonlySet<number>): void {
  const id = currencyIdOf(currency)
  for (const account of allAccounts(exchange)) {
    const cash = cashOf(exchange.ledger, account.id * CURRENCY_SLOTS + id)
    if (account.house || cash >= 0n || changed.has(account.id)) continue
    const pool = poolsOf(account).find((each) => (each.currency ?? currency) === currency)
    assert(pool !== undefined, 'each currency is of a pool')
    const { equity } = marginsOfPool(exchange, { ...pool, account: account.id })
    const name = currencyOf(currencyId(id))
    assert(equity >= 0n, `a settlement of ${name} leaves account ${account.id} in debt`)
  }
}
