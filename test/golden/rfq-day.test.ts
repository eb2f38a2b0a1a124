/**
 * A long day of Block RFQs, whose takers and makers are strategies: a run that is cut by snapshots comes to what a whole
 * one comes to. That it reaches its published digest stands among the examples.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import askingTaker from '../../scenarios/block-rfq/asking-taker.ts'
import quotingMaker from '../../scenarios/block-rfq/quoting-maker.ts'
import { runWithCuts } from '../support/backtest-run.ts'
import { repository } from '../support/repository.ts'

const file = join(repository, 'scenarios/block-rfq/long-day.yaml')
// As objects: modules would have the whole package translated again after each cut.
const given = { './asking-taker.ts': askingTaker, './quoting-maker.ts': quotingMaker }

test('a day that is cut several times comes to the digest of the whole', async () => {
  const whole = await runWithCuts(file, Number.POSITIVE_INFINITY, given)
  const cut = await runWithCuts(file, 1_003, given)
  expect(cut).toMatchObject({ digest: whole.digest, events: whole.events })
  expect(cut.cuts).toBeGreaterThan(3)
})
