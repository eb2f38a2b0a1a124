/**
 * Settings of block trades. Source: sessions-blocks-gateways.md 4.3, 4.4, 4.7.
 */
import { MICROS_PER_DAY, type Micros, micros } from '../core/index.ts'
import type { SettingsOf } from './settings/declaration.ts'

/** Most trades of a block that a request may name. */
const LEGS_MAX = 20

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

/** The declaration: the venue's windows, and the band and the count that we chose. */
export const blockSettings: SettingsOf<BlockSettings> = {
  key: {
    key: null,
    journal: 'key',
    unit: 'text',
    default: '',
    says: 'Secret of the signatures',
  },
  signatureWindow: {
    key: 'signature_window',
    unit: 'micros',
    min: 1,
    max: MICROS_PER_DAY,
    default: micros(300_000_000),
    says: 'How long a signature is valid before and after its timestamp',
  },
  approvalWindow: {
    key: 'approval_window',
    unit: 'micros',
    min: 1,
    max: MICROS_PER_DAY,
    default: micros(300_000_000),
    says: 'How long a block trade waits for approval',
  },
  bandPpm: {
    key: 'price_band',
    journal: 'band_ppm',
    unit: 'parts',
    scale: 6,
    max: 1_000_000,
    counted: true,
    default: 100_000,
    says: 'Largest distance of a price from the mark price (for options, from that of the underlying), as a fraction',
    examples: [0.05],
  },
  legsMax: {
    key: null,
    journal: 'legs_max',
    unit: 'count',
    min: 1,
    max: LEGS_MAX,
    default: LEGS_MAX,
    says: 'Maximum number of trades in a block',
  },
}
