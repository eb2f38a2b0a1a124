/**
 * Pre-allocation of a Block RFQ: the trades of the taker pass on to the accounts that the request names, at the same
 * prices, each with its part of the fee.
 *
 * Rule: rfq.allocation-booking. Each leg is shared pro rata, rounded down to its step, with the remainder for the first
 * account; the fee is shared in the same way. A named account bears the margin of its part, and the taker only the
 * margin of the taker's own part. For a spot leg, coins and money change hands instead of a position, so a named
 * account must have the money, or the coins, for its part free.
 *
 * Assumed: parts pass through the account of the taker, so a position of the taker there takes the price of the trade
 * into its average. Source: sessions-blocks-gateways.md 5.7.
 */
import { allocatePro } from '../../blocks/index.ts'
import { amount, defined, divFloorBig, lots } from '../../core/index.ts'
import { type BlockLeg, type Fill, opposite } from '../../model/index.ts'
import { transferPosition } from '../day/index.ts'
import { type Exchange, holdingFor, type RfqRow, rowOfInstrument, type Turn } from '../state/index.ts'
import { bearsBlock, checkBlockLocks } from './block-checks.ts'

/** The legs of an account on the taker's side of a fill, with the sides of the makers. */
interface SharedLegs {
  readonly account: number
  readonly legs: readonly BlockLeg[]
}

/** True if all accounts with a part of a fill have the margin for it, and may trade now. */
export function bearsShares(exchange: Exchange, rfq: RfqRow, blocks: readonly (readonly BlockLeg[])[]): boolean {
  return sharesOf(exchange, rfq, blocks).every(({ account, legs }) => {
    const side = { account, role: 'taker' } as const
    return checkBlockLocks(exchange, legs, [side]).ok && bearsBlock(exchange, legs, side)
  })
}

/** Passes the parts of a block on. Events: `position_transfer` of each leg and each other account. */
export function bookShares(
  turn: Turn,
  rfq: RfqRow,
  { legs, fills }: { readonly legs: readonly BlockLeg[]; readonly fills: readonly Fill[] },
): void {
  const { exchange } = turn
  if (rfq.shares.length === 0) return
  for (const [at, leg] of legs.entries()) {
    const row = rowOfInstrument(exchange, leg.instrument)
    const parts = partsOf(exchange, rfq, leg)
    const { fee } = defined(fills[at], 'each leg has a fill of the taker')
    const fees = parts.map((part) => divFloorBig(fee * BigInt(part), BigInt(leg.amount)))
    const rest = fees.reduce((sum, part) => sum - part, fee as bigint)
    for (const [which, { account }] of rfq.shares.entries()) {
      const size = parts[which] ?? 0
      if (account === rfq.taker || size === 0) continue
      const commission = (fees[which] ?? 0n) + (which === 0 ? rest : 0n)
      // The account that takes over a bought part gives the same size of the opposite side, and the fee with it.
      const isBought = opposite(leg.side) === 'buy'
      transferPosition(turn, {
        reason: 'allocation',
        from: holdingFor(exchange, account, row),
        to: holdingFor(exchange, rfq.taker, row),
        lots: isBought ? -size : size,
        price: leg.price,
        commission: amount(commission),
        commissionToTarget: amount(commission),
      })
    }
  }
}

/** Legs of all blocks by the account that receives them. */
function sharesOf(exchange: Exchange, rfq: RfqRow, blocks: readonly (readonly BlockLeg[])[]): readonly SharedLegs[] {
  if (rfq.shares.length === 0) return [{ account: rfq.taker, legs: blocks.flat() }]
  return rfq.shares.map(({ account }, which) => {
    const legs = blocks.flat().flatMap((leg): readonly BlockLeg[] => {
      const size = partsOf(exchange, rfq, leg)[which] ?? 0
      return size === 0 ? [] : [{ ...leg, amount: lots(size) }]
    })
    return { account, legs }
  })
}

/** Lots of a leg for each named account. */
function partsOf(exchange: Exchange, { shares }: RfqRow, leg: BlockLeg): readonly number[] {
  const { minTradeLots } = rowOfInstrument(exchange, leg.instrument).instrument
  return allocatePro(
    leg.amount,
    minTradeLots,
    shares.map(({ amount: share }) => share),
  )
}
