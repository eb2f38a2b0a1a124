/**
 * Turns mistakes that a schema finds into readable messages with their places in the file.
 *
 * Sentences of `refine` and of text formats are used unchanged ("expected …"). All other messages are composed here
 * from the issue and the schema at its place.
 */
import { decimalTextOf, nearest, z } from '../../core/index.ts'
import { laterSections } from './format.ts'
import { type Findings, meant, nodeAt, type Path, report, reportKey } from './located.ts'

type Issue = z.core.$ZodIssue
type Schema = z.core.$ZodType

const SORTS: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['object', 'a mapping'],
  ['record', 'a mapping'],
  ['array', 'a list'],
  ['tuple', 'a list'],
])

/** Reports all issues of one schema; `base` is the path of the schema in the file. */
export function reportIssues(findings: Findings, schema: Schema, issues: readonly Issue[], base: Path): void {
  for (const issue of issues) {
    const path = [...base, ...issue.path.map((step) => keyOf(step))]
    const at = schemaAt(schema, issue.path)
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) reportUnknownKey(findings, [...path, key], keysOf(at))
    } else if (issue.code === 'invalid_key') {
      reportKey(findings, path, {
        code: 'SHAPE',
        expected: issue.issues.map(expectedOf).join(' and '),
      })
    } else if (issue.code === 'invalid_union') {
      reportUnion(findings, at, issue, path)
    } else {
      const code = issue.code === 'invalid_type' ? 'SHAPE' : 'VALUE'
      const expected = expectedAt(issue, at)
      report(findings, path, { code, expected, ...guess(findings, issue, path) })
    }
  }
}

/** Reports a key that does not exist, with the one that was probably meant. */
export function reportUnknownKey(findings: Findings, path: Path, known: readonly string[]): void {
  const key = String(path.at(-1))
  const later = path.length === 1 ? laterSections.get(key) : undefined
  if (later !== undefined) {
    reportKey(findings, path, { code: 'SHAPE', expected: 'a section of this version', hint: later })
    return
  }
  const expected = known.length === 0 ? 'no keys' : `one of ${known.join(', ')}`
  reportKey(findings, path, { code: 'SHAPE', expected, ...meant(nearest(key, known)) })
}

/** A value that fits no member of a union. */
type UnionIssue = Issue & { readonly code: 'invalid_union' }

/** Reports the mistakes of the one option that was probably meant; otherwise all options. */
function reportUnion(findings: Findings, schema: Schema | undefined, issue: UnionIssue, path: Path): void {
  const options = optionsOf(schema)
  const near = issue.errors.flatMap((issues, index) =>
    issues.some((one) => one.path.length === 0 && one.code === 'invalid_type')
      ? []
      : [{ issues, option: options[index] }],
  )
  const [only] = near
  if (only?.option !== undefined && near.length === 1) {
    reportIssues(findings, only.option, only.issues, path)
    return
  }
  const sorts = new Set(issue.errors.flatMap((issues) => issues.slice(0, 1).map(expectedOf)))
  report(findings, path, { code: 'SHAPE', expected: withExample([...sorts].join(' or '), schema) })
}

function expectedAt(issue: Issue, schema: Schema | undefined): string {
  const expected = expectedOf(issue)
  return issue.code === 'invalid_type' ? withExample(expected, schema) : expected
}

/** The expectation of an issue as text. */
export function expectedOf(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return SORTS.get(issue.expected) ?? `a value of type ${issue.expected}`
    case 'invalid_value': {
      const values = issue.values.map(String)
      return values.length === 1 ? values.join() : `one of ${values.join(', ')}`
    }
    case 'too_small': {
      const few = issue.origin === 'string' ? 'a text that is not empty' : 'a list with at least one entry'
      return issue.origin === 'string' || issue.origin === 'array'
        ? few
        : `at least ${decimalTextOf(Number(issue.minimum))}`
    }
    case 'too_big':
      return `at most ${decimalTextOf(Number(issue.maximum))}`
    default:
      return issue.message
  }
}

/** The expectation with an example from the schema. */
function withExample(expected: string, schema: Schema | undefined): string {
  if (schema === undefined) return expected
  const meta = z.globalRegistry.get(schema) ?? z.globalRegistry.get(bare(schema))
  const examples = meta?.['examples']
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined
  if (typeof example !== 'string' && typeof example !== 'number') return expected
  return `${expected} such as ${example}`
}

/** A hint with the value of a closed list that was probably meant. */
function guess(findings: Findings, issue: Issue, path: Path): { readonly hint?: string } {
  const value = nodeAt(findings.root, path)?.value
  if (issue.code !== 'invalid_value' || typeof value !== 'string') return {}
  return meant(nearest(value, issue.values.map(String)))
}

/** The schema at a path below another one, or undefined if the path is ambiguous. */
function schemaAt(schema: Schema, path: readonly PropertyKey[]): Schema | undefined {
  let at: Schema | undefined = schema
  for (const step of path) at = at === undefined ? undefined : partOf(bare(at), keyOf(step))
  return at
}

function partOf(schema: Schema, step: string | number): Schema | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[step]
  if (schema instanceof z.ZodRecord) return schema.valueType
  if (schema instanceof z.ZodArray) return schema.element
  if (schema instanceof z.ZodTuple) return schema.def.items[Number(step)]
  if (!(schema instanceof z.ZodUnion)) return undefined
  const parts = schema.options.map((option: Schema) => partOf(bare(option), step))
  return parts.find((part: Schema | undefined) => part !== undefined)
}

/** A schema without wrappers such as optional and default. */
function bare(schema: Schema): Schema {
  let inner = schema
  while (inner instanceof z.ZodOptional || inner instanceof z.ZodNullable || inner instanceof z.ZodDefault) {
    inner = inner.def.innerType
  }
  return inner
}

function keysOf(schema: Schema | undefined): readonly string[] {
  const inner = schema === undefined ? undefined : bare(schema)
  if (inner instanceof z.ZodObject) return Object.keys(inner.shape)
  if (inner instanceof z.ZodRecord && inner.keyType instanceof z.ZodEnum) {
    return inner.keyType.options.map(String)
  }
  return inner instanceof z.ZodUnion ? inner.options.flatMap(keysOf) : []
}

function optionsOf(schema: Schema | undefined): readonly Schema[] {
  const inner = schema === undefined ? undefined : bare(schema)
  return inner instanceof z.ZodUnion ? inner.options : []
}

function keyOf(step: PropertyKey): string | number {
  return typeof step === 'number' ? step : String(step)
}
