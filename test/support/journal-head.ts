/** The head of a journal for tests: only the settings differ from an empty run. */
import type { ExchangeConfig } from '../../src/model/index.ts'
import { usualTerms } from '../../src/results/index.ts'
import { type JournalHead, usualRecord } from '../../src/scenario/index.ts'

/** The head of a journal with these settings. */
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
