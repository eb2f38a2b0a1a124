/**
 * Transfers without an order in the naive exchange: moved positions, positions that participants of the liquidity
 * support programme take over or auto-deleveraging closes, and money between accounts of one owner
 * (sessions-blocks-gateways.md 6.3, 7; R54).
 */

import {
  type Command,
  type CommandOf,
  type Currency,
  type EventOf,
  houseAccountNames,
  type LspGroup,
  lspGroupOf,
  type Refusal,
  type TransferReason,
} from '../../src/model/index.ts'
import { Findings } from './naive-checks.ts'
import type { NaiveMargins } from './naive-margins.ts'
import type { NaiveMatching } from './naive-matching.ts'
import { absolute, finer, floorDiv, larger, moneyOf, NANO, rdiv, smaller, valueAt, worth } from './naive-money.ts'
import { isLive, type NaiveTerms } from './naive-orders.ts'
import type { NaiveSettlement } from './naive-settlement.ts'
import { copyOf, FUND, type NaiveMarket, type NaiveState } from './naive-state.ts'
import { checkFunds } from './naive-trials.ts'

const MILLION = 1_000_000n

/** A transfer of a position; the signed lots leave `from`. */
export interface NaiveTransfer {
  readonly reason: TransferReason
  readonly market: NaiveMarket
  readonly from: number
  readonly to: number
  readonly lots: bigint
  readonly price: bigint
  readonly commission?: bigint
  readonly commissionToTarget?: bigint
}

/** A part of a liquidated position that is offered to other accounts. */
export interface NaiveOffer {
  readonly market: NaiveMarket
  readonly account: number
  readonly isLong: boolean
  readonly lots: bigint
}

/** Books both sides like a fill, pays a commission, and resizes reduce-only orders. */
export function transfer(exchange: NaiveMatching, transfer: NaiveTransfer): void {
  const { reason, market, from, to, lots, price } = transfer
  const { commission = 0n, commissionToTarget = 0n } = transfer
  const currency = market.spec.settlementCurrency
  const gives = bookPart(exchange, market, from, { lots: -lots, price })
  const takes = bookPart(exchange, market, to, { lots, price })
  exchange.state.move(from, to, currency, commissionToTarget)
  exchange.state.move(from, FUND, currency, commission - commissionToTarget)
  exchange.events.emit({
    ...{ kind: 'position_transfer', reason, instrument: market.id, price: Number(price) },
    ...{ amount: Number(lots), commission, commissionToTarget, fromBase: 0n, toBase: 0n },
    from: { ...gives, balance: exchange.state.balance(from, currency) },
    to: { ...takes, balance: exchange.state.balance(to, currency) },
  })
  exchange.orders.allocate(market, from)
  exchange.orders.allocate(market, to)
}

/** True if participants get positions of a market before all other accounts. */
export function isProtected(exchange: NaiveMatching, market: NaiveMarket, account: number): boolean {
  const isOffered = [...exchange.state.participants.values()].some(({ status }) => status !== 'removed')
  const isInScope = market.spec.payoff === 'linear' && market.spec.settlementCurrency === 'USDC'
  if (!isOffered || market.spec.funding === null || !isInScope) return false
  const hasOptions = exchange.options.listed().some((option) => option.spec.priceIndex === market.spec.priceIndex)
  return !exchange.margins.isPortfolio(account) || !hasOptions
}

/** The mark, moved against the liquidated side. */
export function transferPrice({ market, isLong }: NaiveOffer, spreadPpm: number): bigint {
  const factor = MILLION + BigInt(isLong ? -spreadPpm : spreadPpm)
  return larger(1n, rdiv(market.mark * factor, MILLION))
}

/** Offers a part to the participants. The lots of participants that fail are offered again to the others. */
export function assignToParticipants(exchange: NaiveMatching, offer: NaiveOffer): bigint {
  const failed = new Set<number>()
  const first = assignOnce(exchange, offer, failed)
  if (failed.size === 0 || first === offer.lots) return first
  return first + assignOnce(exchange, { ...offer, lots: offer.lots - first }, failed)
}

