/**
 * Output paths: which folders and files may be replaced, and how a file appears there complete or not at all.
 *
 * A run writes a folder as a private partial folder next to its final path (`DIR.partial`, or `DIR.2.partial` and so on
 * if another run has that one), and renames it at the end. If two runs write to one path, the first one to end gets it
 * and the other one gets a fault, so a folder never mixes two runs. A folder is replaced only if `force` is set, it
 * contains only files of its kind, and it is the one that was there when the run began. A single file has a partial
 * file in the same way; with `force` the last run to end gets the path.
 *
 * Links are followed; a link without a target is refused. Known limit: a folder is replaced in two steps, so a crash of
 * the machine between them leaves the old folder in `DIR.replaced`. Errors of the operating system are thrown.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { assert, err, type InputError, ok, type Result } from '../core/index.ts'
import { namingFile } from './system-words.ts'

/** Terms for replacing an existing folder or file. */
export interface Replacement {
  readonly force: boolean
  /** Description of the content for messages: `a run`. */
  readonly content: string
  /** True if a file with this name belongs to such a folder. */
  readonly isOwn: (name: string) => boolean
}

/** An output path in use. */
export interface OutputPlace {
  /** The private folder that holds the files until they get their final path. */
  readonly partialPath: string
  /** Renames the partial folder to its final path. Returns a fault if another folder has taken the path meanwhile. */
  take(): InputError | null
  /** Removes the partial folder. */
  discard(): void
}

/**
 * Removes a file or folder if the process exits before its work is done, for example at a signal that the command line
 * handles. The returned function cancels the removal.
 */
export function removeAtExit(path: string): () => void {
  const remove = (): void => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  return () => {
    process.off('exit', remove)
  }
}

/**
 * The same output path, but the exit of the process removes the partial file or folder, because no command could
 * continue it.
 */
export function untilExit(place: OutputPlace): OutputPlace {
  const { partialPath, take, discard } = place
  const forget = removeAtExit(partialPath)
  return {
    partialPath,
    take: () => {
      forget()
      return take()
    },
    discard: () => {
      forget()
      discard()
    },
  }
}

/** More partial folders for one path than any user keeps. */
const PARTIALS_MAX = 10_000

/** Makes a private partial folder for a path, or returns the reason why the path must not be written. */
export function openPlace(path: string, replacement: Replacement): Result<OutputPlace, InputError> {
  const fault = placeFault(path, replacement)
  if (fault !== null) return err(fault)
  const target = targetOf(path)
  const replaced = identityOf(target)
  mkdirSync(dirname(target), { recursive: true })
  const partialPath = makePrivate(target, 'partial', mkdirSync)
  if (partialPath === null) return err(crowded(path))
  return ok(placeOf(path, { target, partialPath, replaced }, replacement))
}

/**
 * Continues in the partial folder that an earlier run left for a path, or returns the reason why the path must not be
 * written.
 */
export function reopenPlace(
  path: string,
  partialPath: string,
  replacement: Replacement,
): Result<OutputPlace, InputError> {
  const fault = placeFault(path, replacement)
  if (fault !== null) return err(fault)
  const target = targetOf(path)
  const replaced = identityOf(target)
  return ok(placeOf(path, { target, partialPath, replaced }, replacement))
}

function placeOf(path: string, taking: Taking, replacement: Replacement): OutputPlace {
  return {
    partialPath: taking.partialPath,
    take: () => {
      if (takePlace(taking, replacement)) return null
      return {
        code: 'FILE',
        file: path,
        expected: 'an output path that no other process has changed',
        found: 'a folder that another process created meanwhile',
        hint: `the complete output is in ${taking.partialPath}`,
      }
    },
    discard: () => rmSync(taking.partialPath, { recursive: true, force: true }),
  }
}

/** Makes a private partial file for a new file, or returns the reason why its path must not be written. */
export function openFilePlace(path: string, force: boolean, content: string): Result<OutputPlace, InputError> {
  const expected = `a path for ${content}`
  const isThere = existsSync(path)
  if (!isThere && isLinkAt(path)) {
    return err({ code: 'FILE', file: path, found: 'a broken link', expected })
  }
  if (isThere && !statSync(path).isFile()) {
    const found = statSync(path).isDirectory() ? 'a folder' : 'a device or a pipe'
    return err({ code: 'FILE', file: path, found, expected })
  }
  if (isThere && !force) {
    return err({ code: 'FILE', file: path, found: 'a file', expected, hint: '--force replaces it' })
  }
  const target = targetOf(path)
  const partialPath = makePrivate(target, 'partial', (name) => {
    closeSync(openSync(name, 'wx'))
  })
  if (partialPath === null) return err(crowded(path))
  return ok({
    partialPath,
    take: () => {
      if (force || !existsSync(target)) {
        renameSync(partialPath, target)
        return null
      }
      return {
        code: 'FILE',
        file: path,
        expected: 'an output path that no other process has changed',
        found: 'a file that another process created meanwhile',
        hint: `the complete output is in ${partialPath}`,
      }
    },
    discard: () => rmSync(partialPath, { force: true }),
  })
}

