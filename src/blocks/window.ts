/**
 * Time window of a valid signature: equally long before and after its timestamp, both ends included.
 *
 * Rule: block.window. Source: sessions-blocks-gateways.md 4.4; coverage R70; S255.
 */

/** True if a moment is within the window around a timestamp; all in one unit. */
export function isInWindow(now: number, timestamp: number, window: number): boolean {
  const distance = now > timestamp ? now - timestamp : timestamp - now
  return distance <= window
}
