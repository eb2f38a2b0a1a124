/**
 * The readers of parameters compared with the schemas that they are derived from: for any request to a method, right or
 * wrong, zod gives the same parameters or the same fault.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { findMethod, methodNames } from '../../src/gateways/index.ts'
import type { Fault } from '../../src/model/index.ts'
import { paramFault } from '../../src/rpc/index.ts'
import { askedRuns, askedSeed, isWhole } from '../support/property-runs.ts'

/** Values that people send, mostly in the wrong place. */
const anything = fc.constantFrom<unknown>(
  ...[null, undefined, true, false, 0, -0, 1, -1, 0.5, 10, 101, 1e16, 9_007_199_254_740, 9_007_199_254_741],
  ...[Number.NaN, Number.POSITIVE_INFINITY, '', 'x', 'BTC', 'any', 'all', 'limit', 'a'.repeat(64)],
  ...['\u{1f600}'.repeat(64), 'a'.repeat(65), '7', 'buy', 'btc_usd', 'BTC-PERPETUAL', [], ['BTC'], ['x']],
  ...[{}, { decimal: '1.5' }, { decimal: 'x' }, { decimal: 1 }, { decimal: null }, [{}], [null], [[]]],
  ...[new Date(0), Object.create({ decimal: '1' }), Object.assign(Object.create(null), { decimal: '2' })],
)

/** Values for a part of a schema: one in `rate` has any form. */
function valueFor(schema: z.ZodType, rate: number): fc.Arbitrary<unknown> {
  return fc.oneof({ weight: rate, arbitrary: fittingFor(schema, rate) }, { weight: 1, arbitrary: anything })
}

function fittingFor(schema: z.ZodType, rate: number): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return valueFor(inner(schema), rate)
  if (schema instanceof z.ZodNullable) return fc.oneof(fc.constant(null), valueFor(inner(schema), rate))
  if (schema instanceof z.ZodUnion) {
    return fc.oneof(...schema.options.map((each) => valueFor(each as z.ZodType, rate)))
  }
  if (schema instanceof z.ZodLiteral) return fc.constantFrom<unknown>(...schema.values)
  if (schema instanceof z.ZodEnum) return fc.constantFrom<unknown>(...schema.options)
  if (schema instanceof z.ZodBoolean) return fc.boolean()
  if (schema instanceof z.ZodPipe) return valueFor(schema.def.in as z.ZodType, rate)
  if (schema instanceof z.ZodNumber) {
    const usual = fc.integer({ min: 1, max: 1000 })
    return fc.oneof({ weight: 8, arbitrary: usual }, fc.integer({ min: -2, max: 2000 }), fc.double())
  }
  if (schema instanceof z.ZodString) return fc.constantFrom('1.5', '7', 'x', 'BTC-PERPETUAL', 'btc_usd', 'a name')
  if (schema instanceof z.ZodArray) return fc.array(valueFor(schema.element as z.ZodType, rate), { maxLength: 3 })
  if (schema instanceof z.ZodRecord) {
    return fc.dictionary(
      fc.constantFrom('BTC-PERPETUAL', 'x', '__proto__'),
      valueFor(schema.valueType as z.ZodType, rate),
    )
  }
  if (schema instanceof z.ZodObject) return objectsFor(schema, rate)
  return anything
}

function inner(schema: z.ZodOptional | z.ZodDefault | z.ZodNullable): z.ZodType {
  return schema.def.innerType as z.ZodType
}

/** Objects of a schema, in any order and with unknown names too. */
function objectsFor(schema: z.ZodObject, rate: number): fc.Arbitrary<object> {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>)
  const requiredKeys = fields.filter(([, field]) => !field.safeParse(undefined).success).map(([name]) => name)
  const values = Object.fromEntries(fields.map(([name, field]) => [name, valueFor(field, rate)]))
  const fitting = fc.record<Record<string, unknown>>({ ...values, unknown_name: anything }, { requiredKeys })
  const known = fc.record(values, { requiredKeys })
  const some = fc.record(values, { requiredKeys: [] })
  return fc
    .oneof({ weight: 5, arbitrary: fitting }, { weight: 4, arbitrary: known }, { weight: 1, arbitrary: some })
    .chain((object) => (rate > 10 ? fc.constant(object) : reordered(object)))
}

