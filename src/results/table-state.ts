/**
 * The state of a results sink's tables: a block and a hash for each table, facts about instruments and accounts, and
 * the conversion to plain data.
 */
import { assert, defined, type Plain } from '../core/index.ts'
import { type Currency, type EventOf, houseAccountNames, type Instrument } from '../model/index.ts'
import { createBlock, type IdNames, type NamedBlock } from './columns.ts'
import { type TableName, tableNames, tableSchemas, WIRE_INSTRUMENT_ID_MIN } from './schema.ts'
import { restoreBlock, type SavedBlock, snapshotBlock } from './snapshot.ts'
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
