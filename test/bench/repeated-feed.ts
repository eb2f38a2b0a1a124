/**
 * A long feed for benchmarks: a recorded session, repeated with shifted times, as tapes or as text. The session is the
 * real book next to the repository, or the one in `data` without that file.
 */

import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import type { FeedBatch } from '../../src/feeds/index.ts'
import { createTape } from '../../src/host/feeds/tape-file.ts'
import { openFeedFile } from '../../src/host/index.ts'

const real = fileURLToPath(new URL('../../../../shared/data/binance-coinm/btcusd-perp-2024-08-08/', import.meta.url))
const own = fileURLToPath(new URL('../../../data/recorded-market/', import.meta.url))
const isReal = existsSync(real)

/** The repeated session: its files, the symbol in them, tick and first time. */
export const session = {
  name: isReal ? 'real session' : 'own session',
  book: `${isReal ? real : own}incremental_book_L2.csv.gz`,
  trades: `${isReal ? real : own}trades.csv.gz`,
  symbol: isReal ? 'BTCUSD_PERP' : 'BTC-PERPETUAL',
  tick: isReal ? 0.1 : 0.5,
  start: isReal ? '2024-08-08T23:54:16Z' : '2026-01-05T09:00:00Z',
} as const

const anyFile = { format: null, symbol: null, columns: null, sha256: null }

/** Microseconds from one session to the next: longer than either. */
const PERIOD = 40_000_000_000

/** Writes a tape of a file of the session, `times` over; returns its rows. */
export async function writeTape(input: string, output: string, times: number): Promise<number> {
  const batches: FeedBatch[] = []
  const opened = await openFeedFile(input, anyFile)
  if (!opened.ok) throw new Error(JSON.stringify(opened.error))
  const file = opened.value
  for (;;) {
    const next = await file.next()
    if (!next.ok) throw new Error(JSON.stringify(next.error))
    if (next.value === null) break
    batches.push(next.value)
  }
  await file.close()
  const tape = await createTape(output, file)
  let rows = 0
  for (let round = 0; round < times; round += 1) {
    for (const batch of batches) {
      tape.add(shifted(batch, { by: round * PERIOD, rows }))
    }
    rows += batches.reduce((sum, batch) => sum + batch.rows, 0)
  }
  tape.close(file.symbol, { ...file.totals, records: rows })
  return rows
}

/** Writes the text of a file of the session, `times` over; returns its rows. */
export async function writeText(input: string, output: string, times: number): Promise<number> {
  const [header = '', ...lines] = gunzipSync(readFileSync(input)).toString('latin1').trimEnd().split('\n')
  const out = createWriteStream(output)
  out.write(`${header}\n`)
  const cells = lines.map((line) => line.split(','))
  for (let round = 0; round < times; round += 1) {
    const text = cells.map(([exchange, symbol, time, local, ...rest]) =>
      [exchange, symbol, Number(time) + round * PERIOD, Number(local) + round * PERIOD, ...rest].join(),
    )
    if (!out.write(`${text.join('\n')}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return lines.length * times
}

function shifted(batch: FeedBatch, { by, rows }: { readonly by: number; readonly rows: number }): FeedBatch {
  const plus = (column: Float64Array, added: number): Float64Array =>
    column.subarray(0, batch.rows).map((value) => value + added)
  return {
    ...batch,
    time: plus(batch.time, by),
    localTime: plus(batch.localTime, by),
    row: plus(batch.row, rows),
  }
}
