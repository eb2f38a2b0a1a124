/**
 * Portfolio margin of an account whose currencies share it, in USD. The account's equity in a coin moves with the
 * coin's index. It counts in a pair of the account, or by itself for coins without a position (market.md 6.4, T80).
 *
 * Rule: margin.cross-portfolio. The account's equity in a coin belongs to the pair of the coin and its index
 * `<coin>_usd`. Assumed: stable coins do not move, and a coin whose index is unknown counts as 0. Positions of
 * `<coin>_usd` and `<coin>_usdc` are two pairs, which do not offset each other.
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

/** Computes the risks of a pair in USD. */
type RisksOfPair = (pair: PairRow, cross: NonNullable<RiskInput['cross']>) => readonly MatrixRisk[]

/** The risks of all pairs of an account, current or as computed by `risksOf`, and of its coins without a pair. */
export function crossPairs(
  exchange: Exchange,
  owner: AccountRow,
  parts: readonly Part[],
  ownRisksOf?: RisksOfPair,
): readonly (readonly MatrixRisk[])[] {
  const risksOf = ownRisksOf ?? ((pair, cross) => pairRisks(exchange, pair, cross))
  const risks = owner.risk.pairs.map((pair) => risksOf(pair, crossOf(exchange, pair, parts)))
  for (const part of unpairedCoins(owner.risk.pairs, parts)) {
    risks.push(coinRisks(exchange, part))
  }
  return risks
}

/** The coins of an account that do not belong to any of its pairs. */
export function unpairedCoins<P extends Part>(pairs: readonly PairRow[], parts: readonly P[]): readonly P[] {
  return parts.filter((part) => {
    const name = usdIndexName(part.currency)
    const isPaired = pairs.some((pair) => pair.index.name === name && currencyOfPair(pair) === part.currency)
    return !isPaired && isStressed(part)
  })
}

/** Parameters that count a pair in USD, after the account has gained `gain` of its currency, in nano. */
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

function isStressed(part: Pick<Part, 'currency' | 'equity' | 'index9'>): boolean {
  return part.equity !== 0n && part.index9 !== 0 && isMovingCoin(part.currency)
}

/** Cells without a position. */
const noCells = { sums: new Float64Array(2 * SCENARIO_CELLS), at: 0 }

/** The risk of a coin by itself: three equal matrices. */
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

/** The currency in which a pair settles. */
export function currencyOfPair(pair: PairRow): Currency {
  return currencyOf(currencyId(pair.wallet % CURRENCY_SLOTS))
}
