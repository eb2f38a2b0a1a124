/**
 * The OpenRPC document of the interface, from the tables of methods and of refusals.
 *
 * Source: OpenRPC specification 1.3; coverage R34, R73, R33 (codes).
 */

import { methodNames, venueMethods } from '../../src/gateways/index.ts'
import { type RejectReason, refusals, rejectReasons } from '../../src/model/index.ts'
import { type Method, statusOf, VENUE_VERSION } from '../../src/rpc/index.ts'
import { gatewayTable } from '../../src/rpc/methods/account/gateway/gateway-methods.ts'
import type { JsonSchema } from './json-schema.ts'
import { parametersOf } from './parameters.ts'
import type { ResultTypes, TypedMethod, TypedMethods } from './result-types.ts'

/** A parameter or a result. */
interface ContentDescriptor {
  readonly name: string
  readonly description?: string
  readonly required?: boolean
  readonly schema: JsonSchema
  readonly 'x-pitclock-accepts'?: string
}

/** A method of the document. */
export interface MethodObject {
  readonly name: string
  readonly summary: string
  readonly tags: readonly { readonly name: string }[]
  readonly paramStructure: 'by-name'
  readonly params: readonly ContentDescriptor[]
  readonly result: ContentDescriptor
  readonly errors: readonly { readonly $ref: string }[]
  readonly 'x-pitclock-scope': string
  readonly 'x-pitclock-rfq-scope'?: string
  readonly 'x-pitclock-sessions': string
  readonly 'x-pitclock-main-account'?: true
  readonly 'x-pitclock-simulator'?: true
  readonly 'x-pitclock-charge'?: string
  readonly 'x-pitclock-queue'?: string
}

/** An error of the document. */
interface ErrorObject {
  readonly code: number
  readonly message: string
}

/** The document. */
export interface OpenRpcDocument {
  readonly openrpc: string
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly name: string; readonly url: string }[]
  readonly methods: readonly MethodObject[]
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly errors: Readonly<Record<string, ErrorObject>>
  }
  /** The HTTP status of each error, by its code. */
  readonly 'x-pitclock-http-statuses': Readonly<Record<string, number>>
  /**
   * The REST interface of the gateways of the alternative engine, which has different paths and a different envelope.
   */
  readonly 'x-pitclock-gateways': {
    readonly url: string
    readonly methods: readonly MethodObject[]
  }
}

const ERRORS = '#/components/errors/'

/** The document of all methods. */
export function openRpcDocument(types: ResultTypes): OpenRpcDocument {
  const errors = errorObjects()
  return {
    openrpc: '1.3.2',
    info: {
      title: 'Pitclock',
      version: VENUE_VERSION,
      description:
        'A simulated derivatives exchange. Methods are available over HTTP and WebSockets; the methods of sim/ only if ' +
        'the server enables them. Each method lists the errors that any request of its kind can return; its orders, ' +
        'transfers and other actions can also be rejected with any other error of components.errors. ' +
        'x-pitclock-accepts describes values that a parameter accepts in addition to its schema.',
    },
    servers: [{ name: 'local', url: 'http://127.0.0.1:8420/api/v2' }],
    methods: methodObjects(overJsonRpc(types.methods), venueMethods.find),
    components: { schemas: types.types, errors },
    'x-pitclock-http-statuses': Object.fromEntries(Object.values(errors).map((error) => [error.code, statusOf(error)])),
    'x-pitclock-gateways': {
      url: 'http://127.0.0.1:8420/gateways/{gateway}/api/v2',
      methods: methodObjects(types.gatewayMethods, (name) => gateway.get(name)),
    },
  }
}

/** Methods of JSON-RPC; some methods exist only on gateways. */
function overJsonRpc(typed: TypedMethods): TypedMethods {
  const known = methodNames.filter((name) => venueMethods.findOver(undefined, name) !== undefined)
  return Object.fromEntries(known.flatMap((name) => pairIn(typed, name)))
}

/** A method by its name, in the order of the table of methods. */
function pairIn(typed: TypedMethods, name: string): readonly (readonly [string, TypedMethod])[] {
  const method = typed[name]
  return method === undefined ? [] : [[name, method]]
}

const gateway: ReadonlyMap<string, Method> = new Map(
  Object.entries(gatewayTable).map(([name, method]) => [name, method as unknown as Method]),
)

function methodObjects(typed: TypedMethods, find: (name: string) => Method | undefined): readonly MethodObject[] {
  return Object.entries(typed).map(([name, { summary, result }]) => {
    const method = find(name)
    if (method === undefined) throw new RangeError(`${name}: expected a method`)
    const params = parametersOf(method).map(({ accepts, ...param }) => ({
      ...param,
      ...(accepts === undefined ? {} : { 'x-pitclock-accepts': accepts }),
    }))
    const charge = chargeOf(name, method)
    const { scope, rfqScope, sessions, mainAccount, queue } = method
    return {
      name,
      summary,
      tags: [{ name: tagOf(name, method) }],
      paramStructure: 'by-name',
      params,
      result: { name: 'result', schema: result },
      errors: errorsOf(name, method).map((key) => ({ $ref: `${ERRORS}${key}` })),
      'x-pitclock-scope': scope,
      'x-pitclock-sessions': sessions,
      ...(rfqScope === undefined ? {} : { 'x-pitclock-rfq-scope': rfqScope }),
      ...(mainAccount === undefined ? {} : { 'x-pitclock-main-account': mainAccount }),
      ...(name.startsWith('sim/') ? { 'x-pitclock-simulator': true as const } : {}),
      ...(charge === null ? {} : { 'x-pitclock-charge': charge }),
      ...(queue === undefined ? {} : { 'x-pitclock-queue': queue }),
    }
  })
}

/** The area of a method: that of its scope; `sim` for the simulator's methods. */
function tagOf(name: string, { scope }: Method): string {
  if (name.startsWith('sim/')) return 'sim'
  return scope === 'any' ? 'private' : (scope.split(':')[0] ?? scope)
}

/** The bucket that a call is charged to, if rates are limited; the charge of a bulk cancel depends on its reach. */
function chargeOf(name: string, { charge, command }: Method): string | null {
  if (charge !== undefined) return charge
  if (name.startsWith('sim/')) return null
  const isBulk = command === 'cancel_orders' || command === 'cancel_quotes'
  return isBulk ? 'by_reach' : 'non_matching'
}

/** Errors that any request of a method may return. */
function errorsOf(name: string, { scope, params }: Method): readonly string[] {
  const words: RejectReason[] = ['invalid_request', 'too_many_requests']
  if (Object.keys(params.shape).length > 0) words.push('invalid_params')
  if (scope !== 'public' && scope !== 'sim') {
    words.push('authorization_required', 'unauthorized')
    if (scope !== 'any') words.push('forbidden')
  }
  if (name.startsWith('sim/')) words.push('method_not_found', 'forbidden')
  return [...new Set(words)].map(keyOf)
}

/**
 * Errors by their word, with only the characters that names may contain; words with one code and message share an
 * entry.
 */
function errorObjects(): Readonly<Record<string, ErrorObject>> {
  const entries = rejectReasons.map((reason) => {
    const { code, message } = refusals[reason]
    return [keyOf(reason), { code, message: message.replace('{word}', reason) }] as const
  })
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))
}

function keyOf(reason: RejectReason): string {
  return reason.replaceAll(' ', '.')
}
