/**
 * Reads a YAML text into values with places. JSON is YAML.
 *
 * This file reads scalars itself, because the package would round long numbers and read `017` as 17. An unquoted plain
 * decimal (also `1_000`) is a number, and stays literal text if a double cannot hold it; other spellings of numbers are
 * refused. `true`, `false`, `null` and `~` have their YAML meaning; everything else is text.
 *
 * Limits: texts of `TEXT_LENGTH_MAX` characters, `NODES_MAX` values including those repeated by aliases, `DEPTH_MAX`
 * levels. Tags are refused. Source: notes on scenario files; YAML 1.2.2, 10.1 and 10.3.
 */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type ParsedNode,
  parseDocument,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { decimalTextOf, err, type InputError, ok, type Result } from '../../core/index.ts'
import type { ParamValue } from '../../rpc/index.ts'
import { add, createFindings, type Entry, type Findings, type Located, type Path, type Place } from './located.ts'

const TEXT_LENGTH_MAX = 16_000_000
const NODES_MAX = 200_000
const DEPTH_MAX = 50

const PLAIN_DECIMAL = /^-?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?$/
/** Text that a reader could mistake for a number. */
const ANY_NUMBER =
  /^(?:[-+]?(?:0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|\.(?:inf|Inf|INF)|(?:[0-9][0-9_]*\.?[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?)|\.(?:nan|NaN|NAN))$/

const WORDS: ReadonlyMap<string, ParamValue> = new Map<string, ParamValue>([
  ['', null],
  ['~', null],
  ...['null', 'Null', 'NULL'].map((word) => [word, null] as const),
  ...['true', 'True', 'TRUE'].map((word) => [word, true] as const),
  ...['false', 'False', 'FALSE'].map((word) => [word, false] as const),
])

/** A walk through the nodes of a document. */
interface Walk {
  readonly findings: Findings
  readonly lines: LineCounter
  readonly anchors: Map<string, ParsedNode>
  nodes: number
}

/**
 * Reads the document with all places. If the text is not YAML, only errors are returned. Otherwise the findings contain
 * the mistakes in single values.
 */
export function readDocument(text: string, file: string): Result<Findings, readonly InputError[]> {
  if (text.length > TEXT_LENGTH_MAX) {
    const found = `${text.length} characters`
    return err([{ code: 'SYNTAX', file, expected: `a file of at most ${TEXT_LENGTH_MAX} characters`, found }])
  }
  const lines = new LineCounter()
  const document = parseDocument(text, {
    schema: 'failsafe',
    lineCounter: lines,
    logLevel: 'silent',
    prettyErrors: false,
    uniqueKeys: false,
  })
  if (document.errors.length > 0) {
    // After an unexpected token the parser has lost the structure, and its later errors are about correct lines.
    const lost = document.errors.findIndex(({ code }) => code === 'UNEXPECTED_TOKEN')
    const errors = lost < 0 ? document.errors : document.errors.slice(0, lost + 1)
    return err(
      errors.map(({ message, pos: [at] }) => {
        const place = placeOf(lines, at)
        return {
          code: 'SYNTAX',
          file,
          ...place,
          expected: 'well-formed YAML',
          found: sentence(message),
        }
      }),
    )
  }
  const nothing: Located = { kind: 'scalar', value: null, place: { line: 1, column: 1 } }
  const findings = createFindings(file, nothing)
  if (document.contents === null) return ok(findings)
  const walk: Walk = { findings, lines, anchors: new Map(), nodes: 0 }
  const root = readNode(walk, document.contents, [])
  return ok({ ...findings, root })
}

function readNode(walk: Walk, node: ParsedNode | null, path: Path): Located {
  const place = placeOf(walk.lines, node?.range[0] ?? 0)
  const empty: Located = { kind: 'scalar', value: null, place }
  walk.nodes += 1
  if (walk.nodes > NODES_MAX) {
    if (walk.nodes === NODES_MAX + 1) {
      const expected = `at most ${NODES_MAX} values`
      add(walk.findings, path, { place }, { code: 'SYNTAX', expected, found: 'more, aliases included' })
    }
    return empty
  }
  if (path.length > DEPTH_MAX) {
    const expected = `at most ${DEPTH_MAX} levels`
    add(walk.findings, path.slice(0, 3), { place }, { code: 'SYNTAX', expected, found: 'more' })
    return empty
  }
  if (node === null) return empty
  if (node.tag !== undefined) {
    add(walk.findings, path, { place }, { code: 'SYNTAX', expected: 'a value without a tag', found: node.tag })
  }
  if (isAlias(node)) {
    const target = walk.anchors.get(node.source)
    if (target !== undefined) return readNode(walk, target, path)
    const expected = 'the name of an earlier anchor'
    add(walk.findings, path, { place }, { code: 'SYNTAX', expected, found: `*${node.source}` })
    return empty
  }
  if (node.anchor !== undefined) walk.anchors.set(node.anchor, node)
  if (isMap(node)) return readMapping(walk, node, path, place)
  if (isSeq(node)) return readList(walk, node, path, place)
  return { kind: 'scalar', value: readScalar(walk, node, { path, place }), place }
}

function readMapping(walk: Walk, node: YAMLMap.Parsed, basePath: Path, start: Place): Located {
  const entries = new Map<string, Entry>()
  for (const { key, value } of node.items) {
    const place = placeOf(walk.lines, key?.range[0] ?? 0)
    const name = isScalar(key) ? String(key.value) : undefined
    if (name === undefined || name === '__proto__') {
      const found = name ?? 'another kind of key'
      add(walk.findings, basePath, { place }, { code: 'SYNTAX', expected: 'a text as key', found })
      continue
    }
    const path = [...basePath, name]
    if (entries.has(name)) {
      add(walk.findings, path, { place }, { code: 'SYNTAX', expected: 'each key once', found: `a second ${name}` })
    }
    entries.set(name, { place, node: readNode(walk, value, path) })
  }
  const value: { [name: string]: ParamValue } = {}
  for (const [name, entry] of entries) value[name] = entry.node.value
  return { kind: 'mapping', place: start, entries, value }
}

function readList(walk: Walk, node: YAMLSeq.Parsed, path: Path, place: Place): Located {
  const items = node.items.map((item, index) =>
    // A flow list may contain `key: value` entries, which are mappings with one entry.
    readNode(walk, item as ParsedNode, [...path, index]),
  )
  return { kind: 'list', place, items, value: items.map((item) => item.value) }
}

function readScalar(walk: Walk, node: Scalar.Parsed, at: { readonly path: Path; readonly place: Place }): ParamValue {
  const text = String(node.value)
  if (node.type !== 'PLAIN') return text
  const word = WORDS.get(text)
  if (word !== undefined) return word
  if (PLAIN_DECIMAL.test(text)) return numberOf(text.replaceAll('_', ''))
  if (!ANY_NUMBER.test(text)) return text
  add(walk.findings, at.path, at, {
    expected: 'a plain decimal number such as 1000 or 0.5',
    found: text,
    hint: 'put text that looks like a number in quotes',
  })
  return null
}

/** A double if it equals the decimal exactly, otherwise the text. */
function numberOf(text: string): ParamValue {
  const double = Number(text)
  if (double === 0) return 0
  const canonical = text.includes('.') ? text.replace(/\.?0+$/, '') : text
  if (Number.isFinite(double) && decimalTextOf(double) === canonical) return double
  return { decimal: text }
}

function placeOf(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(1, line), column: Math.max(1, col) }
}

/** The first sentence of the package's message, as the found value. */
function sentence(message: string): string {
  const line = message.split('\n', 1)[0] ?? ''
  const short = line.replace(/; please use .*$/, '')
  return short.charAt(0).toLowerCase() + short.slice(1)
}
