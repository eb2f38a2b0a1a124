/**
 * The head of a journal of a run that says nothing but its settings.
 */
import type { ExchangeConfig } from '../../src/model/index.ts'
import { usualTerms } from '../../src/results/index.ts'
import { type JournalHead, usualRecord } from '../../src/scenario/index.ts'

/** Such a head. */
export function headOf(config: ExchangeConfig): JournalHead {
  return {
    engine: '0',
    title: 'A test',
    scenarioSha256: null,
    seed: '0',
    until: null,
    config,
    equityEvery: null,
    metrics: usualTerms,
    record: usualRecord,
    setup: 0,
    feeds: [],
  }
}
