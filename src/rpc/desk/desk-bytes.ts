/**
 * A request router as bytes: its exchange, its history, requests that wait for their replies, whether it serves
 * controls, its snapshots of the venue, and faults of messages if there are any.
 *
 * Sections: `engine` (the engine's own snapshot, a container in itself), `history`, `pending`, `desk`, `kept`.
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
import { type History, historyUnit } from '../history/index.ts'
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
}

/** The remaining state of a router. */
interface DeskData {
  readonly controls: boolean
  readonly faults?: FaultsState
}

/** Encodes a router between requests; some requests may still wait for their replies. */
export function encodeDesk(state: DeskState & Unanswered): Uint8Array {
  const { exchange, history, controls, pending, kept } = state
  const faults = saveFaults(state.faults)
  const isBetween = state.followed.asked === null && [...pending.keys()].every((cause) => isHeld(exchange, cause))
  assert(isBetween, 'at a snapshot, every request is answered or waiting')
  const sections = new Map([
    ['engine', snapshot(exchange)],
    ['history', encodeValue(historyUnit.save(history))],
    ['pending', encodeValue(snapshotPending(pending))],
    ['desk', encodeValue(faults === null ? { controls } : { controls, faults })],
    ['kept', encodeValue([...kept] as unknown as Plain)],
  ])
  return encodeSections(MAGIC, VERSION, sections)
}

/** Decodes the router of a snapshot; an error names section and byte. */
export function decodeDesk(bytes: Uint8Array, methods: MethodSet, waiter: Waiter): Result<DeskState, SectionFault> {
  const container = decodeSections(bytes, MAGIC, VERSION)
  if (!container.ok) return container
  const parts = new Map<string, Uint8Array>()
  for (const section of ['engine', 'history', 'pending', 'desk', 'kept']) {
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
  const history = decodePart<Plain>(bytes, parts, 'history')
  if (!history.ok) return history
  const desk = decodePart<DeskData>(bytes, parts, 'desk')
  if (!desk.ok) return desk
  const pending = decodePart<Plain>(bytes, parts, 'pending')
  if (!pending.ok) return pending
  const kept = decodePart<readonly (readonly [string, KeptVenue])[]>(bytes, parts, 'kept')
  if (!kept.ok) return kept
  return ok({
    exchange: exchange.value,
    history: historyUnit.load(history.value),
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
