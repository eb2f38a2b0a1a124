/**
 * The timers of the exchange: each kind is declared once, with its rank and its payload.
 *
 * A new kind is one line of `timerKinds`; the table of handlers in the spine does not compile without it. Timers of
 * connections have a separate queue, which is ordered only by time.
 * Source: DESIGN 4; R02.
 */
import { type Micros, schedule, type TimerId, type TimerQueue } from '../../core/index.ts'
import type { LspGroup } from '../../model/index.ts'

/** A kind of timer. Only the compiler uses `carries`. */
interface DeclaredTimer<Carried> {
  readonly rank: number
  readonly carries?: Carried
}

function timer<Carried = unknown>(rank: number): DeclaredTimer<Carried> {
  return { rank }
}

/** Kinds of timers with their payloads. The rank orders timers that are due at the same instant (R02). */
const timerKinds = {
  /** An order arrives at the third-party exchange that matches it (R37). */
  order_arrival: timer<{ readonly order: number }>(1),
  /** The wait of an order behind the speed bump is over. */
  bump_release: timer<{ readonly order: number }>(1),
  /** The freeze of a group of market-maker protection is over. */
  mmp_unfreeze: timer<{ readonly group: number }>(2),
  /** A bulk cancel no longer blocks the quotes of an account. */
  quotes_thaw: timer<{ readonly account: number }>(2),
  /** A window of the liquidity support programme ends. */
  lsp_window: timer<{ readonly account: number; readonly group: LspGroup }>(3),
  /** The window of a block trade's signature is over. */
  block_signature: timer<{ readonly signature: string }>(4),
  /** The time to approve a block is over; the block is no longer listed. */
  block_approval: timer<{ readonly block: string }>(4),
  block_listing: timer<{ readonly block: string }>(4),
  /** A new address may be used. */
  address_ready: timer<{ readonly entry: number }>(4),
  /** A payment has reached the maximum time in its state. */
  payment_due: timer<{ readonly payment: string }>(4),
  /** The taker of a Block RFQ may see quotes from now on; the RFQ expires; a quote on it expires. */
  rfq_grace: timer<{ readonly rfq: number }>(4),
  rfq_expiry: timer<{ readonly rfq: number }>(4),
  rfq_quote_expiry: timer<{ readonly rfq: number; readonly quote: number }>(4),
  /** A tick of the price grid: the marks of instruments that are awake move. */
  price_grid: timer(5),
  /** The last half hour of a future begins. */
  delivery_window: timer<{ readonly instrument: number }>(5),
  /** The damper of a perpetual's funding has a new value. */
  funding_terms: timer<{ readonly instrument: number }>(5),
  /** An index has published nothing for the maximum time. */
  index_stale: timer<{ readonly index: string }>(5),
  /** An index for which options are listed has its first value. */
  option_listing: timer(5),
  /** Checks accounts whose margin is reduced by funding. */
  funding_look: timer(5),
  /** The trading day ends. */
  day_end: timer(6),
  /** Settled books reopen after a settlement that took time. */
  settlement_over: timer<{ readonly currency: number }>(6),
  /** Checks accounts whose margin may be insufficient. */
  liquidation_round: timer(7),
}

/** The kinds of timers. */
export type TimerKind = keyof typeof timerKinds

type Carried<Declared> = Declared extends DeclaredTimer<infer C> ? C : never

/** The payload of timers of one kind, or of any kind, with the kind. */
export type TimerTask<K extends TimerKind = TimerKind> = {
  [Each in K]: { readonly kind: Each } & Carried<(typeof timerKinds)[Each]>
}[K]

/** Sets a timer. The rank of its kind orders it among timers of the same time. */
export function setTimer(timers: TimerQueue<TimerTask>, time: Micros, task: TimerTask): TimerId {
  return schedule(timers, { time, rank: timerKinds[task.kind].rank, payload: task })
}
