/** `fuzz`: lawful runs reach much of the venue, and each planted fault becomes one scenario that fails in the same way. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { AssertionFailure, coded } from '../../../src/core/index.ts'
import { formatInputError, parseScenario, runScenario } from '../../../src/index.ts'
import type { Event } from '../../../src/model/index.ts'
import { type FuzzReport, fuzz, runFile } from '../../../src/node.ts'
import {
  createRunLaws,
  EventLaws,
  fc,
  fuzzScenario,
  type RunError,
  recordVenue,
  scenarioText,
} from '../../../src/testing/index.ts'
import { askedRuns, askedSeed } from '../../support/property-runs.ts'

const folder = mkdtempSync(join(tmpdir(), 'pitclock-fuzz-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => {
  vi.restoreAllMocks()
})

/** Calls a function at each event, before the laws are checked. It stands for a fault of Pitclock. */
function plant(fault: (event: Event) => void): void {
  const emit = EventLaws.prototype.emit
  vi.spyOn(EventLaws.prototype, 'emit').mockImplementation(function (this: EventLaws, event) {
    fault(event)
    emit.call(this, event)
  })
}

async function found(options: Parameters<typeof fuzz>[0]): Promise<FuzzReport> {
  const result = await fuzz(options)
  if (!result.ok) throw new Error(formatInputError(result.error.error))
  return result.value
}

test('every run of all methods can be written as a scenario that gives the same refusals', () => {
  const { seed = 1 } = askedSeed(1)
  for (let run = 0; run < askedRuns(300, 1, 8); run += 1) {
    const drawn = fc.noBias(fuzzScenario({ swarm: run % 2 === 0, sequencesMax: 40 }))
    const [scenario] = fc.sample(drawn, { seed: seed + run, numRuns: 1 })
    if (scenario === undefined) throw new Error('a sample has a scenario')
    const recorded = recordVenue(scenario.market)
    for (const request of scenario.requests) recorded.send(request)
    let text = ''
    try {
      recorded.fail('Written', { laws: 'hold' })
    } catch (error) {
      text = scenarioText((error as RunError).run)
    }
    const parsed = parseScenario(text, `run-${seed + run}.yaml`)
    if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
    expect(runScenario(parsed.value, { laws: createRunLaws }).failures).toEqual([])
  }
})

test('the same seed gives the same output, and another seed another one', async () => {
  const one = await found({ runs: 6, seed: 'a', swarm: true })
  expect(one).toMatchObject({ status: 'complete', seed: 'a', runs: 6, failures: [], out: null })
  expect(await found({ runs: 6, seed: 'a', swarm: true })).toEqual(one)
  expect((await found({ runs: 6, seed: 'b', swarm: true })).events).not.toEqual(one.events)
  // Words that no run reached are listed too.
  expect(Object.values(one.refusals)).toContain(0)
  expect(one.events['trade']).toBeGreaterThan(0)
  expect(one.rules['order.validation']).toBeGreaterThan(0)
})

test('an internal fault becomes one small scenario that fails in the same way', async () => {
  plant((event) => {
    if (event.kind === 'order' && event.state === 'filled') throw new AssertionFailure(`planted: order ${event.order}`)
  })
  const out = join(folder, 'defect')
  const report = await found({ runs: 12, seed: 1, out })
  expect(report.failures).toHaveLength(1)
  const [failure] = report.failures
  expect(failure).toMatchObject({
    code: 'DEFECT',
    reproduced: true,
    file: expect.stringMatching(/^1-internal-error-planted-order-\d+.yaml$/),
  })
  expect(failure?.count).toBeGreaterThan(1)
  expect(readdirSync(out).toSorted()).toEqual([failure?.file, 'fuzz.json'])
  const file = join(out, failure?.file ?? '')
  const text = readFileSync(file, 'utf8')
  expect(text.match(/call:/g)?.length).toBeLessThan(6)
  await expect(runFile(file)).rejects.toThrow('planted: order ')
  vi.restoreAllMocks()
  expect(await runFile(file)).toMatchObject({ ok: true, value: { failures: [] } })
})

test('a broken law of events becomes a scenario with laws: hold', async () => {
  plant((event) => {
    const isPlace = event.kind === 'order' && event.change === 'cancelled'
    if (isPlace) throw coded(new RangeError(`planted: ${event.order}`), 'LAW')
  })
  const { failures } = await found({ runs: 6, seed: 2 })
  expect(failures).toMatchObject([{ code: 'LAW', reproduced: true }])
  const file = join(folder, 'law.yaml')
  writeFileSync(file, failures[0]?.scenario ?? '')
  const run = await runFile(file)
  expect(run.ok && run.value.unmet).toMatchObject([{ path: 'expect.laws', found: expect.stringContaining('planted') }])
})

test('a folder that exists is refused, an interrupted run leaves none, and wrong options are refused', async () => {
  const taken = join(folder, 'taken')
  mkdirSync(taken)
  writeFileSync(join(taken, 'mine.txt'), '')
  for (const force of [false, true]) {
    expect(await fuzz({ runs: 1, out: taken, force })).toMatchObject({ ok: false, error: { error: { code: 'FILE' } } })
  }
  const out = join(folder, 'interrupted')
  expect(await found({ runs: 5, out, interrupted: () => true })).toMatchObject({
    status: 'interrupted',
    runs: 0,
    out: null,
  })
  expect(existsSync(out)).toBe(false)
  const over = await found({ runs: 5, out, isOver: () => true })
  expect([over.status, over.runs, readdirSync(out)]).toEqual(['complete', 0, ['fuzz.json']])
  expect(await found({ runs: 1, seed: 5, out, force: true })).toMatchObject({ runs: 1, out })
  await expect(fuzz({ runs: 0 })).rejects.toMatchObject({ code: 'OPTION' })
})
