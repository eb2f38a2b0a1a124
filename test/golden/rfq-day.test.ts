/**
 * A long day of Block RFQs whose takers and makers are strategies. A run that is cut by snapshots has the published
 * digest.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import askingTaker from '../../scenarios/block-rfq/asking-taker.ts'
import quotingMaker from '../../scenarios/block-rfq/quoting-maker.ts'
import type { Strategy, StrategyBlockRfq, StrategyDefinition } from '../../src/backtest/index.ts'
import { runWithCuts } from '../support/backtest-run.ts'
import { publishedEvents } from '../support/published-digests.ts'
import { repository } from '../support/repository.ts'

const file = 'scenarios/block-rfq/long-day.yaml'

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

test('no strategy receives hidden fields, and a day that is cut several times has its published digest', async () => {
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
  // The strategies are objects: modules would be translated again, with the package, after each cut.
  const cut = await runWithCuts(join(repository, file), 1_003, {
    './asking-taker.ts': overheard(askingTaker, hear),
    './quoting-maker.ts': overheard(quotingMaker, hear),
  })
  expect(Math.min(heard.taker, heard.maker, heard.anonymous)).toBeGreaterThan(100)
  expect(cut.digest).toBe(publishedEvents(file))
  expect(cut.cuts).toBeGreaterThan(3)
})
