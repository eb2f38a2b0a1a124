/**
 * Whole-state checks: they recompute and compare all state that the exchange stores twice, and check the laws of DESIGN
 * 3. Tests call them after every command; elsewhere a flag enables them.
 */
import { auditBook } from '../../../book/index.ts'
import { assert, auditTimerQueue, defined, snapshotTimerQueue } from '../../../core/index.ts'
import { basisBig, cashOf, optionsValueOf, profitOf, readHolding } from '../../../ledger/index.ts'
import { readExposure, readPremium, readTotals } from '../../../margin/index.ts'
import { CURRENCY_SLOTS, roundingAccount } from '../../../model/index.ts'
import { auditRfqs } from '../../market/index.ts'
import { type Exchange, findHolding, type InstrumentRow, walletRowOf } from '../../state/index.ts'
import { noteOptionMarket } from '../../value/index.ts'
import { auditLiquidations } from './liquidation-audit.ts'
import { auditAccountRisk, auditMargin } from './margin-audit.ts'
import { auditMmpGroups } from './mmp-audit.ts'
import { auditOrders, auditReducing, type OpenCounts } from './order-audit.ts'
import { auditQuotes } from './quote-audit.ts'
import { auditSkipped } from './skipped-audit.ts'
import { auditWaiting } from './waiting-audit.ts'

/**
 * Throws `AssertionFailure` at the first broken invariant.
 *
 * @throws AssertionFailure with the code `DEFECT` if a part of the state differs from its recomputed value.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * audit(venue.exchange)
 */
export function audit(exchange: Exchange): void {
  const open = auditOrders(exchange)
  const sums = {
    profit: new Map<number, bigint>(),
    options: new Map<number, bigint>(),
    initial: new Map<number, bigint>(),
    maintenance: new Map<number, bigint>(),
    premium: new Map<number, bigint>(),
  }
  auditSkipped(exchange)
  for (const row of exchange.instruments) {
    auditBook(row.book)
    assert(row.markTerms.price9 === row.mark, 'contract arithmetic uses the current mark')
    assert(row.markScale.mark9 === row.mark, 'margin arithmetic uses the current mark')
    assert(!noteOptionMarket(row), 'margin uses the market of the option')
    auditHoldings(exchange, row, { open, sums })
  }
  auditWallets(exchange, sums, open.reserves)
  for (const row of exchange.accounts) auditAccountRisk(exchange, row)
  auditGrid(exchange)
  auditRoundings(exchange)
  auditLiquidations(exchange)
  auditMmpGroups(exchange)
  auditQuotes(exchange)
  auditWaiting(exchange)
  auditRfqs(exchange)
  auditTimerQueue(exchange.timers)
  auditTimerQueue(exchange.connectionTimers)
}

/**
 * Audits that active instruments are listed for the next tick of prices, and that one tick is pending if there are any.
 */
function auditGrid(exchange: Exchange): void {
  const { instruments, awake, timers, series, tick, now } = exchange
  const rows = instruments.filter(({ isMarkComputed, sleeps }) => isMarkComputed && !sleeps)
  assert(rows.length === awake.length, 'an active instrument is listed once')
  assert(
    rows.every(({ instrument }) => awake.includes(instrument.id)),
    'an active instrument is listed',
  )
  const ticks = snapshotTimerQueue(timers).timers.filter(({ payload }) => payload.kind === 'price_grid')
  assert(ticks.length === (tick === null ? 0 : 1), 'there is one pending tick')
  if (tick !== null) assert(ticks[0]?.time === tick.time, 'the pending tick is the recorded one')
  const isAwake = awake.length > 0 || series.some(({ sleeps }) => !sleeps)
  if (isAwake) assert(tick !== null, 'there is a pending tick while instruments are active')
  const isSeen = series.some(({ forward, expiration }) => forward > 0 && expiration > now)
  if (isSeen) assert(tick !== null, 'there is a pending tick for options with time decay')
  auditSeries(exchange)
}

/** Audits that options are in their series, and that the series match their futures. */
function auditSeries({
  series,
  instruments,
  indices,
  staleIndices,
  movedCombos,
  openedOptions,
  config,
}: Exchange): void {
  assert(staleIndices.size === 0, 'option flags match the futures of the index')
  assert(movedCombos.size === 0, 'combo flags match their legs')
  assert(openedOptions.size === 0, 'option flags match the first book')
  for (const row of instruments) {
    if (row.option === null || row.deliveredAt !== null) continue
    assert(row.option.series.options.includes(row), 'an option is in its series')
    assert(series.includes(row.option.series), 'the series of an option is listed')
    assert(row.sleeps === row.option.series.sleeps, 'an option is inactive with its series')
  }
  for (const { name, futures } of indices.values()) {
    const own = config.marks === 'index' ? [] : futures.filter(({ mark }) => mark !== 0)
    for (const { index, expiration, forward } of series) {
      const future = own.find((row) => row.instrument.expiration === expiration)
      if (index.name !== name || future === undefined) continue
      assert(forward === future.mark, 'a forward price equals the mark of its future')
    }
  }
}

