/**
 * The part of zod that the build bundles into one file, compared with the package: bundling must not drop anything that
 * schemas use.
 */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import * as zod from 'zod'
import { repository } from '../support/repository.ts'

const file = join(repository, 'dist/src/core/schema.js')
// The bundle was made from these exports.
const z = (await import(file)) as typeof import('../../src/core/schema.ts')

/** Either schema maker, because both are used. */
type Maker = Pick<
  typeof zod,
  | 'string'
  | 'number'
  | 'int'
  | 'boolean'
  | 'enum'
  | 'array'
  | 'object'
  | 'strictObject'
  | 'union'
  | 'unknown'
  | 'tuple'
  | 'partialRecord'
  | 'custom'
> & { readonly literal: (values: [1, 5]) => zod.ZodType; readonly record: typeof zod.record }

const makes: Readonly<Record<string, (of: Maker) => zod.ZodType>> = {
  text: (of) => of.string().min(2).max(3).describe('some letters'),
  pattern: (of) => of.string().regex(/^[a-z]+$/),
  'text of one length': (of) => of.string().length(2).optional(),
  number: (of) => of.number().min(0).max(1).default(0.5),
  'whole number': (of) => of.int().min(1).max(10).default(2).describe('how many'),
  'true or false': (of) => of.boolean().nullish(),
  words: (of) => of.enum(['a', 'b']).default('a').meta({ title: 'either' }),
  numbers: (of) => of.literal([1, 5]),
  list: (of) => of.array(of.string()).min(1).max(2),
  fields: (of) => of.object({ a: of.string(), b: of.int().optional(), c: of.int().default(3) }),
  'fields alone': (of) => of.strictObject({ a: of.string() }).default({ a: 'x' }),
  'any names': (of) => of.record(of.string(), of.int()),
  'some names': (of) => of.partialRecord(of.enum(['a', 'b']), of.int()),
  pair: (of) => of.tuple([of.string(), of.int()]).refine(([, b]) => b > 0, 'above_zero'),
  anything: (of) => of.object({ a: of.unknown().nullable() }),
  own: (of) => of.custom<number>((value) => value === 1, 'one').meta({ type: 'number' }),
  'reported at a place': (of) =>
    of.object({ a: of.string() }).superRefine(({ a }, context) => {
      context.addIssue({ code: 'custom', path: ['a'], message: `not ${a}` })
    }),
  either: (of) => of.union([of.number(), of.object({ decimal: of.string() })]),
  'either, of one sort': (of) => of.union([of.int().min(0), of.string().regex(/^[0-9]{1,3}$/)]),
  checked: (of) => of.string().refine((text) => text !== 'ab', 'not_ab'),
  changed: (of) =>
    of
      .string()
      .transform((text: string) => `${text}!`)
      .pipe(of.string().max(3)),
}

const values: readonly unknown[] = [
  ...[undefined, null, true, 'a', 'b', 'ab', 'abc', 'abcd', '', '12', 0, 0.5, 1, 5, -1, 11],
  ...[Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, [], ['a'], ['a', 1], ['a', 'b', 'c'], {}],
  ...[{ a: 'x' }, { a: 'x', b: 1.5, d: 1 }, { a: 1, b: 2 }, { decimal: '1' }, { decimal: 1 }],
]

/** The problems of a value, without their localised sentences. */
function read(schema: zod.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const reported = (issues: readonly zod.core.$ZodIssue[]): unknown =>
    issues.map((issue) => [
      issue.code,
      issue.path,
      issue.code === 'custom' ? issue.message : null,
      issue.code === 'invalid_union' ? issue.errors.map(reported) : null,
    ])
  return reported(parsed.error.issues)
}

test.each(Object.entries(makes))('%s behaves as in zod', (_, make) => {
  // The types are those of zod; argument lists leave out arguments that are unused here.
  const [ours, theirs] = [make(z as unknown as Maker), make(zod as unknown as Maker)]
  const schemas = [ours, theirs].map((schema) => zod.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
  expect(schemas[0]).toEqual(schemas[1])
  expect(ours.description).toBe(theirs.description)
  for (const value of values) expect(read(ours, value)).toEqual(read(theirs, value))
})

test('a schema is an instance of its class, whichever maker made it', () => {
  expect(z.int()).toBeInstanceOf(zod.ZodNumber)
  expect(z.string().optional()).toBeInstanceOf(zod.ZodOptional)
  expect(zod.object({})).toBeInstanceOf(z.ZodObject)
  expect(z.string()).not.toBeInstanceOf(z.ZodArray)
})
