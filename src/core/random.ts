/**
 * Named random streams, each derived from the run's seed and the name of the stream.
 *
 * There is one stream per use, so a new draw in one place changes nothing elsewhere. The generator is Alea, seeded with
 * the hexadecimal SHA-256 of `v1|seed|name`, because neighbouring seeds must not give related streams. The seed is
 * always text: 7 and '7' are one seed.
 *
 * Integer draws use only the generator's 32-bit outputs and integer operations, so they are the same on every engine;
 * `nextDouble` uses exact sums of powers of two. Not for secrets.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
// @ts-expect-error: seedrandom has no types for this module. Its main one has, but also loads the
// other generators and draws from Math.random; `createAlea` gives it types.
import alea from 'seedrandom/lib/alea.js'
import { assert } from './assert.ts'
import { modFloor, mulDivHalfAway } from './integer.ts'

/**
 * The whole state of a stream in safe integers: the generator's carry, and its three lagged values
 * in units of 2^-32. A type alias, not an interface, so that the codec takes it as plain data.
 */
export type RandomState = {
  readonly carry: number
  readonly lag0: number
  readonly lag1: number
  readonly lag2: number
}

/** A random stream; every draw advances it. */
export interface RandomStream {
  /** A uniform integer from 0 to 2^32 - 1. */
  nextUint32(): number
  /** A uniform multiple of 2^-53 in [0, 1). */
  nextDouble(): number
  /** A uniform safe integer between two bounds, both included; their distance must be a safe integer too. */
  int(lowInclusive: number, highInclusive: number): number
  /** True with probability numerator over denominator, exactly; 0 <= numerator <= denominator. */
  chance(numerator: number, denominator: number): boolean
  /** A uniform member of a non-empty list. */
  pick<T>(list: readonly T[]): T
  /**
   * An exponential waiting time with the given mean, to the nearest microsecond, at most
   * `EXPONENTIAL_MEANS_MAX` means. The mean is a safe integer from 0, at most 2^46.
   */
  exponentialMicros(meanMicros: number): number
  /** The state from which `restoreRandomStream` continues. */
  snapshot(): RandomState
}

/** The generator's own state: the lagged values are multiples of 2^-32 in [0, 1). */
interface AleaState {
  readonly c: number
  readonly s0: number
  readonly s1: number
  readonly s2: number
}

interface AleaGenerator {
  /** The next 32 bits as a signed integer. */
  int32(): number
  /** The next 53 bits as a fraction in [0, 1). */
  double(): number
  state(): AleaState
}

const createAlea: (seed: string, options: { state: true | AleaState }) => AleaGenerator = alea

const TWO_POW_16 = 65_536
const TWO_POW_32 = 4_294_967_296
const TWO_POW_46 = 70_368_744_177_664
const TWO_POW_48 = 281_474_976_710_656
const TWO_POW_53 = 9_007_199_254_740_992
/** 2^-32, an exact double. */
const ONE_OF_POW_32 = 2.3283064365386963e-10
/** Alea's multiplier; the carry stays below it. */
const CARRY_LIMIT = 2_091_639
/** A longer wait has probability e^-64 and ends here. */
const EXPONENTIAL_MEANS_MAX = 64

/** The stream `name`, which must not contain '|', of the run with `seed`. */
export function randomStream(seed: string | number, name: string): RandomStream {
  if (typeof seed === 'number') assert(Number.isSafeInteger(seed), 'a numeric seed is an integer')
  assert(name !== '' && !name.includes('|'), `the name of a stream has no '|', found '${name}'`)
  const digest = bytesToHex(sha256(utf8ToBytes(`v1|${seed}|${name}`)))
  return streamOf(createAlea(digest, { state: true }))
}

