/** The shape of parameters: absent values, and the message of the first mistake. */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { paramReader, unread } from '../../../src/rpc/methods/parameter-readers.ts'
import { readParams, withoutNulls } from '../../../src/rpc/methods/parameter-shape.ts'
import { decimal, requestCurrency } from '../../../src/rpc/methods/params.ts'
import type { RequestParams } from '../../../src/rpc/wire/request.ts'

describe('null is absent', () => {
  test('at the top, and in the entries of a list', () => {
    expect(withoutNulls({ a: null, b: 1, c: [{ d: null, e: 2 }, null, 'x'] })).toEqual({
      ...{ b: 1, c: [{ e: 2 }, null, 'x'] },
    })
  })

  test('parameters without nulls and lists are not copied', () => {
    const params = { a: 1, b: { decimal: '5' }, c: undefined }
    expect(withoutNulls(params)).toBe(params)
  })
})

describe('the first mistake', () => {
  const schema = z.object({
    amount: decimal,
    kind: z.enum(['a', 'b']).optional(),
    many: z.union([z.enum(['BTC', 'any']), z.array(requestCurrency).min(1)]).optional(),
    entries: z.array(z.object({ size: decimal, flag: z.boolean().optional() })).optional(),
  })

  function faultOf(params: RequestParams): string {
    const read = readParams({ params: schema, reader: paramReader(schema) }, params)
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

test('a reader of an object without other fields leaves those to the schema', () => {
  const schema = z.strictObject({ account: z.string().nullable(), params: z.unknown() })
  const read = paramReader(schema, 'value')
  const line = { account: null, params: { price: null } }
  expect(read(line)).toEqual(schema.parse(line))
  for (const wrong of [{ ...line, more: 1 }, { params: {} }, { ...line, account: 1 }, [line]]) {
    expect([read(wrong), schema.safeParse(wrong).success]).toEqual([unread, false])
  }
})
