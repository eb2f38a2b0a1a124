/**
 * The audit of skipped revaluations: a skipped holding is listed, within its bounds and valued at its recorded mark,
 * and its wallet is safe.
 */
import { assert, defined, divFloor } from '../../../core/index.ts'
import { basisBig, readHolding, setMarginBalance } from '../../../ledger/index.ts'
import { isBelowMaintenance, readExposure } from '../../../margin/index.ts'
import { CURRENCY_SLOTS } from '../../../model/index.ts'
import { accountRow, type Exchange, type HoldingRow, type InstrumentRow } from '../../state/index.ts'
import { addPending, freshenAll, isWithin, modelOf, needsSlack } from '../../value/index.ts'

/** Scratch register of this file. */
const BALANCE = 10

/**
 * Compares the stored state of skipped holdings, and updates them all: then no wallet with reserved slack is in danger.
 */
export function auditSkipped(exchange: Exchange): void {
  const { skipped, scratch, ledger, margin } = exchange
  for (const row of exchange.instruments) auditChecked(exchange, row)
  const needing: number[] = []
  for (const [wallet, list] of skipped) {
    let reserved = 0
    for (const owner of [...list.holdings, ...list.idle]) {
      assert(owner.wallet === wallet, 'a skipped holding is listed with its wallet')
      reserved += auditOne(exchange, owner, list.idle.includes(owner))
    }
    const apart = Math.abs(reserved - list.reserved)
    assert(apart <= 1 + reserved * 1e-9, 'the reserved slack adds up')
    const account = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
    assert(modelOf(account).isSummed, 'only segregated standard margin skips revaluations')
    // Without liquidations nothing is reserved.
    if (!exchange.config.liquidation.enabled) continue
    const isOver = account.fundable.length > 0 && list.until < exchange.now
    if (!isOver && needsSlack(list, account)) needing.push(wallet)
  }
  freshenAll(exchange)
  for (const wallet of needing) {
    setMarginBalance(scratch, BALANCE, { ledger, wallet })
    const account = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
    addPending(scratch, BALANCE, { exchange, account, wallet })
    const isInDanger = isBelowMaintenance(scratch, BALANCE, { margin, wallet })
    assert(!isInDanger, 'a wallet with reserved slack is safe')
  }
}

/** Audits that each holding is either checked or skipped, and listed as such. */
function auditChecked(exchange: Exchange, row: InstrumentRow): void {
  const { holdings, checked } = row
  const isChecked = new Set(checked)
  assert(isChecked.size === checked.length, 'a checked holding is listed once')
  for (const holding of holdings) {
    const owner = defined(exchange.holdings[holding], 'the holding exists')
    const { skip } = owner
    assert(isChecked.has(holding) === (skip === null), 'a holding is either checked or skipped')
    const list = exchange.skipped.get(owner.wallet)
    const isListed = skip === null || list?.[skip.isIdle ? 'idle' : 'holdings'].includes(owner)
    assert(isListed === true, 'a skipped holding is listed')
  }
}

/** Audits a skipped holding and returns its share. */
function auditOne(exchange: Exchange, owner: HoldingRow, isIdle: boolean): number {
  const { row, holding, skip } = owner
  assert(skip !== null && skip.isIdle === isIdle, 'a listed holding is skipped')
  const { size, value } = readHolding(exchange.ledger, holding)
  const { buys, sells } = readExposure(exchange.margin, holding)
  assert(isIdle === (size === 0 && buys === 0 && sells === 0), 'an idle holding has no position and no orders')
  assert(isWithin(row, skip), 'a skipped holding is within its bounds')
  const basis = size === 0 ? 0n : basisBig(row.terms, Math.abs(size), skip.marked.price9)
  const isAdded = size > 0 === (row.terms.payoff === 'inverse')
  assert(value === (isAdded ? basis : -basis), 'a skipped holding is valued at its recorded mark')
  return skip.share
}
