/**
 * The family of block trades. It has one row for each signature, each use of a signature and each end of one, so that
 * the table `blocks` shows the outcome and its reason. No row contains a signature, because signatures are secrets
 * (R57).
 *
 * Source: sessions-blocks-gateways.md 4.5, 4.7.
 */

import { units, wordUnit } from '../../core/index.ts'
import {
  blockChanges,
  blockReasons,
  rfqChanges,
  rfqQuoteChanges,
  rfqQuoteReasons,
  rfqReasons,
  rfqStates,
} from '../words/blocks-and-rfqs.ts'
import { liquidities } from '../words/trades.ts'
import * as eventUnits from './family.ts'
import { columnOrNull, parts, unless } from './family.ts'

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

/**
 * The families of Block RFQs. There is a row for each change of an RFQ and of a quote, so that the tables `rfqs` and
 * `rfq_quotes` show every start, end and timeout with its reason. Sizes and prices of structures are in 1e-9.
 *
 * Source: sessions-blocks-gateways.md 5.3, 5.5, 5.8, 5.9.
 */

const rfqLegColumns = {
  instrument: units.instrumentId,
  /** The taker's side if the taker buys the structure. */
  side: eventUnits.side,
  ratio: units.count,
}

/** Families of Block RFQs. */
export const rfqFamilies = {
  /** A Block RFQ changed. */
  block_rfq: {
    change: wordUnit('change of a Block RFQ', rfqChanges),
    rfq: units.count,
    /** The taker. */
    account: units.accountId,
    state: wordUnit('state of a Block RFQ', rfqStates),
    /** Size of the structure, in 1e-9. */
    amount9: eventUnits.structure9,
    legs: parts(rfqLegColumns),
    createdAt: units.micros,
    expiresAt: units.micros,
    /** Best prices for the whole amount in the taker's view, in 1e-9; null if there is no such price. */
    bid9: columnOrNull(eventUnits.structure9),
    ask9: columnOrNull(eventUnits.structure9),
    /** Side of the taker in a fill, or of the trigger that changed. */
    side: columnOrNull(eventUnits.side),
    /** Worst price of the fill, or limit of the trigger that changed, in 1e-9. */
    price9: columnOrNull(eventUnits.structure9),
    /** Number of makers in a fill. */
    makers: unless(0, units.count),
    reason: wordUnit('reason of a change of a Block RFQ', rfqReasons),
  },
  /** A quote on a Block RFQ changed. */
  block_rfq_quote: {
    change: wordUnit('change of a quote on a Block RFQ', rfqQuoteChanges),
    quote: units.count,
    rfq: units.count,
    /** The maker. */
    account: units.accountId,
    /** The maker's side of the structure. */
    side: eventUnits.side,
    price9: eventUnits.structure9,
    amount9: eventUnits.structure9,
    filled9: eventUnits.structure9,
    allOrNone: units.flag,
    legs: parts({ ...rfqLegColumns, price: units.price9 }),
    label: units.text,
    /** Name of the application that added it, or null. */
    appName: columnOrNull(units.text),
    replaced: units.flag,
    createdAt: units.micros,
    updatedAt: units.micros,
    expiresAt: units.micros,
    /** Block of the fill; 0 for other changes. */
    block: unless(0, units.count),
    reason: wordUnit('reason of a change of a quote on a Block RFQ', rfqQuoteReasons),
  },
}

/** Codes of their records in the log. */
export const rfqCodes = {
  block_rfq: 35,
  block_rfq_quote: 36,
} as const satisfies { readonly [Family in keyof typeof rfqFamilies]: number }
