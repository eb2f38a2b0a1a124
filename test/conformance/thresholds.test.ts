/**
 * The fixed thresholds of the engine, each tested below, at and above its limit: D2, D3. Thresholds that another test
 * covers at equality are listed with its file and title, which must exist. For thresholds of settings, see
 * `setting-thresholds.test.ts`.
 *
 * Source: STYLE 12 (for every threshold, test below, at and above it).
 */
import { describe } from 'vitest'
import { isInWindow } from '../../src/blocks/index.ts'
import { claimShrunk, createPrintAccount, settleRow } from '../../src/book/prints.ts'
import {
  createRefreshes,
  noteConsumed,
  PRINT_REFRESH_MICROS,
  TAKER_REFRESH_MICROS,
  takeDue,
} from '../../src/book/refreshes.ts'
import { type Micros, micros } from '../../src/core/index.ts'
import { BALANCE_MAX } from '../../src/engine/day/index.ts'
import { remainingCapacity } from '../../src/engine/day/lsp-shares.ts'
import { chunkOf, lowersDelta } from '../../src/engine/day/picking.ts'
import { listedExpiries, strikeStep9 } from '../../src/engine/day/schedule.ts'
import { isTooLate, sizeRefusal } from '../../src/engine/market/order-checks.ts'
import { shapeRefusal } from '../../src/engine/market/request-steps.ts'
import { isInAveragingWindow as isInDeliveryWindow } from '../../src/engine/state/delivery-average.ts'
import {
  countInMinute,
  countTrade,
  isIndexStale,
  reachedLimit,
  STALE_MICROS,
  secondsUntilFree,
  takeCredits,
} from '../../src/engine/state/index.ts'
import { isPastVolatility } from '../../src/engine/value/index.ts'
import { legPrices } from '../../src/engine/value/leg-prices.ts'
import { ruleMistakes } from '../../src/faults/index.ts'
import {
  defaultsOf,
  KEYS_MAX,
  type KeyTerms,
  keySettings,
  lotsOfAmountText,
  parseInstrumentName,
  rescaled,
  sizeReason,
  specFromName,
} from '../../src/model/index.ts'
import { indexStep9 } from '../../src/pricing/index.ts'
import { markStep9, nextPremium } from '../../src/pricing/mark.ts'
import { hasPremium } from '../../src/pricing/options/forward.ts'
import { DirectMarket } from '../support/direct-market.ts'
import { type Market, market, type Outcome } from '../support/harness.ts'
import { configOf, protect } from '../support/protection-words.ts'
import { cancelQuotes, quote, quotedMarket } from '../support/quote-words.ts'
import { RfqVenue } from '../support/rfq-venue.ts'
import { type Covered, countedUpTo, type Threshold, type Thresholds, testThresholds } from '../support/thresholds.ts'

const minute = 60_000_000
const spec = { kind: 'future', minTradeLots: 10, stepLots: 1 } as Parameters<typeof sizeReason>[0]
const capacity = { equity: 1000n, notional: 0n, capacityFactor: 2, limitPpm: 150_000, used: 0n }

function venue(config: Parameters<typeof market>[0]['config'] = {}): Market {
  return market({
    instruments: { 'BTC-PERPETUAL': {} },
    accounts: { alice: { BTC: '10' }, bob: { BTC: '10' } },
    index: { btc_usd: '50000' },
    config,
  })
}

const isTaken = ({ refusal }: Outcome): boolean => refusal === null

/** An amount plus this many units of 1e-9. */
const nano = (units: bigint, distance: number): bigint => units + BigInt(distance)

function reached(limit: 'quantity9' | 'delta9' | 'vega9', value: number): boolean {
  const counters = { windowStart: null, quantity9: 0, delta9: 0, vega9: 0 }
  const none = { ...configOf({}), quantity9: null, delta9: null, vega9: null }
  return reachedLimit({ ...counters, [limit]: value }, { ...none, [limit]: 100 }) !== null
}

/** The band of the perpetual at 50,000 ends at 49,250 and 50,750. */
const bandEnd = (price: number, distance: number): string => (price + distance / 2).toFixed(1)

