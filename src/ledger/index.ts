/** The public names of `ledger`: cash, positions and profit. */
export * from './fees.ts'
export * from './positions.ts'
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
export * from './settling.ts'
export * from './terms.ts'
