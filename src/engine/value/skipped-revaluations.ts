/**
 * Revaluations that are skipped: a mark skips the holdings under segregated standard margin that it cannot bring into
 * danger. Functions that read a skipped holding update its value and margin first (`updateSkippedHolding`,
 * `updateSkippedOfWallet`, `updateAllSkipped`).
 *
 * After a mark has revalued a holding, the wallet reserves a share of its slack for it. The engine then skips the
 * holding while no mark can cost the wallet more than this share, rising maintenance margin included. All shares of a
 * wallet together are at most its slack at the stored values, so a wallet is safe while its skipped holdings stay
 * within their bounds. A mark beyond a bound, a fill, an order, or less slack than the shares ends the skipping.
 *
 * The bounds of a future are marks. The standard margin balance excludes the value of options, so a long option has no
 * bounds, and the bounds of a short option are maintenance margins of one coin. Holdings without a position have no
 * bounds either, and without liquidations no holding has bounds.
 *
 * If funding may be due, the slack excludes the most that funding can take within an hour at the cap of its rate, and
 * the skipping ends after that hour. This estimate costs as much as some revaluations, so holdings of accounts with
 * many perpetuals are not skipped if marks are rare.
 *
 * No result depends on skipping: `test/property/skipped-revaluations.test.ts` compares with an engine that revalues
 * everything. With 100,000 holders of a perpetual, a move of the index takes 0.01 ms instead of 74 ms (the benchmark's
 * section `holders`).
 *
 * Source: market.md 3.3, 3.4, 6.6.
 */
import {
  clearNumbers,
  defined,
  divFloor,
  divNearest,
  peekNumber,
  popNumber,
  pushNumber,
  wideNear,
} from '../../core/index.ts'
import { revalueHolding, setMarginBalance, sizeOf } from '../../ledger/index.ts'
import {
  type MarginScale,
  maintenanceNear,
  markedScale,
  readExposure,
  slackNear,
  updateMargin,
  updateOptionMargin,
} from '../../margin/index.ts'
import { CURRENCY_SLOTS } from '../../model/index.ts'
import { fundingIncrementNear } from '../../pricing/index.ts'
import {
  type AccountRow,
  accountRow,
  type Exchange,
  type HoldingRow,
  type IndexRow,
  type InstrumentRow,
  type Skip,
  type SkippedHoldings,
  walletRowOf,
} from '../state/index.ts'
import { optionInput } from './margin-input.ts'

/** Scratch register of this file. */
const BALANCE = 10
/** The estimate of funding covers this time. */
const FUNDED_MICROS = 3_600_000_000
/** The period that a funding rate is for. */
const RATE_MICROS = 28_800_000_000
/**
 * The estimate of funding is valid while the index stays within this fraction of the price around which it was made.
 */
const FAR = 0.5
/** Estimating the funding of this number of perpetuals costs as much as one revaluation. */
const PERPETUALS_A_LOOK = 3
/** Fraction of its balance that a wallet never reserves. It exceeds the rounding errors of doubles. */
const KEPT_OF_BALANCE = 1e-9
/** Relative rounding error of a product of doubles, as an upper bound; and the rounding to nano. */
const UNSURE = 1e-12
const ROUNDED = 1
/** A smaller share, in nano, is not worth the cost of its bounds, and the roundings would matter. */
const SHARE_MIN = 1000
/** A mark soon crosses bounds that are nearer than this fraction of it. */
const NEAR = 0.002
/** Number of halvings of the distance to a bound. The error is a four-thousandth of that distance. */
const HALVINGS = 12

/** Skips a holding from now on, if it can; returns false otherwise. Its value and margin must be current. */
export function skipIfSafe(exchange: Exchange, owner: HoldingRow): boolean {
  const skip = skipOf(exchange, owner)
  if (skip === null) return false
  const { row, holding, wallet } = owner
  owner.skip = skip
  const known = exchange.skipped.get(wallet)
  const list = known ?? newList(exchange)
  if (known === undefined) {
    exchange.skipped.set(wallet, list)
    noteDeadline(exchange, wallet, list.until)
  }
  list.reserved += skip.share
  partOf(list, skip).push(owner)
  setBounds(row, holding, skip)
  if (row.skipBelow.size + row.skipAbove.size > 4 * row.holdings.length) tidyBounds(exchange, row)
  return true
}

