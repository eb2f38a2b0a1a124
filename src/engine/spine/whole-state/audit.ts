/**
 * Whole-state checks: everything the exchange stores twice is recomputed and compared, and the laws
 * of DESIGN 3 are held. Tests call it after every command; a flag turns it on elsewhere.
 */
import {
  auditBook,
  auditTriggers,
  NO_SLOT,
  ownerOf,
  priceOf,
  remainingOf,
  shownOf,
  visitOrders,
} from '../../../book/index.ts'
import { assert, auditTimerQueue, defined, snapshotTimerQueue } from '../../../core/index.ts'
import { basisBig, cashOf, optionsValueOf, profitOf, readHolding } from '../../../ledger/index.ts'
import { readExposure, readPremium, readTotals } from '../../../margin/index.ts'
import { CURRENCY_SLOTS, roundingAccount, sides, triggerSources } from '../../../model/index.ts'
import { auditRfqs } from '../../market/index.ts'
import {
  type AccountRow,
  type Exchange,
  findHolding,
  type HoldingRow,
  holdingOfOrder,
  holdsRareTerms,
  type InstrumentRow,
  inExecutionOrder,
  isSourceKnown,
  type LiveOrder,
  type OrderStage,
  orderAt,
  partnerAt,
  reducible,
  shareOf,
  slotOf,
  sourcePrice,
  take,
  visitAccountOrders,
  walletOf,
} from '../../state/index.ts'
import { noteOptionMarket } from '../../value/index.ts'
import { auditCalm } from './calm-audit.ts'
import { auditLiquidations } from './liquidation-audit.ts'
import {
  addLots,
  auditAccountRisk,
  auditMargin,
  countOrder,
  type OpenOrders,
} from './margin-audit.ts'
import { auditMmpGroups } from './mmp-audit.ts'
import { auditQuotes } from './quote-audit.ts'
import { auditWaiting } from './waiting-audit.ts'

/**
 * Throws `AssertionFailure` at the first thing that does not hold.
 *
 * @throws AssertionFailure with the code `DEFECT` where a part of the state disagrees with what is computed from nothing.
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
  auditCalm(exchange)
  for (const row of exchange.instruments) {
    auditBook(row.book)
    assert(row.markTerms.price9 === row.mark, 'the arithmetic of a contract is at its mark')
    assert(row.markScale.mark9 === row.mark, 'the arithmetic of margin is at its mark')
    assert(!noteOptionMarket(row), 'margin knows the market of an option')
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

/** Who takes part in the next tick of prices is listed, and one tick is awaited for them alone. */
function auditGrid(exchange: Exchange): void {
  const { instruments, awake, timers, series, tick, now } = exchange
  const rows = instruments.filter(({ isMarkComputed, sleeps }) => isMarkComputed && !sleeps)
  assert(rows.length === awake.length, 'whoever is awake is listed once')
  assert(
    rows.every(({ instrument }) => awake.includes(instrument.id)),
    'whoever is awake is listed',
  )
  const ticks = snapshotTimerQueue(timers).timers.filter(
    ({ payload }) => payload.kind === 'price_grid',
  )
  assert(ticks.length === (tick === null ? 0 : 1), 'one tick is awaited')
  if (tick !== null) assert(ticks[0]?.time === tick.time, 'the tick that is awaited is known')
  const isAwake = awake.length > 0 || series.some(({ sleeps }) => !sleeps)
  if (isAwake) assert(tick !== null, 'a tick is awaited for those who are awake')
  const isSeen = series.some(({ forward, expiration }) => forward > 0 && expiration > now)
  if (isSeen) assert(tick !== null, 'a tick is awaited for options that time wears out')
  auditSeries(exchange)
}

/** Options stand in their series, which know what their futures say. */
function auditSeries({
  series,
  instruments,
  indices,
  staleIndices,
  movedCombos,
  config,
}: Exchange): void {
  assert(staleIndices.size === 0, 'options know what the futures of their index say')
  assert(movedCombos.size === 0, 'combos know what their legs say')
  for (const row of instruments) {
    if (row.option === null || row.deliveredAt !== null) continue
    assert(row.option.series.options.includes(row), 'an option stands in its series')
    assert(series.includes(row.option.series), 'the series of an option is listed')
    assert(row.sleeps === row.option.series.sleeps, 'an option sleeps with its series')
  }
  for (const { name, futures } of indices.values()) {
    const own = config.marks === 'index' ? [] : futures.filter(({ mark }) => mark !== 0)
    for (const { index, expiration, forward } of series) {
      const future = own.find((row) => row.instrument.expiration === expiration)
      if (index.name !== name || future === undefined) continue
      assert(forward === future.mark, 'a forward is the mark of its future')
    }
  }
}

/** Audits that the house holds at most one unit for each rounding. */
function auditRoundings({ ledger, roundings }: Exchange): void {
  for (let currency = 0; currency < CURRENCY_SLOTS; currency += 1) {
    const kept = cashOf(ledger, walletOf(roundingAccount, currency))
    const most = BigInt(roundings[currency] ?? 0)
    assert(kept <= most && kept >= -most, 'a rounding leaves at most one unit')
  }
}