const thresholds: Thresholds = {
  'order-checks: a deadline has passed': {
    answers: [false, true, true],
    ask: (distance) => isTooLate(100 + distance, 100),
  },
  'blocks/window: a signature is valid after its timestamp': {
    answers: [true, true, false],
    ask: (distance) => isInWindow(150 + distance, 100, 50),
  },
  'blocks/window: a signature is valid before its timestamp': {
    answers: [true, true, false],
    ask: (distance) => isInWindow(50 - distance, 100, 50),
  },
  'rate-buckets: credits pay for a request': {
    answers: [false, true, true],
    ask: (distance) =>
      takeCredits({ credits: 10 + distance, at: micros(0) }, { capacity: 20, perMilli: 1 }, micros(0), 10),
  },
  'rate-buckets: one more request in a minute': {
    answers: [true, false, false],
    ask: (distance) => countInMinute({ minute: 1, count: 10 + distance }, micros(minute), 10),
  },
  'rate-buckets: a request waits for the end of a long window': {
    answers: [true, false, false],
    ask: (distance) => secondsUntilFree([micros(0)], { now: micros(100 + distance), window: 100, most: 1 }) > 0,
  },
  'outages: an index is stale': {
    answers: [false, true, true],
    ask: (distance) => isIndexStale({ since: micros(5), timer: null, locked: [] }, micros(5 + STALE_MICROS + distance)),
  },
  'mmp-window: a trade opens the next window': {
    answers: [false, true, true],
    ask: (distance) => {
      const counters = { windowStart: micros(0), quantity9: 1, delta9: 0, vega9: 0 }
      const trade = { quantity9: 1, delta9: 0, vega9: 0 }
      return countTrade(counters, trade, { now: micros(50 + distance), interval: micros(50) })
    },
  },
  'mmp-window: a quantity limit is reached': {
    answers: [false, true, true],
    ask: (distance) => reached('quantity9', 100 + distance),
  },
  'mmp-window: a delta limit is reached by sales': {
    answers: [false, true, true],
    ask: (distance) => reached('delta9', -100 - distance),
  },
  'mmp-window: a vega limit is reached': {
    answers: [false, true, true],
    ask: (distance) => reached('vega9', 100 + distance),
  },
  'mmp-config: the longest window': {
    answers: [true, true, false],
    ask: (distance) => {
      const config = { ...configOf({}), interval: micros(60 * minute + distance) }
      return isTaken(configured(config))
    },
  },
  'mmp-config: the longest freeze': {
    answers: [true, true, false],
    ask: (distance) => {
      const config = { ...configOf({}), frozenTime: micros(60 * minute + distance) }
      return isTaken(configured(config))
    },
  },
  'mmp-config: the largest quantity limit': {
    answers: [true, true, false],
    ask: (distance) => isTaken(configured({ ...configOf({}), quantity9: 500_000_000_000 + distance })),
  },
  'mmp-config: a delta limit below the quantity limit': {
    answers: [true, false, false],
    ask: (distance) =>
      isTaken(configured({ ...configOf({}), quantity9: 1_000_000_000, delta9: 1_000_000_000 + distance })),
  },
  'mmp-config: the number of named groups': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = venue()
      let last = true
      for (let group = 1; group <= 16 + distance; group += 1) {
        last = isTaken(protect(m, 'alice', { name: `g${group}`, maxQuote: 0 }))
      }
      return last
    },
  },
  'quote-freeze: quotes are accepted again': {
    answers: [false, true, true],
    ask: (distance) => {
      const m = quotedMarket()
      cancelQuotes(m, {}, { freeze: true })
      m.wait(1_000_000 + distance)
      return isTaken(quote(m, { bid: { price: '49000', amount: '10' } }))
    },
  },
  'steps: the smallest order': {
    answers: [false, true, true],
    ask: (distance) => sizeReason(spec, 10 + distance) === null,
  },
  'order-checks: the highest price of a buy': {
    answers: [true, true, false],
    ask: (distance) => isTaken(venue().buy('alice', { amount: '10', price: bandEnd(50_750, distance) })),
  },
  'order-checks: the lowest price of a sell': {
    answers: [false, true, true],
    ask: (distance) => isTaken(venue().sell('alice', { amount: '10', price: bandEnd(49_250, distance) })),
  },
  'order-checks: the part that an iceberg shows': {
    answers: [false, true, true],
    ask: (distance) => {
      const display = `${1000 + distance * 10}`
      return isTaken(venue().buy('alice', { amount: '5000', price: '49900', display }))
    },
  },
  'order-checks: the parts of an iceberg': {
    answers: [true, false, false],
    ask: (distance) => {
      const amount = String(1000 * 101 + distance * 10)
      return isTaken(venue().buy('alice', { amount, price: '49900', display: '1000' }))
    },
  },
  'order-checks: the largest order': {
    answers: [true, true, false],
    ask: (distance) => {
      const instrument = { ...spec, amountStep9: 1_000_000_000 }
      return sizeRefusal({ instrument, legs: [] } as never, 9_000_000_000 + distance) === null
    },
  },
  'sizes: the largest amount': {
    answers: [true, true, false],
    ask: (distance) => {
      const text = String(BigInt(Number.MAX_SAFE_INTEGER) + BigInt(distance))
      return lotsOfAmountText({ amountStep9: 1_000_000_000, contractSize9: 1 } as never, text).ok
    },
  },
  'instrument-names: the longest name': {
    answers: [false, false, true],
    ask: (distance) => {
      const parsed = parseInstrumentName('A'.repeat(120 + distance))
      return !parsed.ok && parsed.error.includes('at most')
    },
  },
  'quotes-checks: sides of a request': {
    answers: [false, false, true],
    ask: (distance) => {
      const bid = { price: '49000', amount: '10' }
      const { refusal } = quote(
        quotedMarket(),
        Array.from({ length: 100 + distance }, () => ({ bid })),
      )
      return refusal?.reason === 'invalid_params' && refusal.problem === 'too_many'
    },
  },
  'quotes-checks: quotes of a message': {
    answers: [false, false, true],
    ask: (distance) => {
      const sessions = new Map([[1, { type: 'direct_access' }]])
      const quotes = Array.from({ length: 15 + distance }, () => ({ instrument: 0 }))
      const asked = { command: { quotes, session: 1 } } as never
      return shapeRefusal({ sessions } as never, asked)?.reason === 'too_many_quotes'
    },
  },
  // The account's own key counts as one of the eight.
  'keys: keys of an account': countedUpTo(KEYS_MAX - 1, () => {
    const m = venue()
    const terms = defaultsOf<KeyTerms>(keySettings)
    const key = { kind: 'create_key', target: m.account('alice'), terms } as const
    return (count) => isTaken(m.send({ ...key, name: `key_${count}`, title: `key_${count}` }))
  }),
  'rescale: the coarsest tick': {
    answers: [true, true, false],
    ask: (distance) => {
      const spec = specFromName('BTC-PERPETUAL', { creation: micros(0) })
      if (!spec.ok) throw new Error(spec.error)
      const { tick9 } = spec.value
      const coarsest = { tick9: 1_000_000_000_000 + distance * tick9, amountStep9: null }
      return rescaled(spec.value, coarsest).ok
    },
  },
  'controls: a withdrawal of free cash': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = venue()
      const amount = -nano(10_000_000_000n, distance)
      const target = m.account('alice')
      return isTaken(m.send({ kind: 'deposit', target, currency: 'BTC', amount: amount as never }))
    },
  },
  'cash-transfer: the largest balance': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = venue()
      const amount = nano(BALANCE_MAX - 10_000_000_000n, distance)
      const target = m.account('alice')
      return isTaken(m.send({ kind: 'deposit', target, currency: 'BTC', amount: amount as never }))
    },
  },
  'cash-transfer: the largest sum of all balances': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = venue()
      const give = (account: string, amount: bigint): ReturnType<typeof m.send> =>
        m.send({ kind: 'deposit', target: m.account(account), currency: 'SOL', amount: amount as never })
      give('alice', nano(BALANCE_MAX, 0))
      return isTaken(give('bob', nano(200_000_000_000_000_000n, distance)))
    },
  },
  'controls: the largest withdrawal': {
    answers: [false, true, true],
    ask: (distance) => {
      // The account holds the largest balance.
      const m = venue()
      const target = m.account('alice')
      const deposit = { kind: 'deposit', target, currency: 'BTC' } as const
      m.send({ ...deposit, amount: nano(BALANCE_MAX - 10_000_000_000n, 0) as never })
      const { refusal } = m.send({ ...deposit, amount: -nano(BALANCE_MAX, -distance) as never })
      return refusal === null
    },
  },
  'prints: a row explains a print': {
    answers: [true, true, false],
    ask: (distance) => {
      const { buy } = createPrintAccount()
      settleRow(buy, { price: 100, before: 10, after: 4, isBest: true, now: 5 })
      return claimShrunk(buy, 100, 3, 5 + 10_000 + distance) > 0
    },
  },
  'refreshes: a level that a print consumed is there again': refreshed(PRINT_REFRESH_MICROS, 1_000_000),
  'refreshes: a level that a taker consumed is there again': refreshed(TAKER_REFRESH_MICROS, 60_000_000),
  'expiries: the Friday of a trading day': {
    answers: [false, true, false],
    ask: (distance) => {
      // 2026-01-09 is a Friday, the only day with seven days to the next Friday.
      const day = 86_400_000_000
      const friday = Date.parse('2026-01-09T08:00:00Z') * 1000
      const now = micros(friday + distance * day)
      const fridays = listedExpiries(now).filter((time) => (time - friday) % (7 * day) === 0)
      return Math.min(...fridays) - now === 7 * day
    },
  },
  'strikes: the distance of the last days': {
    answers: [true, true, false],
    ask: (distance) => {
      const left = 2 * 86_400_000_000 + distance
      return strikeStep9('BTC', 50_000_000_000_000, left) === 500_000_000_000
    },
  },
  'delivery-average: the last half hour': {
    answers: [false, true, true],
    ask: (distance) => {
      const begin = Date.parse('2026-01-05T07:30:00Z') * 1000
      return isInDeliveryWindow(micros(begin + distance))
    },
  },
  'forward: a future that still has a premium': {
    answers: [false, false, true],
    ask: (distance) => hasPremium(30 * minute + 7 + distance, 7),
  },
  'mark: four decimals below a thousand': {
    answers: [false, true, true],
    ask: (distance) => markStep9({ payoff: 'linear', tick9: 500_000_000 }, 1_000_000_000_000 + distance) === 10_000_000,
  },
  'mark: six decimals below one': {
    answers: [true, false, false],
    ask: (distance) => markStep9({ payoff: 'linear', tick9: 500_000_000 }, 1_000_000_000 + distance) === 1_000,
  },
  'mark: a premium that rounding would never close': {
    answers: [true, false, false],
    ask: (distance) => nextPremium(10, 11, 1_000 + distance) === 11,
  },
  'price-index: six decimals below one': {
    answers: [true, false, false],
    ask: (distance) => indexStep9('xrp_usdc', 1_000_000_000 + distance, []) === 1_000,
  },
  'leg-prices: legs on a finer tick': {
    answers: [false, true, true],
    ask: (distance) => {
      const instrument = { kind: 'future', tick9: 10_000_000 + distance * 5_000_000 }
      const legs = [
        { ratio: 1, row: { instrument, mark: 100_370_000_000 } },
        { ratio: -1, row: { instrument, mark: 90_115_000_000 } },
      ]
      const prices = legPrices(legs as never, 10_100_000_000) ?? []
      return (prices[1] ?? 1) % 1_000_000_000 === 0
    },
  },
  'faults: the longest delay': {
    answers: [true, true, false],
    ask: (distance) => {
      const by = `${86_400_000 + distance}ms`
      return ruleMistakes({ kind: 'delay', of: 'replies', by }, []).length === 0
    },
  },
  'rfq-solution: how long a solution was seen': {
    answers: [false, true, true],
    ask: (distance) => {
      const m = new RfqVenue()
      const { creation_timestamp } = m.create()
      m.quote('alpha')
      m.venue.at(new Date(creation_timestamp + 5_999 + distance).toISOString())
      m.result('taker', 'private/cancel_block_rfq', { block_rfq_id: 1 })
      return m.seen('taker').included_in_taker_rating === true
    },
  },
  'session-requests: messages of a day': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = new DirectMarket()
      m.place('alice', 1)
      m.place('bob', 1, { side: 'sell', amount: 100 })
      const [reported] = m.result(null, 'sim/get_session_messages', { session: 1 })
      m.venue.at(new Date(reported.timestamp + 86_400_000 - 2 + distance).toISOString())
      m.connect(7, { account: 'alice' })
      const asked = { from: reported.sequence, of: 1 }
      const [first] = m.result('alice', 'sim/direct/resend_request', asked, 7)
      return first.message !== 'GapFill'
    },
  },
  'move-positions: a transfer of free cash': {
    answers: [true, true, false],
    ask: (distance) => {
      const m = venue()
      m.openAccount('alice_2', 'alice')
      const [source, target] = [m.account('alice'), m.account('alice_2')]
      const amount = nano(10_000_000_000n, distance) as never
      const transfer = {
        kind: 'transfer_cash',
        source,
        target,
        currency: 'BTC',
        nonce: null,
      } as const
      return isTaken(m.send({ ...transfer, amount }, 'alice'))
    },
  },
  'advanced-price: volatility orders end before the expiration': {
    answers: [false, true, true],
    ask: (distance) => {
      const expiration = 10_000_000_000
      const now = micros(expiration - 15 * minute + distance) as Micros
      return isPastVolatility({ now } as never, { instrument: { expiration } } as never)
    },
  },
  'lsp-shares: a participant has room': {
    answers: [true, false, false],
    ask: (distance) => remainingCapacity({ ...capacity, used: 150n + BigInt(distance) }) > 0n,
  },
  'lsp-shares: a participant may hold more': {
    answers: [true, false, false],
    ask: (distance) => remainingCapacity({ ...capacity, notional: 2000n + BigInt(distance) }) > 0n,
  },
  'chunks: a part takes delta off the account': {
    answers: [true, false, false],
    ask: (distance) => lowersDelta(10n, 20n + BigInt(distance)),
  },
  'chunks: a position is closed as a whole': {
    answers: [true, true, false],
    ask: (distance) => {
      const size = 10 + distance
      return chunkOf(size, 125_000, 10) === size
    },
  },
}

