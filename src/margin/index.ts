/** The public names of `margin`: initial and maintenance margin of accounts. */

export * from './cross.ts'
export * from './liquidation-price.ts'
export * from './margin.ts'
export * from './option-margin.ts'
export * from './portfolio/matrix.ts'
export * from './portfolio/risk-group.ts'
export {
  bucketOf,
  dampenersOf,
  SCENARIO_CELLS,
  type ScenarioTable,
  STANDARD_CELLS,
  scaledProfits,
  scenarioTable,
} from './portfolio/scenarios.ts'
export { createMargin, type Margin, reserveExposures, reserveTotals, restoreMargin, snapshotMargin } from './rows.ts'
export * from './standard.ts'
export * from './wallet-totals.ts'
