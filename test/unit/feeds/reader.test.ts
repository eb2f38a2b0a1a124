/**
 * Readers of recorded text: headers, numbers, messages, flags of rows, and refusals with their places.
 */
import { describe, expect, test } from 'vitest'
import { formatInputError } from '../../../src/core/index.ts'
import { type FeedColumns, readFeedColumns, rowFlags } from '../../../src/feeds/index.ts'
import { batchesOf, readText, tardisText } from '../../support/feed-text.ts'
import { plainRows } from '../../support/naive-feed.ts'

const book = 'tardis.incremental_book_L2'
const trades = { format: 'tardis.trades' } as const

function flagsOf(text: string, change: Parameters<typeof batchesOf>[1] = {}): number[] {
  return plainRows(batchesOf(text, change)).map(({ flags }) => flags)
}

describe('headers', () => {
  test('a header of other columns is refused with the expected and the found header', () => {
    expect(readText('exchange,symbol,time\n')).toBe(
      'feed.csv:1: expected the header exchange,symbol,timestamp,local_timestamp,is_snapshot,side,price,amount, found exchange,symbol,time',
    )
  })

  test('an empty file is refused', () => {
    expect(readText('')).toBe(`feed.csv:1: expected the header of ${book}, found an empty file`)
  })

  test('a file of a day without trades is read', () => {
    const read = readText(tardisText('tardis.trades', []), { ...trades, symbol: 'X' })
    expect(read).toEqual({
      batches: [],
      totals: { records: 0, otherSymbols: 0, firstOtherSymbol: null },
    })
  })

  test('a mapped column that is missing is refused with the most similar one', () => {
    const columns = { kind: 'index', timestamp: 'timestamp', price: 'price' } as const
    expect(readText('timestmp,price\n', { format: 'csv', columns })).toBe(
      'feed.csv:1: expected a column timestamp, found timestmp,price (did you mean timestmp?)',
    )
  })

  test('a description of columns that the format has, or does not have, is refused', () => {
    const columns = { kind: 'index', timestamp: 'a', price: 'a' } as const
    expect(() => readText('a\n', { format: 'csv' })).toThrow(
      'createFeedReader: columns: expected a description for format csv, found null',
    )
    expect(() => readText('a\n', { ...trades, columns })).toThrow(
      'createFeedReader: columns: expected null for format tardis.trades, found a description',
    )
  })

  test('a column has one use', () => {
    const columns = { kind: 'index', timestamp: 'a', price: 'a' } as const
    expect(readText('a\n', { format: 'csv', columns })).toContain('a separate column for each use')
  })
})

describe('an index of any csv', () => {
  test('may have marks next to it, in cells that may be empty', () => {
    const columns = { kind: 'index', timestamp: 't', price: 'p', mark: 'm' } as const
    const text = 't,m,p\n5,100.25,100\n6,,101\n7,99,\n8,"1e2",102\n'
    const rows = plainRows(batchesOf(text, { format: 'csv', columns }))
    expect(rows.map(({ price, amount, row }) => [price, amount, row])).toEqual([
      [100_000_000_000n, 100_250_000_000n, 1],
      [101_000_000_000n, 0n, 2],
      [102_000_000_000n, 100_000_000_000n, 4],
    ])
  })
})

