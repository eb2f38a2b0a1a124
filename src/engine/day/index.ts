/**
 * The trading day: settlement, delivery, bankruptcy, liquidation, listing.
 */

export { endDayOrders, endOrders, endOrdersThat } from './day-orders.ts'
export * from './listing.ts'
export { resetWindow } from './lsp.ts'
export * from './outages.ts'
export * from './round.ts'
export { listedExpiries } from './schedule.ts'
export * from './settlement.ts'
export * from './transfers.ts'
