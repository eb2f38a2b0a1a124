/**
 * Seals the secret parameters and results between clients and the exchange (`access/seals.ts`).
 */
import { findMethod } from '../gateways/index.ts'
import type { ParamValue, RequestParams, VenueReply, WireApiKey } from '../rpc/index.ts'
import type { Seals } from './access/index.ts'
import type { Asked } from './client.ts'
import type { LiveMarket } from './live-market.ts'

/** Parameters with a signature of the exchange, by method. */
const signatureParams: ReadonlyMap<string, string> = new Map([
  ['private/execute_block_trade', 'counterparty_signature'],
  ['private/invalidate_block_trade_signature', 'signature'],
])

/** Methods with the parameter `secret` of a credential. */
const credentialMethods: ReadonlySet<string> = new Set(['sim/direct/set_credential', 'sim/direct/logon'])

/** Methods whose result contains the secret of a key. */
const keyMethods: ReadonlySet<string> = new Set(['private/create_api_key', 'private/reset_api_key'])

/** The parameters of a request in the form of the exchange and its journal. */
export function sealedParams(seals: Seals, { method, params }: Asked, market: LiveMarket): RequestParams {
  const name = signatureParams.get(method)
  const signature = name === undefined ? undefined : params[name]
  if (name !== undefined && typeof signature === 'string') {
    return { ...params, [name]: seals.signatureIn(signature) }
  }
  if (!credentialMethods.has(method)) return params
  return { ...params, ...sealedSecret(seals, { method, params }, market) }
}

function sealedSecret(seals: Seals, { method, params }: Asked, market: LiveMarket): { readonly secret?: ParamValue } {
  const { client_id: clientId, secret } = params
  if (typeof secret !== 'string' || typeof clientId !== 'string') return {}
  // The exchange refuses a text that cannot be a secret, but it would accept its sealed form.
  if (findMethod(method)?.params.shape['secret']?.safeParse(secret).success !== true) {
    return { secret: '' }
  }
  const known = market.desk.history.messages.credentials.get(clientId)?.secret
  return { secret: seals.credential({ clientId, secret, known }) }
}

/** The reply to a request in the form of its client. */
export function sealedReply(seals: Seals, method: string, reply: VenueReply): VenueReply {
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
