/**
 * Errors as `--json` tells them: kept as they are met, until the object of the command takes them along, or until the end
 * where no object was printed.
 */
import type { Command, CommanderError } from 'commander'
import type { InputError } from '../src/node.ts'

const flags: ReadonlySet<string> = new Set(['--json', '--ready-json'])

let isAsked = false
let kept: readonly InputError[] = []

/** Finds out with each command whether its failures are told in JSON. */
export function watchJsonOption(program: Command): void {
  program.hook('preAction', (_program, command) => {
    const { json, readyJson } = command.opts()
    isAsked = json === true || readyJson === true
  })
}

/** Keeps errors for the object that is printed next; nothing where none is asked for. */
export function keepErrors(errors: readonly InputError[]): void {
  if (isAsked) kept = [...kept, ...errors]
}

/** The errors that no object has told yet, which are told with that. */
export function takeErrors(): readonly InputError[] {
  const errors = kept
  kept = []
  return errors
}

/** Keeps what is wrong with arguments that no command was begun with; its options are not read then. */
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

/** Keeps a fault of our own: with its code, where it has one. */
export async function keepFault(error: unknown): Promise<void> {
  if (!isAsked) return
  const { errorCodes } = await import('../src/index.ts')
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const isKnown = (word: string): word is keyof typeof errorCodes => Object.hasOwn(errorCodes, word)
  const found = error instanceof Error ? error.message : String(error)
  keepErrors([{ code: isKnown(code) ? code : 'DEFECT', expected: 'no internal error', found }])
}
