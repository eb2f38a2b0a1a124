/** Prints the methods with their parameters and results, and the types of the results. */
import { openRpcDocument } from '../../.ci/schemas/document.ts'
import { type JsonSchema, type JsonWord, SCHEMAS } from '../../.ci/schemas/json-schema.ts'
import type { Parameter } from '../../.ci/schemas/parameters.ts'
import { parametersOf } from '../../.ci/schemas/parameters.ts'
import type { ResultTypes } from '../../.ci/schemas/result-types.ts'
import { findMethod, methodNames } from '../../src/gateways/index.ts'
import { findGatewayMethod, type Method } from '../../src/rpc/index.ts'
import { typesOfResults } from './source-types.ts'

/** The page of the result types, relative to the page of the methods. */
const TYPES_PAGE = 'wire/README.md'

/** Every method with its parameters and its result. */
export function methodTables(): string {
  const { methods, gatewayMethods } = typesOfResults()
  const usual = methodNames.map((name) => methodText(name, findMethod(name), methods[name]))
  // A method that is the same in both tables is printed once.
  const ofGateways = Object.entries(gatewayMethods).flatMap(([name, typed]) => {
    const method = findGatewayMethod(name)
    if (method === findMethod(name)) return []
    return [methodText(`${name} of gateways`, method, typed)]
  })
  return [...usual, ...ofGateways].join('\n\n')
}

function methodText(
  title: string,
  method: Method | undefined,
  typed: ResultTypes['methods'][string] | undefined,
): string {
  if (method === undefined || typed === undefined) throw new RangeError(`${title} is a method`)
  const { summary, result } = typed
  const said = [summary, scopeOf(method), sessionsOf(method)].filter((text) => text !== '').join(' ')
  const parts = [`### ${title}`, said, parameterTable(parametersOf(method)), `Result: ${reported(result, TYPES_PAGE)}.`]
  return parts.filter((text) => text !== '').join('\n\n')
}

/** Every type of a result, with its fields. */
export function typeTables(): string {
  const { components } = openRpcDocument(typesOfResults())
  return Object.entries(components.schemas)
    .map(([name, schema]) => {
      const { description = '', properties } = schema
      const body =
        properties === undefined ? `${upperFirst(reported({ ...schema, description: '' }, ''))}.` : fieldTable(schema)
      return [`### ${name}`, description, body].join('\n\n')
    })
    .join('\n\n')
}

function parameterTable(parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(({ name, description, required, schema, accepts }) => {
    const words = wordsOf(schema)
    const listed = words.length === 0 ? '' : ` [${words.join(', ')}]`
    const note = accepts ?? schema['x-pitclock-accepts']
    const isExact = schema.type === 'number' && accepts === undefined
    const beyond = note === undefined || isExact ? '' : ` (also: ${note})`
    const shown = required ? `**${name}**` : name
    return `| ${shown} | ${cellOf(`${description}${listed}${beyond}`)} |`
  })
  return ['| Parameter | Meaning |', '|---|---|', ...rows].join('\n')
}

/** Fields in their order; fields that are always present are bold. */
function fieldTable({ properties = {}, required = [] }: JsonSchema): string {
  const always = new Set(required)
  const rows = Object.entries(properties).map(([name, { description = '', ...schema }]) => {
    const shown = always.has(name) ? `**${name}**` : name
    return `| ${shown} | ${cellOf(reported(schema, ''))} | ${cellOf(description)} |`
  })
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n')
}

/** A schema in words; `page` has the named types. */
function reported(schema: JsonSchema, page: string): string {
  const { $ref, allOf, anyOf, items, enum: words, properties } = schema
  if ($ref !== undefined) {
    const name = $ref.slice(SCHEMAS.length)
    return `[${name}](${page}#${name.toLowerCase()})`
  }
  const only = allOf?.[0]
  if (only !== undefined) return reported(only, page)
  if (anyOf !== undefined) return anyOf.map((each) => reported(each, page)).join(' or ')
  if (words !== undefined) return words.map(wordOf).join(', ')
  if (schema.type === 'array') return listOf(items, page)
  if (schema.type !== 'object') return schema.type ?? 'nothing'
  return properties === undefined ? mapOf(schema, page) : `{ ${fieldsOf(schema, page)} }`
}

function listOf(items: JsonSchema['items'], page: string): string {
  if (items === undefined) return 'a list'
  if (Array.isArray(items)) return `[${items.map((each) => reported(each, page)).join(', ')}]`
  return `a list of ${reported(items as JsonSchema, page)}`
}

function mapOf({ additionalProperties: values }: JsonSchema, page: string): string {
  return typeof values === 'object' ? `by name ${reported(values, page)}` : 'nothing'
}

function fieldsOf({ properties = {}, required = [] }: JsonSchema, page: string): string {
  const always = new Set(required)
  return Object.entries(properties)
    .map(([name, each]) => `${name}${always.has(name) ? '' : '?'}: ${reported(each, page)}`)
    .join(', ')
}

function wordOf(word: JsonWord): string {
  return typeof word === 'string' ? `\`${word}\`` : `${word}`
}

/** The callers that a method allows, in a sentence; empty if the name says it. */
function scopeOf({ scope, rfqScope, mainAccount }: Method): string {
  if (scope === 'public' || scope === 'sim') return ''
  const asked = scope === 'any' ? 'any token' : `\`${scope}\``
  const ofRfqs = rfqScope === undefined ? '' : `; \`${rfqScope}\` with \`block_rfq: true\``
  return `Scope: ${asked}${mainAccount === true ? ', of a main account' : ''}${ofRfqs}.`
}

const overSessions = {
  json_rpc: '',
  any: 'Over any session.',
  rest_gateway: 'Over the REST interface of a gateway alone.',
  direct_access: 'A message of direct access, over such a session alone.',
} as const

/** The sessions that a method allows, in a sentence; empty for JSON-RPC, which most methods use. */
function sessionsOf({ sessions }: Method): string {
  return overSessions[sessions]
}

/** The allowed words of a parameter that takes only words. */
function wordsOf({ enum: words, items, anyOf }: JsonSchema): readonly JsonWord[] {
  const ofItems = items === undefined || Array.isArray(items) ? [] : wordsOf(items as JsonSchema)
  const found = words ?? (ofItems.length > 0 ? ofItems : (anyOf?.flatMap(wordsOf) ?? []))
  return found.filter((word) => typeof word === 'string')
}

function cellOf(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}

function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}
