/**
 * A long day of Block RFQs, whose takers and makers are strategies: a run that is cut by snapshots comes to what a whole
 * one comes to. That it reaches its published digest stands among the examples.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import askingTaker from '../../scenarios/block-rfq/asking-taker.ts'
import quotingMaker from '../../scenarios/block-rfq/quoting-maker.ts'
import type { Strategy, StrategyBlockRfq, StrategyDefinition } from '../../src/backtest/index.ts'
import { runWithCuts } from '../support/backtest-run.ts'
import { repository } from '../support/repository.ts'

const file = join(repository, 'scenarios/block-rfq/long-day.yaml')
// As objects: modules would have the whole package translated again after each cut.
const given = { './asking-taker.ts': askingTaker, './quoting-maker.ts': quotingMaker }

/** A definition whose strategies tell what they hear of RFQs. */
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

test('no strategy hears what it may not know, and a day that is cut several times ends as the whole', async () => {
  const heard = { taker: 0, maker: 0, anonymous: 0 }
  const makers = /ALPHA|BRAVO|CHARLIE|DELTA|ECHO/
  const hear = (account: string, rfq: StrategyBlockRfq): void => {
    const text = JSON.stringify(rfq)
    expect(rfq.role).toBe(account === 'fund' || account === 'family' ? 'taker' : 'maker')
    heard[rfq.role] += 1
    if (rfq.role === 'maker') {
      const own = account.toUpperCase()
      for (const field of ['bids', 'asks', 'makers', 'label', 'trade_trigger']) {
        expect(rfq).not.toHaveProperty(field)
      }
      expect(text.replaceAll(`"maker":"${own}"`, '')).not.toMatch(makers)
    }
    if (rfq.disclosed) return
    heard.anonymous += 1
    expect(text).not.toContain('FAMILY')
    if (rfq.role === 'taker') expect(text).not.toMatch(makers)
  }
  const whole = await runWithCuts(file, Number.POSITIVE_INFINITY, {
    './asking-taker.ts': overheard(askingTaker, hear),
    './quoting-maker.ts': overheard(quotingMaker, hear),
  })
  expect(Math.min(heard.taker, heard.maker, heard.anonymous)).toBeGreaterThan(100)
  const cut = await runWithCuts(file, 1_003, given)
  expect(cut).toMatchObject({ digest: whole.digest, events: whole.events })
  expect(cut.cuts).toBeGreaterThan(3)
})