/** Closes positions on the other side, the most leveraged profit first. */
export function deleverage(exchange: NaiveMatching, offer: NaiveOffer): bigint {
  const { market, isLong, account } = offer
  const { adlSpreadPpm, commissionPpm } = exchange.state.config.lsp
  const price = transferPrice(offer, adlSpreadPpm)
  const ranked = [...market.positions]
    .filter(([other, { size }]) => {
      const isOther = other >= houseAccountNames.length && other !== account
      return isOther && !exchange.state.isLocked(other) && size !== 0n && size > 0n !== isLong
    })
    .map(([other, { size }]) => {
      const score = adlScore(exchange, market, other)
      return { other, size: size < 0n ? -size : size, score }
    })
    .sort((a, b) => (a.score === b.score ? a.other - b.other : a.score > b.score ? -1 : 1))
  let left = offer.lots
  for (const { other, size } of ranked) {
    const part = smaller(left, size)
    if (part === 0n) break
    const commission = commissionOf(worth(market.spec, part, price), commissionPpm)
    transfer(exchange, {
      ...{ reason: 'adl', market, from: account, to: other, lots: isLong ? part : -part, price },
      ...{ commission, commissionToTarget: commission / 2n },
    })
    left -= part
  }
  return offer.lots - left
}

export function setParticipant(exchange: NaiveMatching, command: CommandOf<'set_lsp_participant'>): number | Refusal {
  const { target: account, enabled, limitsPpm } = command
  if (account < houseAccountNames.length || account >= exchange.state.accounts.length) {
    const problem = 'expected the account of a trader'
    return { reason: 'invalid_params', param: 'account', problem }
  }
  const known = exchange.state.participants.get(account)
  if (!enabled && known === undefined) return { reason: 'other_reject not_lsp_participant' }
  const status = enabled ? 'enabled' : 'removed'
  if (known !== undefined) Object.assign(known, { status, limitsPpm, failures: [] })
  else {
    const fresh = { status, limitsPpm, windows: new Map(), failures: [] } as const
    exchange.state.participants.set(account, { ...fresh, failures: [] })
  }
  exchange.events.emit({ kind: 'lsp_participant', account, enabled, limitsPpm })
  const orders = enabled ? [...exchange.orders.of(account)] : []
  for (const order of orders) {
    if (!order.reduceOnly && isLive(order)) exchange.orders.end(order, 'position_locked')
  }
  if (!enabled && !exchange.state.hasPositions(account)) exchange.state.participants.delete(account)
  return 1
}

/** Ends expired windows of limits. */
export function endWindows(exchange: NaiveMatching): void {
  for (const [account, participant] of exchange.state.participants) {
    for (const [group, window] of participant.windows) {
      if (window.end !== exchange.state.now) continue
      participant.windows.delete(group)
      reportLsp(exchange, account, group, 'window_reset')
    }
  }
}

export function movePositions(exchange: NaiveMatching, command: CommandOf<'move_positions'>): number | Refusal {
  const found = new Findings()
  const { source, target, positions } = command
  checkBetween(exchange.state, command, found)
  const moves: NaiveTransfer[] = []
  for (const { instrument, amount, price } of positions) {
    const market = exchange.state.markets[instrument]
    if (market === undefined) return firstOf(found) ?? { reason: 'not_found' }
    if (market.delivered) found.add(8, { reason: 'book_closed' })
    const position = exchange.state.position(market, source)
    const before = moves.reduce((sum, move) => (move.market === market ? sum + absolute(move.lots) : sum), 0n)
    const size = BigInt(amount)
    if (size <= 0n || absolute(position.size) < before + size) {
      found.add(11, { reason: 'invalid_amount' })
    }
    if (!market.isMarked) found.add(15, { reason: 'retry' })
    const average = position.size === 0n ? 0n : averageEntry(market.spec, position)
    const at = price === null ? average : BigInt(price)
    if (at <= 0n) found.add(12, { reason: 'invalid_price' })
    const lots = position.size > 0n ? size : -size
    moves.push({ reason: 'move', market, from: source, to: target, lots, price: at })
  }
  if (exchange.state.mayOnlyReduce(target)) found.add(9, { reason: 'other_reject lsp_reduce_only' })
  const refusal = firstOf(found)
  if (refusal !== null) return refusal
  if (!bears(exchange, target, moves) || !bears(exchange, source, moves)) {
    return { reason: 'not_enough_funds' }
  }
  exchange.state.forget(target)
  for (const move of moves) transfer(exchange, move)
  return moves.length
}

