/**
 * The venue's rules for instruments: names, catalogue, price grid, price bands, amounts. Each published or observed
 * vector has one test.
 *
 * Source: market.md 1 and 2 (vectors T01-T12, T17-T21); coverage.md R05, R21, R26, R44 and the rows of the interface
 * document (S019, S026, S029, S030, S200).
 */
import { describe, expect, test } from 'vitest'
import { formatScaledNumber, lots, micros, type Price9, parseScaled, price9, type Ticks } from '../../src/core/index.ts'
import {
  amountTextOfLots,
  ceilToGrid,
  coinSize9,
  comboLegsOf,
  contractsTextOfLots,
  expirationMillisOf,
  floorToGrid,
  type InstrumentSpec,
  instrumentTypeOf,
  isOnGrid,
  lotsOfAmountText,
  lotsOfContractsText,
  nearestOnGrid,
  parseInstrumentName,
  price9OfTicks,
  priceBand,
  productGroupOf,
  specFromName,
  ticksOfPrice9,
} from '../../src/model/index.ts'

const creation = micros(1_767_600_000_000_000)

function specOf(name: string): InstrumentSpec {
  const spec = specFromName(name, { creation })
  if (!spec.ok) throw new Error(spec.error)
  return spec.value
}

function legsOf(name: string): readonly (readonly [instrumentName: string, ratio: number])[] {
  const parsed = parseInstrumentName(name)
  if (!parsed.ok) throw new Error(parsed.error)
  if (parsed.value.type !== 'future_combo' && parsed.value.type !== 'option_combo') return []
  return comboLegsOf(parsed.value).map((leg) => [leg.instrumentName, leg.ratio])
}

function price(text: string): Price9 {
  const scaled = parseScaled(text, 9)
  if (!scaled.ok) throw new Error(`no decimal: ${text}`)
  return price9(Number(scaled.value))
}

function printed(spec: InstrumentSpec, at: Ticks): string {
  return formatScaledNumber(price9OfTicks(spec, at), 9)
}

function bandOf(name: string, mark: string): readonly [min: string, max: string] {
  const spec = specOf(name)
  const band = priceBand(spec, { mark: price(mark), whole: price(mark) })
  return [printed(spec, band.min), printed(spec, band.max)]
}

describe('rule instruments.name: the parts of an instrument’s name', () => {
  test('T01 an inverse option', () => {
    const spec = specOf('BTC-27DEC24-50000-C')
    expect(spec).toMatchObject({
      ...{ kind: 'option', baseCurrency: 'BTC', quoteCurrency: 'BTC', counterCurrency: 'USD' },
      settlementCurrency: 'BTC',
      detail: { type: 'option', right: 'call', strike: price('50000') },
    })
    expect(expirationMillisOf(spec)).toBe(1_735_286_400_000)
    expect(instrumentTypeOf(spec)).toBe('reversed')
  })

  test('T02 a perpetual expires in the year 3000', () => {
    for (const name of ['BTC-PERPETUAL', 'ETH-PERPETUAL', 'SOL_USDC-PERPETUAL']) {
      expect(expirationMillisOf(specOf(name))).toBe(32_503_708_800_000)
      expect(specOf(name).settlementPeriod).toBe('perpetual')
    }
  })

  test('T03 a linear option with a decimal strike', () => {
    const spec = specOf('XRP_USDC-30JUN23-0d625-C')
    expect(spec).toMatchObject({
      ...{ baseCurrency: 'XRP', quoteCurrency: 'USDC', counterCurrency: 'USDC' },
      settlementCurrency: 'USDC',
      detail: { strike: price('0.625'), right: 'call' },
    })
    expect(instrumentTypeOf(spec)).toBe('linear')
    expect(parseInstrumentName('XRP_USDC-30JUN23-0d025-P')).toMatchObject({
      value: { strike: price('0.025'), right: 'put' },
    })
  })

  test('T04 a future spread is long its first leg', () => {
    expect(legsOf('BTC-FS-27SEP24_PERP')).toEqual([
      ['BTC-27SEP24', 1],
      ['BTC-PERPETUAL', -1],
    ])
  })

  test('T05 a call spread is long the lower strike', () => {
    expect(legsOf('BTC-CS-19MAY26-70000_75000')).toEqual([
      ['BTC-19MAY26-70000-C', 1],
      ['BTC-19MAY26-75000-C', -1],
    ])
  })

  test('T06 a calendar is long the far date', () => {
    expect(legsOf('BTC-CCAL-26JUN26_19JUN26-69000')).toEqual([
      ['BTC-26JUN26-69000-C', 1],
      ['BTC-19JUN26-69000-C', -1],
    ])
  })

  test('T07 a reversal is long the call and short the put', () => {
    expect(legsOf('BTC-REV-29APR22-37500')).toEqual([
      ['BTC-29APR22-37500-C', 1],
      ['BTC-29APR22-37500-P', -1],
    ])
  })

  test('S019 a name belongs to one instrument: other spellings are refused', () => {
    const spellings = ['btc-perpetual', 'BTC-PERPETUAL ', 'BTC-07MAR25', 'BTC-7MAR25-050000-C']
    for (const name of [...spellings, 'XRP_USDC-7MAR25-0d50-C', 'XRP_USDC-7MAR25-2d0-C']) {
      expect(parseInstrumentName(name).ok).toBe(false)
    }
  })
})

