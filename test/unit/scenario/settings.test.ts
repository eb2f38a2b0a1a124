/** Values of a scenario that are set from outside: their replacements and additions, and the messages of refusals. */
import { describe, expect, test } from 'vitest'
import type { Scenario } from '../../../src/scenario/index.ts'
import { mistakesOf as mistakesIn, sound } from './documents.ts'

const text = `version: 1
title: A market
start: 2026-01-05T09:00:00Z
seed: first
instruments: [BTC-PERPETUAL]
index: { btc_usd: 60000 }
accounts:
  maker: { deposit: { BTC: 1 } }
steps:
  - { at: 0s, as: maker, call: private/buy, params: { instrument_name: BTC-PERPETUAL, amount: 10, price: 59000 } }
`

function withSet(...set: readonly string[]): Scenario {
  return sound(text, set)
}

function mistakesOf(...set: readonly string[]): readonly string[] {
  return mistakesIn(text, set)
}

describe('a setting', () => {
  test('replaces the value of the file, in YAML', () => {
    expect(withSet('seed=7').seed).toBe('7')
    expect(withSet('title=Another').title).toBe('Another')
    expect(withSet('steps.0.params={ amount: 20 }').steps[0]?.params).toEqual({ amount: 20 })
    expect(withSet('steps.0.params.price=59000.5').steps[0]?.params).toMatchObject({
      amount: 10,
      price: 59000.5,
    })
  })

  test('adds missing keys, mappings on the way to them, and an item at the end of a list', () => {
    expect(withSet('venue.marks=index').config.marks).toBe('index')
    expect(withSet('accounts.taker.deposit.BTC=2').setup.length).toBe(withSet().setup.length + 2)
    expect(withSet('steps.1={ at: 1s, call: public/get_time }').steps).toHaveLength(2)
  })

  test('keeps the text of its number', () => {
    const step = withSet('steps.0.params.price=0.1234567890123456789').steps[0]
    expect(step?.params).toMatchObject({ price: { decimal: '0.1234567890123456789' } })
  })

  test('goes before the one that was given before it', () => {
    expect(withSet('seed=7', 'seed=8').seed).toBe('8')
    expect(withSet('steps.0.params={ price: 1 }', 'steps.0.params.amount=5').steps[0]?.params).toEqual({
      price: 1,
      amount: 5,
    })
  })

  test('says the same as a file that says it', () => {
    expect(withSet('seed=7')).toEqual(sound(text.replace('seed: first', 'seed: 7')))
  })
})

describe('a setting is refused', () => {
  test.each([
    ['seed', '--set: expected key=value, such as accounts.maker.deposit.BTC=5, found seed'],
    ['=5', '--set: expected key=value, such as accounts.maker.deposit.BTC=5, found =5'],
    ['a..b=5', '--set: expected key=value, such as accounts.maker.deposit.BTC=5, found a..b=5'],
    ['__proto__.x=1', '--set: expected key=value, such as accounts.maker.deposit.BTC=5, found __proto__.x=1'],
    ['title.x=1', '--set title.x=1: expected a mapping or a list with x, found "A market"'],
    ['steps.5.at=1s', '--set steps.5.at=1s: expected a position from 0 to 1 of a list, found 5'],
    ['steps.x=1', '--set steps.x=1: expected a position from 0 to 1 of a list, found x'],
    ['seed=0x10', '--set seed=0x10: expected a plain decimal number such as 1000 or 0.5, found 0x10'],
  ])('%s', (setting, words) => {
    const [first = ''] = mistakesOf(setting)
    expect(first.startsWith(words), first).toBe(true)
  })

  test('in the words in which the file would be, with itself as the place', () => {
    expect(mistakesOf('start=12')[0]).toMatch(/^--set start=12: start: expected a text such as/)
    expect(mistakesOf('bogus=1')[0]).toMatch(/^--set bogus=1: bogus: expected one of/)
    expect(mistakesOf('venue.bogus.x=1')[0]).toMatch(/^--set venue\.bogus\.x=1: venue\.bogus: /)
    expect(mistakesOf('accounts.maker.deposit.DOGE=1')[0]).toMatch(
      /^--set accounts\.maker\.deposit\.DOGE=1: accounts\.maker\.deposit/,
    )
  })

  test('while mistakes of the file stay in the file', () => {
    const wrong = text.replace('2026-01-05T09:00:00Z', 'soon')
    expect(mistakesIn(wrong, ['seed=7'])[0]).toMatch(/^test\.yaml:3:8: start: /)
  })
})
