/**
 * Places where folders and files are written: what may be replaced there, and files that are whole or absent.
 *
 * A folder is written in a partial folder beside its place, which this run alone has made
 * (`DIR.partial`, or `DIR.2.partial` and so on where another run has that one), and takes its name at
 * the end. Of two runs to one place the first to end gets it, and the other is told so: a folder is
 * never a mixture. A folder is only ever replaced when `force` asks for it, it holds nothing but files of
 * its kind, and it is the one that stood there when the run began. A single file has a partial file in
 * the same way; with `force` the last to end takes the place.
 *
 * A link is followed; one that leads nowhere is refused. Known limit: a folder is replaced in two
 * steps, so that a crash of the machine between them leaves the old one in `DIR.replaced`.
 * Errors of the operating system are thrown.
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

/** Something to be written, and what it may replace. */
export interface Replacement {
  readonly force: boolean
  /** Contents of such a folder, in words: `a run`. */
  readonly content: string
  /** True if a file of that name belongs to such a folder. */
  readonly isOwn: (name: string) => boolean
}

/** A place that is being written to. */
export interface OutputPlace {
  /** The private folder where files are until the place is taken. */
  readonly partialPath: string
  /** Gives the partial folder its name; the fault says that another folder has taken it meanwhile. */
  take(): InputError | null
  /** Removes the partial folder. */
  discard(): void
}

/**
 * Removes a file or a folder when the process exits before its work is done, such as at a signal that the command line
 * hears. The function that it returns takes that back.
 */
export function removeAtExit(path: string): () => void {
  const remove = (): void => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  return () => {
    process.off('exit', remove)
  }
}

/** The place, with a partial file or folder that the exit of the process removes: no command could continue it. */
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

/** More partial folders of one place than anybody keeps. */
const PARTIALS_MAX = 10_000

/** Makes a private partial folder for a place, or says why nothing must be written there. */
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

/** Goes on in a partial folder that a run has left for a place, or says why nothing must be written there. */
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
  const { partialPath } = taking
  return {
    partialPath,
    take: () => {
      if (takePlace(taking, replacement)) return null
      return {
        code: 'FILE',
        file: path,
        expected: 'an output path that no other process has changed',
        found: 'a folder that another process created meanwhile',
        hint: `the complete output is in ${partialPath}`,
      }
    },
    discard: () => rmSync(partialPath, { recursive: true, force: true }),
  }
}

/** Makes a private partial file for a new file, or says why nothing must be written there. */
export function openFilePlace(
  path: string,
  { force, content }: { readonly force: boolean; readonly content: string },
): Result<OutputPlace, InputError> {
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

/** Where there is a link, the place that it leads to is written; else words keep the name as given. */
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

/** Why nothing must be written there, or null. */
function placeFault(path: string, replacement: Replacement): InputError | null {
  const expected = 'a path for a new folder'
  if (!existsSync(path)) {
    if (!isLinkAt(path)) return null
    return { code: 'FILE', file: path, found: 'a broken link', expected }
  }
  const { force, content } = replacement
  const isKnown = isFolderOf(path, replacement)
  if (force && isKnown) return null
  const found = foundAt(path, isKnown, content)
  const hint = isKnown ? { hint: '--force replaces it' } : {}
  return { code: 'FILE', file: path, found, expected, ...hint }
}

function foundAt(path: string, isKnown: boolean, content: string): string {
  if (!isKnown) return `something other than the folder of ${content}`
  return readdirSync(path).length === 0 ? 'an empty folder' : `the folder of ${content.replace(/^an? /, 'another ')}`
}

/** Writes JSON aside, syncs and renames it: the file is there whole or not at all. */
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

/** A folder that a run has written and the place that it is to take. */
interface Taking {
  readonly target: string
  readonly partialPath: string
  /** The folder that stood there when the run began, or null. */
  readonly replaced: string | null
}

/** True if the place could be taken; a folder is renamed to a name that is free or not at all. */
function takePlace({ target, partialPath, replaced }: Taking, replacement: Replacement): boolean {
  if (replaced === null || identityOf(target) === null) return renameToFree(partialPath, target)
  if (identityOf(target) !== replaced || !isFolderOf(target, replacement)) return false
  const room = makePrivate(target, 'replaced', mkdirSync)
  if (room === null) return false
  const aside = join(room, basename(target))
  const isAside = renameToFree(target, aside)
  // Another run may have put its folder there just before it was moved: then it is put back.
  const isOurs = isAside && identityOf(aside) === replaced
  const isTaken = isOurs && renameToFree(partialPath, target)
  if (!isAside || isOurs || renameToFree(aside, target)) rmSync(room, { recursive: true })
  return isTaken
}

/** Renames a folder; false where something has the new name, or somebody else has moved the folder. */
function renameToFree(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    if (['ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(code)) return false
    if (code === 'ENOENT' && !existsSync(from)) return false
    // Windows refuses to rename to any folder that exists.
    if (code === 'EPERM' && existsSync(to)) return false
    throw error
  }
}

/** Makes something beside `target` that nobody else has and returns its path; null where all names are taken. */
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

function isFolderOf(path: string, { isOwn }: Replacement): boolean {
  return statSync(path).isDirectory() && readdirSync(path).every(isOwn)
}

/** The identity of a folder, which differs from another that takes its name later; null where there is nothing. */
function identityOf(path: string): string | null {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? null : `${found.dev}:${found.ino}:${found.mtimeNs}`
}
