/**
 * public/get_expirations: labels of the tradable expirations, with the perpetual last.
 *
 * The reply is a flat list, which can be empty; `grouped` nests it by settlement currency.
 * Source: S194-S198; market.md 1.6; coverage R41.
 */
import { labelOfExpiry, type Micros, z } from '../../../core/index.ts'
import { allInstruments, viewMarket } from '../../../engine/index.ts'
import { type Currency, currencies, type Instrument, type InstrumentKind, neverExpires } from '../../../model/index.ts'
import { defineMethod, queryOf, type ReplyContext } from '../method.ts'

/** Labels of each requested kind. */
export interface Expirations {
  readonly future?: readonly string[]
  readonly option?: readonly string[]
}

/** Expirations by settlement currency, in lower case. */
export type GroupedExpirations = {
  readonly [C in Lowercase<Currency>]?: Expirations
}

/** Kinds that expire independently; combos expire with their legs, and spot never does. */
const datedKinds = ['future', 'option'] as const satisfies readonly InstrumentKind[]

type DatedKind = (typeof datedKinds)[number]

/** Expirations of one currency, of all currencies together, or by currency. */
const getExpirations = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency: z
      .enum([...currencies, 'any', 'grouped'])
      .describe('a currency; any for all currencies together; grouped for all currencies, one by one'),
    kind: z.enum([...datedKinds, 'any']).describe('only instruments of this kind'),
    currency_pair: z.string().optional().describe('an index such as btc_usd'),
  }),
  read: () => queryOf(null),
  reply: (context, params): Expirations | GroupedExpirations => {
    const kinds: readonly DatedKind[] = params.kind === 'any' ? datedKinds : [params.kind]
    const listed = listedOf(context)
      .filter((instrument) => kinds.some((each) => each === instrument.kind))
      .filter(({ priceIndex }) => params.currency_pair === undefined || priceIndex === params.currency_pair)
    if (params.currency === 'any') return labelsOf(listed, kinds)
    if (params.currency !== 'grouped') {
      const own = listed.filter(({ settlementCurrency }) => settlementCurrency === params.currency)
      return labelsOf(own, kinds)
    }
    const groups = new Map<string, Instrument[]>()
    for (const each of listed) {
      const key = each.settlementCurrency.toLowerCase()
      groups.set(key, [...(groups.get(key) ?? []), each])
    }
    return Object.fromEntries([...groups].map(([key, own]) => [key, labelsOf(own, kinds)]))
  },
})

/** All instruments that are not delivered. */
function listedOf({ exchange }: ReplyContext): readonly Instrument[] {
  return allInstruments(exchange).filter(({ id }) => viewMarket(exchange, id).state !== 'delivered')
}

function labelsOf(instruments: readonly Instrument[], kinds: readonly DatedKind[]): Expirations {
  return Object.fromEntries(
    kinds.map((kind) => {
      const own = instruments.filter((instrument) => instrument.kind === kind)
      const times = own.map(({ expiration }) => expiration)
      const rising = [...new Set(times)].toSorted((left, right) => left - right)
      return [kind, rising.map(labelOf)]
    }),
  )
}

/** Perpetuals have the largest time, so their label is last. */
function labelOf(expiration: Micros): string {
  return expiration === neverExpires ? 'PERPETUAL' : labelOfExpiry(expiration)
}

/** Methods by their names; a part of the table. */
export const expirationMethods = {
  'public/get_expirations': getExpirations,
} as const
