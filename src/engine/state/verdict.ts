/**
 * The verdict of a handler's check: a plan to commit, or the first failing step of C07.
 */
import type { Fault } from '../../model/index.ts'

/** A plan, or the first fault. */
export type Verdict<Plan> = { readonly ok: true; readonly plan: Plan } | { readonly ok: false; readonly fault: Fault }

/** A verdict that lets the command pass. */
export function pass<Plan>(plan: Plan): { readonly ok: true; readonly plan: Plan } {
  return { ok: true, plan }
}

/** A verdict that refuses it. */
export function refuse(step: Fault['step'], refusal: Fault['refusal']): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { step, refusal } }
}

/**
 * Rule: order.validation. The earliest failing step decides, whoever found it: the reader of the
 * request or the engine (C07). What the reader could not read is a placeholder that only later steps
 * look at, so their findings never win.
 */
export function firstFault<Plan>(found: Fault | null, verdict: Verdict<Plan>): Verdict<Plan> {
  if (found === null) return verdict
  if (!verdict.ok && verdict.fault.step < found.step) return verdict
  return { ok: false, fault: found }
}
