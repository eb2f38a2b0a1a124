/** Histories of a router whose log and notes are kept, as a saved run keeps them in files. */
import { nodeSha256 } from '../../src/host/index.ts'
import {
  createResultsSink,
  type ResultsOptions,
  type ResultsSink,
  restoreResultsSink,
} from '../../src/results/index.ts'
import { type Desk, type HistoryFile, restoreDesk, snapshotDesk } from '../../src/rpc/index.ts'

/** A file of histories, and the sink that writes the log. */
export interface KeptHistories {
  readonly file: HistoryFile
  readonly results: ResultsSink
}

/** Opens an empty file. */
export function keptHistories(): KeptHistories {
  return keptFrom([], [], createResultsSink)
}

function keptFrom(
  log: Uint8Array[],
  notes: Uint8Array[],
  open: (options: ResultsOptions) => ResultsSink,
): KeptHistories {
  const results = open({ sha256: nodeSha256, onBlock: null, onLog: (records) => log.push(records.slice()) })
  const file: HistoryFile = {
    write: (bytes) => notes.push(bytes.slice()),
    log: () => log,
    notes: () => notes,
  }
  return { file, results }
}

/** A router and its histories, restored from a save: its bytes, the snapshot of its results, the log and the notes. */
export function resumedDesk(desk: Desk, { file, results }: KeptHistories): { desk: Desk; kept: KeptHistories } {
  const bytes = snapshotDesk(desk)
  // Completes the last page of the log.
  const saved = results.snapshot()
  const kept = keptFrom([...file.log()], [...file.notes()], (options) => {
    const restored = restoreResultsSink(saved, options)
    if (!restored.ok) throw new Error(JSON.stringify(restored.error))
    return restored.value
  })
  const copy = restoreDesk(bytes, kept.results, { methods: desk.methods, histories: kept.file })
  if (!copy.ok) throw new Error(JSON.stringify(copy.error))
  return { desk: copy.value, kept }
}
