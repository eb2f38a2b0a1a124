/**
 * The readers of parameters compared with the schemas that they are built from: any request to a method, right or
 * wrong, gives the same parameters or the same refusal, and a reader passes no valid parameters to its schema.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { findMethod, methodNames } from '../../src/gateways/index.ts'
import type { RequestParams } from '../../src/rpc/index.ts'
import { unread } from '../../src/rpc/methods/parameter-readers.ts'
import { readParams, shapeFault, withoutNulls } from '../../src/rpc/methods/parameter-shape.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'

/** Values that people send, mostly in the wrong place. */
const anything = fc.constantFrom<unknown>(
  ...[null, undefined, true, false, 0, -0, 1, -1, 0.5, 10, 101, 1e16, 9_007_199_254_740, 9_007_199_254_741],
  ...[Number.NaN, Number.POSITIVE_INFINITY, '', 'x', 'BTC', 'any', 'all', 'limit', 'a'.repeat(64)],
  ...['\u{1f600}'.repeat(64), 'a'.repeat(65), '7', 'buy', 'btc_usd', 'BTC-PERPETUAL', [], ['BTC'], ['x']],
  ...[{}, { decimal: '1.5' }, { decimal: 'x' }, { decimal: 1 }, { decimal: null }, [{}], [null], [[]]],
  ...[new Date(0), Object.create({ decimal: '1' }), Object.assign(Object.create(null), { decimal: '2' })],
)

/** Values for a part of a schema: mostly valid ones. */
function valueFor(schema: z.ZodType): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: 60, arbitrary: fittingFor(schema) }, { weight: 1, arbitrary: anything })
}

function fittingFor(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return valueFor(inner(schema))
  if (schema instanceof z.ZodNullable) return fc.oneof(fc.constant(null), valueFor(inner(schema)))
  if (schema instanceof z.ZodUnion) return fc.oneof(...schema.options.map((each) => valueFor(each as z.ZodType)))
  if (schema instanceof z.ZodEnum) return fc.constantFrom<unknown>(...schema.options)
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodPipe) return valueFor(schema.def.in as z.ZodType)
  if (schema instanceof z.ZodNumber) {
    const usual = fc.integer({ min: 1, max: 1000 })
    return fc.oneof({ weight: 8, arbitrary: usual }, fc.integer({ min: -2, max: 2000 }), fc.double())
  }
  if (schema instanceof z.ZodString) return fc.constantFrom('1.5', 'x', 'BTC-PERPETUAL', 'btc_usd', 'a name')
  if (schema instanceof z.ZodArray) return fc.array(valueFor(schema.element as z.ZodType), { maxLength: 3 })
  if (schema instanceof z.ZodObject) return paramsFor(schema)
  return anything
}

function inner(schema: z.ZodOptional | z.ZodDefault | z.ZodNullable): z.ZodType {
  return schema.def.innerType as z.ZodType
}

/** Objects of a schema, with unknown names too. */
function paramsFor(schema: z.ZodObject): fc.Arbitrary<object> {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>)
  const requiredKeys = fields.filter(([, field]) => !field.safeParse(undefined).success).map(([name]) => name)
  const values = Object.fromEntries(fields.map(([name, field]) => [name, valueFor(field)]))
  const fitting = fc.record<Record<string, unknown>>({ ...values, unknown_name: anything }, { requiredKeys })
  const some = fc.record(values, { requiredKeys: [] })
  return fc.oneof({ weight: 9, arbitrary: fitting }, { weight: 1, arbitrary: some })
}

/** Every parameter of a schema by its name, including those from another maker. */
function named(schema: z.ZodObject, read: object): unknown {
  return Object.keys(schema.shape).map((name) => [name, (read as Record<string, unknown>)[name]])
}

/** Rules of faults refuse unknown names; readers leave that to the schema. */
const isStrict: ReadonlySet<string> = new Set(['sim/set_faults'])
/** The schema itself makes default values that are objects, and objects with arbitrary names. */
const bySchema: ReadonlySet<string> = new Set(
  methodNames.filter((name) => {
    const { shape } = findMethod(name)?.params ?? z.object({})
    return Object.values(shape as Record<string, z.ZodType>).some((field) => {
      const none = field.safeParse(undefined)
      return none.success && typeof none.data === 'object'
    })
  }),
)

describe('readers and schemas give the same parameters', () => {
  test.each(methodNames)('%s', (name) => {
    const method = findMethod(name)
    if (method === undefined) throw new Error('a name of the table has a method')
    const numRuns = askedRuns(400, 1, 16)
    let accepted = 0
    const property = fc.property(paramsFor(method.params), (params) => {
      // The request may have any type.
      const given = params as RequestParams
      const parsed = method.params.safeParse(withoutNulls(given))
      const read = readParams(method, given)
      expect(read.ok).toBe(parsed.success)
      if (parsed.success && read.ok) {
        accepted += 1
        expect(named(method.params, read.value)).toStrictEqual(named(method.params, parsed.data))
        expect(Object.keys(read.value).every((key) => key in method.params.shape)).toBe(true)
      }
      if (!parsed.success && !read.ok) expect(read.fault).toEqual(shapeFault(parsed.error, given))
    })
    fc.assert(property, { numRuns, ...askedSeed(20_261_123) })
    if (isWhole) expect(accepted).toBeGreaterThan(0)
  })
})

test('only few methods leave valid parameters to the schema', () => {
  expect(bySchema.size).toBeLessThan(8)
  for (const name of methodNames) {
    const method = findMethod(name)
    if (method === undefined || bySchema.has(name) || isStrict.has(name)) continue
    for (const params of fc.sample(paramsFor(method.params), { numRuns: 50, seed: 7 })) {
      const plain = JSON.parse(JSON.stringify(params)) as RequestParams
      if (!method.params.safeParse(withoutNulls(plain)).success) continue
      expect(method.reader(plain), name).not.toBe(unread)
    }
  }
})
