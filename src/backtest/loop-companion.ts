/**
 * The sources of a loop that go back with the venue when `sim/restore` puts it back: a population of traders. They take
 * up what they had when it was kept, and hear the replies that waited then. Its recorded market ends where
 * `sim/stop_feeds` says so.
 */
import { defined, type Plain, type Sequence } from '../core/index.ts'
import type { Companion } from '../rpc/index.ts'
import { resumeWaiting } from './loop-requests.ts'
import type { Loop, Waiting } from './loop-state.ts'
import { plainCopy } from './strategy/plain-copy.ts'

interface CompanionData {
  /** States of the sources that go back, in their order. */
  readonly sources: readonly Plain[]
  /** Who of them waits for replies, by the request. */
  readonly waiting: readonly (readonly [Sequence, Waiting])[]
}

/** The companion of a loop's desk. */
export function companionOf(loop: Loop): Companion {
  const { desk, sources, waiting } = loop
  const going = sources.filter(({ goesBack }) => goesBack === true)
  const isOfGoing = ({ source }: Waiting): boolean => source !== null && sources[source.index]?.goesBack === true
  return {
    save: () => {
      const data: CompanionData = {
        sources: going.map(({ save }) => save?.() ?? null),
        waiting: [...waiting].filter(([number, who]) => desk.pending.has(number) && isOfGoing(who)),
      }
      // Its own copy, as sources go on with what they gave.
      return plainCopy(data, 'companion')
    },
    load: (state) => {
      const saved = state as unknown as CompanionData
      for (const [at, each] of saved.sources.entries()) going[at]?.load?.(each)
      for (const [number, who] of saved.waiting) {
        const pending = defined(desk.pending.get(number), 'a pending reply is restored too')
        const onReply = resumeWaiting(loop, number, { request: pending.request, waiting: who })
        desk.pending.set(number, { ...pending, onReply })
      }
    },
    stopFeeds: () => {
      loop.areFeedsStopped = true
    },
  }
}