export function transferCash(exchange: NaiveSettlement, command: CommandOf<'transfer_cash'>): number | Refusal {
  const found = new Findings()
  const { source, target, currency, amount, nonce } = command
  checkBetween(exchange.state, command, found)
  if (amount <= 0n) found.add(11, { reason: 'invalid_amount' })
  const refusal = firstOf(found)
  if (refusal !== null) return refusal
  if (amount > withdrawable(exchange.margins, source, currency)) return { reason: 'not_enough_funds' }
  exchange.transferMoney({ source, target, currency, amount, nonce })
  return 1
}

/** Cash that margins and orders do not use; unsettled profit does not count. */
function withdrawable(margins: NaiveMargins, account: number, currency: Currency): bigint {
  const { balance, marginBalance, ...wallet } = margins.wallet(account, currency)
  const held = smaller(balance, marginBalance) - wallet.initial - wallet.spotReserve
  return larger(0n, smaller(held, wallet.available))
}

/**
 * Both accounts need the same owner as the asking account, and neither may be locked. A missing permission is the only
 * refusal that the caller learns.
 */
function checkBetween(
  state: NaiveState,
  command: Extract<Command, { kind: 'move_positions' | 'transfer_cash' }>,
  found: Findings,
): void {
  const { source, target, account } = command
  const [from, to] = [state.accounts[source], state.accounts[target]]
  const isOne = from !== undefined && from.main === to?.main
  const isAsked = [source, target, from?.main].some((id) => id === account)
  const isHouse = source < houseAccountNames.length
  if (!isOne || !isAsked || isHouse || source === target) found.add(3, { reason: 'forbidden' })
  const isLocked = state.isLocked(source) || state.isLocked(target)
  if (isLocked) found.add(3, { reason: 'account_locked' })
}

/** Tries transfers in a copy: true if the available funds cover the rise of the margin less the immediate profit. */
function bears(exchange: NaiveMatching, account: number, moves: readonly NaiveTransfer[]): boolean {
  if (account < houseAccountNames.length) return true
  const twin = copyOf(exchange)
  for (const move of moves) {
    const market = twin.state.marketOf({ instrument: move.market.id })
    const takes = move.to === account
    bookPart(twin, market, account, { lots: takes ? move.lots : -move.lots, price: move.price })
  }
  const touched = new Set(moves.map(({ market }) => market.spec.settlementCurrency))
  const pools = exchange.margins.isCross(account) ? [null] : [...touched]
  return pools.every((pool) => {
    const [before, after] = [exchange.margins.poolOf(account, pool), twin.margins.poolOf(account, pool)]
    const free = (of: typeof before): bigint => of.marginBalance - of.initial - of.spotReserve
    return free(after) >= 0n || free(after) >= free(before)
  })
}

function bookPart(
  exchange: NaiveMatching,
  market: NaiveMarket,
  account: number,
  part: { readonly lots: bigint; readonly price: bigint },
): object {
  const { spec } = market
  exchange.marks.touch(market, account)
  const before = moneyOf(spec, exchange.state.position(market, account).realized)
  const position = exchange.marks.book(market, account, part)
  const cost = spec.kind === 'option' ? worth(spec, part.lots, part.price) : 0n
  const premium = part.lots > 0n ? -cost : cost
  exchange.state.post(account, spec.settlementCurrency, premium)
  const realized = moneyOf(spec, position.realized) - before
  return { account, realized, premium, position: Number(position.size) }
}

