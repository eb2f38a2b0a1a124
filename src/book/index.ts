/**
 * The face of `book`: closed and replay books over shared order slots, recorded depth, queue models.
 */
export {
  auditBook,
  type Book,
  type BookSideName,
  bestPrice,
  createBook,
  createReplayBook,
  firstInBook,
  levelSize,
  nextInBook,
  ordersInBook,
  type RecordedBook,
  recordedOf,
  reduceOrder,
  removeOrder,
  restOrder,
  visitLevels,
  visitOffers,
  visitOrders,
  wouldTake,
} from './book.ts'
export {
  createOrderSlots,
  NO_SLOT,
  type OrderSlots,
  ownerOf,
  priceOf,
  releaseSlot,
  remainingOf,
  setSlot,
  takeSlot,
} from './order-slots.ts'
export {
  aheadAfterPrint,
  aheadOf,
  isRecordedCrossed,
  ordersReached,
  recordRows,
  setAhead,
} from './queue.ts'
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
  visitRecorded,
} from './recorded-side.ts'
