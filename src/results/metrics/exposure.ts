/**
 * The exposure of wallets over time: notional, leverage, margin in use, distance to liquidation, greeks.
 *
 * A wallet is sampled after each input that changed one of its positions, and at the first whole minute after a mark
 * moved. Its distance to liquidation is sampled at such minutes and at the end. A sample holds until the next one, so
 * that an average over time weighs it with that time; a largest value is the largest sample. Time counts from the first
 * money of the wallet.
 *
 * - Notional is in the settlement currency at the mark: size over mark for inverse contracts, size times mark for
 *   linear ones; an option counts the size of its underlying, in coin for inverse options, otherwise at the index.
 * - Delta is in coin: the size of futures and perpetuals (at the mark for inverse ones), and the net delta of options.
 * - Leverage is notional over equity, margin in use is margin over margin balance. If the divisor is not above zero,
 *   the value is unknown and counts as zero.
 */
import { divFloor } from '../../core/index.ts'
import type { EventOf } from '../../model/index.ts'
import { endPiece, isIdle, worthAt } from './attribution.ts'
import { addToSketch } from './sketch.ts'
import {
  accountAt,
  type InventoryState,
  inventoryOf,
  type Levels,
  noteEquity,
  positionsOf,
  type State,
  termsAt,
  type WalletState,
  walletAt,
  walletOf,
} from './state.ts'
import type { MetricsViews } from './views.ts'

const LOOK_MICROS = 60_000_000
/** A wallet is strained if its maintenance margin exceeds this share of the margin balance. */
export const STRAIN = 0.8
const NANO = 1e-9
const RATE8 = 1e-8

/** The first whole minute after a time. */
export function minuteAfter(time: number): number {
  return (divFloor(time, LOOK_MICROS) + 1) * LOOK_MICROS
}

/** Adds the exposure of a wallet up to `time`. */
export function passExposure(wallet: WalletState, time: number): void {
  if (wallet.at < 0) wallet.at = time
  const passed = time - wallet.at
  if (passed <= 0) return
  addLevels(wallet.sums, wallet.now, passed)
  wallet.time += passed
  if (wallet.open > 0) wallet.heldTime += passed
  if (wallet.now.maintenanceUse > STRAIN) wallet.strainedTime += passed
  addToSketch(wallet.notionals, wallet.now.notional, passed)
  wallet.at = time
}

/** Written out, because a loop over names costs ten times as much and this runs for each fill. */
function addLevels(sums: Levels, now: Levels, passed: number): void {
  sums.notional += now.notional * passed
  sums.leverage += now.leverage * passed
  sums.equity += now.equity * passed
  sums.initialUse += now.initialUse * passed
  sums.maintenanceUse += now.maintenanceUse * passed
  sums.delta += now.delta * passed
  sums.gamma += now.gamma * passed
  sums.vega += now.vega * passed
  sums.theta += now.theta * passed
  sums.funded += now.funded * passed
  sums.rated += now.rated * passed
}

/** Samples a wallet whose sums are complete up to the current time. */
export function lookAtWallet(state: State, views: MetricsViews, slot: number): void {
  const wallet = walletAt(state, slot)
  const { now, account, currency } = wallet
  wallet.isDue = false
  const { equity, marginBalance, initial, maintenance } = views.marginsOf(account, currency)
  noteEquity(state, slot, equity)
  now.equity = Number(equity) * NANO
  clearPositions(now)
  for (const inventory of positionsOf(state, slot)) {
    if (inventory.size === 0 && isIdle(inventory.held)) continue
    endPieceNow(state, wallet, inventory, wallet.at)
    if (inventory.size !== 0) addPosition(state, views, wallet, inventory)
  }
  now.leverage = now.equity > 0 ? now.notional / now.equity : 0
  const balance = Number(marginBalance)
  now.initialUse = balance > 0 ? Number(initial) / balance : 0
  now.maintenanceUse = balance > 0 ? Number(maintenance) / balance : 0
  wallet.notionalMax = Math.max(wallet.notionalMax, now.notional)
  wallet.leverageMax = Math.max(wallet.leverageMax, now.leverage)
  wallet.initialUseMax = Math.max(wallet.initialUseMax, now.initialUse)
  wallet.maintenanceUseMax = Math.max(wallet.maintenanceUseMax, now.maintenanceUse)
}