/** The stream that continues at `state`, a result of `snapshot()`. */
export function restoreRandomStream(state: RandomState): RandomStream {
  const { carry, lag0, lag1, lag2 } = state
  assert(isIndexBelow(carry, CARRY_LIMIT), `a carry is below its limit, found ${carry}`)
  for (const lag of [lag0, lag1, lag2]) {
    assert(isIndexBelow(lag, TWO_POW_32), `a lagged value has 32 bits, found ${lag}`)
  }
  const [s0, s1, s2] = [lag0 * ONE_OF_POW_32, lag1 * ONE_OF_POW_32, lag2 * ONE_OF_POW_32]
  return streamOf(createAlea('', { state: { c: carry, s0, s1, s2 } }))
}

function streamOf(generator: AleaGenerator): RandomStream {
  const nextUint32 = (): number => generator.int32() >>> 0
  return {
    nextUint32,
    nextDouble: () => generator.double(),
    int: (lowInclusive, highInclusive) => uniform(nextUint32, lowInclusive, highInclusive),
    chance: (numerator, denominator) => {
      assert(Number.isSafeInteger(numerator) && numerator >= 0, 'a probability is not negative')
      assert(numerator <= denominator, 'a probability is at most one')
      return uniform(nextUint32, 1, denominator) <= numerator
    },
    pick: <T>(list: readonly T[]): T => {
      assert(list.length > 0, 'a list to pick from is not empty')
      // The index is in range; a cast, because T itself may include undefined.
      return list[uniform(nextUint32, 0, list.length - 1)] as T
    },
    exponentialMicros: (meanMicros) => exponential(nextUint32, meanMicros),
    snapshot: () => {
      const { c, s0, s1, s2 } = generator.state()
      return { carry: c, lag0: s0 * TWO_POW_32, lag1: s1 * TWO_POW_32, lag2: s2 * TWO_POW_32 }
    },
  }
}

/**
 * A uniform integer between two bounds: it draws 32 or 53 bits and rejects draws beyond the greatest multiple of the
 * range, fewer than half.
 */
function uniform(nextUint32: () => number, low: number, high: number): number {
  assert(Number.isSafeInteger(low) && Number.isSafeInteger(high), 'bounds are safe integers')
  assert(low <= high, 'a range is not empty')
  assert(Number.isSafeInteger(high - low), 'the width of a range is a safe integer')
  const count = high - low + 1
  const isNarrow = count <= TWO_POW_32
  const drawCount = isNarrow ? TWO_POW_32 : TWO_POW_53
  const fairCount = drawCount - modFloor(drawCount, count)
  let draw = drawCount
  while (draw >= fairCount) {
    draw = isNarrow ? nextUint32() : (nextUint32() >>> 11) * TWO_POW_32 + nextUint32()
  }
  return low + modFloor(draw, count)
}

/**
 * Von Neumann's comparison method: no logarithm. The whole means are a count of failed rounds, the
 * fraction is the first draw of the round that succeeds; a round succeeds when its falling run of
 * draws has odd length, which has the probability that an exponential variable demands. Uniform
 * draws have 48 bits, so that probabilities are exact to 2^-48. About 12 draws of 32 bits.
 * Source: J. von Neumann, "Various techniques used in connection with random digits" (1951).
 */
function exponential(nextUint32: () => number, meanMicros: number): number {
  const isMean = Number.isSafeInteger(meanMicros) && meanMicros >= 0 && meanMicros <= TWO_POW_46
  assert(isMean, 'a mean is an integer from 0 to 2^46')
  const next48 = (): number => nextUint32() * TWO_POW_16 + (nextUint32() >>> 16)
  for (let means = 0; means < EXPONENTIAL_MEANS_MAX; means += 1) {
    const first = next48()
    let last = first
    let runLength = 1
    for (let next = next48(); next < last; next = next48()) {
      last = next
      runLength += 1
    }
    if (modFloor(runLength, 2) === 1) {
      return means * meanMicros + mulDivHalfAway(meanMicros, first, TWO_POW_48)
    }
  }
  return EXPONENTIAL_MEANS_MAX * meanMicros
}

function isIndexBelow(value: number, limit: number): boolean {
  return Number.isSafeInteger(value) && value >= 0 && value < limit
}
