/**
 * How much of each long check runs, and from which seed.
 *
 * - `npm run test:whole` (PITCLOCK_WHOLE) runs all of it, from fixed seeds.
 * - `npm test` runs a sample. Its seed changes with the commit (PITCLOCK_COMMIT), so the samples of many commits add up.
 * - `npm run check` (PITCLOCK_SHORT) runs an eighth of that sample.
 *
 * PITCLOCK_RUNS asks for a number of runs, PITCLOCK_SEED for another seed (a number, or `random` for a new one).
 */

const asked = process.env['PITCLOCK_RUNS']

/** A number that changes with the commit; 0 if git does not know the commit, and in whole runs. */
export const commitSeed = Number(process.env['PITCLOCK_COMMIT'] ?? 0)

/** True if every long check runs in full. Only then must the runs reach every situation that they exist for. */
export const isWhole = process.env['PITCLOCK_WHOLE'] !== undefined

/** True in `npm run check`. */
export const isShort = process.env['PITCLOCK_SHORT'] !== undefined

/**
 * The number of runs of a property: `whole` in full, `sample` (half of them if omitted) in `npm test`. If one run is
 * expensive, both are divided by `share`, as is PITCLOCK_RUNS.
 */
export function askedRuns(whole: number, share = 1, sample = whole / 2): number {
  const runs = Number(asked ?? (isWhole ? whole : sample)) / share
  return Math.ceil(isShort ? runs / 8 : runs)
}

/** At most `count` of the cases in `npm test`, an eighth of that in `npm run check`, chosen by the commit; all of them in full. */
export function sampleOf<T>(cases: readonly T[], count: number): readonly T[] {
  if (isWhole) return cases
  const step = Math.ceil(cases.length / (isShort ? Math.ceil(count / 8) : count))
  const first = commitSeed % cases.length
  return [...cases.slice(first), ...cases.slice(0, first)].filter((_, at) => at % step === 0)
}

/** Tests that take fifteen to thirty seconds of a core with a single case. Each commit runs one of them, so they take turns. */
const turns = ['recorded market', 'attw', 'reference'] as const

/** One of the cases of such a test if it is its turn, none otherwise; all of them in full. */
export function inTurn<T>(turn: (typeof turns)[number], cases: readonly T[]): readonly T[] {
  if (isWhole) return cases
  const at = Math.floor(commitSeed / turns.length) % cases.length
  return turns[commitSeed % turns.length] === turn ? cases.slice(at, at + 1) : []
}

/** The numbers from 1 to `count`: all in full, at most `sample` or PITCLOCK_RUNS of them in `npm test`. */
export function sampledNumbers(count: number, sample: number): readonly number[] {
  const numbers = Array.from({ length: count }, (_, at) => at + 1)
  return sampleOf(numbers, asked === undefined ? sample : Math.min(count, Number(asked)))
}

/** The words of situations that no run has reached. A sample need not reach any. */
export function unreached(words: readonly string[], seen: ReadonlyMap<string, number>): readonly string[] {
  return isWhole ? words.filter((word) => (seen.get(word) ?? 0) === 0) : []
}

/** The seed for fast-check: the preset one in full runs, another one for each commit, none if `random` is asked for. */
export function askedSeed(preset: number): { readonly seed?: number } {
  const other = process.env['PITCLOCK_SEED']
  if (other === 'random') return {}
  return { seed: other === undefined ? preset + commitSeed : Number(other) }
}
