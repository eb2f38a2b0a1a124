/**
 * Settings of block trades. Source: sessions-blocks-gateways.md 4.3, 4.4, 4.7.
 */
import { MICROS_PER_DAY, type Micros, micros } from '../core/index.ts'
import type { SettingsOf } from './settings/declaration.ts'

/** Largest number of trades of a block in a request. */
const LEGS_MAX = 20

/** Settings of block trades. */
export interface BlockSettings {
  /** Text that keys the signatures; a scenario gives its seed. */
  readonly key: string
  /** Time before and after its timestamp during which a signature is valid. */
  readonly signatureWindow: Micros
  /** Time that a block waits for an approval. */
  readonly approvalWindow: Micros
  /** Largest distance of a price from the mark, in parts per million. For options it is a share of their underlying. */
  readonly bandPpm: number
  /** Largest number of trades of a block. */
  readonly legsMax: number
}

/** The declaration: the time windows are the venue's; the band and the number of trades are our choice. */
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
