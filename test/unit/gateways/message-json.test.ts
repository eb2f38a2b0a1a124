/**
 * The JSON of messages of direct access follows from their table: names, units, versions.
 * Source: sessions-blocks-gateways.md 8.5, 8.6, 8.13.
 */
import { describe, expect, test } from 'vitest'
import { defined, lots, micros, orderId, price9 } from '../../../src/core/index.ts'
import { findInstrument } from '../../../src/engine/index.ts'
import { type MessageRecord, messageJson } from '../../../src/gateways/message-json.ts'
import type { CancelOrderResponse, MassQuoteResponse, MmpStatus } from '../../../src/gateways/results.ts'
import { openVenue } from '../../../src/program/index.ts'

const name = 'ETH-PERPETUAL'
const { exchange } = openVenue({ start: '2026-01-05T09:00:00Z', instruments: [name] })
const instrument = defined(findInstrument(exchange, name), 'it is listed')
const time = micros(1_767_603_600_000_000)

const cancelled: MessageRecord<'CancelOrderResponse'> = {
  ...{ timestamp: time, execId: 7, receiveTime: time, correlationId: undefined },
  ...{ clientOrderId: null, orderId: orderId(99), instrumentId: instrument },
  ...{ quantity: lots(1000), totalFilled: lots(250) },
}

describe('direct.message-table', () => {
  test('names become words, units become numbers; omitted fields are not shown', () => {
    expect(messageJson<CancelOrderResponse>('CancelOrderResponse', cancelled, 19)).toEqual({
      message: 'CancelOrderResponse',
      timestamp_ns: 1_767_603_600_000_000_000,
      exec_id: 7,
      client_order_id: null,
      order_id: '99',
      instrument_name: name,
      receive_time_ns: 1_767_603_600_000_000_000,
      amount: 1000,
      filled_amount: 250,
    })
  })

  test('S330 a version gets the fields that it knows', () => {
    const older = messageJson<CancelOrderResponse>('CancelOrderResponse', cancelled, 15)
    expect(older).not.toHaveProperty('amount')
    expect(older).not.toHaveProperty('filled_amount')
    expect(older).toHaveProperty('order_id', '99')
  })

  test('rows have the instrument that they name, words of a part are together, and times are milliseconds', () => {
    const fills = [{ matchId: 3, fillPrice: price9(2_970_500_000_000), fillQty: lots(4) }]
    const bid = { bidOrderId: orderId(5), bidPrice: price9(2_970_000_000_000), bidQty: lots(10) }
    const quotes = [{ instrumentId: instrument, ...bid, bidStatus: 'updated', bidFills: fills }]
    const record = { quoteId: '8', mmpGroupId: 2, quotes }
    expect(messageJson<MassQuoteResponse>('MassQuoteResponse', record, 19)).toEqual({
      ...{ message: 'MassQuoteResponse', quote_id: '8', mmp_group_id: 2 },
      quotes: [
        {
          instrument_name: name,
          bid: {
            ...{ order_id: '5', price: 2970, amount: 10, status: 'updated' },
            fills: [{ match_id: 3, price: 2970.5, amount: 4 }],
          },
        },
      ],
    })
    const frozen = { timestamp: time, mmpGroupId: 2, frozenUntilTime: micros(time + 1500) }
    expect(messageJson<MmpStatus>('MassQuoteMmpStatusResponse', frozen, 19)).toMatchObject({
      frozen_until_time: 1_767_603_600_001,
    })
  })

  test('a size without an instrument is a mistake of ours', () => {
    const { instrumentId: _, ...nameless } = cancelled
    expect(() => messageJson<CancelOrderResponse>('CancelOrderResponse', nameless, 19)).toThrow(
      'a size belongs to an instrument',
    )
  })
})
