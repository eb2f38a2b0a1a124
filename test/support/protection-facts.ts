/**
 * What the model of protections knows of a run: orders, requests, groups and sessions, in data of its own.
 * Times are microseconds; sizes and prices are bigints of 1e-9.
 */
import { assert } from '../../src/core/index.ts'
import type { Side } from '../../src/model/index.ts'
import { type Fraction, fraction } from './fraction.ts'
import { type Params, type Traded, traded } from './protection-world.ts'

/** A request with what became of it. */
export interface Sent {
  readonly sequence: number
  readonly time: number
  readonly method: string
  readonly account: string | null
  readonly session: number
  readonly isDirect: boolean
  readonly params: Params
  /** Orders that its reply waits for. */
  readonly waitsFor: Set<number>
  /** When the last of them was released. */
  dueAt: number | null
  doneAt: number | null
  replies: number
}

/** What an order is listed as while an amend of it waits. */
export interface Listed {
  readonly price: bigint
  readonly amount: bigint
}

/** How an order waits behind the speed bump. */
export interface Waiting {
  releaseAt: number
  /** Whether it is immediate-or-cancel because something wanted it gone. */
  isConverted: boolean
  /** Null for an order that never stood. */
  readonly listed: Listed | null
}

/** A live order. */
export interface KnownOrder {
  readonly id: number
  /** Counts orders of the run. */
  readonly created: number
  readonly account: string
  readonly instrument: number
  readonly side: Side
  price: bigint
  /** In lots. */
  amount: number
  filled: number
  readonly isDirect: boolean
  /** 0 once it has ended: another session of its number is another connection. */
  session: number
  readonly isQuote: boolean
  /** Of direct access: whether its own flag ends it with its session. */
  readonly ownsFlag: boolean
  readonly clientId: string | null
  readonly isImmediate: boolean
  group: KnownGroup | null
  isUntriggered: boolean
  waiting: Waiting | null
  /** Whether it waited when its group was tripped, and may trade on. */
  isExempt: boolean
  /** As it was before its last edit. */
  before: Listed | null
}

/** Limits, in 1e-9. */
export interface KnownConfig {
  readonly interval: number
  readonly frozenTime: number
  readonly quantity: bigint | null
  readonly delta: bigint | null
  readonly vega: bigint | null
  readonly maxQuote: bigint
}

/** What was traded in a window. The sums that are not exact have a bound of what they may be off by. */
export interface KnownWindow {
  start: number | null
  /** Sums of shares that were rounded each, to 1e-9. */
  quantity: bigint
  exact: Fraction
  shares: number
  delta: bigint
  deltaBound: bigint
  vega: bigint
  vegaBound: bigint
}

export interface KnownFreeze {
  readonly since: number
  /** Null until it is reset. */
  readonly until: number | null
  /** Whether JSON-RPC ended it for itself. */
  readonly isFree: boolean
}

/** A group of market-maker protection. */
export interface KnownGroup {
  readonly key: string
  readonly account: string
  readonly index: string
  readonly name: string | null
  readonly number: number
  config: KnownConfig | null
  window: KnownWindow
  freeze: KnownFreeze | null
  /** Whether it has to tell that a window opened. */
  opens: boolean
  /** Whether a limit was reached and its orders go now; `perhaps` where the greeks are too close to tell. */
  trips: 'no' | 'perhaps' | 'yes'
  /** The created number of the order that went last. */
  lastPulled: number
  pulled: number
}

/** An open session. */
export interface KnownSession {
  readonly session: number
  readonly type: string
  readonly account: string | null
  readonly gateway: string | null
  covers: boolean
  lastInbound: number
}

/** An instrument of the run. */
export interface KnownInstrument {
  readonly id: number
  readonly traded: Traded
  readonly tick: bigint
  readonly step: bigint
}

const NANO = 1_000_000_000n

