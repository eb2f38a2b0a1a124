/**
 * XXH64 with seed 0 of bytes that come in pieces: the checksum of zstd frames. fzstd does not verify it, so without
 * this check a damaged file would silently give other rows.
 *
 * 64-bit integers are two halves of 32 bits, because a bigint in the loop would cost a hundred times as much.
 * Source: the XXH64 algorithm description in the repository of xxHash, and RFC 8878, 3.1.1.
 */

/** Collects bytes and returns their hash. */
export interface XxHash64 {
  update(bytes: Uint8Array): void
  /** The lower 32 bits of the hash, which a frame stores. */
  low32(): number
}

type Word = readonly [high: number, low: number]

const PRIME1: Word = [0x9e3779b1, 0x85ebca87]
const PRIME2: Word = [0xc2b2ae3d, 0x27d4eb4f]
const PRIME3: Word = [0x165667b1, 0x9e3779f9]
const PRIME4: Word = [0x85ebca77, 0xc2b2ae63]
const PRIME5: Word = [0x27d4eb2f, 0x165667c5]
const STRIPE_BYTES = 32
const TWO_32 = 4_294_967_296

/** A hash of no bytes. */
export function createXxHash64(): XxHash64 {
  // High and low halves of the four accumulators.
  const lanes = new Int32Array(8)
  const first = [sum(PRIME1, PRIME2), PRIME2, [0, 0] as const, difference([0, 0], PRIME1)]
  for (const [at, [high, low]] of first.entries()) {
    lanes[2 * at] = high
    lanes[2 * at + 1] = low
  }
  const rest = new Uint8Array(STRIPE_BYTES)
  let kept = 0
  let length = 0
  const update = (bytes: Uint8Array): void => {
    length += bytes.length
    let from = 0
    if (kept > 0) {
      from = Math.min(STRIPE_BYTES - kept, bytes.length)
      rest.set(bytes.subarray(0, from), kept)
      kept += from
      if (kept < STRIPE_BYTES) return
      addStripes(lanes, rest)
      kept = 0
    }
    const end = bytes.length - ((bytes.length - from) & (STRIPE_BYTES - 1))
    addStripes(lanes, bytes.subarray(from, end))
    kept = bytes.length - end
    rest.set(bytes.subarray(end))
  }
  return { update, low32: () => finish(lanes, rest.subarray(0, kept), length) }
}

/** Adds whole stripes to the accumulators. Each is rotated and multiplied in halves, in place. */
function addStripes(lanes: Int32Array, bytes: Uint8Array): void {
  const [prime1High, prime1Low] = PRIME1
  const [prime2High, prime2Low] = PRIME2
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < bytes.length; at += 8) {
    const lane = (at >> 2) & 6
    const low = view.getInt32(at, true)
    const high = view.getInt32(at + 4, true)
    const addedLow = Math.imul(low, prime2Low)
    const addedHigh = upper(low, prime2Low) + Math.imul(high, prime2Low) + Math.imul(low, prime2High)
    const sumLow = ((lanes[lane + 1] as number) >>> 0) + (addedLow >>> 0)
    const carry = sumLow >= TWO_32 ? 1 : 0
    const sumHigh = ((lanes[lane] as number) + addedHigh + carry) | 0
    const turnedHigh = (sumHigh << 31) | ((sumLow | 0) >>> 1)
    const turnedLow = (sumLow << 31) | (sumHigh >>> 1)
    lanes[lane + 1] = Math.imul(turnedLow, prime1Low)
    lanes[lane] = upper(turnedLow, prime1Low) + Math.imul(turnedHigh, prime1Low) + Math.imul(turnedLow, prime1High)
  }
}

/** The upper 32 bits of the product of two words of 32 bits. */
function upper(left: number, right: number): number {
  const leftLow = left & 0xffff
  const leftHigh = left >>> 16
  const rightLow = right & 0xffff
  const rightHigh = right >>> 16
  const middle = leftHigh * rightLow + ((leftLow * rightLow) >>> 16)
  const other = leftLow * rightHigh + (middle & 0xffff)
  return (leftHigh * rightHigh + (middle >>> 16) + (other >>> 16)) | 0
}

function finish(lanes: Int32Array, rest: Uint8Array, length: number): number {
  let hash = PRIME5
  if (length >= STRIPE_BYTES) {
    const words = [0, 2, 4, 6].map((at): Word => [lanes[at] ?? 0, lanes[at + 1] ?? 0])
    hash = words.map((word, at) => turned(word, [1, 7, 12, 18][at] ?? 0)).reduce(sum)
    for (const word of words) {
      hash = sum(product(both(hash, round([0, 0], word)), PRIME1), PRIME4)
    }
  }
  hash = sum(hash, [Math.floor(length * (1 / TWO_32)), length | 0])
  const view = new DataView(rest.buffer, rest.byteOffset, rest.byteLength)
  let at = 0
  for (; at + 8 <= rest.length; at += 8) {
    const lane: Word = [view.getInt32(at + 4, true), view.getInt32(at, true)]
    hash = sum(product(turned(both(hash, round([0, 0], lane)), 27), PRIME1), PRIME4)
  }
  if (at + 4 <= rest.length) {
    const word = product([0, view.getInt32(at, true)], PRIME1)
    hash = sum(product(turned(both(hash, word), 23), PRIME2), PRIME3)
    at += 4
  }
  for (; at < rest.length; at += 1) {
    const word = product([0, rest[at] ?? 0], PRIME5)
    hash = product(turned(both(hash, word), 11), PRIME1)
  }
  hash = product(both(hash, [0, hash[0] >>> 1]), PRIME2)
  hash = product(both(hash, shifted(hash, 29)), PRIME3)
  return both(hash, [0, hash[0]])[1] >>> 0
}

function round(start: Word, lane: Word): Word {
  return product(turned(sum(start, product(lane, PRIME2)), 31), PRIME1)
}

function product([leftHigh, leftLow]: Word, [rightHigh, rightLow]: Word): Word {
  const crossed = Math.imul(leftHigh, rightLow) + Math.imul(leftLow, rightHigh)
  return [(upper(leftLow, rightLow) + crossed) | 0, Math.imul(leftLow, rightLow)]
}

function sum([leftHigh, leftLow]: Word, [rightHigh, rightLow]: Word): Word {
  const low = (leftLow >>> 0) + (rightLow >>> 0)
  return [(leftHigh + rightHigh + (low >= TWO_32 ? 1 : 0)) | 0, low | 0]
}

function difference([leftHigh, leftLow]: Word, [rightHigh, rightLow]: Word): Word {
  const isBorrowed = leftLow >>> 0 < rightLow >>> 0
  return [(leftHigh - rightHigh - (isBorrowed ? 1 : 0)) | 0, (leftLow - rightLow) | 0]
}

function both([leftHigh, leftLow]: Word, [rightHigh, rightLow]: Word): Word {
  return [leftHigh ^ rightHigh, leftLow ^ rightLow]
}

/** Rotates a word to the left by 1 to 31 bits. */
function turned([high, low]: Word, bits: number): Word {
  return [(high << bits) | (low >>> (32 - bits)), (low << bits) | (high >>> (32 - bits))]
}

/** Shifts a word to the right by 1 to 31 bits. */
function shifted([high, low]: Word, bits: number): Word {
  return [high >>> bits, (low >>> bits) | (high << (32 - bits))]
}