/** Splits an offer in proportion to the capacities, rounded down; the remainder goes lot by lot. */
function assignOnce(exchange: NaiveMatching, offer: NaiveOffer, failed: Set<number>): bigint {
  const candidates = candidatesFor(exchange, offer).filter(({ account }) => !failed.has(account))
  const total = candidates.reduce((sum, { capacity }) => sum + capacity, 0n)
  if (total === 0n) return 0n
  const parts = candidates.map(({ account, capacity, lots: room }) => {
    return { account, room, lots: smaller(room, (offer.lots * capacity) / total) }
  })
  let left = offer.lots - parts.reduce((sum, { lots }) => sum + lots, 0n)
  for (let isGoing = true; isGoing; ) {
    isGoing = false
    for (const part of parts) {
      if (left === 0n || part.lots === part.room) continue
      part.lots += 1n
      left -= 1n
      isGoing = true
    }
  }
  let taken = 0n
  for (const { account, lots } of parts) {
    if (lots === 0n) continue
    if (takeOver(exchange, account, { ...offer, lots })) taken += lots
    else failed.add(account)
  }
  return taken
}

function candidatesFor(
  exchange: NaiveMatching,
  offer: NaiveOffer,
): readonly { readonly account: number; readonly capacity: bigint; readonly lots: bigint }[] {
  const { market, account: liquidated } = offer
  const price = transferPrice(offer, exchange.state.config.lsp.spreadPpm)
  const perLot = BigInt(market.spec.amountStep9) * price
  const main = exchange.state.accounts[liquidated]?.main
  return [...exchange.state.participants]
    .filter(([account, { status }]) => {
      const isOther = exchange.state.accounts[account]?.main !== main
      return status === 'enabled' && isOther && !exchange.state.isLocked(account)
    })
    .map(([account]) => {
      const capacity = capacityOf(exchange, account, market)
      return { account, capacity, lots: (capacity * NANO) / perLot }
    })
    .filter(({ lots }) => lots >= BigInt(market.spec.minTradeLots))
    .sort((a, b) => (a.capacity === b.capacity ? a.account - b.account : a.capacity > b.capacity ? -1 : 1))
}

/** The part of a participant's equity that it has neither used nor tied up in positions. */
function capacityOf(exchange: NaiveMatching, account: number, market: NaiveMarket): bigint {
  const currency = market.spec.settlementCurrency
  const { equity } = exchange.margins.wallet(account, currency)
  const group = lspGroupOf(market.spec.baseCurrency)
  const notional = exchange.state
    .ofCurrency(currency)
    .filter(({ spec }) => spec.kind === 'future')
    .reduce((sum, each) => {
      const position = exchange.state.position(each, account)
      return sum + absolute(moneyOf(each.spec, valueAt(each.spec, position, each.mark)))
    }, 0n)
  const used = exchange.state.participants.get(account)?.windows.get(group)?.used ?? 0n
  const held = equity * BigInt(exchange.state.config.lsp.capacityFactor) - notional
  const limit = floorDiv(equity * BigInt(limitOf(exchange, account, group)), MILLION) - used
  return larger(0n, smaller(held, limit))
}