/** The instrument of a name. */
export function tradedOf(name: string): Traded {
  const found = traded.find((each) => each.name === name)
  assert(found !== undefined, `${name} is traded`)
  return found
}

/** Lots of an instrument in coin of 1e-9, exactly. */
export function coinsOf({ traded: { isOption }, step }: KnownInstrument, lots: number, price: bigint): Fraction {
  const amount = BigInt(lots) * step
  return isOption ? fraction(amount) : fraction(amount * NANO, price)
}

/** The nearest count, halves away from zero. */
export function nearest({ n, d }: Fraction): bigint {
  const size = n < 0n ? -n : n
  const rounded = (2n * size + d) / (2n * d)
  return n < 0n ? -rounded : rounded
}

export function freshWindow(): KnownWindow {
  return {
    ...{ start: null, quantity: 0n, exact: fraction(0), shares: 0, delta: 0n, deltaBound: 0n },
    ...{ vega: 0n, vegaBound: 0n },
  }
}

/** What is left of an order, in lots. */
export function leftOf({ amount, filled }: KnownOrder): number {
  return amount - filled
}

/** Whether input is refused because a group is frozen; direct access in the first second is. */
export function isFrozenFor(
  { freeze }: KnownGroup,
  of: { readonly isDirect: boolean; readonly resets: boolean; readonly time: number },
): boolean {
  if (freeze === null) return false
  if (of.isDirect) return of.time < freeze.since + 1_000_000 || !(of.resets || freeze.isFree)
  return !freeze.isFree
}

/** Everything that the model knows. */
export class Facts {
  readonly accounts = new Map<number, string>()
  readonly instruments = new Map<number, KnownInstrument>()
  readonly requests = new Map<number, Sent>()
  readonly orders = new Map<number, KnownOrder>()
  readonly groups = new Map<string, KnownGroup>()
  readonly sessions = new Map<number, KnownSession>()
  /** Orders behind the speed bump, first in first out; all of a run are on one gateway pair. */
  readonly queue: number[] = []
  /** Accounts whose direct access is locked. */
  readonly locked = new Set<string>()
  /** Accounts whose later sessions start with cancel-on-disconnect. */
  readonly covering = new Set<string>()
  /** What happened, and how often. */
  readonly seen = new Map<string, number>()
  now = 0
  created = 0
  /** The order that was released last, while it may take. */
  released = 0
  /** An order that was released and must not rest. */
  ending = 0
  /** An order that left the queue without a release, during the request at work. */
  withdrawn = 0
  /** What went with a session that ends now. */
  disconnected: KnownOrder[] = []
  /** Trigger orders that fired, by their number. */
  readonly fired = new Map<number, KnownOrder>()
  /** Orders that waited and were edited, until it is told what became of them. */
  readonly edited = new Set<number>()

  note(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1)
  }

  account(id: number): string {
    return this.accounts.get(id) ?? ''
  }

  instrument(id: number): KnownInstrument {
    const known = this.instruments.get(id)
    assert(known !== undefined, 'an instrument of an event is listed')
    return known
  }

  request(cause: number): Sent {
    const sent = this.requests.get(cause)
    assert(sent !== undefined, 'a cause is a request')
    return sent
  }

  /** The group of an account on an index, by its name; null of orders. */
  group(account: string, index: string, name: string | null): KnownGroup | undefined {
    return this.groups.get(keyOf(account, index, name))
  }

  groupNumbered(number: number): KnownGroup | undefined {
    return [...this.groups.values()].find((group) => group.number === number)
  }

  /** A group of quotes by its name. */
  groupNamed(account: string, name: string): KnownGroup | undefined {
    return [...this.groups.values()].find(
      (group) => group.account === account && group.name === name && group.config !== null,
    )
  }

  membersOf(group: KnownGroup): readonly KnownOrder[] {
    return [...this.orders.values()].filter((order) => order.group === group)
  }
}

export function keyOf(account: string, index: string, name: string | null): string {
  return `${account}/${index}/${name ?? ''}`
}
