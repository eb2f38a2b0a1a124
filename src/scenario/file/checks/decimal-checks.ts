/**
 * Checks the decimals of a file: the number of digits of prices, money and sizes, and values that must be positive or
 * nonzero.
 */
import { type DecimalInput, parseDecimalInput, powerOfTen } from '../../../core/index.ts'
import { describe, type Findings, type Located, type Path, report } from '../located.ts'

const SCALE = 9

/** Reports a decimal that is invalid for its kind. The schema reports values that are not decimals. */
export function checkDecimal(
  findings: Findings,
  { path, node, sort }: { readonly path: Path; readonly node: Located; readonly sort: 'price' | 'money' | 'size' },
): void {
  if (!isWrittenDecimal(node.value)) return
  const scaled = parseDecimalInput(node.value, SCALE)
  if (!scaled.ok) {
    const expected = 'a number with up to 9 decimals'
    report(findings, path, { expected, found: describe(node.value) })
  } else if (sort === 'price' && scaled.value <= 0n) {
    report(findings, path, { expected: 'a price above 0' })
  } else if (sort === 'price' && scaled.value > BigInt(Number.MAX_SAFE_INTEGER)) {
    report(findings, path, { expected: 'a price up to 9007199' })
  } else if (sort === 'size' && scaled.value === 0n) {
    report(findings, path, { expected: 'an amount other than 0' })
  }
}

/** Reports a decimal that is not a fraction between 0 and 1, or that has too many decimals. */
export function checkFraction(
  findings: Findings,
  { path, node, decimals }: { readonly path: Path; readonly node: Located; readonly decimals: number },
): void {
  if (!isWrittenDecimal(node.value)) return
  const scaled = parseDecimalInput(node.value, decimals)
  if (scaled.ok && scaled.value >= 0n && scaled.value <= BigInt(powerOfTen(decimals))) return
  const expected = `a fraction between 0 and 1 with up to ${decimals} decimals`
  report(findings, path, { expected, found: describe(node.value) })
}

/** True if a value is a number in decimal notation. */
export function isWrittenDecimal(value: unknown): value is DecimalInput {
  if (typeof value === 'number') return true
  return typeof value === 'object' && value !== null && 'decimal' in value
}
