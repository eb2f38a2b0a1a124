/**
 * The JSON Schema of scenario files, for editors. `call` lists the methods, and editors complete `params` for the method
 * of a step. The schema refuses no parameter, so that a file can contain wrong ones. It only requires parameters that
 * the interface requires although a run answers without them (R34).
 */
import { z } from '../../core/index.ts'
import { findMethod, methodNames } from '../../gateways/index.ts'
import { scenarioFormat } from './format.ts'

/**
 * Returns the JSON Schema (draft 2020-12) of scenario files.
 *
 * @example
 * console.log('properties' in scenarioJsonSchema()) // true
 */
export function scenarioJsonSchema(): object {
  const { $schema, ...schema } = z.toJSONSchema(scenarioFormat, {
    io: 'input',
    unrepresentable: 'any',
  })
  return {
    $schema,
    $id: 'urn:pitclock:scenario:1',
    title: 'Pitclock scenario',
    description: 'Requests to the exchange simulator, with their expected results.',
    ...schema,
    allOf: [
      {
        type: 'object',
        properties: { steps: { type: 'array', items: { allOf: methodNames.flatMap(paramsOfCall) } } },
      },
    ],
  }
}

/** The parameters of one method, for steps that call it. */
function paramsOfCall(name: string): readonly object[] {
  const method = findMethod(name)
  if (method === undefined) return []
  // Its objects and lists are of one kind each; only the general type of JSON Schema allows more.
  const schema = z.toJSONSchema(method.params, { io: 'input', unrepresentable: 'any' }) as ParameterSchema
  const { properties = {} } = described(schema)
  if (Object.keys(properties).length === 0) return []
  const required = Object.keys(method.requires ?? {})
  // A text is the name of a saved value.
  const given = required.map((key) => [key, { ...properties[key], type: ['number', 'string'] }])
  const params = { properties: { ...properties, ...Object.fromEntries(given) } }
  const then = required.length === 0 ? {} : { required: ['params'] }
  return [
    {
      if: { type: 'object', properties: { call: { const: name } }, required: ['call'] },
      // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
      then: { ...then, properties: { params: required.length === 0 ? params : { ...params, required } } },
    },
  ]
}

/** The parts of a schema that describe values without refusing any. */
interface Described {
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Described>>
  readonly items?: Described
}

/** The parts of a parameter's JSON Schema from which editors get their texts. */
interface ParameterSchema {
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly properties?: Readonly<Record<string, ParameterSchema>>
  readonly items?: ParameterSchema
  readonly anyOf?: readonly ParameterSchema[]
}

/** A number as `{ decimal: "0.1" }`. Editors do not suggest it, because the reader keeps all digits of plain numbers. */
function isExactNumber({ properties = {} }: ParameterSchema): boolean {
  return 'decimal' in properties
}

/** Keeps what editors show: descriptions, defaults, and listed words as examples. */
function described(schema: ParameterSchema): Described {
  const { description, default: preset, enum: words, properties, items, anyOf = [] } = schema
  return {
    ...Object.assign({}, ...anyOf.filter((each) => !isExactNumber(each)).map(described)),
    ...(description === undefined ? {} : { description }),
    ...(preset === undefined ? {} : { default: preset }),
    ...(words === undefined ? {} : { examples: words }),
    ...(properties === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(properties).map(([key, each]) => [key, described(each)])) }),
    ...(items === undefined ? {} : { items: described(items) }),
  }
}
