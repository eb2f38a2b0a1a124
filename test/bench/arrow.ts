/**
 * The cost of results: Arrow files per row, and the sink per command.
 *
 * The file is a log of mark prices with 10 columns (three Int64, two Float64, two dictionaries, one Int32, two texts),
 * written through the table writer to a temporary folder. Its memory is sampled after every million rows; the
 * difference between the first and the last sample shows whether it depends on the length. A command of the sink's mix
 * changes two orders and makes 0.3 trades.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { instrumentId, micros, price9, sequence } from '../../src/core/index.ts'
import { createAppendFile } from '../../src/host/append-file.ts'
import { nodeSha256 } from '../../src/host/index.ts'
import type { Event } from '../../src/model/index.ts'
import { BLOCK_ROWS } from '../../src/results/columns.ts'
import {
  type BlockConsumer,
  createResultsSink,
  loadArrowEncoder,
  type Sha256Factory,
  tableSchemas,
} from '../../src/results/index.ts'
import { randomEvents } from '../support/random-events.ts'
import type { BenchRow } from './row.ts'

const fileRows = 20_000_000
const sampleRows = 1_000_000
const eventsPerCommand = 2.3
const repeats = 7

/** Measures files and the sink. */
export async function benchArrow(): Promise<BenchRow[]> {
  return [
    ...(await benchFile(false)),
    ...(await benchFile(true)),
    sinkRow('results sink with digest', nodeSha256),
    sinkRow('results sink without its hashes', () => ({
      update: () => {},
      digest: () => new Uint8Array(32),
    })),
  ]
}

async function benchFile(exact: boolean): Promise<BenchRow[]> {
  const name = exact ? 'Arrow log, exact' : 'Arrow log'
  const folder = mkdtempSync(join(tmpdir(), 'pitclock-bench-'))
  const samples: number[] = []
  const seconds: number[] = []
  try {
    for (const _ of [1, 2, 3]) {
      rmSync(join(folder, 'marks.arrow'), { force: true })
      seconds.push(await writeLog(join(folder, 'marks.arrow'), exact, samples))
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
  const megabyte = 1_048_576
  const growth = (samples.at(-1) ?? 0) - (samples[0] ?? 0)
  return [
    {
      name,
      value: Math.round(fileRows / Math.min(...seconds)),
      unit: 'rows/s',
      target: '5,000,000',
    },
    {
      name: `${name}, peak memory`,
      value: Math.round(Math.max(...samples) / megabyte),
      unit: 'MB',
      target: '< 200',
    },
    {
      name: `${name}, memory gained over ${fileRows * 3 - sampleRows} rows`,
      value: Math.round(growth / megabyte),
      unit: 'MB',
    },
  ]
}

/** Writes the log from one block of rows repeatedly; returns the seconds it took. */
async function writeLog(path: string, exact: boolean, samples: number[]): Promise<number> {
  const { createTableWriter } = await loadArrowEncoder()
  const file = createAppendFile(path)
  const options = { exact, metadata: new Map<string, string>() }
  const writer = createTableWriter(tableSchemas.marks, options, file.write)
  let written = 0
  let seconds = 0
  const onBlock: BlockConsumer = (block, names) => {
    if (block.schema.name !== 'marks' || block.rows < BLOCK_ROWS || written > 0) return
    const start = process.hrtime.bigint()
    while (written < fileRows) {
      writer.add(block, names)
      written += BLOCK_ROWS
      if (written % sampleRows < BLOCK_ROWS) samples.push(process.memoryUsage().rss)
    }
    writer.close()
    file.close()
    seconds = Number(process.hrtime.bigint() - start) / 1e9
  }
  const sink = createResultsSink({ sha256: nodeSha256, onBlock })
  feed(sink, randomEvents({ seed: 1, length: 0 }))
  for (let number = 1; number <= BLOCK_ROWS; number += 1) {
    const price = price9(100_000_000_000_000 + number * 500_000_000)
    sink.emit({
      kind: 'mark',
      option: null,
      time: micros(1_767_600_000_000_000 + number),
      number,
      cause: sequence(number),
      instrument: instrumentId(number % 2),
      price,
      index: price,
      source: 'index',
    })
  }
  // The last page of events becomes rows at the end, and with it the block is full.
  sink.finish()
  if (written === 0) throw new RangeError('expected a full block of marks')
  return seconds
}

function sinkRow(name: string, sha256: Sha256Factory): BenchRow {
  const events = randomEvents({ seed: 1, length: 2300, tradingOnly: true })
  const isOpening = ({ kind }: Event): boolean => kind === 'instrument' || kind === 'account'
  const trading = events.filter((event) => !isOpening(event))
  const sink = createResultsSink({ sha256, onBlock: null })
  feed(sink, events.filter(isOpening))
  const passes = 100
  const times = Array.from({ length: repeats }, () => {
    const start = process.hrtime.bigint()
    for (let pass = 0; pass < passes; pass += 1) feed(sink, trading)
    return Number(process.hrtime.bigint() - start)
  })
  const commands = (passes * trading.length) / eventsPerCommand
  return {
    name,
    value: Math.round(Math.min(...times) / commands),
    unit: 'ns/command',
    target: '< 150',
  }
}

function feed(sink: { emit(event: Event): void }, events: readonly Event[]): void {
  for (const event of events) sink.emit(event)
}
