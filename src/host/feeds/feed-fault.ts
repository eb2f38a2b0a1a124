/** Why a recorded file could not be read: a mistake in its content, or an error of the operating system. */
import { err, type InputError, type Result } from '../../core/index.ts'
import { isSystemError, systemWords } from '../system-words.ts'

/** A fault of a file: `input` is bad data, and `io` is an error of the operating system. */
export interface FeedFault {
  readonly kind: 'input' | 'io'
  readonly error: InputError
}

/** Bad data. */
export function badInput(error: InputError): Result<never, FeedFault> {
  return err({ kind: 'input', error })
}

/** Returns an error of the operating system as a fault. Any other exception is our defect and is thrown again. */
export function ioFault(path: string, thrown: unknown, expected = 'a readable file'): Result<never, FeedFault> {
  if (!isSystemError(thrown)) throw thrown
  return err({
    kind: 'io',
    error: { code: 'FILE', file: path, expected, found: systemWords(thrown) },
  })
}

/** The fault for a run that was interrupted while it read a file. */
export function interruption(path: string): Result<never, FeedFault> {
  const error = {
    code: 'FILE' as const,
    file: path,
    expected: 'a file that can be read to its end',
    found: 'an interruption',
  }
  return err({ kind: 'io', error })
}
