/**
 * public/get_trade_volumes: turnover of each currency by kind of instrument.
 *
 * Assumed: amounts are in the base currency of the instruments, which include delivered ones. Trades of combos count
 * through their legs. The week and the month consist of whole minutes, as far as the history reaches.
 * Source: market.md 8.
 */

import { MICROS_PER_DAY, rescaleHalfAway, z } from '../../../core/index.ts'
import { timeOf } from '../../../engine/index.ts'
import type { Instrument } from '../../../model/index.ts'
import { rowsOf } from '../../history/index.ts'
import { digitsOut } from '../../wire/index.ts'
import { defineMethod, queryOf, type ReplyContext } from '../method.ts'
import { dayTurnover, minuteOf, type Turnover } from './statistics.ts'

const DIGITS = 8

const kinds = ['calls', 'puts', 'futures', 'spot'] as const

type Kind = (typeof kinds)[number]

/** Turnover of a currency, in that currency. */
export type WireTradeVolumes = {
  readonly currency: string
  readonly calls_volume: number
  readonly puts_volume: number
  readonly futures_volume: number
  readonly spot_volume: number
} & {
  readonly [field in `${Kind}_volume_${'7d' | '30d'}`]?: number
}

/** Turnover of the last 24 hours, and with `extended` of 7 and 30 days, for each currency with instruments. */
const getTradeVolumes = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    extended: z.boolean().default(false).describe('true to include the volumes of 7 and of 30 days'),
  }),
  read: () => queryOf(null),
  reply: (context, params): readonly WireTradeVolumes[] => {
    const listed = [...context.history.instruments.values()].filter(({ kind }) => isCounted(kind))
    const bases = [...new Set(listed.map(({ baseCurrency }) => baseCurrency))]
    return bases.map((currency) => {
      const own = listed.filter(({ baseCurrency }) => baseCurrency === currency)
      const day = sumsOf(own, (each) => dayTurnover(context, each))
      const volumes = {
        currency,
        calls_volume: digitsOut(day.calls, DIGITS),
        puts_volume: digitsOut(day.puts, DIGITS),
        futures_volume: digitsOut(day.futures, DIGITS),
        spot_volume: digitsOut(day.spot, DIGITS),
      }
      if (!params.extended) return volumes
      const week = sumsOf(own, (each) => turnoverSince(context, each, 7))
      const month = sumsOf(own, (each) => turnoverSince(context, each, 30))
      return { ...volumes, ...named(week, '7d'), ...named(month, '30d') }
    })
  },
})

type Sums = { [K in Kind]: bigint }

/** Turnover by kind in 1e-9 of the currency. */
function sumsOf(instruments: readonly Instrument[], turnover: (of: Instrument) => Turnover): Sums {
  const sums: Sums = { calls: 0n, puts: 0n, futures: 0n, spot: 0n }
  for (const instrument of instruments) {
    const { lots, basis } = turnover(instrument)
    const isInverse = instrument.payoff === 'inverse'
    const amount9 = BigInt(lots) * BigInt(instrument.amountStep9)
    sums[kindOf(instrument)] += isInverse ? rescaleHalfAway(basis, 18, 9) : amount9
  }
  return sums
}

function turnoverSince({ exchange, history }: ReplyContext, { id }: Instrument, days: number): Turnover {
  const from = timeOf(exchange) - days * MICROS_PER_DAY
  const first = minuteOf(from)
  let lots = 0
  let basis = 0n
  for (const candle of rowsOf(history.candles, id)) {
    if (candle.start < first) continue
    lots += candle.lots
    basis += candle.basis
  }
  return { lots, basis }
}

function named(sums: Sums, suffix: '7d' | '30d'): object {
  return Object.fromEntries(kinds.map((kind) => [`${kind}_volume_${suffix}`, digitsOut(sums[kind], DIGITS)]))
}

function isCounted(kind: Instrument['kind']): boolean {
  return kind === 'future' || kind === 'option' || kind === 'spot'
}

function kindOf({ kind, detail }: Instrument): Kind {
  if (detail.type === 'option') return detail.right === 'call' ? 'calls' : 'puts'
  return kind === 'spot' ? 'spot' : 'futures'
}

/** Methods by their names; a part of the table. */
export const tradeVolumeMethods = {
  'public/get_trade_volumes': getTradeVolumes,
} as const
