/**
 * Random steps of Block RFQs: takers ask and accept, makers quote, time passes.
 */
import fc from 'fast-check'
import type { Direction } from './naive-rfq-terms.ts'
import { makers } from './rfq-venue.ts'

/** Structures that a walk knows. */
export const STRUCTURES = 4

const side = fc.constantFrom<Direction>('buy', 'sell')
const maker = fc.constantFrom(...makers, 'poor')
/** Mostly the latest RFQ, else one before it. */
const back = fc.constantFrom(0, 0, 0, 0, 1, 2)
const level = fc.integer({ min: -2, max: 2 })

const create = fc.record({
  what: fc.constant('create' as const),
  taker: fc.constantFrom('taker', 'taker', 'rival'),
  structure: fc.nat(STRUCTURES - 1),
  hedged: fc.boolean(),
  disclosed: fc.boolean(),
  targets: fc.constantFrom(0, 0, 0, 1, 5),
  label: fc.constantFrom('', 'one'),
  /** Whether another account of its owner takes a part. */
  shared: fc.constantFrom(false, false, true),
})

const add = fc.record({
  ...{ what: fc.constant('add' as const), maker, back, side, level },
  /** Of four quarters of the amount; 5 is beyond it. */
  quarters: fc.constantFrom(2, 2, 3, 3, 4, 4, 4, 1, 5),
  allOrNone: fc.constantFrom(false, false, false, true),
  label: fc.constantFrom('', '', 'a', 'b'),
  expiresIn: fc.constantFrom(null, null, null, 20, 7_000, 900_000),
  /** Whether the maker who is poor is lent money for it. */
  lent: fc.constantFrom(true, true, true, false),
})

const accept = fc.record({
  ...{ what: fc.constant('accept' as const), back, side, level },
  rests: fc.boolean(),
  foreign: fc.constantFrom(false, false, false, false, false, false, true),
})

const wait = fc.record({
  what: fc.constant('wait' as const),
  millis: fc.constantFrom(1, 900, 1_100, 5_000, 5_000, 5_000, 60_000, 300_000),
})

/** Steps with how often each is taken. */
const walkStep = fc.oneof(
  { weight: 2, arbitrary: create },
  { weight: 8, arbitrary: add },
  { weight: 5, arbitrary: accept },
  { weight: 4, arbitrary: wait },
  {
    weight: 2,
    arbitrary: fc.record({
      ...{ what: fc.constant('edit' as const), quote: fc.nat(9), level },
      quarters: fc.constantFrom(1, 2, 4, 4),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('cancel_quote' as const), quote: fc.nat(9) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('cancel_all' as const), maker, of: fc.boolean() }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      what: fc.constantFrom('cancel' as const, 'cancel_triggers' as const),
      back,
    }),
  },
)

const grace = fc.record({ ...{ what: fc.constant('wait' as const), millis: fc.constant(5_000) } })

/** A round of an RFQ: asked, quoted, its grace over, and taken, with other steps in between. */
const takenRound = fc.tuple(
  create.map((asked): WalkSteps => [asked]),
  fc.array(add, { minLength: 2, maxLength: 6 }),
  fc.array(walkStep, { maxLength: 4 }),
  grace.map((waited): WalkSteps => [waited]),
  fc.array(fc.oneof(walkStep, accept), { minLength: 1, maxLength: 5 }),
)

/** A round in which the taker waits for quotes. */
const waitedRound = fc.tuple(
  create.map((asked): WalkSteps => [asked]),
  grace.map((waited): WalkSteps => [waited]),
  accept.map((accepted): WalkSteps => [{ ...accepted, back: 0, rests: true, foreign: false }]),
  fc.array(fc.oneof({ weight: 3, arbitrary: add }, { weight: 1, arbitrary: walkStep }), {
    ...{ minLength: 2, maxLength: 7 },
  }),
)

/** Walks of one to three rounds. */
export const rfqWalks = fc
  .array(fc.oneof({ weight: 2, arbitrary: takenRound }, { weight: 1, arbitrary: waitedRound }), {
    ...{ minLength: 1, maxLength: 3 },
  })
  .map((rounds): WalkSteps => rounds.flat(2))

type WalkSteps = readonly WalkStep[]

/** A step of a walk. */
export type WalkStep = typeof walkStep extends fc.Arbitrary<infer S> ? S : never
