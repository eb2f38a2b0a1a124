/**
 * Which holdings a mark need not look at: their values and margins are brought to the present when somebody asks.
 *
 * Only of accounts under segregated standard margin, whose margin balance and maintenance margin are sums over
 * holdings. The bounds of a future are marks. The worth of an option is no part of the standard margin balance: no mark
 * of it endangers a long position, and the bounds of a short one are its maintenance margin for a coin.
 *
 * When a mark has revalued such a holding, its wallet promises it a share of what it has to spare: the holding is
 * calm while no mark can cost the wallet more than that, maintenance margin included. What is promised is never more
 * than what is to spare at the values that are kept, so that no wallet is in danger while its calm holdings stay within
 * their bounds. A mark beyond a bound, a fill, an order, or a wallet that has less to spare than it promised makes
 * holdings restless again, and marks look at them as ever. No result depends on it:
 * `test/property/calm-holdings.test.ts` compares with looking at everything.
 *
 * Where funding may be due, what it may take within an hour at the cap of its rate is not to spare, and the wallet is
 * calm for an hour. Flat holdings with open orders, and all where nobody is liquidated, have no bounds. To find
 * the funding of many perpetuals costs as much as some looks, so that who has them stays restless where looks are rare.
 */
import {
  clearNumbers,
  defined,
  divFloor,
  peekNumber,
  popNumber,
  pushNumber,
  wideNear,
} from '../../core/index.ts'
import { revalueHolding, setMarginBalance, sizeOf } from '../../ledger/index.ts'
import { slackNear, updateMargin, updateOptionMargin } from '../../margin/index.ts'
import { CURRENCY_SLOTS } from '../../model/index.ts'
import {
  type AccountRow,
  accountRow,
  type Calm,
  type CalmWallet,
  type Exchange,
  type HoldingRow,
  type IndexRow,
  type InstrumentRow,
  walletOf,
} from '../state/index.ts'
import { fundingOfWallet, pendingAtLeast } from './funding-bounds.ts'
import { optionInput } from './margin-input.ts'

/** Scratch register of this file. */
const BALANCE = 10

/** How long funding is counted on. */
const FUNDED_MICROS = 3_600_000_000

/** To find the most that funding of so many perpetuals takes costs as much as a look. */
const PERPETUALS_A_LOOK = 3

/**
 * True if the looks that are spared until a time, one every `pause` microseconds, cost more than to find the funding of
 * so many perpetuals until then; always where `calmFrom` is below 0.
 */
export function isWorthCalm(
  { now, calmFrom }: Exchange,
  of: { readonly until: number; readonly pause: number; readonly perpetuals: number },
): boolean {
  return calmFrom < 0 || (of.until - now) * PERPETUALS_A_LOOK >= of.pause * of.perpetuals
}

/** The time at which the holdings of a wallet are calm no more, those that become calm now among them. */
export function calmUntil({ calm, now }: Exchange, account: AccountRow, wallet: number): number {
  if (account.fundable.length === 0) return Number.POSITIVE_INFINITY
  return calm.get(wallet)?.until ?? now + FUNDED_MICROS
}

/** Share of its balance that a wallet keeps for itself of what it has to spare: more than doubles lose. */
const KEPT_OF_BALANCE = 1e-9

/** Makes a restless holding, whose value is that of the present, calm. The caller takes it off the restless ones. */
export function makeCalm(exchange: Exchange, owner: HoldingRow, found: Calm): void {
  const { row, holding, wallet } = owner
  owner.calm = found
  const calm = exchange.calm.get(wallet)
  const kept = calm ?? newWallet(exchange)
  if (calm === undefined) {
    exchange.calm.set(wallet, kept)
    noteDeadline(exchange, wallet, kept)
  }
  kept.promised += found.share
  listOf(kept, found).push(owner)
  setBounds(row, holding, found)
  if (row.calmBelow.size + row.calmAbove.size > 4 * row.holdings.length) tidyBounds(exchange, row)
}

