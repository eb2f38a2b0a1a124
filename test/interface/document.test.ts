/**
 * The OpenRPC document: every result is closed and its type exported, parameters match the interface document, and
 * OpenRPC tools can read it.
 */
import { MethodCallValidator, parseOpenRPCDocument, validateOpenRPCDocument } from '@open-rpc/schema-utils-js'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type MethodObject, openRpcDocument } from '../../.ci/schemas/document.ts'
import { fieldWords } from '../../.ci/schemas/field-words.ts'
import { type JsonSchema, schemasWithin } from '../../.ci/schemas/json-schema.ts'
import { exportedNames, resultTypes } from '../../.ci/schemas/result-types.ts'
import { TypeReader } from '../../.ci/schemas/type-reader.ts'
import { readInterfaceDocument } from '../../src/node.ts'
import { defineMethod, queryOf } from '../../src/rpc/methods/method.ts'
import { entryNames, homeOf } from '../support/entry-names.ts'
import { documentedParameters, documentedScopes } from './documented-parameters.ts'
import { documentedResources } from './documented-resources.ts'

const types = resultTypes()
const document = openRpcDocument(types)
const all: readonly MethodObject[] = [...document.methods, ...document['x-pitclock-gateways'].methods]

function methodOf(name: string): MethodObject {
  const method = document.methods.find((each) => each.name === name)
  if (method === undefined) throw new RangeError(`${name} is no method`)
  return method
}

/** Every schema of a result, with its path. */
const results: readonly (readonly [string, JsonSchema])[] = [
  ...Object.entries(types.types).flatMap(([name, schema]) => [...schemasWithin(schema, name)]),
  ...all.flatMap(({ name, result }) => [...schemasWithin(result.schema, name)]),
]

test('the document in the package matches the sources', async () => {
  const built = await readInterfaceDocument()
  expect(built.ok ? built.value : built.error).toEqual(JSON.parse(JSON.stringify(document)))
})

describe('results', () => {
  test('no schema is open: objects have no further fields, and maps and lists declare their items', () => {
    const open = results.filter(([, schema]) => !isClosed(schema)).map(([at]) => at)
    expect(open).toEqual([])
    expect(results.length).toBeGreaterThan(1_000)
  })

  test('every type and each of its fields has a description', () => {
    const silent = Object.entries(types.types).flatMap(([name, { description = '' }]) =>
      description === '' ? [name] : [],
    )
    for (const [at, { properties = {} }] of results) {
      for (const [field, { description = '' }] of Object.entries(properties)) {
        if (description === '') silent.push(`${at}.${field}`)
      }
    }
    const where = 'each has a docstring where it is declared, or its name in field-words.ts'
    expect(silent, where).toEqual([])
  })

  test('every described field occurs in a result', () => {
    const fields = new Set(results.flatMap(([, { properties = {} }]) => Object.keys(properties)))
    expect(Object.keys(fieldWords).filter((word) => !fields.has(word))).toEqual([])
  })

  test('programs can import every type by its name', () => {
    const exported = exportedNames('src/wire.ts')
    const where = 'src/rpc/methods/results.ts has a line for the file of each'
    expect(
      types.declared.filter((name) => !exported.has(name)),
      where,
    ).toEqual([])
  })

  test('every type that the entry point exports for methods belongs to results', () => {
    const entries = entryNames()
    const own = (entries.get('pitclock/wire') ?? []).filter(({ name }) => homeOf(entries, name) === 'pitclock/wire')
    const known = new Set([
      ...types.declared,
      ...own
        .filter(({ name, kind }) => kind !== 'type' || types.declared.includes(name))
        .flatMap(({ mentions }) => mentions),
      // A page is used through the types of its items, and channels send bars.
      ...['MethodName', 'MethodParams', 'MethodResult', 'Page', 'WireBar'],
    ])
    expect(own.flatMap(({ name, kind }) => (kind === 'type' ? [name] : []))).toContain('Page')
    const strange = own.filter(({ name, kind }) => kind === 'type' && !known.has(name))
    expect(strange.map(({ name }) => name)).toEqual([])
  })
})

/** True for a schema against which a value can be checked. */
function isClosed(schema: JsonSchema): boolean {
  const { $ref, type, anyOf, allOf, items, additionalProperties: values } = schema
  if ($ref !== undefined) return types.types[$ref.split('/').at(-1) ?? ''] !== undefined
  if (anyOf !== undefined || allOf !== undefined) return true
  if (type === 'array') return items !== undefined
  if (type !== 'object') return type !== undefined
  return values === false || (typeof values === 'object' && Object.keys(values).length > 0)
}

