/**
 * Snapshots of a desk: its exchange, its history, and whether it serves controls, as bytes and back.
 *
 * Sections: `engine` (the engine's own snapshot, a container in itself), `history`, `desk`. Requests
 * on their way are not kept, because between requests there are none: nothing holds one yet.
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
} from '../core/index.ts'
import { restore, snapshot } from '../engine/index.ts'
import type { EventSink } from '../model/index.ts'
import { type Desk, wireDesk } from './desk/desk.ts'
import { type HistoryState, restoreHistory, snapshotHistory } from './history/index.ts'

const MAGIC = 'PITCLOCK DESK'
const VERSION = 5

/** The desk as bytes, at the end of a request. */
export function snapshotDesk(desk: Desk): Uint8Array {
  assert(desk.pending.size === 0, 'a snapshot is taken when every request is answered')
  const sections = new Map([
    ['engine', snapshot(desk.exchange)],
    // Plain data, which the types of its events cannot say.
    ['history', encodeValue(snapshotHistory(desk.history) as unknown as Plain)],
    ['desk', encodeValue({ controls: desk.controls })],
  ])
  return encodeSections(MAGIC, VERSION, sections)
}

/** A desk from the bytes of a snapshot, its events going to `sink`; a fault names section and byte. */
export function restoreDesk(bytes: Uint8Array, sink: EventSink): Result<Desk, SectionFault> {
  const container = decodeSections(bytes, MAGIC, VERSION)
  if (!container.ok) return container
  const parts = new Map<string, Uint8Array>()
  for (const section of ['engine', 'history', 'desk']) {
    const part = container.value.get(section)
    if (part === undefined) {
      const expected = `a section ${section}`
      return err({ section, offset: bytes.length, expected, found: 'none' })
    }
    parts.set(section, part)
  }
  const engine = defined(parts.get('engine'), 'every section was found')
  const exchange = restore(engine)
  if (!exchange.ok) {
    const { section, offset } = exchange.error
    const within = engine.byteOffset - bytes.byteOffset + offset
    const place = section === null ? 'engine' : `engine/${section}`
    return err({ ...exchange.error, section: place, offset: within })
  }
  const history = decodePart<HistoryState>(bytes, parts, 'history')
  if (!history.ok) return history
  const desk = decodePart<{ readonly controls: boolean }>(bytes, parts, 'desk')
  if (!desk.ok) return desk
  const { controls } = desk.value
  const own = { history: restoreHistory(history.value), controls }
  return ok(wireDesk(own, sink, () => exchange.value))
}

/** A decoded section. Its checksum has shown that we wrote it, so its shape is our own. */
function decodePart<T>(
  bytes: Uint8Array,
  parts: ReadonlyMap<string, Uint8Array>,
  section: string,
): Result<T, SectionFault> {
  const part = defined(parts.get(section), 'every section was found')
  const value = decodeValue(part)
  if (value.ok) return ok(value.value as T)
  const offset = part.byteOffset - bytes.byteOffset + value.error.offset
  return err({ ...value.error, section, offset })
}