function newList(exchange: Exchange): SkippedHoldings {
  return { reserved: 0, holdings: [], idle: [], seen: exchange.markCount, until: exchange.now + FUNDED_MICROS }
}

function noteDeadline(exchange: Exchange, wallet: number, until: number): void {
  const { skipped, skipDeadlines } = exchange
  pushNumber(skipDeadlines, until, wallet)
  if (skipDeadlines.size <= 4 * skipped.size) return
  clearNumbers(skipDeadlines)
  for (const [each, list] of skipped) pushNumber(skipDeadlines, list.until, each)
}

/** Bounds and share of a holding that can be skipped; null if it cannot. */
function skipOf(exchange: Exchange, owner: HoldingRow): Skip | null {
  // Only segregated standard margin has these two kinds of risk; the house and combos have others.
  if (owner.risk !== 'future' && owner.risk !== 'option') return null
  // Without liquidations no loss matters.
  if (!exchange.config.liquidation.enabled) return skipWithin(exchange, owner, Number.POSITIVE_INFINITY)
  const account = accountRow(exchange, owner.account)
  if (!isWorthSkipping(exchange, owner, account)) return null
  const spare = spareOf(exchange, account, owner.wallet)
  if (spare < 0) return null
  // Each holding leaves some slack for the next one, however many there are.
  return skipWithin(exchange, owner, divNearest(spare, Math.max(2, account.holdings)))
}

/** True if the skipped revaluations cost more than the estimate of funding; always if `skipFrom` is negative. */
function isWorthSkipping(exchange: Exchange, owner: HoldingRow, account: AccountRow): boolean {
  const time = skipsUntil(exchange, account, owner.wallet) - exchange.now
  return exchange.skipFrom < 0 || time * PERPETUALS_A_LOOK >= owner.row.lookPause * account.fundable.length
}

/** The time at which the skipping of a wallet's holdings ends. */
function skipsUntil(exchange: Exchange, account: AccountRow, wallet: number): number {
  if (account.fundable.length === 0) return Number.POSITIVE_INFINITY
  return exchange.skipped.get(wallet)?.until ?? exchange.now + FUNDED_MICROS
}

/** Bounds within which a holding costs its wallet at most a share, in nano; null if that share is too small. */
function skipWithin(exchange: Exchange, owner: HoldingRow, share: number): Skip | null {
  const { row, holding } = owner
  const isOption = row.option !== null
  const size = sizeOf(exchange.ledger, holding)
  const { buys, sells } = readExposure(exchange.margin, holding)
  const isIdle = size === 0 && buys === 0 && sells === 0
  const isHarmless = share === Number.POSITIVE_INFINITY || size === 0 || (isOption && size > 0)
  const { markTerms: marked, risk: market } = row
  if (isHarmless) return { marked, market, low: 0, high: Number.POSITIVE_INFINITY, share: 0, isIdle }
  if (share < SHARE_MIN) return null
  const bounds = isOption ? shortBounds(row, -size, share) : markBounds(row, size, share)
  return bounds === null ? null : { marked, market, low: bounds.low, high: bounds.high, share, isIdle }
}

type Bounds = Pick<Skip, 'low' | 'high'>

/** Bounds of the maintenance margin of one coin, for a short option. */
function shortBounds({ risk, scale }: InstrumentRow, lots: number, share: number): Bounds | null {
  if (risk === null) return null
  const coins9 = lots * scale.amountStep9
  // Less the roundings of both values, and the rounding errors of doubles.
  const rise9 = divNearest((share * (1 - 1e-9) - 16) * 1e9, coins9)
  const { maintenance9 } = risk.marked
  return rise9 < maintenance9 * NEAR ? null : { low: 0, high: maintenance9 + Math.floor(rise9) }
}

