/**
 * The owner of accounts sets the product groups that each of them may not trade.
 *
 * Rule: account.products. Source: trading.md 4.1, 4.9.
 */
import { assert } from '../../core/index.ts'
import { type SetDisabledProducts, tradingProducts, validationStep } from '../../model/index.ts'
import {
  type AccountRow,
  type Exchange,
  emitStanding,
  noteRestrictions,
  pass,
  refuse,
  type Turn,
  type Verdict,
} from '../state/index.ts'
import { type Handlers, seal } from './handler.ts'

/** The target must belong to the main account that sends the request, or be that account; only reads. */
function checkSetDisabledProducts(exchange: Exchange, { account, target }: SetDisabledProducts): Verdict<AccountRow> {
  const row = exchange.accounts[target]
  if (row !== undefined && row.account.main === account) return pass(row)
  return refuse(validationStep.parameters, { reason: 'forbidden' })
}

/**
 * Sets the disabled products. Events: `standing` of each product that changed, in the venue's order. Returns their
 * number.
 */
function commitSetDisabledProducts(turn: Turn, { session, products }: SetDisabledProducts, owner: AccountRow): number {
  const { account, standing } = owner
  const { disabledProducts } = standing
  const changed = tradingProducts.filter((product) => disabledProducts.has(product) !== products.includes(product))
  // The set keeps the venue's order, so that equal settings are equal states.
  disabledProducts.clear()
  for (const product of tradingProducts) {
    if (products.includes(product)) disabledProducts.add(product)
  }
  assert(disabledProducts.size <= products.length, 'only named products are disabled')
  noteRestrictions(owner)
  for (const product of changed) {
    emitStanding(turn, {
      protection: 'trading_product',
      change: disabledProducts.has(product) ? 'on' : 'off',
      account: account.id,
      session,
      group: product,
    })
  }
  return changed.length
}

export const productsHandlers: Handlers<'set_disabled_products'> = {
  set_disabled_products: seal({
    check: checkSetDisabledProducts,
    commit: commitSetDisabledProducts,
  }),
}
