/**
 * The tables of `data/README.md` about the event log: the place of each column of a family, and the lists of words.
 * They derive from the declared columns by the rules of that guide alone.
 */
import { type Columns, columnOf, type EventKind, eventFamilies, recordCodes } from '../../src/model/index.ts'

interface Described {
  readonly wide: string[]
  readonly ints: string[]
  readonly codes: string[]
  readonly behind: string[]
}

/** The table of families and the places of their columns. */
export function layoutTable(): string {
  const head = ['| Code | Family | Doubles, 64 bits | 32 bits | Codes | Behind |']
  return [...head, '|---|---|---|---|---|---|', ...layoutLines()].join('\n')
}

/** The table of lists of words. */
export function wordTable(): string {
  return ['| Codes of | Words, from 1 |', '|---|---|', ...wordLines()].join('\n')
}

/** A line for each family that a log has, in the order of codes. */
export function layoutLines(): string[] {
  const kinds = Object.keys(recordCodes) as EventKind[]
  return kinds
    .filter((kind) => recordCodes[kind] !== null)
    .map((kind) => {
      const described: Described = { wide: [], ints: [], codes: [], behind: [] }
      describe(described, eventFamilies[kind], { prefix: '', isBehind: false })
      const { wide, ints, codes, behind } = described
      const cells = [wide, ints, codes, behind].map((names) => names.join(' '))
      return `| ${recordCodes[kind]} | \`${kind}\` | ${cells.join(' | ')} |`
    })
}

function describe(
  described: Described,
  columns: Columns,
  { prefix, isBehind }: { readonly prefix: string; readonly isBehind: boolean },
): void {
  for (const [name, declared] of Object.entries(columns)) {
    const { unit, columns: inner, absent } = columnOf(declared)
    const path = `${prefix}${name}`
    if (inner !== null && !Array.isArray(absent)) {
      if (absent === null) described.behind.push(`?\`${path}\``)
      const within = { prefix: `${path}.`, isBehind: isBehind || absent === null }
      describe(described, inner, within)
      continue
    }
    const form = unit?.form ?? 'plain'
    const shown = `\`${path}\`${marks[typeof form === 'string' ? form : 'code']}`
    if (typeof form !== 'string') described.codes.push(shown)
    else if (form === 'flag' || absent !== undefined) described.behind.push(`?${shown}`)
    else if (isBehind || form === 'text' || form === 'wide' || form === 'plain') {
      described.behind.push(shown)
    } else if (form === 'int32') described.ints.push(shown)
    else described.wide.push(shown)
  }
}

const marks = {
  number: '',
  int32: '',
  code: '',
  int64: '*',
  flag: '!',
  text: '"',
  wide: '#',
  plain: '{}',
}

/** A line for each list of words: the columns that hold its codes, and the words from code 1. */
export function wordLines(): string[] {
  const places = new Map<readonly (string | number)[], string[]>()
  for (const kind of Object.keys(recordCodes) as EventKind[]) {
    if (recordCodes[kind] !== null) collect(places, kind, eventFamilies[kind])
  }
  return [...places].map(([words, at]) => `| ${at.join(' ')} | ${words.join(', ')} |`)
}

function collect(places: Map<readonly (string | number)[], string[]>, prefix: string, columns: Columns): void {
  for (const [name, declared] of Object.entries(columns)) {
    const { unit, columns: inner } = columnOf(declared)
    const path = `${prefix}.${name}`
    if (inner !== null) collect(places, path, inner)
    const words = unit?.form
    if (words === undefined || typeof words === 'string') continue
    places.set(words, [...(places.get(words) ?? []), `\`${path}\``])
  }
}
