/**
 * Colours of the charts, by their names in the style sheet. They also differ in lightness, so that no two differ by hue
 * only.
 */

/** A colour of the style sheet. */
export type Colour =
  | 'ink'
  | 'faint'
  | 'grid'
  | 'surface'
  | 'main'
  | 'second'
  | 'gain'
  | 'loss'
  | 'buy'
  | 'sell'
  | 'run-1'
  | 'run-2'
  | 'run-3'
  | 'run-4'
  | 'run-5'
  | 'run-6'

/** The current colour with a name. */
export function colourOf(name: Colour): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}

/** The colour of one of several runs. */
export function colourOfRun(at: number): Colour {
  return `run-${(at % 6) + 1}` as Colour
}

/** The dashes of a run's line: runs beyond the number of colours have broken lines. */
export function dashOfRun(at: number): readonly number[] {
  return [[], [6, 4], [2, 3]][Math.floor(at / 6)] ?? []
}
