/**
 * The family of block trades. It has one row for each signature, each use of a signature and each end of one, so that
 * the table `blocks` shows the outcome and its reason. No row contains a signature, because signatures are secrets
 * (R57).
 *
 * Source: sessions-blocks-gateways.md 4.5, 4.7.
 */
import { units, wordUnit } from '../../core/index.ts'
import { blockChanges, blockReasons } from '../words/blocks.ts'
import { liquidities } from '../words/trades.ts'
import * as eventUnits from './event-units.ts'
import { parts, unless } from './family.ts'

const blockLegColumns = {
  instrument: units.instrumentId,
  /** The maker's side. */
  side: eventUnits.side,
  price: units.price9,
  amount: units.lots,
}

/** Families of block trades. */
export const blockFamilies = {
  /** A block trade changed. */
  block_trade: {
    change: wordUnit('change of a block trade', blockChanges),
    /** The account that signed, executed or answered. */
    account: units.accountId,
    /** The role of that account. */
    role: wordUnit('role in a block trade', liquidities),
    /** The other side; -1 while it is unknown. */
    counterparty: unless(-1, eventUnits.someAccount),
    /** The time and the nonce that both sides name. */
    timestamp: units.micros,
    nonce: units.text,
    /** Number of the block from 1; 0 before it is executed. */
    block: unless(0, units.count),
    /** The combo with the same legs, or -1. */
    combo: unless(-1, eventUnits.someInstrument),
    legs: parts(blockLegColumns),
    reason: wordUnit('reason of a change', blockReasons),
  },
}

/** Codes of their records in the log. */
export const blockCodes = {
  block_trade: 32,
} as const satisfies { readonly [Family in keyof typeof blockFamilies]: number }
