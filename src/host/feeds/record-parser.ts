/**
 * The parser of CSV records: csv-parse, for each record that the fast reader leaves alone.
 */
import { CsvError, parse } from 'csv-parse/sync'
import { err, ok, type Result } from '../../core/index.ts'

/** How csv-parse reads recorded files. */
const csvOptions = {
  record_delimiter: ['\r\n', '\n'],
  relax_column_count: true,
}

/** The cells of one record of CSV, or what is wrong with it. */
export function parseCsvRecord(text: string, delimiter: string): Result<readonly string[], string> {
  // An empty line is a record with one empty cell; the package would find no record at all.
  if (text === '') return ok([''])
  try {
    // Without columns the package gives arrays of texts; its types cannot say so.
    const records = parse(text, { ...csvOptions, delimiter }) as string[][]
    const [record] = records
    if (record === undefined || records.length > 1) return err('something other than one record')
    return ok(record)
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return err(error.message)
  }
}
