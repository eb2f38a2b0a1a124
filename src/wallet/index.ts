/**
 * Mechanisms of wallets, independent of exchange and accounts: chains, forms of addresses, and ids made of a key and a
 * counter.
 */
export * from './ids.ts'
