/**
 * The audit of calm holdings: whoever is calm is listed as such, kept at the mark that it says, and in no danger.
 */
import { assert, defined, divFloor } from '../../../core/index.ts'
import { basisBig, readHolding, setMarginBalance } from '../../../ledger/index.ts'
import { isBelowMaintenance, readExposure } from '../../../margin/index.ts'
import { CURRENCY_SLOTS } from '../../../model/index.ts'
import {
  accountRow,
  type Exchange,
  type HoldingRow,
  type InstrumentRow,
} from '../../state/index.ts'
import { addPending, freshenAll, isCounted, isWithin, modelOf } from '../../value/index.ts'

/** Scratch register of this file. */
const BALANCE = 10

/** Compares what is kept of calm holdings; brings everything to the present, where no wallet of theirs is in danger. */
export function auditCalm(exchange: Exchange): void {
  const { calm, scratch, ledger, margin } = exchange
  for (const row of exchange.instruments) auditRestless(exchange, row)
  const promising: number[] = []
  for (const [wallet, of] of calm) {
    let promised = 0
    for (const owner of [...of.holdings, ...of.idle]) {
      assert(owner.wallet === wallet, 'a skipped holding is listed with its wallet')
      promised += auditOne(exchange, owner, of.idle.includes(owner))
    }
    const apart = Math.abs(promised - of.promised)
    assert(apart <= 1 + promised * 1e-9, 'the reserved slack adds up')
    const account = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
    assert(modelOf(account).isSummed, 'only segregated standard margin skips revaluations')
    // Where nobody is liquidated nobody promises anything.
    if (!exchange.config.liquidation.enabled) continue
    const isOver = account.fundable.length > 0 && of.until < exchange.now
    if (!isOver && isCounted(of, account)) promising.push(wallet)
  }
  freshenAll(exchange)
  for (const wallet of promising) {
    setMarginBalance(scratch, BALANCE, { ledger, wallet })
    const account = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
    addPending(scratch, BALANCE, { exchange, account, wallet })
    const isInDanger = isBelowMaintenance(scratch, BALANCE, { margin, wallet })
    assert(!isInDanger, 'a wallet with reserved slack is safe')
  }
}

/** Whoever is not restless is calm, with its wallet. */
function auditRestless(exchange: Exchange, row: InstrumentRow): void {
  const { holdings, restless } = row
  const isRestless = new Set(restless)
  assert(isRestless.size === restless.length, 'a holding with pending checks is listed once')
  for (const holding of holdings) {
    const owner = defined(exchange.holdings[holding], 'the holding exists')
    assert(
      isRestless.has(holding) === (owner.calm === null),
      'a holding that is not skipped has pending checks',
    )
    const isAt = owner.calm !== null || restless[owner.restlessAt] === holding
    assert(isAt, 'a holding with pending checks has the index of its list entry')
    const of = exchange.calm.get(owner.wallet)
    const { calm } = owner
    const isListed = calm === null || of?.[calm.isIdle ? 'idle' : 'holdings'].includes(owner)
    assert(isListed === true, 'a skipped holding is listed')
  }
}

/** A calm holding is worth what its mark says; returns its share. */
function auditOne(exchange: Exchange, owner: HoldingRow, isIdle: boolean): number {
  const { row, holding, calm } = owner
  assert(calm !== null && calm.isIdle === isIdle, 'a listed holding is skipped')
  const { size, value } = readHolding(exchange.ledger, holding)
  const { buys, sells } = readExposure(exchange.margin, holding)
  assert(
    isIdle === (size === 0 && buys === 0 && sells === 0),
    'an idle holding has no position and no orders',
  )
  assert(isWithin(row, calm), 'a skipped holding is within its bounds')
  const basis = size === 0 ? 0n : basisBig(row.terms, Math.abs(size), calm.marked.price9)
  const isAdded = size > 0 === (row.terms.payoff === 'inverse')
  assert(value === (isAdded ? basis : -basis), 'a skipped holding is valued at its recorded mark')
  return calm.share
}
