/** Rounding of doubles that leave this folder. */
/** The nearest integer, halves away from zero. */
export function nearestInteger(value: number): number {
  return (value < 0 ? -Math.floor(0.5 - value) : Math.floor(value + 0.5)) + 0
}
