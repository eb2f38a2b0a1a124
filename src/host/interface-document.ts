/**
 * The OpenRPC document of the interface, which the build writes from the table of methods: every method with its
 * parameters and its result.
 */
import { err, type InputError, ok, type Result } from '../core/index.ts'
import { readPackageFile } from './package-file.ts'

/** A method of the document; its parameters and results hold JSON Schemas (draft 7). */
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

/** The document; its other fields are those of OpenRPC, and `x-pitclock-…`. */
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

/** Reads the document; an error where the package has none, which its build writes. */
export function readInterfaceDocument(): Result<InterfaceDocument, InputError> {
  const read = readPackageFile(path)
  if (!read.ok) return read
  try {
    // The file is of this package, and a test holds it to the schema of OpenRPC.
    return ok(JSON.parse(read.value) as InterfaceDocument)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const expected = 'a file of the package, which its build writes'
    return err({ file: path, expected, found: 'no JSON' })
  }
}
