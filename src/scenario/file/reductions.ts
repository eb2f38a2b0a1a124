/**
 * Smaller versions of a scenario file: without steps, accounts, instruments, keys or other entries, and with rounder
 * values. Only the text of an entry changes, so the remaining lines, comments and decimal texts stay as they are.
 *
 * Entries are removed level by level (hierarchical delta debugging), in halves, quarters and so on down to single ones,
 * the last ones first. Then numbers and durations become rounder and smaller. Feeds and strategies stay as they are.
 * Source: G. Misherghi and Z. Su, HDD: Hierarchical Delta Debugging (2006).
 */
import { isMap, isPair, isScalar, isSeq, type ParsedNode, parseDocument } from 'yaml'
import { decimalTextOf, divFloor } from '../../core/index.ts'

/** A smaller version of a scenario. */
export interface SmallerScenario {
  readonly text: string
  /** The offset in the original text of a character of `text`; -1 for a new one. */
  originOf(offset: number): number
}

/** A part of a text and its replacement. */
interface Cut {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** An entry of a list or a mapping. */
interface Item {
  readonly path: readonly string[]
  /** True if the entry must not change. */
  readonly isKept: boolean
  readonly start: number
  readonly end: number
  readonly value: ParsedNode | null
}

/** A list or a mapping with the entries that may be removed. */
interface Collection {
  readonly start: number
  readonly isFlow: boolean
  /** Text of an empty collection. */
  readonly empty: string
  readonly items: readonly Item[]
}

/** An entry in its collection. */
interface Unit {
  readonly of: Collection
  readonly at: number
}

/** Sections that stay as they are, and keys without which no file is valid. */
const untouched: ReadonlySet<string> = new Set(['version', 'title', 'start', 'feeds', 'strategies'])

const DEPTH_MAX = 8

/** Numbers and durations such as `12.5ms`. */
const QUANTITY = /^(-?\d+(?:\.\d+)?)(us|ms|s|m|h|d)?$/

/**
 * Yields smaller versions of a scenario, and receives for each one if it is still good enough; then further versions
 * start from it. Returns the smallest good version. The order depends only on the text and the answers.
 */
export function* smallerScenarios(text: string): Generator<SmallerScenario, SmallerScenario, boolean> {
  let current: SmallerScenario = { text, originOf: (offset) => offset }
  for (;;) {
    const before = current.text
    for (let depth = 1; depth <= DEPTH_MAX; depth += 1) current = yield* withoutEntries(current, depth)
    current = yield* withRounderValues(current)
    if (current.text === before) return current
  }
}

/** Removes entries of one level. */
function* withoutEntries(from: SmallerScenario, depth: number): Generator<SmallerScenario, SmallerScenario, boolean> {
  const collections = collectionsAt(from.text, depth)
  let left: readonly Unit[] = collections.flatMap((of) =>
    of.items.flatMap(({ isKept }, at) => (isKept ? [] : [{ of, at }])),
  )
  let best = from
  for (let size = left.length; size >= 1; size = divFloor(size, 2)) {
    for (let end = left.length; end > 0; end -= size) {
      const rest = left.filter((_, at) => at < end - size || at >= end)
      const candidate = cutScenario(
        from,
        collections.flatMap((of) => cutsOf(from.text, of, rest)),
      )
      if (!(yield candidate)) continue
      left = rest
      best = candidate
    }
  }
  return best
}

/** Makes numbers and durations rounder. */
function* withRounderValues(from: SmallerScenario): Generator<SmallerScenario, SmallerScenario, boolean> {
  let current = from
  // A change moves later values only, so the count of values before it says which one comes next.
  for (let at = 0; ; at += 1) {
    const value = quantitiesIn(current.text)[at]
    if (value === undefined) return current
    for (const text of rounderTexts(current.text.slice(value.start, value.end))) {
      const candidate = cutScenario(current, [{ ...value, text }])
      if (!(yield candidate)) continue
      current = candidate
      break
    }
  }
}

/** The collections whose entries are at a depth of the document. */
function collectionsAt(text: string, depth: number): readonly Collection[] {
  let level: readonly Item[] = [wholeOf(text)]
  for (let at = 1; at < depth; at += 1) level = level.flatMap(itemsOf)
  return level.flatMap((item) => {
    const { value } = item
    if (!(isMap(value) || isSeq(value))) return []
    const items = itemsOf(item)
    const empty = isMap(value) ? '{}' : '[]'
    return [{ start: value.range[0], isFlow: value.flow === true, empty, items }]
  })
}

/** The document as an entry. */
function wholeOf(text: string): Item {
  const reading = { schema: 'failsafe', logLevel: 'silent', prettyErrors: false, uniqueKeys: false } as const
  return { path: [], isKept: false, start: 0, end: text.length, value: parseDocument(text, reading).contents }
}

/** The entries of a value; none of a value that must not change. */
function itemsOf({ path, value, isKept }: Item): readonly Item[] {
  if (isKept) return []
  if (isSeq(value)) {
    return value.items.map((item, at) => {
      const node = item as ParsedNode
      return { path: [...path, String(at)], isKept: false, start: node.range[0], end: endOf(node), value: node }
    })
  }
  if (!isMap(value)) return []
  return value.items.flatMap((pair) => {
    const [key, node] = [pair.key as ParsedNode | null, pair.value as ParsedNode | null]
    if (key === null) return []
    const name = isScalar(key) ? String(key.value) : ''
    const isKept = path.length === 0 && untouched.has(name)
    return { path: [...path, name], isKept, start: key.range[0], end: endOf(node ?? key), value: node }
  })
}

/** The end of the last value. The range of a block includes the lines behind it. */
function endOf(node: ParsedNode): number {
  if (!(isMap(node) || isSeq(node)) || node.flow === true) return node.range[1]
  const last = node.items.at(-1)
  const value = isPair(last) ? (last.value ?? last.key) : last
  return value == null ? node.range[1] : endOf(value as ParsedNode)
}

/** The cuts that leave only some entries of a collection. */
function cutsOf(text: string, of: Collection, rest: readonly Unit[]): readonly Cut[] {
  const { items, isFlow } = of
  const kept = items.flatMap(({ isKept }, at) => (isKept ? at : []))
  const keptAt = new Set([...kept, ...rest.flatMap((unit) => (unit.of === of ? unit.at : []))])
  const [first] = items
  const last = items.at(-1)
  if (first === undefined || last === undefined || keptAt.size === items.length) return []
  const firstKept = items.findIndex((_, at) => keptAt.has(at))
  if (firstKept < 0) return [{ start: isFlow ? first.start : of.start, end: last.end, text: isFlow ? '' : of.empty }]
  const cuts: Cut[] = []
  if (firstKept > 0) cuts.push({ start: first.start, end: items[firstKept]?.start ?? 0, text: '' })
  for (const [at, { end }] of items.entries()) {
    if (at <= firstKept || keptAt.has(at)) continue
    const before = items[at - 1]?.end ?? 0
    // In block style the comment behind the previous entry stays, and the comments above and behind this one go.
    cuts.push({ start: isFlow ? before : lineEnd(text, before), end: isFlow ? end : lineEnd(text, end), text: '' })
  }
  return cuts
}

function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset)
  return end < 0 ? text.length : end
}

