/**
 * How much an account under portfolio margin surely has to spare beyond its maintenance margin while everything stays
 * within a box around the present.
 *
 * Each figure is taken at its worst at once: what positions are worth is as low as it may be (`portfolio-drift.ts`), and
 * so is the profit of each scenario; then the worst case is the greatest loss among the scenarios, roll and delta shock
 * are those of as much delta as there may be, and the index is where the dampener is the least and what is counted in
 * the coin costs the most. Under cross margin what an account has of a currency counts at the lower price, and what it
 * owes, and every risk, at the higher one. Maintenance margin is 0.8 of the risk; a roll shock does not rise as time goes
 * by. So what is left here is left at every state within the box. Source: market.md 6.3-6.5.
 */
import { divNearest, wideNear } from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import {
  dampenersOf,
  readExposure,
  SCENARIO_CELLS,
  type ScenarioTable,
  STANDARD_CELLS,
} from '../../margin/index.ts'
import { CURRENCY_SLOTS, currencyIdOf } from '../../model/index.ts'
import {
  type AccountRow,
  ALL_CURRENCIES,
  type Exchange,
  type PairRow,
  tableOf,
} from '../state/index.ts'
import { crossOf, currencyOfPair, unpairedCoins } from './cross-pairs.ts'
import type { SharedMargin, SharedPart } from './models/margin-model.ts'
import { modelOf } from './models/margin-models.ts'
import type { Box } from './option-drift.ts'
import { freshenPair, movesOf } from './pairs.ts'
import { type Drift, driftOf } from './portfolio-drift.ts'
import { usdIndex9, usdIndexName } from './usd-index.ts'
import { walletState } from './wallet-state.ts'

const MAINTENANCE = 0.8
/** Far more than doubles lose, as a part of what they are of; and what rounding to nano does. */
const UNSURE = 1e-11
const ROUNDED = 256

/** A pair and how far it may move. */
interface Drifting {
  readonly pair: PairRow
  readonly drift: Drift
}

/**
 * Finds what each pool of an account has to spare within a box, by its currency, in nano, or that of all currencies in
 * 1e-9 USD; null where nothing bounds it. Where there are no positions nothing can be closed, whatever is owed.
 */
export function sparesWithin(
  exchange: Exchange,
  owner: AccountRow,
  box: Box,
): ReadonlyMap<number, number> | null {
  const all: Drifting[] = []
  for (const pair of owner.risk.pairs) {
    // A pair without positions and orders risks nothing, though its index may have no price yet.
    if (pair.index.price === 0 && holdsNothing(exchange, pair)) continue
    freshenPair(exchange, pair)
    const drift = pair.index.price === 0 ? null : driftOf(exchange, pair, box)
    if (drift === null) return null
    all.push({ pair, drift })
  }
  const held = all.filter(({ drift }) => drift.worth > 0)
  if (held.length === 0) return new Map()
  const { shared } = modelOf(owner)
  if (shared !== null) {
    return new Map([[ALL_CURRENCIES, spareOfAll(exchange, owner, { all, box, shared })]])
  }
  const wallets = [...new Set(held.map(({ pair }) => pair.wallet))]
  return new Map(
    wallets.map((wallet) => {
      const own = all.filter(({ pair }) => pair.wallet === wallet)
      return [wallet % CURRENCY_SLOTS, spareOfOne(exchange, owner, { own, box, wallet })]
    }),
  )
}

function holdsNothing({ ledger, margin }: Exchange, { holdings }: PairRow): boolean {
  return holdings.every(({ holding }) => {
    const { buys, sells } = readExposure(margin, holding)
    return sizeOf(ledger, holding) === 0 && buys === 0 && sells === 0
  })
}

/** Finds how much a currency has to spare by itself. */
function spareOfOne(
  exchange: Exchange,
  owner: AccountRow,
  of: { readonly own: readonly Drifting[]; readonly box: Box; readonly wallet: number },
): number {
  const { own, box, wallet } = of
  const equity = Number(walletState(exchange, owner, wallet % CURRENCY_SLOTS).equity)
  let risk = 0
  let lost = 0
  for (const each of own) {
    risk += riskOf(exchange, each, { box, cross: null })
    lost += each.drift.worth
  }
  return surely(equity - lost - MAINTENANCE * risk, Math.abs(equity) + lost + risk)
}

