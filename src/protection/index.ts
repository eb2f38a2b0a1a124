/**
 * The face of `protection`: the arithmetic of liquidations.
 */
export { chunkOf, lowersDelta } from './liquidation.ts'
