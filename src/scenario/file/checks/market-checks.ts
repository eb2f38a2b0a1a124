/**
 * Checks feeds, strategies and indices of a file together: existing instruments and accounts, a book feed for every
 * feed of trades, one strategy per account.
 */
import { nearest, type Plain, parseDuration } from '../../../core/index.ts'
import { describedFormat, kindOfText, needsColumns, textFormats } from '../../../feeds/index.ts'
import { FEED_FILES_MAX, type MarketKind } from '../../../model/index.ts'
import type { ParamValue } from '../../../rpc/index.ts'
import {
  entriesOf,
  type Findings,
  itemsOf,
  type Located,
  meant,
  nodeAt,
  type Path,
  report,
  reportKey,
  textAt,
} from '../located.ts'
import { type Known, unknownAccount } from './step-checks.ts'

/** The source of an index value. */
interface IndexSource {
  /** Null for the index of every instrument with a recorded book. */
  readonly name: string | null
  /** Null for an index that follows the mid price of a recorded book. */
  readonly price: ParamValue | null
  readonly path: Path
}

/** The kind of market data in a feed; undefined if the file states it incorrectly. */
export function kindOfFeed(
  format: string | undefined,
  columns: { readonly kind?: unknown } | undefined,
): MarketKind | undefined {
  const known = textFormats.find((name) => name === format)
  return known === undefined ? undefined : kindOfText(known, columns ?? null)
}

/** The entries of `index`. */
export function indexSources(root: Located): readonly IndexSource[] {
  return [...entriesOf(nodeAt(root, ['index']))].map(([key, { node }]) => {
    const path: Path = ['index', key]
    const follows = node.value === 'mid' || textAt(node, 'from') === 'mid'
    if (key === 'from') return { name: null, price: null, path }
    return { name: key, price: follows ? null : node.value, path }
  })
}

/** The indices that recorded feeds set, and the indices that a recorded book could set. */
export function fedIndices(
  root: Located,
  indexOf: (instrument: string) => string | undefined,
): { readonly index: ReadonlySet<string>; readonly book: ReadonlySet<string> } {
  const found = { index: new Set<string>(), book: new Set<string>() }
  for (const feed of itemsOf(nodeAt(root, ['feeds']))) {
    const kind = kindOf(feed)
    const index = indexOf(textAt(feed, 'instrument') ?? '')
    if (index !== undefined && (kind === 'index' || kind === 'book')) found[kind].add(index)
  }
  return found
}

/** Checks feeds and strategies. */
export function checkMarket(findings: Findings, known: Known): void {
  const feeds = itemsOf(nodeAt(findings.root, ['feeds']))
  const seen = new Set<string>()
  feeds.forEach((feed, index) => {
    const path: Path = ['feeds', index]
    checkFeed(findings, feed, path, known)
    const kind = kindOf(feed)
    const what = `${kind}/${textAt(feed, 'instrument')}`
    if (kind !== undefined && seen.has(what)) {
      const expected = `one ${kind} feed for each instrument, with all files under path`
      report(findings, path, { expected, found: 'a second feed' })
    }
    seen.add(what)
  })
  const files = feeds.reduce((sum, feed) => sum + countOf(nodeAt(feed, ['path'])), 0)
  if (files > FEED_FILES_MAX) {
    const expected = `at most ${FEED_FILES_MAX} files in all feeds together`
    report(findings, ['feeds'], { expected, found: String(files) })
  }
  const accounts = new Set<string>()
  itemsOf(nodeAt(findings.root, ['strategies'])).forEach((strategy, index) => {
    const path: Path = ['strategies', index]
    checkStrategy(findings, strategy, path, known)
    const account = textAt(strategy, 'account')
    if (account !== undefined && accounts.has(account)) {
      const expected = 'an account that no other strategy uses'
      report(findings, [...path, 'account'], { expected })
    }
    if (account !== undefined) accounts.add(account)
  })
}

