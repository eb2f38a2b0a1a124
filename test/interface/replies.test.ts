/**
 * Replies are what the schemas of results say: those of every scenario of the repository, each checked by a strict
 * validator.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { formatInputError } from '../../src/core/index.ts'
import { viewSession } from '../../src/engine/index.ts'
import {
  advanceRun,
  createRun,
  finishRun,
  parseScenario,
  type RunHooks,
  type ScenarioRun,
} from '../../src/scenario/index.ts'
import { ReplyChecks } from '../support/reply-checks.ts'
import { repository } from '../support/repository.ts'

const folder = join(repository, 'scenarios')
const elsewhere = /^(?:(?:population|backtest)\/|block-rfq\/long-day)/
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml') && !elsewhere.test(name))
  .toSorted()
const checks = new ReplyChecks()

test.each(files)('%s', (name) => {
  const parsed = parseScenario(readFileSync(join(folder, name), 'utf8'), name)
  if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
  const faults: string[] = []
  // Requests of the set-up are answered before the run stands, and come over no session.
  const runs: ScenarioRun[] = []
  const onReply: RunHooks['onReply'] = (request, reply) => {
    const [run] = runs
    const session = run && viewSession(run.desk.exchange, request.session)
    if (reply.ok) faults.push(...checks.check(request.method, reply.result, session?.type))
  }
  const run = createRun(parsed.value, { onReply })
  runs.push(run)
  while (advanceRun(run, 1_000) === 'more');
  finishRun(run)
  expect(faults).toEqual([])
})

test('methods that no scenario asks', () => {
  expect(checks.unseen()).toEqual([])
})
