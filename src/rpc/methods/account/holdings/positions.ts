/**
 * private/get_position and get_positions. Source: market.md 5.2; golden inverse-position and
 * linear-perpetual-margin.
 */
import { defined, z } from '../../../../core/index.ts'
import { findInstrument, openPositions, viewPosition } from '../../../../engine/index.ts'
import { asker, defineMethod, queryOf } from '../../method.ts'
import { anyCurrency, instrumentKind, instrumentName, unknownInstrument } from '../../params.ts'
import { ownerFault, ownerOfRecords, subaccountId } from '../owner.ts'
import { positionOut, type WirePosition } from './position-out.ts'

/** The account's position in one instrument; size 0 without a position. */
const getPosition = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ instrument_name: instrumentName }),
  read: (context, params) => {
    const listed = findInstrument(context.exchange, params.instrument_name) !== undefined
    return queryOf(listed ? null : unknownInstrument)
  },
  reply: (context, params): WirePosition => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    const { id } = defined(instrument, 'the instrument exists')
    return positionOut(context.exchange, viewPosition(context.exchange, asker(context), id))
  },
})

/**
 * All open positions of the account or of one of its subaccounts, in the order in which the instruments were listed.
 */
const getPositions = defineMethod({
  scope: 'trade:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency: anyCurrency.default('any'),
    kind: instrumentKind.optional(),
    subaccount_id: subaccountId,
  }),
  read: (context, params) => queryOf(ownerFault(context, params)),
  reply: (context, params): readonly WirePosition[] =>
    openPositions(context.exchange, ownerOfRecords(context, params))
      .filter(({ instrument }) => params.kind === undefined || instrument.kind === params.kind)
      .filter(({ instrument }) => params.currency === 'any' || instrument.settlementCurrency === params.currency)
      .map((view) => positionOut(context.exchange, view)),
})

/** Methods by their names; a part of the table. */
export const positionMethods = {
  'private/get_position': getPosition,
  'private/get_positions': getPositions,
} as const
