/** The handlers of all commands, each from the file of its family. The compiler requires one for each kind. */
import type { Command } from '../../model/index.ts'
import { pass } from '../state/index.ts'
import { accountLocksHandlers, permissionsHandlers, portfolioLockHandlers } from './account-locks.ts'
import { addressBookHandlers } from './address-book.ts'
import { blockApprovalsHandlers } from './block-approvals.ts'
import { blockTradesHandlers } from './block-trades.ts'
import { cancelHandlers } from './cancel.ts'
import { cancelQuotesHandlers } from './cancel-quotes.ts'
import { connectionsHandlers } from './connections.ts'
import { controlsHandlers } from './controls.ts'
import { createComboHandlers } from './create-combo.ts'
import { editHandlers } from './edit.ts'
import { type Handlers, seal } from './handler.ts'
import { keysHandlers } from './keys.ts'
import { lspParticipantsHandlers } from './lsp-participants.ts'
import { marginModelsHandlers } from './margin-models.ts'
import { massQuoteHandlers } from './mass-quote.ts'
import { mmpConfigHandlers } from './mmp-config.ts'
import { movePositionsHandlers } from './move-positions.ts'
import { depositsHandlers, paymentMovesHandlers, withdrawalsHandlers } from './payments.ts'
import { placeHandlers } from './place.ts'
import { productsHandlers, profilesHandlers } from './profiles.ts'
import { rescaleHandlers } from './rescale.ts'
import { rfqAcceptHandlers } from './rfq-accept.ts'
import { rfqQuotesHandlers } from './rfq-quotes.ts'
import { rfqsHandlers } from './rfqs.ts'
import { statesHandlers, switchesHandlers } from './switches.ts'
import { unreadableHandlers } from './unreadable.ts'

/** Reads change nothing; their replies come from views. */
const queryHandlers: Handlers<'query'> = {
  query: seal({ check: () => pass(null), commit: () => 0 }),
}

/** Handlers of all commands except those that move the clock, which the spine handles. */
export const handlers: Handlers<Exclude<Command['kind'], 'advance_time'>> = {
  ...queryHandlers,
  ...accountLocksHandlers,
  ...blockApprovalsHandlers,
  ...blockTradesHandlers,
  ...cancelQuotesHandlers,
  ...cancelHandlers,
  ...connectionsHandlers,
  ...controlsHandlers,
  ...createComboHandlers,
  ...editHandlers,
  ...keysHandlers,
  ...lspParticipantsHandlers,
  ...massQuoteHandlers,
  ...mmpConfigHandlers,
  ...movePositionsHandlers,
  ...permissionsHandlers,
  ...placeHandlers,
  ...portfolioLockHandlers,
  ...productsHandlers,
  ...profilesHandlers,
  ...marginModelsHandlers,
  ...rfqAcceptHandlers,
  ...rfqQuotesHandlers,
  ...rfqsHandlers,
  ...statesHandlers,
  ...rescaleHandlers,
  ...switchesHandlers,
  ...unreadableHandlers,
  ...addressBookHandlers,
  ...depositsHandlers,
  ...paymentMovesHandlers,
  ...withdrawalsHandlers,
}