/** The marks of a future between which a position costs its wallet at most a share. */
function markBounds(row: InstrumentRow, size: number, share: number): Bounds | null {
  if (row.mark === 0 || !isBorne(row, size, share, row.mark * (1 + NEAR))) return null
  if (!isBorne(row, size, share, row.mark * (1 - NEAR))) return null
  const low = Math.ceil(farthest(row, size, share, divNearest(row.mark, 2)))
  const high = Math.floor(farthest(row, size, share, row.mark * 2))
  return { low, high }
}

/**
 * The mark on the way to `end` up to which a position costs its wallet at most a share. The loss is convex in
 * the price, or in its inverse: what holds at two marks holds between them.
 */
function farthest(row: InstrumentRow, size: number, share: number, end: number): number {
  if (isBorne(row, size, share, end)) return end
  let safe: number = row.mark
  let over = end
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = divNearest(safe + over, 2)
    if (isBorne(row, size, share, middle)) safe = middle
    else over = middle
  }
  return safe
}

/**
 * True if a move to the mark `to` costs a wallet at most a share, counting the loss and the increase of maintenance
 * margin.
 */
function isBorne({ mark, scale }: InstrumentRow, size: number, share: number, to: number): boolean {
  const before = valueNear(scale, Math.abs(size), mark)
  const after = valueNear(scale, Math.abs(size), to)
  // A long inverse position owes coins at its price: the lower the price, the more coins.
  const lost = size > 0 === (scale.payoff === 'inverse') ? after - before : before - after
  const held = maintenanceNear(markedScale(scale, mark), Math.abs(size))
  const needed = maintenanceNear(markedScale(scale, to), Math.abs(size))
  // Doubles lose a few 1e-16 of each figure, and booked amounts are rounded by a few nano.
  const unsure = (before + after + held + needed) * 1e-12 + 16
  return lost + needed - held + unsure <= share
}

/** Value of a size at a mark, in nano. */
function valueNear(scale: MarginScale, lots: number, mark9: number): number {
  const amount9 = lots * scale.amountStep9
  return scale.payoff === 'inverse' ? divNearest(amount9 * 1e9, mark9) : divNearest(amount9 * mark9, 1e9)
}

/**
 * Slack of a wallet, in nano: its margin balance less its maintenance margin and the reserved shares, at the stored
 * values, less the most that funding may take until the skipping ends. It is a lower bound, and negative if rounding
 * errors of doubles leave a doubt.
 */
export function spareOf(exchange: Exchange, account: AccountRow, wallet: number): number {
  const spare = slackAtLeast(exchange, account, wallet)
  if (account.fundable.length === 0) return spare
  const until = skipsUntil(exchange, account, wallet)
  if (until < exchange.now) return Number.NEGATIVE_INFINITY
  return spare - fundingAtMost(exchange, account, wallet, until)
}

/** Slack of a wallet as in `spareOf`, at the current time: after the funding that is due, before any later one. */
export function slackAtLeast(exchange: Exchange, account: AccountRow, wallet: number): number {
  setMarginBalance(exchange.scratch, BALANCE, exchange.ledger, wallet)
  const unsure = Math.abs(wideNear(exchange.scratch, BALANCE)) * KEPT_OF_BALANCE
  const slack = slackNear(exchange.scratch, BALANCE, exchange.margin, wallet) - unsure
  return slack - (exchange.skipped.get(wallet)?.reserved ?? 0) + pendingAtLeast(exchange, account, wallet)
}

/** True if the skipped holdings of a wallet need its slack: it reserved some of it, or funding takes some. */
export function needsSlack({ reserved }: SkippedHoldings, owner: AccountRow): boolean {
  return reserved > 0 || owner.fundable.length > 0
}

/** Lower bound of the pending funding of an account in a currency, in nano. */
export function pendingAtLeast(exchange: Exchange, account: AccountRow, wallet: number): number {
  let least = 0
  for (const owner of account.fundable) {
    if (owner.wallet === wallet) least += pendingNear(exchange, owner)
  }
  return least
}

