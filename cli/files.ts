/**
 * The files that arguments name: a file as it is, a folder with its files of a sort, a pattern with what it fits.
 *
 * Shells expand patterns, but not those in quotes and not on Windows. `*` stands for any letters of a name,
 * `?` for one, `**` for any folders; names with a leading dot are left out. A folder stands for the files of the sort
 * in it and below; where runs are asked for, the folder of a run for its journal.
 */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { InputError } from '../src/node.ts'
import { debugFile } from './debug.ts'

/** The files of some arguments in their order, or what is wrong: a line and an error each. */
export type NamedFiles =
  | { readonly ok: true; readonly files: readonly string[] }
  | {
      readonly ok: false
      readonly lines: readonly string[]
      readonly errors: readonly InputError[]
    }

/** The kind of a folder. */
interface FileSort {
  readonly name: RegExp
  readonly words: string
  /** True if the folder of a run stands for its journal. */
  readonly hasJournals: boolean
}

/** Scenarios, and journals of runs. */
export const runnable: FileSort = {
  name: /\.ya?ml$/,
  words: 'scenarios (.yaml, .yml)',
  hasJournals: true,
}

/** Recorded files in text. */
export const recorded: FileSort = {
  name: /\.csv(?:\.gz|\.zst)?$/,
  words: 'recorded files (.csv, .csv.gz, .csv.zst)',
  hasJournals: false,
}

/** Recorded files in text, and tapes of them. */
export const recordedOrTapes: FileSort = {
  name: /\.(?:csv(?:\.gz|\.zst)?|arrow)$/,
  words: 'recorded files or tapes (.csv, .csv.gz, .csv.zst, .arrow)',
  hasJournals: false,
}

/** Folders below the first that are looked into; links may lead in a circle. */
const DEPTH_MAX = 30

/** Finds the files that arguments name; a file that does not exist is left to its reader. */
export function namedFiles(names: readonly string[], sort: FileSort): NamedFiles {
  const files: string[] = []
  const lines: string[] = []
  const errors: InputError[] = []
  for (const name of names) {
    const found = filesOf(name, sort)
    files.push(...found)
    for (const file of found) debugFile(name, file)
    if (found.length > 0) continue
    const expected = isFolder(name) ? `${sort.words} in the folder` : 'a file that fits'
    lines.push(`${name}: expected ${expected}, found none`)
    errors.push({ code: 'FILE', file: name, expected, found: 'none' })
  }
  return lines.length > 0 ? { ok: false, lines, errors } : { ok: true, files: [...new Set(files)] }
}

function filesOf(name: string, sort: FileSort): readonly string[] {
  if (isFolder(name)) {
    const journal = join(name, 'journal.jsonl')
    const isRun = existsSync(journal) && existsSync(join(name, 'manifest.json'))
    if (sort.hasJournals && isRun) return [journal]
    return below(name, 0).filter((file) => sort.name.test(file) && !isTableOfRun(file))
  }
  if (name === '-' || existsSync(name) || !/[*?]/.test(name)) return [name]
  const segments = name.replaceAll('\\', '/').split('/')
  const root = segments[0] === '' ? '/' : ''
  return [...new Set(fitting(root, root === '' ? segments : segments.slice(1)))]
}

/** True for an Arrow file beside a manifest: a table of a run, which is no tape. */
function isTableOfRun(file: string): boolean {
  return file.endsWith('.arrow') && existsSync(join(dirname(file), 'manifest.json'))
}

/** Files below a folder that fit the segments of a pattern, in the order of their names. */
function fitting(folder: string, segments: readonly string[]): readonly string[] {
  const [segment = '', ...rest] = segments
  const at = (name: string): string => (folder === '' ? name : join(folder, name))
  if (segment === '**') {
    if (rest.length === 0) return below(folder, 0)
    return foldersBelow(folder, 0).flatMap((each) => fitting(each, rest))
  }
  const isPattern = /[*?]/.test(segment)
  const names = isPattern ? entriesOf(folder).filter((name) => fits(segment, name)) : [segment]
  if (rest.length > 0)
    return names
      .map(at)
      .filter(isFolder)
      .flatMap((each) => fitting(each, rest))
  return names.map(at).filter((path) => existsSync(path) && !isFolder(path))
}

function fits(pattern: string, name: string): boolean {
  const letters = [...pattern].map((letter) => {
    if (letter === '*') return '.*'
    return letter === '?' ? '.' : letter.replace(/[\\^$.+()[\]{}|]/, '\\$&')
  })
  return new RegExp(`^${letters.join('')}$`, 'u').test(name)
}

function below(folder: string, depth: number): readonly string[] {
  return entriesOf(folder).flatMap((name) => {
    const path = folder === '' ? name : join(folder, name)
    if (!isFolder(path)) return [path]
    return depth < DEPTH_MAX ? below(path, depth + 1) : []
  })
}

/** The folder itself and all below it. */
function foldersBelow(folder: string, depth: number): readonly string[] {
  const own = entriesOf(folder)
    .map((name) => (folder === '' ? name : join(folder, name)))
    .filter(isFolder)
  const deeper = depth < DEPTH_MAX ? own.flatMap((each) => foldersBelow(each, depth + 1)) : []
  return [folder, ...deeper]
}

function entriesOf(folder: string): readonly string[] {
  const names = readdirSync(folder === '' ? '.' : folder)
  return names.filter((name) => !name.startsWith('.')).toSorted()
}

/** False also for a path that the system refuses; whoever reads it tells why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
