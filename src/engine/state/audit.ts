/**
 * Whole-state checks: everything the exchange stores twice is recomputed and compared, and the laws
 * of DESIGN 3 are held. Tests call it after every command; a flag turns it on elsewhere.
 */
import { auditBook, ownerOf, remainingOf, visitOrders } from '../../book/index.ts'
import { assert, auditTimerQueue, defined } from '../../core/index.ts'
import { basisBig, cashOf, profitOf, readHolding } from '../../ledger/index.ts'
import { initialMargin, maintenanceMargin, readExposure, readTotals } from '../../margin/index.ts'
import { CURRENCY_SLOTS } from '../../model/index.ts'
import { type Exchange, type InstrumentRow, walletOf } from './exchange.ts'
import { holdingOfOrder } from './holdings.ts'
import { orderAt, slotOf, visitAccountOrders } from './orders.ts'

/** Throws `AssertionFailure` at the first thing that does not hold. */
export function audit(exchange: Exchange): void {
  const open = auditOrders(exchange)
  const sums = {
    profit: new Map<number, bigint>(),
    initial: new Map<number, bigint>(),
    maintenance: new Map<number, bigint>(),
  }
  for (const row of exchange.instruments) {
    auditBook(row.book)
    assert(row.markTerms.price9 === row.mark, 'the arithmetic of a contract is at its mark')
    assert(row.markScale.mark9 === row.mark, 'the arithmetic of margin is at its mark')
    auditHoldings(exchange, row, { open, sums })
  }
  auditWallets(exchange, sums, open.reserves)
  auditTimerQueue(exchange.timers)
}

/** Total cash of a currency over all accounts, in nano: changes by deposits and withdrawals only. */
export function totalCash(exchange: Exchange, currency: number): bigint {
  let total = 0n
  for (const { account } of exchange.accounts) {
    total += cashOf(exchange.ledger, walletOf(account.id, currency))
  }
  return total
}

/** Open lots by holding and side, and reserves by wallet, counted from the books. */
interface OpenCounts {
  readonly lots: Map<string, number>
  readonly reserves: Map<number, bigint>
}

function auditOrders(exchange: Exchange): OpenCounts {
  const lots = new Map<string, number>()
  const reserves = new Map<number, bigint>()
  let resting = 0
  for (const row of exchange.instruments) {
    let dayOrders = 0
    for (const side of ['buy', 'sell'] as const) {
      visitOrders(row.book, side, (slot) => {
        resting += 1
        const order = orderAt(exchange, slot)
        assert(order.side === side, 'an order rests on its own side')
        assert(slotOf(exchange, order.id) === slot, 'an order is found by its id')
        assert(order.instrument === row.instrument.id, 'an order rests in its own book')
        if (order.timeInForce === 'good_til_day') dayOrders += 1
        const owner = ownerOf(exchange.slots, slot)
        assert(holdingOfOrder(exchange, slot).account === owner, 'an order belongs to its holding')
        const remaining = remainingOf(exchange.slots, slot)
        assert(remaining <= order.amount, 'an order never has more left than its amount')
        const key = `${owner}/${row.instrument.id}/${side}`
        lots.set(key, (lots.get(key) ?? 0) + remaining)
        if (row.base < 0) return
        const wallet = walletOf(owner, side === 'buy' ? row.settlement : row.base)
        const price = (exchange.slots.price[slot] as number) * row.instrument.tick9
        const reserve =
          side === 'buy'
            ? basisBig(row.terms, remaining, price)
            : BigInt(remaining) * BigInt(row.instrument.amountStep9)
        reserves.set(wallet, (reserves.get(wallet) ?? 0n) + reserve)
      })
    }
    assert(dayOrders === row.dayOrders, 'good-til-day orders are counted')
  }
  let listed = 0
  for (const { account, openTotal } of exchange.accounts) {
    let own = 0
    let created = 0
    visitAccountOrders(exchange, account.id, (slot) => {
      const order = orderAt(exchange, slot)
      assert(ownerOf(exchange.slots, slot) === account.id, 'an account lists its own orders')
      assert(order.created >= created, 'an account lists its orders as they were created')
      created = order.created
      own += 1
    })
    assert(own === openTotal, 'an account counts its orders')
    listed += own
  }
  assert(resting === listed && resting === exchange.slots.used, 'every live order rests in a book')
  return { lots, reserves }
}

