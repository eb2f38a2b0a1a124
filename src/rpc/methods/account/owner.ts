/**
 * Whose records a main account asks for: its own, or those of a subaccount, whose id is the number
 * that its account summary shows; and between which accounts money and positions may go.
 */
import { type AccountId, accountId, z } from '../../../core/index.ts'
import { accountOf, allAccounts, type Exchange, isRemoved } from '../../../engine/index.ts'
import { type AccessEntry, type Account, type Fault, validationStep } from '../../../model/index.ts'
import { type AccessNote, LOCAL_ADDRESS } from '../../history/index.ts'
import { asker, type ReadContext } from '../method.ts'

/** The parameter that names a subaccount. */
export const subaccountId = z.int().min(0).optional().describe('number of the subaccount; for main accounts only')

interface Owned {
  readonly subaccount_id?: number | undefined
}

/** Only a main account may name another than itself, and only one of its own: 13021. */
export function ownerFault(context: ReadContext, { subaccount_id: id }: Owned): Fault | null {
  if (id === undefined) return null
  const named = allAccounts(context.exchange)[id]
  const isOwn = named !== undefined && named.main === context.account
  if (isOwn && !isRemoved(context.exchange, named.id)) return null
  return { step: validationStep.scope, refusal: { reason: 'forbidden' } }
}

/** The fault of a subaccount that asks for what is for main accounts alone: 13012. */
export function mainFault(context: ReadContext): Fault | null {
  const { id, main } = accountOf(context.exchange, asker(context))
  if (id === main) return null
  return { step: validationStep.scope, refusal: { reason: 'unavailable_in_subaccount' } }
}

/** An entry of the asker's access log. Assumed: a desk knows no addresses. */
export function ownNote(context: ReadContext, log: AccessEntry, data: string | null): AccessNote {
  return { account: asker(context), log, ip: LOCAL_ADDRESS, data }
}

/** Whose records are meant. */
export function ownerOfRecords(context: ReadContext, { subaccount_id: id }: Owned): AccountId {
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
 * The fault of a transfer between two accounts: both must be of the same main account (13021), and it is asked by
 * that or by the one that gives.
 */
export function transferFault(
  context: ReadContext,
  of: { readonly source: number; readonly target: number },
): Fault | null {
  const accounts = allAccounts(context.exchange)
  const [from, to] = [accounts[of.source], accounts[of.target]]
  const own = asker(context)
  const isFamily = from !== undefined && to !== undefined && from.main === to.main && !from.house
  const isGone = [from, to].some((each) => each !== undefined && isRemoved(context.exchange, each.id))
  if (isFamily && !isGone && (own === from.id || own === from.main)) return null
  return { step: validationStep.scope, refusal: { reason: 'forbidden' } }
}
