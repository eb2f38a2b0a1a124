/**
 * Saved values: `$name` in a text represents a value of an earlier reply, `$$` a dollar sign. A text that consists of
 * one name becomes the value itself, of any type. Within a longer text the name is replaced by the text of the value.
 */
import { decimalTextOf, err, ok, type Result } from '../../core/index.ts'
import type { ParamValue } from '../../rpc/index.ts'

/** Values by name. */
export type SavedValues = ReadonlyMap<string, ParamValue>

/** A piece of text, or the name of a saved value. */
type Piece = { readonly letters: string } | { readonly name: string }

const PIECE = /\$([A-Za-z_][A-Za-z0-9_]*)|\$(\$)|([^$]+)|(\$)/gy

/** The names that a text inserts, or an error for a single dollar sign without a name. */
export function namesIn(text: string): Result<readonly string[], 'lone_dollar'> {
  const pieces = piecesOf(text)
  if (pieces === undefined) return err('lone_dollar')
  return ok(pieces.flatMap((piece) => ('name' in piece ? [piece.name] : [])))
}

/** True if a value contains a dollar sign anywhere. */
export function hasDollar(value: ParamValue | undefined): boolean {
  if (typeof value === 'string') return value.includes('$')
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((part: ParamValue) => hasDollar(part))
}

/** The value with all saved values inserted. The error is the name of a value that was not saved. */
export function insertSaved(value: ParamValue, saved: SavedValues): Result<ParamValue, string> {
  if (typeof value === 'string') return insertInText(value, saved)
  if (typeof value !== 'object' || value === null) return ok(value)
  if (Array.isArray(value)) {
    const items: ParamValue[] = []
    for (const item of value as readonly ParamValue[]) {
      const inserted = insertSaved(item, saved)
      if (!inserted.ok) return inserted
      items.push(inserted.value)
    }
    return ok(items)
  }
  const entries: { [name: string]: ParamValue } = {}
  for (const [name, part] of Object.entries(value) as [string, ParamValue][]) {
    const inserted = insertSaved(part, saved)
    if (!inserted.ok) return inserted
    entries[name] = inserted.value
  }
  return ok(entries)
}

function insertInText(text: string, saved: SavedValues): Result<ParamValue, string> {
  if (!text.includes('$')) return ok(text)
  const pieces = piecesOf(text) ?? [{ letters: text }]
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined && 'name' in first) {
    const value = saved.get(first.name)
    return value === undefined ? err(first.name) : ok(value)
  }
  let letters = ''
  for (const piece of pieces) {
    if ('letters' in piece) {
      letters += piece.letters
      continue
    }
    const value = saved.get(piece.name)
    if (value === undefined) return err(piece.name)
    letters += lettersOf(value)
  }
  return ok(letters)
}

function piecesOf(text: string): readonly Piece[] | undefined {
  const pieces: Piece[] = []
  for (const [, name, dollar, letters, lone] of text.matchAll(PIECE)) {
    if (lone !== undefined) return undefined
    pieces.push(name === undefined ? { letters: dollar ?? letters ?? '' } : { name })
  }
  return pieces
}

function lettersOf(value: ParamValue): string {
  if (typeof value === 'string') return value
  if (typeof value === 'number') return decimalTextOf(value)
  return JSON.stringify(value)
}
