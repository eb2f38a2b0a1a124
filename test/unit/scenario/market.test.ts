/**
 * Feeds, strategies and indices of scenario files: every mistake with its place, and the sound forms.
 */
import { describe, expect, test } from 'vitest'
import { formatIsoTime, micros } from '../../../src/core/index.ts'
import { defaultPolicies } from '../../../src/feeds/index.ts'
import type { Scenario } from '../../../src/scenario/index.ts'
import { mistakesOf, sound } from './documents.ts'

/** Five lines; additions of a test begin at line 6. */
const head = `version: 1
title: A backtest
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL]
accounts: { ann: { deposit: { BTC: 10 } }, ben: {} }
`
const mid = 'index: { from: mid }\n'

/** A feed as the first item of a list, at column 5. */
function feed(rest = '', format = 'tardis.incremental_book_L2'): string {
  return `  - { format: ${format}, path: a.csv, instrument: BTC-PERPETUAL${rest} }\n`
}

const book = `feeds:\n${feed()}`
const ticker = feed('', 'tardis.derivative_ticker')
const hash = 'a1'.repeat(32)
const otherHash = 'b2'.repeat(32)

const noIndex =
  '4:15: instruments.0: expected a price under index for btc_usd, the index of BTC-PERPETUAL, or an index feed, or from: mid if its book is recorded, found none'

type Case = readonly [title: string, rest: string, mistakes: readonly string[]]

function check(_title: string, rest: string, mistakes: readonly string[]): void {
  expect(mistakesOf(head + rest)).toEqual(mistakes.map((mistake) => `test.yaml:${mistake}`))
}

