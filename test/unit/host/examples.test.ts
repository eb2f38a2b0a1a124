/** Single-purpose examples of `scenarios`: each passes, with the published digests. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runFile } from '../../../src/node.ts'
import { assertPublished } from '../../support/published-digests.ts'
import { repository } from '../../support/repository.ts'

/** Runs an example and checks its expectations; returns its report. */
async function checkExample(file: string, expectations: number): Promise<void> {
  const run = await runFile(join(repository, file))
  if (!run.ok) throw new Error(run.error.lines.join('\n'))
  expect(run.value.failures).toEqual([])
  expect(run.value.expectations).toBe(expectations)
  assertPublished({ [file]: run.value })
}

test('P09 a book with ISO times comes from a file without a header', async () => {
  await checkExample('scenarios/backtest/iso-times.yaml', 3)
})

test('B02 queries look back as far as the history limits say', async () => {
  await checkExample('scenarios/orders/history-limits.yaml', 1)
})

test('L02 three winners pay a loss that they cannot divide', async () => {
  await checkExample('scenarios/settlement/loss-of-three-payers.yaml', 6)
})

test.each([
  ['replies are lost', 'lost-replies', 1],
  ['replies come too late', 'late-replies', 1],
  ['replies come twice', 'doubled-replies', 1],
  ['replies overtake each other', 'reordered-replies', 1],
  ['requests are refused in a storm', 'storm', 1],
  ['a connection is half open', 'half-open', 1],
  ['a book lacks a message', 'book-gap', 1],
  ['the venue is in maintenance', 'maintenance', 4],
  ['an index publishes nothing', 'index-outage', 8],
  ['a gateway is out', 'gateway-outage', 3],
  ['the clock jumps', 'clock-jump', 4],
])('faults on demand: %s', async (_, name, expectations) => {
  await checkExample(`scenarios/faults/${name}.yaml`, expectations)
})

test('a long day of Block RFQs between strategies', async () => {
  await checkExample('scenarios/block-rfq/long-day.yaml', 6)
})