/** Total cash of a currency over all accounts, in nano: changes by deposits and withdrawals only. */
export function totalCash(exchange: Exchange, currency: number): bigint {
  let total = 0n
  for (const { account } of exchange.accounts) {
    total += cashOf(exchange.ledger, walletOf(account.id, currency))
  }
  return total
}

/** Open lots by holding and side, and reserves by wallet, counted from the orders. */
interface OpenCounts extends OpenOrders {
  readonly reserves: Map<number, bigint>
}

function auditOrders(exchange: Exchange): OpenCounts {
  const open: OpenCounts = { lots: new Map(), premiums: new Map(), reserves: new Map() }
  let resting = 0
  let waiting = 0
  for (const row of exchange.instruments) {
    for (const side of sides) {
      visitOrders(row.book, side, (slot) => {
        resting += 1
        const order = orderAt(exchange, slot)
        assert(order.side === side, 'an order rests on its own side')
        assert(order.stage === 'resting', 'what stands in a book rests')
        assert(order.instrument === row.instrument.id, 'an order rests in its own book')
        const shown = shownOf(exchange.slots, slot)
        assert(order.display === 0 || shown <= order.display, 'an iceberg shows no more than asked')
        const isWhole = shown === remainingOf(exchange.slots, slot)
        assert(isWhole || order.display > 0, 'only an iceberg hides something')
      })
    }
    for (const source of triggerSources) {
      const book = row.triggers[source]
      auditTriggers(book, isSourceKnown(row, source) ? sourcePrice(row, source) : null)
      waiting += book.rising.length + book.falling.length + book.trailing.length
    }
  }
  let listed = 0
  for (const row of exchange.accounts) {
    const counted = auditAccountOrders(exchange, row, open)
    resting -= counted.resting
    waiting -= counted.untriggered
    listed += counted.orders
  }
  assert(resting === 0, 'an order that rests stands in its book once')
  assert(waiting === 0, 'an order that waits for a price stands among the triggers once')
  assert(listed === exchange.slots.used, 'every live order is listed with its account')
  for (const slot of exchange.orders.rare.keys()) {
    assert(holdsRareTerms(exchange.orders, slot), 'rare terms are those of a live order')
  }
  assert(exchange.work.length === 0, 'what was set off is done')
  return open
}

/** Checks the orders of an account, adds what they hold open, and returns their numbers. */
function auditAccountOrders(
  exchange: Exchange,
  owner: AccountRow,
  open: OpenCounts,
): { readonly orders: number; readonly resting: number; readonly untriggered: number } {
  const found = { orders: 0, resting: 0, untriggered: 0, open: 0, secondaries: 0, spot: 0 }
  const triggers = { index_price: 0, mark_price: 0, last_price: 0 }
  let created = 0
  let last = NO_SLOT
  visitAccountOrders(exchange, owner.account.id, (slot) => {
    const order = orderAt(exchange, slot)
    last = slot
    const { stage, trigger } = order
    const { row, account } = holdingOfOrder(exchange, slot)
    assert(slotOf(exchange, order.id) === slot, 'an order is found by its id')
    const isRare = exchange.orders.rare.has(slot)
    assert(
      holdsRareTerms(exchange.orders, slot) === isRare,
      'an order knows whether it has rare terms',
    )
    assert(account === owner.account.id, 'an order belongs to its holding')
    assert(ownerOf(exchange.slots, slot) === owner.account.id, 'an account lists its own orders')
    assert(order.created >= created, 'an account lists its orders as they were created')
    created = order.created
    const remaining = remainingOf(exchange.slots, slot)
    assert(remaining > 0 && remaining <= order.amount, 'a live order has something left')
    found.orders += 1
    if (trigger !== null) triggers[trigger.source] += 1
    if (stage === 'untriggered') found.untriggered += 1
    else if (stage === 'dormant') found.secondaries += row.base < 0 ? 1 : 0
    else assert(isPlaced(stage), 'between commands an order has a place')
    if (stage === 'dormant' && row.base >= 0) found.spot += 1
    if (stage === 'resting') found.resting += 1
    if (stage === 'resting' && order.reduceOnly) auditListed(exchange, slot)
    assert((stage === 'bumped') === exchange.bumps.has(order.id), 'what waits is in the queue')
    if (!isPlaced(stage)) return
    found.open += 1
    addOpen(exchange, open, { row, slot })
    auditPartner(exchange, order)
  })
  assert(last === owner.lastOrder, 'an account knows its last order')
  assert(found.open === owner.openTotal, 'an account counts its open orders')
  assert(found.secondaries === owner.openSecondaries, 'an account counts its secondaries')
  assert(found.spot === owner.openSpotSecondaries, 'an account counts its secondaries of spot')
  for (const source of triggerSources) {
    assert(triggers[source] === owner.openTriggers[source], 'an account counts its triggers')
  }
  return found
}