/** Applies cuts, which do not overlap except where one contains others. */
function cutScenario(from: SmallerScenario, cuts: readonly Cut[]): SmallerScenario {
  const pieces: { readonly at: number; readonly start: number; readonly text: string; readonly isNew: boolean }[] = []
  let length = 0
  const add = (start: number, text: string, isNew: boolean): void => {
    pieces.push({ at: length, start, text, isNew })
    length += text.length
  }
  let done = 0
  for (const { start, end, text } of cuts.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    if (end <= done) continue
    if (start > done) add(done, from.text.slice(done, start), false)
    add(start, text, true)
    done = end
  }
  add(done, from.text.slice(done), false)
  return {
    text: pieces.map(({ text }) => text).join(''),
    originOf: (offset) => {
      const piece = pieces.find(({ at, text }) => offset >= at && offset < at + text.length)
      return piece === undefined || piece.isNew ? -1 : from.originOf(piece.start + offset - piece.at)
    },
  }
}

/** The numbers and durations of a file in their order, without expectations. */
function quantitiesIn(text: string): readonly Omit<Cut, 'text'>[] {
  const found: Omit<Cut, 'text'>[] = []
  const visit = (item: Item): void => {
    const value = item.value
    if (item.path.includes('expect') || item.path.includes('save')) return
    if (isScalar(value) && value.type === 'PLAIN' && QUANTITY.test(String(value.value))) {
      found.push({ start: value.range[0], end: value.range[1] })
    }
    for (const child of itemsOf(item)) visit(child)
  }
  visit(wholeOf(text))
  return found
}

/** Rounder and smaller texts of a number or a duration, the simplest first. */
function rounderTexts(text: string): readonly string[] {
  const [, digits = '', unit = ''] = QUANTITY.exec(text) ?? []
  const number = Number(digits)
  if (!Number.isSafeInteger(Math.trunc(number))) return []
  const longer = longerUnits[unit]
  const inLonger = longer !== undefined && number % longer.count === 0 && number > 0
  const rounded = [1, 2, 3].map((places) => Number(number.toPrecision(places)))
  const simpler = [0, 1, 10, 100, 1000, ...rounded, divFloor(Math.trunc(number), 2)]
  // A size of 0 would be another mistake; a time of 0 is the simplest one.
  const numbers = simpler
    .filter((other) => isSimpler(other, number) && (other !== 0 || unit !== ''))
    .map((other) => `${decimalTextOf(other)}${unit}`)
  return [...new Set([...numbers, ...(inLonger ? [`${number / longer.count}${longer.unit}`] : [])])]
}

/** The next longer unit of a duration. */
const longerUnits: { readonly [unit: string]: { readonly unit: string; readonly count: number } | undefined } = {
  us: { unit: 'ms', count: 1000 },
  ms: { unit: 's', count: 1000 },
  s: { unit: 'm', count: 60 },
}

/** True if a number has fewer digits before its zeros, or as many and is nearer to 0. */
function isSimpler(other: number, number: number): boolean {
  const [left, right] = [other, number].map(
    (value) => decimalTextOf(Math.abs(value)).replace(/\.|0+$|^0\.0*/g, '').length,
  )
  if (left === undefined || right === undefined || left > right) return false
  return left < right || Math.abs(other) < Math.abs(number)
}
