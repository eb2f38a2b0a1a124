/**
 * Access control: which client can call which method.
 *
 * Every request goes to the exchange with the account of its token. A request that its token does not allow carries the
 * reason, so the journal contains it and the exchange refuses it.
 * Source: sessions document 2, 3.1; coverage R13, R17, R75, S274-S282.
 */

import type { Mutable } from '../core/index.ts'
import { viewSession } from '../engine/index.ts'
import { findMethod } from '../gateways/index.ts'
import { type AccessScope, accessScopes, heartbeatMicros, type MethodScope } from '../model/index.ts'
import {
  findGatewayMethod,
  type Method,
  type ParamValue,
  type RequestParams,
  scopeOf,
  strangeNames,
  type VenueReply,
  type WireApiKey,
} from '../rpc/index.ts'
import {
  askerOf,
  type Grant,
  grantAllows,
  type Key,
  type Presented,
  requestText,
  type Seals,
  Tokens,
} from './access/index.ts'
import type { Asked, Client } from './client.ts'
import { ConnectionService, type OpenFork, remember, stopHeartbeat } from './connection-service.ts'
import type { KeyRing } from './key-ring.ts'
import { readTexts } from './lenient.ts'
import type { LiveMarket } from './live-market.ts'
import type { ServerMonitor } from './monitor.ts'
import type { LiveRequest } from './past.ts'

/** The authorization header of a client over HTTP, with the text that a signature covers. */
interface Shown {
  readonly authorization: string
  readonly verb: string
  readonly uri: string
  /** The URI with the path of its market. Clients that add this path to each address sign the URI without it. */
  readonly whole: string
  readonly body: string
}

/** The objects that access control uses. */
interface AuthorizerParts {
  readonly market: LiveMarket
  readonly keys: KeyRing
  readonly monitor: ServerMonitor
  readonly fork: OpenFork
  readonly seals: Seals
  /**
   * True if the server refuses parameters that a method does not have, which the venue ignores (R32), and texts in
   * place of numbers and other types, which the venue reads.
   */
  readonly strict: boolean
}

/** Parameters with a signature of the exchange, by method. */
const signatureParams: ReadonlyMap<string, string> = new Map([
  ['private/execute_block_trade', 'counterparty_signature'],
  ['private/invalidate_block_trade_signature', 'signature'],
])

/** Methods with the parameter `secret` of a credential. */
const credentialMethods: ReadonlySet<string> = new Set(['sim/direct/set_credential', 'sim/direct/logon'])

/** Methods whose result contains the secret of a key. */
const keyMethods: ReadonlySet<string> = new Set(['private/create_api_key', 'private/reset_api_key'])

/** The access control of a market. */
export class Authorizer {
  readonly #market: LiveMarket
  readonly #keys: KeyRing
  readonly #tokens: Tokens
  readonly #service: ConnectionService
  readonly #monitor: ServerMonitor
  /** True if requests are taken literally and unknown parameters are refused. */
  readonly isStrict: boolean
  readonly #seals: Seals

  constructor(of: AuthorizerParts) {
    this.#market = of.market
    this.#keys = of.keys
    this.#monitor = of.monitor
    this.isStrict = of.strict
    this.#seals = of.seals
    this.#tokens = new Tokens((key) => of.keys.isCurrent(key))
    this.#service = new ConnectionService(of.market, of.keys, this.#tokens, of.monitor, of.fork)
  }

  /** Passes a request of a client to the exchange; `onReply` is called once. */
  ask(client: Client, given: Asked, onReply: (reply: VenueReply) => void): void {
    const { method: name } = given
    const method = findMethod(name)
    const asked = this.#read(method, given)
    const grant = this.#grantOf(client, asked.params)
    const of = { name, account: grant?.account ?? null }
    const met = name.startsWith('sim/') ? null : this.#market.wire.admit(of)
    if (met === 'lost') return
    const request: Mutable<LiveRequest> = {
      method: name,
      params: this.#paramsOf(client, asked),
      account: grant === null ? null : askerOf(grant),
      session: client.session,
      onReply: (reply) => {
        this.#monitor.answered(client, name, reply)
        this.#answer(client, of.name, of.account, () => onReply(sealedReply(this.#seals, name, reply)))
        if (reply.ok) this.#afterwards(client, asked, grant)
      },
    }
    if (grant !== null && method?.gives !== undefined) {
      request.rights = accessScopes.filter((scope) => grantAllows(grant, scope))
    }
    if (method?.served === true) request.serve = () => this.#service.serve(client, asked, grant)
    const refused =
      met ?? this.#refusalOf(client, name, method, grant, asked.params) ?? this.#strangeRefusal(method, asked)
    if (refused !== null) request.refused = refused
    this.#openSession(client, grant)
    this.#market.ask(request)
  }

