/**
 * Values of a document with their places, and the list of mistakes found in it.
 *
 * Lines and columns count from 1. A path is the keys and positions from the root, printed with dots
 * as in `steps.3.params.price`.
 */
import { decimalTextOf, type ErrorCode, type InputError } from '../../core/index.ts'
import type { ParamValue } from '../../rpc/index.ts'

/** The position of a value in its file. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** One entry of a mapping: the place of its key, and its value. */
export interface Entry {
  readonly place: Place
  readonly node: Located
}

/** A value with its place. Mappings and lists also have the places of their parts. */
export type Located = {
  readonly place: Place
  readonly value: ParamValue
} & (
  | { readonly kind: 'scalar' }
  | { readonly kind: 'mapping'; readonly entries: ReadonlyMap<string, Entry> }
  | { readonly kind: 'list'; readonly items: readonly Located[] }
)

/** Keys and positions from the root of a document. */
export type Path = readonly (string | number)[]

/** Mistakes found in a document; only the first one of each path. */
export interface Findings {
  readonly file: string
  readonly root: Located
  readonly errors: InputError[]
  readonly paths: Set<string>
}

/** A mistake without its place. */
export interface Mistake {
  /** Its code; `VALUE` by default. */
  readonly code?: ErrorCode
  readonly expected: string
  /** The text that was found; by default a description of the value at the path. */
  readonly found?: string
  readonly hint?: string | undefined
}

const FOUND_LENGTH_MAX = 60

/** The findings of a document without mistakes so far. */
export function createFindings(file: string, root: Located): Findings {
  return { file, root, errors: [], paths: new Set() }
}

/** Reports a mistake in the value at a path. A missing value gets the place of its parent. */
export function report(findings: Findings, path: Path, mistake: Mistake): void {
  const { deepest, value } = follow(findings.root, path)
  add(findings, path, deepest, { found: describe(value), ...mistake })
}

/** Reports a mistake in the key at the end of a path. */
export function reportKey(findings: Findings, path: Path, mistake: Mistake): void {
  const key = String(path.at(-1) ?? '')
  const parent = follow(findings.root, path.slice(0, -1)).deepest
  const entry = entryOf(parent, key)
  add(findings, path, entry ?? parent, { found: key, ...mistake })
}

/** The value at a path, or undefined. */
export function nodeAt(root: Located, path: Path): Located | undefined {
  let node: Located | undefined = root
  for (const step of path) node = node === undefined ? undefined : partOf(node, step)
  return node
}

/** The entries of a mapping; empty for any other value. */
export function entriesOf(node: Located | undefined): ReadonlyMap<string, Entry> {
  return node?.kind === 'mapping' ? node.entries : new Map()
}

/** The items of a list; empty for any other value. */
export function itemsOf(node: Located | undefined): readonly Located[] {
  return node?.kind === 'list' ? node.items : []
}

/** The text at a key of a mapping; undefined if it does not exist. */
export function textAt(node: Located | undefined, key: string): string | undefined {
  const value = entriesOf(node).get(key)?.node.value
  return typeof value === 'string' ? value : undefined
}

/** A description of a value that fits on one line. */
export function describe(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'string') return JSON.stringify(shortened(value))
  if (typeof value === 'number') return decimalTextOf(value)
  if (value === null || typeof value !== 'object') return String(value)
  if ('decimal' in value && Object.keys(value).length === 1) return shortened(String(value.decimal))
  return 'a mapping'
}

/** `did you mean …` as a hint; no hint without a word. */
export function meant(word: string | undefined): { readonly hint?: string } {
  return word === undefined ? {} : { hint: `did you mean ${word}?` }
}

/** Adds a mistake whose place is known. */
export function add(
  { file, errors, paths }: Findings,
  path: Path,
  { place }: { readonly place: Place },
  { code = 'VALUE', expected, found = '', hint }: Mistake,
): void {
  const text = path.join('.')
  if (text !== '' && paths.has(text)) return
  paths.add(text)
  errors.push({
    code,
    file,
    ...place,
    ...(text === '' ? {} : { path: text }),
    expected,
    found,
    ...(hint === undefined ? {} : { hint }),
  })
}

/** The deepest existing value along a path, and the value at its end if it exists. */
function follow(root: Located, path: Path): { readonly deepest: Located; readonly value: ParamValue | undefined } {
  let deepest = root
  for (const step of path) {
    const next = partOf(deepest, step)
    if (next === undefined) return { deepest, value: undefined }
    deepest = next
  }
  return { deepest, value: deepest.value }
}

function partOf(node: Located, step: string | number): Located | undefined {
  if (node.kind === 'list') return node.items[Number(step)]
  return entryOf(node, String(step))?.node
}

function entryOf(node: Located, key: string): Entry | undefined {
  return entriesOf(node).get(key)
}

function shortened(text: string): string {
  return text.length <= FOUND_LENGTH_MAX ? text : `${text.slice(0, FOUND_LENGTH_MAX)}…`
}
