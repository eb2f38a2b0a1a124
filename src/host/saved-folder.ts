/**
 * The folder `saved` in the partial folder of a run that can be resumed.
 *
 * `checkpoint` is the state of the run at its last save, complete or absent. Three files only grow, so that a save
 * writes what is new: `blocks` are blocks of rows of the tables in the order in which they were completed, and `log` and
 * `notes` give the histories again (`rpc/history/notes.ts`). A truncated table file cannot be continued, so the table
 * files are written at the end. `owner` names the writing process, so that no other process resumes a run that is still
 * in progress.
 *
 * The checkpoint has the marks of these files. What follows a mark is cut off when the run is resumed, because the
 * resumed run produces it again. Errors of the operating system are thrown.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { assert, err, type InputError, ok, type Result } from '../core/index.ts'
import { type Block, type BlockConsumer, createBlockDecoder, encodeBlock, type IdNames } from '../results/index.ts'
import type { HistoryFile } from '../rpc/index.ts'
import { type AppendFile, continueAppendFile, createAppendFile, type FileMark } from './append-file.ts'
import { namingFile } from './system-words.ts'

export const savedName = 'saved'

const checkpointName = 'checkpoint'
/** The files that only grow, with their content in messages. */
const grownFiles = { blocks: 'the saved rows', log: 'the saved log', notes: 'the saved notes' } as const
const ownerName = 'owner'
const LENGTH_BYTES = 4

type GrownFiles = { readonly [Name in keyof typeof grownFiles]: AppendFile }

/** Positions in the files of the folder. */
export type SavedMarks = { readonly [Name in keyof typeof grownFiles]: FileMark }

/** The folder from which a run can be resumed. */
export interface SavedFolder {
  /** Takes the blocks of tables. */
  readonly onBlock: BlockConsumer
  /** Takes the records of events. */
  readonly onLog: (records: Uint8Array) => void
  /** The files that give the histories again. */
  readonly histories: HistoryFile
  /** True once there is a saved state. */
  readonly hasCheckpoint: boolean
  /** Syncs all files to the disk and returns their positions. */
  marks(): SavedMarks
  /** Replaces the saved state. */
  save(checkpoint: Uint8Array): void
  /** Passes all blocks to `take` again; each block is valid until the next one. */
  each(take: (block: Block, names: IdNames) => void): void
  /** Closes the files and keeps them for a resumption. */
  leave(): void
  /** Closes and removes everything. */
  remove(): void
}

/** Opens the folder of a new run, or of a run that is resumed from the marks of its files. */
export function openSavedFolder(partialPath: string, from: SavedMarks | null): Result<SavedFolder, InputError> {
  const folder = join(partialPath, savedName)
  if (from === null) mkdirSync(folder)
  const owner = join(folder, ownerName)
  const fault = takeOver(owner)
  if (fault !== null) return err(fault)
  const opened = openGrownFiles(folder, from)
  if (!opened.ok) {
    rmSync(owner)
    return opened
  }
  const files = opened.value
  const read = (name: keyof GrownFiles): Iterable<Uint8Array> => {
    files[name].flush()
    return pieces(join(folder, name))
  }
  const abandon = (): void => {
    for (const file of Object.values(files)) file.abandon()
  }
  let names: IdNames = { instrument_id: [], account_id: [] }
  let hasCheckpoint = from !== null
  return ok({
    get hasCheckpoint(): boolean {
      return hasCheckpoint
    },
    onBlock: (block, known) => {
      names = known
      writePiece(files.blocks, encodeBlock(block))
    },
    onLog: (records) => writePiece(files.log, records),
    histories: {
      write: (notes) => writePiece(files.notes, notes),
      notes: () => read('notes'),
      log: () => read('log'),
    },
    marks: () => ({ blocks: files.blocks.mark(), log: files.log.mark(), notes: files.notes.mark() }),
    save: (checkpoint) => {
      replaceFile(checkpointPath(partialPath), checkpoint)
      hasCheckpoint = true
    },
    each: (take) => {
      const decode = createBlockDecoder()
      for (const bytes of read('blocks')) take(decode(bytes), names)
    },
    leave: () => {
      abandon()
      rmSync(owner, { force: true })
    },
    remove: () => {
      abandon()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}

/** Path of the saved state in a partial folder. The file does not exist before the run is saved. */
export function checkpointPath(partialPath: string): string {
  return join(partialPath, savedName, checkpointName)
}

/** Creates the files of a new run, or continues them after their marks; the error names the one that has changed. */
function openGrownFiles(folder: string, from: SavedMarks | null): Result<GrownFiles, InputError> {
  const opened: { [name: string]: AppendFile } = {}
  for (const [name, expected] of Object.entries(grownFiles)) {
    const path = join(folder, name)
    // The marks have the names of the files.
    const file = from === null ? createAppendFile(path) : continueAppendFile(path, from[name as keyof SavedMarks])
    if (file === null) {
      for (const other of Object.values(opened)) other.abandon()
      return err({ code: 'RUN_FOLDER', file: path, expected, found: 'other bytes' })
    }
    opened[name] = file
  }
  return ok(opened as GrownFiles)
}

function writePiece(file: AppendFile, bytes: Uint8Array): void {
  const length = new Uint8Array(LENGTH_BYTES)
  new DataView(length.buffer).setUint32(0, bytes.length, true)
  file.write(length)
  file.write(bytes)
}

/** The pieces of a file, in which each piece is preceded by its length. */
function* pieces(path: string): Generator<Uint8Array> {
  const descriptor = openSync(path, 'r')
  try {
    for (;;) {
      const head = Buffer.alloc(LENGTH_BYTES)
      if (readSync(descriptor, head) === 0) return
      const bytes = Buffer.alloc(head.readUInt32LE(0))
      const read = readSync(descriptor, bytes)
      assert(read === bytes.length, 'pieces are complete')
      yield bytes
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Writes to a temporary file, syncs it and renames it, so that the file is complete or unchanged. */
function replaceFile(path: string, bytes: Uint8Array): void {
  const aside = `${path}.tmp`
  namingFile(path, () => {
    writeFileSync(aside, bytes)
    const descriptor = openSync(aside, 'r+')
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    renameSync(aside, path)
  })
}

/** Makes this process the owner, unless another process is writing. */
function takeOver(path: string): InputError | null {
  const expected = 'a run that no other process is writing'
  if (existsSync(path)) {
    const pid = Number(readFileSync(path, 'utf8'))
    if (isAlive(pid)) {
      const hint = `if process ${pid} is another program, remove this file`
      return {
        code: 'FILE',
        file: path,
        expected,
        found: `a run that process ${pid} is writing`,
        hint,
      }
    }
    // If two processes try this at once, only one can rename the file.
    try {
      renameSync(path, `${path}.${process.pid}`)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
      return { code: 'FILE', file: path, expected, found: 'another process that is resuming it' }
    }
    rmSync(`${path}.${process.pid}`)
  }
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' })
    return null
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return { code: 'FILE', file: path, expected, found: 'another process that is resuming it' }
  }
}

function isAlive(pid: number): boolean {
  if (!(Number.isInteger(pid) && pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
