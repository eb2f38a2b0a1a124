/**
 * The OpenRPC document of the interface: every method with its parameters and its result. The build generates it from
 * the table of methods.
 */
import { err, type InputError, ok, type Result } from '../core/index.ts'
import { readPackageFile } from './package-file.ts'

/** A method in the document. JSON Schemas (draft 7) describe its parameters and its result. */
export interface DocumentedMethod {
  readonly name: string
  readonly summary: string
  readonly params: readonly {
    readonly name: string
    readonly description: string
    readonly required: boolean
    readonly schema: object
  }[]
  readonly result: { readonly name: string; readonly schema: object }
  readonly [field: string]: unknown
}

/** The OpenRPC document. Further fields are those of OpenRPC, and `x-pitclock-…`. */
export interface InterfaceDocument {
  readonly openrpc: string
  readonly servers: readonly { readonly name: string; readonly url: string }[]
  readonly methods: readonly DocumentedMethod[]
  readonly components: {
    readonly schemas: Readonly<Record<string, object>>
    readonly errors: Readonly<Record<string, object>>
  }
  readonly 'x-pitclock-gateways': {
    readonly url: string
    readonly methods: readonly DocumentedMethod[]
  }
  readonly [field: string]: unknown
}

const path = 'dist/schema/openrpc.json'

/** Reads the document. Returns an error if the package lacks it because the build did not write it. */
export function readInterfaceDocument(): Result<InterfaceDocument, InputError> {
  const read = readPackageFile(path)
  if (!read.ok) return read
  try {
    // The build of this package writes the file, and a test checks it against the schema of OpenRPC.
    return ok(JSON.parse(read.value) as InterfaceDocument)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const expected = 'a file that the build of the package writes'
    return err({ code: 'FILE', file: path, expected, found: 'no JSON' })
  }
}

const SCHEMAS = '#/components/schemas/'

/**
 * The JSON Schema (draft 7) of one method: its parameters as an object, its result, and the types that they refer to;
 * undefined if the document has no such method.
 */
export function methodSchema(document: InterfaceDocument, name: string): object | undefined {
  const method = document.methods.find((each) => each.name === name)
  if (method === undefined) return undefined
  const properties = method.params.map(({ name: param, description, schema }) => [param, { description, ...schema }])
  const params = {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: method.params.flatMap((each) => (each.required ? [each.name] : [])),
  }
  const { schema: result } = method.result
  const definitions = schemasOf([method], document)
  const text = JSON.stringify({
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: name,
    description: method.summary,
    type: 'object',
    properties: { params, result },
    definitions,
  })
  return JSON.parse(text.replaceAll(SCHEMAS, '#/definitions/')) as object
}

/** The named schemas that methods refer to. */
export function schemasOf(
  methods: readonly object[],
  { components: { schemas } }: Pick<InterfaceDocument, 'components'>,
): InterfaceDocument['components']['schemas'] {
  const found = new Set<string>()
  const waiting = [...methods]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [, name = ''] of JSON.stringify(next).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      const schema = schemas[name]
      if (schema === undefined || found.has(name)) continue
      found.add(name)
      waiting.push(schema)
    }
  }
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => found.has(name)))
}
