/**
 * Settlements, deliveries and bankruptcies in the figures of an account, event by event.
 */
import { describe, expect, test } from 'vitest'
import {
  type Amount,
  accountId,
  amount,
  instrumentId,
  lots,
  micros,
  price9,
  sequence,
} from '../../../../src/core/index.ts'
import {
  type Event,
  type EventOf,
  houseAccountNames,
  roundingAccount,
  specFromName,
} from '../../../../src/model/index.ts'
import { type CurrencyPerformance, createMetrics, type Metrics, restoreMetrics } from '../../../../src/results/index.ts'
import { performanceAt } from '../../../support/performance-watch.ts'

const time = micros(1_767_600_000_000_000)
const header = { time, number: 1, cause: sequence(0) }
const trader = accountId(houseAccountNames.length)
const instrument = instrumentId(0)

/** The performance after the openings of the house, a trader with 100, and one perpetual. */
function opened(): Metrics {
  const metrics = createMetrics()
  for (const [id, name] of [...houseAccountNames, 'ann'].entries()) {
    const account = accountId(id)
    metrics.emit({
      ...{ kind: 'account', ...header, account, name, marginModel: 'segregated_sm' },
      ...{ house: account !== trader, main: account, feePpm: 1_000_000 },
    })
  }
  const spec = specFromName('BTC-PERPETUAL', { creation: time })
  if (!spec.ok) throw new Error(spec.error)
  const listed = { ...spec.value, id: instrument }
  metrics.emit({ kind: 'instrument', ...header, instrument: listed })
  const posted = { account: trader, currency: 'BTC', change: money(100), balance: money(100) }
  metrics.emit({ kind: 'cash', ...header, ...posted } as Event)
  return metrics
}

function money(nano: number): Amount {
  return amount(BigInt(nano))
}

function settled(change: Partial<EventOf<'settlement'>>): EventOf<'settlement'> {
  return {
    ...{ kind: 'settlement', ...header, type: 'settlement', account: trader, instrument },
    ...{ currency: 'BTC', position: lots(10), index: price9(1), mark: price9(1) },
    ...{ profitLoss: money(0), sessionProfitLoss: money(0), funding: money(0) },
    ...{ fee: money(0), balance: money(0) },
    ...change,
  }
}

function figuresOf(
  metrics: Metrics,
  standing: { readonly equity: number; readonly floating?: number; readonly funding?: number },
): CurrencyPerformance | undefined {
  const { equity, floating = 0, funding = 0 } = standing
  const ended = {
    ...{ equity: money(equity), floating: money(floating), funding: money(funding) },
    optionsValue: money(0),
  }
  return performanceAt(metrics, time, () => ended)[0]?.currencies[0]
}

describe('a settlement', () => {
  test('turns floating profit into price, and reports the funding of its session', () => {
    const metrics = opened()
    // Realized 5 by fills; floating 7; funding -2.
    metrics.emit({
      ...{ kind: 'given_position', ...header, account: trader, instrument, change: lots(10) },
      ...{
        price: price9(1),
        realized: money(5),
        premium: money(0),
        position: lots(10),
        balance: money(0),
      },
    })
    const [profitLoss, sessionProfitLoss, funding] = [money(3), money(10), money(-2)]
    metrics.emit(settled({ profitLoss, sessionProfitLoss, funding }))
    expect(figuresOf(metrics, { equity: 115, floating: 4, funding: 1 })).toMatchObject({
      ...{ price: 16n, funding: -1n, fees: 0n, insurance: 0n, total: 15n },
    })
  })

  test('repeats funding that accrued before it, which is not counted twice', () => {
    const metrics = opened()
    metrics.emit({
      ...{ kind: 'funding', ...header, account: trader, instrument, position: lots(10) },
      ...{ from: 0n, to: 5n, funding: money(-2) },
    })
    metrics.emit(settled({ profitLoss: money(-2), funding: money(-2) }))
    expect(() => figuresOf(metrics, { equity: 98 })).toThrow('exactly')
    const right = opened()
    right.emit(settled({ profitLoss: money(-2), sessionProfitLoss: money(-2), funding: money(-2) }))
    expect(figuresOf(right, { equity: 98 })).toMatchObject({ price: 0n, funding: -2n, total: -2n })
  })

  test('adds no figures for the house', () => {
    const metrics = opened()
    metrics.emit(settled({ account: roundingAccount, sessionProfitLoss: money(9) }))
    expect(figuresOf(metrics, { equity: 100 })).toMatchObject({ total: 0n })
  })
})

test('a delivery ends the position and costs its fee', () => {
  const metrics = opened()
  metrics.emit({
    ...{ kind: 'given_position', ...header, account: trader, instrument, change: lots(10) },
    ...{
      price: price9(1),
      realized: money(0),
      premium: money(0),
      position: lots(10),
      balance: money(0),
    },
  })
  const paid = { sessionProfitLoss: money(8), fee: money(3) }
  metrics.emit(settled({ type: 'delivery', ...paid }))
  const [ann] = performanceAt(metrics, time, () => ({
    ...{ equity: money(105), floating: money(0), funding: money(0), optionsValue: money(0) },
  }))
  expect(ann?.instruments).toMatchObject([{ position: 0 }])
  expect(ann?.currencies).toMatchObject([{ price: 8n, deliveryFees: 3n, fees: 3n, total: 5n }])
})

test('a debt that the fund pays is insurance, and so is a part of the losses of others', () => {
  const metrics = opened()
  metrics.emit(settled({ sessionProfitLoss: money(-130) }))
  const lost = { account: trader, currency: 'BTC', sessionProfitLoss: money(-130) } as const
  metrics.emit({ kind: 'bankruptcy', ...header, ...lost, loss: money(30), balance: money(0) })
  metrics.emit({
    ...{ kind: 'shared_loss', ...header, ...lost, tax: money(4), balance: money(0) },
  })
  const restored = restoreMetrics(metrics.snapshot())
  if (!restored.ok) throw new Error(restored.error.found)
  for (const one of [metrics, restored.value]) {
    expect(figuresOf(one, { equity: -4 })).toMatchObject({
      ...{ price: -130n, insurance: 26n, total: -104n },
    })
  }
})
