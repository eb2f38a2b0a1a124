/** The public names of `engine`: the exchange as a pure machine of commands and events. */

export { listedExpiries } from './day/index.ts'
export { feeForOrder, type RfqQuoteFacts } from './market/index.ts'
export * from './spine/index.ts'
export { type Exchange, totalCash } from './state/index.ts'
export {
  type AccountMargins,
  marginForOrder,
  marginPools,
  marginsOf,
  marginsOfPool,
  projectedMargins,
  underMargined,
  withdrawableOf,
} from './value/index.ts'
