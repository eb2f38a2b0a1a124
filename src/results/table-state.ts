/**
 * The state of a results sink's tables: a block and a hash for each table, facts about instruments and accounts, and
 * the conversion to plain data.
 */

import { assert, decodeValue, defined, encodeValue, type Plain } from '../core/index.ts'
import { type Currency, type EventOf, houseAccountNames, type Instrument } from '../model/index.ts'
import {
  type Block,
  type BlockColumn,
  createBlock,
  endTexts,
  type IdNames,
  type LargeValues,
  type NamedBlock,
  nextBlock,
  setMoney,
} from './columns.ts'
import { type TableName, tableNames, tableSchemas, WIRE_INSTRUMENT_ID_MIN } from './schema.ts'
import { firstHash, type TableDigest, tableDigest } from './table-hash.ts'

/** The blocks of all tables by name. */
type Blocks = { readonly [Name in TableName]: NamedBlock<Name> }

/** The tables of a sink; `sink.ts` and the writers of rows change them. */
export interface TableState {
  readonly blocks: Blocks
  readonly hashes: Map<string, Uint8Array>
  /** Amount of one lot by instrument id. */
  readonly steps: number[]
  /** Settlement currency by instrument id. */
  readonly currencies: Currency[]
  readonly names: IdNames
  /** By account id: true for accounts of the venue. */
  readonly houses: boolean[]
}

/** The rows of a block in the form of `snapshotBlock`. */
interface SavedBlock {
  readonly table: string
  readonly version: number
  readonly firstRow: number
  readonly rows: number
  readonly columns: readonly SavedColumn[]
}

/** A text column has `ends` and `bytes`; any other column has `values`, and large values by row. */
interface SavedColumn {
  readonly valid: Uint8Array | null
  readonly ends: Int32Array
  readonly bytes: Uint8Array
  readonly values: Float64Array
  readonly large: readonly (readonly [number, bigint])[]
}

/** Stores the facts about an instrument that rows need. */
export function learnInstrument(state: TableState, instrument: Instrument): void {
  assert(instrument.id === state.steps.length, 'instruments are listed in the order of their ids')
  state.steps.push(instrument.amountStep9)
  state.currencies.push(instrument.settlementCurrency)
  state.names.instrument_id[WIRE_INSTRUMENT_ID_MIN + instrument.id] = instrument.name
}

/** Stores the facts about an account that rows need. */
export function learnAccount(
  state: TableState,
  { account, name, house }: Pick<EventOf<'account'>, 'account' | 'name' | 'house'>,
): void {
  state.names.account_id[account] = name
  state.houses[account] = house
}

function createBlocks(): Blocks {
  const blocks = tableNames.map((name) => [name, createBlock(tableSchemas[name])])
  // Each block has the type of the table with its name; a loop over tables cannot be typed.
  return Object.fromEntries(blocks) as Blocks
}

/** The tables at the start of a run. */
export function createTables(): TableState {
  return {
    blocks: createBlocks(),
    hashes: new Map(tableNames.map((name) => [name, firstHash()])),
    steps: [],
    currencies: [],
    // House accounts exist from the start; all others are opened by an event.
    names: { instrument_id: [], account_id: [...houseAccountNames] },
    houses: houseAccountNames.map(() => true),
  }
}

/** Facts about the tables, once all blocks are sealed. */
export function tableDigests(state: TableState): readonly TableDigest[] {
  return tableNames.map((name) =>
    tableDigest({
      schema: state.blocks[name].schema,
      rows: state.blocks[name].firstRow,
      hash: defined(state.hashes.get(name), 'every table has a hash'),
    }),
  )
}

/** The tables as plain data. */
export function saveTables(state: TableState): Plain {
  return {
    steps: state.steps,
    currencies: state.currencies,
    instruments: state.names.instrument_id.slice(WIRE_INSTRUMENT_ID_MIN),
    accounts: state.names.account_id,
    houses: state.houses,
    hashes: tableNames.map((name) => defined(state.hashes.get(name), 'every table has a hash')),
    blocks: tableNames.map((name) => snapshotBlock(state.blocks[name])),
  }
}

/** Tables in the form of `saveTables`. */
export interface SavedTables {
  readonly steps: readonly number[]
  readonly currencies: readonly Currency[]
  readonly instruments: readonly string[]
  readonly accounts: readonly string[]
  readonly houses: readonly boolean[]
  readonly hashes: readonly Uint8Array[]
  readonly blocks: readonly SavedBlock[]
}

