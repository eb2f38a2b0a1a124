/**
 * A desk as its snapshot restores it, with the methods that it has.
 */
import type { EventSink } from '../../src/model/index.ts'
import { type Desk, restoreDesk, snapshotDesk } from '../../src/rpc/index.ts'

const nothing: EventSink = { emit: () => undefined }

/** Goes on from the bytes of a desk. */
export function restoredDesk(desk: Desk, sink = nothing): Desk {
  const copy = restoreDesk(snapshotDesk(desk), sink, { methods: desk.methods })
  if (!copy.ok) throw new Error(JSON.stringify(copy.error))
  return copy.value
}
