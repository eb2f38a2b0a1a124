/**
 * Errors as text: those of the operating system, and wrong arguments of functions that `import 'pitclock/node'` loads at
 * once. These cannot use `checkArgument`, because `core` would load with it.
 */
import type { ErrorCode } from '../core/index.ts'

const words: ReadonlyMap<string, string> = new Map([
  ['EACCES', 'a path without permission'],
  ['EBUSY', 'a file in use by another program'],
  ['EDQUOT', 'no space left in the disk quota'],
  ['EEXIST', 'something that already exists'],
  ['EFBIG', 'a file at its maximum size'],
  ['EIO', 'a device error'],
  ['EISDIR', 'a folder'],
  ['ELOOP', 'a loop of links'],
  ['EMFILE', 'too many open files'],
  ['ENAMETOOLONG', 'a name that is too long'],
  ['ENFILE', 'too many open files'],
  ['ENOENT', 'no such file'],
  ['ENOSPC', 'no space left on the disk'],
  ['ENOTDIR', 'a path through something that is not a folder'],
  ['EPERM', 'a path without permission'],
  ['EPIPE', 'a closed pipe'],
  ['EROFS', 'a read-only disk'],
])

/**
 * Describes an error of the operating system as text, without the path.
 *
 * @example
 * const full = Object.assign(new Error('write'), { code: 'ENOSPC' })
 * console.log(systemWords(full)) // no space left on the disk
 */
export function systemWords(error: NodeJS.ErrnoException): string {
  // A program without types may pass anything.
  const { code, message = String(error) } = Object(error) as Partial<NodeJS.ErrnoException>
  return words.get(code ?? '') ?? message
}

/**
 * True for an error of the operating system. Any other exception is a defect of Pitclock.
 *
 * @example
 * console.log(isSystemError(new Error('ours'))) // false
 */
export function isSystemError(thrown: unknown): thrown is NodeJS.ErrnoException {
  return thrown instanceof Error && 'syscall' in thrown && 'code' in thrown
}

/** Runs `work` on a file and adds the path to an error of the operating system, because Node omits it for writes. */
export function namingFile<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw isSystemError(error) ? Object.assign(error, { path: error.path ?? path }) : error
  }
}

/**
 * Refuses an argument of another kind; `what` names the function and the argument.
 *
 * @throws RangeError with the code `OPTION` if it has another kind.
 */
export function refuseKind(what: string, value: unknown, kind: 'string' | 'list' | 'object'): void {
  const found = Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value
  if (found === kind) return
  const phrases = { string: 'a string', list: 'a list', object: 'an object', undefined: 'nothing', null: 'null' }
  const phraseOf = (word: string): string => (phrases as Readonly<Record<string, string>>)[word] ?? `a ${word}`
  const code: ErrorCode = 'OPTION'
  throw Object.assign(new RangeError(`${what}: expected ${phraseOf(kind)}, found ${phraseOf(found)}`), { code })
}
