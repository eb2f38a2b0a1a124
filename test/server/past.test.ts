/** A market that replays the past of another one. */
import { expect, test } from 'vitest'
import type { TimedRequest } from '../../src/backtest/index.ts'
import { createRun } from '../../src/scenario/index.ts'
import { relive } from '../../src/server/past.ts'
import { sound } from '../unit/scenario/documents.ts'

const text = `version: 1
title: Nothing happens
start: 2026-01-05T09:00:00Z
until: 2026-01-05T09:00:01Z
instruments: [ETH-PERPETUAL]
index: { eth_usd: 4000 }
accounts: { ann: { deposit: { ETH: 1 } } }
`

test.each([
  ['sim/connect', { session: 7 }, 7],
  ['sim/direct/logon', { session: 8 }, 8],
  // These calls name an open session.
  ['sim/get_session_messages', { session: 9 }, 5],
])('after %s the next session has a new number', async (method, params, last) => {
  const scenario = sound(text)
  const { start } = scenario
  const request: TimedRequest = { time: start, method, params, account: null, session: 5 }
  const handed: TimedRequest[] = []
  const found = await relive(
    { inputs: [{ reached: start, request }], reached: start },
    createRun(scenario, {}),
    { refill: async () => ({ ok: true, value: undefined }), journalBytes: () => 0 },
    (each) => handed.push(each),
    1,
  )
  expect(found).toBe(last)
  expect(handed).toEqual([request])
})
