/**
 * A request router as bytes: its exchange, its history, requests that wait for their replies, whether it serves
 * controls, its snapshots of the venue, and faults of messages if there are any.
 *
 * Sections: `engine` (the engine's own snapshot, a container in itself), `history`, `pending`, `desk`, `kept`. A router
 * with notes has `written` instead of `history`: the part of its history that does not follow from log and notes.
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
  type Plain,
  type Result,
  type SectionFault,
  type Sequence,
} from '../../core/index.ts'
import { type Exchange, isHeld, restore, snapshot } from '../../engine/index.ts'
import { createFaults, type Faults, type FaultsState, loadFaults, saveFaults } from '../../faults/index.ts'
import {
  type History,
  type HistoryFile,
  HistoryNotes,
  historyUnit,
  rebuildHistory,
  writtenUnit,
} from '../history/index.ts'
import type { MethodSet } from '../methods/index.ts'
import { type Pending, restorePending, snapshotPending, type Unanswered, type Waiter } from './pending.ts'

const MAGIC = 'PITCLOCK DESK'
const VERSION = 18

/** The run that feeds a router: a restore of the venue also restores its traders, and a request can stop its feeds. */
export interface Companion {
  /** Returns its state as plain data. */
  save(): Plain
  /** Takes a state that `save` returned. */
  load(state: Plain): void
  /** Stops applying recorded messages. */
  stopFeeds(): void
}

/** A named snapshot of the venue, as bytes, with the counts at that time. */
export interface KeptVenue {
  readonly bytes: Uint8Array
  /** State of the companion of the router; null without a companion. */
  readonly companion: Plain
  readonly accounts: number
  readonly instruments: number
}

/** State of a router. */
export interface DeskState {
  readonly exchange: Exchange
  readonly history: History
  readonly controls: boolean
  readonly methods: MethodSet
  readonly pending: Map<Sequence, Pending>
  /** Snapshots of the venue by name. */
  readonly kept: Map<string, KeptVenue>
  readonly faults: Faults
  /** Receives what the histories store but the log does not have; null if snapshots contain the histories. */
  readonly notes: HistoryNotes | null
}

/** The remaining state of a router. */
interface DeskData {
  readonly controls: boolean
  readonly faults?: FaultsState
}

/** Encodes a router between requests; some requests may still wait for their replies. */
export function encodeDesk(state: DeskState & Unanswered): Uint8Array {
  const { exchange, history, controls, pending, kept, notes } = state
  const faults = saveFaults(state.faults)
  const isBetween = state.followed.asked === null && [...pending.keys()].every((cause) => isHeld(exchange, cause))
  assert(isBetween, 'at a snapshot, every request is answered or waiting')
  notes?.flush()
  const isApart = notes?.isComplete === true
  const sections = new Map([
    ['engine', snapshot(exchange)],
    isApart ? ['written', encodeValue(writtenUnit.save(history))] : ['history', encodeValue(historyUnit.save(history))],
    ['pending', encodeValue(snapshotPending(pending))],
    ['desk', encodeValue(faults === null ? { controls } : { controls, faults })],
    ['kept', encodeValue([...kept] as unknown as Plain)],
  ])
  return encodeSections(MAGIC, VERSION, sections)
}

/**
 * Decodes the router of a snapshot; an error names section and byte. `file` has the log and the notes of its history,
 * and takes the notes from then on.
 */
export function decodeDesk(
  bytes: Uint8Array,
  methods: MethodSet,
  waiter: Waiter,
  file: HistoryFile | null = null,
): Result<DeskState, SectionFault> {
  const container = decodeSections(bytes, MAGIC, VERSION)
  if (!container.ok) return container
  const parts = new Map<string, Uint8Array>()
  const historyPart = file !== null && container.value.has('written') ? 'written' : 'history'
  for (const section of ['engine', historyPart, 'pending', 'desk', 'kept']) {
    const part = container.value.get(section)
    if (part === undefined) {
      const expected = `a section ${section}`
      return err({ section, offset: bytes.length, expected, found: 'none' })
    }
    parts.set(section, part)
  }
  const engine = defined(parts.get('engine'), 'every section is present')
  const exchange = restore(engine)
  if (!exchange.ok) {
    const { section, offset } = exchange.error
    const within = engine.byteOffset - bytes.byteOffset + offset
    const place = section === null ? 'engine' : `engine/${section}`
    return err({ ...exchange.error, section: place, offset: within })
  }
  const history = decodePart<Plain>(bytes, parts, historyPart)
  if (!history.ok) return history
  const desk = decodePart<DeskData>(bytes, parts, 'desk')
  if (!desk.ok) return desk
  const pending = decodePart<Plain>(bytes, parts, 'pending')
  if (!pending.ok) return pending
  const kept = decodePart<readonly (readonly [string, KeptVenue])[]>(bytes, parts, 'kept')
  if (!kept.ok) return kept
  const isWhole = file === null || historyPart === 'history'
  const notes = file === null ? null : new HistoryNotes(file)
  if (isWhole) notes?.stop()
  return ok({
    exchange: exchange.value,
    history: isWhole ? historyUnit.load(history.value) : rebuildHistory(history.value, file),
    notes,
    controls: desk.value.controls,
    methods,
    faults: desk.value.faults === undefined ? createFaults() : loadFaults(desk.value.faults),
    pending: restorePending(pending.value, methods, waiter),
    kept: new Map(kept.value),
  })
}

/** Decodes a section. Its checksum has shown that this library wrote it, so the shape is known. */
function decodePart<T>(
  bytes: Uint8Array,
  parts: ReadonlyMap<string, Uint8Array>,
  section: string,
): Result<T, SectionFault> {
  const part = defined(parts.get(section), 'every section is present')
  const value = decodeValue(part)
  if (value.ok) return ok(value.value as T)
  const offset = part.byteOffset - bytes.byteOffset + value.error.offset
  return err({ ...value.error, section, offset })
}
