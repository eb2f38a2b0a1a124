/**
 * The conventions of metrics in the head of a journal; left out where they are the usual ones.
 */
import { micros, z } from '../core/index.ts'
import { type MetricsTerms, usualTerms } from '../results/index.ts'

/** The form of the section. */
export const journalMetricsSchema = z.strictObject({
  every_micros: z.int().min(1),
  periods_per_year: z.number().positive().nullable(),
  risk_free: z.number().gt(-1),
  benchmark: z.string().nullable(),
})

/** The section, or nothing of the usual conventions. */
export function encodeJournalMetrics({ metrics }: { readonly metrics: MetricsTerms }): {
  readonly metrics?: z.input<typeof journalMetricsSchema>
} {
  const { every, periodsPerYear, riskFree, benchmark } = metrics
  const isUsual =
    every === usualTerms.every && periodsPerYear === null && riskFree === 0 && benchmark === null
  if (isUsual) return {}
  return {
    metrics: {
      every_micros: every,
      periods_per_year: periodsPerYear,
      risk_free: riskFree,
      benchmark,
    },
  }
}

/** The conventions that a section says. */
export function readJournalMetrics(
  section: z.output<typeof journalMetricsSchema> | undefined,
): MetricsTerms {
  if (section === undefined) return usualTerms
  return {
    every: micros(section.every_micros),
    periodsPerYear: section.periods_per_year,
    riskFree: section.risk_free,
    benchmark: section.benchmark,
  }
}