/** Audits that the house holds at most one unit for each rounding. */
function auditRoundings({ ledger, roundings }: Exchange): void {
  for (let currency = 0; currency < CURRENCY_SLOTS; currency += 1) {
    const kept = cashOf(ledger, walletRowOf(roundingAccount, currency))
    const most = BigInt(roundings[currency] ?? 0)
    assert(kept <= most && kept >= -most, 'rounding leaves at most one unit')
  }
}

/** Total cash of a currency over all accounts, in nano. Only deposits and withdrawals change it. */
export function totalCash(exchange: Exchange, currency: number): bigint {
  let total = 0n
  for (const { account } of exchange.accounts) {
    total += cashOf(exchange.ledger, walletRowOf(account.id, currency))
  }
  return total
}

interface WalletSums {
  readonly profit: Map<number, bigint>
  readonly options: Map<number, bigint>
  readonly initial: Map<number, bigint>
  readonly maintenance: Map<number, bigint>
  readonly premium: Map<number, bigint>
}

function auditHoldings(
  exchange: Exchange,
  row: InstrumentRow,
  counts: { readonly open: OpenCounts; readonly sums: WalletSums },
): void {
  let size = 0
  let basis = 0n
  for (const holding of row.holdings) {
    const owner = defined(exchange.holdings[holding], 'the holding exists')
    const { account, wallet } = owner
    assert(findHolding(exchange, account, row) === owner, 'the account has the holding')
    auditReducing(exchange, owner)
    const state = readHolding(exchange.ledger, holding)
    const exposure = readExposure(exchange.margin, holding)
    size += state.size
    basis += state.realized + state.day
    const key = `${account}/${row.instrument.id}`
    assert(exposure.buys === (counts.open.lots.get(`${key}/buy`) ?? 0), 'open buys match the orders')
    assert(exposure.sells === (counts.open.lots.get(`${key}/sell`) ?? 0), 'open sells match the orders')
    add(row.terms.premium ? counts.sums.options : counts.sums.profit, wallet, state.profit)
    add(counts.sums.initial, wallet, BigInt(exposure.initial))
    add(counts.sums.maintenance, wallet, BigInt(exposure.maintenance))
    if (row.base >= 0) continue
    auditValue(row, state)
    auditMargin(exchange, owner, counts.open)
    add(counts.sums.premium, wallet, BigInt(readPremium(exchange.margin, holding).reserve))
  }
  assert(size === 0, 'the sizes of an instrument add up to zero')
  assert(basis === 0n, 'R + S of an instrument adds up to zero')
}

function auditValue(row: InstrumentRow, state: { readonly size: number; readonly value: bigint }): void {
  if (state.size === 0) {
    assert(state.value === 0n, 'a flat holding has no value')
    return
  }
  const basis = basisBig(row.terms, Math.abs(state.size), row.mark)
  const positive = state.size > 0 === (row.terms.payoff === 'inverse')
  assert(state.value === (positive ? basis : -basis), 'a holding is valued at the mark price')
}

function auditWallets(exchange: Exchange, sums: WalletSums, reserves: ReadonlyMap<number, bigint>): void {
  for (const { account } of exchange.accounts) {
    for (let currency = 0; currency < CURRENCY_SLOTS; currency += 1) {
      const wallet = walletRowOf(account.id, currency)
      const totals = readTotals(exchange.margin, wallet)
      assert(profitOf(exchange.ledger, wallet) === (sums.profit.get(wallet) ?? 0n), 'profit adds up')
      assert(
        optionsValueOf(exchange.ledger, wallet) === (sums.options.get(wallet) ?? 0n),
        'the value of options adds up',
      )
      assert(totals.initial === (sums.initial.get(wallet) ?? 0n), 'initial margin adds up')
      assert(totals.maintenance === (sums.maintenance.get(wallet) ?? 0n), 'maintenance margin adds up')
      assert(totals.premium === (sums.premium.get(wallet) ?? 0n), 'reserves of options add up')
      assert(totals.reserve === (reserves.get(wallet) ?? 0n), 'spot reserves add up')
    }
  }
}

function add(sums: Map<number, bigint>, wallet: number, value: bigint): void {
  sums.set(wallet, (sums.get(wallet) ?? 0n) + value)
}
