/**
 * How the command line speaks: errors, exit codes, colour.
 */
import { readFileSync } from 'node:fs'
import { styleText } from 'node:util'
import { debugError, debugPlace } from './debug.ts'
import type { JsonOutputs } from './json-outputs.ts'

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
} as const

/** The version in the package this file belongs to. */
export function version(): string {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return String((JSON.parse(manifest) as { version: unknown }).version)
}

/** Colours a text for stdout or stderr where that is a terminal that wants colour. */
export function paint(
  style: 'bold' | 'dim' | 'red' | 'green' | 'yellow',
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  return wantsColour(stream) ? styleText(style, text, { validateStream: false }) : text
}

/** Prints the object of `--json`; 64-bit integers as texts, because JSON readers round them. */
export function printJson<C extends keyof JsonOutputs>(_command: C, output: JsonOutputs[C]): void {
  const plain = (_: string, value: unknown): unknown =>
    typeof value === 'bigint' ? String(value) : value
  process.stdout.write(`${JSON.stringify(output, plain)}\n`)
}

/** Writes `error: …` lines and a hint to stderr. */
export function complain(lines: readonly string[], hint?: string): void {
  tellErrors(lines)
  debugPlace()
  tellHint(hint)
}

function tellErrors(lines: readonly string[]): void {
  for (const line of lines)
    process.stderr.write(`${paint('red', 'error:', process.stderr)} ${line}\n`)
}

function tellHint(hint: string | undefined): void {
  if (hint !== undefined) process.stderr.write(`hint: ${hint}\n`)
}

/** The outermost shell for our own bugs: tells what is needed to reproduce them. */
export function fail(error: unknown): void {
  const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
  tellErrors([`internal fault in pitclock ${version()} on Node ${process.versions.node}`, what])
  // The stack of the error itself is told already.
  if (error instanceof Error && error.cause !== undefined) debugError(error.cause)
  tellHint(
    `this is a defect of pitclock; the command was: pitclock ${process.argv.slice(2).join(' ')}`,
  )
  process.exitCode = exitCode.internal
}

function wantsColour(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  return stream.isTTY === true && TERM !== 'dumb'
}
