/**
 * The market of the property test of protections, as the head of a scenario file, so that a run and the file that
 * reproduces its failure begin with the same requests.
 *
 * A market maker and a Member have groups of market-maker protection; two other accounts trade with them. The ETH
 * future and the ETH option are behind the speed bump, the ETH perpetual is not; BTC is on the main engine.
 */

import { formatInputError } from '../../src/core/index.ts'
import { parseScenario, type Scenario } from '../../src/scenario/index.ts'

/** The start of every run. */
export const startText = '2026-01-05T09:00:00Z'

/** An instrument with the price grid of the run's orders. There are few prices and sizes, so that orders match. */
export interface Traded {
  readonly name: string
  readonly index: string
  readonly middle: number
  readonly step: number
  readonly decimals: number
  /** The smallest traded size, in the unit of the instrument. */
  readonly size: number
  readonly waits: boolean
  readonly isOption: boolean
}

/**
 * The traded instruments. At the middle price, one size of the ETH future, perpetual or option is half a coin or one
 * coin.
 */
export const traded: readonly Traded[] = [
  {
    ...{ name: 'ETH-PERPETUAL', index: 'eth_usd', middle: 3000, step: 1, decimals: 0 },
    ...{ size: 1500, waits: false, isOption: false },
  },
  {
    ...{ name: 'ETH-30JAN26', index: 'eth_usd', middle: 3000, step: 1, decimals: 0 },
    ...{ size: 1500, waits: true, isOption: false },
  },
  {
    ...{ name: 'ETH-30JAN26-3000-C', index: 'eth_usd', middle: 0.0625, step: 0.0005, decimals: 4 },
    ...{ size: 1, waits: true, isOption: true },
  },
  {
    ...{ name: 'BTC-PERPETUAL', index: 'btc_usd', middle: 100000, step: 10, decimals: 0 },
    ...{ size: 50000, waits: false, isOption: false },
  },
]

/** The participants. `gate` is a Member with two sessions of direct access. */
export const accountNames = ['maker', 'gate', 'taker', 'other'] as const
export type AccountName = (typeof accountNames)[number]

/** Sessions by number; 0 is HTTP. */
export const sessions = {
  http: 0,
  /** The market maker's session, with cancel-on-disconnect, which mass quotes need. */
  maker: 1,
  /** The taker's sessions, with and without cancel-on-disconnect. */
  covered: 2,
  plain: 3,
  /** The Member's own WebSocket. */
  member: 4,
  gateA: 11,
  gateB: 12,
} as const

/** Names of the groups of quotes; null is the group of orders. */
export const quoteGroups = ['alpha', 'beta'] as const

/** The head of a scenario file. */
export function headOf(title: string): string {
  const instruments = traded.map(({ name }) => name).join(', ')
  const money = 'deposit: { BTC: 1000, ETH: 10000 }'
  const lines = [
    'version: 1',
    `title: ${JSON.stringify(title)}`,
    `start: ${startText}`,
    `instruments: [${instruments}]`,
    'index: { eth_usd: 3000, btc_usd: 100000 }',
    'accounts:',
    `  maker: { margin_model: segregated_pm, ${money} }`,
    `  gate: { member: true, margin_model: segregated_pm, ${money} }`,
    `  taker: { ${money} }`,
    `  other: { ${money} }`,
  ]
  return `${lines.join('\n')}\n`
}

/** The head as a scenario without steps. */
export function headScenario(): Scenario {
  const parsed = parseScenario(`${headOf('A run of protections')}until: ${startText}\n`, 'head.yaml')
  if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
  return parsed.value
}

/** A request of a run in the form that was sent. */
export interface SentRequest {
  /** Microseconds since the start. */
  readonly at: number
  readonly method: string
  readonly account: AccountName | null
  readonly session: number
  readonly params: Params
}

export type Param = string | number | boolean | readonly Param[] | { readonly [key: string]: Param }
export interface Params {
  readonly [key: string]: Param
}
