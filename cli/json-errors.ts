/**
 * Errors for `--json`. They are collected until the command prints its JSON object, or until the end if it prints none.
 */
import type { Command, CommanderError } from 'commander'
import type { InputError } from '../src/node.ts'

const flags: ReadonlySet<string> = new Set(['--json', '--ready-json'])

let isAsked = false
let kept: readonly InputError[] = []

/** Records for each command whether its errors are printed as JSON. */
export function watchJsonOption(program: Command): void {
  program.hook('preAction', (_program, command) => {
    const { json, readyJson } = command.opts()
    isAsked = json === true || readyJson === true
  })
}

/** Collects errors for the next JSON object; does nothing without `--json`. */
export function keepErrors(errors: readonly InputError[]): void {
  if (isAsked) kept = [...kept, ...errors]
}

/** Takes the collected errors for a JSON object. */
export function takeErrors(): readonly InputError[] {
  const errors = kept
  kept = []
  return errors
}

/** Collects the mistake in arguments with which no command could begin. Commander has not read the options then. */
export function keepMisuse(program: Command, { message }: CommanderError): void {
  const end = process.argv.indexOf('--')
  const given = process.argv.slice(2, end < 0 ? undefined : end)
  isAsked = given.some((argument) => flags.has(argument))
  const [first = '', ...more] = message.split('\n')
  const name = program.commands.find((command) => command.name() === given[0])?.name()
  const help = ['pitclock', ...(name === undefined ? [] : [name]), '--help'].join(' ')
  const words = { expected: `arguments that match ${help}`, found: first.replace('error: ', '') }
  const hint = more.join(' ').replaceAll(/[()]/g, '')
  keepErrors([{ code: 'OPTION', ...words, ...(hint === '' ? {} : { hint }) }])
}

/** Collects an internal error, with its code if it is a known one. */
export async function keepFault(error: unknown): Promise<void> {
  if (!isAsked) return
  const { errorCodes } = await import('../src/index.ts')
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isKnown = (word: string): word is keyof typeof errorCodes => Object.hasOwn(errorCodes, word)
  const found = error instanceof Error ? error.message : String(error)
  keepErrors([{ code: isKnown(code) ? code : 'DEFECT', expected: 'no internal error', found }])
}