/** Finds how much all currencies have to spare together, in 1e-9 USD. */
function spareOfAll(
  exchange: Exchange,
  owner: AccountRow,
  of: {
    readonly all: readonly Drifting[]
    readonly box: Box
    readonly shared: SharedMargin
  },
): number {
  const { all, box, shared } = of
  const parts = shared.parts(exchange, owner)
  const lost = new Map<number, number>()
  for (const { pair, drift } of all) {
    const currency = pair.wallet % CURRENCY_SLOTS
    lost.set(currency, (lost.get(currency) ?? 0) + drift.worth)
  }
  let risk = 0
  for (const each of all) {
    const { usd9, equity } = crossOf(exchange, each.pair, parts)
    const own = lost.get(each.pair.wallet % CURRENCY_SLOTS) ?? 0
    const cross = { usd: usd9 * 1e-9, equity: Number(equity), lost: own }
    risk += riskOf(exchange, each, { box, cross })
  }
  for (const part of unpairedCoins(owner.risk.pairs, parts)) {
    risk += coinRisk(exchange, part, { box, lost: lost.get(currencyIdOf(part.currency)) ?? 0 })
  }
  let worth = 0
  let gross = risk
  for (const { currency, equity, index9 } of parts) {
    const least = Number(equity) - (lost.get(currencyIdOf(currency)) ?? 0)
    lost.delete(currencyIdOf(currency))
    worth += least * index9 * 1e-9 * (least < 0 ? 1 + box.part : 1 - box.part)
    gross += (Math.abs(Number(equity)) + Math.abs(least)) * index9 * 1e-9
  }
  // What an account has nothing of may come to a debt.
  for (const { pair } of all) {
    const currency = pair.wallet % CURRENCY_SLOTS
    const debt = lost.get(currency) ?? 0
    lost.delete(currency)
    const usd9 = usdIndex9(exchange, currencyOfPair(pair))
    worth -= debt * usd9 * 1e-9 * (1 + box.part)
  }
  return surely(worth - MAINTENANCE * risk, gross)
}

/** The least that a sum in doubles may be. */
function surely(sum: number, gross: number): number {
  return sum - gross * UNSURE - ROUNDED
}

/** Under cross margin: the currency in USD, what the account has of the coin, and how much of it it may lose. */
interface CrossCount {
  readonly usd: number
  readonly equity: number
  readonly lost: number
}

/** The most that the risk of a pair may be, in nano of its currency or in 1e-9 USD. */
function riskOf(
  exchange: Exchange,
  { pair, drift }: Drifting,
  of: { readonly box: Box; readonly cross: CrossCount | null },
): number {
  const { box, cross } = of
  const { group, index } = pair
  const { table, isCoin, sums } = group
  const usd = cross === null ? 1 : cross.usd * (1 + box.part)
  const dampeners = isCoin && cross === null ? dampenersOf(table, index.price) : table.usdDampeners
  const left = isCoin && cross === null ? divNearest(1, 1 + box.part) : 1
  let worst = 0
  for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
    const move = isCoin && cross !== null ? moveIn(table, cell) : 0
    const own = wideNear(sums, 2 * cell)
    const least = own - Math.abs(own) * UNSURE - (drift.cells[cell] as number)
    const coins = cross === null ? 0 : cross.equity * move - cross.lost * Math.abs(move)
    const loss = -(least * (1 + move) + coins) * usd
    worst = Math.max(worst, loss - dampenerAt(dampeners, cell) * left)
  }
  const most = index.price * 1e-9 * (1 + box.part)
  return worst + shocksOf(exchange, { pair, drift }, most) * (isCoin ? 1 : most) * usd
}

/** The move at which a cell counts in USD. */
function moveIn({ scenarios }: ScenarioTable, cell: number): number {
  return (scenarios[cell]?.countedPpm ?? 0) * 1e-6
}

/** The dampener of a cell, rounded down; standard cells have none. */
function dampenerAt(dampeners: Float64Array, cell: number): number {
  if (cell < STANDARD_CELLS) return 0
  return Math.max(0, (dampeners[cell - STANDARD_CELLS] as number) - 1)
}

/** The most that roll and delta shock of a pair may be, in nano of coin, at an index in USD. */
function shocksOf(exchange: Exchange, { pair, drift }: Drifting, index: number): number {
  const { table, expiries } = pair.group
  const moveOf = movesOf(exchange, pair)
  let { roll } = drift
  let net = 0
  for (const { expiration, deltas } of expiries.values()) {
    const delta = wideNear(deltas, 0)
    roll += Math.abs(delta) * moveOf(expiration) * 1e-9
    net += delta
  }
  const most = Math.abs(net) + drift.delta
  const over = Math.max(0, most * 1e-9 - divNearest(Number(table.threshold), index))
  const rate = Math.min(Number(table.shockMax9), Number(table.increase9) * over) * 1e-9
  return roll + most * rate
}

/** The most that the risk of a coin without a pair may be, in 1e-9 USD. */
function coinRisk(
  exchange: Exchange,
  { currency, equity, index9 }: SharedPart,
  { box, lost }: { readonly box: Box; readonly lost: number },
): number {
  const table = tableOf(exchange, usdIndexName(currency))
  const usd = index9 * 1e-9 * (1 + box.part)
  let worst = 0
  for (let cell = 0; cell < SCENARIO_CELLS; cell += 1) {
    const move = moveIn(table, cell)
    const loss = -(Number(equity) * move - lost * Math.abs(move)) * usd
    worst = Math.max(worst, loss - dampenerAt(table.usdDampeners, cell))
  }
  return worst
}
