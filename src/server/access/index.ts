/**
 * Access: keys, tokens and signatures, and the rights that they give.
 */
export { isSameSecret, requestText, Signatures } from './credentials.ts'
export { allAreas, areasOf } from './scopes.ts'
export { Seals } from './seals.ts'
export {
  askerOf,
  type Grant,
  grantAllows,
  isTakenFrom,
  type Key,
  type Presented,
  Tokens,
} from './tokens.ts'
