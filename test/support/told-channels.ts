/**
 * Runs a scenario with accounts that have subscribed to channels, and keeps the messages that they receive.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { formatInputError } from '../../src/core/index.ts'
import { findAccount, timeOf } from '../../src/engine/index.ts'
import type { Event } from '../../src/model/index.ts'
import { ChannelHub, type Subscriber } from '../../src/rpc/index.ts'
import { advanceRun, createRun, parseScenario } from '../../src/scenario/index.ts'
import { repository } from './repository.ts'

/** A notification, and the account that it was sent to. */
export interface Told {
  readonly account: string
  readonly channel: string
  readonly data: Readonly<Record<string, unknown>>
}

/** The widest interval of channels, in microseconds: the narrower ones end with it. */
const WIDEST = 2_000_000

/**
 * All messages that accounts receive in a scenario. Each account subscribes as soon as it is open; a channel that
 * does not open fails the test.
 */
export function toldIn(
  file: string,
  wanted: readonly (readonly [account: string, ...channels: string[]])[],
  edit: (text: string) => string = (text) => text,
): readonly Told[] {
  const path = join(repository, 'scenarios', file)
  const parsed = parseScenario(edit(readFileSync(path, 'utf8')), file)
  if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
  const told: Told[] = []
  let hub: ChannelHub | undefined
  const live = {
    nextTime: () => Number.POSITIVE_INFINITY,
    take: () => {
      throw new RangeError('nobody asks')
    },
    events: {
      emit: (event: Event): void => hub?.events.emit(event),
    },
  }
  const run = createRun({ ...parsed.value, until: null }, {}, { market: null, seats: null, live })
  hub = new ChannelHub(run.desk)
  const subscribed = new Set<string>()
  for (;;) {
    for (const [link, [account, ...channels]] of wanted.entries()) {
      const id = findAccount(run.desk.exchange, account)?.id
      if (id === undefined || subscribed.has(account)) continue
      subscribed.add(account)
      const subscriber: Subscriber = {
        link,
        account: id,
        allows: () => true,
        send: (text) => {
          const { channel, data } = JSON.parse(text).params
          told.push({ account, channel, data })
        },
      }
      for (const channel of channels) {
        expect([channel, hub.subscribe(subscriber, channel, null)]).toEqual([channel, true])
      }
    }
    const state = advanceRun(run, 1)
    hub.flush()
    hub.flushIntervals(Math.ceil(timeOf(run.desk.exchange) / WIDEST) * WIDEST)
    if (state !== 'more') break
  }
  return told
}