describe('cells', () => {
  const row = (price: string): string => tardisText(book, ['5,6,true,bid,1,2', price])

  test.each([
    ['5,7,false,bid,abc,1', '3: price: expected a number, found "abc"'],
    ['5,7,false,bid,1,-1', '3: amount: expected a number that is not negative, found "-1"'],
    ['5,7,false,bid,,1', '3: price: expected a number, found nothing'],
    ['5,7,false,bid,1,1e-10', '3: amount: expected a number of at most 9 decimals, found "1e-10"'],
    ['5,7,false,up,1,1', '3: side: expected bid or ask, found "up"'],
    ['5,7,no,bid,1,1', '3: is_snapshot: expected true or false, found "no"'],
    ['5,x,false,bid,1,1', '3: local_timestamp: expected a time since the epoch in us, found "x"'],
    ['5,7,false,bid,1', '3: expected 8 cells, as in the header, found 7'],
    ['5,7,false,bid,1,1,9', '3: expected 8 cells, as in the header, found 9'],
    [
      '5,7,false,bid,1,9007199254740991.5',
      '3: amount: expected a number of at most 15 digits, found "9007199254740991.5"',
    ],
    [
      '5,7,false,bid,1,999999999999999.9',
      '3: amount: expected a number of at most 15 digits, found "999999999999999.9"',
    ],
  ])('%s is refused with its line and column', (line, message) => {
    expect(readText(row(line))).toBe(`feed.csv:${message}`)
  })

  test('the line of a mistake counts those inside quotes', () => {
    const text = tardisText(book, ['5,6,true,bid,1,2', '5,6,true,bid,x,2'])
    const torn = text.replace('deribit', '"deri\nbit"')
    expect(readText(torn)).toContain('feed.csv:4: price')
  })

  test('decimals grow with the rows, and rows before keep their value', () => {
    const lines = ['5,6,true,bid,100,2', '5,6,true,bid,100.5,2.250', '5,6,true,ask,1e-05,7.']
    const [batch] = batchesOf(tardisText(book, lines))
    expect([batch?.priceDecimals, batch?.amountDecimals]).toEqual([5, 2])
    expect([...(batch?.price ?? [])]).toEqual([10_000_000, 10_050_000, 1])
    expect([...(batch?.amount ?? [])]).toEqual([200, 225, 700])
  })

  test('a row that does not fit the decimals of its batch is refused', () => {
    const lines = ['5,6,true,bid,1,9007199254740991', '5,6,true,bid,1,0.5']
    expect(readText(tardisText(book, lines))).toContain('feed.csv:3: amount: expected at most 15')
    // For a record with a line break it is the first line.
    const text = tardisText(book, lines)
    const torn = `${text.slice(0, text.lastIndexOf('deribit'))}"deri\nbit"${text.slice(text.lastIndexOf('deribit') + 7)}`
    expect(readText(torn)).toContain('feed.csv:3: amount: expected at most 15')
  })
})

describe('symbols', () => {
  const two = `${tardisText(book, ['5,6,true,bid,1,2'])}deribit,ETH,5,6,true,bid,1,2\n`

  test('two of them are refused without a choice', () => {
    expect(readText(two)).toBe(
      'feed.csv:3: symbol: expected rows of BTC-PERPETUAL only, found ETH (set symbol to choose one of several)',
    )
  })

  test('rows of others are skipped and counted', () => {
    const read = readText(two, { symbol: 'ETH' })
    expect(read).toMatchObject({
      batches: [{ rows: 1, row: Float64Array.of(2) }],
      totals: { records: 2, otherSymbols: 1, firstOtherSymbol: 1 },
    })
  })

  test('one that never occurs is refused', () => {
    expect(readText(two, { symbol: 'SOL' })).toBe('feed.csv: expected rows of SOL, found 2 rows of other symbols')
  })
})

