/**
 * Checks that an account can afford positions that it receives or gives away at a price: the increase of its initial
 * margin, less its immediate gain against the marks, must be available. All changes of one margin count together.
 *
 * Rule: margin.move. Assumed: as with orders, a move that does not worsen the state of an account is always allowed; a
 * coin from the spot leg of a block counts in full until it is in the account.
 * Source: sessions-blocks-gateways.md 6.1; market.md 6.
 */
import { currencyId, divHalfAwayBig } from '../../core/index.ts'
import { basisBig } from '../../ledger/index.ts'
import { currencyOf } from '../../model/index.ts'
import { accountRow, type Exchange } from '../state/index.ts'
import type { Moved } from './models/margin-model.ts'
import { modelOf } from './models/margin-models.ts'
import { groupBy } from './models/moved-sizes.ts'
import { usdIndex9 } from './usd-index.ts'

const NANO = 1_000_000_000n

/** Money that an account gains, or with a minus pays, in addition to the moves: by currency, in nano. */
export type CashBeside = ReadonlyMap<number, bigint>

const noCash: CashBeside = new Map()

/** True if an account can afford all moves together. */
export function bearsMoves(
  exchange: Exchange,
  account: number,
  moves: readonly Moved[],
  cash: CashBeside = noCash,
): boolean {
  const owner = accountRow(exchange, account)
  if (owner.account.house) return true
  const model = modelOf(owner)
  let sharedRise = 0n
  const groups = groupBy(moves, ({ row }): number => row.settlement)
  for (const currency of new Set([...groups.keys(), ...cash.keys()])) {
    const group = groups.get(currency) ?? []
    const gain = gainOf(group, model.netsPositions) + (cash.get(currency) ?? 0n)
    const change = { moves: group, gain }
    const margin = group.length === 0 ? 0n : model.riseOfMoves(exchange, owner, change)
    if (model.shared !== null) {
      const usd9 = BigInt(usdIndex9(exchange, currencyOf(currencyId(currency))))
      sharedRise += margin - divHalfAwayBig(gain * usd9, NANO)
      continue
    }
    const rise = margin - gain
    if (rise > 0n && !model.hasFree(exchange, owner, { currency, rise })) return false
  }
  const all = { currency: 0, rise: sharedRise }
  return sharedRise <= 0n || model.hasFree(exchange, owner, all)
}

/** Immediate gain of an account, in nano. Under standard margin the value of options does not count (5.3). */
function gainOf(moves: readonly Moved[], countsOptions: boolean): bigint {
  let gain = 0n
  for (const { row, lots, price } of moves) {
    const size = Math.abs(lots)
    const paid = basisBig(row.terms, size, price)
    const worth = row.terms.premium && !countsOptions ? 0n : basisBig(row.terms, size, row.mark)
    const inverse = row.terms.payoff === 'inverse'
    const won = inverse ? divHalfAwayBig(paid - worth, NANO) : worth - paid
    gain += lots > 0 ? won : -won
  }
  return gain
}
