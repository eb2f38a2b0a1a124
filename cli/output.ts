/**
 * How the command line speaks: errors and exit codes.
 */
import { existsSync, readFileSync } from 'node:fs'
import { isAbsolute, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { InputError } from '../src/node.ts'
import { debugError, debugPlace } from './debug.ts'
import { keepErrors, keepFault, takeErrors } from './json-errors.ts'
import type { FailedOutput, JsonOutputs } from './json-outputs.ts'
import { paint, print } from './print.ts'

/** Exit codes; 2 and 3 say that trying again will not help. */
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

/** The version in the package this file belongs to. */
export function version(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return String((JSON.parse(manifest) as { version: unknown }).version)
}

/**
 * Prints the object of `--json` with the errors that were met; 64-bit integers as texts, because JSON readers round
 * them.
 */
export function printJson<C extends keyof JsonOutputs>(_command: C, output: JsonOutputs[C]): void {
  const errors = takeErrors()
  writeJson(errors.length > 0 ? { ...output, errors } : output)
}

/** Prints the errors that no object has told, where `--json` asks for them. */
export function printErrors(): void {
  const errors = takeErrors()
  const output: FailedOutput = { version: 1, errors }
  if (errors.length > 0) writeJson(output)
}

function writeJson(output: object): void {
  const plain = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? String(value) : value)
  process.stdout.write(`${JSON.stringify(output, plain)}\n`)
}

/** Something that went wrong: lines for people, and the same as errors for programs. */
export interface Complaint {
  readonly lines: readonly string[]
  readonly errors: readonly InputError[]
  readonly hint?: string | undefined
}

/** Writes `error: …` lines and a hint to stderr; `--json` tells the errors too. */
export function complain({ lines, errors, hint }: Complaint): void {
  tellErrors(lines)
  debugPlace()
  tellHint(hint)
  keepErrors(errors)
}

/** Tells what the library refused, and sets the exit code. */
export function refuseInput(fault: Complaint & { readonly kind: 'input' | 'io' }): void {
  complain({ ...fault, hint: fault.hint ?? packagedHint(fault.errors) })
  process.exitCode = fault.kind === 'io' ? exitCode.inputOutput : exitCode.badInput
}

/** Where a file is that guides name and the package has; undefined where none of those was missing. */
function packagedHint(errors: readonly InputError[]): string | undefined {
  for (const { code, file, found } of errors) {
    if (code !== 'FILE' || found !== 'no such file' || file === undefined || isAbsolute(file)) continue
    if (!/^(?:\.[\\/])?(?:scenarios|data)[\\/]/.test(file)) continue
    const packaged = join(fileURLToPath(new URL('../..', import.meta.url)), file)
    if (existsSync(packaged)) return `the package contains this file: ${relative('.', packaged)}`
  }
  return undefined
}

/** Tells a refusal of one error; `isHintApart` where its hint has a line of its own. */
export async function refuseFault(
  { kind, error }: { readonly kind: 'input' | 'io'; readonly error: InputError },
  isHintApart = false,
): Promise<void> {
  const { formatInputError } = await import('../src/index.ts')
  const { hint, ...fault } = error
  const apart = isHintApart ? hint : undefined
  const lines = [formatInputError(isHintApart ? fault : error)]
  refuseInput({ kind, lines, errors: [error], hint: apart })
}

/** Tells that the command was asked for what cannot be, and sets the exit code. */
export function misuse(...wrong: readonly Misuse[]): void {
  complain({
    lines: wrong.map(lineOf),
    errors: wrong.map(({ sentence: _, ...error }) => ({ code: 'OPTION', ...error })),
    hint: wrong.at(-1)?.hint,
  })
  process.exitCode = exitCode.usage
}

/** A misuse of an option or argument. */
export interface Misuse {
  /** The option or argument. */
  readonly path?: string
  readonly expected: string
  readonly found: string
  readonly hint?: string
  /** The sentence for people, where it has other words. */
  readonly sentence?: string
}

function lineOf({ path, expected, found, sentence }: Misuse): string {
  const fault = `expected ${expected}, found ${found}`
  return sentence ?? (path === undefined ? fault : `${path}: ${fault}`)
}

function tellErrors(lines: readonly string[]): void {
  for (const line of lines) {
    print(`${paint('red', 'error:', process.stderr)} ${line}\n`, process.stderr)
  }
}

function tellHint(hint: string | undefined): void {
  if (hint !== undefined) print(`hint: ${hint}\n`, process.stderr)
}

/** The outermost shell for our own bugs: tells what is needed to reproduce them, and whose defect it is. */
export async function fail(error: unknown, of = 'a bug in pitclock'): Promise<void> {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  tellErrors([`internal error in pitclock ${version()} on Node ${process.versions.node}`, what])
  // The stack of the error itself is told already.
  if (error instanceof Error && error.cause !== undefined) debugError(error.cause)
  tellHint(`this is ${of}; the command was: pitclock ${process.argv.slice(2).join(' ')}`)
  process.exitCode = exitCode.internal
  // Where the library itself cannot be loaded, the sentences are all there is.
  await keepFault(error).catch(() => undefined)
}
