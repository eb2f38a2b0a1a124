/**
 * Backtests as users run them: every scenario of `scenarios/backtest` has its published digest. Its journal, tapes in
 * place of its files, and a run cut by snapshots have the same digest.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import cashAndCarry from '../../scenarios/backtest/cash-and-carry.ts'
import insideQuoter from '../../scenarios/backtest/inside-quoter.ts'
import marketMaker from '../../scenarios/backtest/market-maker.ts'
import scripted from '../../scenarios/backtest/scripted.ts'
import strangleSeller from '../../scenarios/backtest/strangle-seller.ts'
import taker from '../../scenarios/backtest/taker.ts'
import type { RunReport } from '../../src/host/index.ts'
import { type GivenStrategies, runWithCuts, scenarioAt } from '../support/backtest-run.ts'
import { built } from '../support/built-library.ts'
import { sampleOf } from '../support/property-runs.ts'
import { assertPublished, publishedEvents } from '../support/published-digests.ts'
import { repository } from '../support/repository.ts'

const folder = join(repository, 'scenarios/backtest')
const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))

let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pitclock-backtests-'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function reportOf(file: string, options: Parameters<typeof built.runFile>[1]): Promise<RunReport> {
  const run = await built.runFile(file, options)
  if (!run.ok) throw new Error(run.error.lines.join('\n'))
  expect(run.value.failures).toEqual([])
  return run.value
}

/** A copy of the scenario in its own folder, next to tapes of its files. */
async function withTapes(name: string): Promise<string> {
  const place = join(home, `tapes-${name}`)
  mkdirSync(place, { recursive: true })
  let text = readFileSync(join(folder, name), 'utf8')
  for (const { paths, format, symbol, columns } of scenarioAt(join(folder, name)).feeds) {
    for (const path of paths) {
      const tape = `${basename(path)}.arrow`
      const options = { format, symbol, columns, sha256: null, force: true }
      const converted = await built.convertFeed(join(folder, path), join(place, tape), options)
      if (!converted.ok) throw new Error(converted.error.error.found)
      text = text.replaceAll(path, tape)
    }
  }
  cpSync(folder, place, { recursive: true })
  writeFileSync(join(place, name), text)
  return join(place, name)
}

test('there are backtests', () => {
  expect(files).toContain('market-maker.yaml')
  expect(files).toContain('two-strategies.yaml')
})

test.each(files)('%s has its published digest', async (name) => {
  const run = await reportOf(join(folder, name), { out: join(home, name) })
  assertPublished({ [`scenarios/backtest/${name}`]: run })
})

describe.each(sampleOf(files, 2))('%s', (name) => {
  test('its files, its journal, tapes and snapshots give the same digest', async () => {
    const file = join(folder, name)
    const out = join(home, `whole-${name}`)
    const run = await reportOf(file, { out })

    const manifest = await built.readManifest(out)
    expect(manifest.ok && manifest.value.digest).toBe(run.digest)
    const recorded = scenarioAt(file).feeds[0]?.paths[0] ?? ''
    const feeds = join(folder, dirname(recorded))
    const journal = await reportOf(join(out, 'journal.jsonl'), { feeds })
    expect([journal.digest, journal.state_hash]).toEqual([run.digest, run.state_hash])
    // Timers of strategies stop the clock of a run; metrics and performance must not depend on it.
    expect(journal.metrics).toEqual(run.metrics)
    expect(journal.performance).toEqual(run.performance)

    const fromTapes = await reportOf(await withTapes(name), {})
    expect([fromTapes.digest, fromTapes.state_hash]).toEqual([run.digest, run.state_hash])
  })
})

/**
 * Backtests that are cut by snapshots: the number of steps between cuts, the minimum number of cuts, and the strategies
 * as objects.
 */
const cutRuns: readonly (readonly [string, string, number, number, GivenStrategies])[] = [
  ['a place in the queue', 'queue-position.yaml', 1, 10, {}],
  ['icebergs', 'displayed-size.yaml', 1, 10, {}],
  ['U04 a strategy in a closed market', 'closed-market.yaml', 1_001, 3, { './inside-quoter.ts': insideQuoter }],
  ['D06 requests in the queue of their account', 'request-queue.yaml', 1, 50, { './scripted.ts': scripted }],
  ['two instruments', 'cash-and-carry.yaml', 31, 5, { './cash-and-carry.ts': cashAndCarry }],
  ['options', 'strangle-seller.yaml', 10_001, 5, { './strangle-seller.ts': strangleSeller }],
  [
    'two strategies at once',
    'two-strategies.yaml',
    9_001,
    5,
    { './market-maker.ts': marketMaker, './taker.ts': taker },
  ],
]

describe('cut by snapshots', () => {
  // A strategy in a module would be translated again, with the package, after each cut.
  test.each(sampleOf(cutRuns, 2))(
    '%s: %s, every %i steps, has its published digest',
    async (_what, name, every, cuts, given) => {
      const cut = await runWithCuts(join(folder, name), every, given)
      expect(cut.digest).toBe(publishedEvents(`scenarios/backtest/${name}`))
      expect(cut.cuts).toBeGreaterThan(cuts)
    },
  )
})
