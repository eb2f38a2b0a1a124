/** The JSON Schema for editors: it takes the scenarios of the repository and refuses a wrong one. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import * as z from 'zod'
import { methodNames } from '../../../src/gateways/index.ts'
import { scenarioJsonSchema } from '../../../src/scenario/index.ts'
import { deskMarket } from '../../support/desk-market.ts'
import { repository } from '../../support/repository.ts'

const schema = scenarioJsonSchema() as Record<string, unknown>
const { allOf, ...shape } = schema
/**
 * zod reads its own schemas back, so that no other validator is needed. The requirements of steps beyond their shape
 * are read separately, because zod accepts keys that only one part of an intersection allows.
 */
const read = (part: object): z.ZodType => z.fromJSONSchema(part as Parameters<typeof z.fromJSONSchema>[0])
const validator = read(shape)
const requirements = read({ allOf })

const folder = join(repository, 'scenarios')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'))

test.each(files)('it takes %s', (name) => {
  const checked = validator.safeParse(parse(readFileSync(join(folder, name), 'utf8')))
  expect(checked.error?.issues ?? []).toEqual([])
  expect(requirements.safeParse(parse(readFileSync(join(folder, name), 'utf8'))).success).toBe(true)
})

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
  const file = {
    version: 1,
    title: 'A test',
    start: '2026-01-05T09:00:00Z',
    instruments: ['BTC-PERPETUAL'],
  }
  expect(validator.safeParse(file).success).toBe(true)
  expect(validator.safeParse({ ...file, ...part }).success).toBe(false)
})

test.each([
  ['public/get_last_trades_by_instrument_and_time', { instrument_name: 'BTC-PERPETUAL' }],
  ['public/get_last_trades_by_currency_and_time', { currency: 'BTC' }],
])('B09 it requires both times of %s, of which a run needs one', (call, params) => {
  const accepts = (times: object): boolean =>
    requirements.safeParse({
      steps: [{ at: '0ms', call, params: { ...params, ...times } }],
    }).success
  expect(accepts({ start_timestamp: 0, end_timestamp: 1 })).toBe(true)
  expect(accepts({ start_timestamp: 0 })).toBe(false)
  expect(accepts({ end_timestamp: 1 })).toBe(false)
  expect(deskMarket().ask(null, call, { ...params, start_timestamp: 0 }).ok).toBe(true)
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
