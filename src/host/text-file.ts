/** Writes texts as one file or one folder, completely or not at all. They replace existing ones only on request. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { err, type InputError, ok, type Result } from '../core/index.ts'
import { type FeedFault, ioFault } from './feeds/feed-fault.ts'
import { openFilePlace, openPlace, placeFault, type Replacement, untilExit } from './output-place.ts'

/** The content of a text file; `force` replaces an existing file. */
interface TextFileTerms {
  readonly force: boolean
  readonly content: string
}

/** Writes the file; `content` describes it in messages. The fault says why the file could not be written. */
export function writeTextFile(path: string, text: string, options: TextFileTerms): Result<null, FeedFault> {
  try {
    mkdirSync(dirname(path), { recursive: true })
    const place = openFilePlace(path, options.force, options.content)
    if (!place.ok) return err({ kind: 'io', error: place.error })
    const { partialPath, take, discard } = place.value
    let isWhole = false
    try {
      writeFileSync(partialPath, text)
      isWhole = true
      const fault = take()
      return fault === null ? ok(null) : err({ kind: 'io', error: fault })
    } finally {
      if (!isWhole) discard()
    }
  } catch (error) {
    return ioFault(path, error, 'a writable path')
  }
}

/** The reason why a folder must not be written, or null. */
export function textFolderFault(path: string, replacement: Replacement): InputError | null {
  return placeFault(path, replacement)
}

/** Writes files by name into a new folder. The fault says why the folder could not be written. */
export function writeTextFolder(
  path: string,
  files: ReadonlyMap<string, string>,
  replacement: Replacement,
): InputError | null {
  try {
    const opened = openPlace(path, replacement)
    if (!opened.ok) return opened.error
    const { partialPath, take, discard } = untilExit(opened.value)
    let isWhole = false
    try {
      for (const [name, text] of files) writeFileSync(join(partialPath, name), text)
      isWhole = true
      return take()
    } finally {
      if (!isWhole) discard()
    }
  } catch (error) {
    const fault = ioFault(path, error, 'a writable path')
    return fault.ok ? null : fault.error.error
  }
}
