/**
 * sim/rescale: changes the steps of prices and sizes of a listed instrument.
 *
 * Source: sessions document 8.7 (cancel reason 17), 8.13; coverage R64.
 */
import { z } from '../../../core/index.ts'
import { findInstrument } from '../../../engine/index.ts'
import type { Fault } from '../../../model/index.ts'
import { defineMethod, unreadable } from '../method.ts'
import { decimal, earlier, instrumentName, paramFault, readPrice9, unknownInstrument } from '../params.ts'

/** The result of a change of tick size or amount step: the number of cancelled orders. */
export interface RescaledInstrument {
  readonly cancelled: number
}

/**
 * Changes the tick size and amount step of a listed instrument. Orders that no longer fit are cancelled; direct access
 * reports reason 17.
 */
const rescaleInstrument = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'rescale_instrument',
  params: z.object({
    instrument_name: instrumentName,
    tick_size: decimal.optional().describe('tick size, a multiple of the tick size at listing; unchanged if omitted'),
    amount_step: decimal
      .optional()
      .describe('step of order sizes, a multiple of the step at listing; unchanged if omitted'),
  }),
  read: (context, params) => {
    const instrument = findInstrument(context.exchange, params.instrument_name)
    const tick = stepOf('tick_size', params.tick_size)
    const amount = stepOf('amount_step', params.amount_step)
    if (instrument === undefined) {
      return { body: unreadable('rescale_instrument'), fault: unknownInstrument }
    }
    return {
      body: {
        kind: 'rescale_instrument',
        instrument: instrument.id,
        tick9: tick.value9,
        amountStep9: amount.value9,
      },
      fault: earlier(tick.fault, amount.fault),
    }
  },
  reply: (context): RescaledInstrument => ({ cancelled: context.count }),
})

/** Reads a step in 1e-9; null without one. */
function stepOf(
  name: string,
  input: Parameters<typeof readPrice9>[0] | undefined,
): { readonly value9: number | null; readonly fault: Fault | null } {
  if (input === undefined) return { value9: null, fault: null }
  const value9 = readPrice9(input) ?? 0
  if (value9 > 0) return { value9, fault: null }
  const expected = 'expected a step above 0 with up to 9 decimals'
  return { value9: null, fault: paramFault(name, expected) }
}

/** Controls by their names; a part of the table. */
export const rescaleControls = {
  'sim/rescale': rescaleInstrument,
} as const
