/**
 * The flags for reading a recorded file. The mapping of CSV columns is JSON on the command line, or the name of a JSON
 * file.
 */
import { readFileSync } from 'node:fs'
import { type Command, Option } from 'commander'
import type { FeedColumns, FeedFormat } from '../../src/feeds.ts'
import type { FeedFileOptions } from '../../src/node.ts'
import { listed } from '../flags.ts'
import { type Complaint, complain, exitCode, misuse } from '../output.ts'

/** The flags as given. */
export interface FeedFlags {
  readonly format?: string
  readonly symbol?: string
  readonly columns?: string
  readonly allowSpecial?: true
  readonly cut?: NonNullable<FeedFileOptions['cut']>
}

/** Formats of recorded files. Tapes need no flag. */
const formats = listed<Exclude<FeedFormat, 'tape'>>({
  'tardis.trades': true,
  'tardis.incremental_book_L2': true,
  'tardis.derivative_ticker': true,
  csv: true,
})

const cutPolicies: { readonly [P in NonNullable<FeedFlags['cut']>]: true } = {
  fail: true,
  skip: true,
  keep: true,
}

const jsonOfColumns = 'a JSON object or the path of a JSON file'

/** Adds the flags to a command. */
export function addFeedFlags(command: Command): Command {
  return command
    .option('--format <name>', `${formats} (default: detected from the header)`)
    .option('--symbol <name>', 'the symbol to read from a file with several')
    .option('--columns <json>', 'the meaning of each column of a CSV file, as JSON or the path of a JSON file')
    .addOption(
      new Option('--cut <policy>', 'what to do with a last line without a newline (default: fail)').choices(
        Object.keys(cutPolicies),
      ),
    )
    .option('--allow-special', 'also accept a pipe or a device, and read it to its end first')
}

/**
 * The options for reading a file; null if the flags are wrong, after printing the mistake and setting the exit code.
 */
export async function readFeedFlags(flags: FeedFlags): Promise<FeedFileOptions | null> {
  const { formatOfFlags } = await import('../../src/feeds.ts')
  const columns = await columnsOf(flags.columns)
  if (!columns.ok) {
    complain(columns.fault)
    process.exitCode = columns.isIo ? exitCode.inputOutput : exitCode.usage
    return null
  }
  const format = formatOfFlags(flags.format, columns.columns)
  if (!format.ok) {
    const expected = 'a known format, with --columns if the format needs it'
    const found = flags.format ?? 'none'
    misuse({ path: '--format', expected, found, sentence: format.error })
    return null
  }
  const symbol = flags.symbol ?? null
  const allowSpecial = flags.allowSpecial === true
  const cut = flags.cut === undefined ? {} : { cut: flags.cut }
  return { format: format.value, symbol, columns: columns.columns, sha256: null, allowSpecial, ...cut }
}

/** The mapping (null if not given), or the mistake in it. */
async function columnsOf(
  given: string | undefined,
): Promise<
  | { readonly ok: true; readonly columns: FeedColumns | null }
  | { readonly ok: false; readonly fault: Complaint; readonly isIo: boolean }
> {
  if (given === undefined) return { ok: true, columns: null }
  const { isSystemError, systemWords } = await import('../../src/node.ts')
  let text = given
  // Text that begins like JSON but is not an object is reported below.
  if (!/^\s*[{["]/.test(given)) {
    try {
      text = readFileSync(given, 'utf8')
    } catch (error) {
      if (!isSystemError(error)) throw error
      const found = systemWords(error)
      const words = `--columns: expected ${jsonOfColumns}, found ${found}: ${given}`
      const fault = { code: 'FILE' as const, file: given, expected: jsonOfColumns, found }
      return { ok: false, fault: { lines: [words], errors: [fault] }, isIo: true }
    }
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // The parser's message differs between versions of Node, so it is not shown.
    const found = text.trim() === '' ? 'nothing' : 'text that is not JSON'
    const words = `--columns: expected ${jsonOfColumns}, found ${found}`
    const fault = { code: 'SYNTAX' as const, file: '--columns', expected: jsonOfColumns, found }
    return { ok: false, fault: { lines: [words], errors: [fault] }, isIo: false }
  }
  const { formatInputError } = await import('../../src/index.ts')
  const { readFeedColumns } = await import('../../src/feeds.ts')
  const read = readFeedColumns(value)
  if (read.ok) return { ok: true, columns: read.value }
  const errors = read.error.map((error) => ({ ...error, file: '--columns' }))
  const lines = errors.map(formatInputError)
  return { ok: false, fault: { lines, errors }, isIo: false }
}
