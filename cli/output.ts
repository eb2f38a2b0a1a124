/** Error messages and exit codes of the command line. */
import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InputError } from '../src/node.ts'
import { debugError, debugPlace } from './debug.ts'
import { keepErrors, keepFault, takeErrors } from './json-errors.ts'
import type { FailedOutput, JsonOutputs } from './json-outputs.ts'
import { paint, print } from './print.ts'

/** Exit codes; 2 and 3 mean that a retry will not help. */
export const exitCode = {
  done: 0,
  failed: 1,
  usage: 2,
  badInput: 3,
  inputOutput: 4,
  internal: 70,
  interrupted: 130,
  terminated: 143,
  hungUp: 129,
} as const

/** The version of the package that contains this file. */
export function version(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return String((JSON.parse(manifest) as { version: unknown }).version)
}

/**
 * Prints the object of `--json` with the collected errors. 64-bit integers are texts, because JSON readers would round
 * them.
 */
export function printJson<C extends keyof JsonOutputs>(_command: C, output: JsonOutputs[C]): void {
  const errors = takeErrors()
  writeJson(errors.length > 0 ? { ...output, errors } : output)
}

/** With `--json`, prints the errors that no object has contained yet. */
export function printErrors(): void {
  const errors = takeErrors()
  const output: FailedOutput = { version: 1, errors }
  if (errors.length > 0) writeJson(output)
}

function writeJson(output: object): void {
  const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
  process.stdout.write(`${JSON.stringify(output, plain)}\n`)
}

/** A failure: lines for people, and the same errors for programs. */
export interface Complaint {
  readonly lines: readonly string[]
  readonly errors: readonly InputError[]
  readonly hint?: string | undefined
}

/** Prints `error: …` lines and a hint to stderr, and collects the errors for `--json`. */
export function complain({ lines, errors, hint }: Complaint): void {
  printErrorLines(lines)
  debugPlace()
  printHint(hint)
  keepErrors(errors)
}

/** Prints a refusal of the library, and sets the exit code. */
export function refuseInput(fault: Complaint & { readonly kind: 'input' | 'io' }): void {
  complain({ ...fault, hint: fault.hint ?? packagedHint(fault.errors) })
  process.exitCode = fault.kind === 'io' ? exitCode.inputOutput : exitCode.badInput
}

/**
 * A hint with the path of a file of this package that guides name and that was not found; undefined without such a
 * file.
 */
function packagedHint(errors: readonly InputError[]): string | undefined {
  for (const { code, file, found } of errors) {
    if (code !== 'FILE' || found !== 'no such file' || file === undefined || isAbsolute(file)) continue
    if (!/^(?:\.[\\/])?(?:scenarios|data)[\\/]/.test(file)) continue
    const packaged = join(fileURLToPath(new URL('../..', import.meta.url)), file)
    if (existsSync(packaged)) return `the package contains this file: ${relative('.', packaged)}`
  }
  return undefined
}

/** Prints a refusal with one error; `isHintApart` puts its hint on a separate line. */
export async function refuseFault(kind: 'input' | 'io', error: InputError, isHintApart = false): Promise<void> {
  const { formatInputError } = await import('../src/index.ts')
  const { hint, ...fault } = error
  const apart = isHintApart ? hint : undefined
  const lines = [formatInputError(isHintApart ? fault : error)]
  refuseInput({ kind, lines, errors: [error], hint: apart })
}

/** Prints mistakes in options or arguments, and sets the exit code. */
export function misuse(...wrong: readonly Misuse[]): void {
  complain({
    lines: wrong.map(lineOf),
    errors: wrong.map(({ sentence: _, ...error }) => ({ code: 'OPTION', ...error })),
    hint: wrong.at(-1)?.hint,
  })
  process.exitCode = exitCode.usage
}

/** A mistake in an option or argument. */
export interface Misuse {
  /** The option or argument. */
  readonly path?: string
  readonly expected: string
  readonly found: string
  readonly hint?: string
  /** The sentence for people, if it differs from the usual form. */
  readonly sentence?: string
}

function lineOf({ path, expected, found, sentence }: Misuse): string {
  const fault = `expected ${expected}, found ${found}`
  return sentence ?? (path === undefined ? fault : `${path}: ${fault}`)
}

function printErrorLines(lines: readonly string[]): void {
  for (const line of lines) {
    print(`${paint('red', 'error:', process.stderr)} ${line}\n`, process.stderr)
  }
}

function printHint(hint: string | undefined): void {
  if (hint !== undefined) print(`hint: ${hint}\n`, process.stderr)
}

/**
 * The outermost handler of internal errors: prints the facts needed to reproduce them, and names the program at fault.
 */
export async function fail(error: unknown, of = 'a bug in pitclock'): Promise<void> {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  printErrorLines([`internal error in pitclock ${version()} on Node ${process.versions.node}`, what])
  // The stack of the error itself is already printed.
  if (error instanceof Error && error.cause !== undefined) debugError(error.cause)
  printHint(`this is ${of}; the command was: pitclock ${process.argv.slice(2).join(' ')}`)
  process.exitCode = exitCode.internal
  // If the library itself cannot be loaded, only the sentences are printed.
  await keepFault(error).catch(() => undefined)
}
