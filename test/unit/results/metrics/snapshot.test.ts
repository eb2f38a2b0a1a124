/** Metrics continue after a cut: their state comes back byte for byte, and other bytes are refused. */
import { expect, test } from 'vitest'
import { apply, createExchange } from '../../../../src/engine/index.ts'
import type { Event } from '../../../../src/model/index.ts'
import { createMetrics, restoreMetrics } from '../../../../src/results/index.ts'
import { market } from '../../../support/harness.ts'

test('the stored state of metrics comes back unchanged, and takes the events that follow', () => {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { maker: { BTC: '10' }, taker: { BTC: '10' } },
    index: { btc_usd: '50000' },
  })
  m.sell('maker', { amount: '1000', price: '50010' })
  m.buy('taker', { amount: '400', price: '50010' })
  m.index('btc_usd', '50500')
  m.buy('taker', { amount: '600', price: '50010' })
  const events: Event[] = []
  const sink = { emit: (event: Event): void => void events.push(event) }
  const exchange = createExchange(m.exchange.config, sink)
  for (const command of m.commands) apply(exchange, command, sink)
  const cut = events.findLastIndex(({ kind }) => kind === 'index') + 1
  const uncut = createMetrics()
  for (const event of events.slice(0, cut)) uncut.emit(event)
  const bytes = uncut.snapshot()
  const restored = restoreMetrics(bytes)
  expect(restored.ok).toBe(true)
  if (!restored.ok) return
  expect(restored.value.snapshot()).toEqual(bytes)
  for (const event of events.slice(cut)) {
    uncut.emit(event)
    restored.value.emit(event)
  }
  expect(restored.value.snapshot()).toEqual(uncut.snapshot())
  expect(restored.value.next()).toBe(uncut.next())
  expect(restoreMetrics(bytes.slice(1))).toMatchObject({ error: { found: 'damaged data' } })
})
