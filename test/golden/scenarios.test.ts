/**
 * Every scenario of the repository runs, all its expectations hold, and its journal replays to the same events.
 * Populations and backtests have separate tests.
 */
import { describe, expect, test } from 'vitest'
import { formatInputError } from '../../src/core/index.ts'
import { stateHash } from '../../src/engine/index.ts'
import { type Event, type EventKind, eventFamilies, isLogged } from '../../src/model/index.ts'
import {
  advanceRun,
  createJournalRun,
  createRun,
  decodeJournal,
  encodeJournalHead,
  encodeJournalRequest,
  finishRun,
} from '../../src/scenario/index.ts'
import { assertColumns, assertPrinted } from '../support/event-columns.ts'
import { eventsOf, logOf } from '../support/log-bytes.ts'
import { scenarioFiles, scenarioOf } from '../support/scenario-files.ts'

/** Families of events that occurred in scenarios. */
const met = new Set<EventKind>()

test('there are scenarios', () => {
  expect(scenarioFiles.length).toBeGreaterThanOrEqual(18)
})

describe.each(scenarioFiles)('%s', (name) => {
  test('its expectations hold, its log contains its events, and its journal replays to them', () => {
    const scenario = scenarioOf(name)
    const events: Event[] = []
    const { title, seed, until, config, equityEvery, metrics, record, setup, feeds } = scenario
    const settings = { scenarioSha256: null, seed, until, config, equityEvery, metrics, record }
    const head = { engine: '0.1.0', title, ...settings, setup: setup.length, feeds }
    const lines: object[] = [encodeJournalHead(head)]
    const run = createRun(scenario, {
      sink: { emit: (event) => events.push(event) },
      onRequest: (request, sequence) => {
        lines.push(encodeJournalRequest(request, sequence))
      },
    })
    while (advanceRun(run, 3) === 'more') {
      // Some replies wait behind the speed bump.
      expect(run.counts.requests + run.desk.pending.size).toBe(run.loop.requests)
    }
    const outcome = finishRun(run)
    expect(outcome.failures.map(formatInputError)).toEqual([])

    for (const event of events) {
      assertColumns(event)
      assertPrinted(run.desk.exchange, event)
      met.add(event.kind)
    }

    const recorded = events.filter(({ kind }) => isLogged(kind))
    expect(eventsOf(logOf(recorded).bytes)).toEqual(recorded)

    const journal = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    const decoded = decodeJournal(journal, 'journal.jsonl')
    if (!decoded.ok) throw new Error(decoded.error.map(formatInputError).join('\n'))
    const again: Event[] = []
    const hooks = { sink: { emit: (event: Event) => void again.push(event) } }
    const { head: read, requests } = decoded.value
    const replay = createJournalRun(read, requests, hooks, null)
    advanceRun(replay, Number.POSITIVE_INFINITY)
    const replayed = finishRun(replay)
    expect(again).toEqual(events)
    expect(replayed).toEqual(outcome)
    expect(stateHash(replay.desk.exchange)).toBe(stateHash(run.desk.exchange))
  })
})

test('every family of events occurs, with the columns that it declares', () => {
  // Prints and levels occur only in backtests that ask for them.
  const elsewhere: readonly EventKind[] = ['print', 'level']
  const families = Object.keys(eventFamilies).filter((kind) => !elsewhere.some((it) => it === kind))
  expect([...met].toSorted()).toEqual(families.toSorted())
})
