/**
 * The page `/openrpc.json`: the OpenRPC document of the methods that this server serves, with its addresses.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { formatInputError } from '../core/index.ts'
import { type InterfaceDocument, readInterfaceDocument, schemasOf } from '../host/index.ts'
import { GATEWAYS_PATH } from './gateway-door.ts'
import { API_PATH, send } from './http-door.ts'

/** The server whose document is shown. */
interface InterfaceTerms {
  readonly sim: boolean
  /** The path prefix of its addresses; omitted for the root. */
  readonly place?: string
  readonly options: { readonly tls?: object }
}

/** The document of a server. */
export class InterfacePage {
  readonly #sim: boolean
  readonly #scheme: string
  readonly #place: string
  #document: ReturnType<typeof readInterfaceDocument> | undefined

  constructor({ sim, place = '', options }: InterfaceTerms) {
    this.#sim = sim
    this.#place = place
    this.#scheme = options.tls === undefined ? 'http' : 'https'
  }

  /** Answers with the document, or with 503 if the package was not built. */
  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    this.#document ??= readInterfaceDocument()
    const read = await this.#document
    if (!read.ok) {
      send(response, 503, JSON.stringify({ error: formatInputError(read.error) }))
      return
    }
    const { localAddress, localPort } = request.socket
    const host = request.headers.host ?? `${localAddress}:${localPort}`
    const origin = `${this.#scheme}://${host}${this.#place}`
    const served = await servedDocument(read.value, { origin, sim: this.#sim })
    send(response, 200, JSON.stringify(served))
  }
}

/** The document without methods that are not served, and without schemas that only these methods need. */
async function servedDocument(
  document: InterfaceDocument,
  { origin, sim }: { readonly origin: string; readonly sim: boolean },
): Promise<InterfaceDocument> {
  const methods = document.methods.filter(({ name }) => sim || !name.startsWith('sim/'))
  const gateways = document['x-pitclock-gateways']
  const { errors } = document.components
  const schemas = await schemasOf([...methods, ...gateways.methods], document)
  return {
    ...document,
    servers: [{ name: 'this server', url: `${origin}${API_PATH}` }],
    methods,
    components: { schemas, errors },
    'x-pitclock-gateways': {
      ...gateways,
      url: `${origin}${GATEWAYS_PATH}/{gateway}${API_PATH}`,
    },
  }
}
