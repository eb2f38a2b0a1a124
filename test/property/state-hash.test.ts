/**
 * Law: two states that differ in one value differ in hash and in the bytes of their snapshots. Every value reachable
 * from an exchange is changed, one at a time, in states of random runs. A value that neither covers follows from
 * others, and an audit detects that it no longer does; or it is meaningless, and is listed here with the reason.
 */
import { describe, expect, test } from 'vitest'
import { AssertionFailure } from '../../src/core/index.ts'
import { audit, auditCopy, type Exchange, snapshot, stateHash } from '../../src/engine/index.ts'
import { orderAt, visitAccountOrders } from '../../src/engine/state/index.ts'
import { snapshotLedger } from '../../src/ledger/index.ts'
import { snapshotMargin } from '../../src/margin/index.ts'
import { CURRENCY_SLOTS } from '../../src/model/index.ts'
import { openVenue } from '../../src/program/index.ts'
import { states } from '../support/exchange-states.ts'
import { sampleOf } from '../support/property-runs.ts'
import { type Change, changesOf, sampled } from '../support/state-changes.ts'

/** Values that may change undetected, and why. `audit` and `auditCopy` detect changes of all others. */
const meaningless: readonly (readonly [RegExp, reason: string])[] = [
  [/(^|\.)scratch\[/, 'registers of arithmetic, written before they are read'],
  [/^margin\.foreseen\b/, 'the last margin that was foreseen, kept with what it was foreseen from'],
  [/\.group\.foreseen\[/, 'registers of what one more order would do'],
  [/^(holdingOf|slotOfOrder)\.cells\[/, 'cells of tables that hold no key; others are found'],
  [/^(holdingOf|slotOfOrder)\.(mask|size)$/, 'the room of tables, which audits look things up in'],
  [/^slots\.(capacity|free)$/, 'the room for slots and the list of free ones'],
  [/^slots\.(place\[|arrivals$)/, 'numbers of which only their order counts'],
  [/\.book\.(bids|asks)\.best$/, 'of a side without levels'],
  [/\.book\.(bids|asks)\.sign$/, 'how a side is built, which never changes'],
  [/\.book\.(bids|asks)\.(last|bestPage|pages<\*>)\.(ends|size)\b/, 'of prices without orders'],
  [/\.book\.(bids|asks)\.pages shorter$/, 'a page without levels'],
  [/\.book\.recorded\.(bids|asks)\./, 'of prices without levels, and how a side is built'],
  [/\.book\.recorded\.refreshes\.next$/, 'a bound below the due times, which audits hold'],
  [/\.book\.recorded\.model\./, 'constants of a queue model, whose word is kept'],
  [/\.risk\.exact(Totals)? shorter$/, 'a sum of nothing, which is not there or 0'],
  [/\.pair\.(minute|moves|movesAt|risks|riskIndex|dampeners|dampenedAt)\b/, 'found anew once anything moved'],
  [/\.pair\.group\.(parts|expiries)\b/, 'parts of holdings that are stale or closed, found anew'],
  [/\.risk\.stress\b/, 'found anew each minute'],
  [/\.(fair9|fairSeen)$/, 'found anew when its book changed'],
  [/\.most(?:Lots|Profit)$/, 'a bound, found anew where it is infinite'],
  [/\.band\./, 'the ends of a band and what they were found from, found anew where that is other'],
  [/\.isStale$/, 'whether a pair has to find a holding anew, as it may without need'],
  [
    /^orders\.(labels|sessions|rare) (shorter|longer)$/,
    'a column of orders, which ends anywhere behind what is not as usual',
  ],
  [/^orders\.forcesRare$/, 'which of two ways orders go, which changes no result'],
  [/^quietEvents$/, 'whether a round that would do nothing is left out'],
  [
    /^(markCount|skipFrom)$|\.(fundedAround|lookedAt|lookPause)$/,
    'when holdings are looked at, which changes no result',
  ],
  [/(^skipDeadlines|\.skip(Below|Above))\./, 'of a heap without entries, as that of a state whose holdings are few'],
  [/^scenarioTables\b/, 'computed from the configuration'],
  [/^orders\.(next|previous)\[/, 'the neighbours of an order that is the first or last of its account'],
]

/** The snapshot holds the configuration of the run, and the hash does not. */
const config = /^config\b/

/** True if a changed value is in use; columns have spare rows. */
function usedIn(exchange: Exchange): (change: Change) => boolean {
  const live = new Set<number>()
  const queued = new Set<number>()
  for (const { account } of exchange.accounts) {
    visitAccountOrders(exchange, account.id, (slot) => {
      live.add(slot)
      if (orderAt(exchange, slot).stage === 'resting') queued.add(slot)
    })
  }
  const rows = {
    holdings: exchange.holdings.length,
    wallets: exchange.accounts.length * CURRENCY_SLOTS,
  }
  const ledger = snapshotLedger(exchange.ledger, rows.holdings, rows.wallets)
  const margin = snapshotMargin(exchange.margin, rows.holdings, rows.wallets)
  const lengths = new Map<string, number>([
    ...Object.entries(ledger).map(([name, row]) => [`ledger.${name}`, row.length] as const),
    ...Object.entries(margin).map(([name, row]) => [`margin.${name}`, row.length] as const),
  ])
  return ({ path }) => {
    // A walk over a page that is listed twice would not end.
    if (path.endsWith('.inUse longer')) return false
    // Readers of the state name these suspects; they stay if the entry is cleared again.
    if (path.startsWith('shared.unnamed')) return false
    const [, column = '', index = ''] = /^([a-z.]+)\[(\d+)\]/i.exec(path) ?? []
    const at = Number(index)
    // A walk over a book would not end with an order that is not at its level.
    if (column === 'slots.price') return live.has(at) && !queued.has(at)
    if (/^slots\.(next|previous)/.test(column)) return queued.has(at)
    if (column === 'orders.paid') return live.has(at) && orderAt(exchange, at).fills !== null
    if (column === 'orders.paidLow') {
      return live.has(at) && orderAt(exchange, at).fills instanceof Float64Array
    }
    if (/^slots\.|^orders\./.test(column)) return live.has(at)
    return at < (lengths.get(column) ?? Number.POSITIVE_INFINITY)
  }
}

function fails(check: () => void): boolean {
  return isSeenBy(() => {
    check()
    return false
  })
}

/** True if a view of a state differs, or cannot be computed. */
function isSeenBy(look: () => boolean): boolean {
  try {
    return look()
  } catch (error) {
    // A state that was changed by hand may make computations fail.
    return error instanceof AssertionFailure || error instanceof TypeError || error instanceof RangeError
  }
}

describe('HA any single value of a state that differs', () => {
  test.each(sampleOf(states, 1))('is detected: %s', (_what, make) => {
    const exchange = make()
    audit(exchange)
    auditCopy(exchange)
    const before = { hash: stateHash(exchange), bytes: snapshot(exchange) }
    const hasNewHash = (): boolean => stateHash(exchange) !== before.hash
    const hasNewBytes = (): boolean => Buffer.compare(snapshot(exchange), before.bytes) !== 0
    const unseen: string[] = []
    const changes = sampled(changesOf(exchange).filter(usedIn(exchange)), 1)
    for (const { path, pattern, make: change } of sampleOf(changes, changes.length / 3)) {
      const undo = change()
      const inHash = isSeenBy(hasNewHash)
      const inBytes = isSeenBy(hasNewBytes)
      const isSeen =
        (inHash && inBytes) ||
        (config.test(pattern) && inBytes) ||
        meaningless.some(([place]) => place.test(pattern)) ||
        fails(() => auditCopy(exchange)) ||
        fails(() => audit(exchange))
      undo()
      if (!isSeen) unseen.push(`${path}: hash ${inHash}, bytes ${inBytes}`)
    }
    expect(unseen).toEqual([])
    expect(changes.length).toBeGreaterThan(300)
    expect(stateHash(exchange)).toBe(before.hash)
  })

  test('the states have orders in every place, and requests that wait', () => {
    const stages = new Set<string>()
    let held = 0
    for (const [, make] of states) {
      const exchange = make()
      held += exchange.heldRequests.size
      for (const { account } of exchange.accounts) {
        visitAccountOrders(exchange, account.id, (slot) => stages.add(orderAt(exchange, slot).stage))
      }
    }
    expect([...stages].sort()).toEqual(['bumped', 'dormant', 'resting', 'untriggered'])
    expect(held).toBeGreaterThan(0)
  })
})

test('HA an order over one connection or over another is another state', () => {
  const hashes = [1, 2].map((session) => {
    const venue = openVenue({
      start: '2026-01-05T09:00:00Z',
      instruments: ['BTC-PERPETUAL'],
      index: { btc_usd: 100_000 },
      accounts: { alice: { BTC: 10 } },
    })
    for (const each of [1, 2]) {
      venue.as('alice', each).request('private/enable_cancel_on_disconnect', {})
    }
    const terms = { instrument_name: 'BTC-PERPETUAL', amount: 1000, price: 99_000 }
    venue.as('alice', session).request('private/buy', terms)
    return stateHash(venue.exchange)
  })
  expect(hashes[0]).not.toBe(hashes[1])
})
