/**
 * The self-test of `pitclock doctor`: a small market with a known digest. A different digest means that this machine
 * computes other results than all other machines.
 */

import { createLoop, populationSchema, populationSetup, populationSource, runLoop } from '../../backtest/index.ts'
import { micros } from '../../core/index.ts'
import { audit } from '../../engine/index.ts'
import { venueMethods } from '../../gateways/index.ts'
import { defaultConfig } from '../../model/index.ts'
import { createResultsSink } from '../../results/index.ts'
import { createDesk, submit } from '../../rpc/index.ts'
import { nodeSha256 } from '../sha256.ts'

/** The digest of the self-test on every machine; it changes only if results change. */
const EXPECTED = 'a4864aefcf6555d3f40fb1c3001a620be56bf7d273e9f508248db6ae2120d741'

/** 2026-01-05T09:00:00Z. */
const START = micros(1_767_603_600_000_000)

const market = {
  instrument: 'BTC-PERPETUAL',
  duration: '5m',
  index: { name: 'btc_usd', price: 60_000, tick: 0.5, every: '4s', step: 12 },
  amount: 10,
  makers: {
    count: 3,
    deposit: { BTC: 5 },
    every: '500ms',
    orders: 6,
    offset: [2, 30],
    size: [1, 40],
  },
  takers: { count: 5, deposit: { BTC: 1 }, every: '2s', size: [1, 20], limit_percent: 25 },
}

/** Runs the market, audits the end state, and returns its digest and the expected one. */
export function selfTest(): { readonly digest: string; readonly expected: string } {
  const results = createResultsSink({ sha256: nodeSha256, onBlock: null })
  const desk = createDesk({ config: defaultConfig(START), controls: true, methods: venueMethods }, results)
  const spec = populationSchema.parse(market)
  const listing = { method: 'sim/list_instrument', params: { instrument_name: spec.instrument } }
  for (const request of [listing, ...populationSetup(spec)]) {
    submit(desk, { ...request, time: START, account: null, session: 0 }, () => undefined)
  }
  const source = populationSource(spec, 'self-test', START)
  runLoop(createLoop(desk, [source], {}), Number.POSITIVE_INFINITY)
  audit(desk.exchange)
  return { digest: results.finish().digest, expected: EXPECTED }
}
