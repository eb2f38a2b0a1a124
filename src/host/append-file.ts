/**
 * Files that grow at their end: small pieces are gathered, large ones go straight to the disk.
 *
 * Writes are synchronous, so that a sink may use its buffers again at once and memory stays bounded
 * by `BUFFER_BYTES` for each file. Errors of the operating system are thrown with the path of the file.
 */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, truncateSync, writeSync } from 'node:fs'
import { assert } from '../core/index.ts'
import { namingFile } from './system-words.ts'

/** How far a file was written, and the SHA-256 of its bytes so far in hexadecimal. */
export interface FileMark {
  readonly bytes: number
  readonly sha256: string
}

/** A file that is being written. */
export interface AppendFile {
  /** Bytes handed in so far. */
  readonly size: number
  /** Appends bytes, which the caller may change afterwards. */
  write(bytes: Uint8Array): void
  /** Hands what is gathered to the operating system, which keeps it when the program is killed. */
  flush(): void
  /** Brings everything so far to the disk, and says how far that is. */
  mark(): FileMark
  /** Writes what is gathered, closes the file and returns its SHA-256 in hexadecimal. */
  close(): string
  /** Closes a file that nobody wants any more, without writing; does nothing where it is closed. */
  abandon(): void
}

const BUFFER_BYTES = 65_536

/** Creates a file, which must not exist yet unless it is to be replaced. */
export function createAppendFile(path: string, mode: 'new' | 'replace' = 'new'): AppendFile {
  const descriptor = openSync(path, mode === 'replace' ? 'w' : 'wx')
  return appendFileOf(path, { descriptor, hash: createHash('sha256'), size: 0 })
}

/** Goes on with a file behind a mark; what was written after it is cut off. Null where the bytes before it are others. */
export function continueAppendFile(path: string, mark: FileMark): AppendFile | null {
  const hash = hashOfBeginning(path, mark.bytes)
  if (hash === null || hash.copy().digest('hex') !== mark.sha256) return null
  truncateSync(path, mark.bytes)
  return appendFileOf(path, { descriptor: openSync(path, 'a'), hash, size: mark.bytes })
}

/** The hash of the first bytes of a file, to go on with; null where it has fewer. */
function hashOfBeginning(path: string, bytes: number): Hash | null {
  const descriptor = openSync(path, 'r')
  const hash = createHash('sha256')
  const buffer = new Uint8Array(BUFFER_BYTES)
  let left = bytes
  try {
    while (left > 0) {
      const read = readSync(descriptor, buffer, { length: Math.min(BUFFER_BYTES, left) })
      if (read === 0) return null
      hash.update(buffer.subarray(0, read))
      left -= read
    }
    return hash
  } finally {
    closeSync(descriptor)
  }
}

function appendFileOf(
  path: string,
  from: { readonly descriptor: number; readonly hash: Hash; readonly size: number },
): AppendFile {
  const { descriptor, hash } = from
  const buffer = new Uint8Array(BUFFER_BYTES)
  let used = 0
  let { size } = from
  let isClosed = false
  /** Behind a failed write nothing follows: the file would have a gap or repeat a part. */
  let hasFailed = false

  const put = (bytes: Uint8Array): void => {
    if (hasFailed) return
    hash.update(bytes)
    hasFailed = true
    namingFile(path, () => writeFully(descriptor, bytes))
    hasFailed = false
  }
  const flush = (): void => {
    put(buffer.subarray(0, used))
    used = 0
  }
  return {
    get size(): number {
      return size
    },
    write: (bytes) => {
      assert(!isClosed, 'a closed file takes no bytes')
      size += bytes.length
      if (used + bytes.length > BUFFER_BYTES) flush()
      if (bytes.length > BUFFER_BYTES) {
        put(bytes)
      } else {
        buffer.set(bytes, used)
        used += bytes.length
      }
    },
    flush,
    mark: () => {
      flush()
      namingFile(path, () => fsyncSync(descriptor))
      return { bytes: size, sha256: hash.copy().digest('hex') }
    },
    close: () => {
      assert(!isClosed, 'a file is closed once')
      isClosed = true
      try {
        flush()
      } finally {
        namingFile(path, () => closeSync(descriptor))
      }
      return hash.digest('hex')
    },
    abandon: () => {
      if (isClosed) return
      isClosed = true
      closeSync(descriptor)
    },
  }
}

function writeFully(descriptor: number, bytes: Uint8Array): void {
  let written = 0
  while (written < bytes.length) written += writeSync(descriptor, bytes, written)
}
