/** Marks of future spreads (market.md 3.2), tested on the engine. */
import { expect, test } from 'vitest'
import { price9 } from '../../src/core/index.ts'
import { restore, snapshot } from '../../src/engine/index.ts'
import { market, priceText } from '../support/harness.ts'

test('T27 the mark of a future spread is the sum of its legs by their ratios', () => {
  const m = market({
    instruments: { 'BTC-FS-27MAR26_PERP': {}, 'BTC-27MAR26': {}, 'BTC-PERPETUAL': {} },
    accounts: {},
    index: { btc_usd: '78000' },
  })
  const spread = (): string => priceText(m.exchange.instruments[0]?.mark ?? price9(0))
  expect(spread()).toBe('0')
  m.mark('78615.6', 'BTC-27MAR26')
  m.mark('77311.26', 'BTC-PERPETUAL')
  expect(spread()).toBe('1304.34')
  m.mark('76000', 'BTC-27MAR26')
  expect(spread()).toBe('-1311.26')
  const copy = restore(snapshot(m.exchange))
  const [restored] = copy.ok ? copy.value.instruments : []
  expect(restored?.legs.map(({ row, ratio }) => [row.instrument.name, ratio])).toEqual([
    ...[
      ['BTC-27MAR26', 1],
      ['BTC-PERPETUAL', -1],
    ],
  ])
})

test('rule mark.combo: the mark of a combo moves once per command, however many of its legs move', () => {
  const m = market({
    instruments: { 'BTC-FS-27MAR26_PERP': {}, 'BTC-27MAR26': {}, 'BTC-PERPETUAL': {} },
    accounts: { alice: { BTC: '100' } },
    index: { btc_usd: '78000' },
  })
  m.mark('79000', 'BTC-27MAR26')
  m.mark(null, 'BTC-27MAR26')
  // Both legs fall by 1000. With only one of them the mark of the spread would pass the stop on the way.
  const trigger = { price: '-500', source: 'mark_price' } as const
  m.sell('alice', { amount: '10', type: 'stop_market', trigger })
  const { events } = m.index('btc_usd', '77000')
  const marks = events.flatMap((event) => (event.kind === 'mark' ? [event.instrument] : []))
  expect(marks).toEqual([1, 2])
  expect(events.filter((event) => event.kind === 'order' && event.change === 'triggered')).toEqual([])
  // A single leg moves it: after the leg, before the end of the request.
  const moved = m.mark('77100', 'BTC-27MAR26').events.map(({ kind }) => kind)
  expect(moved).toEqual(['mark', 'mark', 'request'])
})
