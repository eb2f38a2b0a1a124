/**
 * `--debug` of every command: prints versions, the interpretation of arguments and files, and the place of a failure to
 * stderr.
 */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { print } from './print.ts'

let isOn = false

/** The option as commands declare it. */
export const debugOption = ['--debug', 'print versions, parsed arguments and the place of each failure'] as const

/** Adds the option to every command, and turns the output on for a command with the option. */
export function addDebugOption(program: Command, version: string): void {
  for (const command of program.commands) {
    command.option(...debugOption)
  }
  program.hook('preAction', (_program, command) => {
    if (command.opts()['debug'] !== true) return
    isOn = true
    printCommand(command, version)
  })
}

/** Prints a line of debug output, if it is on. */
export function debug(line: string): void {
  if (isOn) print(`debug: ${line}\n`, process.stderr)
}

/** Prints the file that an argument means. */
export function debugFile(name: string, file: string): void {
  debug(`${name} is ${file === '-' ? 'stdin' : resolve(file)}`)
}

/** Prints the calls that led to the caller of this function. */
export function debugPlace(): void {
  if (!isOn) return
  const calls = new Error('for its stack').stack?.split('\n').slice(3) ?? []
  for (const call of calls) debug(call.trim())
}

/** Prints the stack of an error and of its causes. */
export function debugError(error: unknown): void {
  let cause: unknown = error
  while (cause instanceof Error) {
    for (const line of (cause.stack ?? cause.message).split('\n')) debug(line.trim())
    cause = cause.cause
    if (cause !== undefined) debug('caused by')
  }
  if (cause !== undefined) debug(String(cause))
}

function printCommand(command: Command, version: string): void {
  const { node, v8 } = process.versions
  debug(`pitclock ${version}, Node ${node} (V8 ${v8}), ${process.platform} ${process.arch}`)
  debug(`in ${process.cwd()}: pitclock ${process.argv.slice(2).join(' ')}`)
  const values = command.opts()
  for (const option of command.options) {
    const name = option.attributeName()
    const source = command.getOptionValueSource(name)
    if (source === undefined || source === 'default') continue
    debug(`${option.long ?? option.short} is ${JSON.stringify(values[name])}, from ${source}`)
  }
  debug(`arguments are ${JSON.stringify(command.processedArgs)}`)
}
