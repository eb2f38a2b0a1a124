/** The time of a step of a run of protections: now, later, or at a due instant. */
import type { Facts } from './protection-facts.ts'
import type { Wait } from './protection-intents.ts'
import { INACTIVITY } from './protection-sessions.ts'

const SECOND = 1_000_000

/** The time of an intent's step. */
export function timeOf(facts: Facts, now: number, wait: Wait): number {
  switch (wait.kind) {
    case 'none':
      return now
    case 'millis':
      return now + wait.millis * 1000
    case 'quiet': {
      const quiet = [...facts.sessions.values()].filter(({ covers, type }) => covers && type === 'web_socket')
      const first = Math.min(...quiet.map(({ lastInbound }) => lastInbound + INACTIVITY))
      return Number.isFinite(first) ? Math.max(now, first + wait.offset) : now
    }
    case 'instant': {
      const { freeze } = facts.group('gate', 'eth_usd', null) ?? { freeze: null }
      const floor = (freeze?.since ?? 0) + SECOND
      // For direct access, the end of the first second of a freeze matters most.
      if (floor > now && wait.pick % 3 === 0) return floor + wait.offset
      const due = dueInstants(facts)
      const at = due[wait.pick % Math.max(1, due.length)] ?? now
      return Math.max(now, at + wait.offset)
    }
  }
}

function dueInstants(facts: Facts): readonly number[] {
  const due: number[] = []
  for (const id of facts.queue) due.push(facts.orders.get(id)?.waiting?.releaseAt ?? facts.now)
  for (const { freeze, window, config } of facts.groups.values()) {
    if (freeze !== null) {
      due.push(freeze.since + SECOND)
      if (freeze.until !== null) due.push(freeze.until)
    }
    if (window.start !== null && config !== null) due.push(window.start + config.interval)
  }
  return due.filter((at) => at >= facts.now)
}
