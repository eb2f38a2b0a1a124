/**
 * private/get_margins: the initial margin that an order would need, its fees as a buy and as a sell, and its price
 * band. Source: market.md 6; the venue's public reference.
 */

import { accountId, defined, divHalfAwayBig, type Lots, lots, price9, z } from '../../../../core/index.ts'
import {
  accountOf,
  feeForOrder,
  findInstrument,
  type MarginFigures,
  marginForOrder,
  viewMarginsUnder,
  viewMarket,
} from '../../../../engine/index.ts'
import {
  type Currency,
  currencies,
  type Fault,
  type Instrument,
  type Liquidity,
  marginModels,
  type Side,
  sizeReason,
  validationStep,
} from '../../../../model/index.ts'
import { balanceOut, digitsOut, moneyOut, priceOut } from '../../../wire/index.ts'
import { asker, defineMethod, queryOf, unreadable } from '../../method.ts'
import { decimal, earlier, instrumentName, paramFault, readPrice9, readSize, unknownInstrument } from '../../params.ts'
import { ownerFault } from '../owner.ts'

/** Margin and fees of an order, in the settlement currency, and its price band. */
export interface WireMargins {
  readonly buy: number
  readonly sell: number
  /** Fee of a taker buy. */
  readonly buy_taker_fee: number
  /** Fee of a maker buy. */
  readonly buy_maker_fee: number
  /** Fee of a taker sell. */
  readonly sell_taker_fee: number
  /** Fee of a maker sell. */
  readonly sell_maker_fee: number
  readonly min_price: number
  readonly max_price: number
}

/** Margins of a currency under a margin model. */
export interface WireMarginState {
  /** Maintenance margin as a part of the margin balance. */
  readonly maintenance_margin_rate: number
  /** Initial margin as a fraction of the margin balance. */
  readonly initial_margin_rate: number
  /** The margin balance less the initial margin and the reserves of spot orders. */
  readonly available_balance: number
}

/** Margins of a currency before and after a change of the margin model. */
export interface WireMarginModelChange {
  /** In lower case. */
  readonly currency: string
  /** Before the change. */
  readonly old_state: WireMarginState
  /** After it. */
  readonly new_state: WireMarginState
}

/** Margin of an order with a valid amount and price. */
const getMargins = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ instrument_name: instrumentName, amount: decimal, price: decimal }),
  read: (context, params) => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    if (instrument === undefined) return queryOf(unknownInstrument)
    const size = readSize(instrument, { amount: params.amount })
    const price = readPrice9(params.price)
    // Only combos may have a price of 0 or below.
    const isPrice = typeof price === 'number' && (price > 0 || instrument.detail.type === 'combo')
    return queryOf(
      earlier(
        size.ok ? sizeFault(instrument, size.value) : size.fault,
        isPrice ? null : paramFault('price', 'not_a_price'),
      ),
    )
  },
  reply: (context, params): WireMargins => {
    const { exchange } = context
    const found = findInstrument(exchange, params.instrument_name)
    const instrument = defined(found, 'the instrument exists')
    const size = readSize(instrument, { amount: params.amount })
    const order = {
      account: asker(context),
      instrument: instrument.id,
      amount: size.ok ? size.value : lots(0),
      price: readPrice9(params.price) ?? price9(0),
    }
    const { buy, sell } = marginForOrder(exchange, order)
    const feeOut = (side: Side, role: Liquidity): number => moneyOut(feeForOrder(exchange, { ...order, side }, role))
    const { bandMin, bandMax } = viewMarket(exchange, instrument.id)
    return {
      buy: balanceOut(instrument.settlementCurrency, buy),
      sell: balanceOut(instrument.settlementCurrency, sell),
      buy_taker_fee: feeOut('buy', 'taker'),
      buy_maker_fee: feeOut('buy', 'maker'),
      sell_taker_fee: feeOut('sell', 'taker'),
      sell_maker_fee: feeOut('sell', 'maker'),
      min_price: priceOut(bandMin),
      max_price: priceOut(bandMax),
    }
  },
})

/** The fault of an order whose size is not valid (C09). */
function sizeFault(instrument: Instrument, size: Lots): Fault | null {
  const reason = sizeReason(instrument, size)
  return reason === null ? null : { step: validationStep.amount, refusal: { reason } }
}

/**
 * private/change_margin_model: changes the margin model of the account or of one of its subaccounts.
 *
 * Assumed: a rate is the margin divided by the margin balance, or 0 if the balance is not above 0. Both states use the
 * marks of the same instant, also after a change. The rule `margin.change-model` has the assumptions about orders.
 * Source: the venue's page of the method; market.md 6.
 */

const NANO = 1_000_000_000n

const RATE_DIGITS = 6

/** Changes the margin model, or with `dry_run` shows the effect; the margin of the account has to suffice. */
const changeMarginModel = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  command: 'change_margin_model',
  params: z.object({
    user_id: z
      .int()
      .min(0)
      .optional()
      .describe('number of the account, of subaccounts for main accounts alone; else the asker'),
    margin_model: z.enum(marginModels).describe('how margin is counted from now on'),
    dry_run: z.boolean().default(false).describe('true to show the effect and change nothing'),
  }),
  read: (context, params) => {
    const own = asker(context)
    const user = params.user_id ?? own
    const fault = user === own ? null : ownerFault(context, user)
    if (fault !== null) return { body: unreadable('change_margin_model'), fault }
    return {
      body: {
        kind: 'change_margin_model',
        target: accountId(user),
        marginModel: params.margin_model,
        isTrial: params.dry_run,
      },
      fault,
    }
  },
  reply: (context, params): readonly WireMarginModelChange[] => {
    const account = accountId(params.user_id ?? asker(context))
    const model = accountOf(context.exchange, account).marginModel
    // The count of the request is the index of the previous model.
    const before = viewMarginsUnder(context.exchange, account, marginModels[context.count] ?? model)
    const after = viewMarginsUnder(context.exchange, account, params.margin_model)
    return currencies.map((currency) => ({
      currency: currency.toLowerCase(),
      old_state: stateOut(currency, before.get(currency)),
      new_state: stateOut(currency, after.get(currency)),
    }))
  },
})

function stateOut(currency: Currency, figures: MarginFigures | undefined): WireMarginState {
  const { marginBalance, initial, maintenance, spotReserve } = defined(figures, 'margins are of every currency')
  return {
    maintenance_margin_rate: rateOf(maintenance, marginBalance),
    initial_margin_rate: rateOf(initial, marginBalance),
    available_balance: balanceOut(currency, marginBalance - initial - spotReserve),
  }
}

function rateOf(margin: bigint, balance: bigint): number {
  return balance <= 0n ? 0 : digitsOut(divHalfAwayBig(margin * NANO, balance), RATE_DIGITS)
}

/** Methods by their names; a part of the table. */
export const marginMethods = {
  'private/get_margins': getMargins,
  'private/change_margin_model': changeMarginModel,
} as const
