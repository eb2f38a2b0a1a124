/**
 * Options that several commands have.
 */

/** The values of an option that may come again. */
export function collected(value: string, before: readonly string[]): readonly string[] {
  return [...before, value]
}

/** Values that are set from outside, in the order in which they are: the seed last. */
export function settingsOf(flags: {
  readonly set: readonly string[]
  readonly seed?: string
}): readonly string[] {
  return flags.seed === undefined ? flags.set : [...flags.set, `seed=${flags.seed}`]
}
