/**
 * Terms of recording: the tables of a run beside the usual, and their format. They are terms of its tables alone,
 * which its digest knows nothing of. In the head of a journal the section is left out where it says nothing.
 */
import * as z from 'zod'
import { type TableFormat, tableFormats } from '../results/index.ts'

/** Terms of tables in the section `record` of a file, beside samples of equity and metrics. */
export interface RecordTerms {
  /** Format of the tables of a run folder. */
  readonly format: TableFormat
}

/** Terms of recording where nothing is said. */
export const usualRecord: RecordTerms = { format: 'arrow' }

/** The form of the section. */
export const journalRecordSchema = z.strictObject({
  format: z.enum(tableFormats).optional(),
})

/** The section, or nothing of the usual. */
export function encodeJournalRecord({ record }: { readonly record: RecordTerms }): {
  readonly record?: z.input<typeof journalRecordSchema>
} {
  const { format } = record
  return format === usualRecord.format ? {} : { record: { format } }
}

/** The terms that a section says. */
export function readJournalRecord(
  section: z.output<typeof journalRecordSchema> | undefined,
): RecordTerms {
  return { format: section?.format ?? usualRecord.format }
}
