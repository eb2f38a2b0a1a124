/**
 * The option `--format` of commands that write tables.
 */
import { Option } from 'commander'
import type { TableFormat } from '../src/node.ts'

/** All formats. The type ensures that no format of the library is missing. */
const formats: { readonly [F in TableFormat]: true } = {
  arrow: true,
  parquet: true,
  csv: true,
  jsonl: true,
}

/**
 * Creates the option. An unknown format is a usage error that lists the known ones. `left` is a format that is not
 * offered, and `more` are formats of one command.
 */
export function formatOption(
  description: string,
  left: TableFormat | null = null,
  more: readonly string[] = [],
): Option {
  const offered = Object.keys(formats).filter((format) => format !== left)
  return new Option('--format <format>', description).choices([...offered, ...more])
}
