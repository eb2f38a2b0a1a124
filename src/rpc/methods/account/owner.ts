/**
 * Rules for requests about accounts of one owner: a main account can ask for its own records or those of a subaccount,
 * by the number that the account summary shows. Transfers of money and positions stay within the accounts of one owner.
 */
import { type AccountId, accountId, z } from '../../../core/index.ts'
import { accountOf, allAccounts, type Exchange, isRemoved } from '../../../engine/index.ts'
import { type AccessEntry, type Account, type Fault, validationStep } from '../../../model/index.ts'
import { type AccessNote, LOCAL_ADDRESS } from '../../history/index.ts'
import { asker, type ReadContext } from '../method.ts'

/** The parameter that names a subaccount. */
export const subaccountId = z.int().min(0).optional().describe('number of the subaccount; for main accounts only')

/** Only a main account may name another account, which must be one of its subaccounts: 13021. */
export function ownerFault(context: ReadContext, id: number | undefined): Fault | null {
  if (id === undefined) return null
  const named = allAccounts(context.exchange)[id]
  const isOwn = named !== undefined && named.main === context.account
  if (isOwn && !isRemoved(context.exchange, named.id)) return null
  return { step: validationStep.scope, refusal: { reason: 'forbidden' } }
}

/** The fault of a subaccount that calls a method for main accounts: 13012. */
export function mainFault(context: ReadContext): Fault | null {
  const { id, main } = accountOf(context.exchange, asker(context))
  if (id === main) return null
  return { step: validationStep.scope, refusal: { reason: 'unavailable_in_subaccount' } }
}

/**
 * An entry for the access log of the requesting account. Assumed: the client has the local address, because the request
 * router knows no addresses.
 */
export function ownNote(context: ReadContext, log: AccessEntry, data: string | null): AccessNote {
  return { account: asker(context), log, ip: LOCAL_ADDRESS, data }
}

/** The account whose records the request asks for. */
export function ownerOfRecords(context: ReadContext, id: number | undefined): AccountId {
  return id === undefined ? asker(context) : accountId(id)
}

/** A main account and its subaccounts by id. */
export function familyOf(exchange: Exchange, main: AccountId): readonly Account[] {
  const subaccounts = allAccounts(exchange).filter(({ id, main: of }) => {
    return of === main && id !== main && !isRemoved(exchange, id)
  })
  return [accountOf(exchange, main), ...subaccounts]
}

/**
 * The fault of a transfer between two accounts. Both must belong to one main account (13021), and the request must come
 * from that main account or from the giving account.
 */
export function transferFault(context: ReadContext, source: number, target: number): Fault | null {
  const accounts = allAccounts(context.exchange)
  const [from, to] = [accounts[source], accounts[target]]
  const own = asker(context)
  const isFamily = from !== undefined && to !== undefined && from.main === to.main && !from.house
  const isGone = [from, to].some((each) => each !== undefined && isRemoved(context.exchange, each.id))
  if (isFamily && !isGone && (own === from.id || own === from.main)) return null
  return { step: validationStep.scope, refusal: { reason: 'forbidden' } }
}
