/**
 * Recorded files that are no regular files: stdin, pipes and devices. A reader needs a file twice, for its
 * hash and for its rows, and such a one gives its bytes once, if it ends at all. So it is copied to its end
 * into a file of the system's folder for such: stdin, which is named by `-`, always, others where somebody
 * asks for it; else they are refused.
 */
import { constants, createReadStream, createWriteStream, openSync, type Stats } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { ok, type Result } from '../../core/index.ts'
import { removeAtExit } from '../output-place.ts'
import { badInput, type FeedFault, interruption, ioFault } from './feed-fault.ts'

/** How whoever reads files is told of the world. */
export interface Reading {
  /** True if pipes and devices are read too; else they are refused. */
  readonly allowSpecial?: boolean | undefined
  /** Asked while a file is read; true ends the reading. */
  readonly interrupted?: (() => boolean) | undefined
}

/** A regular file with the bytes of another. */
export interface PlainPlace {
  readonly path: string
  remove(): Promise<void>
}

const ASK_MS = 100
/** The name of stdin on the command line. */
const STDIN = '-'

/** A regular file to read instead of this one: itself, or the copy of a pipe or device. */
export async function plainPlaceOf(path: string, reading: Reading): Promise<Result<PlainPlace, FeedFault>> {
  if (path === STDIN) return await copyOf(path, () => process.stdin, reading)
  try {
    const found = specialKind(await stat(path))
    if (found === null) return ok({ path, remove: async () => {} })
    const expected = 'a regular file'
    if (found === 'a folder') return badInput({ code: 'FILE', file: path, expected, found })
    if (reading.allowSpecial === true) {
      return await copyOf(path, () => bytesOf(path, found), reading)
    }
    const hint = '--allow-special accepts it and reads it to its end first'
    return badInput({ code: 'FILE', file: path, expected, found, hint })
  } catch (error) {
    return ioFault(path, error)
  }
}

/** The kind of a file that is no regular one; else null. */
function specialKind(stats: Stats): string | null {
  if (stats.isFile()) return null
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a named pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}

/** Bytes of a pipe or device. */
function bytesOf(path: string, kind: string): Readable {
  // Opening a pipe waits for its writer in a thread that nothing ends, unless it is told not to wait.
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  return kind === 'a named pipe' ? new Socket({ fd, readable: true, writable: false }) : createReadStream('', { fd })
}

async function copyOf(
  path: string,
  open: () => Readable,
  { interrupted = () => false }: Reading,
): Promise<Result<PlainPlace, FeedFault>> {
  const folder = await mkdtemp(join(tmpdir(), 'pitclock-feed-'))
  const copy = join(folder, 'copy')
  const forget = removeAtExit(folder)
  const remove = async (): Promise<void> => {
    forget()
    await rm(folder, { recursive: true, force: true })
  }
  const stop = new AbortController()
  const asking = setInterval(() => {
    if (interrupted()) stop.abort()
  }, ASK_MS)
  try {
    // A turn of the event loop for each piece, in which signals are heard.
    const turn = new Transform({
      transform: (chunk, _, done) => {
        setImmediate(done, null, chunk)
      },
    })
    await pipeline(open(), turn, createWriteStream(copy), { signal: stop.signal })
    return ok({ path: copy, remove })
  } catch (error) {
    await remove()
    return stop.signal.aborted ? interruption(path) : ioFault(path, error)
  } finally {
    clearInterval(asking)
  }
}

/** A result of reading the copy whose fault names the file itself. */
export function asOf<T>(path: string, copy: string, result: Result<T, FeedFault>): Result<T, FeedFault> {
  if (result.ok || result.error.error.file !== copy) return result
  return { ok: false, error: { ...result.error, error: { ...result.error.error, file: path } } }
}
