/**
 * Parameters of an address: texts that become what the method declares.
 *
 * Source: sessions document 1.3; coverage S005.
 */
import { z } from '../core/index.ts'
import type { Method, ParamValue, RequestParams } from '../rpc/index.ts'
import { valueProblem } from './envelope.ts'

/** The JSON types that a parameter may have. */
type Types = ReadonlySet<string>

const known = new Map<Method, ReadonlyMap<string, Types>>()

/** The parameters of a query. A text that cannot be what the method declares stays one, and is refused there. */
export function readQuery(method: Method | undefined, query: URLSearchParams): RequestParams {
  const types = typesOf(method)
  const params: Record<string, ParamValue> = {}
  for (const [name, text] of query) params[name] = paramOf(text, types.get(name))
  return params
}

function paramOf(text: string, types: Types | undefined): ParamValue {
  if (types === undefined || types.has('string')) return text
  const isNumber = types.has('number') || types.has('integer')
  if (isNumber && /^-?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/.test(text)) {
    const number = Number(text)
    return Number.isFinite(number) ? number : text
  }
  if (types.has('boolean') && (text === 'true' || text === 'false')) return text === 'true'
  if (types.has('array') || types.has('object')) {
    try {
      const value = JSON.parse(text) as ParamValue
      return valueProblem(value) === null ? value : text
    } catch {
      return text
    }
  }
  return text
}

/** The types of the parameters of a method by their names. */
function typesOf(method: Method | undefined): ReadonlyMap<string, Types> {
  if (method === undefined) return new Map()
  const found = known.get(method)
  if (found !== undefined) return found
  const schema = z.toJSONSchema(method.params, { io: 'input', unrepresentable: 'any' })
  const types = new Map(
    Object.entries(schema.properties ?? {}).map(([param, each]) => [param, new Set(typesIn(each))]),
  )
  known.set(method, types)
  return types
}

function typesIn(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null) return []
  const {
    type,
    anyOf,
    enum: words,
  } = schema as {
    readonly type?: string
    readonly anyOf?: readonly unknown[]
    readonly enum?: readonly unknown[]
  }
  if (type !== undefined) return [type]
  if (words !== undefined) return words.map((word) => typeof word)
  return anyOf?.flatMap(typesIn) ?? []
}
