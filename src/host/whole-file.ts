/**
 * A file that a run writes while it continues. The file gets its final path only when it is complete, so a failed run
 * leaves the earlier file there. Devices and pipes are written directly.
 */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type AppendFile, createAppendFile } from './append-file.ts'
import { openFilePlace } from './output-place.ts'

/** A file that gets its final path when it is complete. */
export interface WholeFile extends AppendFile {
  /** Closes the file with the bytes written so far, keeps it under its partial name, and returns that path. */
  leave(): string
}

/** Opens the file; `content` describes it in messages. */
export function openWholeFile(path: string, content: string): WholeFile {
  const place = existsSync(dirname(path)) ? openFilePlace(path, { force: true, content }) : null
  // If no file can be created there, opening it reports the reason.
  const aside = place?.ok === true ? place.value : null
  const asidePath = aside?.partialPath ?? path
  const file = createAppendFile(asidePath, 'replace')
  let isLeft = false
  return {
    get size(): number {
      return file.size
    },
    write: file.write,
    flush: file.flush,
    mark: file.mark,
    close: () => {
      const hash = file.close()
      aside?.take()
      return hash
    },
    leave: () => {
      isLeft = true
      file.flush()
      file.abandon()
      return asidePath
    },
    abandon: () => {
      file.abandon()
      if (!isLeft) aside?.discard()
    },
  }
}
