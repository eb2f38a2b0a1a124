/**
 * Settings of block trades. Source: sessions-blocks-gateways.md 4.3, 4.4, 4.7.
 */
import { type Micros, micros } from '../core/index.ts'

/** Settings of block trades. */
export interface BlockSettings {
  /** Text that signatures are keyed with; a scenario gives its seed. */
  readonly key: string
  /** A signature is valid for so long before and after its timestamp. */
  readonly signatureWindow: Micros
  /** An approval is waited for so long. */
  readonly approvalWindow: Micros
  /** How far a price may be from the mark, in parts per million: of options, of their underlying. */
  readonly bandPpm: number
  /** Most trades of a block. */
  readonly legsMax: number
}

/** The venue's windows, and the band and the count that we chose. */
export const defaultBlockSettings: BlockSettings = {
  key: '',
  signatureWindow: micros(300_000_000),
  approvalWindow: micros(300_000_000),
  bandPpm: 100_000,
  legsMax: 20,
}
