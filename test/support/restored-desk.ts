/** A desk restored from its snapshot, with the same methods. */
import type { EventSink } from '../../src/model/index.ts'
import { type Desk, restoreDesk, snapshotDesk } from '../../src/rpc/index.ts'

const nothing: EventSink = { emit: () => undefined }

/** Restores a desk from its bytes. */
export function restoredDesk(desk: Desk, sink = nothing): Desk {
  const copy = restoreDesk(snapshotDesk(desk), sink, { methods: desk.methods })
  if (!copy.ok) throw new Error(JSON.stringify(copy.error))
  return copy.value
}
