/**
 * private/move_positions: moves positions, or parts of them, between accounts of one owner, either all of the request
 * or none. The default price is the average price of the position, and there is no fee.
 *
 * Assumed: `direction` is the side of the giving account, which sells its long position; the venue's text says only
 * "source". Source: sessions document 6.1.
 */
import { accountId, type DecimalInput, lots, z } from '../../../../core/index.ts'
import { findInstrument } from '../../../../engine/index.ts'
import { type Fault, type Instrument, type MovedPosition, type Side, validationStep } from '../../../../model/index.ts'
import { amountOut, priceOut } from '../../../wire/index.ts'
import { defineMethod, type ReadContext, type ReadRequest } from '../../method.ts'
import {
  decimal,
  earlier,
  instrumentName,
  paramFault,
  readPrice9,
  readSize,
  requestCurrency,
  unknownInstrument,
} from '../../params.ts'
import { listedInstrument } from '../../trading/order-reports.ts'
import { transferFault } from '../owner.ts'

/** A moved position. */
export interface WireMove {
  readonly source_uid: number
  readonly target_uid: number
  readonly instrument_name: string
  readonly direction: Side
  readonly price: number
  readonly amount: number
}

const uid = z.int().min(0).describe('number of a (sub)account')

/** The venue's examples write the numbers of this method as texts. */
const written = z.union([
  decimal,
  z
    .string()
    .transform((text): DecimalInput => ({ decimal: text }))
    .pipe(decimal),
])

const move = z.object({
  instrument_name: instrumentName,
  amount: written,
  price: written.optional(),
})

/** Moves positions; with `currency`, all of them must settle in that currency. */
const movePositions = defineMethod({
  scope: 'trade:read_write',
  sessions: 'json_rpc',
  command: 'move_positions',
  charge: 'move_positions',
  params: z.object({
    currency: requestCurrency.optional(),
    source_uid: uid,
    target_uid: uid,
    trades: z.array(move).min(1).describe('positions to move'),
  }),
  read: (context, params): ReadRequest => {
    const { source_uid: source, target_uid: target } = params
    const isSame = source === target
    let fault = earlier(
      transferFault(context, { source, target }),
      isSame ? paramFault('target_uid', 'same_as_source') : null,
    )
    const positions: MovedPosition[] = []
    for (const [at, trade] of params.trades.entries()) {
      const read = readMove(context, trade, { at, currency: params.currency })
      fault = earlier(fault, read.fault)
      if (read.position !== null) positions.push(read.position)
    }
    return {
      body: {
        kind: 'move_positions',
        source: accountId(source),
        target: accountId(target),
        positions,
      },
      fault,
    }
  },
  reply: (context): readonly WireMove[] =>
    context.moved.map((event) => {
      const instrument = listedInstrument(context, event.instrument)
      return {
        source_uid: event.from.account,
        target_uid: event.to.account,
        instrument_name: instrument.name,
        direction: event.amount > 0 ? 'sell' : 'buy',
        price: priceOut(event.price),
        amount: amountOut(instrument, lots(Math.abs(event.amount))),
      }
    }),
})

function readMove(
  context: ReadContext,
  trade: z.output<typeof move>,
  of: { readonly at: number; readonly currency: string | undefined },
): { readonly position: MovedPosition | null; readonly fault: Fault | null } {
  const instrument = findInstrument(context.exchange, trade.instrument_name)
  if (instrument === undefined) return { position: null, fault: unknownInstrument }
  const price = trade.price === undefined ? null : readPrice9(trade.price)
  const size = readSize(instrument, { amount: trade.amount })
  const isPrice = trade.price === undefined || (typeof price === 'number' && price > 0)
  const fault = earlier(
    isMovable(instrument, of.currency) ? null : unsupported,
    earlier(size.ok ? null : size.fault, isPrice ? null : paramFault(`trades.${of.at}.price`, 'not_a_price')),
  )
  if (fault !== null || !size.ok) return { position: null, fault }
  return {
    position: { instrument: instrument.id, amount: size.value, price: price ?? null },
    fault: null,
  }
}

/** Only futures and options have positions. */
function isMovable(instrument: Instrument, currency: string | undefined): boolean {
  if (instrument.kind !== 'future' && instrument.kind !== 'option') return false
  return currency === undefined || instrument.settlementCurrency === currency
}

const unsupported: Fault = {
  step: validationStep.instrument,
  refusal: { reason: 'invalid_or_unsupported_instrument' },
}

/** Methods by their names; a part of the table. */
export const movePositionMethods = {
  'private/move_positions': movePositions,
} as const
