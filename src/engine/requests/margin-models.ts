/**
 * Owners put their accounts under another margin model.
 *
 * Rule: margin.change-model. The margin of the account has to suffice under the new model: in each currency, or in all
 * together where they share it, its initial margin and the reserves of spot orders are at most its margin balance. A
 * trial is checked as the change itself, and changes nothing.
 *
 * Assumed: an account that is liquidated keeps its model; standard margin reserves the premium of option orders and
 * portfolio margin does not, and only portfolio margin lets them be protected, so that no order of options may be open
 * when one takes the place of the other. The venue's page says no more than that the change is checked.
 * Source: market.md 6; the venue's page of `change_margin_model`.
 */
import { assert } from '../../core/index.ts'
import { type ChangeMarginModel, marginModels, validationStep } from '../../model/index.ts'
import {
  type AccountRow,
  type Exchange,
  emitStanding,
  orderAt,
  pass,
  refuse,
  rowOfInstrument,
  type Turn,
  type Verdict,
  visitAccountOrders,
} from '../state/index.ts'
import { marginsUnder, modelOf, putUnderModel, watchHolding } from '../value/index.ts'
import { badParam } from './argument-refusals.ts'
import { type Handlers, seal } from './handler.ts'

function checkChangeMarginModel(exchange: Exchange, { target, marginModel }: ChangeMarginModel): Verdict<AccountRow> {
  const owner = exchange.accounts[target]
  if (owner === undefined || owner.account.house) {
    return badParam('user_id', 'expected the account of a trader')
  }
  if (owner.liquidations.length > 0) {
    return refuse(validationStep.accountLocks, { reason: 'account_locked' })
  }
  const { account } = owner
  const after = modelOf({ account: { ...account, marginModel } })
  if (modelOf(owner).netsPositions !== after.netsPositions && hasOptionOrders(exchange, target)) {
    return badParam(
      'margin_model',
      'open option orders must end first, because their reserves depend on the margin model',
    )
  }
  // An account that keeps its model has the margins that it has.
  if (account.marginModel === marginModel) return pass(owner)
  const isShort = marginsUnder(exchange, owner, marginModel).some(({ available }) => available < 0n)
  return isShort ? refuse(validationStep.margin, { reason: 'not_enough_funds' }) : pass(owner)
}

/** Events: `standing` with the new model, where it is another one. Counts the place of the model before. */
function commitChangeMarginModel(
  turn: Turn,
  { target, marginModel, isTrial }: ChangeMarginModel,
  owner: AccountRow,
): number {
  const { exchange } = turn
  const before = owner.account.marginModel
  if (isTrial || before === marginModel) return marginModels.indexOf(before)
  putUnderModel(exchange, owner, marginModel)
  assert(owner.account.marginModel === marginModel, 'an account has the model that it was given')
  for (const holding of exchange.holdings) {
    if (holding.account === target) watchHolding(exchange, holding)
  }
  emitStanding(turn, {
    protection: 'margin_model',
    change: 'on',
    account: target,
    group: marginModel,
  })
  return marginModels.indexOf(before)
}

function hasOptionOrders(exchange: Exchange, account: number): boolean {
  let found = false
  visitAccountOrders(exchange, account, (slot) => {
    const { kind } = rowOfInstrument(exchange, orderAt(exchange, slot).instrument).instrument
    if (kind === 'option' || kind === 'option_combo') found = true
  })
  return found
}

export const marginModelsHandlers: Handlers<'change_margin_model'> = {
  change_margin_model: seal({ check: checkChangeMarginModel, commit: commitChangeMarginModel }),
}
