/**
 * The face of `ledger`: cash, positions and profit.
 */
export {
  cashOf,
  createLedger,
  type FillPosting,
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
  sizeOf,
  snapshotLedger,
} from './ledger.ts'
export {
  baseFeeNano,
  basisBig,
  type ContractTerms,
  contractTerms,
  feeNano,
  setBasis,
} from './terms.ts'