describe('messages', () => {
  const { first, snapshot, sell, duplicate, gap, unknownSide } = rowFlags

  test('rows with one local time and snapshot flag are one message', () => {
    const lines = ['5,6,true,bid,1,2', '5,6,true,ask,2,2', '5,6,false,ask,2,3', '5,7,false,ask,2,0']
    expect(flagsOf(tardisText(book, lines))).toEqual([
      ...[snapshot | first, snapshot | sell, sell | first, sell | first],
    ])
  })

  test('a row like the one before it in its message is a duplicate', () => {
    const lines = ['5,6,true,bid,1,2', '5,6,true,bid,1.0,2', '5,6,true,ask,1,2']
    expect(flagsOf(tardisText(book, lines))).toEqual([...[snapshot | first, snapshot | duplicate, snapshot | sell]])
  })

  const byInstrument = (lines: readonly string[]): string =>
    tardisText('tardis.trades', lines).replaceAll('deribit', 'binance')

  test('numbers of trades show gaps and duplicates, other ids show repeated trades', () => {
    const lines = ['5,6,10,buy,1,1', '5,7,11,sell,1,1', '5,8,13,buy,1,1', '5,9,12,unknown,1,1']
    expect(flagsOf(byInstrument(lines), trades)).toEqual([
      ...[first, first | sell, first | gap, first | duplicate | unknownSide],
    ])
    const named = ['5,6,a-1,buy,1,1', '5,7,a-1,buy,1,1', '5,8,a-3,buy,1,1', '5,9,,buy,1,1']
    expect(flagsOf(byInstrument(named), trades)).toEqual([...[first, first | duplicate, first | gap, first]])
  })

  test('d04 an id without a number shows a repeated trade, at any distance', () => {
    const ids = ['0b6f-7a12', '7c1d-00f3', '0b6f-7a12', 'x12', 'y12', 'x12', '9-ab', '7c1d-00f3']
    const lines = ids.map((id, at) => `5,${at},${id},buy,1,1`)
    expect(flagsOf(byInstrument(lines), trades).map((flags) => flags & duplicate)).toEqual([
      ...[0, 0, duplicate, 0, 0, duplicate, 0, duplicate],
    ])
  })

  test('d04 ids that count a currency have no gaps, until they have been dense', () => {
    const idsOf = (ids: readonly number[], word = ''): readonly string[] =>
      ids.map((id, at) => `5,${at},${word}${id},buy,1,1`)
    const gapsOf = (text: string): number => flagsOf(text, trades).filter((flags) => (flags & gap) !== 0).length
    const sparse = idsOf([5, 6, 7, 9, 14, 15, 19])
    expect(gapsOf(tardisText('tardis.trades', sparse))).toBe(0)
    expect(gapsOf(byInstrument(sparse))).toBe(3)
    const dense = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13]
    expect(gapsOf(tardisText('tardis.trades', idsOf(dense, 'ETH-')))).toBe(1)
    expect(gapsOf(tardisText('tardis.trades', idsOf(dense.slice(1), 'ETH-')))).toBe(0)
    const columns: FeedColumns = {
      ...{ kind: 'trades', timestamp: 't', price: 'p', amount: 'a', sequence: 'n' },
    }
    const text = 't,p,a,n\n1,1,1,4\n2,1,1,9\n'
    const gaps = [columns, { ...columns, ids: 'currency' as const }].map((mapping) =>
      flagsOf(text, { format: 'csv', columns: mapping }).map((flags) => flags & gap),
    )
    expect(gaps).toEqual([
      [0, gap],
      [0, 0],
    ])
  })

  test('a ticker without a price of the index is not a row, one without a mark is a row', () => {
    const lines = ['5,6,,,,,1,100.5,1', '5,7,,,,,1,,1', '5,8,,,,,1,101,']
    const text = tardisText('tardis.derivative_ticker', lines)
    const rows = plainRows(batchesOf(text, { format: 'tardis.derivative_ticker' }))
    expect(rows.map(({ price, amount, row }) => [price, amount, row])).toEqual([
      [100_500_000_000n, 1_000_000_000n, 1],
      [101_000_000_000n, 0n, 3],
    ])
  })

  test('batches are cut between messages only', () => {
    const lines = Array.from({ length: 100_000 }, (_, row) => {
      const local = row < 60_000 ? row : row < 90_000 ? 60_000 : 60_001
      return `${row},${local},true,bid,${row},1`
    })
    const batches = batchesOf(tardisText(book, lines))
    expect(batches.map(({ rows }) => rows)).toEqual([90_000, 10_000])
    expect(plainRows(batches).map(({ row }) => row)).toEqual(lines.map((_, row) => row + 1))
  })
})

describe('files without a published format', () => {
  const columns: FeedColumns = {
    kind: 'trades',
    timestamp: { column: 'time', unit: 'iso' },
    price: 'price',
    amount: 'amount',
  }
  const csv = { format: 'csv', columns } as const

  test('ISO times are read to the microsecond, with Z or an offset only', () => {
    const lines = ['2026-01-05T09:00:00.123456Z,100,1', '2026-01-05T10:00:01+01:00,100,1', '2026-01-05T09:00:02Z,100,1']
    const rows = plainRows(batchesOf(['time,price,amount', ...lines, ''].join('\n'), csv))
    expect(rows.map(({ time }) => time)).toEqual([
      ...[1_767_603_600_123_456, 1_767_603_601_000_000, 1_767_603_602_000_000],
    ])
    const read = readText('time,price,amount\n2026-01-05T09:00:00,100,1\n', csv)
    expect(read).toContain('feed.csv:2: time: expected')
  })

  test('a file without a header has its columns by number, and its rows from line 1', () => {
    const bare = { ...columns, header: false, timestamp: '2', price: '1', amount: '3' }
    const options = { format: 'csv', columns: bare } as const
    const rows = plainRows(batchesOf('100,5,1\n101,6,2\n', options))
    expect(rows.map(({ time, row }) => [time, row])).toEqual([
      [5, 1],
      [6, 2],
    ])
    expect(readText('100,5,1\nx,6,2\n', options)).toContain('feed.csv:2: 1: expected a number')
    expect(readText('x,5,1\n', options)).toContain('feed.csv:1: 1: expected a number')
    expect(readText('5,6\n', options)).toContain('feed.csv:1: expected a column 3')
  })

  test.each([
    ['us', '1723161257823', 'milliseconds'],
    ['us', '1723161257', 'seconds'],
    ['ms', '1723161257823000', 'microseconds'],
    ['ns', '1723161257823000', 'microseconds'],
    ['s', '1723161257823', 'milliseconds'],
    ['us', '1723161257823000000', 'nanoseconds'],
  ] as const)('P07 a column of %s with %s looks like %s', (unit, time, meant) => {
    const mapping = { ...columns, timestamp: { column: 'time', unit } }
    const read = readText(`time,price,amount\n${time},100,1\n`, { format: 'csv', columns: mapping })
    expect(read).toContain('feed.csv:2: time: expected a time since the epoch in')
    expect(read).toContain(`looks like ${meant}`)
  })
})

