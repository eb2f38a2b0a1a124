/**
 * The face of `settlement`: which futures are listed, what they are delivered at, who bears a loss.
 */
export {
  createDeliveryAverage,
  type DeliveryAverage,
  deliveryMean9,
  exactMean9,
  isInWindow,
  sampleUntil,
  WINDOW_MICROS,
  windowStart,
} from './delivery-average.ts'
export { listedExpiries } from './expiries.ts'
export { type SharedLoss, shareLoss } from './loss.ts'
export { deliveredValue } from './option-payoff.ts'
