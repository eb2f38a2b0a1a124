/**
 * Secrets of account holders: the proof that an account's reserves are counted, and how replies are
 * written down without it.
 *
 * Assumed: the signature is the HMAC-SHA-256 of the account's number under a key of the simulator, the
 * proof the SHA-256 of that; the venue says no more than that both exist.
 * Source: sessions document 6.1; S154; coverage R57.
 */
import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import type { AccountId } from '../core/index.ts'
import type { VenueReply } from './request.ts'

/** A proof of reserves as JSON. */
export interface WireProof {
  readonly proof_id: string
  readonly proof_id_signature: string
}

const SIMULATOR_KEY = utf8ToBytes('pitclock proof of reserves')
const HIDDEN = '***'
const secretFields: ReadonlySet<string> = new Set(['proof_id', 'proof_id_signature'])

/** The proof of an account. */
export function proofOf(account: AccountId): WireProof {
  const signature = bytesToHex(hmac(sha256, SIMULATOR_KEY, utf8ToBytes(String(account))))
  return { proof_id: bytesToHex(sha256(utf8ToBytes(signature))), proof_id_signature: signature }
}

/** A reply as it may be written to a file: every secret is hidden, all else is as it was. */
export function withoutSecrets(reply: VenueReply): VenueReply {
  return reply.ok ? { ...reply, result: hidden(reply.result) } : reply
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
