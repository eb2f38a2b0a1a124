/**
 * Law: messages to sessions of direct access depend only on the events. The bytes of an event log, without an exchange,
 * give the same messages as the running desk sent; and a desk that continues from a snapshot sends the same.
 *
 * The runs are those of `protections.test.ts`: direct access of one portfolio over two gateways, orders, amends,
 * cancels and quotes of each other's, the speed bump, protections, locks, sessions that end. Rows: S287-S289, S331.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amount } from '../../src/core/index.ts'
import { venueMethods } from '../../src/gateways/index.ts'
import { type Event, fanOut, logHead, openEventLog, sinkOf } from '../../src/model/index.ts'
import { createHistory, historySink } from '../../src/rpc/history/index.ts'
import { type DirectMarket, directMarket, future, perpetual } from '../support/direct-market.ts'
import { logOf } from '../support/log-bytes.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'
import { runCut } from '../support/protection-cuts.ts'
import { intentArbitrary } from '../support/protection-intents.ts'
import { type ReportedSessions, reportedBy, runProtections } from '../support/protection-run.ts'
import { totalTakers } from '../support/total-takers.ts'

const runs = askedRuns(100, 1, 3)
const intents = fc.noBias(fc.array(intentArbitrary, { maxLength: 90, size: 'max' }))

const cancel = 'sim/direct/cancel_order'
const amend = 'sim/direct/amend_order'

/** The messages to the sessions of a run, from the bytes of its log alone. */
function reportedByLog(events: readonly Event[]): ReportedSessions {
  const log = openEventLog(Buffer.concat([logHead(), logOf(events).bytes]))
  if (!log.ok) throw new Error(JSON.stringify(log.error))
  const history = createHistory()
  const { emit } = fanOut([historySink(history, () => amount(0n)), sinkOf(venueMethods.direct?.takers(history) ?? {})])
  log.value.events(totalTakers(emit))
  return reportedBy({ history })
}

/** The names of the messages. */
function namesIn({ received, layer }: ReportedSessions): readonly string[] {
  return [received, layer].flatMap(({ rows }) =>
    [...rows.values()].flatMap((list) => list.map((row: { readonly message: string }) => row.message)),
  )
}

test('S289 the bytes of a log give the messages to sessions, and so does a desk that was cut', () => {
  const met = new Set<string>()
  let count = 0
  fc.assert(
    fc.property(intents, (steps) => {
      const run = runProtections(steps)
      expect(reportedByLog(run.events)).toEqual(run.reported)
      count += 1
      const cut = runCut(run.sent, (at) => at % 5 === count % 5)
      expect(cut.reported).toEqual(run.reported)
      for (const name of namesIn(run.reported)) met.add(name)
    }),
    { numRuns: runs, ...askedSeed(7) },
  )
  if (!isWhole) return
  const rare = ['CancelOrderResponse']
  expect([...met].filter((name) => !rare.includes(name)).toSorted()).toEqual([
    ...['AmendOrderResponse', 'LoggedOut', 'LogonResponse', 'MassQuoteMmpTriggered'],
    ...['MassQuoteMmpUnfrozen', 'MassQuoteOrdersPlaced', 'OrderFilled', 'OrderPlaced'],
    ...['OrdersCanceled', 'OrdersMmpTriggered', 'OrdersMmpUnfrozen'],
  ])
})

/** A day with everything that only some events record. */
function richRun(): DirectMarket {
  const m = directMarket()
  m.connect(3, { account: 'bob', gateway: 'ETH_B' })
  const waiting = { instrument_name: future, side: 'sell' }
  // Waiting orders that another session, the same session and a bulk cancel end.
  m.place('alice', 1, { instrument_name: future })
  m.place('bob', 7, waiting)
  m.place('bob', 8, waiting)
  m.place('bob', 9, waiting)
  m.result('alice', cancel, { client_order_id: 1 }, 1)
  m.error('bob', cancel, { client_order_id: 7, correlation_id: 70 }, 3)
  m.error('bob', cancel, { client_order_id: 8, correlation_id: 71 }, 2)
  m.result('bob', 'sim/direct/mass_cancel', { currency_pair: 'eth_usd' }, 3)
  m.venue.wait('20ms')
  // Orders that another session amends and cancels.
  m.place('bob', 10, { side: 'sell', price: 3010 })
  m.result('bob', amend, { client_order_id: 10, amount: 900, correlation_id: 72 }, 3)
  m.result('bob', cancel, { client_order_id: 10 }, 3)
  // A group that is removed, and a book that closes.
  const group = {
    ...{ index_name: 'eth_usd', interval: 10, frozen_time: 0, quantity_limit: 1 },
    max_quote_quantity: 100,
  }
  m.result('alice', 'private/set_mmp_config', group)
  m.place('alice', 2, { flags: ['mmp'] })
  m.result('alice', 'private/set_mmp_config', { ...group, interval: 0 })
  m.place('alice', 3)
  m.result(null, 'sim/rescale', { instrument_name: perpetual, tick_size: 0.5 })
  m.result(null, 'sim/set_instrument_state', { instrument_name: perpetual, state: 'inactive' })
  m.result('bob', 'sim/direct/logout', { reason: 'enough' }, 3)
  return m
}

/** The reasons of cancelled orders and ended sessions in the messages. */
function reasonsIn({ received, layer }: ReportedSessions): readonly string[] {
  const gone = [...received.rows.values()]
    .flat()
    .flatMap((row) =>
      row.message === 'OrdersCanceled' ? row.orders.map((each) => each.cancel_reason?.name ?? '') : [],
    )
  const ended = [...layer.rows.values()].flat().flatMap((row) => (row.message === 'LoggedOut' ? [row.reason] : []))
  return [...new Set([...gone, ...ended])].toSorted()
}

test('S287 S331 the log holds requests of other sessions, and the reason why a book, a group or a session ended', () => {
  const m = richRun()
  const reported = reportedBy(m.venue.desk)
  expect(reportedByLog(m.events)).toEqual(reported)
  expect(namesIn(reported)).toContain('CancelOrderResponse')
  expect(reasonsIn(reported)).toEqual([
    ...['BOOK_DEACTIVATED', 'BY_REQUEST', 'MMP_GROUP_DELETED', 'TIME_IN_FORCE', 'enough'],
  ])
  const lies: readonly ((event: Event) => Event)[] = [
    (event) => (event.kind === 'order' ? { ...event, by: null } : event),
    (event) => (event.kind === 'bump' ? { ...event, by: null } : event),
    (event) => (event.kind === 'session' ? { ...event, words: '' } : event),
    (event) => (event.kind === 'state' ? { ...event, state: 'open' } : event),
  ]
  for (const lie of lies) expect(reportedByLog(m.events.map(lie))).not.toEqual(reported)
})