describe('mistakes of feeds', () => {
  test.each<Case>([
    [
      'an instrument that the file does not list',
      `${mid}${book}  - { format: tardis.trades, path: b.csv, instrument: BTC-PERPETUL }\n`,
      [
        '9:5: feeds.1: expected a book feed of BTC-PERPETUL in addition to its trades, found trades only',
        '9:55: feeds.1.instrument: expected an instrument of this file, found "BTC-PERPETUL" (did you mean BTC-PERPETUAL?)',
      ],
    ],
    [
      'a format that nobody publishes',
      `${mid}${book}${feed('', 'tardis.trade')}`,
      [
        '9:15: feeds.1.format: expected one of tardis.trades, tardis.incremental_book_L2, tardis.derivative_ticker, csv, found "tardis.trade" (did you mean tardis.trades?)',
      ],
    ],
    [
      'csv without its columns',
      `${mid}${book}${feed('', 'csv')}`,
      ['9:5: feeds.1.columns: expected columns, because format csv requires them, found nothing'],
    ],
    [
      'columns of a format that has its own',
      `${mid}feeds:\n${feed(', columns: { kind: book, timestamp: t, side: s, price: p, amount: a, is_snapshot: i }')}`,
      ['8:83: feeds.0.columns: expected columns only with format csv, found columns'],
    ],
    [
      'columns that rows of a kind cannot do without',
      `${mid}feeds:\n${feed(', columns: { kind: book, timestamp: t, price: p, previous_sequence: q }', 'csv')}`,
      ['side', 'amount', 'is_snapshot', 'sequence'].map(
        (column) => `8:69: feeds.0.columns.${column}: expected a column, because kind book requires it, found nothing`,
      ),
    ],
    [
      'a kind and a unit that there are not',
      `index: { btc_usd: 1 }\nfeeds:\n${feed(', columns: { kind: bok, timestamp: { column: t, unit: min }, price: p }', 'csv')}`,
      [
        '8:77: feeds.0.columns.kind: expected one of trades, book, index, found "bok" (did you mean book?)',
        '8:112: feeds.0.columns.timestamp.unit: expected one of s, ms, us, ns, iso, found "min"',
      ],
    ],
    [
      'a queue model of an index',
      `${mid}${book}${feed(', queue: risk_averse', 'tardis.derivative_ticker')}`,
      ['9:81: feeds.1.queue: expected a queue model only with books and trades, found queue'],
    ],
    [
      'a choice of marks of a book, and one that there is not',
      `${mid}feeds:\n${feed(', mark: recorded')}${feed(', mark: mid', 'tardis.derivative_ticker')}`,
      [
        '8:83: feeds.0.mark: expected `mark` only on an index feed, found recorded',
        '9:87: feeds.1.mark: expected one of recorded, computed, found "mid"',
      ],
    ],
    [
      'a column of marks beside a book',
      `index: { btc_usd: 1 }\nfeeds:\n${feed(', columns: { kind: trades, timestamp: t, price: p, amount: a, mark: m }', 'csv')}`,
      [
        '8:5: feeds.0: expected a book feed of BTC-PERPETUAL in addition to its trades, found trades only',
        '8:126: feeds.0.columns.mark: expected this column only with kind index, found "m"',
      ],
    ],
    [
      'a queue model, a clock and policies that there are not',
      `${mid}feeds:\n${feed(', queue: fifo, clock: remote, policy: { gap: stop, gaps: keep }')}`,
      [
        '8:90: feeds.0.queue: expected risk_averse, found "fifo"',
        '8:103: feeds.0.clock: expected one of exchange, local, found "remote"',
        '8:126: feeds.0.policy.gap: expected one of fail, skip, keep, found "stop" (did you mean skip?)',
        '8:132: feeds.0.policy.gaps: expected one of backward, disorder, duplicate, gap, crossed, off_grid, off_book, out_of_life, empty, cut, found gaps (did you mean gap?)',
      ],
    ],
    [
      'no file, and a list without one',
      `${mid}feeds:\n  - { format: tardis.incremental_book_L2, instrument: BTC-PERPETUAL }\n  - { format: tardis.trades, path: [], instrument: BTC-PERPETUAL }\n`,
      [
        '8:5: feeds.0.path: expected a text or a list such as ../../data/recorded-market/incremental_book_L2.csv.gz, found nothing',
        '9:36: feeds.1.path: expected a list with at least one entry, found an empty list',
      ],
    ],
    [
      'more hashes than files',
      `${mid}feeds:\n${feed(`, sha256: [${hash}, ${otherHash}]`)}`,
      ['8:91: feeds.0.sha256: expected one hash for each file (1), found 2'],
    ],
    [
      'fewer hashes than files',
      `${mid}feeds:\n  - { format: tardis.incremental_book_L2, path: [a.csv, b.csv], instrument: BTC-PERPETUAL, sha256: ${hash} }\n`,
      ['8:100: feeds.0.sha256: expected one hash for each file (2), found 1'],
    ],
    [
      'a hash that is none',
      `${mid}feeds:\n${feed(', sha256: A1')}`,
      ['8:91: feeds.0.sha256: expected a SHA-256 in lowercase hexadecimal, found "A1"'],
    ],
    [
      'trades without the book they were made in',
      `index: { btc_usd: 1 }\nfeeds:\n${feed('', 'tardis.trades')}`,
      ['8:5: feeds.0: expected a book feed of BTC-PERPETUAL in addition to its trades, found trades only'],
    ],
    [
      'two feeds of one book',
      `${mid}${book}${feed()}`,
      ['9:5: feeds.1: expected one book feed for each instrument, with all files under path, found a second feed'],
    ],
    [
      'a window that begins before the run, and a time that is none',
      `${mid}feeds:\n${feed(', from: 2026-01-05T08:59:59Z, to: soon')}`,
      [
        '8:89: feeds.0.from: expected a time at or after the start, 2026-01-05T09:00:00Z, found "2026-01-05T08:59:59Z"',
        '8:115: feeds.0.to: expected a duration such as 250us, 5ms, 1.5s, 2m, 3h or 1d, or a time such as 2026-01-05T08:00:00Z, found "soon"',
      ],
    ],
    [
      'a window that ends before it begins',
      `${mid}feeds:\n${feed(', from: 5s, to: 4s')}`,
      ['8:97: feeds.0.to: expected a time not before the beginning of the feed, found "4s"'],
    ],
  ])('%s', check)
})

