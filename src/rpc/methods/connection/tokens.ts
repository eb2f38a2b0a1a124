/**
 * public/auth, public/exchange_token and public/fork_token: tokens, which a server gives and looks at.
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
  /** The named session that it belongs to. */
  readonly sid?: string
}

/** The answer to `public/auth`. */
export interface Authenticated extends TokenPair {
  /** The text that was sent as `state`. */
  readonly state?: string
  readonly enabled_features: readonly string[]
  readonly mandatory_tfa_status: 'inactive'
  readonly google_login: false
}

const scopeText = z
  .string()
  .describe('words of what is asked for, such as `trade:read_write session:desk expires:3600`')

/** Gives a pair of tokens for a key, a signature or an older pair. */
const auth = servedMethod<Authenticated>()(
  'public',
  z.object({
    grant_type: z
      .enum(['client_credentials', 'client_signature', 'refresh_token'])
      .describe('how the client shows who it is'),
    client_id: z.string().optional().describe('name of a key; of credentials and signatures'),
    client_secret: secretText.optional().describe('its secret; of credentials'),
    refresh_token: secretText.optional().describe('the refresh token of a pair'),
    timestamp: z.int().optional().describe('milliseconds since the epoch; of signatures'),
    signature: secretText
      .optional()
      .describe(
        'HMAC-SHA-256 in hexadecimal, under the secret, of the lines timestamp, nonce and data',
      ),
    nonce: z
      .string()
      .optional()
      .describe(
        'text of at most 128 characters that no other signature of the key has; signatures need one',
      ),
    data: z.string().optional().describe('any text that is signed too'),
    state: z.string().optional().describe('the reply repeats it'),
    scope: scopeText.optional(),
  }),
)

/** Gives a pair for another account of the same owner. */
const exchangeToken = servedMethod<TokenPair>()(
  'public',
  z.object({
    refresh_token: secretText.describe('the refresh token of a pair'),
    subject_id: z.int().describe('number of the account that the new pair is for'),
    scope: scopeText.optional(),
  }),
)

/** Gives a pair of a new named session. */
const forkToken = servedMethod<TokenPair>()(
  'public',
  z.object({
    refresh_token: secretText.describe('the refresh token of a pair that has a named session'),
    session_name: z.string().min(1).describe('name of the new session'),
  }),
)

/** Methods by their names; a part of the table. */
export const tokenMethods = {
  'public/auth': auth,
  'public/exchange_token': exchangeToken,
  'public/fork_token': forkToken,
} as const
