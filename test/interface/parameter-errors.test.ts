/**
 * The errors of wrong parameters: for every method and each of its parameters, the error names the parameter, and its
 * hint has the wrong value. For an enumeration the hint lists the accepted words.
 */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { findMethod, methodNames } from '../../src/gateways/index.ts'
import { hintFor, type RequestParams } from '../../src/rpc/index.ts'
import { errorOf } from '../../src/rpc/wire/request.ts'
import { DirectMarket, perpetual } from '../support/direct-market.ts'

const market = new DirectMarket()

/** Values of every form. The first one that a schema accepts serves as a valid value. */
const rightValues: readonly unknown[] = [
  ...['BTC', 10, 'x', true, 1, 0.5, '1.5', 1_767_606_000_000, 'BTC-PERPETUAL', '12:00', [], {}],
]
/** Values of every form. The test sends each value that the schema of a parameter refuses. */
const wrongValues: readonly unknown[] = [{ wrong: 1 }, 'zzzzzzzzzz', -1.5, true, ['zzzzzzzzzz']]

/** Parameters that these methods need although their schemas do not always require them. */
const alsoNeeded: { readonly [method: string]: object } = {
  'sim/set_index': { index_name: 'btc_usd' },
  'private/mass_quote': {
    quotes: [{ instrument_name: perpetual, quote_set_id: '1', bid: { price: 1, amount: 10 } }],
  },
}

/** A value that a schema accepts. */
function rightFor(schema: z.ZodType): unknown {
  const inner = bare(schema)
  if (inner instanceof z.ZodEnum) return inner.options[0]
  if (inner instanceof z.ZodObject) return rightParams(inner)
  const candidates = inner instanceof z.ZodArray ? [[rightFor(inner.element as z.ZodType)]] : []
  return [...candidates, ...rightValues].find((value) => schema.safeParse(value).success)
}

/** The required parameters of a method. */
function rightParams(schema: z.ZodObject): Record<string, unknown> {
  const fields = Object.entries(schema.shape as Record<string, z.ZodType>)
  const required = fields.filter(([, field]) => !field.safeParse(undefined).success)
  return Object.fromEntries(required.map(([name, field]) => [name, rightFor(field)]))
}

/** A schema without the part that makes it optional. */
function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable
    ? bare(schema.def.innerType as z.ZodType)
    : schema
}

interface WrongParameter {
  readonly method: string
  readonly name: string
  readonly schema: z.ZodType
  readonly params: RequestParams
}

const wrongParameters = methodNames.flatMap((method): readonly WrongParameter[] => {
  const schema = findMethod(method)?.params ?? z.object({})
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
    wrongValues
      .filter((value) => !field.safeParse(value).success)
      .map((value) => ({
        ...{ method, name, schema: field },
        params: { ...rightParams(schema), ...alsoNeeded[method], [name]: value } as RequestParams,
      })),
  )
})

describe('V13 a wrong parameter', () => {
  test('is reported with its name, its value and the accepted values, for every method', () => {
    const unclear = wrongParameters.flatMap(({ method, name, schema, params }) => {
      const known = findMethod(method)
      const read = known?.reader(params)
      if (read === undefined || read.ok) return [`${method} ${name}: no error`]
      const { refusal } = read.fault
      const { data } = errorOf(refusal)
      const hint = hintFor(market.venue.desk, { refusal, method, params }) ?? ''
      const inner = bare(schema)
      const words = inner instanceof z.ZodEnum ? inner.options.slice(0, 20).map(String) : []
      const isNamed = data?.param === name || data?.param?.startsWith(`${name}.`) === true
      const isFound = /found |is no parameter|did you mean|listed: /.test(hint)
      const isListed = words.every((word) => hint.includes(word))
      return isNamed && isFound && isListed
        ? []
        : [`${method} ${JSON.stringify(params)}: ${JSON.stringify(data)} ${hint}`]
    })
    expect(unclear).toEqual([])
    expect(wrongParameters.length).toBeGreaterThan(1000)
  })

  test.each([
    [{ side: 'both' }, 'side: expected one of buy, sell, found "both"'],
    [{ side: undefined }, 'side: expected one of buy, sell, found nothing'],
    [{ amount: undefined }, 'amount: '],
    [{ time_in_force: 'GTD' }, 'found "GTD"'],
    [{ flags: ['post'] }, 'flags.0: expected one of cancel_on_disconnect, '],
    [{ instrument_name: 'ETH-PERPETUALS' }, 'did you mean ETH-PERPETUAL?'],
  ])('is named in the reject of a direct-access message: %j', (wrong, hint) => {
    const order = { client_order_id: 1, side: 'buy', amount: 1000, price: 2970 }
    const right = { ...order, instrument_name: perpetual }
    const given = Object.entries({ ...right, ...wrong }).filter(([, value]) => value !== undefined)
    const params = Object.fromEntries(given) as RequestParams
    const reply = market.ask('alice', 'sim/direct/new_order', params, 1)
    expect(reply).toMatchObject({ ok: false, hint: expect.stringContaining(hint) })
  })
})
