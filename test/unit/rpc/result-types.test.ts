/** Results of requests about the market in a program: their fields have types. */
import { expect, expectTypeOf, test } from 'vitest'
import { openVenue } from '../../../src/index.ts'
import type { MethodResult } from '../../../src/wire.ts'

type IsBare<T> = object extends T ? true : false

test('P10 results about the market have fields with types', () => {
  expectTypeOf<MethodResult<'public/ticker'>['mark_price']>().toEqualTypeOf<number>()
  expectTypeOf<MethodResult<'public/ticker'>['funding_8h']>().toEqualTypeOf<number | undefined>()
  expectTypeOf<MethodResult<'public/get_order_book'>['bids'][number][0]>().toEqualTypeOf<number>()
  expectTypeOf<MethodResult<'public/get_order_book_by_instrument_id'>['change_id']>().toEqualTypeOf<number>()
  expectTypeOf<MethodResult<'public/get_instruments'>[number]['instrument_name']>().toEqualTypeOf<string>()
  expectTypeOf<MethodResult<'public/get_instrument'>['tick_size']>().toEqualTypeOf<number>()
  expectTypeOf<MethodResult<'public/get_currencies'>[number]['decimals']>().toEqualTypeOf<number>()
  expectTypeOf<MethodResult<'public/get_index_price'>['index_price']>().toEqualTypeOf<number>()
  expectTypeOf<MethodResult<'public/get_delivery_prices'>['records_total']>().toEqualTypeOf<number>()
  type Summary = MethodResult<'public/get_book_summary_by_currency'>[number]
  expectTypeOf<Summary['mid_price']>().toEqualTypeOf<number | null>()
  expectTypeOf<MethodResult<'public/get_book_summary_by_instrument'>[number]>().toEqualTypeOf<Summary>()
  expectTypeOf<MethodResult<'sim/set_mark'>['mark_price']>().toEqualTypeOf<number>()
  expectTypeOf<MethodResult<'sim/list_instrument'>['tick_size']>().toEqualTypeOf<number>()
  expectTypeOf<MethodResult<'private/create_combo'>['id']>().toEqualTypeOf<string>()
  expectTypeOf<MethodResult<'public/get_combo_details'>['id']>().toEqualTypeOf<string>()
  expectTypeOf<MethodResult<'private/pme/simulate'>['model_params']['general']>().toEqualTypeOf<{
    readonly [name: string]: number
  }>()
  expectTypeOf<IsBare<Summary>>().toEqualTypeOf<false>()

  const venue = openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: ['BTC-PERPETUAL'],
    index: { btc_usd: 50_000 },
  })
  const reply = venue.request('public/ticker', { instrument_name: 'BTC-PERPETUAL' })
  if (!reply.ok) throw new Error('the ticker is told')
  expect(reply.result.mark_price).toBe(50_000)
  expect(reply.result.best_bid_price).toBe(0)
})
