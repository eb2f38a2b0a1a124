/**
 * Seeded mutations of texts that people and programs write: they change lines, keys, values, structure and letters of
 * scenario files and journals, several at a time. The same stream gives the same text.
 */
import type { RandomStream } from '../../src/core/index.ts'

/** Material for mutations: lines of all texts, and their keys and values. */
export interface Pool {
  readonly lines: readonly string[]
  readonly keys: readonly string[]
  readonly values: readonly string[]
}

/** Values that programs often mishandle. */
const hostile: readonly string[] = [
  ...['', '0', '-1', '1', '0.5', '-0', '1e3', '017', '.inf', '1_000', 'true', 'null', '~', '""'],
  ...['9007199254740993', '9007199254740991', '99999999999999999999999', '0.000000000000000001'],
  ...['1000000000', '0.000000001', '9007199', '2147483648', '-9007199254740991'],
  ...['[]', '{}', '[[]]', '{ a: 1 }', '[1, [2, {}]]', '&a [1]', '*a', '!!str 1', '__proto__'],
  ...['1970-01-01T00:00:00Z', '1999-12-31T23:59:59Z', '2255-06-05T23:47:34Z', '9999-12-31T00:00:00Z'],
  ...['2026-01-05T08:00:00Z', '2026-01-05T08:00:00', '2099-12-31T08:00:00Z', '2086-01-01T00:00:00Z'],
  ...['0ms', '1us', '-5ms', '1d', '36500d', '999999999999d', '0.0001ms', '5parsecs'],
  ...['BTC', 'ETH', 'USDC', 'SOL_USDC', 'XYZ', 'btc_usd', 'sol_usdc', 'BTC-PERPETUAL', 'SOL_USDC-PERPETUAL'],
  ...['BTC-27MAR26-60000-C', 'BTC-30FEB26', 'BTC-5JUN99', 'BTC_USDC', 'BTC-FS-27MAR26_PERP', '$x', '$'],
  ...['mid', 'cross_pm', 'segregated_pm', 'market', 'toString', 'constructor', 'a.b.c', '\u0000', '💥'],
]

/** Collects the material for mutations from some texts. */
export function poolOf(texts: readonly string[]): Pool {
  const lines = new Set(texts.flatMap((text) => text.split('\n')))
  const keys = new Set<string>()
  const values = new Set<string>(hostile)
  for (const text of texts) {
    for (const [, key = '', value = ''] of text.matchAll(/([A-Za-z_]+): *([^\n,{}[\]]*)/g)) {
      keys.add(key)
      values.add(value.trim())
    }
  }
  return { lines: [...lines], keys: [...keys], values: [...values] }
}

/** A text with one to four mutations. */
export function mutateText(text: string, pool: Pool, random: RandomStream): string {
  let mutated = text
  for (let left = random.pick([1, 1, 1, 2, 2, 4]); left > 0; left -= 1) {
    mutated = random.pick(textMutations)(mutated, pool, random)
  }
  return mutated
}

type TextMutation = (text: string, pool: Pool, random: RandomStream) => string

const textMutations: readonly TextMutation[] = [
  (text, _, random) => onLines(text, random, (lines, at) => lines.toSpliced(at, 1)),
  (text, _, random) => onLines(text, random, (lines, at) => lines.toSpliced(at, 0, lines[at] ?? '')),
  (text, { lines: other }, random) => onLines(text, random, (lines, at) => lines.toSpliced(at, 0, random.pick(other))),
  (text, _, random) => onLines(text, random, (lines, at) => lines.with(at, `  ${lines[at] ?? ''}`)),
  (text, _, random) => onLines(text, random, (lines, at) => lines.with(at, (lines[at] ?? '').slice(1))),
  (text, { values }, random) => onMatch(text, { pattern: VALUE, random, by: random.pick(values) }),
  (text, { values }, random) => onMatch(text, { pattern: VALUE, random, by: random.pick(values) }),
  (text, _, random) => onMatch(text, { pattern: VALUE, random, by: random.pick(hostile) }),
  (text, _, random) => onMatch(text, { pattern: VALUE, random, by: random.pick(hostile) }),
  (text, { values }, random) => onMatch(text, { pattern: WORD, random, by: random.pick(values) }),
  (text, { keys }, random) => onMatch(text, { pattern: KEY, random, by: random.pick(keys) }),
  (text, _, random) => {
    const at = random.int(0, text.length)
    const letter = String.fromCodePoint(random.int(9, 126))
    return text.slice(0, at) + letter + text.slice(at + random.int(0, 1))
  },
]

