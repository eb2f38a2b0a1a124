/**
 * Laws of the channels of Block RFQs over random ones: no subscriber sees more than it may, and the last message to a
 * taker, a maker and the public agrees with the queries.
 */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Subscriptions } from '../../src/rpc/index.ts'
import type { Json } from '../support/desk-market.ts'
import { askedRuns, askedSeed, unreached } from '../support/property-runs.ts'
import { assertNameless, assertSight } from '../support/rfq-sight.ts'
import { RfqWalk, viewers } from '../support/rfq-walk.ts'
import { rfqWalks } from '../support/rfq-walk-steps.ts'

/** A walk with subscriptions of every account to every channel. */
class HeardWalk {
  readonly m: RfqWalk
  private readonly subscriptions: Subscriptions
  private readonly reported: { viewer: string; channel: string; data: Json }[] = []
  /** The last object of each RFQ by viewer and role. */
  readonly latest = new Map<string, Json>()
  readonly tape: Json[] = []
  readonly quotes = new Map<string, Json>()

  constructor() {
    let subscriptions: Subscriptions | undefined
    this.m = new RfqWalk(undefined, { sink: { emit: (event) => subscriptions?.events.emit(event) } })
    subscriptions = new Subscriptions(this.m.venue.desk)
    this.subscriptions = subscriptions
    for (const viewer of viewers) {
      const account = this.m.twin.party(viewer).number as never
      for (const name of ['taker.any', 'maker.any', 'maker.quotes.any']) {
        this.listen(viewer, { account, name })
      }
    }
    this.listen('everybody', {
      account: this.m.twin.party('desk').number as never,
      name: 'trades.any',
    })
  }

  private listen(viewer: string, of: { readonly account: never; readonly name: string }): void {
    const send = (text: string): void => {
      const { channel, data } = JSON.parse(text).params
      this.reported.push({ viewer, channel, data })
    }
    const link = this.links
    this.links += 1
    const who = { link, account: of.account, allows: () => true, send }
    expect(this.subscriptions.subscribe(who, `block_rfq.${of.name}`, null)).toBe(true)
  }

  private links = 1

  /** Takes the new messages and checks the laws on them. */
  hear(): void {
    this.subscriptions.flush()
    for (const { viewer, channel, data } of this.reported.splice(0)) {
      if (channel.startsWith('block_rfq.trades')) {
        assertNameless(this.m.twin, data)
        this.tape.unshift(data)
      } else if (channel.startsWith('block_rfq.maker.quotes')) {
        for (const quote of data) this.quotes.set(`${viewer} ${quote.block_rfq_quote_id}`, quote)
      } else {
        expect(data.role).toBe(channel.split('.')[1])
        assertSight(this.m.twin, viewer, data)
        this.latest.set(`${viewer} ${data.block_rfq_id}`, data)
      }
    }
  }
}

/** An RFQ without its rating, which other RFQs change too. */
const still = ({ taker_rating: _, ...rfq }: Json): Json => rfq

test('the last message is the current state, and no message shows more than its reader may see', () => {
  const seen = new Map<string, number>()
  const property = fc.property(rfqWalks, (taken) => {
    const heard = new HeardWalk()
    const { m } = heard
    for (const step of taken) {
      m.take(step)
      heard.hear()
      for (const viewer of viewers) {
        const { block_rfqs } = m.look(viewer, 'private/get_block_rfqs', { count: 1000 })
        for (const rfq of block_rfqs) {
          const last = heard.latest.get(`${viewer} ${rfq.block_rfq_id}`)
          expect(still(last)).toEqual(still(rfq))
          seen.set(rfq.state, 1)
        }
      }
    }
    const { block_rfqs } = m.look(null, 'public/get_block_rfq_trades', { currency: 'any' })
    expect(heard.tape).toEqual(block_rfqs)
    for (const { id, maker, state } of m.twin.quotes) {
      expect(heard.quotes.get(`${maker} ${id}`)).toMatchObject({ quote_state: state })
    }
  })
  fc.assert(property, { ...askedSeed(8), numRuns: askedRuns(100, 1, 8) })
  expect(unreached(['open', 'filled', 'expired'], seen)).toEqual([])
})
