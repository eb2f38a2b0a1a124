/**
 * public/get_instruments, get_instrument and get_contract_size.
 * Source: market.md 1.2, 1.5; S199-S201; coverage R42-R44, R63.
 */
import { defined, divNearest, MICROS_PER_DAY, type Micros, price9, z } from '../../../core/index.ts'
import { allInstruments, findInstrument, type MarketView, timeOf, viewMarket } from '../../../engine/index.ts'
import {
  blockTermsOf,
  currencies,
  expirationMillisOf,
  type Fault,
  type Instrument,
  type InstrumentState,
  instrumentStates,
  instrumentTypeOf,
  productGroups,
  tickOf,
} from '../../../model/index.ts'
import { instrumentIdOut, priceOut, timeOut, type WireInstrument } from '../../wire/index.ts'
import { defineMethod, queryOf, type ReadContext } from '../method.ts'
import { acceptedInput, instrumentKind, instrumentName, unknownInstrument } from '../params.ts'

/** Accepts a text in upper or lower case. */
function anyCase<const T extends readonly string[]>(
  values: T,
  fold: (text: string) => string,
): z.ZodType<T[number], string> {
  return z
    .string()
    .transform(fold)
    .pipe(z.enum(values))
    .meta({ enum: [...values], ...acceptedInput('in upper or lower case') })
}

/** Filters of lists of instruments that all interfaces share, in addition to currency and kind. */
export const instrumentFilters = {
  expired: z.boolean().optional().describe('true to return expired instruments instead of active ones'),
  instrument_id: z.int().optional().describe('number of an instrument'),
  product_group: anyCase(productGroups, (text) => text.toUpperCase())
    .optional()
    .describe('a product group, such as ETH'),
  state: anyCase(instrumentStates, (text) => text.toLowerCase())
    .optional()
    .describe('only instruments in this state'),
}

/** Listed instruments that match all given filters. */
const getInstruments = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  charge: 'get_instruments',
  params: z.object({
    currency: z
      .enum([...currencies, 'any'])
      .default('any')
      .describe('settlement currency of the instruments; all currencies if omitted')
      .meta(acceptedInput('any, for all currencies')),
    kind: instrumentKind.optional(),
    ...instrumentFilters,
  }),
  read: () => queryOf(null),
  reply: (context, params) => {
    return listedInstruments(context, params)
      .filter(
        ({ instrument }) =>
          (params.kind === undefined || instrument.kind === params.kind) &&
          (params.currency === 'any' || belongsTo(instrument, params.currency)),
      )
      .map(({ instrument, state }) => instrumentOut(instrument, state))
  },
})

/** The listed instruments that match the shared filters. */
export function listedInstruments(
  context: ReadContext,
  params: z.output<z.ZodObject<typeof instrumentFilters>>,
): readonly MarketView[] {
  return allInstruments(context.exchange)
    .map(({ id }) => viewMarket(context.exchange, id))
    .filter((view) => {
      const expired = view.state === 'delivered'
      return (
        !(expired && isForgotten(context, view)) &&
        (params.instrument_id === undefined || instrumentIdOut(view.instrument.id) === params.instrument_id) &&
        (params.product_group === undefined || view.instrument.productGroup === params.product_group) &&
        (params.state === undefined || view.state === params.state) &&
        (params.expired ?? (params.state === undefined ? false : expired)) === expired
      )
    })
}

/** One instrument, even after its delivery. */
const getInstrument = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ instrument_name: instrumentName }),
  read: (context, params) => queryOf(listedFault(context, params.instrument_name)),
  reply: (context, params) => {
    const found = findInstrument(context.exchange, params.instrument_name)
    const instrument = defined(found, 'the instrument exists')
    return instrumentOut(instrument, stateOf(context.exchange, instrument))
  },
})

