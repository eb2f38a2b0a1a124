/**
 * The audit of calm holdings: whoever is calm is listed as such, kept at the mark that it says, and in no danger.
 */
import { assert, defined, divFloor } from '../../../core/index.ts'
import { basisBig, readHolding, setMarginBalance } from '../../../ledger/index.ts'
import { isBelowMaintenance, readExposure } from '../../../margin/index.ts'
import { CURRENCY_SLOTS } from '../../../model/index.ts'
import {
  type AccountRow,
  accountRow,
  type Exchange,
  type HoldingRow,
  type InstrumentRow,
} from '../../state/index.ts'
import {
  addPending,
  freshenAll,
  isCounted,
  isWithin,
  modelOf,
  spareOfNets,
  sparesWithin,
} from '../../value/index.ts'

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
      assert(owner.wallet === wallet, 'a calm holding stands with its wallet')
      promised += auditOne(exchange, owner, of.idle.includes(owner))
    }
    const apart = Math.abs(promised - of.promised)
    assert(apart <= 1 + promised * 1e-9, 'what is promised adds up')
    const account = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
    // Where currencies share their margin, one may owe what another has.
    // Where nobody is liquidated nobody promises anything.
    if (!modelOf(account).isSummed || !exchange.config.liquidation.enabled) continue
    const isOver = account.fundable.length > 0 && of.until < exchange.now
    if (!isOver && isCounted(of, account)) promising.push(wallet)
  }
  freshenAll(exchange)
  const { shared } = exchange
  const restless = shared.accounts.filter((id) => accountRow(exchange, id).risk.calm === null)
  assert(shared.restless.size === restless.length, 'who is restless is listed once')
  for (const owner of exchange.accounts) auditAccount(exchange, owner)
  for (const wallet of promising) {
    setMarginBalance(scratch, BALANCE, { ledger, wallet })
    const account = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
    addPending(scratch, BALANCE, { exchange, account, wallet })
    const isInDanger = isBelowMaintenance(scratch, BALANCE, { margin, wallet })
    assert(!isInDanger, 'a wallet that has promised is in no danger')
  }
}

/**
 * An account whose currencies share their margin is restless, or it is within its bounds and has
 * something to spare. Reading it may have made holdings of it restless.
 */
function auditAccount(exchange: Exchange, owner: AccountRow): void {
  const { account, risk, liquidations } = owner
  const { shared } = exchange
  const isRestless = shared.accounts.includes(account.id) && risk.calm === null
  assert(shared.restless.has(account.id) === isRestless, 'who is not calm is restless')
  if (risk.calm === null) return
  const { shared: sharing, netsPositions } = modelOf(owner)
  assert(liquidations.length === 0, 'who is liquidated is looked at')
  for (const { index, low, high } of risk.calm.bounds) {
    assert(index.price >= low && index.price <= high, 'who is calm is within its bounds')
  }
  // The next round looks at it: its time is over.
  if (risk.calm.until < exchange.now) return
  const spares = netsPositions
    ? [...(sparesWithin(exchange, owner, { part: 0, until: exchange.now })?.values() ?? [-1])]
    : [spareOfNets(sharing?.netsNear(exchange, owner) ?? [])]
  assert(
    spares.every((spare) => spare > 0),
    'who is calm is in no danger',
  )
}

/** Whoever is not restless is calm, with its wallet. */
function auditRestless(exchange: Exchange, row: InstrumentRow): void {
  const { holdings, restless } = row
  const owners = holdings.map((holding) => defined(exchange.holdings[holding], 'a holding exists'))
  const calmRisks = owners.filter(({ calm }) => calm !== null).map(({ risk }) => risk)
  const portfolios = calmRisks.filter((risk) => risk === 'portfolio').length
  const crosses = calmRisks.filter((risk) => risk === 'cross').length
  assert(row.calmShared === portfolios + crosses, 'calm holders whose margin is no sum are counted')
  assert(row.calmPortfolio === portfolios, 'calm holders under portfolio margin are counted')
  const shared = owners.filter(({ account }) => {
    const owner = accountRow(exchange, account)
    return !owner.account.house && !modelOf(owner).isSummed
  })
  assert(row.sharedHolders === shared.length, 'holders whose margin is no sum are counted')
  const isRestless = new Set(restless)
  assert(isRestless.size === restless.length, 'whoever is restless is listed once')
  for (const holding of holdings) {
    const owner = defined(exchange.holdings[holding], 'a holding exists')
    assert(isRestless.has(holding) === (owner.calm === null), 'whoever is not calm is restless')
    const isAt = owner.calm !== null || restless[owner.restlessAt] === holding
    assert(isAt, 'whoever is restless knows where it is listed')
    const of = exchange.calm.get(owner.wallet)
    const { calm } = owner
    const isListed = calm === null || of?.[calm.isIdle ? 'idle' : 'holdings'].includes(owner)
    assert(isListed === true, 'whoever is calm is listed')
  }
}

/** A calm holding is worth what its mark says; returns its share. */
function auditOne(exchange: Exchange, owner: HoldingRow, isIdle: boolean): number {
  const { row, holding, calm } = owner
  assert(calm !== null && calm.isIdle === isIdle, 'whoever is listed is calm')
  const { size, value } = readHolding(exchange.ledger, holding)
  const { buys, sells } = readExposure(exchange.margin, holding)
  assert(isIdle === (size === 0 && buys === 0 && sells === 0), 'whoever is idle has nothing open')
  assert(isWithin(row, calm), 'whoever is calm is within its bounds')
  const basis = size === 0 ? 0n : basisBig(row.terms, Math.abs(size), calm.marked.price9)
  const isAdded = size > 0 === (row.terms.payoff === 'inverse')
  assert(value === (isAdded ? basis : -basis), 'a calm holding is valued at the mark it says')
  return calm.share
}