/** Restores new tables; false if the saved ones are of another version. */
export function fillTables(state: TableState, saved: SavedTables): boolean {
  state.steps.push(...saved.steps)
  state.currencies.push(...saved.currencies)
  for (const [at, name] of saved.instruments.entries()) {
    state.names.instrument_id[WIRE_INSTRUMENT_ID_MIN + at] = name
  }
  for (const [at, name] of saved.accounts.entries()) state.names.account_id[at] = name
  for (const [at, isHouse] of saved.houses.entries()) state.houses[at] = isHouse
  return tableNames.every((name, at) => {
    state.hashes.set(name, defined(saved.hashes[at], 'every table has a hash'))
    return restoreBlock(state.blocks[name], defined(saved.blocks[at], 'every table has a block'))
  })
}

/**
 * Snapshots of blocks: the rows that no block hash covers yet, as plain data for the codec.
 *
 * Typed arrays are copied up to the last row. The checksum of the section shows that this file wrote the snapshot.
 */

/** The rows of a block. */
function snapshotBlock(block: Block): Plain {
  endTexts(block)
  return {
    table: block.schema.name,
    version: block.schema.version,
    firstRow: block.firstRow,
    rows: block.rows,
    columns: block.columns.map((column) => snapshotColumn(column, block.rows)),
  }
}

/** Fills a new block with the rows of a snapshot; false if they are of another version of its table. */
function restoreBlock(block: Block, saved: SavedBlock): boolean {
  if (saved.table !== block.schema.name || saved.version !== block.schema.version) return false
  nextBlock(block)
  block.firstRow = saved.firstRow
  block.rows = saved.rows
  for (const [at, column] of block.columns.entries()) {
    restoreColumn(column, saved.rows, defined(saved.columns[at], 'the version of a table has columns'))
  }
  return true
}

/** The rows of a block as bytes. */
export function encodeBlock(block: Block): Uint8Array {
  return encodeValue(snapshotBlock(block))
}

/**
 * Creates a decoder for the output of `encodeBlock`. The caller must have checked the bytes. The decoder reuses one
 * block for each table.
 */
export function createBlockDecoder(): (bytes: Uint8Array) => Block {
  const blocks = new Map<string, Block>()
  return (bytes) => {
    const decoded = decodeValue(bytes)
    assert(decoded.ok, 'the bytes of a block are complete')
    const saved = decoded.value as unknown as SavedBlock
    const name = defined(
      tableNames.find((known) => known === saved.table),
      'a block belongs to a table',
    )
    const block = blocks.get(name) ?? createBlock<typeof name>(tableSchemas[name] as never)
    blocks.set(name, block)
    assert(restoreBlock(block, saved), 'a block has the version of its table')
    return block
  }
}

function snapshotColumn(column: BlockColumn, rows: number): Plain {
  const valid = column.valid === null ? null : column.valid.slice(0, (rows + 7) >> 3)
  if (column.kind === 'text') {
    const ends = column.ends.slice(0, rows + 1)
    return { ends, bytes: column.bytes.slice(0, ends[rows]), valid }
  }
  // A new column contains zeros, so a column without values needs no copy.
  const values = column.values.slice(0, column.hasValues ? rows : 0)
  return { values, large: column.kind === 'wide' ? largeEntries(column.large) : [], valid }
}

function restoreColumn(column: BlockColumn, rows: number, saved: SavedColumn): void {
  if (column.valid !== null && saved.valid !== null) {
    column.valid.set(saved.valid)
    column.hasValues = saved.valid.some((bits) => bits !== 0)
  }
  if (column.kind === 'text') {
    column.ends.set(saved.ends)
    column.ended = rows
    if (saved.bytes.length > column.bytes.length) column.bytes = saved.bytes
    else column.bytes.set(saved.bytes)
    return
  }
  column.values.set(saved.values)
  if (column.kind !== 'wide') return
  for (const [row, value] of saved.large) setMoney(column, row, value)
}

function largeEntries(large: LargeValues): Plain {
  return Array.from(large.rows.subarray(0, large.count), (row, index) => [
    row,
    defined(large.values[index], 'every large value has a row'),
  ])
}
