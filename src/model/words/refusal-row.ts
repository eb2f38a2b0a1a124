/**
 * The columns of the table of refusals. Source: trading.md 9.1, C19; sessions-blocks-gateways.md 1.3; coverage R14.
 */
import type { Price9 } from '../../core/index.ts'
import type { DirectNames } from './direct-names.ts'
import type { RejectionReason } from './orders.ts'

/** The values that a refusal has in addition to its word. */
export interface Carried {
  readonly none: unknown
  readonly price: { readonly limit: Price9 }
  readonly count: { readonly limit: number }
  readonly currency: { readonly currency: string }
  /** Seconds until the request may be repeated. */
  readonly seconds: { readonly wait: number }
  /** A parameter and the problem with it. */
  readonly parameter: { readonly param: string; readonly problem: string }
  readonly problem: { readonly problem: string }
}

/** A row of the table. All columns are required. */
export type RefusalRow = readonly [
  carries: keyof Carried,
  /** The code of JSON-RPC. */
  code: number,
  /** The status of HTTP (R14). */
  status: 400 | 401 | 403 | 429 | 500 | 503,
  /** The message of JSON-RPC: `{word}` is replaced by the word, `{value}` by the value of the refusal. */
  message: string,
  direct: DirectNames,
  /**
   * The word in the history and the tables if an accepted order is refused when it becomes active (C19); null if the
   * check happens only at placement.
   */
  history: RejectionReason | null,
]

/** All columns of a word by name; see `RefusalRow`. */
export interface RefusalTerms {
  readonly carries: keyof Carried
  readonly code: number
  readonly status: RefusalRow[2]
  readonly message: string
  readonly direct: DirectNames
  readonly history: RejectionReason | null
}

/** The columns of a row by name. */
export function termsOf([carries, code, status, message, direct, history]: RefusalRow): RefusalTerms {
  return { carries, code, status, message, direct, history }
}