/** The contract size of an instrument. */
const getContractSize = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ instrument_name: instrumentName }),
  read: (context, params) => queryOf(listedFault(context, params.instrument_name)),
  reply: (context, params): { readonly contract_size: number } => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    return { contract_size: unit(instrument?.contractSize9 ?? 0) }
  },
})

function listedFault(context: ReadContext, name: string): Fault | null {
  return findInstrument(context.exchange, name) === undefined ? unknownInstrument : null
}

/** Time for which an instrument stays in the lists after its delivery (market.md 1.5). */
const LISTED_AFTER_MICROS = 7 * MICROS_PER_DAY

function isForgotten(context: ReadContext, { deliveredAt }: MarketView): boolean {
  return deliveredAt !== null && timeOf(context.exchange) >= deliveredAt + LISTED_AFTER_MICROS
}

/** An instrument as JSON. */
export function instrumentOut(instrument: Instrument, state: InstrumentState): WireInstrument {
  const { detail, kind } = instrument
  const spot = kind === 'spot'
  const block = blockTermsOf(instrument)
  return {
    instrument_name: instrument.name,
    instrument_id: instrumentIdOut(instrument.id),
    kind,
    ...(kind === 'future' ? { future_type: instrumentTypeOf(instrument) } : {}),
    instrument_type: instrumentTypeOf(instrument),
    base_currency: instrument.baseCurrency,
    quote_currency: instrument.quoteCurrency,
    counter_currency: instrument.counterCurrency,
    ...(spot
      ? {}
      : {
          settlement_currency: instrument.settlementCurrency,
          settlement_period: instrument.settlementPeriod,
        }),
    contract_size: unit(instrument.contractSize9),
    lot_size: unit(instrument.contractSize9),
    min_trade_amount: divNearest(instrument.minTradeLots * instrument.amountStep9, NANO),
    tick_size: unit(tickOf(instrument)),
    tick_size_steps: higherSteps(instrument).map((step) => ({
      above_price: priceOut(step.above),
      tick_size: unit(step.tick9),
    })),
    maker_commission: unit(instrument.makerFee9),
    taker_commission: unit(instrument.takerFee9),
    block_trade_commission: unit(instrument.blockFee9),
    ...(block === null
      ? {}
      : {
          block_trade_min_trade_amount: block.least,
          block_trade_tick_size: unit(block.tick9),
        }),
    ...(kind === 'future'
      ? {
          max_liquidation_commission: unit(instrument.liquidationFee9),
          max_leverage: instrument.maxLeverage,
        }
      : {}),
    price_index: instrument.priceIndex,
    expiration_timestamp: expirationMillisOf(instrument),
    creation_timestamp: timeOut(instrument.creation satisfies Micros),
    ...(detail.type === 'option' ? { option_type: detail.right, strike: priceOut(detail.strike) } : {}),
    is_active: state === 'open',
    state,
    product_group: instrument.productGroup,
    underlying_type: 'crypto',
  }
}

/** The tick steps above the lowest prices. */
function higherSteps(instrument: Instrument): Instrument['tickSteps'] {
  return instrument.tickSteps.filter(({ above }) => above !== 0)
}

const NANO = 1_000_000_000

/** Converts a value in 1e-9 to a number. */
function unit(value9: number): number {
  return priceOut(price9(value9))
}

function stateOf(exchange: Parameters<typeof viewMarket>[0], instrument: Instrument): InstrumentState {
  return viewMarket(exchange, instrument.id).state
}

/**
 * True if an instrument belongs to a currency: its settlement currency, or for spot the base or the quote currency
 * (R43).
 */
export function belongsTo(instrument: Instrument, currency: string): boolean {
  if (instrument.settlementCurrency === currency) return true
  return instrument.kind === 'spot' && instrument.baseCurrency === currency
}

/** Methods by their names; a part of the table. */
export const instrumentMethods = {
  'public/get_instruments': getInstruments,
  'public/get_instrument': getInstrument,
  'public/get_contract_size': getContractSize,
} as const
