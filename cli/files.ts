/**
 * The files that arguments name: a file as it is, a folder with its files of a sort, a pattern with the files that
 * match it.
 *
 * Shells expand patterns, but not those in quotes and not on Windows. `*` matches any letters of a name, `?` one,
 * `[ab]` one of a set, `{a,b}` either text and `**` any folders; hidden files are left out. A folder stands for the
 * files of the sort in it and below; where runs are expected, the folder of a run stands for its journal.
 */
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { globSync } from 'tinyglobby'
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

/** Folders below the first that are searched; links may lead in a circle. */
const DEPTH_MAX = 30
/** Wildcards of one name. A pattern becomes a regular expression, whose time grows with their power. */
const WILDCARDS_MAX = 4

/** Finds the files that arguments name; a file that does not exist is left to its reader. */
export function namedFiles(names: readonly string[], sort: FileSort): NamedFiles {
  const files: string[] = []
  const lines: string[] = []
  const errors: InputError[] = []
  for (const name of names) {
    if (!existsSync(name) && name.split(/[\\/]/).some(isTooWild)) {
      const expected = `at most ${WILDCARDS_MAX} wildcards in a name`
      lines.push(`${name}: expected ${expected}, found more`)
      errors.push({ code: 'FILE', file: name, expected, found: 'more' })
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

/** True for an Arrow file beside a manifest: a table of a run, which is no tape. */
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

/** False also for a path that the system refuses; whoever reads it tells why. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
