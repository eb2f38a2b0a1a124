/**
 * Mechanisms of blocks, blind to exchange and accounts: signatures, their window, structures of legs.
 */
export { blockSignature, type SignedLeg, type SignedTerms } from './signature.ts'
export { structureSign, type WeightedLeg } from './structure.ts'
export { isInWindow } from './window.ts'
