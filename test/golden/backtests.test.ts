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
import askingTaker from '../../scenarios/block-rfq/asking-taker.ts'
import quotingMaker from '../../scenarios/block-rfq/quoting-maker.ts'
import type { Strategy, StrategyBlockRfq, StrategyDefinition } from '../../src/backtest/index.ts'
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

const runs = new Map<string, RunReport>()

/** The run of a backtest, which wrote its folder. */
async function runOf(name: string): Promise<RunReport> {
  const run = runs.get(name) ?? (await reportOf(join(folder, name), { out: join(home, name) }))
  runs.set(name, run)
  return run
}

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
  assertPublished({ [`scenarios/backtest/${name}`]: await runOf(name) })
})

describe.each(sampleOf(files, 1))('%s', (name) => {
  test('its files, its journal, tapes and snapshots give the same digest', async () => {
    const file = join(folder, name)
    const out = join(home, name)
    const run = await runOf(name)
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

/** What the strategies of a cut run receive, and a check after the run. */
interface Overheard {
  readonly given: GivenStrategies
  readonly check: () => void
}

/** A day of Block RFQs: no strategy receives hidden fields. */
function rfqDay(): Overheard {
  const heard = { taker: 0, maker: 0, anonymous: 0 }
  const makers = /ALPHA|BRAVO|CHARLIE|DELTA|ECHO/
  const hear = (account: string, rfq: StrategyBlockRfq): void => {
    const text = JSON.stringify(rfq)
    expect(rfq.role).toBe(account === 'fund' || account === 'family' ? 'taker' : 'maker')
    heard[rfq.role] += 1
    if (rfq.role === 'maker') {
      const own = account.toUpperCase()
      const ofTakers = ['bids', 'asks', 'makers', 'label', 'trade_trigger']
      expect(ofTakers.filter((field) => field in rfq)).toEqual([])
      expect(text.replaceAll(`"maker":"${own}"`, '')).not.toMatch(makers)
    }
    if (rfq.disclosed) return
    heard.anonymous += 1
    expect(text).not.toContain('FAMILY')
    if (rfq.role === 'taker') expect(text).not.toMatch(makers)
  }
  return {
    given: {
      './asking-taker.ts': overheard(askingTaker, hear),
      './quoting-maker.ts': overheard(quotingMaker, hear),
    },
    check: () => expect(Math.min(heard.taker, heard.maker, heard.anonymous)).toBeGreaterThan(100),
  }
}

/** A definition whose strategies pass every RFQ that they receive to `hear`. */
function overheard<Params>(
  definition: StrategyDefinition<Params>,
  hear: (account: string, rfq: StrategyBlockRfq) => void,
): StrategyDefinition<Params> {
  return {
    make: (params): Strategy => {
      const own = definition.make(params)
      return {
        ...own,
        onBlockRfq: (rfq, venue) => {
          hear(venue.account, rfq)
          own.onBlockRfq?.(rfq, venue)
        },
      }
    },
  }
}

/** Strategies without a check. */
function unheard(given: GivenStrategies): () => Overheard {
  return () => ({ given, check: () => undefined })
}

/**
 * Backtests that are cut by snapshots: the number of steps between cuts, the minimum number of cuts, and the strategies
 * as objects.
 */
const cutRuns: readonly (readonly [string, string, number, number, () => Overheard])[] = [
  ['a place in the queue', 'backtest/queue-position.yaml', 1, 10, unheard({})],
  ['icebergs', 'backtest/displayed-size.yaml', 1, 10, unheard({})],
  [
    'U04 a strategy in a closed market',
    'backtest/closed-market.yaml',
    1_001,
    3,
    unheard({ './inside-quoter.ts': insideQuoter }),
  ],
  [
    'D06 requests in the queue of their account',
    'backtest/request-queue.yaml',
    1,
    50,
    unheard({ './scripted.ts': scripted }),
  ],
  ['two instruments', 'backtest/cash-and-carry.yaml', 31, 5, unheard({ './cash-and-carry.ts': cashAndCarry })],
  ['options', 'backtest/strangle-seller.yaml', 10_001, 5, unheard({ './strangle-seller.ts': strangleSeller })],
  [
    'two strategies at once',
    'backtest/two-strategies.yaml',
    9_001,
    5,
    unheard({ './market-maker.ts': marketMaker, './taker.ts': taker }),
  ],
  ['a long day of Block RFQs, without hidden fields', 'block-rfq/long-day.yaml', 1_003, 3, rfqDay],
]

describe('cut by snapshots', () => {
  // A strategy in a module would be translated again, with the package, after each cut.
  test.each(sampleOf(cutRuns, 1))(
    '%s: %s, every %i steps, has its published digest',
    async (...[, name, every, cuts, strategies]) => {
      const { given, check } = strategies()
      const cut = await runWithCuts(join(repository, 'scenarios', name), every, given)
      check()
      expect(cut.digest).toBe(publishedEvents(`scenarios/${name}`))
      expect(cut.cuts).toBeGreaterThan(cuts)
    },
  )
})
