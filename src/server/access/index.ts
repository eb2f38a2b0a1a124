/**
 * Who may do what: keys, tokens, signatures.
 */
export { isSameSecret, requestText, Signatures } from './credentials.ts'
export { allAreas, areasOf } from './scopes.ts'
export { askerOf, type Grant, grantAllows, type Key, type Presented, Tokens } from './tokens.ts'