describe('the error of a cell names a description of the columns that can read it', () => {
  const book = { kind: 'book', timestamp: 't', price: 'p', amount: 'a', is_snapshot: 'w' } as const
  const hintOf = (columns: FeedColumns, row: string): string =>
    /\((.*)\)$/.exec(String(readText(`t,s,p,a,w\n${row}\n`, { format: 'csv', columns })))?.[1] ?? ''

  test.each([
    ['buy', 'buy: buy, sell: sell'],
    ['Sell', 'buy: Buy, sell: Sell'],
    ['B', 'buy: B, sell: S'],
    ['a', 'buy: b, sell: a'],
    ['ASKS', 'buy: BIDS, sell: ASKS'],
    ['2', 'buy: WORD, sell: WORD'],
  ])('the side %s', (word, words) => {
    const hint = `in columns, side: { column: s, ${words} } names the words of the file`
    expect(hintOf({ ...book, side: 's' }, `1,${word},1,1,true`)).toBe(hint)
  })

  test('a word in the description needs no hint', () => {
    const side = { column: 's', buy: 'B', sell: 'S' }
    expect(hintOf({ ...book, side }, '1,B,1,1,true')).toBe('')
  })

  test.each([
    ['ms', '2026-01-05 09:00:00', 'unit: iso } reads times such as 2026-01-05T09:00:00Z'],
    ['us', '2026-01-05T09:00:00.5Z', 'unit: iso } reads times such as 2026-01-05T09:00:00Z'],
    ['iso', '1767603600000', 'unit: ms } reads milliseconds; also s, us and ns'],
    ['ms', 'soon', ''],
    ['iso', 'soon', ''],
  ] as const)('unit %s and the time %s', (unit, time, words) => {
    const timestamp = { column: 't', unit }
    const hint = hintOf({ ...book, timestamp, side: 's' }, `${time},bid,1,1,true`)
    expect(hint).toBe(words === '' ? '' : `in columns, timestamp: { column: t, ${words}`)
  })

  test('a published format has no description to change', () => {
    const text = tardisText('tardis.incremental_book_L2', ['1,2,true,B,1,1'])
    expect(readText(text)).toBe('feed.csv:2: side: expected bid or ask, found "B"')
  })
})

test('a mapping with mistakes reports all of them, with suggestions', () => {
  const read = readFeedColumns({
    kind: 'trade',
    timestmp: 'a',
    timestamp: { column: 'a', unit: 'h' },
    side: { column: 'b' },
    is_snapshot: { column: 'c' },
  })
  const lines = read.ok ? [] : read.error.map(formatInputError)
  expect(lines).toEqual([
    'kind: expected one of trades, book, index, found "trade"',
    'timestamp: expected the name of a column, or a mapping of column and unit (s, ms, us, ns or iso), found {"column":"a","unit":"h"}',
    'side: expected the name of a column, or a mapping of column, buy and sell, found {"column":"b"}',
    'price: expected the name of a column, found nothing',
    'is_snapshot: expected the name of a column, or a mapping of column and word, found {"column":"c"}',
    expect.stringContaining('found timestmp (did you mean timestamp?)'),
  ])
})
