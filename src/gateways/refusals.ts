/**
 * The engine's refusals and cancel reasons in the words of direct access. The table of refusals has the names of a
 * refusal.
 *
 * Source: sessions document 8.7; trading.md 9.2; coverage R53, R61; S303-S307.
 */
import { assert } from '../core/index.ts'
import {
  type CancelReason,
  type DirectMessage,
  type DirectNames,
  type Reason,
  type ReasonOf,
  type ReasonTable,
  type Refusal,
  type RejectReason,
  reasonIn,
  refusals,
} from '../model/index.ts'
import { errorOf, type RefusedMessage, type VenueError } from '../rpc/index.ts'
import { type RejectHead, rejectHead } from './answers.ts'
import { versionOf } from './posting.ts'

type RejectTable = Exclude<ReasonTable, 'CancelReason'>

/** The reject message for each message. */
const rejectOf: { readonly [M in DirectMessage]: RejectTable } = {
  NewOrderRequest: 'NewOrderReject',
  AmendOrderRequest: 'AmendOrderReject',
  CancelOrderRequest: 'CancelOrderReject',
  CancelOrderByIdRequest: 'CancelOrderReject',
  MassQuoteRequest: 'MassQuoteReject',
  MassCancelRequest: 'MassCancelReject',
  MassQuoteCancelRequest: 'MassCancelReject',
  GetMassQuoteMmpStatusRequest: 'MassQuoteMmpStatusReject',
  GetOrdersMmpStatusRequest: 'OrdersMmpStatusReject',
}

/** The column of the table of refusals that names refusals of a reject message. */
const columnOf: { readonly [T in RejectTable]: keyof DirectNames } = {
  NewOrderReject: 'order',
  AmendOrderReject: 'order',
  CancelOrderReject: 'cancel',
  MassQuoteReject: 'massQuote',
  MassCancelReject: 'massCancel',
  MassQuoteMmpStatusReject: 'mmpStatus',
  OrdersMmpStatusReject: 'mmpStatus',
  Reject: 'message',
}

/** The error of a refused message, for a session with this schema version. */
export function directError(message: DirectMessage, refusal: Refusal, version: number): VenueError {
  // A message over no direct access session of the account does not count as a message.
  if (refusal.reason === 'invalid_params' && refusal.param === 'session') return errorOf(refusal)
  const isOfMessage = refusals[refusal.reason].direct.message !== null
  return rejectError(isOfMessage ? 'Reject' : rejectOf[message], refusal.reason, version)
}

/**
 * `directError` with the times and the names of the request. `Reject` answers a message that could not be read, so it
 * has no names.
 */
export function directReject(message: DirectMessage, refusal: Refusal, of: RefusedMessage): VenueError {
  const version = versionOf(of.history, of.session)
  const error = directError(message, refusal, version)
  const { reject } = error.data ?? {}
  if (reject === undefined || reject === 'Reject') return error
  return withHead(error, rejectHead(rejectOf[message], of.asked, of.number, of.time))
}

/** A reject with its time, its number, and the names of its request. */
export function withHead(error: VenueError, head: RejectHead): VenueError {
  assert(error.data !== undefined, 'a reject names its message')
  return { code: error.code, message: error.message, data: { ...error.data, ...head } }
}

/** A reject of one kind, for a reason of the engine. */
export function rejectError(reject: RejectTable, word: RejectReason, version: number): VenueError {
  const reported = refusals[word].direct[columnOf[reject]]
  assert(reported !== null, `Reject has a reason that applies to any message, found ${word}`)
  // The column of a reject message has names of its table.
  const { code, name } = reasonIn(reject, reported as never, version)
  return { code, message: name, data: { reason: word, reject } }
}

/** The names of cancel reasons; cancels by staff of the venue are `ADMIN`. */
export const cancelWordsOf: { readonly [R in CancelReason]: ReasonOf<'CancelReason'> } = {
  user_request: 'BY_REQUEST',
  risk_mitigation: 'SELF_MATCH_PREVENTION',
  edit_post_only_reject: 'POST_ONLY',
  timed_out: 'TIME_IN_FORCE',
  oco_other_closed: 'UNKNOWN',
  oto_primary_closed: 'UNKNOWN',
  settlement: 'SETTLEMENT',
  autoliquidation: 'LIQUIDATION',
  position_locked: 'ADMIN',
  pme_account_locked: 'ADMIN',
  pme_risk_reduction: 'ADMIN',
  cancel_on_disconnect: 'CLIENT_DISCONNECT',
  mmp_trigger: 'MM_PROTECTION',
  mmp_config_curtailment: 'MM_PROTECTION',
  portfolio_locked: 'PORTFOLIO_LOCKED',
  time_in_force: 'TIME_IN_FORCE',
  expiry: 'DELIVERED',
  rescale: 'QTY_TICK_SIZE_RESCALE',
}

/**
 * The cancel reason of an order, for a session with this schema version. The engine's `risk_mitigation` covers orders
 * that would match own orders, and orders whose book has closed. The deletion of a group reduces the size of its orders
 * to zero, which has the reason of a curtailment.
 */
export function cancelReasonOf(reason: CancelReason, bookGone: boolean, groupGone: boolean, version: number): Reason {
  const isBookGone = reason === 'risk_mitigation' && bookGone
  const isGroupGone = reason === 'mmp_config_curtailment' && groupGone
  const name = isBookGone ? 'BOOK_DEACTIVATED' : isGroupGone ? 'MMP_GROUP_DELETED' : cancelWordsOf[reason]
  return reasonIn('CancelReason', name, version)
}
