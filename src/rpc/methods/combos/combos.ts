/**
 * private/create_combo; public/get_combos, get_combo_ids and get_combo_details.
 *
 * A set of legs has a canonical name. Legs in another order, or with all signs reversed, are the same combo; with
 * reversed signs the caller trades its other side.
 * Source: trading.md 4.9, 6.15; market.md 1.1, 8; coverage R43, R63.
 */
import { defined, z } from '../../../core/index.ts'
import {
  allInstruments,
  configOf,
  type Exchange,
  findInstrument,
  type MarketView,
  timeOf,
  viewMarket,
} from '../../../engine/index.ts'
import {
  combosOfLegs,
  type Fault,
  type Instrument,
  type InstrumentSpec,
  specFromName,
  withVenueTerms,
} from '../../../model/index.ts'
import { instrumentIdOut, timeOut } from '../../wire/index.ts'
import { belongsTo } from '../market/instruments.ts'
import { comboState } from '../market/prices/option-fields.ts'
import { defineMethod, queryOf, type ReadContext, unreadable } from '../method.ts'
import { anyCurrency, paramFault, requestCurrency, unknownInstrument } from '../params.ts'
import { legParam, readComboLegs } from './leg-prices.ts'

/** A combo as JSON. */
export interface WireCombo {
  readonly id: string
  readonly instrument_id: number
  readonly state: 'active' | 'inactive'
  readonly state_timestamp: number
  readonly creation_timestamp: number
  /** `amount` is the signed ratio. */
  readonly legs: readonly { readonly instrument_name: string; readonly amount: number }[]
}

const trades = z.array(legParam).min(1).max(20).describe('legs of the combo with their sizes')

/** Lists a combo, or returns the existing combo. */
const createCombo = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'create_combo',
  params: z.object({ trades }),
  read: (context, params) => {
    const { spec, fault } = specOfTrades(context, params.trades)
    if (spec === undefined) return { body: unreadable('create_combo'), fault }
    return { body: { kind: 'create_combo', spec }, fault }
  },
  reply: (context, params): WireCombo => {
    const { spec } = specOfTrades(context, params.trades)
    return defined(comboNamed(context.exchange, spec?.name ?? ''), 'the combo is listed')
  },
})

/** Active combos of a currency, or of all currencies. */
const getCombos = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ currency: anyCurrency }),
  read: () => queryOf(null),
  reply: ({ exchange }, { currency }): readonly WireCombo[] =>
    combosOf(exchange, currency).filter(({ state }) => state === 'active'),
})

/** Names of the combos of a currency, in one state or in any state. */
const getComboIds = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency: requestCurrency,
    state: z.enum(['active', 'inactive']).optional().describe('only combos in this state'),
  }),
  read: () => queryOf(null),
  reply: ({ exchange }, { currency, state: wanted }): readonly string[] =>
    combosOf(exchange, currency)
      .filter(({ state }) => wanted === undefined || state === wanted)
      .map(({ id }) => id),
})

/** One combo, active or inactive. */
const getComboDetails = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ combo_id: z.string().describe('name of a combo') }),
  read: ({ exchange }, { combo_id }) =>
    queryOf(comboNamed(exchange, combo_id) === undefined ? unknownInstrument : null),
  reply: ({ exchange }, { combo_id }): WireCombo => defined(comboNamed(exchange, combo_id), 'the combo exists'),
})

/** The specification of the combo with these legs, or of the listed combo with the same legs and another name. */
function specOfTrades(
  { exchange }: ReadContext,
  params: z.output<typeof trades>,
): { readonly spec: InstrumentSpec | undefined; readonly fault: Fault | null } {
  const read = readComboLegs(exchange, params, 'trades')
  if (!read.ok) return { spec: undefined, fault: read.fault }
  const legs = read.legs.map(({ instrument, ratio }) => ({
    instrumentName: instrument.name,
    ratio,
  }))
  const combos = combosOfLegs(legs)
  if (!combos.ok) return { spec: undefined, fault: paramFault('trades', 'not_a_combo') }
  const listed = combos.value.find(({ name }) => findInstrument(exchange, name) !== undefined)
  const name = (listed ?? combos.value[0])?.name ?? ''
  const spec = specFromName(name, { creation: timeOf(exchange) })
  if (!spec.ok) return { spec: undefined, fault: paramFault('trades', 'not_a_combo') }
  return { spec: withVenueTerms(spec.value, configOf(exchange)), fault: null }
}

function combosOf(exchange: Exchange, currency: string): readonly WireCombo[] {
  return allInstruments(exchange)
    .filter((instrument) => currency === 'any' || belongsTo(instrument, currency))
    .map((instrument) => comboOut(instrument, viewMarket(exchange, instrument.id)))
    .filter((combo) => combo !== undefined)
}

function comboNamed(exchange: Exchange, name: string): WireCombo | undefined {
  const instrument = findInstrument(exchange, name)
  return instrument && comboOut(instrument, viewMarket(exchange, instrument.id))
}

function comboOut(instrument: Instrument, view: MarketView): WireCombo | undefined {
  if (instrument.detail.type !== 'combo') return undefined
  return {
    id: instrument.name,
    instrument_id: instrumentIdOut(instrument.id),
    state: comboState(view),
    state_timestamp: timeOut(view.stateSince),
    creation_timestamp: timeOut(instrument.creation),
    legs: instrument.detail.legs.map(({ instrumentName, ratio }) => ({
      instrument_name: instrumentName,
      amount: ratio,
    })),
  }
}

/** Methods by their names; a part of the table. */
export const comboMethods = {
  'public/get_combos': getCombos,
  'public/get_combo_ids': getComboIds,
  'public/get_combo_details': getComboDetails,
  'private/create_combo': createCombo,
} as const
