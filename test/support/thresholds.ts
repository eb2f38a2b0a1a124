/** Thresholds in tests: three answers, below a limit, at it and above it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { repository } from './repository.ts'

/** One unit below the limit, at the limit, one unit above it. */
export const distances = [-1, 0, 1] as const

/** A threshold: the answers below, at and above the limit, and a function that gives each. */
export interface Threshold {
  readonly answers: readonly [below: boolean, at: boolean, above: boolean]
  readonly ask: (distance: number) => boolean
}

/** Thresholds by name. */
export interface Thresholds {
  readonly [name: string]: Threshold
}

/** A threshold that another test covers at equality: the file below `test` and a part of the title. */
export type Covered = readonly [threshold: string, file: string, title: string]

/** Tests each threshold, and that the tests that cover the others exist. */
export function testThresholds(thresholds: Thresholds, covered: readonly Covered[]): void {
  test.each(Object.entries(thresholds))('%s', (_, { answers, ask }) => {
    expect(distances.map(ask)).toEqual(answers)
  })

  test.each(covered)('%s is in %s', (_, file, title) => {
    expect(readFileSync(join(repository, 'test', file), 'utf8')).toContain(title)
  })
}

/** Repeats a request one time less than a count, exactly as often, and one time more. The last answer counts. */
export function countedUpTo(most: number, begin: () => (count: number) => boolean): Threshold {
  return {
    answers: [true, true, false],
    ask: (distance) => {
      const askNext = begin()
      let last = true
      for (let count = 1; count <= most + distance; count += 1) last = askNext(count)
      return last
    },
  }
}
