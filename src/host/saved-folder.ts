/**
 * The folder `saved` in the partial folder of a run that can be resumed.
 *
 * `checkpoint` is the state of the run at its last save, complete or absent. `blocks` are blocks of rows of the tables
 * in the order in which they were completed. A truncated table file cannot be continued, so the table files are written
 * at the end. `owner` names the writing process, so that no other process resumes a run that is still in progress.
 *
 * Rows after the last save are cut off when the run is resumed, because the resumed run produces them again. Errors of
 * the operating system are thrown.
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
import { type AppendFile, continueAppendFile, createAppendFile, type FileMark } from './append-file.ts'
import { namingFile } from './system-words.ts'

export const savedName = 'saved'

const checkpointName = 'checkpoint'
const blocksName = 'blocks'
const ownerName = 'owner'
const LENGTH_BYTES = 4

/** The folder from which a run can be resumed. */
export interface SavedFolder {
  /** Takes the blocks of tables. */
  readonly onBlock: BlockConsumer
  /** True once there is a saved state. */
  readonly hasCheckpoint: boolean
  /** Syncs the blocks to the disk and returns their position. */
  mark(): FileMark
  /** Replaces the saved state. */
  save(checkpoint: Uint8Array): void
  /** Passes all blocks to `take` again; each block is valid until the next one. */
  each(take: (block: Block, names: IdNames) => void): void
  /** Closes the files and keeps them for a resumption. */
  leave(): void
  /** Closes and removes everything. */
  remove(): void
}

/** Opens the folder of a new run, or of a run that is resumed from a mark of its blocks. */
export function openSavedFolder(partialPath: string, from: FileMark | null): Result<SavedFolder, InputError> {
  const folder = join(partialPath, savedName)
  if (from === null) mkdirSync(folder)
  const owner = join(folder, ownerName)
  const fault = takeOver(owner)
  if (fault !== null) return err(fault)
  const path = join(folder, blocksName)
  const blocks = from === null ? createAppendFile(path) : continueAppendFile(path, from)
  if (blocks === null) {
    rmSync(owner)
    return err({
      code: 'RUN_FOLDER',
      file: path,
      expected: 'the saved rows',
      found: 'other bytes',
    })
  }
  let names: IdNames = { instrument_id: [], account_id: [] }
  let hasCheckpoint = from !== null
  return ok({
    get hasCheckpoint(): boolean {
      return hasCheckpoint
    },
    onBlock: (block, known) => {
      names = known
      writeBlock(blocks, block)
    },
    mark: () => blocks.mark(),
    save: (checkpoint) => {
      replaceFile(checkpointPath(partialPath), checkpoint)
      hasCheckpoint = true
    },
    each: (take) => {
      blocks.flush()
      const decode = createBlockDecoder()
      for (const bytes of pieces(path)) take(decode(bytes), names)
    },
    leave: () => {
      blocks.abandon()
      rmSync(owner, { force: true })
    },
    remove: () => {
      blocks.abandon()
      rmSync(folder, { recursive: true, force: true })
    },
  })
}

/** Path of the saved state in a partial folder. The file does not exist before the run is saved. */
export function checkpointPath(partialPath: string): string {
  return join(partialPath, savedName, checkpointName)
}

function writeBlock(file: AppendFile, block: Block): void {
  const bytes = encodeBlock(block)
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
      assert(read === bytes.length, 'blocks are complete')
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
