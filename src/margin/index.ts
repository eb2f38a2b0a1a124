/**
 * The face of `margin`: initial and maintenance margin of accounts.
 */
export {
  addOpenOrders,
  addReserve,
  createMargin,
  type Exposure,
  firstInitialMargin,
  initialMarginIncrease,
  type Margin,
  type MarginInput,
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
  MARGIN_MAX,
  type MarginScale,
  maintenanceMargin,
  marginScale,
} from './standard.ts'
