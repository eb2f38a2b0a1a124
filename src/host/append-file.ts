/**
 * Append-only files. Small pieces are buffered; large ones go straight to the disk.
 *
 * Writes are synchronous, so a sink may reuse its buffers at once, and each file buffers at most `BUFFER_BYTES`. The
 * functions throw errors of the operating system with the path of the file.
 */
import { createHash, type Hash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, truncateSync, writeSync } from 'node:fs'
import { assert } from '../core/index.ts'
import { namingFile } from './system-words.ts'

/** The length of a file at a moment, and the SHA-256 of its bytes up to there in hexadecimal. */
export interface FileMark {
  readonly bytes: number
  readonly sha256: string
}

/** A file that is being written. */
export interface AppendFile {
  /** Number of bytes written so far, including the buffer. */
  readonly size: number
  /** Appends bytes, which the caller may change afterwards. */
  write(bytes: Uint8Array): void
  /** Hands the buffer to the operating system, which keeps it even if the program is killed. */
  flush(): void
  /** Syncs everything so far to the disk and returns the mark of that position. */
  mark(): FileMark
  /** Writes the buffer, closes the file and returns its SHA-256 in hexadecimal. */
  close(): string
  /** Closes the file without writing the buffer; does nothing if it is already closed. */
  abandon(): void
}

const BUFFER_BYTES = 65_536

/** Creates a file. In mode `new` it must not exist yet. */
export function createAppendFile(path: string, mode: 'new' | 'replace' = 'new'): AppendFile {
  const descriptor = openSync(path, mode === 'replace' ? 'w' : 'wx')
  return appendFileOf(path, { descriptor, hash: createHash('sha256'), size: 0 })
}

/** Continues a file after a mark and cuts off the bytes after it. Null if the bytes before the mark have changed. */
export function continueAppendFile(path: string, mark: FileMark): AppendFile | null {
  const hash = hashOfBeginning(path, mark.bytes)
  if (hash === null || hash.copy().digest('hex') !== mark.sha256) return null
  truncateSync(path, mark.bytes)
  return appendFileOf(path, { descriptor: openSync(path, 'a'), hash, size: mark.bytes })
}

/** Hash state of the first bytes of a file; null if the file has fewer bytes. */
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

/** The open file, the hash of its content and its size in bytes. */
interface AppendStart {
  readonly descriptor: number
  readonly hash: Hash
  readonly size: number
}

function appendFileOf(path: string, from: AppendStart): AppendFile {
  const buffer = new Uint8Array(BUFFER_BYTES)
  let used = 0
  let isClosed = false
  /**
   * A failed write may leave part of its bytes in the file. Later writes would then follow a gap or a repeated part.
   */
  let hasFailed = false

  const put = (bytes: Uint8Array): void => {
    if (hasFailed) return
    from.hash.update(bytes)
    hasFailed = true
    namingFile(path, () => writeFully(from.descriptor, bytes))
    hasFailed = false
  }
  const flush = (): void => {
    put(buffer.subarray(0, used))
    used = 0
  }
  return {
    get size(): number {
      return from.size
    },
    write: (bytes) => {
      assert(!isClosed, 'a closed file takes no bytes')
      from.size += bytes.length
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
      namingFile(path, () => fsyncSync(from.descriptor))
      return { bytes: from.size, sha256: from.hash.copy().digest('hex') }
    },
    close: () => {
      assert(!isClosed, 'a file is closed once')
      isClosed = true
      try {
        flush()
      } finally {
        namingFile(path, () => closeSync(from.descriptor))
      }
      return from.hash.digest('hex')
    },
    abandon: () => {
      if (isClosed) return
      isClosed = true
      closeSync(from.descriptor)
    },
  }
}

function writeFully(descriptor: number, bytes: Uint8Array): void {
  let written = 0
  while (written < bytes.length) written += writeSync(descriptor, bytes, written)
}
