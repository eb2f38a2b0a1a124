/** Random steps of Block RFQs: takers request and accept, makers quote, time passes. */
import fc from 'fast-check'
import type { Direction } from './naive-rfq-terms.ts'
import { makers } from './rfq-venue.ts'

/** The number of structures of a walk. */
export const STRUCTURES = 5

const side = fc.constantFrom<Direction>('buy', 'sell')
const maker = fc.constantFrom(...makers, 'poor')
/** Mostly the latest RFQ, otherwise an earlier one. */
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
  /** True if another account of the taker's owner takes a share. */
  shared: fc.constantFrom(false, false, true),
})

const add = fc.record({
  ...{ what: fc.constant('add' as const), maker, back, side, level },
  /** Quarters of the amount; 5 exceeds it. */
  quarters: fc.constantFrom(2, 2, 2, 3, 3, 4, 4, 1, 5),
  allOrNone: fc.constantFrom(false, false, false, true),
  label: fc.constantFrom('', '', 'a', 'b'),
  expiresIn: fc.constantFrom(null, null, null, 20, 7_000, 900_000),
  /** True if the maker with little money gets a loan for it. */
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

/** An edit of one of the latest quotes. */
const edit = fc.record({
  ...{ what: fc.constant('edit' as const), quote: fc.nat(6), level },
  quarters: fc.constantFrom(1, 2, 4, 4),
})

/** A maker sets its limit in coins; null for no limit. */
const protect = fc.record({
  ...{ what: fc.constant('protect' as const), maker: fc.constantFrom(...makers) },
  most: fc.constantFrom(null, 1, 30, 60, 120, 300),
})

const cancelQuote = fc.record({ what: fc.constant('cancel_quote' as const), quote: fc.nat(6) })

/** The taker cancels the latest RFQ, or lets it expire. */
const leave = fc.oneof(
  fc.record({ ...{ what: fc.constant('cancel' as const), back: fc.constant(0) } }),
  fc.record({ ...{ what: fc.constant('wait' as const), millis: fc.constant(300_000) } }),
)

/** Steps with their weights. */
const walkStep = fc.oneof(
  { weight: 2, arbitrary: create },
  { weight: 8, arbitrary: add },
  { weight: 5, arbitrary: accept },
  { weight: 4, arbitrary: wait },
  { weight: 2, arbitrary: edit },
  { weight: 1, arbitrary: cancelQuote },
  { weight: 1, arbitrary: protect },
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

/** The taker accepts the latest RFQ at any price. */
const willing = accept.map((accepted) => {
  const limit = accepted.side === 'buy' ? 2 : -2
  return { ...accepted, back: 0 as const, level: limit, foreign: false }
})

/** A round of an RFQ: created, quoted, past its grace period, and accepted, with other steps in between. */
const takenRound = fc.tuple(
  create.map((asked): WalkSteps => [asked]),
  fc.array(add, { minLength: 3, maxLength: 7 }),
  fc.array(fc.oneof(walkStep, edit, cancelQuote, protect), { maxLength: 4 }),
  grace.map((waited): WalkSteps => [waited]),
  fc.array(fc.oneof(walkStep, accept, willing), { minLength: 1, maxLength: 5 }),
  fc.array(leave, { maxLength: 1 }),
)

/** A round in which the taker waits for quotes. */
const waitedRound = fc.tuple(
  create.map((asked): WalkSteps => [asked]),
  grace.map((waited): WalkSteps => [waited]),
  accept.map((accepted): WalkSteps => [{ ...accepted, back: 0, rests: true, foreign: false }]),
  fc.array(fc.oneof({ weight: 3, arbitrary: add }, { weight: 1, arbitrary: walkStep }), {
    ...{ minLength: 2, maxLength: 7 },
  }),
  fc.array(leave, { maxLength: 1 }),
)

/** A competitive quote for half or more of the latest RFQ. */
const half = (name: (typeof makers)[number]): fc.Arbitrary<WalkSteps> =>
  add.map((quoted) => [
    {
      ...{ ...quoted, maker: name, back: 0, side: 'sell', label: '', expiresIn: null },
      ...{ allOrNone: false, quarters: quoted.quarters === 3 ? 3 : 2 },
    },
  ])

/** A round in which two makers share the fill. */
const sharedRound = fc.tuple(
  create.map((asked): WalkSteps => [{ ...asked, targets: 0 }]),
  half('alpha'),
  half('bravo'),
  grace.map((waited): WalkSteps => [waited]),
  willing.map((accepted): WalkSteps => [{ ...accepted, side: 'buy', level: 2 }]),
)

/** Walks of one to three rounds. */
export const rfqWalks = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: takenRound },
      { weight: 2, arbitrary: waitedRound },
      { weight: 1, arbitrary: sharedRound },
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((rounds): WalkSteps => rounds.flat(2))

type WalkSteps = readonly WalkStep[]

/** A step of a walk. */
export type WalkStep = typeof walkStep extends fc.Arbitrary<infer S> ? S : never
