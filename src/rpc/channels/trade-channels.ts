/**
 * Trades, candles and the states of instruments as channels.
 *
 * Source: sessions document 3.4.
 */
import { modFloor } from '../../core/index.ts'
import { instrumentAt, timeOf } from '../../engine/index.ts'
import type { EventHeader, Instrument, InstrumentState, TapeTrade } from '../../model/index.ts'
import { barNow, chartWidth, instrumentOut, type WireBar } from '../methods/index.ts'
import { placesOf, publicTradeOut, timeOut, type WireInstrument, type WireTrade } from '../wire/index.ts'
import { type Channel, type ChannelWorld, collecting, type Interval, isOf } from './channel.ts'

/** The instruments of a channel: a single instrument, or all instruments of a kind and a currency. */
export type Wanted = { readonly instrument: Instrument } | { readonly kind: string; readonly currency: string }

/** True if an instrument belongs to the channel. */
export function isWanted(wanted: Wanted, instrument: Instrument): boolean {
  return 'instrument' in wanted
    ? wanted.instrument.id === instrument.id
    : isOf(instrument, wanted.kind, wanted.currency)
}

/** Trades of the venue and recorded trades, in lists. */
export function tradesChannel(world: ChannelWorld, wanted: Wanted, interval: Interval): Channel<readonly WireTrade[]> {
  let trades: TapeTrade[] = []
  const take = (trade: TapeTrade): void => {
    if (isWanted(wanted, instrumentAt(world.exchange, trade.instrument))) trades.push(trade)
  }
  return {
    interval,
    subject: 'instrument' in wanted ? { instruments: [wanted.instrument.id] } : {},
    takes: { trade: take, print: take },
    collect: (): readonly (readonly WireTrade[])[] => {
      if (trades.length === 0) return []
      const places = placesOf(world.exchange, world.history)
      const sent = trades.map((trade) => publicTradeOut(trade, places))
      trades = []
      return [sent]
    },
  }
}

/** The candle of an instrument, sent at each trade and when its interval ends. */
export function candleChannel(
  world: ChannelWorld,
  instrument: Instrument,
  resolution: string,
): Channel<WireBar> | undefined {
  const width = chartWidth(resolution)
  if (width === undefined) return undefined
  let isTraded = false
  const take = (): void => {
    isTraded = true
  }
  let open = -1
  return {
    interval: 'raw',
    subject: { instruments: [instrument.id] },
    takes: { trade: take, print: take },
    collect: (): readonly WireBar[] => {
      const now = timeOf(world.exchange)
      const pending: WireBar[] = []
      const toMessage = (at: number): void => {
        const bar = barNow(world.view(), instrument, { at, width })
        if (bar !== undefined) pending.push(bar)
      }
      if (open >= 0 && now >= open + width) {
        toMessage(open)
        open = -1
      }
      if (isTraded) {
        toMessage(now)
        open = now - modFloor(now, width)
      }
      isTraded = false
      return pending
    },
  }
}

/** A message of `instrument.state.{kind}.{currency}`. */
export interface WireInstrumentState {
  readonly instrument_name: string
  readonly state: 'created' | 'started' | 'settled' | 'closed' | 'terminated'
  readonly timestamp: number
}

/** Assumed: these words for the states of a book. The venue does not document them. */
const stateWords: { readonly [S in InstrumentState]: WireInstrumentState['state'] | null } = {
  open: 'started',
  settlement: 'settled',
  delivered: 'closed',
  inactive: 'terminated',
  locked: null,
  halted: null,
}

/** Instruments that a subscription selects by kind or currency. */
type WantedMany = Exclude<Wanted, { readonly instrument: Instrument }>

/** Instruments that are listed, settled or delivered. */
export function instrumentStateChannel({ exchange }: ChannelWorld, wanted: WantedMany): Channel<WireInstrumentState> {
  let pending: WireInstrumentState[] = []
  const toMessage = (instrument: Instrument, state: WireInstrumentState['state'], header: EventHeader): void => {
    if (!isWanted(wanted, instrument)) return
    pending.push({ instrument_name: instrument.name, state, timestamp: timeOut(header.time) })
  }
  return {
    interval: 'raw',
    subject: {},
    takes: {
      instrument: (event) => {
        toMessage(event.instrument, 'created', event)
        toMessage(event.instrument, 'started', event)
      },
      state: (event) => {
        const state = stateWords[event.state]
        if (state !== null) toMessage(instrumentAt(exchange, event.instrument), state, event)
      },
    },
    collect: () => {
      const messages = pending
      pending = []
      return messages
    },
  }
}

/** New instruments, in the form in which queries return them. */
export function instrumentCreationChannel(_world: ChannelWorld, wanted: WantedMany): Channel<WireInstrument> {
  return collecting<WireInstrument>({
    instrument: ({ instrument }) => (isWanted(wanted, instrument) ? instrumentOut(instrument, 'open') : undefined),
  })
}
