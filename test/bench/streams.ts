/**
 * The streams of a run: from the generator next to the repository, `../shared/bench`, if it is available, otherwise
 * from `stream.ts`. Both have the same mix.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeStream, type OrderStream, type Outcome, type StreamMode } from './stream.ts'

const generator = fileURLToPath(new URL('../../../../shared/bench/gen-stream.mjs', import.meta.url))
const length = 1_000_000

/** The name of the generator in use. */
export function streamSource(): string {
  return existsSync(generator) ? 'shared generator' : 'own generator'
}

/** The stream of a mode: a million commands. */
export function loadStream(mode: StreamMode): OrderStream {
  return existsSync(generator) ? generated(mode) : makeStream(mode, length)
}

function generated(mode: StreamMode): OrderStream {
  const folder = mkdtempSync(join(tmpdir(), 'pitclock-stream-'))
  try {
    const file = join(folder, 'stream.bin')
    const args = [generator, '--mode', mode, '--n', `${length}`, '--seed', '42', '--out', file]
    execFileSync(process.execPath, args, { stdio: 'ignore' })
    // A copy, because the words must start at a multiple of four bytes.
    const words = new Int32Array(Uint8Array.from(readFileSync(file)).buffer)
    const outcome = JSON.parse(readFileSync(`${file}.json`, 'utf8')) as Outcome
    return { words, outcome }
  } finally {
    rmSync(folder, { recursive: true })
  }
}
