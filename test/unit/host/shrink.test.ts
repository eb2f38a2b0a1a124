/** `shrink`: the smallest scenario that fails in the same way. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runFile, type ShrunkScenario, shrink } from '../../../src/node.ts'
import { repository } from '../../support/repository.ts'

const folder = mkdtempSync(join(tmpdir(), 'pitclock-shrink-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function shrunk(text: string, options: Parameters<typeof shrink>[1] = {}): Promise<ShrunkScenario> {
  const file = join(folder, 'big.yaml')
  writeFileSync(file, text)
  const result = await shrink(file, options)
  if (!result.ok) throw new Error(result.error.lines.join('\n'))
  return result.value
}

const big = readFileSync(join(repository, 'test/fixtures/failing-scenario.yaml'), 'utf8')

test('a failed expectation keeps what it needs, with its comments', async () => {
  const { failure, text, runs, smallest, lines_before, lines_after } = await shrunk(big)
  expect(failure).toMatchObject({ code: 'EXPECTATION', path: expect.stringContaining('maker.positions') })
  expect(text).toBe(`# A position that is not the expected one.
version: 1
title: A position
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 50000 }
accounts:
  maker: { deposit: { BTC: 1 } } # makes
  # takes
  taker: { deposit: { BTC: 1 } } # pays
steps:
  - at: 0ms
    as: maker
    call: private/buy
    params: { instrument_name: BTC-PERPETUAL, amount: 10, price: 50000 }
  - { at: 0ms, as: taker, call: private/sell, params: { instrument_name: BTC-PERPETUAL, amount: 10, type: market } } # sells
expect:
  accounts:
    maker: { positions: { BTC-PERPETUAL: { size: 5 } } }
`)
  expect([smallest, lines_before, lines_after, runs < 300]).toEqual([true, 28, 19, true])
  // The same text gives the same result.
  expect((await shrunk(big)).text).toBe(text)
  const file = join(folder, 'small.yaml')
  writeFileSync(file, text)
  const again = await runFile(file)
  expect(again.ok && again.value.unmet[0]).toMatchObject({ path: failure?.path, expected: failure?.expected })
})

test('a refused step keeps its error code', async () => {
  const refused = `${big.slice(0, big.indexOf('expect:\n'))}  - { at: 17ms, as: taker, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 7, price: 50000 } }\n`
  const { failure, text } = await shrunk(refused)
  expect(failure).toMatchObject({ path: 'steps.5', found: expect.stringContaining('error') })
  expect(text.split('\n').filter((line) => line.includes('call:'))).toEqual([
    '  - { at: 0ms, as: taker, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 1 } }',
  ])
})

test('the search ends when its time is over, and leaves nothing when it is interrupted', async () => {
  let calls = 0
  const isOver = (): boolean => {
    calls += 1
    return calls > 5
  }
  const cut = await shrunk(big, { isOver, out: join(folder, 'cut.yaml') })
  expect([cut.runs, cut.smallest, cut.status]).toEqual([6, false, 'complete'])
  expect(readFileSync(join(folder, 'cut.yaml'), 'utf8')).toBe(cut.text)
  const out = join(folder, 'interrupted.yaml')
  const stopped = await shrunk(big, { interrupted: () => true, out })
  expect([stopped.status, stopped.out]).toEqual(['interrupted', null])
  expect(() => readFileSync(out)).toThrow('ENOENT')
})

test('a file that passes stays as it is; mistakes and files that exist are refused', async () => {
  const passing = big.slice(0, big.indexOf('expect:\n'))
  const { failure, text, runs } = await shrunk(passing, { out: join(folder, 'none.yaml') })
  expect([failure, text, runs]).toEqual([null, passing, 1])
  expect(() => readFileSync(join(folder, 'none.yaml'))).toThrow('ENOENT')
  const out = join(folder, 'kept.yaml')
  writeFileSync(out, 'mine')
  const file = join(folder, 'big.yaml')
  writeFileSync(file, big)
  expect(await shrink(file, { out })).toMatchObject({ ok: false, error: { errors: [{ code: 'FILE' }] } })
  expect(readFileSync(out, 'utf8')).toBe('mine')
  writeFileSync(file, 'version: 2\n')
  expect(await shrink(file)).toMatchObject({ ok: false, error: { kind: 'input' } })
  expect(await shrink(join(folder, 'a.jsonl'))).toMatchObject({ ok: false })
})
