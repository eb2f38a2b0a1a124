/**
 * The face of `host`: files, and what else only Node can do.
 */
export { type ArrowFile, type FileCell, type FileRow, openArrowFile } from './arrow-file.ts'
export {
  createJournal,
  type JournalLine,
  type JournalWriter,
  type JsonObject,
  readJournal,
} from './journal-file.ts'
export {
  type Manifest,
  openRunFolder,
  type RunEnd,
  type RunFolder,
  type RunFolderOptions,
  readManifest,
  readTable,
} from './run-folder.ts'
export { nodeSha256 } from './sha256.ts'
