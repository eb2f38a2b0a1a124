/** Recorded text for tests: short to write, and parsed by the real reader. */
import { formatInputError, instrumentId, type Result } from '../../src/core/index.ts'
import {
  createFeedCursor,
  createFeedReader,
  defaultPolicies,
  type FeedBatch,
  type FeedCursor,
  type FeedCursorOptions,
  type FeedReaderOptions,
  type FeedTotals,
  headerOf,
  type PublishedFormat,
} from '../../src/feeds/index.ts'
import { loadRecordParser } from '../../src/host/index.ts'
import type { MarketMessage } from '../../src/model/index.ts'

const parseCsvRecord = await loadRecordParser()

/** A file of Tardis; each line omits the exchange and the symbol. */
export function tardisText(format: PublishedFormat, lines: readonly string[], symbol = 'BTC-PERPETUAL'): string {
  const body = lines.map((line) => `deribit,${symbol},${line}\n`)
  return `${headerOf(format).join(',')}\n${body.join('')}`
}

/** Options for reading a text; by default an order book for every symbol. */
export function readerOptions(change: Partial<FeedReaderOptions> = {}): FeedReaderOptions {
  return {
    ...{ format: 'tardis.incremental_book_L2', file: 'feed.csv', symbol: null, columns: null },
    ...{ parseRecord: parseCsvRecord, ...change },
  }
}

/** The batches of a text, or the printed error. */
export function readText(
  text: string,
  change: Partial<FeedReaderOptions> = {},
): { readonly batches: readonly FeedBatch[]; readonly totals: FeedTotals } | string {
  const reader = createFeedReader(readerOptions(change))
  const first = reader.push(new TextEncoder().encode(text))
  if (!first.ok) return formatInputError(first.error)
  const last = reader.end()
  if (!last.ok) return formatInputError(last.error)
  return { batches: [...first.value, ...last.value], totals: reader.totals }
}

/** The batches of a valid text. */
export function batchesOf(text: string, change: Partial<FeedReaderOptions> = {}): readonly FeedBatch[] {
  const read = readText(text, change)
  if (typeof read === 'string') throw new Error(read)
  return read.batches
}

/** A cursor over a book with ticks of 0.5 and lots of 10. */
export function bookCursor(change: Partial<FeedCursorOptions> = {}): FeedCursor {
  return createFeedCursor({
    ...{ kind: 'book', files: [{ feed: 0, name: 'feed.csv' }], clock: 'exchange' },
    instrument: { id: instrumentId(3), tick9: 500_000_000, amountStep9: 10_000_000_000 },
    ...{ policies: defaultPolicies, from: null, to: null, ...change },
  })
}

/** Adds all batches and ends the cursor. Returns the printed error, or null. */
export function fill(cursor: FeedCursor, batches: readonly FeedBatch[], file = 0): string | null {
  for (const batch of batches) {
    const added: Result<void, Parameters<typeof formatInputError>[0]> = cursor.addBatch(batch, file)
    if (!added.ok) return formatInputError(added.error)
  }
  return null
}

/** The remaining messages, as `time: side price amount row` texts; `!` marks a snapshot. */
export function messagesOf(cursor: FeedCursor): string[] {
  const messages: string[] = []
  for (let next = cursor.next(); next !== undefined; next = cursor.next()) {
    messages.push(textOf(next))
  }
  return messages
}

/** A message as one line. */
export function textOf({ time, snapshot, rows, from, to }: MarketMessage): string {
  const shown = Array.from({ length: to - from }, (_, index) => {
    const at = from + index
    const side = ['b', 's', '?'][rows.side[at] ?? 2] ?? ''
    return `${side}${rows.price[at]}x${rows.amount[at]}#${rows.row[at]}`
  })
  return `${time}${snapshot ? '!' : ''}: ${shown.join(' ')}`
}

/** The counts of a cursor that are not zero, as `check count first` texts. */
export function countsOf(cursor: FeedCursor): string[] {
  return cursor
    .qualityRows()
    .filter(({ count }) => count > 0)
    .map(({ check, count, firstRow }) => `${check} ${count} ${firstRow}`)
}