function pendingNear(exchange: Exchange, { row, holding, funded }: HoldingRow): number {
  const { payoff, amountStep9 } = row.instrument
  if (row.funding === null || payoff === 'spot') return 0
  const size9 = sizeOf(exchange.ledger, holding) * amountStep9
  const moved = Number(row.funding.accumulated - funded)
  const elapsed = exchange.now - row.funding.since
  const runs = fundingIncrementNear({ payoff, excess: row.funding.excess, elapsed, index9: row.index.price })
  const unit = payoff === 'inverse' ? 1e-24 : 1e-18
  // The exact increment is a whole number, and a large position multiplies its rounding.
  const part = Math.abs(size9) * unit
  const unsure = part * (1 + (Math.abs(moved) + Math.abs(runs)) * UNSURE) + ROUNDED
  return -size9 * (moved + runs) * unit - unsure
}

/** Upper bound of the funding that a wallet may pay until a time, in nano, while its indices stay near (`FAR`). */
function fundingAtMost(exchange: Exchange, account: AccountRow, wallet: number, until: number): number {
  let most = 0
  for (const owner of account.fundable) {
    if (owner.wallet !== wallet) continue
    const { index } = owner.row
    // The first estimate chooses the price.
    if (index.fundedAround === 0) index.fundedAround = index.price
    most += costAtMost(exchange, owner, until)
  }
  return most
}

/** The cap of the funding rate times the value of a position at its index (3.3), in nano. */
function costAtMost(exchange: Exchange, owner: HoldingRow, until: number): number {
  const { instrument, index } = owner.row
  if (instrument.funding === null) return 0
  const { low, high } = aroundPrice(index.fundedAround)
  const size9 = Math.abs(sizeOf(exchange.ledger, owner.holding)) * instrument.amountStep9
  const value = instrument.payoff === 'inverse' ? divNearest(size9 * 1e9, low) : size9 * high * 1e-9
  const share = divNearest(until - exchange.now, RATE_MICROS)
  return value * instrument.funding.cap8 * 1e-8 * share * (1 + UNSURE) + ROUNDED
}

function aroundPrice(price: number): Bounds {
  return { low: price * (1 - FAR), high: price * (1 + FAR) }
}

/** Ends the skipping of all wallets with perpetuals of an index that has left the range of the funding estimates. */
export function resumeIfFar(exchange: Exchange, index: IndexRow): void {
  const { low, high } = aroundPrice(index.fundedAround)
  if (index.fundedAround === 0 || (index.price >= low && index.price <= high)) return
  // The next estimate chooses another price.
  index.fundedAround = 0
  for (const { index: own, funding, holdings } of exchange.instruments) {
    if (own !== index || funding === null) continue
    for (const holding of holdings) {
      resumeWallet(exchange, defined(exchange.holdings[holding], 'the holding exists').wallet)
    }
  }
}

/** Ends the skipping of the holdings of an instrument that are now beyond their bounds. */
export function resumeCrossed(exchange: Exchange, row: InstrumentRow): void {
  const { skipBelow, skipAbove } = row
  const figure = boundedFigure(row)
  while (peekNumber(skipAbove) < figure) resumeAt(exchange, popNumber(skipAbove))
  while (peekNumber(skipBelow) < -figure) resumeAt(exchange, popNumber(skipBelow))
}

function resumeAt(exchange: Exchange, holding: number): void {
  const owner = defined(exchange.holdings[holding], 'the holding exists')
  // An entry is out of date if the holding is no longer skipped, or is skipped with wider bounds.
  if (owner.skip !== null && !isWithin(owner.row, owner.skip)) resumeHolding(exchange, owner)
}

/** True if a skipped holding is within its bounds. */
export function isWithin(row: InstrumentRow, skip: Skip): boolean {
  const figure = boundedFigure(row)
  return figure >= skip.low && figure <= skip.high
}

/** The bounds limit this figure: the mark, or the maintenance margin of one coin short of an option. */
function boundedFigure(row: InstrumentRow): number {
  return row.option === null ? row.mark : (row.risk?.marked.maintenance9 ?? 0)
}