describe('a method whose declaration is incomplete', () => {
  const options: ts.CompilerOptions = { strict: true, lib: ['lib.es5.d.ts'], types: [] }
  const usual = ts.createCompilerHost(options)
  const sources = new Map<string, ts.SourceFile | undefined>()

  /** The file of a library, read once. */
  function sourceOf(...asked: Parameters<ts.CompilerHost['getSourceFile']>): ts.SourceFile | undefined {
    const [name] = asked
    if (!sources.has(name)) sources.set(name, usual.getSourceFile(...asked))
    return sources.get(name)
  }

  /** The faults in the results of a table of methods. */
  function faultOf(reply: string): string {
    const file = 'table.ts'
    const text = `interface Named { readonly inner: unknown }
export const table = { 'public/x': { reply: (): ${reply} => { throw new Error() } } }`
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023)
    const host: ts.CompilerHost = {
      ...usual,
      getSourceFile: (name, ...how) => (name === file ? source : sourceOf(name, ...how)),
    }
    const program = ts.createProgram([file], options, host)
    const checker = program.getTypeChecker()
    const module = checker.getSymbolAtLocation(source)
    const [table] = module === undefined ? [] : checker.getExportsOfModule(module)
    const [method] = table === undefined ? [] : checker.getTypeOfSymbol(table).getProperties()
    if (method === undefined) throw new RangeError('there is a method')
    const reader = new TypeReader(checker)
    reader.resultOf(method)
    try {
      reader.check()
    } catch (error) {
      return String(error)
    }
    return ''
  }

  test.each([
    ['unknown', 'public/x: expected a type of values, found unknown'],
    ['any', 'public/x: expected a type of values, found any'],
    ['object', 'public/x: expected a type of values, found object'],
    ['{}', 'public/x: expected an object with fields, found {}'],
    ['{ a: { b: any } }', 'public/x.a.b: expected a type of values, found any'],
    ['{ [name: string]: unknown }', 'public/x{}: expected a type of values, found unknown'],
    ['{ a: () => number }', 'public/x.a: expected an object with fields, found () => number'],
    ['Named', 'Named.inner: expected a type of values, found unknown'],
    ['bigint', 'public/x: expected a type of values, found bigint'],
  ])('a result that is %s is reported', (reply, fault) => {
    expect(faultOf(reply)).toBe(`RangeError: results are not typed:\n${fault}`)
  })

  test('a complete result has no fault', () => {
    expect(faultOf("{ a: number, b?: 'x' | 'y' | null }")).toBe('')
  })

  test('a method without a scope does not compile', () => {
    const params = z.object({})
    const read = (): ReturnType<typeof queryOf> => queryOf(null)
    // @ts-expect-error a method says who may ask for it.
    defineMethod({ command: 'query', sessions: 'json_rpc', params, read, reply: () => 'ok' })
    expect(all.filter((method) => method['x-pitclock-scope'] === undefined)).toEqual([])
  })

  test('a method without its sessions does not compile', () => {
    const params = z.object({})
    const read = (): ReturnType<typeof queryOf> => queryOf(null)
    // @ts-expect-error a method says over which sessions it is asked.
    defineMethod({ command: 'query', scope: 'public', params, read, reply: () => 'ok' })
    expect(all.filter((method) => method['x-pitclock-sessions'] === undefined)).toEqual([])
  })

  test('the accepted sessions follow from the kind of the method', () => {
    const [gateway, simulator] = [document['x-pitclock-gateways'].methods, 'x-pitclock-simulator']
    expect(new Set(gateway.map((method) => method['x-pitclock-sessions']))).toEqual(new Set(['rest_gateway']))
    const served = document.methods.map((method) => {
      // A client that logs on has no session yet.
      const isDirect = /^sim\/direct\/(?!logon$|set_credential$)/.test(method.name)
      const usual = simulator in method ? 'any' : 'json_rpc'
      return [method.name, method['x-pitclock-sessions'], isDirect ? 'direct_access' : usual]
    })
    expect(served.filter(([, sessions, expected]) => sessions !== expected)).toEqual([])
  })
})

describe.each(Object.entries(documentedParameters))('parameters of %s', (name, parameters) => {
  const { params } = methodOf(name)

  test.each(Object.entries(parameters))('%s', (param, { required = false, ...schema }) => {
    const served = params.find((each) => each.name === param)
    expect(served?.required).toBe(required)
    const { enum: words, ...rest } = schema
    expect(served?.schema).toMatchObject(rest)
    const where = 'words of the interface document, as documented-parameters.ts has them'
    expect(served?.schema.enum?.toSorted(), where).toEqual(words?.toSorted())
  })

  test('no other parameters are required', () => {
    const others = params.filter((each) => parameters[each.name] === undefined)
    expect(others.filter(({ required }) => required === true).map((each) => each.name)).toEqual([])
  })
})