  /** The parameters of a request in the form of the exchange. */
  #paramsOf(client: Client, asked: Asked): RequestParams {
    const params = sealedParams(this.#seals, asked, this.#market)
    return opensOwn(client, asked) ? { ...params, clock: 'machine' } : params
  }

  /**
   * Opens the session of a socket before its first request with an account. The clock of the machine measures its
   * silence, and a replay of the journal closes the session where the server did.
   */
  #openSession(client: Client, grant: Grant | null): void {
    const account = grant?.account ?? null
    if (account === null || client.session === 0 || client.isOpened) return
    client.isOpened = true
    if (viewSession(this.#market.desk.exchange, client.session) !== undefined) return
    const params = { session: client.session, account, clock: 'machine' }
    this.#market.ask({ method: 'sim/connect', params, account: null, session: 0 })
  }

  /**
   * Passes a request over the REST interface of a gateway to the exchange; `sessionOf` returns the session of an
   * account on that gateway.
   */
  askGateway(
    client: Client,
    message: Asked,
    sessionOf: (account: string | null) => number,
    onReply: (reply: VenueReply) => void,
  ): void {
    const { method: name } = message
    const { grant } = client
    const method = findGatewayMethod(name)
    const asked = this.#read(method, message)
    const account = grant?.account ?? null
    const met = this.#market.wire.admit({ name, account })
    if (met === 'lost') return
    const request: LiveRequest = {
      method: name,
      params: asked.params,
      account: grant === null ? null : askerOf(grant),
      session: sessionOf(account),
      onReply: (reply) => {
        this.#monitor.answered(client, name, reply)
        this.#answer(client, name, account, () => onReply(reply))
      },
    }
    const unfit =
      method === undefined
        ? 'method_not_found'
        : (scopeRefusal(method, grant, asked.params) ?? this.#strangeRefusal(method, asked))
    const refused = met ?? unfit
    this.#market.ask(refused === null ? request : { ...request, refused })
  }

  /** A request whose texts are read as values. A strict server does this only for queries, which contain only texts. */
  #read(method: Method | undefined, asked: Asked): Asked {
    if (this.isStrict && asked.isQuery !== true) return asked
    return { ...asked, params: readTexts(method, asked.params) }
  }

  /** Sends a reply, unless a fault of messages applies to it. Replies to controls are never affected. */
  #answer(client: Client, name: string, account: string | null, send: () => void): void {
    if (name.startsWith('sim/')) send()
    else {
      const isAlone = client.session === 0
      this.#market.wire.carry({ of: 'replies', name, account, isAlone, receiver: client, send })
    }
  }

  /** Counts parameters that a method does not have; a strict server refuses them. */
  #strangeRefusal(method: Method | undefined, command: Asked): 'unknown_parameter' | null {
    if (method === undefined) return null
    const strange = strangeNames(method, command.params)
    this.#monitor.strange(command.method, strange)
    return this.isStrict && strange.length > 0 ? 'unknown_parameter' : null
  }

  /** Takes the credentials of a client over HTTP; invalid ones are ignored. */
  show(client: Client, shown: Shown): void {
    const grant = this.#grantShown(client, shown)
    if (grant !== undefined) remember(client, grant)
  }

  #grantShown(client: Client, shown: Shown): Grant | undefined {
    const [sort = '', ...rest] = shown.authorization.split(' ')
    const text = rest.join(' ').trim()
    switch (sort.toLowerCase()) {
      case 'bearer':
        return this.#tokens.find(text, this.#here(client))
      case 'basic': {
        const [id = '', ...secret] = Buffer.from(text, 'base64').toString('utf8').split(':')
        return this.#once(this.#keys.bySecret(id, secret.join(':'), client.address))
      }
      case 'deri-hmac-sha256': {
        const words = wordsOf(text)
        const keyOver = (uri: string): Key | undefined =>
          this.#keys.bySignature(
            words.get('id') ?? '',
            {
              timestamp: words.get('ts') ?? '',
              nonce: words.get('nonce') ?? '',
              signature: words.get('sig') ?? '',
              rest: requestText({ ...shown, uri }),
            },
            client.address,
          )
        return this.#once(keyOver(shown.uri) ?? (shown.whole === shown.uri ? undefined : keyOver(shown.whole)))
      }
      default:
        return undefined
    }
  }

  /** Ends everything that is bound to a connection. */
  leave(client: Client): void {
    stopHeartbeat(client)
    this.#market.wire.leave(client)
    this.#tokens.endConnection(client.session)
    this.#market.subscriptions.leave(client.session)
  }

  /** The token pair of a request, or the one that its connection remembers. */
  #grantOf(client: Client, params: RequestParams): Grant | null {
    const { access_token: shown } = params
    if (typeof shown === 'string') return this.#tokens.find(shown, this.#here(client)) ?? null
    return client.grant !== null && this.#isGood(client, client.grant) ? client.grant : null
  }

  #isGood(client: Client, grant: Grant): boolean {
    // Keys that are sent with each request have no tokens.
    return grant.access === '' || this.#tokens.isAlive(grant, this.#here(client))
  }

  /** The reason to refuse a request before the exchange checks it, or null. */
  #refusalOf(
    client: Client,
    name: string,
    method: Method | undefined,
    grant: Grant | null,
    params: RequestParams,
  ): 'forbidden' | 'method_not_found' | null {
    if (name.startsWith('sim/')) {
      if (!this.#keys.servesControls) return 'method_not_found'
      // If a request contains a token, only that token counts, as for any method.
      const isShown = typeof params.access_token === 'string'
      const control = isShown || grant?.account === null ? grant : client.control
      const isControl = control !== null && control.account === null
      return isControl && this.#isGood(client, control) ? null : 'forbidden'
    }
    return method === undefined ? null : scopeRefusal(method, grant, params)
  }

  /** Does the work that follows a successful reply. */
  #afterwards(client: Client, asked: Asked, grant: Grant | null): void {
    if (asked.method === 'public/test' && client.heartbeat !== null) client.heartbeat.isAnswered = true
    if (opensOwn(client, asked) && asked.params.heartbeats === true) client.silence?.allow(heartbeatMicros)
    if (asked.method !== 'private/logout') return
    if (asked.params.invalidate_token === false) this.#tokens.keepSession(client.session)
    else if (grant !== null) this.#tokens.endSession(client.session, grant)
    client.close('logout')
  }

  /** The rights of a key that is sent with its request. */
  #once(key: Key | undefined): Grant | undefined {
    if (key === undefined) return undefined
    return {
      key,
      account: key.account,
      isMain: key.isMain,
      areas: key.areas,
      connection: null,
      origin: null,
      session: null,
      sid: null,
      ip: null,
      expires: null,
      seconds: 0,
      until: 0,
      access: '',
      refresh: '',
      scope: '',
    }
  }

  #here({ session, address }: Client): Presented {
    return { now: performance.now(), connection: session === 0 ? null : session, address }
  }
}

