/**
 * The check that an account bears positions that it takes or gives at a price: what its initial margin rises by,
 * less what it wins against the marks at once, must be available. All changes of one margin count together.
 *
 * Rule: margin.move. Assumed: as with orders, a move that leaves an account no worse off is always allowed; a coin from the
 * spot leg of a block counts in full until it is in the account.
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

/** Money that an account wins, or with a minus pays, beside what it moves: by currency, in nano. */
export type CashBeside = ReadonlyMap<number, bigint>

const noCash: CashBeside = new Map()

/** True if an account bears all of it. */
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

/** Immediate gain of an account, in nano: under standard margin the worth of options does not count (5.3). */
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
