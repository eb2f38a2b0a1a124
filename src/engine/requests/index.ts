/**
 * Commands: one file for each family, checked first and then committed.
 */
export {
  checkLockAccount,
  checkTrimOrders,
  commitLockAccount,
  commitTrimOrders,
} from './account-locks.ts'
export { checkCancel, checkCancelAll, commitCancel, commitCancelAll, matches } from './cancel.ts'
export { checkCancelQuotes, commitCancelQuotes } from './cancel-quotes.ts'
export {
  checkCloseSession,
  checkOpenSession,
  checkSetCancelOnDisconnect,
  commitCloseSession,
  commitOpenSession,
  commitSetCancelOnDisconnect,
} from './connections.ts'
export {
  checkDeposit,
  checkFollowMid,
  checkGivePosition,
  checkListInstrument,
  checkOpenAccount,
  checkSetIndex,
  checkSetMark,
  commitDeposit,
  commitFollowMid,
  commitGivePosition,
  commitListInstrument,
  commitOpenAccount,
  commitSetIndex,
  commitSetMark,
  openHouse,
} from './controls.ts'
export { checkCreateCombo, commitCreateCombo } from './create-combo.ts'
export { messageFault } from './direct-checks.ts'
export { checkEdit, commitEdit } from './edit.ts'
export { checkSetLspParticipant, commitSetLspParticipant } from './lsp-participants.ts'
export { checkMassQuote, commitMassQuote } from './mass-quote.ts'
export {
  checkResetMmp,
  checkSetMmpConfig,
  commitResetMmp,
  commitSetMmpConfig,
} from './mmp-config.ts'
export {
  checkMovePositions,
  checkTransferCash,
  commitMovePositions,
  commitTransferCash,
} from './move-positions.ts'
export { checkSetPermissions, commitSetPermissions } from './permissions.ts'
export { checkPlace, commitPlace } from './place.ts'
export { checkLockPortfolio, commitLockPortfolio } from './portfolio-lock.ts'
export { checkSetDisabledProducts, commitSetDisabledProducts } from './products.ts'
export { thawQuotes } from './quote-standing.ts'
export { payRequest } from './rate-limits.ts'
export { checkInactivity, noteRequest, strayRequest } from './sessions.ts'
export {
  checkSetInstrumentState,
  checkSetSelfTrading,
  commitSetInstrumentState,
  commitSetSelfTrading,
} from './states.ts'
export {
  checkSetGatewaySwitch,
  checkSetRiskLimits,
  commitSetGatewaySwitch,
  commitSetRiskLimits,
} from './switches.ts'
