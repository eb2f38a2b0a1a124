/**
 * What a results sink keeps: a block and a hash for each table, what it learnt of instruments and accounts,
 * and all of it as a snapshot.
 */
import {
  assert,
  decodeSections,
  decodeValue,
  defined,
  encodeSections,
  encodeValue,
  err,
  ok,
  type Result,
  type TextFault,
} from '../core/index.ts'
import { type Currency, houseAccountNames, type Instrument } from '../model/index.ts'
import { createBlock, type IdNames, type NamedBlock } from './columns.ts'
import { firstHash, type HashedTable } from './digest.ts'
import { type TableName, tableNames, tableSchemas, WIRE_INSTRUMENT_ID_MIN } from './schema.ts'
import { restoreBlock, type SavedBlock, snapshotBlock } from './snapshot.ts'

/** The blocks of all tables by name. */
type Blocks = { readonly [Name in TableName]: NamedBlock<Name> }

/** The state of a sink; `sink.ts` and the writers of rows change it. */
export interface SinkState {
  readonly blocks: Blocks
  readonly hashes: Map<string, Uint8Array>
  /** Amount of one lot by instrument id. */
  readonly steps: number[]
  /** Settlement currency by instrument id. */
  readonly currencies: Currency[]
  readonly names: IdNames
}

const SINK_SNAPSHOT_VERSION = 5
const MAGIC = 'PITCLOCK RESULTS'
const nothing = new Uint8Array(0)

/** Learns what rows of an instrument need. */
export function learnInstrument(state: SinkState, instrument: Instrument): void {
  assert(instrument.id === state.steps.length, 'instruments are listed in the order of their ids')
  state.steps.push(instrument.amountStep9)
  state.currencies.push(instrument.settlementCurrency)
  state.names.instrument_id[WIRE_INSTRUMENT_ID_MIN + instrument.id] = instrument.name
}

/** The state at the start of a run. */
export function createSinkState(): SinkState {
  return {
    blocks: {
      instruments: createBlock(tableSchemas.instruments),
      accounts: createBlock(tableSchemas.accounts),
      trades: createBlock(tableSchemas.trades),
      orders: createBlock(tableSchemas.orders),
      fills: createBlock(tableSchemas.fills),
      positions: createBlock(tableSchemas.positions),
      equity: createBlock(tableSchemas.equity),
      cash: createBlock(tableSchemas.cash),
      given_positions: createBlock(tableSchemas.given_positions),
      rejects: createBlock(tableSchemas.rejects),
      marks: createBlock(tableSchemas.marks),
      states: createBlock(tableSchemas.states),
      funding_rates: createBlock(tableSchemas.funding_rates),
      funding: createBlock(tableSchemas.funding),
      settlements: createBlock(tableSchemas.settlements),
      liquidations: createBlock(tableSchemas.liquidations),
      protections: createBlock(tableSchemas.protections),
      feed_quality: createBlock(tableSchemas.feed_quality),
      book: createBlock(tableSchemas.book),
    },
    hashes: new Map(tableNames.map((name) => [name, firstHash()])),
    steps: [],
    currencies: [],
    // House accounts exist from the start; all others are opened by an event.
    names: { instrument_id: [], account_id: [...houseAccountNames] },
  }
}

/** What the digest of the run is made from, once all blocks are sealed. */
export function hashedTables(state: SinkState): readonly HashedTable[] {
  return tableNames.map((name) => ({
    schema: state.blocks[name].schema,
    rows: state.blocks[name].firstRow,
    hash: defined(state.hashes.get(name), 'every table has a hash'),
  }))
}

/** The state as bytes. */
export function snapshotSinkState(state: SinkState): Uint8Array {
  const value = encodeValue({
    steps: state.steps,
    currencies: state.currencies,
    instruments: state.names.instrument_id.slice(WIRE_INSTRUMENT_ID_MIN),
    accounts: state.names.account_id,
    hashes: tableNames.map((name) => defined(state.hashes.get(name), 'every table has a hash')),
    blocks: tableNames.map((name) => snapshotBlock(state.blocks[name])),
  })
  return encodeSections(MAGIC, SINK_SNAPSHOT_VERSION, new Map([['results', value]]))
}

/** The state of a snapshot, or what is wrong with the bytes. */
export function restoreSinkState(bytes: Uint8Array): Result<SinkState, TextFault> {
  const sections = decodeSections(bytes, MAGIC, SINK_SNAPSHOT_VERSION)
  const decoded = sections.ok ? decodeValue(sections.value.get('results') ?? nothing) : sections
  const state = createSinkState()
  // Its checksum has shown that we wrote it, so its shape is our own.
  if (decoded.ok && fillState(state, decoded.value as unknown as SavedState)) return ok(state)
  const expected = `results of a run, snapshot version ${SINK_SNAPSHOT_VERSION}`
  return err({ found: decoded.ok ? 'other data' : 'damaged data', expected })
}

/** The state as `snapshotSinkState` writes it. */
interface SavedState {
  readonly steps: readonly number[]
  readonly currencies: readonly Currency[]
  readonly instruments: readonly string[]
  readonly accounts: readonly string[]
  readonly hashes: readonly Uint8Array[]
  readonly blocks: readonly SavedBlock[]
}

/** Fills the state of a new sink; false where its tables are of another version. */
function fillState(state: SinkState, saved: SavedState): boolean {
  state.steps.push(...saved.steps)
  state.currencies.push(...saved.currencies)
  for (const [at, name] of saved.instruments.entries()) {
    state.names.instrument_id[WIRE_INSTRUMENT_ID_MIN + at] = name
  }
  for (const [at, name] of saved.accounts.entries()) state.names.account_id[at] = name
  return tableNames.every((name, at) => {
    state.hashes.set(name, defined(saved.hashes[at], 'every table has a hash'))
    return restoreBlock(state.blocks[name], defined(saved.blocks[at], 'every table has a block'))
  })
}
