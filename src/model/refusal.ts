/** The order of validation, and faults found by the reader of a request. Source: trading.md C07. */
import type { Refusal } from './words/refusals.ts'

/**
 * The order of validation: the first failing step decides the error (C07). The reader of a request finds the faults of
 * steps 1 to 5, and later ones if a value cannot be expressed in ticks and lots. The engine merges these faults with
 * its own checks and reports the fault of the earliest step. The limit of the speed bump comes last, just before the
 * book (8.7).
 */
export const validationStep = {
  envelope: 1,
  authentication: 2,
  scope: 3,
  rateLimit: 4,
  parameters: 5,
  validUntil: 6,
  instrument: 7,
  bookState: 8,
  accountLocks: 9,
  argumentCombination: 10,
  amount: 11,
  price: 12,
  triggerPrice: 13,
  postOnly: 14,
  priceBand: 15,
  reduceOnly: 16,
  openOrderLimits: 17,
  mmp: 18,
  margin: 19,
  selfMatch: 20,
  fillOrKill: 21,
  speedBump: 22,
} as const

/** A step of the order of validation. */
export type ValidationStep = (typeof validationStep)[keyof typeof validationStep]

/** A refusal found while a request was read, with its step of validation. */
export interface Fault {
  readonly step: ValidationStep
  readonly refusal: Refusal
}
