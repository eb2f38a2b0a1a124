/**
 * Formats of recorded files, and the columns that Tardis publishes for each of its own.
 *
 * Source: docs.tardis.dev, "Downloadable CSV files", data types; headers as in its sample files.
 */
import type { MarketKind } from '../model/index.ts'

/** Formats that are text, by the name that scenarios use; `csv` needs a mapping of its columns. */
export const textFormats = [
  'tardis.trades',
  'tardis.incremental_book_L2',
  'tardis.derivative_ticker',
  'csv',
] as const

/** A format of recorded text. */
export type TextFormat = (typeof textFormats)[number]

/** A format of recorded files; a tape is what `pitclock convert` writes. */
export type FeedFormat = TextFormat | 'tape'

/** All formats, for checks of what a person wrote. */
export const feedFormats: readonly FeedFormat[] = [...textFormats, 'tape']

/** A format whose columns Tardis publishes. */
export type TardisFormat = Exclude<TextFormat, 'csv'>

/** What the rows of each format tell, and its header. */
export const tardisFormats: {
  readonly [F in TardisFormat]: { readonly kind: MarketKind; readonly header: readonly string[] }
} = {
  'tardis.trades': {
    kind: 'trades',
    header: ['exchange', 'symbol', 'timestamp', 'local_timestamp', 'id', 'side', 'price', 'amount'],
  },
  'tardis.incremental_book_L2': {
    kind: 'book',
    header: [
      'exchange',
      'symbol',
      'timestamp',
      'local_timestamp',
      'is_snapshot',
      'side',
      'price',
      'amount',
    ],
  },
  'tardis.derivative_ticker': {
    kind: 'index',
    header: [
      'exchange',
      'symbol',
      'timestamp',
      'local_timestamp',
      'funding_timestamp',
      'funding_rate',
      'predicted_funding_rate',
      'open_interest',
      'last_price',
      'index_price',
      'mark_price',
    ],
  },
}

/** The Tardis format that has this header line, or undefined. */
export function tardisFormatOf(header: string): TardisFormat | undefined {
  const line = header.replace(/^\uFEFF/, '').replace(/\r$/, '')
  return textFormats.find(
    (format): format is TardisFormat =>
      format !== 'csv' && tardisFormats[format].header.join(',') === line,
  )
}