function noteDeadline(
  { calm, calmWallets }: Exchange,
  wallet: number,
  { until }: CalmWallet,
): void {
  pushNumber(calmWallets, until, wallet)
  if (calmWallets.size <= 4 * calm.size) return
  clearNumbers(calmWallets)
  for (const [each, of] of calm) pushNumber(calmWallets, of.until, each)
}

function newWallet({ markCount, now }: Exchange): CalmWallet {
  return { promised: 0, holdings: [], idle: [], seen: markCount, until: now + FUNDED_MICROS }
}

/**
 * Amount that a wallet has to spare beyond what it promised, at the values that are kept and after the most that
 * funding may take while it is calm, in nano and less what doubles may lose; below 0 where that is not sure.
 */
export function spareOf(exchange: Exchange, account: AccountRow, wallet: number): number {
  const spare = slackAtLeast(exchange, account, wallet)
  if (account.fundable.length === 0) return spare
  const until = calmUntil(exchange, account, wallet)
  if (until < exchange.now) return Number.NEGATIVE_INFINITY
  return spare - fundingOfWallet(exchange, account, { wallet, until })
}

/** The same of now: funding that is due is off, what it may take yet is not. */
export function slackAtLeast(exchange: Exchange, account: AccountRow, wallet: number): number {
  const { scratch, ledger, margin, calm } = exchange
  setMarginBalance(scratch, BALANCE, { ledger, wallet })
  const unsure = Math.abs(wideNear(scratch, BALANCE)) * KEPT_OF_BALANCE
  const slack = slackNear(scratch, BALANCE, { margin, wallet }) - unsure
  return slack - (calm.get(wallet)?.promised ?? 0) + pendingAtLeast(exchange, account, wallet)
}

/** True if calm holdings of a wallet count on what it has to spare: they promised some, or funding takes of it. */
export function isCounted({ promised }: CalmWallet, { fundable }: AccountRow): boolean {
  return promised > 0 || fundable.length > 0
}

/**
 * The figure that the bounds of calm holdings are of: the mark; of an option, what a coin short of it has to
 * maintain.
 */
export function dangerOf({ mark, option, risk }: InstrumentRow): number {
  return option === null ? mark : (risk?.marked.maintenance9 ?? 0)
}

/** Makes the calm holdings restless that are beyond their bounds now. */
export function rouseCrossed(exchange: Exchange, row: InstrumentRow): void {
  const { calmBelow, calmAbove } = row
  const danger = dangerOf(row)
  while (peekNumber(calmAbove) < danger) rouseAt(exchange, popNumber(calmAbove))
  while (peekNumber(calmBelow) < -danger) rouseAt(exchange, popNumber(calmBelow))
}

/** The entry of a holding that is calm no more, or anew and further, means nothing. */
function rouseAt(exchange: Exchange, holding: number): void {
  const owner = defined(exchange.holdings[holding], 'the holding exists')
  const { calm, row } = owner
  if (calm !== null && !isWithin(row, calm)) rouse(exchange, owner)
}

/** True if a calm holding of an instrument is within its bounds. */
export function isWithin(row: InstrumentRow, calm: Calm): boolean {
  const danger = dangerOf(row)
  return danger >= calm.low && danger <= calm.high
}

/** Makes a calm holding restless, and brings its value and its margin to the present. */
export function rouse(exchange: Exchange, owner: HoldingRow): void {
  const { calm, row, wallet, holding } = owner
  if (calm === null) return
  const of = defined(exchange.calm.get(wallet), 'a skipped holding is listed with its wallet')
  const list = listOf(of, calm)
  const last = defined(list.pop(), 'a skipped holding is listed')
  if (last !== owner) list[list.indexOf(owner)] = last
  of.promised -= calm.share
  if (of.holdings.length === 0) of.promised = 0
  if (of.holdings.length + of.idle.length === 0) exchange.calm.delete(wallet)
  owner.calm = null
  owner.restlessAt = row.restless.push(holding) - 1
  if (isPast(row, calm)) bringToPresent(exchange, owner)
}

