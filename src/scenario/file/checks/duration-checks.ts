/**
 * Checks of the durations of a file: durations, and within their bounds.
 */
import { parseDuration } from '../../../core/index.ts'
import { type Findings, nodeAt, type Path, report } from '../located.ts'

/** Reports a duration that is none or out of bounds; what is no text is left to the schema. */
export function checkDuration(
  findings: Findings,
  path: Path,
  bounds: { readonly min: number; readonly max: number; readonly expected: string },
): void {
  const text = nodeAt(findings.root, path)?.value
  if (typeof text !== 'string') return
  const parsed = parseDuration(text)
  if (!parsed.ok) report(findings, path, { expected: parsed.error.expected })
  else if (parsed.value < bounds.min || parsed.value > bounds.max) {
    report(findings, path, { expected: bounds.expected })
  }
}
