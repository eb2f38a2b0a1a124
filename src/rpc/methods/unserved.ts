/**
 * Published methods of the venue that the simulator does not serve, each with the reason and with what to use instead.
 *
 * A published method is either in the table of methods or here; `test/conformance/published-methods.test.ts` holds it.
 * The error of such a method has this text as its hint, and the guide of the server prints the list.
 */
import { nearest } from '../../core/index.ts'

/** Why a published method is not served. */
interface UnservedMethod {
  /** The part of the venue that the simulator leaves out, as a clause. */
  readonly reason: string
  /** The method, control or setting that serves the same purpose; null without one. */
  readonly instead: string | null
}

const broker: UnservedMethod = {
  reason: 'brokers and their clients are not simulated',
  instead: 'private/get_block_trade_requests, private/get_block_trades',
}
const members: UnservedMethod = {
  reason: 'members of direct access are set by the scenario and by controls',
  instead: 'sim/set_permissions with member',
}
const beneficiary: UnservedMethod = {
  reason: 'beneficiaries of addresses are kept with the entries of the address book',
  instead: 'private/add_to_address_book, private/get_address_book',
}
const affiliates: UnservedMethod = {
  reason: 'the affiliate programme is not simulated, and referrals_count is always 0',
  instead: null,
}
const mail: UnservedMethod = { reason: 'the simulator sends no mail', instead: null }
const yields: UnservedMethod = {
  reason: 'no balance earns a yield, and apr is always 0',
  instead: 'apr of public/get_currencies',
}

/** The methods by their names. */
export const unservedMethods: { readonly [method: string]: UnservedMethod } = {
  'private/delete_address_beneficiary': beneficiary,
  'private/delete_member': members,
  'private/enable_affiliate_program': affiliates,
  'private/get_address_beneficiary': beneficiary,
  'private/get_affiliate_program_info': affiliates,
  'private/get_broker_clients': broker,
  'private/get_broker_trade_requests': broker,
  'private/get_broker_trades': broker,
  'private/get_email_language': mail,
  'private/get_members': members,
  'private/get_reward_eligibility': yields,
  'private/list_address_beneficiaries': beneficiary,
  'private/list_custody_accounts': {
    reason: 'accounts at custodians are not simulated',
    instead: 'private/get_account_summaries',
  },
  'private/save_address_beneficiary': beneficiary,
  'private/set_clearance_originator': {
    reason: 'deposits need no data of their originator',
    instead: 'sim/receive_deposit',
  },
  'private/set_email_language': mail,
  'private/set_member': members,
  'public/get_apr_history': yields,
}

/**
 * The hint for a method that is not served: the reason if the venue publishes the method, otherwise the most similar
 * name of a served method; null without such a name.
 *
 * @example
 * console.log(methodHint('private/get_email_language', []))
 * // the venue has private/get_email_language, the simulator does not: the simulator sends no mail
 */
export function methodHint(method: string, served: readonly string[]): string | null {
  const known = Object.hasOwn(unservedMethods, method) ? unservedMethods[method] : undefined
  if (known === undefined) {
    const meant = nearest(method, served)
    return meant === undefined ? null : `did you mean ${meant}?`
  }
  const text = `the venue has ${method}, the simulator does not: ${known.reason}`
  return known.instead === null ? text : `${text}; use ${known.instead}`
}