/** True if what a calm holding says is not that of the present. */
function isPast({ markTerms, risk }: InstrumentRow, { marked, market }: Calm): boolean {
  return marked !== markTerms || market !== risk
}

function bringToPresent(exchange: Exchange, owner: HoldingRow): void {
  const { ledger, margin } = exchange
  const { row, holding } = owner
  revalueHolding(ledger, owner, row.markTerms)
  if (row.option === null) updateMargin(margin, owner, row.markScale, sizeOf(ledger, holding))
  else updateOptionMargin(margin, owner, optionInput(exchange, owner))
}

/** Those of the wallet's lists that a calm holding stands in. */
function listOf({ holdings, idle }: CalmWallet, { isIdle }: Calm): HoldingRow[] {
  return isIdle ? idle : holdings
}

/** Makes all holdings of a wallet restless. */
export function rouseWallet(exchange: Exchange, wallet: number): void {
  const of = exchange.calm.get(wallet)
  if (of === undefined) return
  for (const list of [of.holdings, of.idle]) {
    for (let last = list.at(-1); last !== undefined; last = list.at(-1)) rouse(exchange, last)
  }
}

/** The same of all wallets of an account: time may harm it from now on. */
export function rouseAccount(exchange: Exchange, account: number): void {
  if (exchange.calm.size === 0) return
  for (let currency = 0; currency < CURRENCY_SLOTS; currency += 1) {
    rouseWallet(exchange, walletOf(account, currency))
  }
}

/** Makes the wallets restless that counted on funding until a time which is over, before a mark passes them by. */
export function rouseOverdueWallets(exchange: Exchange): void {
  const { calmWallets, calm, now } = exchange
  while (peekNumber(calmWallets) < now) {
    const wallet = popNumber(calmWallets)
    const { fundable } = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
    // Of no wallet that has nothing to pay, nor of one that is calm anew.
    if (fundable.length > 0 && (calm.get(wallet)?.until ?? now) < now) rouseWallet(exchange, wallet)
  }
}

/** Makes the wallets restless that counted on an index which is too far from where it was. */
export function rouseFunded(exchange: Exchange, index: IndexRow): void {
  for (const { index: own, funding, holdings } of exchange.instruments) {
    if (own !== index || funding === null) continue
    for (const holding of holdings) {
      rouseWallet(exchange, defined(exchange.holdings[holding], 'the holding exists').wallet)
    }
  }
}

/** Brings the sums of a wallet to the present, for who reads them. */
export function freshenWallet(exchange: Exchange, wallet: number): void {
  if (exchange.calm.size === 0) return
  const of = exchange.calm.get(wallet)
  if (of === undefined || of.seen === exchange.markCount) return
  of.seen = exchange.markCount
  for (let at = of.holdings.length - 1; at >= 0; at -= 1) {
    freshenHolding(exchange, defined(of.holdings[at], 'a skipped holding is listed'))
  }
}

/** Brings the value and the margin of a holding to the present, for who reads them. */
export function freshenHolding(exchange: Exchange, owner: HoldingRow): void {
  const { calm, row } = owner
  if (calm !== null && isPast(row, calm)) rouse(exchange, owner)
}

/** Brings everything to the present: for what reads the whole state. */
export function freshenAll(exchange: Exchange): void {
  if (exchange.calm.size === 0) return
  for (const owner of exchange.holdings) freshenHolding(exchange, owner)
}

/** Drops the entries of bounds that mean nothing any more. */
function tidyBounds(exchange: Exchange, row: InstrumentRow): void {
  const { calmBelow, calmAbove } = row
  clearNumbers(calmBelow)
  clearNumbers(calmAbove)
  for (const holding of row.holdings) {
    const { calm } = defined(exchange.holdings[holding], 'the holding exists')
    if (calm !== null) setBounds(row, holding, calm)
  }
}

function setBounds({ calmBelow, calmAbove }: InstrumentRow, holding: number, calm: Calm): void {
  if (calm.low > 0) pushNumber(calmBelow, -calm.low, holding)
  if (calm.high < Number.POSITIVE_INFINITY) pushNumber(calmAbove, calm.high, holding)
}
