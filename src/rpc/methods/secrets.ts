/**
 * Secrets of account holders: the proof that an account's reserves are counted, and how requests and
 * replies are written down without secrets.
 *
 * A parameter is a secret where its declaration says so (`secretText`); by that name it is hidden in every
 * request that is written down, of whatever method. So are the credentials of methods that are not served,
 * because people send them all the same. What stands for a secret is of its sort, so that a journal that is
 * run again gives the same replies. Two secrets of this simulator alone are written down as the exchange has them,
 * because a journal could not be run again without them: signatures of block trades, where they are used, and the
 * credentials of direct access, which decide whether a logon is taken. A server seals both, and the secrets that owners
 * get for their keys (`server/access/seals.ts`); no request names these but `public/auth`, where they are hidden.
 *
 * Assumed: the signature is the HMAC-SHA-256 of the account's number under a key of the simulator, the
 * proof the SHA-256 of that; the venue says no more than that both exist.
 * Source: sessions document 6.1; S154; coverage R57.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type AccountId, z } from '../../core/index.ts'
import { configOf, type Exchange } from '../../engine/index.ts'
import type { ParamValue, RequestParams, VenueReply } from '../wire/index.ts'

/** A proof of reserves as JSON. */
export interface WireProof {
  readonly proof_id: string
  readonly proof_id_signature: string
}

const SIMULATOR_KEY = utf8ToBytes('pitclock proof of reserves')
const HIDDEN = '***'
/** Credentials of `public/auth` and its kin, and second factors, which clients of the wallet send. */
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

/** The secret of a key, which a request gave it. Assumed: its form; the venue shows texts of 43 letters. */
export function keySecretOf(
  exchange: Exchange,
  { client, secret }: { readonly client: string; readonly secret: number },
): string {
  const { key } = configOf(exchange).blockTrades
  return bytesToHex(hmac(sha256, utf8ToBytes(key), utf8ToBytes(`key ${client} ${secret}`)))
}

/** A reply as it may be written to a file: every secret is hidden, all else is as it was. */
export function withoutSecrets(reply: VenueReply): VenueReply {
  return reply.ok ? { ...reply, result: hidden(reply.result) } : reply
}

/**
 * The schema of a secret parameter. Schemas of parameters tell it with the keyword of JSON Schema for what is
 * sent and never told.
 */
export const secretText = z.string().meta({ writeOnly: true })

/** The names of the parameters that a schema declares to be secrets. */
export function secretsOf(schema: z.ZodObject): readonly string[] {
  return Object.keys(schema.shape).filter((name) => isSecret(schema.shape[name]))
}

/** The parameters as they may be written to a file; `names` are those of secrets. */
export function hiddenParams(params: RequestParams, names: ReadonlySet<string>): RequestParams {
  // Most requests hold no secret and are not copied.
  if (!Object.keys(params).some((name) => isHidden(name, names))) return params
  const entries = Object.entries(params).map(([name, value]) => [name, isHidden(name, names) ? standIn(value) : value])
  return Object.fromEntries(entries)
}

function isHidden(name: string, names: ReadonlySet<string>): boolean {
  return names.has(name) || unservedSecrets.has(name)
}

/** A schema is a secret where it or what it wraps says so. */
function isSecret(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return isSecret(schema.unwrap())
  }
  return schema instanceof z.ZodType && schema.meta()?.writeOnly === true
}

/** A value of the same sort that tells nothing. */
function standIn(value: ParamValue | undefined): ParamValue | undefined {
  if (typeof value === 'string') return HIDDEN
  if (typeof value === 'number') return 0
  if (Array.isArray(value)) return []
  return typeof value === 'object' && value !== null ? {} : value
}

/** Replies are a few levels deep. */
function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, each]) =>
    secretFields.has(key) ? [key, HIDDEN] : [key, hidden(each)],
  )
  return Object.fromEntries(entries)
}