describe('rule instruments.catalogue: each family has the defaults of the venue', () => {
  test('S026 the five kinds', () => {
    const kinds = {
      'BTC-PERPETUAL': 'future',
      'BTC-27DEC24': 'future',
      'BTC-27DEC24-50000-C': 'option',
      BTC_USDC: 'spot',
      'BTC-FS-27SEP24_PERP': 'future_combo',
      'BTC-CS-19MAY26-70000_75000': 'option_combo',
    }
    for (const [name, kind] of Object.entries(kinds)) expect(specOf(name).kind).toBe(kind)
  })

  test.each([
    ['BTC-PERPETUAL', '10', '10', '0.5', 0, 500_000, 50, 7_500_000],
    ['BTC-27DEC24', '10', '10', '2.5', 0, 500_000, 50, 7_500_000],
    ['ETH-PERPETUAL', '1', '1', '0.05', 0, 500_000, 50, 9_000_000],
    ['ETH-27DEC24', '1', '1', '0.05', 0, 500_000, 50, 9_000_000],
    ['BTC-27DEC24-50000-C', '1', '0.1', '0.0001', 300_000, 300_000, 1, 1_900_000],
    ['ETH-27DEC24-3000-P', '1', '1', '0.0001', 300_000, 300_000, 1, 1_900_000],
    ['BTC_USDC-27DEC24-50000-C', '1', '0.01', '5', 300_000, 300_000, 1, 1_900_000],
    ['SOL_USDC-27DEC24-180-C', '10', '10', '0.1', 300_000, 300_000, 1, 1_900_000],
    ['XRP_USDC-27DEC24-0d625-C', '1000', '1000', '0.0001', 300_000, 300_000, 1, 1_900_000],
    ['BTC_USDC-PERPETUAL', '0.001', '0.001', '0.5', 0, 500_000, 50, 7_500_000],
    ['SOL_USDC-PERPETUAL', '0.1', '0.1', '0.01', 0, 500_000, 50, 10_000_000],
    ['AAVE_USDC-PERPETUAL', '0.01', '0.01', '0.01', 0, 500_000, 50, 10_000_000],
    ['BTC_USDC', '0.0001', '0.0001', '0.01', 0, 0, 1, 0],
    ['BTC-STRG-19MAY26-74000_79000', '1', '0.1', '0.0001', 0, 0, 1, 0],
    ['BTC-FS-19MAY26_PERP', '10', '10', '0.5', 0, 0, 1, 0],
  ])('the row of %s', (name, contract, min, tick, maker, taker, leverage, liquidation) => {
    const spec = specOf(name)
    expect(formatScaledNumber(spec.contractSize9, 9)).toBe(contract)
    expect(amountTextOfLots(spec, spec.minTradeLots)).toBe(min)
    expect(formatScaledNumber(spec.tick9, 9)).toBe(tick)
    expect(spec.makerFee9).toBe(maker)
    expect(spec.takerFee9).toBe(taker)
    expect(spec.maxLeverage).toBe(leverage)
    expect(spec.liquidationFee9).toBe(liquidation)
  })

  test('R26 block fees: futures 0.025 %, options 0.03 %, spot none', () => {
    expect(specOf('BTC-PERPETUAL').blockFee9).toBe(250_000)
    expect(specOf('SOL_USDC-27DEC24').blockFee9).toBe(250_000)
    expect(specOf('BTC-27DEC24-50000-C').blockFee9).toBe(300_000)
    expect(specOf('BTC_USDC').blockFee9).toBe(0)
  })

  test('margin rates of the four groups (market.md 6.1)', () => {
    const rates = (name: string): readonly unknown[] => Object.values(specOf(name).margin)
    expect(rates('BTC-PERPETUAL')).toEqual([20_000, 10_000, 50_000, 'coin'])
    expect(rates('BTC_USDC-PERPETUAL')).toEqual([20_000, 10_000, 50_000, 'coin'])
    expect(rates('ETH-27DEC24')).toEqual([20_000, 10_000, 4_000, 'coin'])
    expect(rates('SOL_USDC-PERPETUAL')).toEqual([40_000, 20_000, 5_000, 'coin'])
    expect(rates('AAVE_USDC-PERPETUAL')).toEqual([100_000, 50_000, 10_000_000, 'million_quote'])
  })

  test('settlement period: last Friday month, other Friday week, else day (market.md 1.6)', () => {
    expect(specOf('BTC-27DEC24').settlementPeriod).toBe('month')
    expect(specOf('BTC-20DEC24').settlementPeriod).toBe('week')
    expect(specOf('BTC-19DEC24').settlementPeriod).toBe('day')
    expect(specOf('BTC_USDC').settlementPeriod).toBeNull()
  })

  test('a combo expires with its first leg and has the settlement period of that leg (observed)', () => {
    const spread = specOf('BTC-FS-29MAY26_19MAY26')
    expect(expirationMillisOf(spread)).toBe(1_779_177_600_000)
    expect(spread.settlementPeriod).toBe('day')
    expect(expirationMillisOf(specOf('BTC-FS-19MAY26_PERP'))).toBe(1_779_177_600_000)
    expect(specOf('BTC-STRD-29MAY26-77000').settlementPeriod).toBe('month')
    expect(specOf('BTC-STRG-5JUN26-70000_83000').settlementPeriod).toBe('week')
    expect(instrumentTypeOf(specOf('BTC-STRD-29MAY26-77000'))).toBe('reversed')
  })

  test('R44 spot needs currencies that accounts can hold; futures do not', () => {
    expect(specFromName('DOGE_USDC', { creation })).toEqual({
      ok: false,
      error: 'expected a currency that accounts can hold as base of a spot pair, found DOGE',
    })
    expect(specOf('DOGE_USDC-PERPETUAL').baseCurrency).toBe('DOGE')
  })
})

