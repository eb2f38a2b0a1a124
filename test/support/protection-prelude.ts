/** The prelude of every run of protections: sessions, and groups with their limits. */
import type { Act } from './protection-intents.ts'
import { type AccountName, type Param, type Params, sessions } from './protection-world.ts'

/** A request without its time. */
export interface Asked {
  readonly method: string
  readonly account: AccountName | null
  readonly session: number
  readonly params: Params
}

function limitsOf(act: Pick<Act, 'count' | 'flavour' | 'level'>): Params {
  const { count, flavour, level } = act
  const quantity = [0.5, 1, 1, 1.5, 2, 3][count] ?? 1
  const watched: { readonly [key: string]: Param }[] = [
    { quantity_limit: quantity },
    { quantity_limit: quantity, delta_limit: 0.4 },
    { delta_limit: 0.5 },
    { vega_limit: 5 },
    { quantity_limit: 8, vega_limit: 3, delta_limit: 1 },
    { quantity_limit: quantity },
  ]
  return {
    interval: [1, 1, 2, 5][flavour % 4] ?? 1,
    frozen_time: [1, 2, 3, 0, 2, 1][flavour % 6] ?? 1,
    max_quote_quantity: level < -2 ? 0.1 : level < -1 ? 1 : level < 0 ? 2 : level > 1 ? 6 : 3,
    ...watched[flavour % watched.length],
  }
}

/** The requests that every run begins with: sessions, and groups with their limits. */
export const prelude: readonly Asked[] = [
  connecting(sessions.maker, { account: 'maker' }),
  covering('maker', sessions.maker),
  connecting(sessions.covered, { account: 'taker' }),
  covering('taker', sessions.covered),
  directConnect(sessions.gateA, false),
  directConnect(sessions.gateB, true),
  ...(['maker', 'gate'] as const).flatMap((account) => [
    // The Member's freeze lasts longer than its first second.
    limiting(account, 'eth_usd', null, { count: 2, flavour: account === 'gate' ? 8 : 0, level: 2 }),
    limiting(account, 'btc_usd', null, { count: 1, flavour: 1, level: 0 }),
    limiting(account, 'eth_usd', 'alpha', { count: 2, flavour: 5, level: 0 }),
    limiting(account, 'eth_usd', 'beta', { count: 3, flavour: 4, level: 0 }),
  ]),
]

export function connecting(session: number, params: Params): Asked {
  return { method: 'sim/connect', account: null, session: 0, params: { session, ...params } }
}

export function directConnect(session: number, floor: boolean): Asked {
  return connecting(session, {
    ...{ type: 'direct_access', account: 'gate', schema_version: 19 },
    ...{ gateway: session === sessions.gateA ? 'ETH_A' : 'ETH_B', cancel_on_disconnect: floor },
  })
}

export function covering(account: AccountName, session: number): Asked {
  return { method: 'private/enable_cancel_on_disconnect', account, session, params: {} }
}

export function limiting(
  account: AccountName,
  index: string,
  name: string | null,
  limits: Pick<Act, 'count' | 'flavour' | 'level'>,
): Asked {
  const named = name === null ? {} : { mmp_group: name }
  const params = { index_name: index, ...named, ...limitsOf(limits) }
  return { method: 'private/set_mmp_config', account, session: 0, params }
}