interface WalletSums {
  readonly profit: Map<number, bigint>
  readonly initial: Map<number, bigint>
  readonly maintenance: Map<number, bigint>
}

function auditHoldings(
  exchange: Exchange,
  row: InstrumentRow,
  counts: { readonly open: OpenCounts; readonly sums: WalletSums },
): void {
  let size = 0
  let basis = 0n
  for (const holding of row.holdings) {
    const { account, wallet, margined } = defined(exchange.holdings[holding], 'a holding exists')
    const state = readHolding(exchange.ledger, holding)
    const exposure = readExposure(exchange.margin, holding)
    size += state.size
    basis += state.realized + state.session
    const key = `${account}/${row.instrument.id}`
    assert(exposure.buys === (counts.open.lots.get(`${key}/buy`) ?? 0), 'open buys are counted')
    assert(exposure.sells === (counts.open.lots.get(`${key}/sell`) ?? 0), 'open sells are counted')
    add(counts.sums.profit, wallet, state.profit)
    add(counts.sums.initial, wallet, BigInt(exposure.initial))
    add(counts.sums.maintenance, wallet, BigInt(exposure.maintenance))
    if (row.base >= 0) continue
    auditValue(row, state)
    const worst = Math.max(
      Math.abs(state.size),
      Math.abs(state.size + exposure.buys),
      Math.abs(state.size - exposure.sells),
    )
    const bound = margined && row.mark > 0
    const expected = bound ? initialMargin(row.markScale, worst) : 0
    assert(exposure.initial === expected, 'initial margin equals margin computed from nothing')
    const needed = bound ? maintenanceMargin(row.markScale, Math.abs(state.size)) : 0
    assert(
      exposure.maintenance === needed,
      'maintenance margin equals margin computed from nothing',
    )
  }
  assert(size === 0, 'the sizes of an instrument sum to zero')
  assert(basis === 0n, 'R + S of an instrument sums to zero')
}

function auditValue(
  row: InstrumentRow,
  state: { readonly size: number; readonly value: bigint },
): void {
  if (state.size === 0) {
    assert(state.value === 0n, 'a flat holding is worth nothing')
    return
  }
  const basis = basisBig(row.terms, Math.abs(state.size), row.mark)
  const positive = state.size > 0 === (row.terms.payoff === 'inverse')
  assert(state.value === (positive ? basis : -basis), 'a holding is valued at the mark')
}

function auditWallets(
  exchange: Exchange,
  sums: WalletSums,
  reserves: ReadonlyMap<number, bigint>,
): void {
  for (const { account } of exchange.accounts) {
    for (let currency = 0; currency < CURRENCY_SLOTS; currency += 1) {
      const wallet = walletOf(account.id, currency)
      const totals = readTotals(exchange.margin, wallet)
      assert(
        profitOf(exchange.ledger, wallet) === (sums.profit.get(wallet) ?? 0n),
        'profit adds up',
      )
      assert(totals.initial === (sums.initial.get(wallet) ?? 0n), 'initial margin adds up')
      assert(totals.maintenance === (sums.maintenance.get(wallet) ?? 0n), 'maintenance adds up')
      assert(totals.reserve === (reserves.get(wallet) ?? 0n), 'spot reserves add up')
    }
  }
}

function add(sums: Map<number, bigint>, wallet: number, value: bigint): void {
  sums.set(wallet, (sums.get(wallet) ?? 0n) + value)
}
