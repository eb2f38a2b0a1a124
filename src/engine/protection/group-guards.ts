/**
 * What market-maker protection asks of the quotes of a group.
 */
import type { Refusal, Side } from '../../model/index.ts'
import type { Exchange } from '../state/exchange.ts'
import type { InstrumentRow } from '../state/instrument-row.ts'
import type { MmpGroup } from '../state/protection/mmp-groups.ts'

/** Why a group that is frozen takes no quotes. */
export function freezeRefusal(
  _exchange: Exchange,
  { freeze }: MmpGroup,
  _of: { readonly session: number; readonly resets: boolean },
): Refusal | null {
  return freeze === null ? null : { reason: 'mmp_trigger' }
}

/** Why a quote would be more than a group may have open. */
export function quantityRefusal(
  _exchange: Exchange,
  _group: MmpGroup,
  _of: {
    readonly row: InstrumentRow
    readonly side: Side
    readonly price: number
    readonly lots: number
    readonly except: number
  },
): Refusal | null {
  return null
}