/** A level that is restored after a time. */
function refreshed(lasts: number, rule: number): Threshold {
  return {
    answers: [false, true, true],
    ask: (distance) => {
      const refreshes = createRefreshes()
      noteConsumed(refreshes, 'buy', 100, 5 + lasts)
      let isDue = false
      takeDue(refreshes, 5 + rule + distance, () => {
        isDue = true
      })
      return isDue
    },
  }
}

function configured(config: ReturnType<typeof configOf>): Outcome {
  // A configuration for Block RFQs reserves no margin.
  const key = { index: 'btc_usd', name: null, blockRfq: true }
  return venue().send({ kind: 'set_mmp_config', key, config }, 'alice')
}

const covered: readonly Covered[] = [
  ['round: margin is enough', 'conformance/liquidation-models.test.ts', 'starts no liquidation; one unit less'],
  ['round: margin is enough again', 'conformance/liquidation-models.test.ts', 'ends a running liquidation'],
  ['lsp: failures in a window', 'conformance/lsp.test.ts', 'D3 of three failures the first is'],
  ['funds: the margin of an order', 'conformance/margin.test.ts', 'funds that cover it exactly'],
  ['release: a deadline', 'conformance/deadlines.test.ts', 'an order released at its deadline does not'],
  ['mmp-freeze: the end of a freeze', 'conformance/mmp-freeze.test.ts', 'to the last millisecond of the freeze'],
  ['mmp-freeze: the first second', 'conformance/mmp-freeze.test.ts', 'until a second has passed'],
  ['sessions: inactivity', 'conformance/sessions.test.ts', 'a request at the last instant counts'],
  ['rfq-quotes: expiry', 'conformance/block-rfq-quotes.test.ts', 'it ends at its own end time'],
  ['block-checks: number of legs', 'conformance/block-checks.test.ts', 'and 20 legs at most'],
  ['deposits: an address a day', 'conformance/wallet-payments.test.ts', 'one a day, for others one'],
  ['logon: credentials of a portfolio', 'conformance/direct-logon.test.ts', 'which has at most eight'],
  ['faults: the time of a rule', 'unit/faults/rules.test.ts', 'until just before its end'],
  ['faults: so many at most', 'unit/faults/rules.test.ts', 'and so many at most'],
]

describe('D2 D3 a limit', () => testThresholds(thresholds, covered))
