/**
 * What wallets have at stake over time: notional, leverage, margin in use, distance to liquidation, greeks.
 *
 * A wallet is looked at after each input that changed a position of it, at the first whole minute after a mark moved,
 * and at the end. What was seen holds until the next look, so that an average over time weighs it with that time;
 * a largest value is the largest of those seen. Time counts from the first position of the wallet.
 *
 * - Notional is in the settlement currency at the mark: size over mark for inverse contracts, size times mark for
 *   linear ones; an option counts the size of its underlying, in coin for inverse ones, at the index else.
 * - Leverage is notional over equity, margin in use is margin over margin balance; neither is known, and both count as
 *   zero, where that is not above zero.
 */
import { accountId, instrumentId } from '../../core/index.ts'
import type { Currency } from '../../model/index.ts'
import { addToSketch } from './sketch.ts'
import {
  type AccountState,
  accountAt,
  createLevels,
  type Levels,
  levelNames,
  type State,
  termsAt,
  type WalletState,
  walletOf,
} from './state.ts'
import type { MetricsViews } from './views.ts'

/** Marks are looked at once in this time. */
export const LOOK_MICROS = 60_000_000
/** More of the margin balance than this as maintenance margin is a strain. */
export const STRAIN = 0.8
const NANO = 1e-9
const RATE8 = 1e-8

/** Counts what a wallet had at stake until `time`. */
export function passExposure(wallet: WalletState, time: number): void {
  if (wallet.at < 0) wallet.at = time
  const passed = time - wallet.at
  if (passed <= 0) return
  const { now, sums } = wallet
  for (const name of levelNames) sums[name] += now[name] * passed
  wallet.time += passed
  if (wallet.open > 0) wallet.heldTime += passed
  if (now.maintenanceUse > STRAIN) wallet.strainedTime += passed
  addToSketch(wallet.notionals, now.notional, passed)
  wallet.at = time
}

/** Looks at a wallet whose time was counted until now. */
export function lookAtWallet(
  state: State,
  views: MetricsViews,
  [id, currency]: readonly [number, Currency],
): void {
  const account = accountAt(state, id)
  const wallet = walletOf(account, currency)
  wallet.isDue = false
  const { equity, marginBalance, initial, maintenance } = views.marginsOf(accountId(id), currency)
  const now = createLevels()
  now.equity = Number(equity) * NANO
  if (wallet.open > 0) {
    addPositions(state, views, { id, account, currency, now, wallet })
    now.leverage = now.equity > 0 ? now.notional / now.equity : 0
  }
  const balance = Number(marginBalance)
  now.initialUse = balance > 0 ? Number(initial) / balance : 0
  now.maintenanceUse = balance > 0 ? Number(maintenance) / balance : 0
  Object.assign(wallet.now, now)
  wallet.notionalMax = Math.max(wallet.notionalMax, now.notional)
  wallet.leverageMax = Math.max(wallet.leverageMax, now.leverage)
  wallet.initialUseMax = Math.max(wallet.initialUseMax, now.initialUse)
  wallet.maintenanceUseMax = Math.max(wallet.maintenanceUseMax, now.maintenanceUse)
}

function addPositions(
  state: State,
  views: MetricsViews,
  of: {
    readonly id: number
    readonly account: AccountState
    readonly currency: Currency
    readonly now: Levels
    readonly wallet: WalletState
  },
): void {
  const { id, account, currency, now, wallet } = of
  for (const [instrument, { size }] of account.inventories) {
    const terms = termsAt(state, instrument)
    if (size === 0 || terms.settlementCurrency !== currency || terms.isSpot) continue
    const mark = state.marks[instrument] ?? 0
    const notional = notionalOf(state, instrument, { size, mark })
    now.notional += notional
    if (terms.isPerpetual) {
      now.funded += notional
      now.rated += notional * (state.rates[instrument] ?? 0) * RATE8
    }
    const greeks = views.greeksOf(accountId(id), instrumentId(instrument))
    now.delta += Number(greeks.delta) * NANO
    now.gamma += Number(greeks.gamma) * NANO
    now.vega += Number(greeks.vega) * NANO
    now.theta += Number(greeks.theta) * NANO
    if (terms.isOption || mark <= 0) continue
    const price = views.liquidationPriceOf(accountId(id), instrumentId(instrument))
    if (price === null) continue
    const distance = Math.abs(price - mark) / mark
    if (wallet.distanceMin >= 0 && distance >= wallet.distanceMin) continue
    wallet.distanceMin = distance
    wallet.distancePrice = price
  }
}

/** Notional of a size in the settlement currency; `mark` is the price in 1e-9. */
export function notionalOf(
  state: State,
  instrument: number,
  { size, mark }: { readonly size: number; readonly mark: number },
): number {
  const { payoff, amountStep9, isOption, isInCoin } = termsAt(state, instrument)
  const amount = Math.abs(size) * amountStep9 * NANO
  if (isOption) return isInCoin ? amount : amount * (state.indices[instrument] ?? 0) * NANO
  if (payoff !== 'inverse') return amount * mark * NANO
  return mark > 0 ? amount / (mark * NANO) : 0
}