describe('mistakes of strategies', () => {
  test.each<Case>([
    [
      'an account that the file does not have',
      `${mid}${book}strategies:\n  - { account: anne, module: ./a.ts }\n`,
      ['10:16: strategies.0.account: expected an account of this file, found "anne" (did you mean ann?)'],
    ],
    [
      'two on one account',
      `${mid}${book}strategies:\n  - { account: ann, module: ./a.ts }\n  - { account: ann, module: ./b.ts }\n`,
      ['11:16: strategies.1.account: expected an account that no other strategy uses, found "ann"'],
    ],
    [
      'latencies',
      `${mid}${book}strategies:\n  - { account: ann, module: ./a.ts, latency: { feed: 2, entry: fast, exit: 1ms } }\n`,
      [
        '10:54: strategies.0.latency.feed: expected a text such as 2ms, found 2',
        '10:64: strategies.0.latency.entry: expected a duration such as 250us, 5ms, 1.5s, 2m, 3h or 1d, found "fast"',
        '10:70: strategies.0.latency.exit: expected one of feed, entry, response, found exit',
      ],
    ],
    [
      'neither account nor module',
      `${mid}${book}strategies:\n  - { module: "" }\n`,
      [
        '10:5: strategies.0.account: expected a text such as maker, found nothing',
        '10:15: strategies.0.module: expected a text that is not empty, found ""',
      ],
    ],
  ])('%s', check)
})

describe('mistakes of indices', () => {
  test.each<Case>([
    ['a feed alone', book, [noIndex]],
    [
      'a mid without a book',
      mid,
      [noIndex, '6:10: index.from: expected a book feed, whose mid price an index can follow, found from'],
    ],
    [
      'the mid of an index whose book is not recorded',
      `index: { eth_usd: { from: mid } }\n${book}`,
      [
        `${noIndex} (did you mean eth_usd?)`,
        '6:10: index.eth_usd: expected a book feed of an instrument with the index eth_usd, found none',
      ],
    ],
    [
      'a mid in one word without a book',
      'index: { btc_usd: mid }\n',
      ['6:10: index.btc_usd: expected a book feed of an instrument with the index btc_usd, found none'],
    ],
    [
      'a price beside a feed of the index',
      `index: { btc_usd: 60000 }\n${book}${ticker}`,
      ['6:10: index.btc_usd: expected one source for each index; a feed already provides this one, found btc_usd'],
    ],
    [
      'a mid beside a feed of the index',
      `index: { btc_usd: mid }\n${book}${ticker}`,
      ['6:10: index.btc_usd: expected one source for each index; a feed already provides this one, found btc_usd'],
    ],
    [
      'a name that is no index, and a price that none can have',
      `index: { BTC: 1, btc_usd: 10000000 }\n${book}`,
      [
        '6:10: index.BTC: expected an index such as btc_usd, found BTC',
        '6:27: index.btc_usd: expected a price up to 9007199, found 10000000',
      ],
    ],
  ])('%s', check)
})

/** The requests that set indices. */
function indexSetup({ setup }: Scenario): readonly unknown[] {
  return setup.filter(({ method }) => method === 'sim/set_index').map(({ params }) => params)
}

const followed = { index_name: 'btc_usd', from: 'mid', instrument_name: 'BTC-PERPETUAL' }

