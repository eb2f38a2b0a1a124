/**
 * Who may do what: keys, tokens, signatures.
 */
export { isSameSecret, requestText, Signatures } from './credentials.ts'
export { allAreas } from './scopes.ts'
export { type Grant, grantAllows, type Key, Tokens } from './tokens.ts'
