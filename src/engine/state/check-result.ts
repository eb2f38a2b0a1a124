/**
 * The result of a handler's check: a plan to commit, or the first failing step of C07.
 */
import type { Fault } from '../../model/index.ts'

/** A plan, or the first failing step. */
export type CheckResult<Plan> =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly fault: Fault }

/** A check result that accepts a command. */
export function pass<Plan>(plan: Plan): { readonly ok: true; readonly plan: Plan } {
  return { ok: true, plan }
}

/** A check result that refuses a command. */
export function refuse(step: Fault['step'], refusal: Fault['refusal']): { readonly ok: false; readonly fault: Fault } {
  return { ok: false, fault: { step, refusal } }
}

/**
 * Rule: order.validation. The earliest failing step decides, whether the reader of the request or the engine found it
 * (C07). If the reader cannot read a value, it uses a placeholder that only later steps look at, so findings about
 * placeholders never win.
 */
export function firstFault<Plan>(found: Fault | null, result: CheckResult<Plan>): CheckResult<Plan> {
  if (found === null) return result
  if (!result.ok && result.fault.step < found.step) return result
  return { ok: false, fault: found }
}
