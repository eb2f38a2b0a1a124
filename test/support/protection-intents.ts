/**
 * Intents of a run of protections, as small numbers that fast-check draws and shrinks. Their meaning depends on the
 * state of the run when a step is taken.
 */
import fc from 'fast-check'

/** The time before a step. */
export type Wait =
  | { readonly kind: 'none' }
  | { readonly kind: 'millis'; readonly millis: number }
  /** To a due instant, a microsecond before it or after it. */
  | { readonly kind: 'instant'; readonly pick: number; readonly offset: -1 | 0 | 1 }
  /** Until a connection becomes inactive, counted from its last request. */
  | { readonly kind: 'quiet'; readonly offset: -1 | 0 | 1 }

/** One step. `pick` chooses among the current candidates. */
export interface Act {
  readonly kind: ActKind
  readonly pick: number
  readonly instrument: number
  readonly isBuy: boolean
  /** Grid steps from the middle, and sizes. */
  readonly level: number
  readonly count: number
  /** Variants of the step. */
  readonly flavour: number
  readonly group: number
}

export interface Intent {
  readonly wait: Wait
  readonly act: Act
}

/** Kinds of steps, and their weights. */
const weights = {
  place: 8,
  sweep: 4,
  hit: 10,
  protected: 8,
  amend: 7,
  cancel: 5,
  cancel_many: 2,
  quote: 10,
  cancel_quotes: 2,
  configure: 5,
  reset: 4,
  trigger: 1,
  direct: 12,
  direct_amend: 5,
  direct_cancel: 4,
  direct_quote: 5,
  direct_many: 2,
  lock: 1,
  end: 5,
  cover: 1,
  list: 2,
  index: 2,
} as const
export type ActKind = keyof typeof weights

const kinds: readonly ActKind[] = Object.keys(weights) as ActKind[]

const wait: fc.Arbitrary<Wait> = fc.oneof(
  { weight: 60, arbitrary: fc.constant<Wait>({ kind: 'none' }) },
  {
    weight: 40,
    arbitrary: fc.nat(12).map((millis): Wait => ({ kind: 'millis', millis })),
  },
  {
    weight: 20,
    arbitrary: fc.nat(1500).map((millis): Wait => ({ kind: 'millis', millis })),
  },
  {
    weight: 50,
    arbitrary: fc
      .tuple(fc.nat(11), fc.constantFrom(0 as const, -1 as const, 1 as const))
      .map(([pick, offset]): Wait => ({ kind: 'instant', pick, offset })),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(0 as const, -1 as const, 1 as const).map((offset): Wait => ({ kind: 'quiet', offset })),
  },
)

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.oneof(...kinds.map((kind) => ({ weight: weights[kind], arbitrary: fc.constant(kind) }))),
  pick: fc.nat(31),
  instrument: fc.nat(5),
  isBuy: fc.boolean(),
  level: fc.integer({ min: -3, max: 3 }),
  count: fc.integer({ min: 1, max: 5 }),
  flavour: fc.nat(23),
  group: fc.nat(5),
})

/** One step. */
export const intentArbitrary: fc.Arbitrary<Intent> = fc.record({ wait, act })
