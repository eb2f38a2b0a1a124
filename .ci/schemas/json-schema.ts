/** The part of JSON Schema (draft 7) that methods use. */

/** A JSON Schema. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly JsonWord[]
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly items?: JsonSchema | readonly JsonSchema[]
  readonly additionalItems?: false
  readonly minItems?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false | JsonSchema
  readonly propertyNames?: JsonSchema
  readonly minimum?: number
  readonly maximum?: number
  readonly default?: unknown
  /** A note about accepted values beyond the schema. */
  readonly 'x-pitclock-accepts'?: string
}

/** A value that a schema lists. */
export type JsonWord = string | number | boolean | null

/** The place of named schemas in a document. */
export const SCHEMAS = '#/components/schemas/'

/** Every schema within one, itself first, with its place. */
export function* schemasWithin(schema: JsonSchema, at: string): Generator<readonly [string, JsonSchema]> {
  yield [at, schema]
  for (const [name, each] of Object.entries(schema.properties ?? {})) {
    yield* schemasWithin(each, `${at}.${name}`)
  }
  const { items, additionalProperties: values } = schema
  const lists = items === undefined ? [] : [items].flat()
  for (const each of lists) yield* schemasWithin(each, `${at}[]`)
  if (typeof values === 'object') yield* schemasWithin(values, `${at}{}`)
  for (const each of [...(schema.anyOf ?? []), ...(schema.allOf ?? [])]) {
    yield* schemasWithin(each, at)
  }
}