describe.each(Object.entries(documentedResources))('fields of %s', (name, fields) => {
  const { properties = {}, required = [] } = types.types[name] ?? {}

  test.each(Object.entries(fields))('%s', (field, { required: always = false, ...schema }) => {
    const { enum: words, ...rest } = schema
    expect(properties[field]).toMatchObject(rest)
    if (always) expect(required).toContain(field)
    // A word that the document does not show may still be listed.
    if (words !== undefined) {
      const where = 'words of the interface document, as documented-resources.ts has them'
      expect(properties[field]?.enum?.toSorted(), where).toEqual(words.toSorted())
    }
  })
})

describe('additions to the interface document', () => {
  test('R34 S186 both times are required, and a note says that one is enough', () => {
    const { params } = methodOf('public/get_last_trades_by_instrument_and_time')
    const notes = params.flatMap((each) => {
      const accepts = each['x-pitclock-accepts']
      return accepts === undefined ? [] : [[each.name, accepts]]
    })
    expect(notes).toEqual([
      ['start_timestamp', 'may be omitted with end_timestamp: starts with the first trade'],
      ['end_timestamp', 'may be omitted with start_timestamp: ends now'],
    ])
  })

  test('R73 accepted words beyond the list are in a note', () => {
    const { params } = methodOf('public/get_instruments')
    const notes = params.map(({ name, schema }) => [name, schema['x-pitclock-accepts']])
    expect(Object.fromEntries(notes)).toMatchObject({
      currency: 'any, for all currencies',
      product_group: 'in upper or lower case',
      state: 'in upper or lower case',
    })
    expect(methodOf('private/sell').params.find(({ name }) => name === 'price')?.schema).toEqual({
      type: 'number',
      'x-pitclock-accepts': '{"decimal": "0.1"}, the digits themselves',
    })
  })

  test('S09 an enumeration of the interface document contains no additional words', () => {
    const reason = types.types['WireOrder']?.properties?.['cancel_reason']
    expect(reason?.enum?.toSorted()).toEqual([
      ...['autoliquidation', 'cancel_on_disconnect', 'edit_post_only_reject'],
      ...['mmp_config_curtailment', 'mmp_trigger', 'oco_other_closed', 'oto_primary_closed'],
      ...['pme_account_locked', 'pme_risk_reduction', 'position_locked', 'risk_mitigation'],
      ...['settlement', 'user_request'],
    ])
    expect(JSON.stringify(types)).not.toContain('x-pitclock-gives')
  })

  test('every parameter has a description', () => {
    const silent = all.flatMap(({ name, params }) =>
      params.filter(({ description = '' }) => description === '').map((each) => `${name} ${each.name}`),
    )
    expect(silent).toEqual([])
  })

  test('scopes match the interface document', () => {
    const scopes = Object.keys(documentedScopes).map((name) => [name, methodOf(name)['x-pitclock-scope']])
    expect(Object.fromEntries(scopes)).toEqual(documentedScopes)
  })
})

describe('tools of OpenRPC', () => {
  test('the document matches the schema of OpenRPC documents', () => {
    const copy = JSON.parse(JSON.stringify(document)) as Parameters<typeof validateOpenRPCDocument>[0]
    expect(validateOpenRPCDocument(copy)).toBe(true)
    expect(validateOpenRPCDocument({ ...copy, methods: [{}] } as never)).not.toBe(true)
  })

  test('an unmodified reader parses it, and finds the fields of an order', async () => {
    const parsed = await parseOpenRPCDocument(JSON.parse(JSON.stringify(document)))
    const sell = parsed.methods.find((each) => 'name' in each && each.name === 'private/sell')
    const found = sell !== undefined && 'result' in sell ? sell.result : undefined
    const schema = found !== undefined && 'schema' in found ? (found.schema as JsonSchema) : {}
    expect(schema.properties?.['order']).toMatchObject({ allOf: [{ type: 'object' }] })
  })

  test('an unmodified validator of calls accepts the calls that the interface accepts', () => {
    const copy = JSON.parse(JSON.stringify(document)) as ConstructorParameters<typeof MethodCallValidator>[0]
    const calls = new MethodCallValidator(copy)
    const faultsOf = (params: object): readonly string[] => {
      const found = calls.validate('private/sell', params as never)
      return Array.isArray(found) ? found.map(({ message }) => message) : [String(found)]
    }
    expect(faultsOf({ instrument_name: 'BTC-PERPETUAL', amount: 10, price: 1 })).toEqual([])
    expect(faultsOf({ instrument_name: 'BTC-PERPETUAL', type: 'iceberg' })).toHaveLength(1)
    expect(faultsOf({ amount: 10 })).toHaveLength(1)
  })

  test('every method has a description, and its errors exist', () => {
    expect(all.filter(({ summary }) => summary === '').map(({ name }) => name)).toEqual([])
    const known = new Set(Object.keys(document.components.errors))
    const named = all.flatMap(({ errors }) => errors.map(({ $ref }) => $ref.split('/').at(-1) ?? ''))
    expect(named.filter((name) => !known.has(name))).toEqual([])
  })
})