/** Parameters of a strategy: long decimals become doubles, other values stay as written. */
export function plainParams(value: ParamValue | undefined): Plain | undefined {
  if (value === undefined || value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((each: ParamValue) => plainParams(each) ?? null)
  if ('decimal' in value && Object.keys(value).length === 1) return Number(value.decimal)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plainParams(each) ?? null]))
}

function kindOf(feed: Located): MarketKind | undefined {
  const columns = { kind: textAt(nodeAt(feed, ['columns']), 'kind') }
  return kindOfFeed(textAt(feed, 'format'), columns)
}

function checkFeed(findings: Findings, feed: Located, path: Path, known: Known): void {
  const instrument = textAt(feed, 'instrument')
  if (instrument !== undefined && !known.instruments.has(instrument)) {
    const mistake = { expected: 'an instrument of this file' }
    const hint = meant(nearest(instrument, known.instruments))
    report(findings, [...path, 'instrument'], { ...mistake, ...hint })
  }
  const entries = entriesOf(feed)
  const format = textFormats.find((name) => name === textAt(feed, 'format'))
  const isDescribed = format !== undefined && needsColumns(format)
  if (isDescribed && !entries.has('columns')) {
    const expected = `columns, because format ${format} requires them`
    report(findings, [...path, 'columns'], { expected })
  } else if (format !== undefined && !isDescribed && entries.has('columns')) {
    const expected = `columns only with format ${describedFormat}`
    reportKey(findings, [...path, 'columns'], { expected })
  }
  if (kindOf(feed) === 'index' && entries.has('queue')) {
    reportKey(findings, [...path, 'queue'], {
      expected: 'a queue model only with books and trades',
    })
  }
  if (kindOf(feed) !== 'book' && kindOf(feed) !== undefined && entries.has('begin')) {
    const expected = '`begin` only on a book feed'
    reportKey(findings, [...path, 'begin'], { expected, found: textAt(feed, 'begin') ?? 'begin' })
  }
  if (kindOf(feed) !== 'index' && kindOf(feed) !== undefined && entries.has('mark')) {
    const expected = '`mark` only on an index feed'
    reportKey(findings, [...path, 'mark'], { expected, found: textAt(feed, 'mark') ?? 'mark' })
  }
  const paths = countOf(nodeAt(feed, ['path']))
  const hashes = nodeAt(feed, ['sha256'])
  if (hashes !== undefined && countOf(hashes) !== paths) {
    const expected = `one hash for each file (${paths})`
    report(findings, [...path, 'sha256'], { expected, found: String(countOf(hashes)) })
  }
  if (kindOf(feed) === 'trades') checkBookUnder(findings, path, instrument)
}

/**
 * Checks that a feed of trades comes with a book. Without the book the queue ahead of an order is unknown, and the
 * order would fill too easily.
 */
function checkBookUnder(findings: Findings, path: Path, instrument: string | undefined): void {
  const hasBook = itemsOf(nodeAt(findings.root, ['feeds'])).some(
    (feed) => kindOf(feed) === 'book' && textAt(feed, 'instrument') === instrument,
  )
  if (hasBook) return
  const expected = `a book feed of ${instrument ?? 'the instrument'} in addition to its trades`
  report(findings, path, { expected, found: 'trades only' })
}

function checkStrategy(findings: Findings, strategy: Located, path: Path, known: Known): void {
  const account = textAt(strategy, 'account')
  if (account !== undefined && !known.accounts.has(account)) {
    report(findings, [...path, 'account'], unknownAccount(account, known))
  }
  for (const key of entriesOf(nodeAt(strategy, ['latency'])).keys()) {
    const text = textAt(nodeAt(strategy, ['latency']), key)
    const parsed = text === undefined ? undefined : parseDuration(text)
    if (parsed !== undefined && !parsed.ok) {
      report(findings, [...path, 'latency', key], { expected: parsed.error.expected })
    }
  }
}

function countOf(node: Located | undefined): number {
  return node?.kind === 'list' ? node.items.length : 1
}
