/**
 * The page `/openrpc.json`: the OpenRPC document of the methods that this server serves, with its own addresses.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { formatInputError } from '../core/index.ts'
import {
  type DocumentedMethod,
  type InterfaceDocument,
  readInterfaceDocument,
} from '../host/index.ts'
import { GATEWAYS_PATH } from './gateway-door.ts'
import { API_PATH, send } from './http-door.ts'

/** The document of a server. */
export class InterfacePage {
  readonly #sim: boolean
  readonly #scheme: string
  #document: ReturnType<typeof readInterfaceDocument> | undefined

  constructor({ sim, options }: { readonly sim: boolean; readonly options: { tls?: object } }) {
    this.#sim = sim
    this.#scheme = options.tls === undefined ? 'http' : 'https'
  }

  /** Answers with the document; 503 where the package was not built. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#document ??= readInterfaceDocument()
    const read = await this.#document
    if (!read.ok) {
      send(response, 503, JSON.stringify({ error: formatInputError(read.error) }))
      return
    }
    const { localAddress, localPort } = request.socket
    const host = request.headers.host ?? `${localAddress}:${localPort}`
    const origin = `${this.#scheme}://${host}`
    send(response, 200, JSON.stringify(servedDocument(read.value, { origin, sim: this.#sim })))
  }
}

/** A document without methods that are not served, and without schemas that only these need. */
export function servedDocument(
  document: InterfaceDocument,
  { origin, sim }: { readonly origin: string; readonly sim: boolean },
): InterfaceDocument {
  const methods = document.methods.filter(({ name }) => sim || !name.startsWith('sim/'))
  const gateways = document['x-pitclock-gateways']
  const { schemas, errors } = document.components
  return {
    ...document,
    servers: [{ name: 'this server', url: `${origin}${API_PATH}` }],
    methods,
    components: { schemas: schemasOf([...methods, ...gateways.methods], schemas), errors },
    'x-pitclock-gateways': {
      ...gateways,
      url: `${origin}${GATEWAYS_PATH}/{gateway}${API_PATH}`,
    },
  }
}

/** The schemas that methods lead to. */
function schemasOf(
  methods: readonly DocumentedMethod[],
  schemas: InterfaceDocument['components']['schemas'],
): InterfaceDocument['components']['schemas'] {
  const found = new Set<string>()
  const waiting: object[] = [...methods]
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
