/**
 * The cost of many reduce-only orders of one position at one price: a placement behind them, and a fill of the first of
 * them.
 */
import { openVenue, type Venue } from '../../src/program/index.ts'
import { median, secondsOf } from './measure.ts'
import type { BenchRow } from './row.ts'

const standing = 1600
const measured = 100
const rounds = 9
/** Rounds to warm up the code, because the figures are for a run of thousands of commands. */
const warmUps = 60
/** The contract size of the perpetual, in USD. */
const lot = 10
const price = 100_500
const micro = 1_000_000

/** Figures of one command among that many orders. */
export function benchReduceOnly(): BenchRow[] {
  const venue = openHolder()
  for (let order = 0; order < standing; order += 1) sell(venue)
  const placed: number[] = []
  const filled: number[] = []
  for (let round = 0; round < warmUps + rounds; round += 1) {
    placed.push(perCommand(() => sell(venue)))
    // Each fill takes the first order, and the placement before it keeps their number constant.
    filled.push(perCommand(() => buy(venue)))
  }
  const shape = `${standing} reduce-only orders at a price`
  return [
    {
      name: `${shape}: a placement`,
      value: median(placed.slice(warmUps)),
      unit: 'us',
      target: '<= 20',
    },
    { name: `${shape}: a fill`, value: median(filled.slice(warmUps)), unit: 'us', target: '<= 20' },
  ]
}

function perCommand(run: () => void): number {
  const seconds = secondsOf(() => {
    for (let each = 0; each < measured; each += 1) run()
  })
  return (seconds / measured) * micro
}

/** A venue with a holder of a long position, which all reduce-only orders together may close. */
function openHolder(): Venue {
  const venue = openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: ['BTC-PERPETUAL'],
    index: { btc_usd: 100_000 },
    accounts: { holder: { BTC: 100 }, taker: { BTC: 100 } },
  })
  const position = {
    account: 'holder',
    amount: (standing + (warmUps + rounds) * measured) * lot,
    price: 100_000,
  }
  const given = { instrument_name: 'BTC-PERPETUAL', ...position }
  expectDone(venue.request('sim/give_position', given).ok)
  return venue
}

function sell(venue: Venue): void {
  const terms = { instrument_name: 'BTC-PERPETUAL', amount: lot, price, reduce_only: true }
  expectDone(venue.as('holder').request('private/sell', terms).ok)
}

function buy(venue: Venue): void {
  const terms = { instrument_name: 'BTC-PERPETUAL', amount: lot, price }
  expectDone(venue.as('taker').request('private/buy', terms).ok)
}

function expectDone(isDone: boolean | undefined): void {
  if (isDone !== true) throw new Error('every order of the benchmark is taken')
}
