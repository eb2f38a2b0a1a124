/**
 * The face of `ledger`: cash, positions and profit.
 */
export {
  cashOf,
  createLedger,
  type FillPosting,
  type HoldingOwner,
  type HoldingState,
  type Ledger,
  postCash,
  postFill,
  postWideCash,
  profitOf,
  readHolding,
  reserveHoldings,
  reserveWallets,
  restoreLedger,
  revalueHolding,
  setMarginBalance,
  settleHolding,
  sizeOf,
  snapshotLedger,
} from './ledger.ts'
export {
  baseFeeNano,
  basisBig,
  type ContractTerms,
  contractTerms,
  feeNano,
  hasContractTerms,
  type PricedTerms,
  pricedTerms,
  setBasis,
} from './terms.ts'
