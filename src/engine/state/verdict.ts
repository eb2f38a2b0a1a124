/**
 * The verdict of a handler's check: a plan to commit, or the first failing step of C07.
 */
import type { Fault } from '../../model/index.ts'

/** A plan, or the first failing step. */
export type Verdict<Plan> = { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly fault: Fault }

/** A verdict that accepts a command. */
export function pass<Plan>(plan: Plan): { readonly ok: true; readonly plan: Plan } {
  return { ok: true, plan }
}

/** A verdict that refuses a command. */
export function refuse(step: Fault['step'], refusal: Fault['refusal']): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { step, refusal } }
}

/**
 * Rule: order.validation. The earliest failing step decides, whether the reader of the request or the engine found it
 * (C07). If the reader cannot read a value, it uses a placeholder that only later steps look at, so findings about
 * placeholders never win.
 */
export function firstFault<Plan>(found: Fault | null, verdict: Verdict<Plan>): Verdict<Plan> {
  if (found === null) return verdict
  if (!verdict.ok && verdict.fault.step < found.step) return verdict
  return { ok: false, fault: found }
}