/** Ends the skipping of wallets whose time is over. */
export function resumeOverdue(exchange: Exchange): void {
  const { skipDeadlines, skipped, now } = exchange
  while (peekNumber(skipDeadlines) < now) {
    const wallet = popNumber(skipDeadlines)
    const { fundable } = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
    // Without funding there is no deadline, and a wallet that is skipped again has a later deadline.
    if (fundable.length === 0 || (skipped.get(wallet)?.until ?? now) >= now) continue
    resumeWallet(exchange, wallet)
  }
}

/** Ends the skipping of all holdings of an account. */
export function resumeAccount(exchange: Exchange, account: number): void {
  if (exchange.skipped.size === 0) return
  for (let currency = 0; currency < CURRENCY_SLOTS; currency += 1) {
    resumeWallet(exchange, walletRowOf(account, currency))
  }
}

/** Ends the skipping of all holdings of a wallet. */
export function resumeWallet(exchange: Exchange, wallet: number): void {
  const lists = exchange.skipped.get(wallet)
  if (lists === undefined) return
  for (const list of [lists.holdings, lists.idle]) {
    for (let last = list.at(-1); last !== undefined; last = list.at(-1)) {
      resumeHolding(exchange, last)
    }
  }
}

/** Ends the skipping of a holding, and updates its value and margin. */
export function resumeHolding(exchange: Exchange, owner: HoldingRow): void {
  const { skip, row, wallet, holding } = owner
  if (skip === null) return
  const lists = defined(exchange.skipped.get(wallet), 'a skipped holding is listed with its wallet')
  const list = partOf(lists, skip)
  const last = defined(list.pop(), 'a skipped holding is listed')
  if (last !== owner) list[list.indexOf(owner)] = last
  lists.reserved -= skip.share
  if (lists.holdings.length === 0) lists.reserved = 0
  if (lists.holdings.length + lists.idle.length === 0) exchange.skipped.delete(wallet)
  owner.skip = null
  row.checked.push(holding)
  if (!isOutdated(row, skip)) return
  revalueHolding(exchange.ledger, owner, row.markTerms)
  if (row.option === null) updateMargin(exchange.margin, owner, row.markScale, sizeOf(exchange.ledger, holding))
  else updateOptionMargin(exchange.margin, owner, optionInput(exchange, owner))
}

/** True if the mark or the market moved since a skipped holding was revalued. */
function isOutdated(row: InstrumentRow, skip: Skip): boolean {
  return skip.marked !== row.markTerms || skip.market !== row.risk
}

function partOf({ holdings, idle }: SkippedHoldings, skip: Skip): HoldingRow[] {
  return skip.isIdle ? idle : holdings
}

/** Updates the sums of a wallet before they are read. */
export function updateSkippedOfWallet(exchange: Exchange, wallet: number): void {
  if (exchange.skipped.size === 0) return
  const list = exchange.skipped.get(wallet)
  if (list === undefined || list.seen === exchange.markCount) return
  list.seen = exchange.markCount
  for (let at = list.holdings.length - 1; at >= 0; at -= 1) {
    updateSkippedHolding(exchange, defined(list.holdings[at], 'a skipped holding is listed'))
  }
}

/** Updates the value and the margin of a holding before they are read. */
export function updateSkippedHolding(exchange: Exchange, owner: HoldingRow): void {
  if (owner.skip !== null && isOutdated(owner.row, owner.skip)) resumeHolding(exchange, owner)
}

/** Updates all holdings before the whole state is read. */
export function updateAllSkipped(exchange: Exchange): void {
  if (exchange.skipped.size === 0) return
  for (const owner of exchange.holdings) updateSkippedHolding(exchange, owner)
}

/** Drops the entries that are out of date. */
function tidyBounds(exchange: Exchange, row: InstrumentRow): void {
  clearNumbers(row.skipBelow)
  clearNumbers(row.skipAbove)
  for (const holding of row.holdings) {
    const { skip } = defined(exchange.holdings[holding], 'the holding exists')
    if (skip !== null) setBounds(row, holding, skip)
  }
}

function setBounds(row: InstrumentRow, holding: number, skip: Skip): void {
  if (skip.low > 0) pushNumber(row.skipBelow, -skip.low, holding)
  if (skip.high < Number.POSITIVE_INFINITY) pushNumber(row.skipAbove, skip.high, holding)
}
