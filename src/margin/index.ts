/**
 * The face of `margin`: initial and maintenance margin of accounts.
 */
export {
  addOpenOrders,
  addReserve,
  createMargin,
  type Exposure,
  firstInitialMargin,
  hasMaintenance,
  initialMarginIncrease,
  isBelowMaintenance,
  type Margin,
  type MarginInput,
  type MarginOwner,
  type MarginTotals,
  readExposure,
  readTotals,
  reserveExposures,
  reserveTotals,
  restoreMargin,
  snapshotMargin,
  subtractCommitted,
  updateMargin,
} from './margin.ts'
export {
  initialMargin,
  type MarginScale,
  type MarkedScale,
  maintenanceMargin,
  marginScale,
  markedScale,
} from './standard.ts'
