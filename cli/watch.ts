/**
 * `pitclock run --watch`: runs files again after each change of a scenario, its recorded files or its strategy modules.
 * Every run is a new process, because Node keeps modules that it has loaded.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import type { Command } from 'commander'
import { hearSignals, signalCodes } from './interrupt.ts'
import { print } from './print.ts'

/** Time between two looks at the files. A file is run again when it stays unchanged from one look to the next. */
const LOOK_MS = 200

/** Clears the screen and what has scrolled off it. */
const CLEAR = '\u001b[2J\u001b[3J\u001b[H'

/** Options that change which files a run reads. */
interface InputFlags {
  readonly feeds: string | undefined
  readonly set: readonly string[]
}

/** A file with the files that its run reads, and their state before the last run. */
interface Watched {
  readonly file: string
  inputs: readonly string[]
  state: string
}

/** Runs files, and then those that changed, until a signal ends the process. */
export async function watchRuns(command: Command, files: readonly string[], flags: InputFlags): Promise<void> {
  let child: ChildProcess | undefined
  hearSignals((signal) => {
    child?.kill(signal)
    process.exit(signalCodes[signal])
  })
  const { inputFiles } = await import('../src/node.ts')
  const given = givenOptions(command)
  const watched = files.map((file): Watched => ({ file, inputs: [file], state: '' }))
  let changed: readonly Watched[] = watched
  for (;;) {
    for (const each of changed) {
      each.inputs = await inputFiles(each.file, { feeds: flags.feeds ?? null, set: flags.set })
      each.state = stateOf(each.inputs)
    }
    const names = changed.map(({ file }) => file)
    const [program = ''] = process.argv.slice(1)
    const run = spawn(process.execPath, [...process.execArgv, program, 'run', ...given, '--', ...names], {
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    child = run
    await new Promise((resolve) => run.once('close', resolve))
    child = undefined
    print(`watching ${counted(files)}; Ctrl-C ends\n`, process.stderr)
    changed = await nextChange(watched)
    if (process.stdout.isTTY) process.stdout.write(CLEAR)
  }
}

/** Waits until files have changed and nothing has written to them between two looks. */
async function nextChange(watched: readonly Watched[]): Promise<readonly Watched[]> {
  for (let before: readonly string[] = []; ; ) {
    await setTimeout(LOOK_MS)
    const states = watched.map(({ inputs }) => stateOf(inputs))
    const changed = watched.filter(({ state }, at) => states[at] !== state)
    if (changed.length > 0 && states.every((state, at) => state === before[at])) return changed
    before = states
  }
}

/** Time of the last change and size of each file. Size 0 and no time mean that it does not exist. */
function stateOf(inputs: readonly string[]): string {
  return inputs
    .map((path) => {
      const found = statSync(path, { throwIfNoEntry: false })
      return `${found?.mtimeMs ?? ''} ${found?.size ?? ''}`
    })
    .join('\n')
}

function counted(files: readonly string[]): string {
  return files.length === 1 ? 'one file' : `${files.length} files`
}

/** The options of the command line, without `--watch`, for another process. */
function givenOptions(command: Command): readonly string[] {
  return command.options.flatMap((option) => {
    const name = option.attributeName()
    const { long } = option
    if (command.getOptionValueSource(name) !== 'cli' || long == null || name === 'watch') return []
    // A value is a text, several texts, or whether the option is there.
    const value = command.opts()[name] as string | readonly string[] | boolean
    return typeof value === 'boolean' ? [long] : [value].flat().flatMap((each) => [long, each])
  })
}
