/**
 * Whose records a main account asks for: its own, or those of a subaccount, whose id is the number
 * that its account summary shows.
 */
import { z } from 'zod'
import { type AccountId, accountId } from '../../../core/index.ts'
import { allAccounts } from '../../../engine/index.ts'
import { type Fault, validationStep } from '../../../model/index.ts'
import { asker, type ReadContext } from '../../method.ts'

/** The parameter that names a subaccount. */
export const subaccountId = z.int().min(0).optional().describe('for main accounts alone')

interface Owned {
  readonly subaccount_id?: number | undefined
}

/** Only a main account may name another than itself, and only one of its own: 13021. */
export function ownerFault(context: ReadContext, { subaccount_id: id }: Owned): Fault | null {
  if (id === undefined) return null
  const named = allAccounts(context.exchange)[id]
  if (named !== undefined && named.main === context.account) return null
  return { step: validationStep.scope, refusal: { reason: 'forbidden' } }
}

/** Whose records are meant. */
export function ownerOf(context: ReadContext, { subaccount_id: id }: Owned): AccountId {
  return id === undefined ? asker(context) : accountId(id)
}
