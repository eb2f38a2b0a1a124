/**
 * Mechanisms of wallets, independent of exchange and accounts: chains, forms of addresses, and ids made of a key and a
 * counter.
 */
export { chainOf, isAddress, isToken, placeOfAddress, tokens } from './addresses.ts'
export { addressOf, entryIdOf, transactionOf } from './ids.ts'
