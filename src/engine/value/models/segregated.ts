/**
 * What the two segregated models share: each currency has its own margin.
 */
import { currencyId } from '../../../core/index.ts'
import type { Nano } from '../../../margin/index.ts'
import type { AccountRow, Exchange } from '../../state/index.ts'
import { walletState } from '../wallet-state.ts'
import type { MarginModelRules } from './margin-model.ts'

/** Margin balance less initial margin and what spot orders reserve, of a currency, at least as much as is needed. */
export function hasFreeOf(
  model: Pick<MarginModelRules, 'margins'>,
  exchange: Exchange,
  owner: AccountRow,
  { currency, rise }: { readonly currency: number; readonly rise: Nano },
): boolean {
  const state = walletState(exchange, owner, currencyId(currency))
  const { marginBalance, initial } = model.margins(exchange, owner, state)
  return marginBalance - initial - state.spotReserve >= rise
}
