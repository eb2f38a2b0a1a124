/**
 * The results sink: it turns events into rows of the result tables and their digest.
 *
 * Events are copied into blocks of 4,096 rows. A full block is hashed, shown to `onBlock`, and used
 * again, so that a run of any length needs the memory of one block for each table. Instruments and
 * accounts are learnt from events of `instrument` and `account`.
 */
import { assert, defined, ok, type Result, type TextFault } from '../core/index.ts'
import { type EventSink, sinkOf } from '../model/index.ts'
import { type Block, endTexts, type IdNames, nextBlock } from './columns.ts'
import { createBlockHasher, digestRun, type RunDigest, type Sha256Factory } from './digest.ts'
import { rowTakers } from './row-takers.ts'
import {
  type EquityRecord,
  equityCells,
  type FeedQualityRecord,
  feedQualityCells,
  type PositionRecord,
  positionCells,
} from './rows/account-rows.ts'
import { cellWriter } from './rows/cells.ts'
import { tableNames } from './schema.ts'
import {
  createSinkState,
  hashedTables,
  restoreSinkState,
  type SinkState,
  snapshotSinkState,
} from './sink-state.ts'

/**
 * Sees each block once, when it is complete, in the order of its rows. The block is emptied
 * afterwards: what is not copied is gone. A sink that was restored hands out its first blocks whole,
 * rows from before the snapshot included; `firstRow` says where they belong.
 */
export type BlockConsumer = (block: Block, names: IdNames) => void

/** What a results sink needs. */
export interface ResultsOptions {
  readonly sha256: Sha256Factory
  readonly onBlock: BlockConsumer | null
}

/** Where the events of a run become tables. */
export interface ResultsSink extends EventSink {
  /** Adds a row to `positions`. */
  recordPosition(record: PositionRecord): void
  /** Adds a row to `equity`. */
  recordEquity(record: EquityRecord): void
  /** Adds a row to `feed_quality`. */
  recordFeedQuality(record: FeedQualityRecord): void
  /** Completes the last blocks; no event may follow. */
  finish(): RunDigest
  /** Everything that the rest of the run needs to reach the same digest. */
  snapshot(): Uint8Array
}

/** A sink at the start of a run. */
export function createResultsSink(options: ResultsOptions): ResultsSink {
  return resultsOf(createSinkState(), options)
}

/** The sink that continues where `snapshot()` gave `bytes`. */
export function restoreResultsSink(
  bytes: Uint8Array,
  options: ResultsOptions,
): Result<ResultsSink, TextFault> {
  const restored = restoreSinkState(bytes)
  return restored.ok ? ok(resultsOf(restored.value, options)) : restored
}

function resultsOf(state: SinkState, options: ResultsOptions): ResultsSink {
  const { blocks, steps, names } = state
  const hashBlock = createBlockHasher(options.sha256)
  let isFinished = false

  const seal = (block: Block): void => {
    endTexts(block)
    const previous = defined(state.hashes.get(block.schema.name), 'every table has a hash')
    state.hashes.set(block.schema.name, hashBlock(previous, block))
    options.onBlock?.(block, names)
    nextBlock(block)
  }

  const sink = sinkOf(rowTakers(state, seal), () => {
    assert(!isFinished, 'no event follows the end of a run')
  })
  const writePosition = cellWriter(blocks.positions, seal)
  const writeEquity = cellWriter(blocks.equity, seal)
  const writeFeedQuality = cellWriter(blocks.feed_quality, seal)
  return {
    ...sink,
    recordPosition: (record) => {
      assert(!isFinished, 'no position follows the end of a run')
      writePosition(positionCells(record, steps))
    },
    recordEquity: (record) => {
      assert(!isFinished, 'no equity follows the end of a run')
      writeEquity(equityCells(record))
    },
    recordFeedQuality: (record) => {
      assert(!isFinished, 'no count of a feed follows the end of a run')
      writeFeedQuality(feedQualityCells(record))
    },
    finish: () => {
      assert(!isFinished, 'a run ends once')
      isFinished = true
      for (const name of tableNames) if (blocks[name].rows > 0) seal(blocks[name])
      return digestRun(hashedTables(state), options.sha256)
    },
    snapshot: () => {
      assert(!isFinished, 'a run that ended has no snapshot')
      return snapshotSinkState(state)
    },
  }
}
