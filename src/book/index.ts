/**
 * The face of `book`: closed price-time books over shared order slots.
 */
export {
  auditBook,
  type Book,
  type BookSideName,
  bestPrice,
  createBook,
  firstInBook,
  levelSize,
  nextInBook,
  ordersInBook,
  reduceOrder,
  removeOrder,
  restOrder,
  visitLevels,
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
