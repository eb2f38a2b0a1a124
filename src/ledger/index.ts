/**
 * The face of `ledger`: cash, positions and profit.
 */
export {
  baseFeeNano,
  feeNano,
  feeShareNano,
  type LiquidationFee,
  liquidationFee,
  WHOLE_FEE,
} from './fees.ts'
export {
  addFloatingCoin,
  addFloatingQuote,
  cashOf,
  createLedger,
  deliverOption,
  type FillPosting,
  type HoldingOwner,
  type HoldingState,
  isEmptyWallet,
  type Ledger,
  optionsValueOf,
  postCash,
  postFill,
  postFunding,
  postWideCash,
  profitOf,
  readHolding,
  reserveHoldings,
  reserveWallets,
  resetSession,
  restoreLedger,
  revalueHolding,
  type SettledProfit,
  setMarginBalance,
  settleHolding,
  sizeOf,
  snapshotLedger,
} from './ledger.ts'
export { type OptionFeeBase, optionFeeNano } from './option-fees.ts'
export {
  basisBig,
  type ContractTerms,
  contractTerms,
  hasContractTerms,
  isCountable,
  type PricedTerms,
  pricedTerms,
  setBasis,
} from './terms.ts'