describe('rule instruments.product-group: bases fall into four groups', () => {
  test('S200 R21 BTC, ETH, TIER_2 and TIER_3', () => {
    const members = (bases: string): readonly string[] => bases.split(' ').map(productGroupOf)
    expect(members('BTC ETH STETH')).toEqual(['BTC', 'ETH', 'ETH'])
    const tier2 = 'ADA AVAX BCH BNB DOGE DOT HYPE LINK LTC NEAR PAXG SOL TRX UNI XRP'
    expect(new Set(members(tier2))).toEqual(new Set(['TIER_2']))
    expect(new Set(members('ALGO BTCDVOL TRUMP AAVE USDC'))).toEqual(new Set(['TIER_3']))
  })
})

describe('rule prices.band: the band is rounded outward to the grid (R05)', () => {
  test('T08 a perpetual', () => {
    expect(bandOf('BTC-PERPETUAL', '87006.21')).toEqual(['85701', '88311.5'])
  })

  test('T09 another mark', () => {
    expect(bandOf('BTC-PERPETUAL', '92281.78')).toEqual(['90897.5', '93666.5'])
  })

  test('T10 spot', () => {
    expect(bandOf('BTC_USDC', '73367.995')).toEqual(['71900.63', '74835.36'])
  })

  test('the other widths: ETH perpetual 1.5 %, dated 3 %, linear perpetual 2.5 %', () => {
    expect(bandOf('ETH-PERPETUAL', '3000')).toEqual(['2955', '3045'])
    expect(bandOf('BTC-27DEC24', '100000')).toEqual(['97000', '103000'])
    expect(bandOf('SOL_USDC-27DEC24', '200')).toEqual(['194', '206'])
    expect(bandOf('SOL_USDC-PERPETUAL', '200')).toEqual(['195', '205'])
  })
})

