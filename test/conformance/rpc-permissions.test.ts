/**
 * sim/set_permissions: the accounts that may use direct access, market-maker protection and mass quotes.
 * Source: sessions-blocks-gateways.md 8.2; trading.md 6.16, C43.
 */
import { describe, expect, test } from 'vitest'
import { openVenue } from '../../src/index.ts'
import type { Event } from '../../src/model/index.ts'
import type { RequestParams } from '../../src/rpc/index.ts'
import { runScenario } from '../../src/scenario/index.ts'
import { deskMarket } from '../support/desk-market.ts'
import { beginning, mistakesAfter, sound } from '../unit/scenario/documents.ts'

const method = 'sim/set_permissions'
const wrong = '-32602 Invalid params '

/** The changes, as `account protection change`. */
function changesOf(events: readonly Event[]): readonly string[] {
  return events.flatMap((event) => {
    if (event.kind !== 'standing') return []
    return [`${event.account} ${event.protection} ${event.change}`]
  })
}

describe('protection.permissions', () => {
  test('each changed permission is reported once; permissions that are not named stay', () => {
    const events: Event[] = []
    const m = deskMarket({ sink: { emit: (event) => events.push(event) } })
    const set = (params: RequestParams): void => {
      expect(m.result(null, method, { account: 'alice', ...params })).toBe('ok')
    }
    set({ member: true, mmp: false, mass_quotes: false })
    const summary = m.result('alice', 'private/get_account_summaries', { extended: true })
    expect(summary).toMatchObject({ mmp_enabled: false })
    set({ member: true, mass_quotes: true })
    set({})
    set({ mmp: true })
    expect(changesOf(events)).toEqual([
      '4 member on',
      '4 mmp_permission off',
      '4 mass_quote_permission off',
      '4 mass_quote_permission on',
      '4 mmp_permission on',
    ])
  })

  test.each([
    [{}, `${wrong}account required`],
    [{ account: 'nobody' }, `${wrong}account unknown_account`],
    [{ account: 'house.fees' }, `${wrong}account unknown_account`],
    [{ account: 'alice', member: 1 }, `${wrong}member wrong_type`],
    [{ account: 'alice', mmp: 'no' }, `${wrong}mmp wrong_type`],
  ])('%j is refused', (params: RequestParams, expected) => {
    expect(deskMarket().refusal(null, method, params)).toBe(expected)
  })

  test('8.2 only a main account can be a Member; its subaccounts have all other permissions separately', () => {
    const m = deskMarket()
    m.result(null, 'sim/create_account', { name: 'desk', main: 'alice' })
    expect(m.refusal(null, method, { account: 'desk', member: true })).toMatch(/^-32602 Invalid params member /)
    expect(m.result(null, method, { account: 'desk', mmp: false })).toBe('ok')
  })
})

describe('at the beginning of a run', () => {
  test('a scenario file sets them with its accounts', () => {
    const events: Event[] = []
    const accounts = '  a: { member: true, mmp: true }\n  b: { main: a, mass_quotes: false }\n'
    runScenario(sound(beginning + accounts), { sink: { emit: (event) => events.push(event) } })
    expect(changesOf(events)).toEqual(['6 member on', '7 mass_quote_permission off'])
  })

  test('a program sets them when it opens a venue', () => {
    const events: Event[] = []
    openVenue({
      start: '2026-01-05T09:00:00Z',
      accounts: { alice: { BTC: 1 } },
      permissions: { alice: { mass_quotes: false } },
      sink: { emit: (event) => events.push(event) },
    })
    expect(changesOf(events)).toEqual(['4 mass_quote_permission off'])
  })

  test('member is a key of main accounts', () => {
    expect(mistakesAfter('  b: { main: ann, member: true }\n')).toEqual([
      'test.yaml:9:19: accounts.b.member: expected this key only in a main account, found member',
    ])
  })
})
