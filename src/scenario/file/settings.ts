/**
 * Values set from outside the file: `accounts.maker.deposit.BTC=5`, `steps.0.params.price=99`.
 *
 * A setting names a value by its path (keys and positions joined by dots) and gives it as YAML. It replaces the value
 * in the file or adds it before all checks, so that mistakes in a setting and in the file have the same messages. At
 * the end of a list it adds an item.
 */
import { err, type InputError, ok, type Result } from '../../core/index.ts'
import type { ParamValue } from '../../rpc/index.ts'
import { readDocument } from './document.ts'
import { describe, type Entry, entriesOf, type Located, nodeAt, type Path, type Place } from './located.ts'

/** A setting: its path and its value. */
interface Setting {
  /** The text as given by the user. */
  readonly text: string
  readonly path: Path
  readonly node: Located
}

/** A document with settings applied, and the paths of the settings. */
interface SetDocument {
  readonly root: Located
  /** The document before the settings. */
  readonly before: Located
  readonly settings: readonly Pick<Setting, 'text' | 'path'>[]
}

/** Sets values in a document, one after the other. */
export function withSettings(root: Located, texts: readonly string[]): Result<SetDocument, readonly InputError[]> {
  let changed = root
  const settings: Setting[] = []
  const errors: InputError[] = []
  for (const text of texts) {
    const read = readSetting(text)
    if (!read.ok) {
      errors.push(...read.error)
      continue
    }
    const done = setAt(changed, read.value.path, read.value.node)
    if (!done.ok) {
      errors.push({ code: 'VALUE', file: labelOf(text), ...done.error })
      continue
    }
    changed = done.value
    settings.push(read.value)
  }
  return errors.length > 0 ? err(errors) : ok({ root: changed, before: root, settings })
}

/**
 * A mistake in a value that a setting gave or made possible. Its place is the setting, because the file does not
 * contain the value.
 */
export function placedMistake(error: InputError, { settings, before }: SetDocument): InputError {
  const steps = (error.path ?? '').split('.')
  const isNew = nodeAt(before, steps) === undefined
  const by = settings.findLast(({ path }) => startsWith(steps, path) || (isNew && startsWith(path, steps)))
  if (by === undefined) return error
  const { line: _line, column: _column, ...mistake } = error
  return { ...mistake, file: labelOf(by.text) }
}

function startsWith(path: Path, beginning: Path): boolean {
  return beginning.every((step, at) => String(step) === String(path[at]))
}

function labelOf(text: string): string {
  return `--set ${text}`
}

function readSetting(text: string): Result<Setting, readonly InputError[]> {
  const at = text.indexOf('=')
  const keys = text.slice(0, Math.max(0, at)).split('.')
  if (at < 0 || keys.some((key) => key === '' || key === '__proto__')) {
    const expected = 'key=value, such as accounts.maker.deposit.BTC=5'
    return err([{ code: 'SYNTAX', file: '--set', expected, found: text }])
  }
  const document = readDocument(text.slice(at + 1), labelOf(text))
  if (!document.ok) return err(document.error.map(withoutPlace))
  const { root, errors } = document.value
  if (errors.length > 0) return err(errors.map(withoutPlace))
  return ok({ text, path: keys, node: root })
}

/** The text of a setting has only one line, so its mistakes have no place. */
function withoutPlace({ line: _line, column: _column, ...mistake }: InputError): InputError {
  return mistake
}

/** A document with another value at a path. Missing parts of the path become mappings. */
function setAt(
  node: Located,
  path: Path,
  given: Located,
): Result<Located, Pick<InputError, 'path' | 'expected' | 'found'>> {
  const [step, ...rest] = path
  if (step === undefined) return ok(movedTo(given, node.place))
  const key = String(step)
  if (node.kind === 'list') return setItem(node, key, rest, given)
  if (node.kind === 'scalar' && node.value !== null) {
    return err({ expected: `a mapping or a list with ${key}`, found: describe(node.value) })
  }
  const entry: Entry = entriesOf(node).get(key) ?? {
    place: node.place,
    node: nothingAt(node.place),
  }
  const set = setAt(entry.node, rest, given)
  if (!set.ok) return set
  const entries = new Map(entriesOf(node)).set(key, { place: entry.place, node: set.value })
  return ok(mappingOf(node.place, entries))
}

/** A list with its place in the file. */
type ListNode = Located & { readonly kind: 'list' }

function setItem(node: ListNode, key: string, rest: Path, given: Located): ReturnType<typeof setAt> {
  const index = /^\d+$/.test(key) ? Number(key) : -1
  if (index < 0 || index > node.items.length) {
    return err({ expected: `a position from 0 to ${node.items.length} of a list`, found: key })
  }
  const set = setAt(node.items[index] ?? nothingAt(node.place), rest, given)
  if (!set.ok) return set
  const items = [...node.items]
  items[index] = set.value
  return ok({ kind: 'list', place: node.place, items, value: items.map(({ value }) => value) })
}

function nothingAt(place: Place): Located {
  return { kind: 'scalar', place, value: null }
}

function mappingOf(place: Place, entries: ReadonlyMap<string, Entry>): Located {
  const value: { [name: string]: ParamValue } = {}
  for (const [name, { node }] of entries) value[name] = node.value
  return { kind: 'mapping', place, entries, value }
}

/** A value with all its parts at one place. */
function movedTo(node: Located, place: Place): Located {
  if (node.kind === 'list') {
    return { ...node, place, items: node.items.map((item) => movedTo(item, place)) }
  }
  if (node.kind === 'scalar') return { ...node, place }
  const entries = [...node.entries].map(([name, entry]): [string, Entry] => [
    name,
    { place, node: movedTo(entry.node, place) },
  ])
  return { ...node, place, entries: new Map(entries) }
}
