/**
 * The timers of the exchange: each kind with its rank and what it carries, declared once.
 *
 * A new kind is one line of `timerKinds`; the table of handlers in the spine does not compile without
 * it. Timers of connections are another queue, where the order is that of time alone.
 * Source: DESIGN 4; R02.
 */
import { type Micros, schedule, type TimerId, type TimerQueue } from '../../core/index.ts'
import type { LspGroup } from '../../model/index.ts'

/** A kind of timer; `carries` exists for the compiler alone. */
interface DeclaredTimer<Carried> {
  readonly rank: number
  readonly carries?: Carried
}

function timer<Carried = unknown>(rank: number): DeclaredTimer<Carried> {
  return { rank }
}

/** Kinds of timers by their ranks among those due at one instant (R02), with what each carries. */
const timerKinds = {
  /** An order arrives at the third-party exchange that matches it (R37). */
  order_arrival: timer<{ readonly order: number }>(1),
  /** An order has waited long enough behind the speed bump. */
  bump_release: timer<{ readonly order: number }>(1),
  /** The freeze of a group of market-maker protection is over. */
  mmp_unfreeze: timer<{ readonly group: number }>(2),
  /** A bulk cancel keeps an account from quoting no more. */
  quotes_thaw: timer<{ readonly account: number }>(2),
  /** A window of the liquidity support programme ends. */
  lsp_window: timer<{ readonly account: number; readonly group: LspGroup }>(3),
  /** The window of a signature of a block trade is over. */
  block_signature: timer<{ readonly signature: string }>(4),
  /** Nobody approved a block in time, or it is no longer listed. */
  block_approval: timer<{ readonly block: string }>(4),
  block_listing: timer<{ readonly block: string }>(4),
  /** A new address may be used. */
  address_ready: timer<{ readonly entry: number }>(4),
  /** A payment has been in its state for as long as it may. */
  payment_due: timer<{ readonly payment: string }>(4),
  /** The taker of a Block RFQ sees quotes from now on; it expires; a quote on it does. */
  rfq_grace: timer<{ readonly rfq: number }>(4),
  rfq_expiry: timer<{ readonly rfq: number }>(4),
  rfq_quote_expiry: timer<{ readonly rfq: number; readonly quote: number }>(4),
  /** The marks of instruments that are awake move. */
  price_grid: timer(5),
  /** The last half hour of a future begins. */
  delivery_window: timer<{ readonly instrument: number }>(5),
  /** The damper of a perpetual's funding has a new value. */
  funding_terms: timer<{ readonly instrument: number }>(5),
  /** An index has published nothing for long. */
  index_stale: timer<{ readonly index: string }>(5),
  /** An index that options are listed around has its first value. */
  option_listing: timer(5),
  /** Accounts whose margin funding wears away are looked at. */
  funding_look: timer(5),
  /** The trading day ends. */
  day_end: timer(6),
  /** Books that were settled open again, where that takes time. */
  settlement_over: timer<{ readonly currency: number }>(6),
  /** Accounts whose margin may not be enough are looked at. */
  liquidation_round: timer(7),
}

/** The kinds of timers. */
export type TimerKind = keyof typeof timerKinds

type Carried<Declared> = Declared extends DeclaredTimer<infer C> ? C : never

/** Tasks that the timers of one kind, or of any, carry. */
export type TimerTask<K extends TimerKind = TimerKind> = {
  [Each in K]: { readonly kind: Each } & Carried<(typeof timerKinds)[Each]>
}[K]

/** Sets a timer; among those of its time it comes where the rank of its kind puts it. */
export function setTimer(timers: TimerQueue<TimerTask>, time: Micros, task: TimerTask): TimerId {
  return schedule(timers, { time, rank: timerKinds[task.kind].rank, payload: task })
}
