/**
 * Mechanisms of wallets, blind to exchange and accounts: chains, what addresses look like, and ids that are made of a
 * key and a counter.
 */
export { chainOf, isAddress, isToken, placeOfAddress, tokens } from './addresses.ts'
export { addressOf, entryIdOf, transactionOf } from './ids.ts'
