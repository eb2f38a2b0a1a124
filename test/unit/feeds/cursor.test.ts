/** Cursors: clocks, units, policies, the time window, and continuing from a position. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInputError, instrumentId, micros, price9 } from '../../../src/core/index.ts'
import {
  createFeedCursor,
  defaultPolicies,
  type FeedColumns,
  type FeedCursorOptions,
  type FeedPolicies,
  feedPoliciesSchema,
  recordOrder,
} from '../../../src/feeds/index.ts'
import { feedChecks } from '../../../src/model/index.ts'
import { batchesOf, bookCursor, countsOf, fill, messagesOf, tardisText } from '../../support/feed-text.ts'

const book = 'tardis.incremental_book_L2'
const bookText = (lines: readonly string[]): string => tardisText(book, lines)

function run(lines: readonly string[], change: Parameters<typeof bookCursor>[0] = {}) {
  const cursor = bookCursor(change)
  const fault = fill(cursor, batchesOf(bookText(lines)))
  cursor.end()
  return { fault, messages: messagesOf(cursor), counts: countsOf(cursor) }
}

function policies(change: Partial<FeedPolicies>): { readonly policies: FeedPolicies } {
  return { policies: { ...defaultPolicies, ...change } }
}

describe('units and clocks', () => {
  test('prices become ticks, amounts lots, and rows of one message stay together', () => {
    const lines = ['5,6,true,bid,100.5,20', '5,6,true,ask,101,1e3', '8,9,false,bid,100.5,0']
    expect(run(lines)).toEqual({
      fault: null,
      messages: ['5!: b201x2#1 s202x100#2', '8: b201x0#3'],
      counts: ['rows 3 1', 'messages 2 1', 'snapshots 1 1'],
    })
  })

  test('the local clock is the other column', () => {
    const lines = ['5,6,true,bid,100.5,20', '8,9,false,bid,100.5,0']
    const { messages } = run(lines, { clock: 'local' })
    expect(messages.map((text) => text.split(':')[0])).toEqual(['6!', '9'])
  })

  test('the time of a message is the greatest so far, its own rows included', () => {
    const lines = ['5,1,true,bid,1,10', '9,1,true,bid,2,10', '7,2,false,bid,1,20', '9,3,false,bid,3,10']
    const { messages, counts } = run(lines)
    expect(messages.map((text) => text.split(':')[0])).toEqual(['9!', '9', '9'])
    expect(counts).toContain('backward 1 3')
  })

  test('an index is counted in 1e-9 and has no grid', () => {
    const text = tardisText('tardis.derivative_ticker', ['5,6,,,,,1,100.123456789,'])
    const cursor = bookCursor({ kind: 'index' })
    fill(cursor, batchesOf(text, { format: 'tardis.derivative_ticker' }))
    expect(messagesOf(cursor)).toEqual(['5: b100123456789x0#1'])
  })

  test('the mark next to an index is counted in 1e-9 too, up to the highest price', () => {
    const lines = ['5,6,,,,,1,100,100.25', '6,7,,,,,1,101,9007199', '7,8,,,,,1,102,9007199.1']
    const text = tardisText('tardis.derivative_ticker', lines)
    const taken = (change: Partial<FeedCursorOptions>): readonly string[] => {
      const cursor = bookCursor({ kind: 'index', ...change })
      fill(cursor, batchesOf(text, { format: 'tardis.derivative_ticker' }))
      return messagesOf(cursor)
    }
    expect(taken(policies({ off_grid: 'skip' }))).toEqual([
      ...['5: b100000000000x100250000000#1', '6: b101000000000x9007199000000000#2'],
    ])
    const cursor = bookCursor({ kind: 'index', ...policies({ off_grid: 'fail' }) })
    expect(fill(cursor, batchesOf(text, { format: 'tardis.derivative_ticker' }))).toBe(
      'feed.csv:4: mark: expected a whole number of 0.000000001, up to 9007199, found 9007199.1',
    )
    // If the venue computes marks, recorded ones are ignored, even wrong ones.
    expect(taken({ mark: 'computed' })).toEqual([
      ...['5: b100000000000x0#1', '6: b101000000000x0#2', '7: b102000000000x0#3'],
    ])
  })
})

describe('d09 prices below zero', () => {
  const lines = ['5,6,true,bid,-20.5,20', '5,6,true,ask,0,30', '8,9,false,bid,-20.5,0']
  const instrument = { id: instrumentId(0), tick9: 500_000_000, amountStep9: 10_000_000_000 }

  test('are ordinary ticks of an instrument whose prices are differences', () => {
    const spread = { instrument: { ...instrument, mayBeNegative: true } }
    expect(run(lines, spread)).toMatchObject({
      fault: null,
      messages: ['5!: b-41x2#1 s0x3#2', '8: b-41x0#3'],
    })
    const off = run(['5,6,true,bid,-20.25,20', '5,6,true,ask,-20.25,20'], {
      ...spread,
      ...policies({ off_grid: 'keep' }),
    })
    expect(off.messages).toEqual(['5!: b-41x2#1 s-40x2#2'])
    expect(run(['5,6,true,bid,-9007200,20'], spread).fault).toBe(
      'feed.csv:2: price: expected a whole number of 0.5, from -9007199 to 9007199, found -9007200',
    )
  })

  test('are off the grid of all other instruments', () => {
    expect(run(lines).fault).toBe(
      'feed.csv:2: price: expected a whole number of 0.5, above 0 and up to 9007199, found -20.5',
    )
    expect(run(lines, policies({ off_grid: 'skip' })).counts).toContain('off_grid 3 1')
  })

  test('the tick rule gives the side of trades at and below zero', () => {
    const prices = ['-2', '0', '-1', '-1']
    const text = tardisText(
      'tardis.trades',
      prices.map((price, at) => `${5 + at},${6 + at},${at + 1},unknown,${price},20`),
    )
    const cursor = bookCursor({
      kind: 'trades',
      instrument: { ...instrument, mayBeNegative: true },
    })
    fill(cursor, batchesOf(text, { format: 'tardis.trades' }))
    expect(messagesOf(cursor)).toEqual([...['5: b-4x2#1', '6: b0x2#2', '7: s-2x2#3', '8: s-2x2#4']])
  })

  test('a mark next to an index may be below zero, an index may not', () => {
    const format = 'tardis.derivative_ticker'
    const spread = { kind: 'index', instrument: { ...instrument, mayBeNegative: true } } as const
    const cursor = bookCursor(spread)
    const text = tardisText(format, ['5,6,,,,,1,100,-0.5', '6,7,,,,,1,,-1', '7,8,,,,,1,-1,2'])
    expect(fill(cursor, batchesOf(text, { format }))).toBe(
      'feed.csv:4: price: expected a whole number of 0.000000001, above 0 and up to 9007199, found -1',
    )
    const other = bookCursor({ kind: 'index' })
    expect(fill(other, batchesOf(text, { format }))).toContain('feed.csv:2: mark: expected')
  })
})

describe('policies', () => {
  const back = ['5,1,true,bid,1,10', '4,2,false,bid,1,20', '6,3,false,bid,1,30']
  const twice = ['5,1,true,bid,1,10', '5,1,true,bid,1,10']
  const off = ['5,1,true,bid,1.25,15', '5,1,true,ask,1.75,20']

  test('a row behind the clock', () => {
    expect(run(back, policies({ backward: 'skip' })).messages).toEqual(['5!: b2x1#1', '6: b2x3#3'])
    expect(run(back, policies({ backward: 'fail' })).fault).toBe(
      'feed.csv:3: expected a clock that does not go back, found 4 after 5',
    )
    const inside = ['5,1,true,bid,1,10', '9,1,true,bid,2,20', '7,1,true,bid,3,30']
    expect(run(inside, policies({ backward: 'fail' })).fault).toBe(
      'feed.csv:4: expected a clock that does not go back, found 7 after 9',
    )
  })

  test('a repeated row', () => {
    expect(run(twice).messages).toEqual(['5!: b2x1#1'])
    expect(run(twice, policies({ duplicate: 'keep' })).messages).toEqual(['5!: b2x1#1 b2x1#2'])
    expect(run(twice, policies({ duplicate: 'fail' })).fault).toContain('feed.csv:3')
  })

  test('a repeated trade that is behind the clock is counted as both', () => {
    const lines = ['5,6,1,buy,1,10', '9,9,2,buy,1,10', '4,9,1,buy,1,10']
    const cursor = bookCursor({ kind: 'trades', ...policies({ duplicate: 'keep' }) })
    fill(cursor, batchesOf(tardisText('tardis.trades', lines), { format: 'tardis.trades' }))
    expect(countsOf(cursor)).toEqual(expect.arrayContaining(['backward 1 3', 'duplicate 1 3']))
  })

  test('d03 a trade of zero is counted and left out, as recorded or in whole lots', () => {
    const lines = ['5,6,1,buy,1,10', '6,7,2,sell,0.5,0', '7,8,3,sell,0.5,9', '8,9,4,buy,1,10']
    const of = (change: Partial<FeedPolicies>) => {
      const cursor = bookCursor({ kind: 'trades', ...policies({ off_grid: 'keep', ...change }) })
      const text = tardisText('tardis.trades', lines)
      const fault = fill(cursor, batchesOf(text, { format: 'tardis.trades' }))
      return { fault, messages: messagesOf(cursor), counts: countsOf(cursor) }
    }
    const { messages, counts } = of({})
    expect(messages).toEqual(['5: b2x1#1', '8: b2x1#4'])
    expect(counts).toEqual(expect.arrayContaining(['empty 2 2', 'off_grid 1 3']))
    expect(of({ empty: 'fail' }).fault).toBe('feed.csv:3: expected a trade of at least 10, found 0')
  })

  test('d20 a trade without a side has the side of the last move of the recorded price', () => {
    const sides = ['unknown,2', 'unknown,3', 'unknown,3', 'sell,2', 'unknown,2', 'buy,4', 'unknown,1']
    const lines = sides.map((cells, at) => `${at},${at},${at + 1},${cells},10`)
    const cursor = bookCursor({ kind: 'trades' })
    const text = tardisText('tardis.trades', lines)
    fill(cursor, batchesOf(text, { format: 'tardis.trades' }))
    const found = messagesOf(cursor).map((message) => message.split(': ')[1]?.[0])
    expect(found).toEqual(['b', 'b', 'b', 's', 's', 'b', 's'])
    expect(countsOf(cursor)).toContain('unknown_side 5 1')
  })

  test('d05 columns leave out trades outside of the book, and count them', () => {
    const columns: FeedColumns = {
      ...{ kind: 'trades', timestamp: 't', price: 'p', amount: 'a', sequence: 'n', side: 's' },
      leave_out: ['block', { column: 'leg', word: 'true' }],
    }
    const rows = ['1,1,10,1,buy,,false', '2,1,10,2,buy,B-7,false', '3,1,10,3,buy,,true']
    const text = ['t,p,a,n,s,block,leg', ...rows, '4,1,10,4,buy,,false', ''].join('\n')
    const cursor = bookCursor({ kind: 'trades', ...policies({ gap: 'fail' }) })
    expect(fill(cursor, batchesOf(text, { format: 'csv', columns }))).toBe(null)
    expect(messagesOf(cursor)).toEqual(['1: b2x1#1', '4: b2x1#4'])
    expect(countsOf(cursor)).toContain('left_out 2 2')
  })

  test('a row off the grid', () => {
    expect(run(off).fault).toBe(
      'feed.csv:2: price: expected a whole number of 0.5, above 0 and up to 9007199, found 1.25',
    )
    expect(run(off, policies({ off_grid: 'skip' })).messages).toEqual(['5!: '])
    const kept = run(off, policies({ off_grid: 'keep' }))
    expect(kept.messages).toEqual(['5!: b2x1#1 s4x2#2'])
    expect(kept.counts).toContain('off_grid 2 1')
  })

  test('d12 levels that are moved onto one price of the grid keep apart and add up', () => {
    const lines = ['5,1,true,bid,1,10', '6,2,false,bid,1.3,20', '7,3,false,bid,1.4,30']
    const more = ['8,4,false,bid,1.3,0', '9,5,false,bid,1,0', '9,6,false,bid,1.40,0']
    const { messages } = run([...lines, ...more], policies({ off_grid: 'keep' }))
    expect(messages.map((text) => text.split(' ')[1])).toEqual([
      ...['b2x1#1', 'b2x3#2', 'b2x6#3', 'b2x4#4', 'b2x3#5', 'b2x0#6'],
    ])
    const again = run([...lines, '8,4,true,bid,1,10'], policies({ off_grid: 'keep' }))
    expect(again.messages.at(-1)).toBe('8!: b2x1#4')
  })

  test('U2 a price between the steps of the tick is off the grid, like for orders', () => {
    const instrument = {
      ...{ id: instrumentId(3), tick9: 100_000, amountStep9: 10_000_000_000 },
      tickSteps: [{ above: price9(5_000_000), tick9: 500_000 }],
    }
    const lines = ['5,6,true,bid,0.0049,10', '5,6,true,bid,0.0102,10', '5,6,true,ask,0.0106,10']
    expect(run(lines, { instrument }).fault).toBe(
      'feed.csv:3: price: expected a whole number of 0.0005, above 0 and up to 9007199, found 0.0102',
    )
    const kept = run(lines, { instrument, ...policies({ off_grid: 'keep' }) })
    expect(kept.messages).toEqual(['5!: b49x1#1 b100x1#2 s110x1#3'])
  })

  test('a gap in the numbering of a book', () => {
    const columns: FeedColumns = {
      kind: 'book',
      ...{ timestamp: 't', side: 's', price: 'p', amount: 'a' },
      ...{ is_snapshot: { column: 'w', word: 'snap' }, sequence: 'n', previous_sequence: 'b' },
    }
    const lines = ['1,bid,1,10,snap,7,', '2,bid,1,20,,8,7', '3,bid,1,30,,10,9', '4,bid,1,40,,11,10']
    const text = ['t,s,p,a,w,n,b', ...lines, '5,bid,1,50,snap,12,', ''].join('\n')
    const batches = batchesOf(text, { format: 'csv', columns })
    const [kept, skipping, failing] = (['keep', 'skip', 'fail'] as const).map((gap) => bookCursor(policies({ gap })))
    if (kept === undefined || skipping === undefined || failing === undefined) throw new Error()
    expect([fill(kept, batches), messagesOf(kept).length]).toEqual([null, 5])
    expect(countsOf(kept)).toContain('gap 1 3')
    fill(skipping, batches)
    expect(messagesOf(skipping)).toEqual(['1!: b2x1#1', '2: b2x2#2', '5!: b2x5#5'])
    expect(countsOf(skipping)).toContain('before_snapshot 2 3')
    const fault =
      'feed.csv:4: expected a message whose previous number is 8, found number 10, whose previous number is 9'
    expect(fill(failing, batches)).toBe(fault)
    // The previous number may be in an earlier batch.
    const parts = lines.slice(0, 3).map((line) => batchesOf(`t,s,p,a,w,n,b\n${line}\n`, { format: 'csv', columns }))
    const parted = bookCursor(policies({ gap: 'fail' }))
    expect(parts.map((part) => fill(parted, part))).toEqual([null, null, fault.replace('feed.csv:4', 'feed.csv:2')])
  })

  test('a gap in the numbers of trades', () => {
    const columns: FeedColumns = {
      ...{ kind: 'trades', timestamp: 't', price: 'p', amount: 'a', sequence: 'n', side: 's' },
    }
    const rows = ['1,1,10,41,buy', '2,1,10,41,buy', '3,1,10,45,buy']
    const batches = batchesOf(['t,p,a,n,s', ...rows, ''].join('\n'), { format: 'csv', columns })
    const cursor = bookCursor({ kind: 'trades', ...policies({ gap: 'fail', duplicate: 'skip' }) })
    expect(fill(cursor, batches)).toBe('feed.csv:4: expected the number 42 after 41, found 45')
  })

  test('rows of a book before its first snapshot are left out', () => {
    const { messages, counts } = run(['5,1,false,bid,1,10', '6,2,true,bid,1,20'])
    expect(messages).toEqual(['6!: b2x2#2'])
    expect(counts).toContain('before_snapshot 1 1')
  })

  test('findings of consumers are counted, and a crossed book may be refused', () => {
    const cursor = bookCursor(policies({ crossed: 'fail' }))
    fill(cursor, batchesOf(bookText(['5,1,true,bid,1,10'])))
    const message = cursor.next()
    if (message === undefined) throw new Error('a message was added')
    cursor.note(message, 'unknown_removal', 2)
    const noted = cursor.note(message, 'crossed', 1)
    expect(noted.ok ? '' : formatInputError(noted.error)).toContain('feed.csv:2: expected a book')
    expect(countsOf(cursor)).toContain('crossed 1 1')
    expect(countsOf(cursor)).toContain('unknown_removal 2 1')
  })

  test('the checks of a file come in their order, with the policy that decided', () => {
    const rows = bookCursor().qualityRows()
    // A rare check has a record only if it found something.
    const rare = ['disorder', 'empty', 'off_book', 'out_of_life', 'left_out', 'cut']
    expect([...rows.map(({ check }) => check), ...rare]).toEqual(recordOrder)
    expect([...recordOrder].sort()).toEqual([...feedChecks].sort())
    expect(rows.find(({ check }) => check === 'off_grid')).toEqual({
      ...{ feed: 0, kind: 'book', check: 'off_grid', policy: 'fail', count: 0, firstRow: null },
    })
    expect(feedPoliciesSchema.safeParse(defaultPolicies).success).toBe(true)
  })
})

describe('the time window', () => {
  const lines = [
    ...['1,1,true,bid,1,10', '1,1,true,bid,2,10', '1,1,true,ask,4,10', '1,1,true,ask,3,10'],
    ...['2,2,false,bid,1,0', '3,3,false,bid,1.5,20', '5,5,false,ask,3,0', '9,9,false,ask,5,10'],
  ]

  test('a book begins with its levels at the start, from the best', () => {
    const { messages, counts } = run(lines, { from: micros(4), to: micros(8) })
    expect(messages).toEqual(['4!: b4x1#2 b3x2#6 s6x1#4 s8x1#3', '5: s6x0#7'])
    expect(counts).toEqual(['rows 8 1', 'messages 1 7', 'outside_window 7 1'])
  })

  test('a level that an earlier file set has no row in the file of the window', () => {
    const files = [0, 1].map((feed) => ({ feed, name: `${feed}.csv` }))
    const cursor = bookCursor({ files, from: micros(4) })
    for (const [file, part] of [lines.slice(0, 4), lines.slice(4)].entries()) {
      for (const batch of batchesOf(bookText(part))) cursor.addBatch(batch, file)
    }
    cursor.end()
    expect(messagesOf(cursor)[0]).toBe('4!: b4x1#0 b3x2#2 s6x1#0 s8x1#0')
  })

  test('a window after the last row holds the last book', () => {
    const { messages } = run(lines, { from: micros(20) })
    expect(messages).toEqual(['20!: b4x1#2 b3x2#6 s8x1#3 s10x1#8'])
  })

  test('trades before it are dropped, of an index the last value stays, and the last mark', () => {
    const trades = tardisText('tardis.trades', ['1,1,1,buy,1,10', '5,5,2,buy,2,10'])
    const cursor = bookCursor({ kind: 'trades', from: micros(4) })
    fill(cursor, batchesOf(trades, { format: 'tardis.trades' }))
    expect(messagesOf(cursor)).toEqual(['5: b4x1#2'])
    const format = 'tardis.derivative_ticker'
    const ticks = tardisText(format, ['1,1,,,,,,7,6', '2,2,,,,,,8,', '5,5,,,,,,9,'])
    const index = bookCursor({ kind: 'index', from: micros(4) })
    fill(index, batchesOf(ticks, { format }))
    expect(messagesOf(index)).toEqual(['4: b8000000000x6000000000#2', '5: b9000000000x0#3'])
  })

  test('rows after it are not checked', () => {
    const { fault, messages } = run(['1,1,true,bid,1,10', '9,9,false,bid,1.3,1'], { to: micros(8) })
    expect([fault, messages]).toEqual([null, ['1!: b2x1#1']])
  })
})

describe('a position', () => {
  const lines = Array.from({ length: 60 }, (_, row) => {
    return `${row},${row >> 1},${row < 4},${row % 3 === 0 ? 'ask' : 'bid'},${row % 7},${(row % 5) * 10}`
  })
  const options: FeedCursorOptions = {
    kind: 'book',
    files: [0, 1].map((feed) => ({ feed, name: `${feed}` })),
    clock: 'exchange',
    instrument: { id: instrumentId(0), tick9: 500_000_000, amountStep9: 10_000_000_000 },
    ...{ policies: defaultPolicies, from: micros(9), to: micros(50) },
  }

  test('a new cursor that is moved there continues like the other', () => {
    const batches = batchesOf(bookText(lines))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 40 }), fc.boolean(), (given, notes) => {
        const whole = createFeedCursor(options)
        fill(whole, batches, 0)
        fill(whole, batches, 1)
        whole.end()
        for (let message = 0; message < given; message += 1) {
          const next = whole.next()
          if (next !== undefined && notes) whole.note(next, 'crossed', 1)
        }
        const later = createFeedCursor(options)
        later.skipTo(whole.position())
        expect(later.position()).toEqual(whole.position())
        fill(later, batches, 0)
        fill(later, batches, 1)
        later.end()
        expect(later.peekTime()).toBe(whole.peekTime())
        expect(messagesOf(later)).toEqual(messagesOf(whole))
        expect(later.position()).toEqual(whole.position())
        expect(later.qualityRows()).toEqual(whole.qualityRows())
      }),
      { seed: 7, numRuns: 60 },
    )
  })
})

describe('where a book begins', () => {
  const lines = ['5,5,false,bid,1,10', '5,5,false,ask,3,10', '8,8,false,bid,2,20']

  test('F2b a book that never had a snapshot is refused at its first row', () => {
    const cursor = bookCursor()
    expect(fill(cursor, batchesOf(bookText(lines)))).toBe(null)
    const ended = cursor.end()
    expect(ended.ok ? 'taken' : ended.error).toMatchObject({
      line: 2,
      expected: 'a snapshot at which the book begins',
      found: '3 rows and no snapshot',
      hint: expect.stringContaining('mark the rows of a snapshot in the column is_snapshot'),
    })
    // The end of the window asks the same; a window that ends before any row has nothing to miss.
    const cut = bookCursor({ to: micros(6) })
    expect(fill(cut, batchesOf(bookText(lines)))).toContain('2 rows and no snapshot')
    const before = bookCursor({ to: micros(4) })
    expect(fill(before, batchesOf(bookText(lines)))).toBe(null)
  })

  test('F2b begin: empty takes the rows as changes, begin: first_message the first as a snapshot', () => {
    expect(run(lines, { begin: 'empty' }).messages).toEqual(['5: b2x1#1 s6x1#2', '8: b4x2#3'])
    expect(run(lines, { begin: 'first_message' })).toEqual({
      fault: null,
      messages: ['5!: b2x1#1 s6x1#2', '8: b4x2#3'],
      counts: ['rows 3 1', 'messages 2 1', 'snapshots 1 1'],
    })
  })
})
