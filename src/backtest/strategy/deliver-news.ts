/**
 * Delivers news to a strategy through its callbacks. Each callback gets a new object, except `onTrade`, which reuses
 * one object as for recorded trades.
 */
import {
  type AccountId,
  type InputError,
  type InstrumentId,
  lots,
  type Micros,
  type Mutable,
  micros,
  price9,
} from '../../core/index.ts'
import { type Exchange, instrumentAt } from '../../engine/index.ts'
import type { Instrument } from '../../model/index.ts'
import { amountOut, moneyOut, priceOut } from '../../rpc/index.ts'
import { type DeliveredNews, type News, ownOf } from './news.ts'
import { callBack, type SeatedVenue } from './seat.ts'
import type { StrategySettlement, TradePrint } from './strategy.ts'

/** Context of a delivery of news, besides the strategy runner. */
interface NewsPlace {
  readonly exchange: Exchange
  readonly print: Mutable<TradePrint>
  /** Time of the news at the exchange. */
  readonly time: number
}

/** Delivers one news item to a strategy, if it has a callback for it. */
export function deliverNews(at: SeatedVenue, news: DeliveredNews, place: NewsPlace): InputError | null {
  const { onTrade } = at.seat.strategy
  switch (news.kind) {
    case 'closed_trade': {
      if (onTrade === undefined) return null
      fillPrint(place, news)
      return callBack({ seat: at.seat, venue: at.venue, name: 'onTrade' }, onTrade, place.print)
    }
    case 'event':
      return deliverEvent(at, news.event, place)
    case 'settled':
      return deliverSettled(at, news, place.exchange, micros(place.time))
  }
}

/** An event of the market that a strategy receives. */
type EventNews = Extract<News, { readonly kind: 'event' }>['event']

/** Delivers a new value of an index, a mark or a funding rate. */
function deliverEvent({ seat, venue }: SeatedVenue, event: EventNews, place: NewsPlace): InputError | null {
  const { onIndex, onMark, onFunding } = seat.strategy
  const time = micros(place.time)
  switch (event.kind) {
    case 'index': {
      if (onIndex === undefined) return null
      const index = { index: event.index, time, price: priceOut(event.price) }
      return callBack({ seat, venue, name: 'onIndex' }, onIndex, index)
    }
    case 'mark': {
      if (onMark === undefined) return null
      const mark = {
        instrument: specOf(place.exchange, event.instrument).name,
        time,
        price: priceOut(event.price),
        indexPrice: priceOut(event.index),
        volatility: event.option === null ? null : priceOut(price9(event.option.volatility9)),
      }
      return callBack({ seat, venue, name: 'onMark' }, onMark, mark)
    }
    case 'funding_rate': {
      if (onFunding === undefined) return null
      const funding = {
        instrument: specOf(place.exchange, event.instrument).name,
        time,
        rate: priceOut(price9(event.rate8 * 10)),
        markPrice: priceOut(event.mark),
        indexPrice: priceOut(event.index),
      }
      return callBack({ seat, venue, name: 'onFunding' }, onFunding, funding)
    }
  }
}

/** A settlement that a strategy receives. */
type SettledNews = Extract<News, { readonly kind: 'settled' }>

/** Delivers a settlement. A delivery also ends the position, even if the strategy has no callback for it. */
function deliverSettled(
  { seat, venue }: SeatedVenue,
  { settled, own }: SettledNews,
  exchange: Exchange,
  time: Micros,
): InputError | null {
  const { instrument, type } = settled
  if (type === 'delivery' && seat.positions.has(instrument)) seat.positions.set(instrument, lots(0))
  const { onSettlement } = seat.strategy
  if (onSettlement === undefined) return null
  const spec = specOf(exchange, instrument)
  const reported: StrategySettlement = {
    type,
    instrument: spec.name,
    time,
    price: priceOut(settled.mark),
    indexPrice: priceOut(settled.index),
    own: ownPart(own, seat.account, spec),
  }
  return callBack({ seat, venue, name: 'onSettlement' }, onSettlement, reported)
}

/** The strategy's own part of a settlement. */
type OwnSettlement = Extract<News, { readonly kind: 'settled' }>['own']

function ownPart(own: OwnSettlement, account: AccountId | -1, spec: Instrument): StrategySettlement['own'] {
  const part = ownOf(own, account)
  if (part === undefined) return null
  return {
    position: amountOut(spec, part.position),
    currency: part.currency,
    cash: moneyOut(part.sessionProfitLoss),
    funding: moneyOut(part.funding),
    fee: moneyOut(part.fee),
    balance: moneyOut(part.balance),
  }
}

/** A trade that closes a position of a strategy. */
type ClosedTrade = Extract<News, { readonly kind: 'closed_trade' }>

function fillPrint({ exchange, print, time }: NewsPlace, trade: ClosedTrade): void {
  const spec = specOf(exchange, trade.instrument)
  print.instrument = spec.name
  print.time = micros(time)
  print.price = priceOut(trade.price)
  print.amount = amountOut(spec, trade.amount)
  print.side = trade.side
}

function specOf(exchange: Exchange, instrument: InstrumentId): Instrument {
  return instrumentAt(exchange, instrument)
}
