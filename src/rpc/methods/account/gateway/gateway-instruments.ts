/**
 * public/get_instruments over the REST interface of a gateway: instruments of the alternative engine, whose kinds
 * distinguish perpetuals from dated futures.
 *
 * Assumed: a gateway lists every book of the engine on every currency pair, because open orders and cancels cover all
 * of them.
 *
 * Source: sessions document 1.5, 8.15; S026.
 */
import { z } from '../../../../core/index.ts'
import { pairNumberOf } from '../../../../engine/index.ts'
import type { Instrument } from '../../../../model/index.ts'
import type { WireInstrument } from '../../../wire/index.ts'
import { instrumentFilters, instrumentOut, listedInstruments } from '../../market/instruments.ts'
import { defineMethod, queryOf } from '../../method.ts'

/** The kinds of instruments over a gateway. */
const gatewayKinds = ['perp_future', 'dated_future', 'option', 'spot', 'future_combo', 'option_combo'] as const

type GatewayKind = (typeof gatewayKinds)[number]

/** Fields that are the same as over JSON-RPC. */
const fields = [
  'instrument_id',
  'instrument_name',
  'product_group',
  'base_currency',
  'quote_currency',
  'settlement_currency',
  'tick_size',
  'strike',
  'option_type',
  'is_active',
  'expiration_timestamp',
  'creation_timestamp',
  'min_trade_amount',
  'contract_size',
  'settlement_period',
  'maker_commission',
  'taker_commission',
  'block_trade_commission',
] as const satisfies readonly (keyof WireInstrument)[]

/** An instrument in a gateway's list. */
export interface GatewayInstrument extends Pick<WireInstrument, (typeof fields)[number]> {
  readonly kind: GatewayKind
  /** Price index of the currency pair. */
  readonly currency_pair: string
  /** Number of the currency pair, which never changes within a run. */
  readonly currency_pair_id: number
}

/** Listed instruments of the alternative engine that match all given filters. */
export const getGatewayInstruments = defineMethod({
  scope: 'public',
  sessions: 'rest_gateway',
  command: 'query',
  charge: 'get_instruments',
  params: z.object({
    currency: z.string().optional().describe('base currency, in upper or lower case'),
    kind: z.enum(gatewayKinds).optional().describe('only instruments of this kind'),
    ...instrumentFilters,
  }),
  read: () => queryOf(null),
  reply: (context, params): readonly GatewayInstrument[] =>
    listedInstruments(context, params)
      .filter(
        ({ instrument }) =>
          instrument.engine === 'alt' &&
          (params.kind === undefined || kindOf(instrument) === params.kind) &&
          (params.currency ?? instrument.baseCurrency).toUpperCase() === instrument.baseCurrency,
      )
      .map(({ instrument, state }) => {
        const all = instrumentOut(instrument, state)
        const told = fields.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]] as const]))
        // `fields` has exactly the fields of this type.
        const shared = Object.fromEntries(told) as Pick<WireInstrument, (typeof fields)[number]>
        const { priceIndex } = instrument
        return {
          ...shared,
          kind: kindOf(instrument),
          currency_pair: priceIndex,
          currency_pair_id: pairNumberOf(context.exchange, priceIndex),
        }
      }),
})

function kindOf({ kind, detail }: Instrument): GatewayKind {
  if (kind !== 'future') return kind
  return detail.type === 'perpetual' ? 'perp_future' : 'dated_future'
}
