/**
 * Why a recorded file could not be read: what is in it, or the operating system.
 */
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

/** The refusal of the operating system as a fault; anything else that was thrown is our defect and goes on. */
export function ioFault(path: string, thrown: unknown, expected = 'a readable file'): Result<never, FeedFault> {
  if (!isSystemError(thrown)) throw thrown
  return err({
    kind: 'io',
    error: { code: 'FILE', file: path, expected, found: systemWords(thrown) },
  })
}

/** Somebody ended the run while a file was read. */
export function interruption(path: string): Result<never, FeedFault> {
  const error = {
    code: 'FILE' as const,
    file: path,
    expected: 'a file that can be read to its end',
    found: 'an interruption',
  }
  return err({ kind: 'io', error })
}
