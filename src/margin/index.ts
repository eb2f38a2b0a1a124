/** The public names of `margin`: initial and maintenance margin of accounts. */

export { type CrossPart, type CrossTotals, crossTotals, ofUsd } from './cross.ts'
export { type LeveragedPosition, liquidationPrice9 } from './liquidation-price.ts'
export {
  addOpenOrders,
  type Exposure,
  initialMarginIncrease,
  type MarginInput,
  readExposure,
  updateMargin,
} from './margin.ts'
export {
  addPremium,
  clearMargin,
  firstOptionMargin,
  type OptionInput,
  optionMarginIncrease,
  readPremium,
  updateOptionMargin,
} from './option-margin.ts'
export {
  countedCells,
  dampedPrice,
  deltaShock18,
  type MatrixRisk,
  matrixRisk,
  offsetProfit,
  type RiskInput,
  readCells,
} from './portfolio/matrix.ts'
export {
  createRiskGroup,
  type ForeseenSize,
  foreseeMatrix,
  type HeldContract,
  isFirstMatrix,
  MATRICES,
  type MatrixState,
  type RiskGroup,
  readMatrix,
  updateGroup,
} from './portfolio/risk-group.ts'
export type { ContractRisk } from './portfolio/risk-part.ts'
export {
  bucketOf,
  dampenersOf,
  SCENARIO_CELLS,
  type ScenarioTable,
  STANDARD_CELLS,
  scaledProfits,
  scenarioTable,
} from './portfolio/scenarios.ts'
export {
  createMargin,
  type Margin,
  reserveExposures,
  reserveTotals,
  restoreMargin,
  snapshotMargin,
} from './rows.ts'
export {
  type HeldSizes,
  initialMargin,
  type MarginScale,
  type MarkedScale,
  maintenanceMargin,
  maintenanceNear,
  markedScale,
  standardMargin18,
  worstSize,
} from './standard.ts'
export { type MarkedOption, markedOption, premiumReserve, sizedMargin } from './standard-option.ts'
export {
  addReserve,
  committedAtMost,
  hasMaintenance,
  isBelowMaintenance,
  maintenanceAtMost,
  readTotals,
  slackNear,
  subtractCommitted,
} from './wallet-totals.ts'
