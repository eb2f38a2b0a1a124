/**
 * Selects the accounts that the next liquidation round checks. Code that lowers a margin balance or raises a
 * maintenance margin calls a function of this file, so that no round has to check all accounts.
 *
 * Under segregated standard margin the two are compared at once. Other margins are more expensive to compute, so any
 * change makes these accounts suspect, and the round compares once a second.
 *
 * A round runs at each whole second while there are suspects, after all other timers of that second. An account that
 * one of these timers made suspect belongs to the round of the same second, all other suspects to the next one.
 * Source: market.md 6.6; R02; DESIGN 4.
 */
import { defined, divFloor, isNegativeWide } from '../../core/index.ts'
import { marginBalanceAtLeast, setMarginBalance } from '../../ledger/index.ts'
import { hasMaintenance, isBelowMaintenance, maintenanceAtMost } from '../../margin/index.ts'
import { CURRENCY_SLOTS } from '../../model/index.ts'
import {
  type AccountRow,
  accountRow,
  type Exchange,
  type HoldingRow,
  type IndexRow,
  type InstrumentRow,
  walletRowOf,
} from '../state/index.ts'
import { awaitRound, awaitWearOn, isFundingCheckAwaited, suspect } from './due-looks.ts'
import { addPending } from './funding.ts'
import { modelOf } from './models/margin-models.ts'
import { needsSlack, pendingAtLeast, resumeIfFar, resumeWallet, spareOf } from './skipped-revaluations.ts'

/** Scratch register of this file. */
const BALANCE = 10

/** Checks an account after one of its holdings changed. Spot moves cash of both currencies of the pair. */
export function suspectHolderIfShort(exchange: Exchange, { account, wallet, row }: HoldingRow): void {
  const owner = accountRow(exchange, account)
  suspectOwnerIfShort(exchange, owner, wallet)
  if (row.base >= 0) suspectOwnerIfShort(exchange, owner, walletRowOf(account, row.base))
}

/** Makes the owner of a wallet suspect if the balance may not cover its maintenance margin. */
export function suspectWalletOwner(exchange: Exchange, wallet: number): void {
  suspectOwnerIfShort(exchange, accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS)), wallet)
}

function suspectOwnerIfShort(exchange: Exchange, account: AccountRow, wallet: number): void {
  if (!exchange.config.liquidation.enabled) return
  exchange.quietEvents = -1
  if (account.account.house) return
  if (!modelOf(account).isSummed) {
    suspectUnsummed(exchange, account)
    return
  }
  const skipped = exchange.skipped.get(wallet)
  if (skipped !== undefined && needsSlack(skipped, account)) {
    if (spareOf(exchange, account, wallet) >= 0) {
      awaitWear(exchange, account, wallet)
      return
    }
    resumeWallet(exchange, wallet)
  }
  // Doubles decide most cases. Cases in doubt are computed exactly.
  if (exchange.orders.forcesRare || !isSurelyBorne(exchange, account, wallet)) {
    compareExactly(exchange, account, wallet)
  } else awaitWear(exchange, account, wallet)
}

/**
 * Sets the timers of the round and the funding check that the holders of an instrument need at its new mark, including
 * skipped ones. The timer of the round is set first, whatever the order of the holders.
 */
export function awaitChecksOf(exchange: Exchange, { holdings, checked }: InstrumentRow): void {
  const { config, crossOrPortfolio, isRoundAwaited } = exchange
  if (!config.liquidation.enabled) return
  const isUnsummed = (holding: number): boolean =>
    crossOrPortfolio.has(defined(exchange.holdings[holding], 'the holding exists').account)
  if (!isRoundAwaited && crossOrPortfolio.size > 0 && checked.some(isUnsummed)) awaitRound(exchange)
  if (isFundingCheckAwaited(exchange)) return
  for (const holding of holdings) {
    const { account, wallet } = defined(exchange.holdings[holding], 'the holding exists')
    const owner = accountRow(exchange, account)
    if (modelOf(owner).isSummed && !owner.account.house) awaitWear(exchange, owner, wallet)
    if (isFundingCheckAwaited(exchange)) return
  }
}

/** Sets the funding check for a wallet that funding may bring below its maintenance margin. */
function awaitWear(exchange: Exchange, account: AccountRow, wallet: number): void {
  if (hasMaintenance(exchange.margin, wallet)) awaitWearOn(exchange, account)
}

/** True if doubles show that a balance covers its maintenance margin, or that there is neither margin nor debt. */
function isSurelyBorne(exchange: Exchange, account: AccountRow, wallet: number): boolean {
  const balance = marginBalanceAtLeast(exchange.ledger, wallet)
  if (!hasMaintenance(exchange.margin, wallet)) return balance >= 0
  const pending = account.fundable.length === 0 ? 0 : pendingAtLeast(exchange, account, wallet)
  return balance + pending > maintenanceAtMost(exchange.margin, wallet)
}

function compareExactly(exchange: Exchange, account: AccountRow, wallet: number): void {
  setMarginBalance(exchange.scratch, BALANCE, exchange.ledger, wallet)
  // Without margin there may still be long options, but they need not be sold before there is a debt.
  if (!hasMaintenance(exchange.margin, wallet) && !isNegativeWide(exchange.scratch, BALANCE)) return
  addPending(exchange.scratch, BALANCE, exchange, account, wallet)
  if (isBelowMaintenance(exchange.scratch, BALANCE, exchange.margin, wallet)) {
    resumeWallet(exchange, wallet)
    suspect(exchange, account.account.id)
  } else awaitWearOn(exchange, account)
}

/** Checks accounts after an index moved. Under cross and portfolio margin it affects the whole account. */
export function suspectAtIndexMove(exchange: Exchange, index: IndexRow): void {
  if (!exchange.config.liquidation.enabled) return
  resumeIfFar(exchange, index)
  for (const id of exchange.crossOrPortfolio) suspectUnsummed(exchange, accountRow(exchange, id))
}

/** Makes an account under cross or portfolio margin suspect, and sets its funding check. */
function suspectUnsummed(exchange: Exchange, account: AccountRow): void {
  suspect(exchange, account.account.id)
  awaitWearOn(exchange, account)
}
