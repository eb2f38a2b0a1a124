/**
 * Places where folders are written: what may be replaced there, and files that are whole or absent.
 *
 * A folder is only ever replaced when `force` asks for it and it holds nothing but files of its kind.
 * Errors of the operating system are thrown.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs'
import { assert, type InputError } from '../core/index.ts'

/** What is to be written, and what it may replace. */
export interface Replacement {
  readonly force: boolean
  /** What such a folder holds, in words: `a run`. */
  readonly content: string
  /** Whether a file of that name belongs to such a folder. */
  readonly isOwn: (name: string) => boolean
}

/** Why nothing must be written there, or null. */
export function placeFault(path: string, replacement: Replacement): InputError | null {
  if (!existsSync(path)) return null
  const { force, content, isOwn } = replacement
  const isKnown = statSync(path).isDirectory() && readdirSync(path).every(isOwn)
  if (force && isKnown) return null
  const found = isKnown
    ? `the folder of ${content.replace(/^an? /, 'another ')}`
    : `something other than the folder of ${content}`
  const hint = isKnown ? { hint: 'force replaces it' } : {}
  return { file: path, found, expected: 'a place for a new folder', ...hint }
}

/** Writes JSON aside, syncs and renames it: the file is there whole or not at all. */
export function writeJsonFile(path: string, value: object): void {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  const descriptor = openSync(`${path}.tmp`, 'w')
  const written = writeSync(descriptor, bytes)
  assert(written === bytes.length, 'a manifest is written in one piece')
  fsyncSync(descriptor)
  closeSync(descriptor)
  renameSync(`${path}.tmp`, path)
}