/** Samples the distance of futures' marks from a liquidation. */
export function lookAtDistance(state: State, views: MetricsViews, slot: number): void {
  const wallet = walletAt(state, slot)
  for (const { instrument, size } of positionsOf(state, slot)) {
    const mark = state.marks[instrument] ?? 0
    if (size === 0 || termsAt(state, instrument).isOption || mark <= 0) continue
    const price = views.liquidationPriceOf(wallet.account, instrument)
    if (price === null) continue
    const distance = Math.abs(price - mark) / mark
    if (wallet.distanceMin >= 0 && distance >= wallet.distanceMin) continue
    wallet.distanceMin = distance
    wallet.distancePrice = price
  }
}

function clearPositions(now: Levels): void {
  now.notional = 0
  now.delta = 0
  now.gamma = 0
  now.vega = 0
  now.theta = 0
  now.funded = 0
  now.rated = 0
}

function addPosition(
  state: State,
  views: MetricsViews,
  { account, now }: WalletState,
  { instrument, size, held }: InventoryState,
): void {
  const { isPerpetual, isOption, payoff, amountStep9 } = termsAt(state, instrument)
  const notional = notionalOf(state, instrument, size)
  now.notional += notional
  if (isPerpetual) {
    now.funded += notional
    now.rated += notional * (state.rates[instrument] ?? 0) * RATE8
  }
  if (!isOption) {
    const coins = payoff === 'inverse' ? notional : Math.abs(size) * amountStep9 * NANO
    now.delta += size < 0 ? -coins : coins
    return
  }
  const greeks = views.greeksOf(account, instrument)
  held.delta = Number(greeks.delta) * NANO
  held.gamma = Number(greeks.gamma) * NANO
  held.vega = Number(greeks.vega) * NANO
  held.theta = Number(greeks.theta) * NANO
  now.delta += held.delta
  now.gamma += held.gamma
  now.vega += held.vega
  now.theta += held.theta
}

/** Ends the last pieces of a wallet, at the end of the run. */
export function endAttribution(state: State, time: number, slot: number): void {
  const wallet = walletAt(state, slot)
  for (const inventory of positionsOf(state, slot)) {
    if (!isIdle(inventory.held)) endPieceNow(state, wallet, inventory, time)
  }
}

/** Ends the last piece of a delivered position with its delivery price. */
export function deliverPosition(
  state: State,
  { account: id, instrument, time, mark, sessionProfitLoss }: EventOf<'settlement'>,
): void {
  const account = accountAt(state, id)
  const terms = termsAt(state, instrument)
  const inventory = inventoryOf(account, instrument)
  if (inventory.size === 0) return
  const { attribution } = walletOf(state, account, terms.settlementCurrency)
  const size = inventory.size * terms.amountStep9 * NANO
  const worth = terms.isOption ? (Number(sessionProfitLoss) * NANO) / size : worthAt(terms, mark)
  const end = { time, size, worth, forward: mark * NANO, volatility: inventory.held.volatility }
  endPiece(attribution, inventory.held, { terms, end })
  inventory.held.size = 0
}

/** Ends a piece with the current mark; without a mark the piece continues. */
function endPieceNow(
  state: State,
  wallet: WalletState,
  { instrument, size, held }: InventoryState,
  time: number,
): void {
  const terms = termsAt(state, instrument)
  const mark = state.marks[instrument] ?? 0
  const forward = state.forwards[instrument] ?? 0
  if (terms.isOption ? forward <= 0 : mark <= 0) return
  endPiece(wallet.attribution, held, {
    terms,
    end: {
      time,
      size: size * terms.amountStep9 * NANO,
      worth: worthAt(terms, mark),
      forward: forward * NANO,
      volatility: (state.volatilities[instrument] ?? 0) * NANO,
    },
  })
}

/** Notional of a size in the settlement currency, at the mark. */
function notionalOf(state: State, instrument: number, size: number): number {
  const { payoff, amountStep9, isOption, isInCoin } = termsAt(state, instrument)
  const mark = state.marks[instrument] ?? 0
  const amount = Math.abs(size) * amountStep9 * NANO
  if (isOption) return isInCoin ? amount : amount * (state.indices[instrument] ?? 0) * NANO
  if (payoff !== 'inverse') return amount * mark * NANO
  return mark > 0 ? amount / (mark * NANO) : 0
}
