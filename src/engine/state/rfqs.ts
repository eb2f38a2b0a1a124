/**
 * Block RFQs and the accounts that take part in them: finds them, and converts sizes and prices of structures.
 *
 * Rule: rfq.alias. An account without its own alias is called `MAKER` or `TAKER`, followed by its number.
 * Rule: rfq.target. Every maker except the taker may quote an RFQ that names no makers.
 *
 * Assumed: an RFQ to all makers reaches makers of the taker's own tree, because self-match prevention would otherwise
 * have nothing to prevent. Named targets never belong to that tree.
 * Source: sessions-blocks-gateways.md 5.4, 5.5.
 */
import { defined, divTruncBig, type Lots, lots, safeNumber } from '../../core/index.ts'
import { type RfqLeg, usualRole } from '../../model/index.ts'
import { accountRow } from './accounts.ts'
import type { Exchange } from './exchange.ts'
import { rowOfInstrument } from './orders.ts'
import type { RfqParty, RfqQuoteRow, RfqRow } from './rfq-rows.ts'

/** The role of an account. */
export function partyOf(exchange: Exchange, account: number): Readonly<RfqParty> {
  return exchange.rfqs.parties.get(account) ?? usualRole
}

/** The role of an account, for changes. Creates it if it does not exist. */
export function partyFor({ rfqs }: Exchange, account: number): RfqParty {
  const known = rfqs.parties.get(account)
  if (known !== undefined) return known
  const made: RfqParty = { ...usualRole }
  rfqs.parties.set(account, made)
  return made
}

/** The alias of an account as a maker. */
export function makerAliasOf(exchange: Exchange, account: number): string {
  return partyOf(exchange, account).makerAlias ?? `MAKER${account}`
}

/** The alias of an account as a taker. */
export function takerAliasOf(exchange: Exchange, account: number): string {
  return partyOf(exchange, account).takerAlias ?? `TAKER${account}`
}

/** Accounts that may quote, in the order in which they received a role. */
export function makersOf({ rfqs, removed }: Exchange): readonly number[] {
  return [...rfqs.parties].flatMap(([account, { isMaker }]) => (isMaker && !removed.has(account) ? [account] : []))
}

/** True if two accounts have the same owner. */
export function isOfOneOwner(exchange: Exchange, one: number, other: number): boolean {
  return accountRow(exchange, one).account.main === accountRow(exchange, other).account.main
}

/** True if a maker may see and quote an RFQ. */
export function isTarget(exchange: Exchange, { taker, makers }: RfqRow, account: number): boolean {
  if (account === taker || !partyOf(exchange, account).isMaker) return false
  return makers.length === 0 || makers.includes(account)
}

/** Rule: rfq.self-match. True if self-match prevention forbids two accounts to trade on an RFQ with each other. */
export function isSelfMatch(exchange: Exchange, one: number, other: number): boolean {
  if (!isOfOneOwner(exchange, one, other)) return false
  return [one, other].some((account) => partyOf(exchange, account).preventsSelfMatch)
}

/** Returns an existing RFQ. */
export function rfqAt(exchange: Exchange, rfq: number): RfqRow {
  return defined(exchange.rfqs.rfqs.get(rfq), 'a named RFQ is stored')
}

/** An open quote with its RFQ; undefined if no open quote has this number. */
export function findRfqQuote(
  exchange: Exchange,
  quote: number,
): { readonly rfq: RfqRow; readonly quote: RfqQuoteRow } | undefined {
  for (const number of exchange.rfqs.open) {
    const rfq = rfqAt(exchange, number)
    const found = rfq.quotes.get(quote)
    if (found !== undefined) return { rfq, quote: found }
  }
  return undefined
}

/** Lots of a leg for a size of the structure. */
export function legLotsFor(exchange: Exchange, rfq: Pick<RfqRow, 'sizeUnit9'>, leg: RfqLeg, amount: number): Lots {
  const { amountStep9 } = rowOfInstrument(exchange, leg.instrument).instrument
  const whole = BigInt(amount) * BigInt(leg.ratio) * BigInt(rfq.sizeUnit9)
  // Sizes of structures are multiples of the steps of their legs.
  return lots(safeNumber(divTruncBig(whole, BigInt(amountStep9))))
}

/** Converts a size of a structure to 1e-9. */
export function rfqSize9(rfq: Pick<RfqRow, 'sizeUnit9'>, amount: number): bigint {
  return BigInt(amount) * BigInt(rfq.sizeUnit9)
}

/** Converts a price of a structure to 1e-9. */
export function rfqPrice9(rfq: Pick<RfqRow, 'priceUnit9'>, price: number): bigint {
  return BigInt(price) * BigInt(rfq.priceUnit9)
}
