/**
 * Assertions: our own bugs throw here, and only the outermost shell catches them.
 *
 * Bad input and refusals of the venue are values, never assertions (STYLE 7).
 */

/** Thrown when one of our own invariants does not hold. It always means a defect in Pitclock. */
export class AssertionFailure extends Error {
  override readonly name = 'AssertionFailure'
  readonly code = 'DEFECT'
  /** True if a caller passed an invalid value to a constructor of a unit, so that the defect is in the caller. */
  readonly isOfCaller: boolean

  constructor(message: string, isOfCaller = false) {
    super(message)
    this.isOfCaller = isOfCaller
  }
}

/** Throws `AssertionFailure` unless `condition` holds. State the message positively. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new AssertionFailure(message)
}

/** Returns `value`, which must exist. */
export function defined<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new AssertionFailure(message)
  return value
}

/** Ends an exhaustive `switch`: a new member of the union breaks the build here. */
export function unreachable(value: never): never {
  throw new AssertionFailure(`unreachable member ${JSON.stringify(value)}`)
}
