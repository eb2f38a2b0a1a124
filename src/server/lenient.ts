/**
 * Reads texts as the types that a method declares, like the venue: `"amount":"10"`, `"expired":"false"`, times as text,
 * lists and objects of a query as JSON. Every client request passes this step before the schema: the query of a URL, a
 * body, a frame. A text stays a text if the method accepts a text. A text that cannot be read also stays, and the
 * schema refuses it.
 *
 * Source: sessions document 1.3; coverage S005.
 */
import { z } from '../core/index.ts'
import type { Method, ParamValue, RequestParams } from '../rpc/index.ts'
import { valueProblem } from './envelope.ts'

/** The types that a parameter can have: JSON types, the fields of an object, and the entries of a list. */
interface Form {
  readonly types: ReadonlySet<string>
  readonly fields: ReadonlyMap<string, Form>
  /** The form of fields with arbitrary names, as in maps. */
  readonly others: Form | null
  readonly items: Form | null
}

/** A part of a JSON Schema, with the keywords that are used here. */
interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly items?: Schema
}

const known = new WeakMap<Method, Form>()

/** The parameters of a request with texts read as the types of the method; the same object if no text changes. */
export function readTexts(method: Method | undefined, params: RequestParams): RequestParams {
  if (method === undefined) return params
  let form = known.get(method)
  if (form === undefined) {
    const schema = z.toJSONSchema(method.params, { io: 'input', unrepresentable: 'any' })
    // Only the keywords of `Schema` are used.
    form = formOf([schema as Schema])
    known.set(method, form)
  }
  return readFields(form, params)
}

function readFields(form: Form, values: RequestParams): RequestParams {
  let read: Record<string, ParamValue> | null = null
  for (const [name, value] of Object.entries(values)) {
    const field = form.fields.get(name) ?? form.others
    const found = field === null || value === undefined ? value : readValue(field, value)
    if (found === value || found === undefined) continue
    read ??= { ...values } as Record<string, ParamValue>
    read[name] = found
  }
  return read ?? values
}

function readValue(form: Form, value: ParamValue): ParamValue {
  if (typeof value === 'string') return readText(form, value)
  if (typeof value !== 'object' || value === null) return value
  // Narrowing by `isArray` loses the type of a readonly list.
  if (!Array.isArray(value)) return readFields(form, value as RequestParams) as ParamValue
  if (form.items === null) return value
  const list = value as readonly ParamValue[]
  const read = list.map((each) => readValue(form.items, each))
  return read.some((each, at) => each !== list[at]) ? read : value
}

function readText(form: Form, text: string): ParamValue {
  if (form.types.has('string')) return text
  const isNumber = form.types.has('number') || form.types.has('integer')
  if (isNumber && /^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text)) {
    const number = Number(text)
    return Number.isFinite(number) ? number : text
  }
  if (form.types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (form.types.has('array') || form.types.has('object')) {
    try {
      const value = JSON.parse(text) as ParamValue
      const isFit = typeof value === 'object' && valueProblem(value) === null
      return isFit ? readValue(form, value) : text
    } catch {
      return text
    }
  }
  return text
}

/** The form of a value that matches any of some schemas. */
function formOf(schemas: readonly Schema[]): Form {
  const flat = schemas.flatMap(alternativesOf)
  const fields = new Map<string, Form>()
  for (const name of new Set(flat.flatMap(({ properties = {} }) => Object.keys(properties)))) {
    fields.set(name, formOf(flat.flatMap(({ properties }) => properties?.[name] ?? [])))
  }
  const others = flat.flatMap(({ additionalProperties: each }) => (typeof each === 'object' ? [each] : []))
  const items = flat.flatMap((each) => each.items ?? [])
  return {
    types: new Set(flat.flatMap(typesOf)),
    fields,
    others: others.length === 0 ? null : formOf(others),
    items: items.length === 0 ? null : formOf(items),
  }
}

function alternativesOf(schema: Schema): readonly Schema[] {
  const alternatives = schema.anyOf ?? schema.oneOf
  return alternatives === undefined ? [schema] : alternatives.flatMap(alternativesOf)
}

function typesOf({ type, const: value, enum: words }: Schema): readonly string[] {
  if (type !== undefined) return [type]
  return (words ?? [value]).map((each) => typeof each)
}
