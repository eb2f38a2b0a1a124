/**
 * Recorded files that are not regular files: stdin, pipes and devices. A reader needs the bytes twice, for the hash and
 * for the rows, but such a file delivers them only once, if it ends at all. So the bytes are copied to a file in the
 * system's temporary folder. Stdin (`-`) is always copied, pipes and devices only if `allowSpecial` is set; otherwise
 * they are refused.
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

/** Options for reading files. */
export interface Reading {
  /** True to read pipes and devices too; otherwise they are refused. */
  readonly allowSpecial?: boolean | undefined
  /** Called while a file is read; a result of true ends the reading. */
  readonly interrupted?: (() => boolean) | undefined
}

/** A regular file with the bytes of the named file. */
interface PlainPlace {
  readonly path: string
  remove(): Promise<void>
}

const ASK_MS = 100
/** The name of stdin on the command line. */
const STDIN = '-'

/** The regular file to read: the file itself, or the copy of a pipe or device. */
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

/** The kind of a special file; null for a regular file. */
function specialKind(stats: Stats): string | null {
  if (stats.isFile()) return null
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a named pipe'
  return stats.isSocket() ? 'a socket' : 'a device'
}

function bytesOf(path: string, kind: string): Readable {
  // Opening a pipe waits for its writer in a thread that cannot be ended, unless O_NONBLOCK is set.
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
  const polling = setInterval(() => {
    if (interrupted()) stop.abort()
  }, ASK_MS)
  try {
    // One turn of the event loop for each piece, so that signals are handled.
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
    clearInterval(polling)
  }
}

/** The result of reading the copy; a fault names the original file. */
export function asOf<T>(path: string, copy: string, result: Result<T, FeedFault>): Result<T, FeedFault> {
  if (result.ok || result.error.error.file !== copy) return result
  return { ok: false, error: { ...result.error, error: { ...result.error.error, file: path } } }
}