/** True if a control opens the session of the connection that it came over. */
function opensOwn({ session }: Client, { method, params }: Asked): boolean {
  const isOpening = method === 'sim/connect' || method === 'sim/direct/logon'
  return isOpening && session !== 0 && params.session === session
}

/** The words of a signed header: `name=value`, separated by commas. */
function wordsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    text.split(',').map((part) => {
      const [name = '', ...value] = part.trim().split('=')
      return [name, value.join('=')] as const
    }),
  )
}

/**
 * The reason why a token does not allow a method, or null. Without a token it is null, because the exchange refuses
 * such requests.
 */
function scopeRefusal(method: Method, grant: Grant | null, params: RequestParams): 'forbidden' | null {
  const scope = scopeOf(method, params)
  if (grant === null || isOpenTo(scope)) return null
  if (method.mainAccount === true && !grant.isMain) return 'forbidden'
  return grantAllows(grant, scope) ? null : 'forbidden'
}

/** True if a scope needs no particular right: any token, or none. */
function isOpenTo(scope: MethodScope): scope is Exclude<MethodScope, AccessScope> {
  return scope === 'public' || scope === 'any' || scope === 'sim'
}

/**
 * Seals the secret parameters and results between clients and the exchange (`access/credentials.ts`).
 */

/** The parameters of a request in the form of the exchange and its journal. */
function sealedParams(seals: Seals, { method, params }: Asked, market: LiveMarket): RequestParams {
  const name = signatureParams.get(method)
  const signature = name === undefined ? undefined : params[name]
  if (name !== undefined && typeof signature === 'string') {
    return { ...params, [name]: seals.signatureIn(signature) }
  }
  if (!credentialMethods.has(method)) return params
  return { ...params, ...sealedSecret(seals, { method, params }, market) }
}

function sealedSecret(seals: Seals, command: Asked, market: LiveMarket): { readonly secret?: ParamValue } {
  const { client_id: clientId, secret } = command.params
  if (typeof secret !== 'string' || typeof clientId !== 'string') return {}
  // The exchange refuses a text that cannot be a secret, but it would accept its sealed form.
  if (findMethod(command.method)?.params.shape['secret']?.safeParse(secret).success !== true) {
    return { secret: '' }
  }
  const known = market.desk.history.messages.credentials.get(clientId)?.secret
  return { secret: seals.credential(clientId, secret, known) }
}

/** The reply to a request in the form of its client. */
function sealedReply(seals: Seals, method: string, reply: VenueReply): VenueReply {
  if (!reply.ok) return reply
  if (keyMethods.has(method)) {
    const key = reply.result as WireApiKey
    return { ...reply, result: { ...key, client_secret: seals.keySecret(key.client_secret) } }
  }
  if (method !== 'private/verify_block_trade') return reply
  // The result of this method contains a signature.
  const { signature } = reply.result as { readonly signature: string }
  return { ...reply, result: { signature: seals.signatureOut(signature) } }
}
