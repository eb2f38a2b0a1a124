/**
 * Parameters in the view of a client: as the interface defines them, with a note on other accepted values (R34, R73).
 */
import * as z from 'zod'
import type { Method } from '../../src/rpc/index.ts'
import type { JsonSchema } from './json-schema.ts'

/** A parameter of a method. */
export interface Parameter {
  readonly name: string
  readonly description: string
  readonly required: boolean
  readonly schema: JsonSchema
  /** The condition under which a required parameter may be omitted. */
  readonly accepts?: string
}

/** The parameters of a method, in their order. */
export function parametersOf(method: Method): readonly Parameter[] {
  const schema = z.toJSONSchema(method.params, {
    io: 'input',
    unrepresentable: 'any',
    target: 'draft-7',
  }) as JsonSchema
  const needed = new Set(schema.required ?? [])
  const requires: Readonly<Record<string, string | undefined>> = method.requires ?? {}
  return Object.entries(schema.properties ?? {}).map(([name, given]) => {
    const { description = '', ...schema } = served(given)
    const accepts = requires[name]
    return {
      name,
      description,
      required: needed.has(name) || accepts !== undefined,
      schema,
      ...(accepts === undefined ? {} : { accepts }),
    }
  })
}

/** A schema in the form of the interface. */
function served(schema: JsonSchema): JsonSchema {
  const own = withoutBeyond(withoutSafeBounds(exactAside(schema)))
  const { properties, items, additionalProperties: values, anyOf } = own
  return {
    ...own,
    ...(properties === undefined ? {} : { properties: eachOf(properties) }),
    ...(items === undefined || Array.isArray(items) ? {} : { items: served(items as JsonSchema) }),
    ...(typeof values === 'object' ? { additionalProperties: served(values) } : {}),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(served) }),
  }
}

function eachOf(properties: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, served(each)]))
}

/** Numbers stay numbers; a note says that exact decimal text is accepted too. */
function exactAside(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  const [number, exact, ...others] = anyOf ?? []
  const isExact = exact?.properties?.['decimal'] !== undefined
  if (number?.type !== 'number' || !isExact || others.length > 0) return schema
  return { ...number, ...rest, 'x-pitclock-accepts': '{"decimal": "0.1"}, the digits themselves' }
}

/** Accepted words beyond those of the interface are neither listed nor used as a default. */
function withoutBeyond(schema: JsonSchema): JsonSchema {
  const { enum: words, default: preset, ...rest } = schema
  const [beyond] = schema['x-pitclock-accepts']?.split(',') ?? []
  const isWord = words?.includes(beyond ?? '') === true
  if (!isWord) return schema
  const keeps = preset !== undefined && preset !== beyond
  return {
    ...rest,
    enum: words.filter((word) => word !== beyond),
    ...(keeps ? { default: preset } : {}),
  }
}

/** Every integer in JSON is within these bounds. */
function withoutSafeBounds(schema: JsonSchema): JsonSchema {
  const { minimum, maximum, ...rest } = schema
  return {
    ...rest,
    ...(minimum === undefined || minimum === Number.MIN_SAFE_INTEGER ? {} : { minimum }),
    ...(maximum === undefined || maximum === Number.MAX_SAFE_INTEGER ? {} : { maximum }),
  }
}