function takeOver(exchange: NaiveMatching, account: number, offer: NaiveOffer): boolean {
  const { market, isLong, lots, account: from } = offer
  const group = lspGroupOf(market.spec.baseCurrency)
  const found = new Findings()
  const side = isLong ? 'buy' : 'sell'
  const terms: NaiveTerms = {
    ...{ account, instrument: market.id, side, type: 'limit', price: 0n, amount: lots },
    ...{ timeInForce: 'good_til_cancelled', label: '', display: 0n, postOnly: 'off' },
    ...{ reduceOnly: false, advanced: null, liquidation: false, trigger: null },
  }
  checkFunds(exchange, market, [{ terms, price: 0n, lots }], found)
  if (found.first !== null) {
    noteFailure(exchange, account, group)
    return false
  }
  const price = transferPrice(offer, exchange.state.config.lsp.spreadPpm)
  const notional = worth(market.spec, lots, price)
  const participant = exchange.state.participants.get(account)
  if (participant !== undefined && !participant.windows.has(group)) {
    const { cooldown } = exchange.state.config.lsp
    const window = { used: 0n, start: exchange.state.now, end: exchange.state.now + cooldown }
    participant.windows.set(group, window)
    reportLsp(exchange, account, group, 'window_opened')
  }
  transfer(exchange, {
    ...{ reason: 'lsp', market, from, to: account, lots: isLong ? lots : -lots, price },
    commission: commissionOf(notional, exchange.state.config.lsp.commissionPpm),
  })
  const window = participant?.windows.get(group)
  if (window !== undefined) window.used += notional
  reportLsp(exchange, account, group, 'used')
  return true
}

function noteFailure(exchange: NaiveMatching, account: number, group: LspGroup): void {
  const participant = exchange.state.participants.get(account)
  if (participant === undefined) return
  const { failures, failureWindow } = exchange.state.config.lsp
  const recent = participant.failures.filter((time) => time > exchange.state.now - failureWindow)
  participant.failures = [...recent, exchange.state.now]
  reportLsp(exchange, account, group, 'failed')
  if (participant.failures.length < failures) return
  participant.status = 'disabled'
  participant.failures = []
  reportLsp(exchange, account, group, 'disabled')
}

function reportLsp(exchange: NaiveMatching, account: number, group: LspGroup, change: EventOf<'lsp'>['change']): void {
  const window = exchange.state.participants.get(account)?.windows.get(group)
  exchange.events.emit({
    ...{ kind: 'lsp', change, account, group, limitPpm: limitOf(exchange, account, group) },
    ...{ used: window?.used ?? 0n, windowStart: window?.start ?? null },
    windowEnd: window?.end ?? null,
  })
}

/** A limit never exceeds the overall capacity of a participant. */
function limitOf(exchange: NaiveMatching, account: number, group: LspGroup): number {
  const { lsp } = exchange.state.config
  const own = exchange.state.participants.get(account)?.limitsPpm[group]
  return Math.min(own ?? lsp.limitsPpm[group], lsp.capacityFactor * 1_000_000)
}

/** Profit over cost, times leverage. */
function adlScore(exchange: NaiveMatching, market: NaiveMarket, account: number): bigint {
  const position = exchange.state.position(market, account)
  const value = valueAt(market.spec, position, market.mark)
  const { equity: own } = exchange.margins.wallet(account, market.spec.settlementCurrency)
  const index = exchange.margins.usdIndex(market.spec.settlementCurrency)
  const all = (): bigint => (index === 0n ? 0n : rdiv(exchange.margins.poolOf(account, null).equity * NANO, index))
  const equity = exchange.margins.isCross(account) ? all() : own
  const profit = position.entry - value
  const cost = larger(absolute(position.entry), 1n)
  return rdiv(profit * absolute(value) * NANO, cost * (equity > 0n ? equity : 1n))
}

/** Rounded to 1e-8, like fees. */
function commissionOf(notional: bigint, ppm: number): bigint {
  return rdiv(notional * BigInt(ppm), MILLION * 10n) * 10n
}

/**
 * The average price of a position: harmonic with 6 decimals for inverse contracts; otherwise 8 decimals; more for finer
 * ticks.
 */
function averageEntry(
  spec: NaiveMarket['spec'],
  { size, entry }: { readonly size: bigint; readonly entry: bigint },
): bigint {
  const amount = absolute(size) * BigInt(spec.amountStep9)
  const isInverse = spec.payoff === 'inverse'
  const step = finer(isInverse ? 1000n : 10n, spec.tick9)
  if (isInverse) return rdiv(amount * NANO * NANO, absolute(entry) * step) * step
  return rdiv(absolute(entry) * NANO, amount * step) * step
}

function firstOf(found: Findings): Refusal | null {
  return found.first?.refusal ?? null
}
