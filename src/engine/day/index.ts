/**
 * The trading day: settlement, delivery, bankruptcy, liquidation, listing.
 */
export { setState } from './book-state.ts'
export { BALANCE_MAX, fits, postOutside, transferMoney } from './cash-transfer.ts'
export { endTradingDay } from './day-end.ts'
export { endDayOrders, endOrders, endOrdersThat } from './day-orders.ts'
export { listedExpiries } from './expiries.ts'
export { addInstrument, listScheduled } from './listing.ts'
export { resetWindow } from './lsp.ts'
export {
  beginIndexOutage,
  endIndexOutage,
  leaveToControl,
  lockStale,
  lockWhereStale,
} from './outages.ts'
export { transferPosition } from './position-transfer.ts'
export { runRound } from './round.ts'
export { endSettlement, settleWaiting } from './settlement.ts'
