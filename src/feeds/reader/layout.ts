/** The layout of a file: the role of each column, found by comparing its header with its format. */
import { err, type InputError, nearest, ok, type Result } from '../../core/index.ts'
import { type FeedText, headerOf, type Mapping, mappingOf, type RoleName, roleNames } from '../format.ts'

/** Roles of the columns of a file, and the words in them. */
export interface FeedLayout extends Omit<Mapping, 'columns' | 'leaveOut'> {
  /** Indices of columns that mark trades to skip. */
  readonly leaveOut: readonly { readonly at: number; readonly word: string | null }[]
  /** Names of the columns, as in the header. */
  readonly names: readonly string[]
  /** Columns without a role. */
  readonly unused: readonly string[]
  /** The index of the column with a role, from 0; -1 without such a column. */
  readonly at: Readonly<Record<RoleName, number>>
}

/** The layout of a file with this header, or the mistake in the header. */
export function layoutOf(text: FeedText, header: readonly string[], file: string): Result<FeedLayout, InputError> {
  const mapping = mappingOf(text)
  const expected = headerOf(text.format)?.join(',')
  const found = header.join(',')
  if (expected !== undefined && found !== expected) {
    return err({
      code: 'SHAPE',
      file,
      line: 1,
      expected: `the header ${expected}`,
      found: shortened(found),
    })
  }
  const at = Object.fromEntries(roleNames.map((role) => [role, -1]))
  const taken = new Map<string, RoleName>()
  for (const [role, name] of mapping.columns) {
    const column = header.indexOf(name)
    if (column < 0) return err(missingColumn(name, header, file))
    const found = header.lastIndexOf(name) !== column ? 'two columns with this name' : taken.get(name)
    if (found !== undefined) {
      const expected = 'a separate column for each use'
      return err({ code: 'SHAPE', file, line: 1, path: name, expected, found: `${found}` })
    }
    taken.set(name, role)
    at[role] = column
  }
  for (const { column } of mapping.leaveOut) {
    if (!header.includes(column)) return err(missingColumn(column, header, file))
  }
  const leaveOut = mapping.leaveOut.map(({ column, word }) => ({
    at: header.indexOf(column),
    word,
  }))
  const leftOut = new Set(mapping.leaveOut.map(({ column }) => column))
  const unused = header.filter((name) => !taken.has(name) && !leftOut.has(name))
  const { columns: _, ...rest } = mapping
  // Every role now has an index or -1.
  return ok({ ...rest, leaveOut, names: header, unused, at: at as Record<RoleName, number> })
}

function missingColumn(name: string, header: readonly string[], file: string): InputError {
  const meant = nearest(name, header)
  return {
    code: 'SHAPE',
    file,
    line: 1,
    expected: `a column ${name}`,
    found: shortened(header.join(',')),
    ...(meant === undefined ? {} : { hint: `did you mean ${meant}?` }),
  }
}

const FOUND_LENGTH_MAX = 200

/** A text for a message, shortened if it is too long to read. */
export function shortened(text: string): string {
  return text.length <= FOUND_LENGTH_MAX ? text : `${text.slice(0, FOUND_LENGTH_MAX)}…`
}
