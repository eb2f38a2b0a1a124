/**
 * public/auth, public/exchange_token and public/fork_token: tokens, which a server issues and checks.
 *
 * Source: sessions document 2.1, 2.4; coverage S278-S280.
 */
import { z } from '../../../core/index.ts'
import { secretText } from '../secrets.ts'
import { servedMethod } from './served.ts'

/** A pair of tokens with its scopes. */
export interface TokenPair {
  readonly access_token: string
  readonly token_type: 'bearer'
  /** Seconds. */
  readonly expires_in: number
  readonly refresh_token: string
  /** Scopes, separated by spaces. */
  readonly scope: string
  /** The named session of the token. */
  readonly sid?: string
}

/** The result of `public/auth`. */
export interface Authenticated extends TokenPair {
  /** The `state` of the request. */
  readonly state?: string
  readonly enabled_features: readonly string[]
  readonly mandatory_tfa_status: 'inactive'
  readonly google_login: false
}

const scopeText = z.string().describe('requested scope, such as `trade:read_write session:desk expires:3600`')

/** Issues a token pair for a key, a signature or an older token pair. */
const auth = servedMethod<Authenticated>()(
  'public',
  z.object({
    grant_type: z
      .enum(['client_credentials', 'client_signature', 'refresh_token'])
      .describe('how the client authenticates'),
    client_id: z.string().optional().describe('name of the key; for client_credentials and client_signature'),
    client_secret: secretText.optional().describe('secret of the key; for client_credentials'),
    refresh_token: secretText.optional().describe('refresh token of an earlier reply'),
    timestamp: z.int().optional().describe('milliseconds since the epoch; for client_signature'),
    signature: secretText
      .optional()
      .describe('HMAC-SHA-256 in hexadecimal, with the secret as its key, of the lines timestamp, nonce and data'),
    nonce: z
      .string()
      .optional()
      .describe('text of up to 128 characters that the key has not signed before; required for client_signature'),
    data: z.string().optional().describe('any text that is signed too'),
    state: z.string().optional().describe('the reply repeats it'),
    scope: scopeText.optional(),
  }),
)

/** Issues a token pair for another account of the same owner. */
const exchangeToken = servedMethod<TokenPair>()(
  'public',
  z.object({
    refresh_token: secretText.describe('refresh token of an earlier reply'),
    subject_id: z.int().describe('number of the account that the new tokens are for'),
    scope: scopeText.optional(),
  }),
)

/** Issues a token pair of a new named session. */
const forkToken = servedMethod<TokenPair>()(
  'public',
  z.object({
    refresh_token: secretText.describe('refresh token of a named session'),
    session_name: z.string().min(1).describe('name of the new session'),
  }),
)

/** Methods by their names; a part of the table. */
export const tokenMethods = {
  'public/auth': auth,
  'public/exchange_token': exchangeToken,
  'public/fork_token': forkToken,
} as const
