/**
 * Portfolio margin of an account whose currencies share it: the pairs of the account in USD, in which what it
 * has of a coin moves with the coin's index, and the coins that it has without a position (market.md 6.4, T80).
 *
 * Rule: margin.cross-portfolio. What an account has of a coin belongs to the pair of the coin and its index
 * `<coin>_usd`. Assumed: stable coins do not move, and a coin whose index is unknown counts for nothing.
 * Positions of `<coin>_usd` and `<coin>_usdc` are two pairs, which set nothing off against each other.
 */
import { currencyId } from '../../core/index.ts'
import {
  type CrossPart,
  MATRICES,
  type MatrixRisk,
  matrixRisk,
  type RiskInput,
  SCENARIO_CELLS,
} from '../../margin/index.ts'
import { CURRENCY_SLOTS, type Currency, currencyOf } from '../../model/index.ts'
import { type AccountRow, type Exchange, type PairRow, scenarioTableOf } from '../state/index.ts'
import { pairRisks } from './pairs.ts'
import { isMovingCoin, usdIndex9, usdIndexName } from './usd-index.ts'

type Part = CrossPart & { readonly currency: Currency }

/** How the risks of a pair are found, counted in USD. */
type RisksOfPair = (pair: PairRow, cross: NonNullable<RiskInput['cross']>) => readonly MatrixRisk[]

/** The risks of all pairs of an account, as they are or as `risksOf` finds them, and of its coins without one. */
export function crossPairs(
  exchange: Exchange,
  owner: AccountRow,
  of: { readonly parts: readonly Part[]; readonly risksOf?: RisksOfPair },
): readonly (readonly MatrixRisk[])[] {
  const { parts } = of
  const risksOf = of.risksOf ?? ((pair, cross) => pairRisks(exchange, pair, cross))
  const risks = owner.risk.pairs.map((pair) => risksOf(pair, crossOf(exchange, pair, parts)))
  for (const part of unpairedCoins(owner.risk.pairs, parts)) {
    risks.push(coinRisks(exchange, part))
  }
  return risks
}

/** The coins of an account that move with no pair of it. */
export function unpairedCoins<P extends Part>(pairs: readonly PairRow[], parts: readonly P[]): readonly P[] {
  return parts.filter((part) => {
    const name = usdIndexName(part.currency)
    const isPaired = pairs.some((pair) => pair.index.name === name && currencyOfPair(pair) === part.currency)
    return !isPaired && isStressed(part)
  })
}

/** How a pair is counted in USD, once the account has won `gain` of its currency, in nano. */
export function crossOf(
  exchange: Exchange,
  pair: PairRow,
  parts: readonly Part[],
  gain = 0n,
): NonNullable<RiskInput['cross']> {
  const currency = currencyOfPair(pair)
  const usd9 = usdIndex9(exchange, currency)
  const part = parts.find((each) => each.currency === currency)
  const equity = (part?.equity ?? 0n) + gain
  const isOwn = pair.index.name === usdIndexName(currency)
  return { usd9, equity: isOwn && isStressed({ currency, equity, index9: usd9 }) ? equity : 0n }
}

function isStressed({ currency, equity, index9 }: Pick<Part, 'currency' | 'equity' | 'index9'>): boolean {
  return equity !== 0n && index9 !== 0 && isMovingCoin(currency)
}

/** Cells of no position. */
const noCells = { sums: new Float64Array(2 * SCENARIO_CELLS), at: 0 }

/** A coin by itself: three equal matrices. */
export function coinRisks(exchange: Exchange, part: Part): readonly MatrixRisk[] {
  const table = scenarioTableOf(exchange, usdIndexName(part.currency))
  const risk = matrixRisk({
    table,
    cells: noCells,
    deltas: [],
    isCoin: true,
    index9: part.index9,
    dampeners: table.usdDampeners,
    cross: { usd9: part.index9, equity: part.equity },
  })
  return new Array<MatrixRisk>(MATRICES).fill(risk)
}

/** The currency that a pair settles in. */
export function currencyOfPair({ wallet }: PairRow): Currency {
  return currencyOf(currencyId(wallet % CURRENCY_SLOTS))
}