/** Adds what an order holds open; what may only reduce a position holds nothing. */
function addOpen(
  exchange: Exchange,
  open: OpenCounts,
  { row, slot }: { readonly row: InstrumentRow; readonly slot: number },
): void {
  const { side, reduceOnly, extras } = orderAt(exchange, slot)
  if (reduceOnly || (extras !== null && extras.quote !== null)) return
  const owner = ownerOf(exchange.slots, slot)
  const remaining = remainingOf(exchange.slots, slot)
  addLots(open, `${owner}/${row.instrument.id}/${side}`, remaining)
  if (row.base < 0) {
    const price = priceOf(exchange.slots, slot)
    countOrder(exchange, open, {
      owner: holdingOfOrder(exchange, slot),
      side,
      lots: remaining,
      price,
    })
    return
  }
  const wallet = walletOf(owner, side === 'buy' ? row.settlement : row.base)
  const price = priceOf(exchange.slots, slot) * row.instrument.tick9
  const reserve =
    side === 'buy'
      ? basisBig(row.terms, remaining, price)
      : BigInt(remaining) * BigInt(row.instrument.amountStep9)
  open.reserves.set(wallet, (open.reserves.get(wallet) ?? 0n) + reserve)
}

/** Two open orders that are partners know each other. */
function auditPartner(exchange: Exchange, { id, link }: LiveOrder): void {
  const slot = link === null ? -1 : slotOf(exchange, link.partner)
  if (slot < 0) return
  const other = orderAt(exchange, slot)
  if (other.stage === 'dormant') return
  assert(other.link?.partner === id, 'partners know each other')
}

/** The reduce-only orders of a holding are listed, and each has the part that it may have. */
function auditReducing(exchange: Exchange, owner: HoldingRow): void {
  for (const slot of owner.reducing) {
    const { reduceOnly, holding, stage } = orderAt(exchange, slot)
    assert(reduceOnly && stage === 'resting', 'only resting reduce-only orders are shared out')
    assert(holding === owner.holding, 'a reduce-only order is listed with its holding')
  }
  for (const side of sides) {
    const own = owner.reducing.filter((slot) => orderAt(exchange, slot).side === side)
    const wanted = own.reduce((sum, slot) => sum + remainingOf(exchange.slots, slot), 0)
    assert(wanted === owner.wanted[side], 'a holding knows what its reduce-only orders want')
    const share = shareOf(reducible(exchange, owner.holding, side))
    for (const { slot, id } of inExecutionOrder(exchange, owner, { side, entering: NO_SLOT })) {
      const wanted = remainingOf(exchange.slots, slot)
      const kept = take(share, { id, partner: partnerAt(exchange, slot), wanted })
      assert(kept === wanted, 'reduce-only orders never execute beyond the position')
    }
  }
}

/** A reduce-only order that rests is one of those that share the position. */
function auditListed(exchange: Exchange, slot: number): void {
  const { reducing } = holdingOfOrder(exchange, slot)
  assert(reducing.filter((each) => each === slot).length === 1, 'a reduce-only order is listed')
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
    const owner = defined(exchange.holdings[holding], 'a holding exists')
    const { account, wallet } = owner
    assert(findHolding(exchange, account, row) === owner, 'a holding is found by its account')
    auditReducing(exchange, owner)
    const state = readHolding(exchange.ledger, holding)
    const exposure = readExposure(exchange.margin, holding)
    size += state.size
    basis += state.realized + state.session
    const key = `${account}/${row.instrument.id}`
    assert(exposure.buys === (counts.open.lots.get(`${key}/buy`) ?? 0), 'open buys are counted')
    assert(exposure.sells === (counts.open.lots.get(`${key}/sell`) ?? 0), 'open sells are counted')
    add(row.terms.premium ? counts.sums.options : counts.sums.profit, wallet, state.profit)
    add(counts.sums.initial, wallet, BigInt(exposure.initial))
    add(counts.sums.maintenance, wallet, BigInt(exposure.maintenance))
    if (row.base >= 0) continue
    auditValue(row, state)
    auditMargin(exchange, owner, counts.open)
    add(counts.sums.premium, wallet, BigInt(readPremium(exchange.margin, holding).reserve))
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
      assert(
        optionsValueOf(exchange.ledger, wallet) === (sums.options.get(wallet) ?? 0n),
        'the worth of options adds up',
      )
      assert(totals.initial === (sums.initial.get(wallet) ?? 0n), 'initial margin adds up')
      assert(totals.maintenance === (sums.maintenance.get(wallet) ?? 0n), 'maintenance adds up')
      assert(totals.premium === (sums.premium.get(wallet) ?? 0n), 'reserves of options add up')
      assert(totals.reserve === (reserves.get(wallet) ?? 0n), 'spot reserves add up')
    }
  }
}

function add(sums: Map<number, bigint>, wallet: number, value: bigint): void {
  sums.set(wallet, (sums.get(wallet) ?? 0n) + value)
}

/** Where an order may be between commands that is not waiting for a price or a fill. */
function isPlaced(stage: OrderStage): boolean {
  return stage === 'resting' || stage === 'routed' || stage === 'bumped'
}
