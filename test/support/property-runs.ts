/**
 * How long properties run and where they begin, as whoever runs them asks: PITCLOCK_RUNS is a number of runs,
 * PITCLOCK_SEED a number, or `random` for a new one.
 */

/** How many runs there are; a property whose runs cost much takes one in `share`. */
export function askedRuns(usual: number, share = 1): number {
  return Math.ceil(Number(process.env['PITCLOCK_RUNS'] ?? usual) / share)
}

/** The seed for fast-check, or none where a new one is asked for. */
export function askedSeed(preset: number): { readonly seed?: number } {
  const asked = process.env['PITCLOCK_SEED']
  if (asked === 'random') return {}
  return { seed: asked === undefined ? preset : Number(asked) }
}
