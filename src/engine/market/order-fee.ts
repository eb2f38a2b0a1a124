/**
 * The fee that an order would pay as a maker and as a taker, if all of it were filled at its price. All values are
 * bigint, because a client may ask for any size, even one that no account could pay.
 *
 * Assumed: the legs of a combo are charged at their marks, since their future prices are not known; while a mark is
 * missing the fee is 0.
 * Source: market.md 4.
 */
import {
  type AccountId,
  type Amount,
  amount,
  type InstrumentId,
  type Lots,
  mulDivFloor,
  type Price9,
} from '../../core/index.ts'
import { basisBig, feeShareNano, optionFeeNano, pricedTerms, WHOLE_FEE } from '../../ledger/index.ts'
import type { Liquidity, Side } from '../../model/index.ts'
import { accountRow, type Exchange, isCoinSettled, ONE_COIN9, rowOfInstrument } from '../state/index.ts'
import { legSizes } from '../value/index.ts'
import { legFeeShares, type TradedLeg } from './leg-fees.ts'

/** An order that is not placed. */
interface PossibleOrder {
  readonly account: AccountId
  readonly instrument: InstrumentId
  readonly side: Side
  readonly amount: Lots
  readonly price: Price9
}

/**
 * The fee of an order in nano of its settlement currency, or of the base coin for a spot buy; a negative fee is a
 * rebate.
 */
export function feeForOrder(exchange: Exchange, order: PossibleOrder, role: Liquidity): Amount {
  const { account, side, amount: lots, price } = order
  const { feePpm } = accountRow(exchange, account).account
  const row = rowOfInstrument(exchange, order.instrument)
  if (row.legs.length === 0) {
    const whole = { row, direction: side, lots, priced: pricedTerms(row.terms, price) }
    return amount(feeOfPart(whole, role, feePpm))
  }
  const legs = legSizes(row, { side, lots }).map((leg) => ({
    row: leg.row,
    direction: leg.side,
    lots: leg.lots,
    priced: pricedTerms(leg.row.terms, leg.row.mark),
  }))
  if (legs.some(({ priced }) => priced.price9 <= 0)) return amount(0n)
  const shares = legFeeShares(row.instrument.kind, legs, role)
  const fees = legs.map((leg, at) => {
    const share = shares[at] ?? WHOLE_FEE
    return feeOfPart(leg, role, mulDivFloor(feePpm, share, WHOLE_FEE))
  })
  return amount(fees.reduce((sum, fee) => sum + fee, 0n))
}

/** The fee of an instrument without legs, of which the account pays `ppm`. */
function feeOfPart({ row, direction, lots, priced }: TradedLeg, role: Liquidity, ppm: number): bigint {
  const { terms } = row
  if (!terms.premium) {
    const inBase = row.base >= 0 && direction === 'buy'
    return feeShareNano(priced, { liquidity: role, lots, ppm, inBase })
  }
  const rate9 = role === 'maker' ? terms.makerFee9 : terms.takerFee9
  const underlying9 = isCoinSettled(row) ? ONE_COIN9 : row.index.price
  const value = basisBig(terms, lots, priced.price9)
  return optionFeeNano(terms, rate9, { lots, underlying9, value, ppm })
}
