/**
 * Colours of the charts, by the names of the style sheet: they differ in lightness too, so that no pair is told apart by
 * its hue alone.
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

/** The colour that a name has now. */
export function colourOf(name: Colour): string {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim()
}

/** The colour of a run of several. */
export function colourOfRun(at: number): Colour {
  return `run-${(at % 6) + 1}` as Colour
}

/** Runs beyond the colours have broken lines. */
export function dashOfRun(at: number): readonly number[] {
  return [[], [6, 4], [2, 3]][Math.floor(at / 6)] ?? []
}
