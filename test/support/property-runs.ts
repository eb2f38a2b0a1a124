/**
 * How long properties run and where they begin. The gate runs a seeded sample of the long ones;
 * PITCLOCK_WHOLE asks for all of their runs, PITCLOCK_SHORT for an eighth of the sample, PITCLOCK_RUNS for
 * a number, PITCLOCK_SEED for another seed (a number, or `random` for a new one).
 */

const asked = process.env['PITCLOCK_RUNS']

/** True when the whole of every long check is asked for, and not the sample of the gate. */
export const isWhole = process.env['PITCLOCK_WHOLE'] !== undefined

/** True in the fast gate, whose few runs do not reach every situation. */
export const isShort = process.env['PITCLOCK_SHORT'] !== undefined

/**
 * How many runs there are: `usual` as a whole, `sample` in the gate. A property whose runs cost much
 * takes one in `share`.
 */
export function askedRuns(usual: number, share = 1, sample = usual): number {
  const runs = countedRuns(usual, sample) / share
  return Math.ceil(isShort ? runs / 8 : runs)
}

/** The same where a test looks at what its runs have reached: the fast gate has all of the sample too. */
export function countedRuns(usual: number, sample = usual): number {
  return Number(asked ?? (isWhole ? usual : sample))
}

/** The words of situations that no run has reached; short runs need not reach any. */
export function unreached(
  words: readonly string[],
  seen: ReadonlyMap<string, number>,
): readonly string[] {
  return isShort ? [] : words.filter((word) => (seen.get(word) ?? 0) === 0)
}

/** The seed for fast-check, or none where a new one is asked for. */
export function askedSeed(preset: number): { readonly seed?: number } {
  const asked = process.env['PITCLOCK_SEED']
  if (asked === 'random') return {}
  return { seed: asked === undefined ? preset : Number(asked) }
}