/** Requests to a method: almost right ones, and ones with several mistakes. */
function paramsFor(schema: z.ZodObject): fc.Arbitrary<object> {
  return fc.oneof({ weight: 2, arbitrary: objectsFor(schema, 60) }, { weight: 1, arbitrary: objectsFor(schema, 4) })
}

function reordered(object: object): fc.Arbitrary<object> {
  const entries = Object.entries(object)
  return fc.shuffledSubarray(entries, { minLength: entries.length }).map(Object.fromEntries)
}

/** Every parameter of a schema by its name, including those from another maker. */
function named(schema: z.ZodObject, read: object): unknown {
  return Object.keys(schema.shape).map((name) => [name, (read as Record<string, unknown>)[name]])
}

/** The parameters without `null` values, also in entries of lists. */
function withoutNulls(params: object): object {
  const entriesOf = (value: unknown): unknown =>
    Array.isArray(value) ? value.map((entry: unknown) => (isRecord(entry) ? givenOf(entry) : entry)) : value
  return Object.fromEntries(Object.entries(givenOf(params)).map(([name, value]) => [name, entriesOf(value)]))
}

/** The fields of an object, inherited ones too, without `null` values. */
function givenOf(object: object): object {
  const names: string[] = []
  for (const name in object) names.push(name)
  const entries = names.map((name) => [name, (object as Record<string, unknown>)[name]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== null))
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fault of the first issue of zod, in the venue's words. */
function faultOfZod(error: z.ZodError, params: object): Fault {
  const issue = error.issues[0]
  const path = [...(issue?.path ?? [])]
  if (path.at(-1) === 'decimal') path.pop()
  let value: unknown = params
  for (const step of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[step]
  const param = path.length === 0 ? 'params' : path.map(String).join('.')
  return paramFault(param, (value ?? null) === null ? 'required' : problemOf(issue))
}

function problemOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code !== 'invalid_union') return wordOf(issue)
  return wordOf(issue.errors.flat().find(({ code }) => code !== 'invalid_type'))
}

function wordOf(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return 'wrong_type'
  return words.get(issue.code) ?? (issue.code === 'custom' ? issue.message : 'invalid')
}

const words: ReadonlyMap<string, string> = new Map([
  ['invalid_value', 'unknown_value'],
  ['too_small', 'too_small'],
  ['too_big', 'too_large'],
  ['invalid_type', 'wrong_type'],
  ['invalid_union', 'wrong_type'],
])

const numRuns = askedRuns(600, 1, 60)

describe('readers and schemas agree', () => {
  test.each(methodNames)('%s', (name) => {
    const method = findMethod(name)
    if (method === undefined) throw new Error('a name of the table has a method')
    const { params: schema, reader } = method
    let accepted = 0
    const property = fc.property(paramsFor(schema), (params) => {
      const parsed = schema.safeParse(withoutNulls(params))
      const read = reader(params)
      if (!parsed.success) {
        expect(read).toEqual({ ok: false, fault: faultOfZod(parsed.error, params) })
        return
      }
      if (!read.ok) throw new Error(`zod accepts it; the reader: ${JSON.stringify(read.fault)}`)
      accepted += 1
      expect(named(schema, read.value)).toStrictEqual(named(schema, parsed.data))
      expect(Object.keys(read.value).every((key) => key in schema.shape)).toBe(true)
    })
    fc.assert(property, { numRuns, ...askedSeed(20_261_123) })
    if (isWhole) expect(accepted).toBeGreaterThan(0)
  })
})

test('a reader never runs its schema', () => {
  for (const name of methodNames) {
    const { params: schema, reader } = findMethod(name) ?? {}
    if (schema === undefined || reader === undefined) throw new Error('a name of the table has a method')
    const samples = fc.sample(paramsFor(schema), { numRuns: 5, seed: 7 })
    const parts = [schema, ...Object.values(schema.shape as Record<string, z.ZodType>)].map(({ _zod }) => _zod)
    const runs = parts.map(({ run }) => run)
    for (const part of parts) {
      part.run = () => {
        throw new Error(`${name} runs its schema`)
      }
    }
    expect(() => schema.safeParse({})).toThrow('runs its schema')
    for (const params of samples) reader(params)
    for (const [at, part] of parts.entries()) part.run = runs[at] as typeof part.run
  }
})
