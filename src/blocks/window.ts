/**
 * Time that a signature is valid in: as long before its timestamp as after it, both ends included.
 *
 * Rule: block.window. Source: sessions-blocks-gateways.md 4.4; coverage R70; S255.
 */

/** True if a moment lies within the window around a timestamp; all in one unit. */
export function isInWindow(now: number, timestamp: number, window: number): boolean {
  const distance = now > timestamp ? now - timestamp : timestamp - now
  return distance <= window
}
