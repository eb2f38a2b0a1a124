/**
 * Identities between the figures of an account summary (market.md 5.3).
 */
import { expect } from 'vitest'
import type { Json } from './desk-market.ts'

/** Equal up to the rounding of two figures. */
export function expectClose(left: number, right: number): void {
  expect(Math.abs(left - right)).toBeLessThan(2e-8)
}

/** Checks the identities between the figures of a summary. */
export function expectIdentities(summary: Json): void {
  const futures = summary.futures_session_rpl + summary.futures_session_upl
  expectClose(summary.session_upl, summary.futures_session_upl + summary.options_session_upl)
  expectClose(summary.session_rpl, summary.futures_session_rpl + summary.options_session_rpl)
  expectClose(summary.margin_balance, summary.balance + futures)
  expectClose(summary.equity, summary.margin_balance + summary.options_value)
  expectClose(summary.available_funds, summary.margin_balance - summary.initial_margin)
  const withdrawable = Math.min(summary.balance, summary.margin_balance) - summary.initial_margin
  expectClose(summary.available_withdrawal_funds, Math.max(0, withdrawable))
  expectClose(summary.total_pl, summary.futures_pl + summary.options_pl)
}