const VALUE = /(?<=: )[^\n,{}[\]]+/g
const WORD = /[A-Za-z0-9_.-]{2,}/g
const KEY = /[A-Za-z_]+(?=:)/g

function onLines(
  text: string,
  random: RandomStream,
  change: (lines: readonly string[], at: number) => readonly string[],
): string {
  const lines = text.split('\n')
  return change(lines, random.int(0, lines.length - 1)).join('\n')
}

function onMatch(
  text: string,
  { pattern, random, by }: { readonly pattern: RegExp; readonly random: RandomStream; readonly by: string },
): string {
  const matches = [...text.matchAll(pattern)]
  if (matches.length === 0) return text
  const { index, 0: found } = random.pick(matches)
  return text.slice(0, index) + by + text.slice(index + found.length)
}

const hostileJson: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 0.5, 1e300, -1e300, 9007199254740991, 2 ** 31, 1e-9, '', 'x'],
  ...[[], {}, [[]], { decimal: '1' }, { decimal: 'x' }, '9007199254740993', '0', '-1', '1e5'],
  ...['1970-01-01T00:00:00Z', '2255-01-01T00:00:00Z', '1999-01-01T00:00:00Z', '2090-01-01T00:00:00Z'],
  ...['BTC', 'btc_usd', 'BTC-PERPETUAL', 'BTC-27MAR26', 'BTC-27MAR26-60000-C', 'SOL_USDC', 'toString'],
]

/** A text of JSON lines with one to three mutations, mostly of single values. */
export function mutateJsonLines(text: string, random: RandomStream): string {
  const lines = text.trimEnd().split('\n')
  for (let left = random.pick([1, 1, 1, 2, 3]); left > 0; left -= 1) {
    // The first line has the most content, so it gets half of the mutations.
    const at = random.chance(1, 2) ? 0 : random.int(0, lines.length - 1)
    const line = lines[at] ?? ''
    const kind = random.int(0, 15)
    if (kind === 0) lines.splice(at, 1)
    else if (kind === 1) lines.splice(at, 0, line)
    else if (kind === 2) lines[at] = line.slice(0, random.int(0, line.length))
    else if (kind === 3) {
      const from = random.int(0, line.length)
      lines[at] = line.slice(0, from) + String.fromCodePoint(random.int(9, 126)) + line.slice(from + 1)
    } else lines[at] = mutateJson(line, random)
  }
  return `${lines.join('\n')}\n`
}

/** A line of JSON with one value replaced, removed, or moved to the place of another. */
function mutateJson(line: string, random: RandomStream): string {
  let root: unknown
  try {
    root = JSON.parse(line)
  } catch {
    return line
  }
  const places: [parent: Record<string, unknown>, key: string][] = []
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const key of Object.keys(value)) {
      // Here lists count as objects keyed by position.
      const parent = value as Record<string, unknown>
      places.push([parent, key])
      visit(parent[key])
    }
  }
  visit(root)
  if (places.length === 0) return line
  const [parent, key] = random.pick(places)
  const kind = random.int(0, 9)
  if (kind === 0) delete parent[key]
  else if (kind === 1) parent[`${key}x`] = parent[key]
  else if (kind === 2) {
    const [other, otherKey] = random.pick(places)
    const copy = JSON.stringify(other[otherKey])
    parent[key] = copy === undefined ? null : (JSON.parse(copy) as unknown)
  } else if (kind === 3 && typeof parent[key] === 'number') parent[key] += random.int(-3, 3)
  else parent[key] = random.pick(hostileJson)
  return JSON.stringify(root)
}
