/**
 * Owners change the margin models of their accounts.
 *
 * Rule: margin.change-model. The margin of the account must suffice under the new model: in each currency, or in all
 * together if they share it, initial margin plus the reserves of spot orders must not exceed the margin balance. A
 * trial runs the same checks and changes nothing.
 *
 * Assumed: an account under liquidation keeps its model. Standard margin reserves the premium of option orders and
 * portfolio margin does not, and only portfolio margin allows market-maker protection of them, so no option order may
 * be open when one replaces the other. The venue's page says only that the change is checked.
 * Source: market.md 6; the venue's page of `change_margin_model`.
 */
import { assert } from '../../core/index.ts'
import { type ChangeMarginModel, marginModels, validationStep } from '../../model/index.ts'
import {
  type AccountRow,
  type CheckResult,
  type Exchange,
  emitStanding,
  orderAt,
  pass,
  refuse,
  rowOfInstrument,
  type Turn,
  visitAccountOrders,
} from '../state/index.ts'
import { marginsUnder, modelOf, putUnderModel, suspectHolderIfShort } from '../value/index.ts'
import { badParam, type Handlers, seal } from './handler.ts'

function checkChangeMarginModel(
  exchange: Exchange,
  { target, marginModel }: ChangeMarginModel,
): CheckResult<AccountRow> {
  const owner = exchange.accounts[target]
  if (owner === undefined || owner.account.house) {
    return badParam('user_id', 'expected the account of a trader')
  }
  if (owner.liquidations.length > 0) {
    return refuse(validationStep.accountLocks, { reason: 'account_locked' })
  }
  const after = modelOf({ account: { ...owner.account, marginModel } })
  if (modelOf(owner).netsPositions !== after.netsPositions && hasOptionOrders(exchange, target)) {
    return badParam(
      'margin_model',
      'open option orders must end first, because their reserves depend on the margin model',
    )
  }
  // Keeping the model does not change the margins, so they are not checked.
  if (owner.account.marginModel === marginModel) return pass(owner)
  const isShort = marginsUnder(exchange, owner, marginModel).some(({ available }) => available < 0n)
  return isShort ? refuse(validationStep.margin, { reason: 'not_enough_funds' }) : pass(owner)
}

/** Changes the model. Events: `standing` with the new model, if it differs. Returns the index of the previous model. */
function commitChangeMarginModel(
  turn: Turn,
  { target, marginModel, isTrial }: ChangeMarginModel,
  owner: AccountRow,
): number {
  const before = owner.account.marginModel
  if (isTrial || before === marginModel) return marginModels.indexOf(before)
  putUnderModel(turn.exchange, owner, marginModel)
  assert(owner.account.marginModel === marginModel, 'an account has the model that it was given')
  for (const holding of turn.exchange.holdings) {
    if (holding.account === target) suspectHolderIfShort(turn.exchange, holding)
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
