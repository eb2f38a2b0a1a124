/**
 * Where requests are taken and answered, each once, at its time.
 */
export { createDesk, type Desk, type DeskOptions, requestBehind, submit } from './desk.ts'
export type { Companion } from './desk-bytes.ts'
export { hintFor, meantInstrument } from './hint.ts'
export { venueKeeping } from './kept.ts'
export { type RestoreOptions, restoreDesk, snapshotDesk } from './snapshot.ts'
