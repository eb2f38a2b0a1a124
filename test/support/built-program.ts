/** Runs the built program like a user does: until it ends, or in the background. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repository } from './repository.ts'

const program = join(repository, 'dist/cli/pitclock.js')
if (!existsSync(program)) throw new Error('expected the built program: npm run build')
const env = { ...process.env, NO_COLOR: '1' }
const LIMIT_MILLIS = 120_000

/** The outcome of a run of the program. */
export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Input of a command besides its arguments. */
interface Given {
  /** Text for its stdin. */
  readonly input?: string
  /** Its working folder; the repository if omitted. */
  readonly cwd?: string
}

/** Runs the program to its end in a new process. */
function started(args: readonly string[], { input = '', cwd = repository }: Given): Ran {
  const done = spawnSync(process.execPath, [program, ...args], {
    ...{ cwd, encoding: 'utf8', env, input, maxBuffer: 1 << 28, timeout: LIMIT_MILLIS },
  })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

/** A process that runs commands one after the other (`warm-program.mjs`). */
interface Warm {
  readonly child: ChildProcess
  /** The pipe to its stdin. */
  readonly pipe: number
  readonly answer: string
}

let warm: Warm | null = null

function warmProgram(): Warm {
  const folder = scratch()
  const path = join(folder, 'commands')
  const { status, stderr } = spawnSync('mkfifo', [path], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`mkfifo ended with ${status}: ${stderr}`)
  // Opened for reading and writing, so that neither side waits for the other. Only the program reads, so it ends with
  // this process.
  const pipe = openSync(path, 'r+')
  const commands = openSync(path, 'r')
  const child = spawn(process.execPath, [join(repository, 'test/support/warm-program.mjs'), program], {
    ...{ cwd: repository, env, stdio: [commands, 'ignore', 'inherit'] },
  })
  closeSync(commands)
  child.unref()
  return { child, pipe, answer: join(folder, 'answer') }
}

/**
 * Runs a command to its end in a process that has run other commands before. A command with a stdin gets a new process.
 */
export function pitclock(args: readonly string[], given: Given = {}): Ran {
  if (given.input !== undefined) return started(args, given)
  warm ??= warmProgram()
  const { child, pipe, answer } = warm
  writeSync(pipe, `${JSON.stringify({ args, cwd: given.cwd ?? repository, file: answer })}\n`)
  const until = Date.now() + LIMIT_MILLIS
  while (!existsSync(answer)) {
    if (Date.now() > until) {
      child.kill('SIGKILL')
      closeSync(pipe)
      warm = null
      return { code: null, out: '', err: `no end within ${LIMIT_MILLIS} ms` }
    }
    Atomics.wait(pause, 0, 0, 2)
  }
  const { ran, isLast } = JSON.parse(readFileSync(answer, 'utf8')) as Answer
  rmSync(answer)
  if (isLast) {
    closeSync(pipe)
    warm = null
  }
  return ran
}

/** The answer to a command; the last one if the command ended the process. */
interface Answer {
  readonly ran: Ran
  readonly isLast: boolean
}

/** No thread notifies it, so a wait lasts its full time. */
const pause = new Int32Array(new SharedArrayBuffer(4))

/** Runs a line of shell in which `$PITCLOCK` is the program. */
export function shell(line: string): Ran {
  const command = `"${process.execPath}" "${program}"`
  const done = spawnSync('bash', ['-c', line.replaceAll('$PITCLOCK', command)], {
    ...{ cwd: repository, encoding: 'utf8', env, maxBuffer: 1 << 28, timeout: LIMIT_MILLIS },
  })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

/** A running program. */
export interface Begun {
  readonly child: ChildProcess
  readonly ended: Promise<Ran>
}

/** Starts the program with additional environment variables. */
export function begin(args: readonly string[], more: Readonly<Record<string, string>> = {}): Begun {
  const child = spawn(process.execPath, [program, ...args], {
    ...{ cwd: repository, env: { ...env, ...more } },
  })
  const texts = { out: '', err: '' }
  child.stdout.on('data', (chunk) => {
    texts.out += String(chunk)
  })
  child.stderr.on('data', (chunk) => {
    texts.err += String(chunk)
  })
  const ended = new Promise<Ran>((resolve) => {
    child.on('close', (code) => resolve({ code, ...texts }))
  })
  return { child, ended }
}

/** The environment of a program whose writes fail as soon as `file` exists. */
export function failingDisk(file: string, kind: 'full' | 'defect'): Record<string, string> {
  const preload = pathToFileURL(join(repository, 'test/support/failing-disk.mjs')).href
  return {
    ...{ NODE_OPTIONS: `--import ${preload}`, PITCLOCK_FAULT_FILE: file, PITCLOCK_FAULT: kind },
  }
}

/** Waits until a file exists. */
export async function appears(path: string): Promise<void> {
  for (let tries = 0; !existsSync(path); tries += 1) {
    if (tries > LIMIT_MILLIS / 20) throw new Error(`${path} does not appear`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A new folder for a test. */
export function scratch(): string {
  return mkdtempSync(join(tmpdir(), 'pitclock-cli-'))
}
