/** The public names of `ledger`: cash, positions and profit. */
export {
  baseFeeNano,
  deliveryFeeNano,
  feeNano,
  feeShareNano,
  liquidationFee,
  WHOLE_FEE,
} from './fees.ts'
export { postFutureFill } from './future-fill.ts'
export { optionFeeNano } from './option-fees.ts'
export { postFill, postFunding, revalueHolding } from './positions.ts'
export {
  addFloatingCoin,
  addFloatingQuote,
  cashNano,
  cashOf,
  createLedger,
  type HoldingOwner,
  type HoldingState,
  isEmptyWallet,
  type Ledger,
  marginBalanceAtLeast,
  optionsValueOf,
  postCash,
  postNano,
  postWideCash,
  profitOf,
  readHolding,
  reserveHoldings,
  reserveWallets,
  restoreLedger,
  setMarginBalance,
  sizeOf,
  snapshotLedger,
} from './rows.ts'
export { beginDay, deliverOption, type SettledProfit, settleHolding } from './settling.ts'
export {
  averagePrice9,
  basisBig,
  type ContractTerms,
  contractTerms,
  hasContractTerms,
  isCountable,
  type PricedTerms,
  pricedTerms,
  setBasis,
} from './terms.ts'
