/**
 * The request router: takes each request once, at its time, and replies once.
 */
export { createDesk, type Desk, type DeskOptions, requestBehind, submit } from './desk.ts'
export type { Companion } from './desk-bytes.ts'
export { hintFor, meantInstrument } from './hint.ts'
export { venueKeeping } from './kept.ts'
export { type RestoreOptions, restoreDesk, snapshotDesk } from './snapshot.ts'
