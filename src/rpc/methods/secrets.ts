/**
 * Secrets of account holders: the proof that an account's reserves are counted, and the form of requests and replies
 * without secrets for files.
 *
 * A parameter is a secret if its declaration says so (`secretText`). Its name is then hidden in every written request
 * of any method. Credentials of methods that are not served are hidden too, because people send them anyway. The
 * replacement has the type of the secret, so that a replay of a journal gives the same replies. Two kinds of secrets
 * are written in the form that the exchange has, because a replay needs them, and they are valid in this simulator
 * only: signatures of block trades, where they are used, and the credentials of direct access, which decide whether a
 * logon succeeds. A server seals both, and the secrets that owners receive for their keys
 * (`server/access/credentials.ts`). Only `public/auth` has parameters with key secrets, and they are hidden.
 *
 * Assumed: the signature is the HMAC-SHA-256 of the account's number under a key of the simulator, and the proof is the
 * SHA-256 of the signature. The venue says only that both exist.
 * Source: sessions document 6.1; S154; coverage R57.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type AccountId, z } from '../../core/index.ts'
import { configOf, type Exchange } from '../../engine/index.ts'
import type { ParamValue, RequestParams, VenueReply } from '../wire/index.ts'

/** A proof of reserves as JSON. */
interface WireProof {
  readonly proof_id: string
  readonly proof_id_signature: string
}

const SIMULATOR_KEY = utf8ToBytes('pitclock proof of reserves')
const HIDDEN = '***'
/** Credentials of `public/auth` and similar methods, and second factors, which clients of the wallet send. */
const unservedSecrets: ReadonlySet<string> = new Set([
  'access_token',
  'authorization_data',
  'client_secret',
  'password',
  'refresh_token',
  'signature',
  'tfa',
])
const secretFields: ReadonlySet<string> = new Set(['client_secret', 'proof_id', 'proof_id_signature', 'signature'])

/** The proof of an account. */
export function proofOf(account: AccountId): WireProof {
  const signature = bytesToHex(hmac(sha256, SIMULATOR_KEY, utf8ToBytes(String(account))))
  return { proof_id: bytesToHex(sha256(utf8ToBytes(signature))), proof_id_signature: signature }
}

/** The secret that a request gave to a key. Assumed: its form; the venue shows texts of 43 letters. */
export function keySecretOf(exchange: Exchange, client: string, secret: number): string {
  const { key } = configOf(exchange).blockTrades
  return bytesToHex(hmac(sha256, utf8ToBytes(key), utf8ToBytes(`key ${client} ${secret}`)))
}

/** A reply for a file, with every secret hidden and everything else unchanged. */
export function withoutSecrets(reply: VenueReply): VenueReply {
  return reply.ok ? { ...reply, result: hidden(reply.result) } : reply
}

/**
 * The schema of a secret parameter. It is marked with the JSON Schema keyword for values that are sent but never
 * returned.
 */
export const secretText = z.string().meta({ writeOnly: true })

/** The names of the secret parameters of a schema. */
export function secretsOf(schema: z.ZodObject): readonly string[] {
  return Object.keys(schema.shape).filter((name) => isSecret(schema.shape[name]))
}

/** The parameters for a file; `names` are the names of secrets. */
export function hiddenParams(params: RequestParams, names: ReadonlySet<string>): RequestParams {
  // Most requests contain no secret and are not copied.
  if (!Object.keys(params).some((name) => isHidden(name, names))) return params
  const entries = Object.entries(params).map(([name, value]) => [
    name,
    isHidden(name, names) ? placeholder(value) : value,
  ])
  return Object.fromEntries(entries)
}

function isHidden(name: string, names: ReadonlySet<string>): boolean {
  return names.has(name) || unservedSecrets.has(name)
}

/** A schema is a secret if it or the schema that it wraps is marked so. */
function isSecret(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return isSecret(schema.unwrap())
  }
  return schema instanceof z.ZodType && schema.meta()?.writeOnly === true
}

/** A value of the same type that reveals nothing. */
function placeholder(value: ParamValue | undefined): ParamValue | undefined {
  if (typeof value === 'string') return HIDDEN
  if (typeof value === 'number') return 0
  if (Array.isArray(value)) return []
  return typeof value === 'object' && value !== null ? {} : value
}

/** Recursion is safe, because replies are a few levels deep. */
function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) =>
    secretFields.has(key) ? [key, HIDDEN] : [key, hidden(each)],
  )
  return Object.fromEntries(entries)
}
