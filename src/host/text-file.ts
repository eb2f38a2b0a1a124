/** Writes a text as one file, completely or not at all. It replaces an existing file only on request. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { err, ok, type Result } from '../core/index.ts'
import { type FeedFault, ioFault } from './feeds/feed-fault.ts'
import { openFilePlace } from './output-place.ts'

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