function isLinkAt(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

/** The target of a link; any other path keeps its last name, so that messages show it as given. */
function targetOf(path: string): string {
  return isLinkAt(path) ? realpathSync(path) : join(dirname(path), basename(path))
}

function crowded(path: string): InputError {
  return {
    code: 'FILE',
    file: path,
    expected: 'fewer partial outputs next to it',
    found: `${PARTIALS_MAX} partial outputs`,
  }
}

/** The reason why the path must not be written, or null. */
export function placeFault(path: string, replacement: Replacement): InputError | null {
  const expected = 'a path for a new folder'
  if (!existsSync(path)) {
    if (!isLinkAt(path)) return null
    return { code: 'FILE', file: path, found: 'a broken link', expected }
  }
  const isKnown = isFolderOf(path, replacement)
  if (replacement.force && isKnown) return null
  const found = foundAt(path, isKnown, replacement.content)
  const hint = isKnown ? { hint: '--force replaces it' } : {}
  return { code: 'FILE', file: path, found, expected, ...hint }
}

function foundAt(path: string, isKnown: boolean, content: string): string {
  if (!isKnown) return `something other than the folder of ${content}`
  return readdirSync(path).length === 0 ? 'an empty folder' : `the folder of ${content.replace(/^an? /, 'another ')}`
}

/** Writes JSON to a temporary file, syncs it and renames it, so that the file appears complete or not at all. */
export function writeJsonFile(path: string, value: object): void {
  const bytes = Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
  namingFile(path, () => {
    const descriptor = openSync(`${path}.tmp`, 'w')
    try {
      const written = writeSync(descriptor, bytes)
      assert(written === bytes.length, 'a manifest is written in one piece')
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(`${path}.tmp`, path)
  })
}

/** A complete folder and its final path. */
interface Taking {
  readonly target: string
  readonly partialPath: string
  /** Identity of the folder that was at the final path when the run began, or null. */
  readonly replaced: string | null
}

/** Returns true if the folder got its final path. The rename never overwrites a folder. */
function takePlace({ target, partialPath, replaced }: Taking, replacement: Replacement): boolean {
  if (replaced === null || identityOf(target) === null) return renameToFree(partialPath, target)
  if (identityOf(target) !== replaced || !isFolderOf(target, replacement)) return false
  const room = makePrivate(target, 'replaced', mkdirSync)
  if (room === null) return false
  const aside = join(room, basename(target))
  const isAside = renameToFree(target, aside)
  // Another run may have put its folder there just before this move; then the move is undone.
  const isOurs = isAside && identityOf(aside) === replaced
  const isTaken = isOurs && renameToFree(partialPath, target)
  if (!isAside || isOurs || renameToFree(aside, target)) rmSync(room, { recursive: true })
  return isTaken
}

/** Renames a folder. Returns false if the new name is taken, or if another process has moved the folder. */
function renameToFree(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(code)) return false
    if (code === 'ENOENT' && !existsSync(from)) return false
    // Windows refuses to rename to the path of any existing folder.
    if (code === 'EPERM' && existsSync(to)) return false
    throw error
  }
}

/** Makes a file or folder with an unused name next to `target` and returns its path; null if all names are taken. */
function makePrivate(target: string, word: string, make: (path: string) => void): string | null {
  for (let number = 1; number <= PARTIALS_MAX; number += 1) {
    const path = number === 1 ? `${target}.${word}` : `${target}.${number}.${word}`
    try {
      make(path)
      return path
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  return null
}

function isFolderOf(path: string, replacement: Replacement): boolean {
  return statSync(path).isDirectory() && readdirSync(path).every(replacement.isOwn)
}

/**
 * The identity of a folder, which another folder with the same name later does not have; null if there is no folder.
 */
function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}:${found.mtimeNs}`
}
