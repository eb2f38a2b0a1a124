/** Parses CSV records that the fast reader does not take, with csv-parse. */
import { CsvError, parse } from 'csv-parse/sync'
import { err, ok, type Result } from '../../core/index.ts'

/** How csv-parse reads recorded files. */
const csvOptions = {
  record_delimiter: ['\r\n', '\n'],
  relax_column_count: true,
}

/** The cells of one CSV record, or the mistake in it. */
export function parseCsvRecord(text: string, delimiter: string): Result<readonly string[], string> {
  // An empty line is a record with one empty cell; csv-parse would find no record.
  if (text === '') return ok([''])
  try {
    // Without columns csv-parse returns arrays of texts, which its types cannot express.
    const records = parse(text, { ...csvOptions, delimiter }) as string[][]
    const [record] = records
    if (record === undefined || records.length > 1) return err('something other than one record')
    return ok(record)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return err(error.message)
  }
}
