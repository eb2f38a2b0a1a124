/**
 * Admission of orders that are not live yet: placements, trigger orders that fire, and secondaries that are due. The
 * checks are the steps of `steps.ts`.
 *
 * Source: trading.md 6.2 (C20), 6.13 (C31), 4.1 (C09), C07.
 */
import { validationStep } from '../../model/index.ts'
import { type Exchange, pass, type Verdict } from '../state/index.ts'
import { candidateEntry, type Placed, placedCandidate } from './candidate.ts'
import type { Entry } from './dry-run.ts'
import { admit } from './steps.ts'

/** Checks an order that enters a book now. */
export function checkEntry(exchange: Exchange, placed: Placed): Verdict<Entry> {
  const found = admit(exchange, placedCandidate('enter', placed))
  return found.ok ? pass(candidateEntry(exchange, found.plan)) : found
}

/** Checks only the steps before margin: the terms of the order, its book and its account. */
export function checkTerms(exchange: Exchange, placed: Placed): Verdict<Entry> {
  const candidate = placedCandidate('enter', placed)
  const found = admit(exchange, candidate, validationStep.mmp)
  return found.ok ? pass(candidateEntry(exchange, found.plan)) : found
}

/**
 * Checks an order that waits for a price. It holds no margin while it waits; the remaining checks follow when it fires.
 */
export function checkWaiting(exchange: Exchange, placed: Placed): Verdict<null> {
  const found = admit(exchange, placedCandidate('wait', placed))
  return found.ok ? pass(null) : found
}

/** Checks an order that is placed later: only its size, its price and its trigger. */
export function checkDormant(exchange: Exchange, placed: Placed): Verdict<null> {
  const found = admit(exchange, placedCandidate('sleep', placed))
  return found.ok ? pass(null) : found
}
