/**
 * The sources of a loop that `sim/restore` restores together with the venue: a population of traders. They get their
 * saved state back, and the replies that were pending then. The companion also ends the recorded market at
 * `sim/stop_feeds`.
 */
import { defined, type Plain, type Sequence } from '../core/index.ts'
import type { Companion } from '../rpc/index.ts'
import { resumeWaiting } from './loop-requests.ts'
import type { Loop, Waiting } from './loop-state.ts'
import { plainCopy } from './strategy/plain-copy.ts'

interface CompanionData {
  /** States of the restored sources, in their order. */
  readonly sources: readonly Plain[]
  /** Recipients of pending replies, by request. */
  readonly waiting: readonly (readonly [Sequence, Waiting])[]
}

/** The companion of a loop's request router. */
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
      // A copy, because sources continue to change the state that they return.
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
