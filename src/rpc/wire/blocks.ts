/**
 * Block trades as JSON: one account's side of all legs. Source: sessions-blocks-gateways.md 4.1; R07.
 */
import type { AccountId } from '../../core/index.ts'
import { NO_ORDER } from '../../model/index.ts'
import type { BlockRecord, OrderTraits } from '../history/index.ts'
import { blockIdOut } from './ids.ts'
import { timeOut } from './numbers.ts'
import { type TradePlaces, userTradeOut, type WireUserTrade } from './trades.ts'

/** A block trade as one of its sides sees it. */
export interface WireBlock {
  readonly id: string
  readonly timestamp: number
  /** The application of the key that the side used. */
  readonly app_name?: string
  /** The side's own trades. Their direction is the maker's for both sides (R07). */
  readonly trades: readonly WireUserTrade[]
}

/** Orders of block trades are limit orders, which no request can name. */
const blockTraits: OrderTraits = {
  type: 'limit',
  label: '',
  postOnly: 'off',
  reduceOnly: false,
  replaced: false,
  triggeredBy: NO_ORDER,
  advanced: null,
  liquidation: false,
  extras: null,
}

/** A block trade as one of its two accounts sees it. */
export function blockOut({ number, time, trades }: BlockRecord, account: AccountId, places: TradePlaces): WireBlock {
  const role = trades[0]?.maker.account === account ? 'maker' : 'taker'
  const appName = places.appOf(number, role)
  return {
    id: blockIdOut(number),
    timestamp: timeOut(time),
    ...(appName === null ? {} : { app_name: appName }),
    trades: trades.map((trade) => {
      const fill = trade.maker.account === account ? trade.maker : trade.taker
      const out = userTradeOut(trade, fill, { order: blockTraits, places })
      return { ...out, direction: trade.maker.side }
    }),
  }
}
