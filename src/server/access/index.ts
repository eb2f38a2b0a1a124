/**
 * Access: keys, tokens and signatures, and the rights that they give.
 */
export { isSameSecret, requestText, Seals, Signatures } from './credentials.ts'
export * from './tokens.ts'
