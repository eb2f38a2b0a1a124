/**
 * The public names of `book`: closed and replay books over shared order slots, recorded depth, queue models, and the
 * trigger orders of an instrument.
 */
export * from './book.ts'
export {
  aheadOf,
  createOrderSlots,
  cutOf,
  hiddenOf,
  NO_SLOT,
  type OrderSlots,
  ownerOf,
  placeOf,
  priceOf,
  releaseSlot,
  remainingOf,
  setAhead,
  setCut,
  setHidden,
  setSlot,
  shownOf,
  takeSlot,
} from './order-slots.ts'
export {
  claimShrunk,
  notePrinted,
  printedAt,
  restoreSidePrints,
  type SidePrints,
  type SidePrintsState,
  sidePrintsState,
} from './prints.ts'
export * from './queue.ts'
export * from './queue-models.ts'
export {
  bestLeft,
  bestRecorded,
  clearRecorded,
  createRecordedSide,
  type RecordedLevel,
  type RecordedSide,
  recordedLeft,
  recordedLevels,
  recordedSize,
  recordedSource,
  restoreRecorded,
  setRecorded,
  takeRecorded,
  uncrossRecorded,
  visitRecorded,
} from './recorded-side.ts'
export { noteConsumed, PRINT_REFRESH_MICROS, TAKER_REFRESH_MICROS } from './refreshes.ts'
export * from './trigger-book.ts'
