/**
 * The protection model's record of a run: orders, requests, groups and sessions, in separate data. Times are
 * microseconds; sizes and prices are bigints of 1e-9.
 */
import { assert } from '../../src/core/index.ts'
import type { Side } from '../../src/model/index.ts'
import { type Fraction, fraction } from './fraction.ts'
import { type Params, type Traded, traded } from './protection-world.ts'

/** A request and its progress. */
export interface Sent {
  readonly sequence: number
  readonly time: number
  readonly method: string
  readonly account: string | null
  readonly session: number
  readonly isDirect: boolean
  readonly params: Params
  /** Orders that its reply is pending on. */
  readonly waitsFor: Set<number>
  /** The release time of the last of them. */
  dueAt: number | null
  doneAt: number | null
  replies: number
}

/** The listed values of an order while an amend of it waits. */
export interface Listed {
  readonly price: bigint
  readonly amount: bigint
}

/** The state of an order behind the speed bump. */
export interface Waiting {
  releaseAt: number
  /** True if a cancel or a trip converted it to immediate-or-cancel. */
  isConverted: boolean
  /** Null for an order that never rested. */
  readonly listed: Listed | null
}

/** A live order. */
export interface KnownOrder {
  readonly id: number
  /** Creation number within the run. */
  readonly created: number
  readonly account: string
  readonly instrument: number
  readonly side: Side
  price: bigint
  /** In lots. */
  amount: number
  filled: number
  readonly isDirect: boolean
  /** 0 after the session has ended; a later session with the same number is a different connection. */
  session: number
  readonly isQuote: boolean
  /** For direct access: true if the order's own flag ends it with its session. */
  readonly ownsFlag: boolean
  readonly clientId: string | null
  readonly isImmediate: boolean
  group: KnownGroup | null
  isUntriggered: boolean
  waiting: Waiting | null
  /** True if it was waiting when its group tripped, and may still trade. */
  isExempt: boolean
  /** The values before its last edit. */
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

/** Traded sums of a window. Each inexact sum has an error bound. */
export interface KnownWindow {
  start: number | null
  /** Sum of shares that are each rounded to 1e-9. */
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
  /** Null for a freeze until a reset. */
  readonly until: number | null
  /** True if JSON-RPC ended the freeze for JSON-RPC. */
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
  /** True if an event about an opened window is due. */
  opens: boolean
  /**
   * `yes` if a limit was reached and the orders are cancelled now; `perhaps` if the greeks are too inexact to decide.
   */
  trips: 'no' | 'perhaps' | 'yes'
  /** The creation number of the last cancelled order. */
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

/** The instrument with a name. */
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

/** The remaining size of an order, in lots. */
export function leftOf({ amount, filled }: KnownOrder): number {
  return amount - filled
}

/** True if a frozen group refuses a request; during the first second it also refuses direct access. */
export function isFrozenFor(
  { freeze }: KnownGroup,
  of: { readonly isDirect: boolean; readonly resets: boolean; readonly time: number },
): boolean {
  if (freeze === null) return false
  if (of.isDirect) return of.time < freeze.since + 1_000_000 || !(of.resets || freeze.isFree)
  return !freeze.isFree
}

/** The whole record of the model. */
export class Facts {
  readonly accounts = new Map<number, string>()
  readonly instruments = new Map<number, KnownInstrument>()
  readonly requests = new Map<number, Sent>()
  readonly orders = new Map<number, KnownOrder>()
  readonly groups = new Map<string, KnownGroup>()
  readonly sessions = new Map<number, KnownSession>()
  /** Orders behind the speed bump, first in first out; all orders of a run are on one gateway pair. */
  readonly queue: number[] = []
  /** Accounts whose direct access is locked. */
  readonly locked = new Set<string>()
  /** Accounts whose later sessions start with cancel-on-disconnect. */
  readonly covering = new Set<string>()
  /** Situations and how often each occurred. */
  readonly seen = new Map<string, number>()
  now = 0
  created = 0
  /** The last released order, while it may still take. */
  released = 0
  /** A released order that must not rest. */
  ending = 0
  /** An order that left the queue without a release during the current request. */
  withdrawn = 0
  /** Orders that ended with a session that is closing now. */
  disconnected: KnownOrder[] = []
  /** Trigger orders that fired, by their number. */
  readonly fired = new Map<number, KnownOrder>()
  /** Waiting orders that were edited, until an event shows the result. */
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

  /** The group of an account on an index, by its name; null for the group of orders. */
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
