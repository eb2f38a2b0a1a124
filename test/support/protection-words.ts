/** Market-maker protection in words, in the form that tests send to a market (see `harness.ts`). */
import { micros } from '../../src/core/index.ts'
import type { EventOf, MmpConfig, PlacementExtras } from '../../src/model/index.ts'
import type { Market, Outcome } from './harness.ts'

/** The flag of a protected order. */
export const protectedOrder: PlacementExtras = {
  mmp: true,
  resetMmp: false,
  direct: null,
  lasting: null,
}

/** Limits in words: seconds, and coins or USD. */
export interface MmpWords {
  readonly interval?: number
  readonly frozenTime?: number
  readonly quantity?: number
  readonly delta?: number
  readonly vega?: number
  readonly maxQuote?: number
  /** `btc_usd` by default. */
  readonly index?: string
  readonly name?: string
}

/** Sets the protection of a group; by default 10 seconds of window and of freeze, and 100 coins of quotes. */
export function protect(m: Market, account: string, words: MmpWords): Outcome {
  return m.send({ kind: 'set_mmp_config', key: keyOf(words), config: configOf(words) }, account)
}

/** Resets a group. */
export function reset(m: Market, account: string, words: MmpWords = {}): Outcome {
  return m.send({ kind: 'reset_mmp', key: keyOf(words) }, account)
}

/** Converts limits in words. */
export function configOf(words: MmpWords): MmpConfig {
  const { interval = 10, frozenTime = 10, quantity, delta, vega, maxQuote = 100 } = words
  return {
    interval: micros(interval * 1_000_000),
    frozenTime: micros(frozenTime * 1_000_000),
    quantity9: quantity === undefined ? null : nano(quantity),
    delta9: delta === undefined ? null : nano(delta),
    vega9: vega === undefined ? null : nano(vega),
    maxQuote9: nano(maxQuote),
    tradeCount: null,
  }
}

/** Events of groups. */
export function mmpEvents({ events }: Pick<Outcome, 'events'>): readonly EventOf<'mmp'>[] {
  return events.filter((event) => event.kind === 'mmp')
}

function keyOf({ index = 'btc_usd', name }: MmpWords): {
  readonly index: string
  readonly name: string | null
  readonly blockRfq: false
} {
  return { index, name: name ?? null, blockRfq: false }
}

function nano(coins: number): number {
  return Math.round(coins * 1_000_000_000)
}
