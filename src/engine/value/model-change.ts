/**
 * Changes the margin model of accounts and recomputes everything that depends on it.
 *
 * A holding without a position and open orders has no margin under any model, and its rows stay unchanged. So an
 * account that changes its model and changes it back has its original state.
 * Source: market.md 6.
 */
import { sizeOf } from '../../ledger/index.ts'
import { clearMargin, readExposure, readPremium } from '../../margin/index.ts'
import { currencies, type MarginModel } from '../../model/index.ts'
import { type AccountRow, type Exchange, followModel, type HoldingRow, setMarginModel } from '../state/index.ts'
import { type AccountMargins, marginsOf } from './account-margins.ts'
import { rebuildMargin, recomputeMargin } from './refresh.ts'
import { resumeAccount } from './skipped-revaluations.ts'

/** Changes an account to a margin model. The caller has checked that its margin suffices. */
export function putUnderModel(exchange: Exchange, owner: AccountRow, marginModel: MarginModel): void {
  const { id, marginModel: before } = owner.account
  if (before === marginModel) return
  resumeAccount(exchange, id)
  const own = exchange.holdings.filter(({ account }) => account === id)
  for (const holding of own) {
    if (!isIdle(exchange, holding)) clearMargin(exchange.margin, holding)
  }
  setMarginModel(exchange, owner, marginModel)
  for (const holding of own) followModel(exchange, holding)
  for (const holding of own) {
    if (isIdle(exchange, holding)) rebuildMargin(exchange, holding)
    else recomputeMargin(exchange, holding)
  }
}

/** The margins of all currencies of an account under another model. */
export function marginsUnder(
  exchange: Exchange,
  owner: AccountRow,
  marginModel: MarginModel,
): readonly AccountMargins[] {
  const { id, marginModel: before } = owner.account
  putUnderModel(exchange, owner, marginModel)
  const margins = currencies.map((currency) => marginsOf(exchange, id, currency))
  putUnderModel(exchange, owner, before)
  return margins
}

function isIdle({ ledger, margin }: Exchange, { holding }: HoldingRow): boolean {
  const { buys, sells } = readExposure(margin, holding)
  const { lots, cost } = readPremium(margin, holding)
  return sizeOf(ledger, holding) === 0 && buys === 0 && sells === 0 && lots === 0 && cost === 0n
}
