/** Readers derived from schemas: absent values, defaults, and the first mistake. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { decimal, requestCurrency } from '../../../src/rpc/methods/params.ts'
import { paramReader } from '../../../src/rpc/methods/schema-reader.ts'
import type { RequestParams } from '../../../src/rpc/wire/request.ts'

test('null is absent at the top, and in the entries of a list', () => {
  const schema = z.object({
    a: z.string().optional(),
    b: z.number(),
    c: z.array(z.union([z.object({ d: z.string().optional(), e: z.number() }), z.string()])),
  })
  const read = paramReader(schema)({ a: null, b: 1, c: [{ d: null, e: 2 }, 'x'] })
  expect(read).toEqual({ ok: true, value: { b: 1, c: [{ e: 2 }, 'x'] } })
})

test('a default that is an object is new in each request', () => {
  const read = paramReader(z.object({ list: z.array(z.string()).default([]) }))
  const lists = [read({}), read({ list: null })].map((each) => each.ok && 'list' in each.value && each.value.list)
  expect(lists).toEqual([[], []])
  expect(lists[0]).not.toBe(lists[1])
})

test('a reader of an unknown part of a schema is a defect', () => {
  for (const part of [z.bigint(), z.number().multipleOf(2), z.string().trim(), z.record(z.enum(['a']), z.string())]) {
    expect(() => paramReader(z.object({ part }))({}), part.def.type).toThrow('readers know the parts of a schema')
  }
})

describe('the first mistake', () => {
  const schema = z.object({
    amount: decimal,
    kind: z.enum(['a', 'b']).optional(),
    many: z.union([z.enum(['BTC', 'any']), z.array(requestCurrency).min(1)]).optional(),
    entries: z.array(z.object({ size: decimal, flag: z.boolean().optional() })).optional(),
  })

  function faultOf(params: RequestParams): string {
    const read = paramReader(schema)(params)
    if (read.ok) return 'none'
    const { refusal } = read.fault
    return refusal.reason === 'invalid_params' ? `${refusal.param} ${refusal.problem}` : ''
  }

  const sized = { amount: 1 }

  test.each([
    ['nothing wrong', { ...sized, many: 'any', entries: [] }, 'none'],
    ['a missing one', {}, 'amount required'],
    ['null', { amount: null }, 'amount required'],
    ['another sort', { amount: 'x' }, 'amount wrong_type'],
    ['text that is no decimal', { amount: { decimal: 'x' } }, 'amount wrong_type'],
    ['an unknown word', { ...sized, kind: 'c' }, 'kind unknown_value'],
    ['an unknown word where a list may stand', { ...sized, many: 'XYZ' }, 'many unknown_value'],
    ['an unknown word in the list', { ...sized, many: ['XYZ'] }, 'many unknown_value'],
    ['an empty list', { ...sized, many: [] }, 'many too_small'],
    ['an entry without its amount', { ...sized, entries: [{}] }, 'entries.0.size required'],
    [
      'an entry with a wrong flag',
      { ...sized, entries: [{ size: 1 }, { size: 1, flag: 'yes' }] },
      'entries.1.flag wrong_type',
    ],
    ['an entry that is none', { ...sized, entries: [5] }, 'entries.0 wrong_type'],
    ['no list', { ...sized, entries: {} }, 'entries wrong_type'],
  ])('%s', (_title, params, expected) => {
    expect(faultOf(params)).toBe(expected)
  })
})

test('a strict object refuses unknown fields, and null where it stands for a value', () => {
  const schema = z.strictObject({ account: z.string().nullable(), params: z.unknown() })
  const read = paramReader(schema, 'value')
  const line = { account: null, params: { price: null } }
  expect(read(line)).toEqual({ ok: true, value: schema.parse(line) })
  for (const wrong of [
    { ...line, more: 1 },
    { ...line, more: null },
    { params: {} },
    { ...line, account: 1 },
    [line],
  ]) {
    expect([read(wrong).ok, schema.safeParse(wrong).success]).toEqual([false, false])
  }
})
