/** Small scenario files for the tests of `scenario`. */
import { formatInputError } from '../../../src/core/index.ts'
import { parseScenario, type RunOutcome, runScenario, type Scenario } from '../../../src/scenario/index.ts'

/** A valid beginning, eight lines long; a test adds its subject. */
export const beginning = `version: 1
title: A test
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 100000 }
accounts:
  ann: { deposit: { BTC: 10 } }
  ben: { deposit: { BTC: 10 } }
`

/** A file that must be valid. */
export function sound(text: string, set: readonly string[] = []): Scenario {
  const parsed = parseScenario(text, 'test.yaml', set)
  if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
  return parsed.value
}

/** All mistakes of a file in printed form. */
export function mistakesOf(text: string, set: readonly string[] = []): readonly string[] {
  const parsed = parseScenario(text, 'test.yaml', set)
  return parsed.ok ? [] : parsed.error.map(formatInputError)
}

/** Mistakes of a file with a valid beginning. */
export function mistakesAfter(rest: string): readonly string[] {
  return mistakesOf(beginning + rest)
}

/** Failures of a run of a file with a valid beginning, in printed form. */
export function failuresAfter(rest: string): readonly string[] {
  return outcomeAfter(rest).failures.map(formatInputError)
}

/** The outcome of a file with a valid beginning. */
export function outcomeAfter(rest: string): RunOutcome {
  return runScenario(sound(beginning + rest))
}
