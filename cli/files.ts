/**
 * Finds the files that arguments name. An argument is a file, a folder (all its files of one kind), or a pattern (all
 * matching files).
 *
 * Shells expand patterns, but not those in quotes and not on Windows. `*` matches any letters of a name, `?` one,
 * `[ab]` one of a set, `{a,b}` either text and `**` any folders; hidden files are left out. A folder means all files of
 * the kind in it and below. If runs are expected, a run folder means its journal.
 */
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { globSync } from 'tinyglobby'
import type { InputError } from '../src/node.ts'
import { debugFile } from './debug.ts'

/** The files of some arguments in their order, or the mistakes: a line and an error for each. */
export type NamedFiles =
  | { readonly ok: true; readonly files: readonly string[] }
  | {
      readonly ok: false
      readonly lines: readonly string[]
      readonly errors: readonly InputError[]
    }

/** The kind of files that an argument may name. */
interface FileSort {
  readonly name: RegExp
  readonly words: string
  /** True if a run folder means its journal. */
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

/** Maximum depth of searched folders, because links may form a circle. */
const DEPTH_MAX = 30
/**
 * Maximum number of wildcards in one name. A pattern becomes a regular expression, whose time grows exponentially with
 * their number.
 */
const WILDCARDS_MAX = 4

/** Finds the files that arguments name. The reader of a file reports that it does not exist. */
export function namedFiles(names: readonly string[], sort: FileSort): NamedFiles {
  const files: string[] = []
  const lines: string[] = []
  const errors: InputError[] = []
  for (const name of names) {
    if (!existsSync(name) && name.split(/[\\/]/).some(isTooWild)) {
      const expected = `at most ${WILDCARDS_MAX} wildcards in a name`
      const found = 'more wildcards'
      lines.push(`${name}: expected ${expected}, found ${found}`)
      errors.push({ code: 'FILE', file: name, expected, found })
      continue
    }
    const found = filesOf(name, sort)
    files.push(...found)
    for (const file of found) debugFile(name, file)
    if (found.length > 0) continue
    const isSearched = isFolder(name)
    const expected = isSearched ? `${sort.words} in the folder` : 'a file that matches the pattern'
    lines.push(isSearched ? `${name}: expected ${expected}, found none` : `${name}: no file matches the pattern`)
    errors.push({ code: 'FILE', file: name, expected, found: 'none' })
  }
  return lines.length > 0 ? { ok: false, lines, errors } : { ok: true, files: [...new Set(files)] }
}

function filesOf(name: string, sort: FileSort): readonly string[] {
  if (isFolder(name)) {
    const journal = join(name, 'journal.jsonl')
    const isRun = existsSync(journal) && existsSync(join(name, 'manifest.json'))
    if (sort.hasJournals && isRun) return [journal]
    const all = matching(name, '**')
    return all.filter((file) => sort.name.test(file) && !isTableOfRun(file))
  }
  if (name === '-' || existsSync(name) || !wildcard.test(name)) return [name]
  const segments = name.replaceAll('\\', '/').split('/')
  const first = segments.findIndex((segment) => wildcard.test(segment))
  const folder = segments.slice(0, first).join('/')
  return matching(folder === '' && first > 0 ? '/' : folder, segments.slice(first).join('/'))
}

const wildcard = /[*?{[]/

function isTooWild(name: string): boolean {
  return name !== '**' && (name.match(/[*{]/g)?.length ?? 0) > WILDCARDS_MAX
}

/** True for an Arrow file next to a manifest: a table of a run, not a tape. */
function isTableOfRun(file: string): boolean {
  return file.endsWith('.arrow') && existsSync(join(dirname(file), 'manifest.json'))
}

/** Files below a folder that match a pattern, folder by folder in the order of their names. */
function matching(folder: string, pattern: string): readonly string[] {
  const found = globSync(pattern, {
    cwd: folder === '' ? '.' : folder,
    deep: DEPTH_MAX,
    extglob: false,
    expandDirectories: false,
  })
  const key = (path: string): string => path.replaceAll('/', '\0')
  const sorted = found.toSorted((left, right) => (key(left) < key(right) ? -1 : 1))
  return sorted.map((path) => (folder === '' ? path : join(folder, path)))
}

/** Returns false also for a path that the system refuses; the reader of the path reports the reason. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