describe('rule prices.grid: larger ticks apply from their price upward', () => {
  const option = specOf('BTC-27DEC24-50000-C')

  test('T11 valid prices', () => {
    const isValid = (text: string): boolean => {
      const at = ticksOfPrice9(option, price(text))
      return at !== undefined && isOnGrid(option, at)
    }
    expect(['0.0049', '0.0050', '0.0226', '0.0225'].map(isValid)).toEqual([true, true, false, true])
  })

  test('T12 the nearest valid price', () => {
    for (const side of ['buy', 'sell'] as const) {
      const snapped = (text: string): string => printed(option, nearestOnGrid(option, price(text), side))
      const found = ['0.00496', '0.00523', '0.00527', '0.041581'].map(snapped)
      expect(found).toEqual(['0.005', '0.005', '0.0055', '0.0415'])
    }
  })

  test('R03 a price off the grid lies between two grid prices', () => {
    expect(printed(option, floorToGrid(option, price('0.022512345')))).toBe('0.0225')
    expect(printed(option, ceilToGrid(option, price('0.022512345')))).toBe('0.023')
  })
})

describe('rule instruments.units: amounts are USD or coin', () => {
  test('S029 amounts of inverse perpetuals and futures are USD', () => {
    for (const name of ['BTC-PERPETUAL', 'ETH-27DEC24', 'BTC-FS-19MAY26_PERP']) {
      const spec = specOf(name)
      expect(spec.payoff).toBe('inverse')
      expect(coinSize9(spec, lots(1), price('1000')) * 1000n).toBe(BigInt(spec.amountStep9))
    }
  })

  test('S030 amounts of options and linear futures are base coin', () => {
    for (const name of ['BTC-27DEC24-50000-C', 'SOL_USDC-27DEC24', 'SOL_USDC-27DEC24-180-P']) {
      const spec = specOf(name)
      expect(spec.payoff).toBe('linear')
      expect(coinSize9(spec, lots(3), price('1000'))).toBe(3n * BigInt(spec.amountStep9))
    }
  })
})

describe('rule sizes.contracts: contracts are the amount over the contract size', () => {
  function contractsOf(name: string, amountText: string): string {
    const spec = specOf(name)
    const size = lotsOfAmountText(spec, amountText)
    if (!size.ok) throw new Error(size.error)
    return contractsTextOfLots(spec, size.value)
  }

  test('T17 a perpetual', () => {
    expect(contractsOf('BTC-PERPETUAL', '20')).toBe('2')
  })

  test('T18 an inverse option', () => {
    expect(contractsOf('BTC-27DEC24-50000-C', '0.1')).toBe('0.1')
  })

  test('T19 a linear option with a multiplier', () => {
    expect(contractsOf('SOL_USDC-27DEC24-180-C', '10')).toBe('1')
  })

  test('T21 amount 20 is not 3 contracts', () => {
    const spec = specOf('BTC-PERPETUAL')
    expect(lotsOfAmountText(spec, '20')).toEqual({ ok: true, value: 2 })
    expect(lotsOfContractsText(spec, '3')).toEqual({ ok: true, value: 3 })
  })
})

describe('rule sizes.coin: the size in coin follows the mark', () => {
  test('T20 50 USD at 7476.65', () => {
    const spec = specOf('BTC-PERPETUAL')
    expect(coinSize9(spec, lots(5), price('7476.65'))).toBe(6_687_487n)
    expect(coinSize9(spec, lots(-5), price('7476.65'))).toBe(-6_687_487n)
  })
})
