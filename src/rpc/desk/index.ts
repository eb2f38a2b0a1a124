/**
 * The request router: takes each request once, at its time, and replies once.
 */

export { venueKeeping } from './afterwards.ts'
export { createDesk, type Desk, type DeskOptions, requestBehind, submit } from './desk.ts'
export type { Companion } from './desk-bytes.ts'
export * from './event-laws.ts'
export * from './hint.ts'
export * from './laws.ts'
export * from './snapshot.ts'
