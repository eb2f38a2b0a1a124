/**
 * Whether an account bears positions that it takes or gives at a price: what its initial margin rises by, less
 * what it wins against the marks at once, must be available. All changes of one margin count together.
 *
 * Rule: margin.move. Assumed: as with orders, what leaves an account no worse than it was is always allowed.
 * Source: sessions-blocks-gateways.md 6.1; market.md 6.
 */
import { currencyId, divHalfAwayBig, type Price9 } from '../../core/index.ts'
import { basisBig, sizeOf } from '../../ledger/index.ts'
import { initialMargin, MATRICES, type MatrixRisk, readExposure } from '../../margin/index.ts'
import { currencyOf } from '../../model/index.ts'
import {
  type AccountRow,
  accountRow,
  type Exchange,
  emptyPair,
  findHolding,
  findPair,
  type InstrumentRow,
} from '../state/index.ts'
import { crossMargins, crossParts, marginsOf } from './account-margins.ts'
import { crossOf } from './cross-pairs.ts'
import { exactMargin, NO_HOLDING } from './exact-margin.ts'
import { foreseenRisk, freshenPair, heldContract, pairMargin, pairRisks } from './pairs.ts'
import { usdIndex9 } from './usd-index.ts'

/** A position that an account takes over (positive: long) or gives. Its instrument has a mark. */
export interface Moved {
  readonly row: InstrumentRow
  readonly lots: number
  readonly price: Price9
}

const NANO = 1_000_000_000n

/** Whether an account bears all of it. */
export function bearsMoves(exchange: Exchange, account: number, moves: readonly Moved[]): boolean {
  const owner = accountRow(exchange, account)
  if (owner.account.house) return true
  const byCurrency = groupBy(moves, ({ row }) => row.settlement)
  if (owner.risk.isCross) {
    let rise = 0n
    for (const [currency, group] of byCurrency) {
      const usd9 = BigInt(usdIndex9(exchange, currencyOf(currencyId(currency))))
      const gain = divHalfAwayBig(gainOf(owner, group) * usd9, NANO)
      const margin = owner.risk.isPortfolio
        ? pairsIncrease(exchange, owner, group)
        : divHalfAwayBig(standardIncrease18(exchange, owner, group) * usd9, NANO * NANO)
      rise += margin - gain
    }
    const { marginBalance, initial, spotReserve } = crossMargins(exchange, owner)
    return rise <= 0n || marginBalance - initial - spotReserve >= rise
  }
  for (const [currency, group] of byCurrency) {
    const margin = owner.risk.isPortfolio
      ? pairsIncrease(exchange, owner, group)
      : divHalfAwayBig(standardIncrease18(exchange, owner, group), NANO)
    const rise = margin - gainOf(owner, group)
    const name = currencyOf(currencyId(currency))
    if (rise > 0n && marginsOf(exchange, owner.account.id, name).available < rise) return false
  }
  return true
}

/** What an account wins at once, in nano: of standard margin the worth of options does not count (5.3). */
function gainOf({ risk }: AccountRow, moves: readonly Moved[]): bigint {
  let gain = 0n
  for (const { row, lots, price } of moves) {
    const size = Math.abs(lots)
    const paid = basisBig(row.terms, size, price)
    const worth = row.terms.premium && !risk.isPortfolio ? 0n : basisBig(row.terms, size, row.mark)
    const inverse = row.terms.payoff === 'inverse'
    const won = inverse ? divHalfAwayBig(paid - worth, NANO) : worth - paid
    gain += lots > 0 ? won : -won
  }
  return gain
}

/** By how much standard initial margin rises, in 1e-18 of the currency. */
function standardIncrease18(
  exchange: Exchange,
  owner: AccountRow,
  moves: readonly Moved[],
): bigint {
  let rise = 0n
  for (const { row, lots } of sizesOf(moves)) {
    const { holding, position, buys, sells } = heldBy(exchange, owner, row)
    const marginAt = (size: number): bigint => {
      const sizes = { position: size, buys, sells }
      if (row.instrument.kind !== 'future' || owner.risk.isCross) {
        return exactMargin(exchange, { row, holding }, sizes).initial18
      }
      // Segregated margin is rounded for each position.
      const worst = Math.max(Math.abs(size), Math.abs(size + buys), Math.abs(size - sells))
      return BigInt(initialMargin(row.markScale, worst)) * NANO
    }
    rise += marginAt(position + lots) - marginAt(position)
  }
  return rise
}

/** By how much portfolio margin rises, in nano of the currency, or of USD in cross margin. */
function pairsIncrease(exchange: Exchange, owner: AccountRow, moves: readonly Moved[]): bigint {
  let rise = 0n
  const parts = owner.risk.isCross ? crossParts(exchange, owner) : []
  for (const group of groupBy(sizesOf(moves), ({ row }) => row.index.name).values()) {
    const [first] = group
    if (first === undefined) continue
    const pair = findPair(owner, first.row) ?? emptyPair(exchange, owner.account.id, first.row)
    freshenPair(exchange, pair)
    const cross = owner.risk.isCross ? crossOf(exchange, pair, parts) : null
    const after: MatrixRisk[] = []
    for (let matrix = 0; matrix < MATRICES; matrix += 1) {
      const sizes = group.map(({ row, lots }) => {
        const { holding, position, buys, sells } = heldBy(exchange, owner, row)
        const open = [0, buys, -sells][matrix] ?? 0
        const known = holding === NO_HOLDING ? NO_HOLDING - row.instrument.id : holding
        const held = heldContract(exchange, row, known)
        return { held, lots: position + lots + open }
      })
      after.push(foreseenRisk(exchange, pair, { matrix, sizes, cross }))
    }
    rise += pairMargin(after).initial - pairMargin(pairRisks(exchange, pair, cross)).initial
  }
  return rise
}

/** What an account has of an instrument, and has open. */
function heldBy(
  exchange: Exchange,
  owner: AccountRow,
  row: InstrumentRow,
): {
  readonly holding: number
  readonly position: number
  readonly buys: number
  readonly sells: number
} {
  const held = findHolding(exchange, owner.account.id, row)
  if (held === undefined) return { holding: NO_HOLDING, position: 0, buys: 0, sells: 0 }
  const { buys, sells } = readExposure(exchange.margin, held.holding)
  const position = sizeOf(exchange.ledger, held.holding)
  return { holding: held.holding, position, buys, sells }
}

/** What moves of each instrument, in one or more parts: margin is no sum of what its parts would need. */
function sizesOf(moves: readonly Moved[]): readonly Size[] {
  const sizes: Size[] = []
  for (const parts of groupBy(moves, ({ row }) => row).values()) {
    const lots = parts.reduce((sum, part) => sum + part.lots, 0)
    const [first] = parts
    if (first !== undefined) sizes.push({ row: first.row, lots })
  }
  return sizes
}

/** A size of an instrument, signed. */
type Size = Pick<Moved, 'row' | 'lots'>

function groupBy<K, M extends Size>(
  moves: readonly M[],
  keyOf: (move: M) => K,
): ReadonlyMap<K, readonly M[]> {
  const groups = new Map<K, M[]>()
  for (const move of moves) {
    const key = keyOf(move)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [move])
    else group.push(move)
  }
  return groups
}
