/**
 * A file that a run writes as it goes: beside its place, which it takes once it is whole, so that a run that fails
 * leaves what stood there. Devices and pipes are written directly.
 */
import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { type AppendFile, createAppendFile } from './append-file.ts'
import { openFilePlace } from './output-place.ts'

/** A file on its way to its place. */
export interface WholeFile extends AppendFile {
  /** Closes the file as far as it was written and leaves it beside its place; returns its path there. */
  leave(): string
}

/** Opens the file; `content` says in words what it is. */
export function openWholeFile(path: string, content: string): WholeFile {
  const place = existsSync(dirname(path)) ? openFilePlace(path, { force: true, content }) : null
  // Where no file can stand, opening it says why.
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