describe('sound feeds and strategies', () => {
  test('one file needs no more than its format, path and instrument', () => {
    const { feeds, start, setup } = sound(head + mid + book)
    expect(feeds).toEqual([
      {
        ...{
          format: 'tardis.incremental_book_L2',
          kind: 'book',
          begin: 'snapshot',
          paths: ['a.csv'],
          pinned: null,
        },
        ...{ instrument: 'BTC-PERPETUAL', symbol: null, columns: null, clock: 'exchange' },
        checksSymbol: true,
        ...{ policies: defaultPolicies, mark: null, from: start, to: null },
        units: { id: 0, tick9: 500_000_000, tickSteps: [], amountStep9: 10_000_000_000 },
      },
    ])
    expect(setup[0]?.params).toEqual({ instrument_name: 'BTC-PERPETUAL', queue: 'risk_averse' })
  })

  test('several files with their hashes, a window, a clock, a symbol and policies', () => {
    const { feeds, start } = sound(`${head}${mid}feeds:
  - format: tardis.incremental_book_L2
    path: [a.csv, b.csv.gz]
    sha256: [${hash}, ${otherHash}]
    instrument: BTC-PERPETUAL
    symbol: BTCUSD_PERP
    clock: local
    policy: { gap: fail, crossed: skip }
    from: 5s
    to: 2026-01-05T10:30:00+01:00
`)
    expect(feeds[0]).toMatchObject({
      ...{ paths: ['a.csv', 'b.csv.gz'], pinned: [hash, otherHash], symbol: 'BTCUSD_PERP' },
      ...{ clock: 'local', from: start + 5_000_000 },
      policies: { ...defaultPolicies, gap: 'fail', crossed: 'skip' },
    })
    expect(formatIsoTime(micros(feeds[0]?.to ?? 0))).toBe('2026-01-05T09:30:00Z')
  })

  test('a mapping of columns gives the kind of the rows', () => {
    const columns = 'columns: { kind: trades, timestamp: t, price: p, amount: a }'
    const { feeds } = sound(head + mid + book + feed(`, ${columns}`, 'csv'))
    expect(feeds.map(({ kind }) => kind)).toEqual(['book', 'trades'])
    expect(feeds[1]?.columns).toEqual({ kind: 'trades', timestamp: 't', price: 'p', amount: 'a' })
  })

  test('a strategy with parameters and latencies, and one with neither', () => {
    const { strategies } = sound(`${head}${mid}${book}strategies:
  - account: ann
    module: ./maker.ts
    params: { sizes: [10, 0.1], deep: { price: 0.12345678901234567890 }, on: true, off: null }
    latency: { feed: 2ms, response: 250us }
  - { account: ben, module: taker }
`)
    expect(strategies).toEqual([
      {
        ...{ account: 'ann', module: './maker.ts', path: 'strategies.0' },
        params: { sizes: [10, 0.1], deep: { price: 0.12345678901234568 }, on: true, off: null },
        latency: { feed: 2000, entry: 0, response: 250 },
        strict: true,
        place: { line: 10, column: 5 },
      },
      {
        ...{ account: 'ben', module: 'taker', path: 'strategies.1', params: undefined },
        ...{ latency: { feed: 0, entry: 0, response: 0 }, place: { line: 14, column: 5 } },
        strict: true,
      },
    ])
  })
})

describe('sound indices', () => {
  test.each([
    ['the mid for all', 'index: { from: mid }', [followed]],
    ['the mid for one', 'index: { btc_usd: { from: mid } }', [followed]],
    ['the mid in one word', 'index: { btc_usd: mid }', [followed]],
    ['a price', 'index: { btc_usd: 60000.5 }', [{ index_name: 'btc_usd', price: 60000.5 }]],
    [
      'a price for one beside the mid for the others',
      'index: { btc_usd: 60000, from: mid }',
      [{ index_name: 'btc_usd', price: 60000 }],
    ],
    ['the same in the other order', 'index: { from: mid, btc_usd: 60000 }', [{ index_name: 'btc_usd', price: 60000 }]],
  ])('%s', (_title, index, expected) => {
    expect(indexSetup(sound(`${head}${index}\n${book}`))).toEqual(expected)
  })

  test('a recorded ticker is the index, and needs nothing under index', () => {
    const { feeds, ...scenario } = sound(head + book + ticker)
    expect(indexSetup({ feeds, ...scenario })).toEqual([])
    expect(feeds.map(({ kind }) => kind)).toEqual(['book', 'index'])
    // The mid for all others leaves it alone.
    expect(indexSetup(sound(head + mid + book + ticker))).toEqual([])
  })

  test('two books of one index: the first one listed is followed', () => {
    const two = head.replace('[BTC-PERPETUAL]', '[BTC-PERPETUAL, BTC-27MAR26]')
    const feeds = `feeds:\n${feed().replace('BTC-PERPETUAL', 'BTC-27MAR26')}${feed()}`
    expect(indexSetup(sound(two + mid + feeds))).toEqual([followed])
  })
})
