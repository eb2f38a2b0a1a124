/**
 * The built program as a person meets it: run to its end, or begun and watched.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repository } from './repository.ts'

const program = join(repository, 'dist/cli/pitclock.js')
if (!existsSync(program)) throw new Error('expected the built program: npm run build')
const env = { ...process.env, NO_COLOR: '1' }
const LIMIT_MILLIS = 120_000

/** How a program ended. */
export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Runs the program to its end; `input` is its stdin. */
export function pitclock(args: readonly string[], input = ''): Ran {
  const done = spawnSync(process.execPath, [program, ...args], {
    ...{ cwd: repository, encoding: 'utf8', env, input, maxBuffer: 1 << 28, timeout: LIMIT_MILLIS },
  })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

/** Runs a line of the shell in which `$PITCLOCK` is the program. */
export function shell(line: string): Ran {
  const command = `"${process.execPath}" "${program}"`
  const done = spawnSync('bash', ['-c', line.replaceAll('$PITCLOCK', command)], {
    ...{ cwd: repository, encoding: 'utf8', env, maxBuffer: 1 << 28, timeout: LIMIT_MILLIS },
  })
  return { code: done.status, out: done.stdout, err: done.stderr }
}

/** A program that has begun. */
export interface Begun {
  readonly child: ChildProcess
  readonly ended: Promise<Ran>
}

/** Begins the program, with more variables in its environment. */
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

/** The environment of a program whose writes fail once a file is there. */
export function failingDisk(file: string, kind: 'full' | 'defect'): Record<string, string> {
  const preload = pathToFileURL(join(repository, 'test/support/failing-disk.mjs')).href
  return {
    ...{ NODE_OPTIONS: `--import ${preload}`, PITCLOCK_FAULT_FILE: file, PITCLOCK_FAULT: kind },
  }
}

/** Waits until a file is there. */
export async function appears(path: string): Promise<void> {
  for (let tries = 0; !existsSync(path); tries += 1) {
    if (tries > LIMIT_MILLIS / 20) throw new Error(`${path} does not appear`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** A folder of its own for a test. */
export function scratch(): string {
  return mkdtempSync(join(tmpdir(), 'pitclock-cli-'))
}
