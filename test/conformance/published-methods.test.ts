/** Every method that the venue publishes is served, or its error gives the reason and an alternative. */
import { describe, expect, test } from 'vitest'
import { methodNames } from '../../src/gateways/index.ts'
import { openVenue } from '../../src/program/index.ts'
import { unservedMethods } from '../../src/rpc/methods/index.ts'
import { publishedMethods } from '../support/published-methods.ts'

const start = '2026-01-05T09:00:00Z'

describe('published methods', () => {
  test('V12 each is served, or is in the list of unserved methods', () => {
    const served = new Set(methodNames)
    const answered = publishedMethods.filter((name) => Object.hasOwn(unservedMethods, name))
    const unknown = publishedMethods.filter((name) => !served.has(name) && !answered.includes(name))
    expect(unknown).toEqual([])
    expect(answered.filter((name) => served.has(name))).toEqual([])
    expect(Object.keys(unservedMethods)).toEqual(answered)
  })

  test('V12 each alternative in the list is a served method', () => {
    for (const { instead } of Object.values(unservedMethods)) {
      const named = (instead ?? '').match(/\b(?:public|private|sim)\/[a-z_]+/g) ?? []
      for (const name of named) expect(methodNames).toContain(name)
      expect(instead === null || named.length > 0).toBe(true)
    }
  })

  test.each(Object.keys(unservedMethods))('V12 the error of %s names the method and the reason', (name) => {
    const venue = openVenue({ start, accounts: { ann: { BTC: 1 } }, strict: false })
    const answer = venue.as('ann').request(name as 'public/test', {})
    expect(answer).toMatchObject({ ok: false, error: { code: -32601 } })
    expect(answer).toHaveProperty('hint', expect.stringContaining(`the venue has ${name}`))
  })

  test('V12 the error for a misspelt method suggests a similar name', () => {
    const venue = openVenue({ start, strict: false })
    const answer = venue.request('private/list_api_key' as 'public/test', {})
    expect(answer).toHaveProperty('hint', 'did you mean private/list_api_keys?')
  })
})
