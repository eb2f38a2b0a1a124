/**
 * How far what portfolio margin counts of an option may move while everything stays within a box.
 *
 * An option is worth a Black-76 price, without interest, of its forward F and its deviation s (volatility times the root
 * of the time left). In quote units it moves by no more than F does, as its delta is within -1 and 1, and by at most
 * 0.399 F for each unit of s, as that slope is F times the density of the normal distribution. In coin it is that over F:
 * a call moves by at most the relative move of F, a put by at most strike / F times that, and both by at most 0.399 for
 * each unit of s. The slopes hold on the whole way, so that no greek of now is asked for, and that of a delta near its
 * expiry, which has no bound, is not needed: a delta stays within 0 and 1, or -1 and 0.
 *
 * A scenario is the same price at F (1 + m) and another volatility, less the price at F: both moves count. Its volatility
 * is monotone in that of the option, and in time by the power of 30 days over what is left, which grows; the root of what
 * is left falls. So the deviations of a box lie between those of its corners. Market.md 6.5, 7.
 *
 * All of it is in doubles, and counts roundings many times over.
 */
import { divNearest } from '../../core/index.ts'
import type { ScenarioTable } from '../../margin/index.ts'
import { type OptionContract, shockedVolatilities } from '../../pricing/index.ts'
import type { Band, Exchange, InstrumentRow } from '../state/index.ts'
import { minuteOf } from './option-market.ts'

/** How far prices may be from what they are, and until when. */
export interface Box {
  /** Indices, marks of futures and forwards, as a part of each, up or down; volatilities by so much of 100 %. */
  readonly part: number
  /** In microseconds; infinite where nothing in it depends on time. */
  readonly until: number
}

/** How far an option may move within a box, for one coin of it. */
export interface OptionMoves {
  /** Its worth, in nano. */
  readonly worth: number
  /** Its profit in a scenario, a place of the tables, in nano. */
  profit(cell: number): number
  readonly bands: readonly Band[]
}

const YEAR_MICROS = 31_536_000_000_000
const ONE9 = 1_000_000_000
/** The greatest density of the normal distribution is less. */
const DENSITY = 0.399
/** More than each figure is rounded by, in nano; and what doubles lose, as a part of what they are of. */
const ROUNDED = 16
const UNSURE = 1e-11

/** Finds how far an option may move within a box; null where nothing bounds it. */
export function optionMoves(
  exchange: Exchange,
  { option, risk, mark }: InstrumentRow,
  of: { readonly table: ScenarioTable; readonly box: Box },
): OptionMoves | null {
  const { table, box } = of
  if (option === null || risk === null || option.contract.expiration <= box.until) return null
  const { contract } = option
  const { forward9, volatility9 } = risk
  const from = minuteOf(exchange)
  const moves = deviationMoves(contract, { table, box, from, volatility9 })
  const price = (move: number, deviation: number): number =>
    priceMove(contract, { forward9, part: box.part, move, deviation })
  const worth = price(0, moves.same)
  const isCoin = contract.isCoin
  const most = worth + 4 * contract.step9
  const spread = Math.ceil(box.part * ONE9)
  const far = Math.floor(box.part * forward9)
  return {
    worth: most,
    profit: (cell) => {
      const scenario = table.scenarios[cell]
      if (scenario === undefined) return Number.POSITIVE_INFINITY
      const { over, under } = isCoin ? scenario.coinFactor : scenario.quoteFactor
      const factor = over === under ? 1 : divNearest(Number(over), Number(under))
      const stressed = price(scenario.movePpm * 1e-6, moves[scenario.volatility])
      return factor * (stressed + worth) + ROUNDED
    },
    bands: [
      { low: Math.ceil(mark - most), high: Math.floor(mark + most) },
      { low: forward9 - far, high: forward9 + far },
      { low: volatility9 - spread, high: volatility9 + spread },
    ],
  }
}

/** By how much the price of one coin may move in a scenario, in nano of the currency that it is in. */
function priceMove(
  { right, strike9, isCoin }: OptionContract,
  at: {
    readonly forward9: number
    readonly part: number
    readonly move: number
    readonly deviation: number
  },
): number {
  const { forward9, part, move, deviation } = at
  const least = forward9 * (1 + move) * (1 - part)
  const most = forward9 * (1 + move) * (1 + part)
  const scale = isCoin ? ONE9 * (1 + divNearest(strike9, least)) : most + strike9
  const unsure = scale * UNSURE + ROUNDED
  if (!isCoin) return forward9 * (1 + move) * part + DENSITY * most * deviation + unsure
  const slope = right === 'call' ? 1 : divNearest(strike9, least)
  return ONE9 * (divNearest(part, 1 - part) * slope + DENSITY * deviation) + unsure
}

/** By how much the deviation of each volatility of the scenarios may move. */
function deviationMoves(
  { expiration }: OptionContract,
  of: {
    readonly table: ScenarioTable
    readonly box: Box
    readonly from: number
    readonly volatility9: number
  },
): { readonly up: number; readonly same: number; readonly down: number } {
  const { table, box, from, volatility9 } = of
  const spread = Math.ceil(box.part * ONE9)
  const volatilitiesAt = (volatility: number, time: number): readonly number[] => {
    const market = { volatility9: Math.max(0, volatility), expiration, time }
    const { up9, same9, down9 } = shockedVolatilities(table.terms, market)
    return [up9, same9, down9]
  }
  const now = volatilitiesAt(volatility9, from)
  const corners = [from, box.until].flatMap((time) => [
    volatilitiesAt(volatility9 - spread, time),
    volatilitiesAt(volatility9 + spread, time),
  ])
  const longest = rootOf(expiration - from)
  const shortest = rootOf(expiration - box.until)
  const moveOf = (at: number): number => {
    const present = (now[at] ?? 0) * longest
    const all = corners.map((volatilities) => volatilities[at] ?? 0)
    const high = Math.max(...all) * longest
    const low = Math.min(...all) * shortest
    return Math.max(high - present, present - low) * 1e-9
  }
  return { up: moveOf(0), same: moveOf(1), down: moveOf(2) }
}

/** The root of a time in years. */
function rootOf(micros: number): number {
  return Math.sqrt(divNearest(micros, YEAR_MICROS))
}
