/** The JSON Schema for editors: it takes the scenarios of the repository and refuses a wrong one. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { findMethod, methodNames } from '../../../src/gateways/index.ts'
import { scenarioJsonSchema } from '../../../src/scenario/index.ts'
import { deskMarket } from '../../support/desk-market.ts'
import { repository } from '../../support/repository.ts'

const schema = scenarioJsonSchema() as Record<string, unknown>
const { allOf, ...shape } = schema
const isScenario = new Ajv2020({ strict: false }).compile(schema)

const folder = join(repository, 'scenarios')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'))

test.each(files)('it takes %s', (name) => {
  isScenario(parse(readFileSync(join(folder, name), 'utf8')))
  expect(isScenario.errors).toBeNull()
})

const file = { version: 1, title: 'A test', start: '2026-01-05T09:00:00Z', instruments: ['BTC-PERPETUAL'] }

test.each([
  ['a method that does not exist', { steps: [{ at: '0ms', call: 'private/bye' }] }],
  ['a key that does not exist', { stepss: [] }],
  ['a text where a number belongs', { index: { btc_usd: 'high' } }],
  ['a step without a method', { steps: [{ at: '0ms' }] }],
  ['another version', { version: 2 }],
  ['a currency that does not exist', { accounts: { ann: { deposit: { BTX: 1 } } } }],
  ['a fund in a currency that settles nothing', { venue: { insurance_fund: { SOL: 1 } } }],
  ['a fund in debt', { venue: { insurance_fund: { BTC: -1 } } }],
  ['a smile without its middle', { venue: { smiles: { btc_usd: { skew: 0.1 } } } }],
  ['a margin model that there is not', { accounts: { ann: { margin_model: 'cross' } } }],
  ['a group that there is not', { venue: { lsp: { group_limits: { '9': 0.1 } } } }],
  ['more than all of the fees', { accounts: { ann: { fee_factor: 1.5 } } }],
  ['a rate above 1', { venue: { funding_dampers: [{ from: '2019-01-01T00:00:00Z', rate: 1.5 }] } }],
])('it refuses %s', (_title, part) => {
  expect(isScenario(file)).toBe(true)
  expect(isScenario({ ...file, ...part })).toBe(false)
})

test.each([
  ['public/get_last_trades_by_instrument_and_time', { instrument_name: 'BTC-PERPETUAL' }],
  ['public/get_last_trades_by_currency_and_time', { currency: 'BTC' }],
])('B09 it requires both times of %s, of which a run needs one', (call, params) => {
  const accepts = (times: object): boolean =>
    isScenario({ ...file, steps: [{ at: '0ms', call, params: { ...params, ...times } }] })
  expect(accepts({ start_timestamp: 0, end_timestamp: 1 })).toBe(true)
  expect(accepts({ start_timestamp: 0 })).toBe(false)
  expect(accepts({ end_timestamp: 1 })).toBe(false)
  expect(deskMarket().ask(null, call, { ...params, start_timestamp: 0 }).ok).toBe(true)
})

/** The parts of a schema that editors show. */
interface Shown {
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly properties?: Readonly<Record<string, Shown>>
  readonly items?: Shown
}

/** The parameters that an editor offers for each method. */
function offered(): ReadonlyMap<string, Readonly<Record<string, Shown>>> {
  const [rule] = allOf as [{ readonly properties: { readonly steps: { readonly items: { readonly allOf: never[] } } } }]
  const rules: readonly {
    readonly if: { readonly properties: { readonly call: { readonly const: string } } }
    readonly then: { readonly properties: { readonly params: Shown } }
  }[] = rule.properties.steps.items.allOf
  return new Map(
    rules.map(({ if: { properties }, then }) => [properties.call.const, then.properties.params.properties ?? {}]),
  )
}

test('it completes every parameter of every method with its description, and listed words as values', () => {
  const methods = offered()
  for (const name of methodNames) {
    const names = Object.keys(findMethod(name)?.params.shape ?? {})
    const shown = methods.get(name) ?? {}
    expect(Object.keys(shown), name).toEqual(names)
    for (const [key, { description }] of Object.entries(shown)) expect(description, `${name} ${key}`).toBeTruthy()
  }
  expect(methods.get('private/buy')?.['time_in_force']).toMatchObject({
    examples: ['good_til_cancelled', 'good_til_day', 'fill_or_kill', 'immediate_or_cancel'],
    default: 'good_til_cancelled',
  })
  const set = methods.get('private/mass_quote')?.['quotes']?.items?.properties
  expect(Object.keys(set?.['bid']?.properties ?? {})).toContain('post_only')
})

test('it takes wrong parameters of every method, because files test them', () => {
  const junk: readonly unknown[] = [null, true, -1, 'x', [], [1], { a: 1 }, 1e300]
  for (const [call, params] of offered()) {
    if (findMethod(call)?.requires !== undefined) continue
    for (const value of junk) {
      const wrong = Object.fromEntries(Object.keys(params).map((key) => [key, value]))
      isScenario({ ...file, steps: [{ at: '0ms', call, params: { ...wrong, unknown: value } }] })
      expect(isScenario.errors, call).toBeNull()
    }
  }
})

test('it has at most 200 kB', () => {
  expect(JSON.stringify(schema).length).toBeLessThan(200_000)
})

test('it has a title and an id, names the methods and leaves parameters open', () => {
  expect(schema).toMatchObject({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:pitclock:scenario:1',
    title: 'Pitclock scenario',
  })
  const step = z
    .object({
      properties: z.object({
        steps: z.object({
          items: z.object({
            properties: z.object({
              call: z.object({ enum: z.array(z.string()) }),
              params: z.object({ additionalProperties: z.object({}).strict() }),
            }),
          }),
        }),
      }),
    })
    .parse(schema).properties.steps.items.properties
  expect(step.call.enum).toEqual(methodNames)
})

test('instruments describe the fields of mark, funding and delivery', () => {
  const text = JSON.stringify(schema)
  const fields = ['delivery_commission', 'mark_band', 'impact_amount', 'funding_cap']
  for (const field of [...fields, 'funding_damper']) {
    expect(text).toMatch(new RegExp(`"${field}":\\{[^{}]*"description":`))
  }
  expect(text).toMatch(/"listed_futures":\{[^{}]*"uniqueItems":true/)
})

test('every key has a description, or its parts describe it', () => {
  const bare: string[] = []
  const visit = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return
    const { properties } = node as { properties?: Record<string, Record<string, unknown>> }
    for (const [key, child] of Object.entries(properties ?? {})) {
      const at = `${path}.${key}`
      const speaks = ['description', 'examples', 'properties', 'additionalProperties', 'const']
      if (!speaks.some((word) => word in child)) bare.push(at)
    }
    for (const [key, child] of Object.entries(node)) visit(child, key === 'properties' ? path : `${path}.${key}`)
  }
  visit(shape, '')
  // The population describes itself, in `backtest`.
  expect(bare.filter((path) => !path.startsWith('.population'))).toEqual([])
})
