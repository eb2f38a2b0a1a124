/** Reads files of this package, and compresses bytes with gzip. */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { err, type InputError, ok, type Result } from '../core/index.ts'
import { isSystemError, systemWords } from './system-words.ts'

/** Byte of a gzip header that names the operating system; 255 means unknown. */
const GZIP_SYSTEM = 9

/** The text of a file of this package; `path` starts at the root of the package. */
export function readPackageFile(path: string): Result<string, InputError> {
  const expected = 'a file that the build of the package writes'
  // The compiled forms of this file are at several depths of the package.
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const file = join(folder, path)
    const isPackage = existsSync(join(folder, 'package.json'))
    if (isPackage && existsSync(file)) {
      try {
        return ok(readFileSync(file, 'utf8'))
      } catch (error) {
        if (!isSystemError(error)) throw error
        return err({ code: 'FILE', file, expected, found: systemWords(error) })
      }
    }
    if (folder === dirname(folder)) return err({ code: 'FILE', file: path, expected, found: 'no such file' })
  }
}

/** Bytes compressed with gzip. One version of Node always gives the same result. */
export function gzipped(bytes: Uint8Array): Uint8Array {
  const zipped = gzipSync(bytes, { level: 9 })
  zipped[GZIP_SYSTEM] = 255
  return zipped
}
