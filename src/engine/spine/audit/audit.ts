/**
 * Whole-state checks: they recompute and compare all state that the exchange stores twice, and check the laws of DESIGN
 * 3. Tests call them after every command; elsewhere a flag enables them.
 *
 * Each live order is in its recorded place, with its account, its holding and its book; open sizes and reserves are
 * recomputed from the orders.
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
import { assert, auditTimerQueue, defined, divFloor, snapshotTimerQueue } from '../../../core/index.ts'
import { basisBig, cashOf, optionsValueOf, profitOf, readHolding, setMarginBalance } from '../../../ledger/index.ts'
import { isBelowMaintenance, readExposure, readPremium, readTotals } from '../../../margin/index.ts'
import { CURRENCY_SLOTS, roundingAccount, sides, triggerSources } from '../../../model/index.ts'
import { auditRfqQuantity, auditRfqs } from '../../market/index.ts'
import {
  type AccountRow,
  accountRow,
  countWaiting,
  type Exchange,
  findHolding,
  type HoldingRow,
  hasRestrictions,
  holdingOfOrder,
  holdsRareTerms,
  type InstrumentRow,
  inExecutionOrder,
  isOpenQuote,
  isSourceKnown,
  type LiveOrder,
  mayBeDue,
  mmpGroupAt,
  type OrderStage,
  orderAt,
  orderSlotOf,
  partnerAt,
  reducible,
  shareOf,
  sourcePrice,
  take,
  totalCash,
  visitAccountOrders,
  type WaitingCounts,
  walletRowOf,
} from '../../state/index.ts'
import {
  addPending,
  isWithin,
  modelOf,
  needsSlack,
  noteOptionMarket,
  pendingAtLeast,
  pendingOfWallet,
  updateAllSkipped,
} from '../../value/index.ts'
import { addLots, auditAccountRisk, auditMargin, countOrder, type OpenOrders } from './margin-audit.ts'

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
    auditHoldings(exchange, row, open, sums)
  }
  auditWallets(exchange, sums, open.reserves)
  for (const row of exchange.accounts) auditAccountRisk(exchange, row)
  auditGrid(exchange)
  auditCash(exchange)
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

/** Audits that balances add up to the money from outside, and the house holds at most one unit for each rounding. */
function auditCash(exchange: Exchange): void {
  for (let currency = 0; currency < CURRENCY_SLOTS; currency += 1) {
    assert(
      totalCash(exchange, currency) === exchange.outsideCash[currency],
      'balances add up to the money from outside',
    )
    const kept = cashOf(exchange.ledger, walletRowOf(roundingAccount, currency))
    const most = BigInt(exchange.roundings[currency] ?? 0)
    assert(kept <= most && kept >= -most, 'rounding leaves at most one unit')
  }
}

interface WalletSums {
  readonly profit: Map<number, bigint>
  readonly options: Map<number, bigint>
  readonly initial: Map<number, bigint>
  readonly maintenance: Map<number, bigint>
  readonly premium: Map<number, bigint>
}

function auditHoldings(exchange: Exchange, row: InstrumentRow, open: OpenCounts, sums: WalletSums): void {
  let size = 0
  let basis = 0n
  for (const holding of row.holdings) {
    const owner = defined(exchange.holdings[holding], 'the holding exists')
    assert(findHolding(exchange, owner.account, row) === owner, 'the account has the holding')
    auditReducing(exchange, owner)
    const state = readHolding(exchange.ledger, holding)
    const exposure = readExposure(exchange.margin, holding)
    size += state.size
    basis += state.realized + state.day
    const key = `${owner.account}/${row.instrument.id}`
    assert(exposure.buys === (open.lots.get(`${key}/buy`) ?? 0), 'open buys match the orders')
    assert(exposure.sells === (open.lots.get(`${key}/sell`) ?? 0), 'open sells match the orders')
    add(row.terms.premium ? sums.options : sums.profit, owner.wallet, state.profit)
    add(sums.initial, owner.wallet, BigInt(exposure.initial))
    add(sums.maintenance, owner.wallet, BigInt(exposure.maintenance))
    if (row.base >= 0) continue
    auditValue(row, state.size, state.value)
    auditMargin(exchange, owner, open)
    add(sums.premium, owner.wallet, BigInt(readPremium(exchange.margin, holding).reserve))
  }
  assert(size === 0, 'the sizes of an instrument add up to zero')
  assert(basis === 0n, 'R + S of an instrument adds up to zero')
}

function auditValue(row: InstrumentRow, size: number, value: bigint): void {
  if (size === 0) {
    assert(value === 0n, 'a flat holding has no value')
    return
  }
  const basis = basisBig(row.terms, Math.abs(size), row.mark)
  const positive = size > 0 === (row.terms.payoff === 'inverse')
  assert(value === (positive ? basis : -basis), 'a holding is valued at the mark price')
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

/** The audit of liquidations: rounds, checks of funding, locked accounts. */

/** Audits that a round is pending if there are suspects, and that accounts under liquidation are suspects. */
function auditLiquidations(exchange: Exchange): void {
  const { accounts, suspects, isRoundAwaited, fundingLook } = exchange
  const { timers } = snapshotTimerQueue(exchange.timers)
  const paying = exchange.instruments.filter(({ funding }) => (funding?.excess ?? 0n) !== 0n)
  assert(paying.length === exchange.paying, 'the count of paying perpetuals is correct')
  const rounds = timers.filter(({ payload }) => payload.kind === 'liquidation_round')
  assert(rounds.length === (isRoundAwaited ? 1 : 0), 'there is one pending round')
  const looks = timers.filter(({ payload }) => payload.kind === 'funding_look')
  assert(looks.length === (fundingLook === null ? 0 : 1), 'there is one pending funding check')
  assert(looks[0]?.id === fundingLook?.timer, 'the pending timer is the recorded one')
  assert(suspects.size === 0 || isRoundAwaited, 'there is a pending round while there are suspects')
  for (const { row, isFundable } of exchange.holdings) {
    assert(!isFundable || row.funding !== null, 'only perpetuals can have due funding')
  }
  for (const owner of accounts) {
    auditFundable(exchange, owner)
    assert(owner.isRestricted === hasRestrictions(owner), 'an account has the recorded restrictions')
    assert(
      exchange.crossOrPortfolio.has(owner.account.id) === !modelOf(owner).isSummed,
      'an account under cross or portfolio margin is listed',
    )
    const isLocked = owner.liquidations.length > 0
    assert(!isLocked || suspects.has(owner.account.id), 'an account in liquidation is checked in each round')
    assert(!isLocked || !owner.account.house, 'a house account is never liquidated')
  }
}

/**
 * Audits that each position with due funding is listed once with its account, and that the estimate in doubles is a
 * lower bound of its exact sum.
 */
function auditFundable(exchange: Exchange, owner: AccountRow): void {
  for (const { wallet } of owner.fundable) {
    const exact = Number(pendingOfWallet(exchange, owner, wallet))
    const least = pendingAtLeast(exchange, owner, wallet)
    assert(least <= exact, 'funding is at least the estimate in doubles')
  }
  const listed = owner.perpetuals.filter(({ isFundable }) => isFundable)
  assert(listed.length === owner.fundable.length, 'a holding with funding is listed once')
  for (const holding of listed) assert(owner.fundable.includes(holding), 'a holding with funding is listed')
  for (const holding of owner.perpetuals) {
    assert(holding.isFundable || !mayBeDue(exchange, holding), 'only a holding with funding can be due')
  }
}

/**
 * The audit of groups of market-maker protection.
 */

/**
 * Audits that groups are listed with their accounts by number, that a frozen group ends by a timer or by a reset, and
 * that protected orders belong to a group of their account. A group without a configuration, or frozen for all, has
 * only orders that wait.
 */
function auditMmpGroups(exchange: Exchange): void {
  for (const [at, group] of exchange.mmpGroups.entries()) {
    assert(group.membership.group === at + 1, 'a group has the recorded number')
    assert(exchange.accounts[group.account]?.mmpGroups.includes(group) === true, 'a group is listed with its account')
    auditRfqQuantity(exchange, group)
    assert(
      group.freeze === null || (group.freeze.timer === null) === (group.freeze.until === null),
      'a freeze that ends by itself has a timer',
    )
  }
  for (const { account } of exchange.accounts) {
    visitAccountOrders(exchange, account.id, (slot) => {
      const { extras, stage } = orderAt(exchange, slot)
      const membership = extras?.mmp ?? null
      if (membership === null) return
      const group = mmpGroupAt(exchange, membership.group)
      assert(group.account === account.id, 'the group of a protected order belongs to the same account')
      if (stage === 'bumped') return
      const isFrozen = group.freeze !== null && !group.freeze.isReset
      assert(group.config !== null && !isFrozen, 'a group without protection has no open orders')
    })
  }
}

/** Recounts open quotes from the orders: each is listed once with its group, and each listed quote is open. */

/** A quote that is no longer listed waits behind the speed bump as immediate-or-cancel. */
function auditQuotes(exchange: Exchange): void {
  let open = 0
  for (const { account } of exchange.accounts) {
    visitAccountOrders(exchange, account.id, (slot) => {
      const order = orderAt(exchange, slot)
      if (order.extras?.quote == null) return
      const isConverted = exchange.bumps.get(order.id)?.converted != null
      assert(isOpenQuote(exchange, order) !== isConverted, 'a quote is open until it is cancelled')
      if (!isConverted) open += 1
    })
  }
  let listed = 0
  for (const { account, quotes } of exchange.mmpGroups) {
    for (const id of quotes.values()) {
      const slot = orderSlotOf(exchange, id)
      assert(slot !== NO_SLOT, 'a group lists only live quotes')
      assert(ownerOf(exchange.slots, slot) === account, 'a group lists only quotes of its account')
      listed += 1
    }
  }
  assert(open === listed, 'a group lists each of its quotes once')
}

/** The audit of orders behind the speed bump. */

/** Recounts waiting orders for the limits of the queue and of each Member. */
function auditWaiting({ bumps, waiting }: Exchange): void {
  const found: WaitingCounts = new Map()
  for (const bump of bumps.values()) countWaiting(found, bump, 1)
  assert(found.size === waiting.size, 'the gateway pairs with waiting orders are counted')
  for (const [pair, { all, ofMembers }] of found) {
    const counted = waiting.get(pair)
    assert(counted?.all === all, 'the waiting orders of a gateway pair are counted')
    assert(counted.ofMembers.size === ofMembers.size, 'the Members with waiting orders are counted')
    for (const [member, number] of ofMembers) {
      assert(counted.ofMembers.get(member) === number, 'the waiting orders of a Member are counted')
    }
  }
}

/**
 * The audit of skipped revaluations: a skipped holding is listed, within its bounds and valued at its recorded mark,
 * and its wallet is safe.
 */

/** Scratch register of this audit. */
const BALANCE = 10

/**
 * Compares the stored state of skipped holdings, and updates them all: then no wallet with reserved slack is in danger.
 */
function auditSkipped(exchange: Exchange): void {
  const { skipped, scratch, ledger, margin } = exchange
  for (const row of exchange.instruments) auditChecked(exchange, row)
  const needing: number[] = []
  for (const [wallet, list] of skipped) {
    let reserved = 0
    for (const owner of [...list.holdings, ...list.idle]) {
      assert(owner.wallet === wallet, 'a skipped holding is listed with its wallet')
      reserved += auditOne(exchange, owner, list.idle.includes(owner))
    }
    const apart = Math.abs(reserved - list.reserved)
    assert(apart <= 1 + reserved * 1e-9, 'the reserved slack adds up')
    const account = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
    assert(modelOf(account).isSummed, 'only segregated standard margin skips revaluations')
    // Without liquidations nothing is reserved.
    if (!exchange.config.liquidation.enabled) continue
    const isOver = account.fundable.length > 0 && list.until < exchange.now
    if (!isOver && needsSlack(list, account)) needing.push(wallet)
  }
  updateAllSkipped(exchange)
  for (const wallet of needing) {
    setMarginBalance(scratch, BALANCE, ledger, wallet)
    const account = accountRow(exchange, divFloor(wallet, CURRENCY_SLOTS))
    addPending(scratch, BALANCE, exchange, account, wallet)
    const isInDanger = isBelowMaintenance(scratch, BALANCE, margin, wallet)
    assert(!isInDanger, 'a wallet with reserved slack is safe')
  }
}

/** Audits that each holding is either checked or skipped, and listed as such. */
function auditChecked(exchange: Exchange, row: InstrumentRow): void {
  const isChecked = new Set(row.checked)
  assert(isChecked.size === row.checked.length, 'a checked holding is listed once')
  for (const holding of row.holdings) {
    const owner = defined(exchange.holdings[holding], 'the holding exists')
    assert(isChecked.has(holding) === (owner.skip === null), 'a holding is either checked or skipped')
    const list = exchange.skipped.get(owner.wallet)
    const isListed = owner.skip === null || list?.[owner.skip.isIdle ? 'idle' : 'holdings'].includes(owner)
    assert(isListed === true, 'a skipped holding is listed')
  }
}

/** Audits a skipped holding and returns its share. */
function auditOne(exchange: Exchange, owner: HoldingRow, isIdle: boolean): number {
  const { row, holding, skip } = owner
  assert(skip !== null && skip.isIdle === isIdle, 'a listed holding is skipped')
  const { size, value } = readHolding(exchange.ledger, holding)
  const { buys, sells } = readExposure(exchange.margin, holding)
  assert(isIdle === (size === 0 && buys === 0 && sells === 0), 'an idle holding has no position and no orders')
  assert(isWithin(row, skip), 'a skipped holding is within its bounds')
  const basis = size === 0 ? 0n : basisBig(row.terms, Math.abs(size), skip.marked.price9)
  const isAdded = size > 0 === (row.terms.payoff === 'inverse')
  assert(value === (isAdded ? basis : -basis), 'a skipped holding is valued at its recorded mark')
  return skip.share
}

/** Open lots by holding and side, and reserves by wallet, recomputed from the orders. */
interface OpenCounts extends OpenOrders {
  readonly reserves: Map<number, bigint>
}

/** Checks all live orders, and returns their open sums. */
function auditOrders(exchange: Exchange): OpenCounts {
  const open: OpenCounts = { lots: new Map(), premiums: new Map(), reserves: new Map() }
  let resting = 0
  let waiting = 0
  for (const row of exchange.instruments) {
    for (const side of sides) {
      visitOrders(row.book, side, (slot) => {
        resting += 1
        const order = orderAt(exchange, slot)
        assert(order.side === side, 'an order rests on its side of the book')
        assert(order.stage === 'resting', 'an order in a book is resting')
        assert(order.instrument === row.instrument.id, 'an order rests in the book of its instrument')
        const shown = shownOf(exchange.slots, slot)
        assert(order.display === 0 || shown <= order.display, 'an iceberg shows at most its visible size')
        const isWhole = shown === remainingOf(exchange.slots, slot)
        assert(isWhole || order.display > 0, 'only an iceberg has hidden size')
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
  assert(resting === 0, 'a resting order is in its book once')
  assert(waiting === 0, 'an order that waits for a price is among the triggers once')
  assert(listed === exchange.slots.used, 'every live order is listed with its account')
  for (const [slot, terms] of exchange.orders.rare.entries()) {
    const isKept = terms !== null
    assert(holdsRareTerms(exchange.orders, slot) === isKept, 'extra terms belong to a live order')
  }
  assert(exchange.work.length === 0, 'no triggered order is pending')
  return open
}

/** Checks the orders of an account, adds their open sums, and returns their numbers. */
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
    assert(orderSlotOf(exchange, order.id) === slot, 'an order is found by its id')
    const isRare = (exchange.orders.rare[slot] ?? null) !== null
    assert(holdsRareTerms(exchange.orders, slot) === isRare, 'the flag for extra terms is correct')
    assert(account === owner.account.id, 'an order belongs to its holding')
    assert(ownerOf(exchange.slots, slot) === owner.account.id, 'an account lists only its orders')
    assert(order.created >= created, 'an account lists its orders in order of creation')
    created = order.created
    const remaining = remainingOf(exchange.slots, slot)
    assert(remaining > 0 && remaining <= order.amount, 'a live order has a remaining size')
    found.orders += 1
    if (trigger !== null) triggers[trigger.source] += 1
    if (stage === 'untriggered') found.untriggered += 1
    else if (stage === 'dormant') found.secondaries += row.base < 0 ? 1 : 0
    else assert(isPlaced(stage), 'between commands, an order rests or waits')
    if (stage === 'dormant' && row.base >= 0) found.spot += 1
    if (stage === 'resting') found.resting += 1
    if (stage === 'resting' && order.reduceOnly) auditListed(exchange, slot)
    assert((stage === 'bumped') === exchange.bumps.has(order.id), 'a waiting order is in the queue')
    if (!isPlaced(stage)) return
    found.open += 1
    addOpen(exchange, open, row, slot)
    auditPartner(exchange, order)
  })
  assert(last === owner.lastOrder, 'the last order of an account is recorded')
  assert(found.open === owner.openTotal, 'the open orders of an account are counted')
  assert(found.secondaries === owner.openSecondaries, 'the secondary orders of an account are counted')
  assert(found.spot === owner.openSpotSecondaries, 'the secondary spot orders of an account are counted')
  for (const source of triggerSources) {
    assert(triggers[source] === owner.openTriggers[source], 'the triggers of an account are counted')
  }
  return found
}

/** Adds the size and reserve of an order to the open sums; reduce-only orders and quotes have none. */
function addOpen(exchange: Exchange, open: OpenCounts, row: InstrumentRow, slot: number): void {
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
  const wallet = walletRowOf(owner, side === 'buy' ? row.settlement : row.base)
  const price = priceOf(exchange.slots, slot) * row.instrument.tick9
  const reserve =
    side === 'buy' ? basisBig(row.terms, remaining, price) : BigInt(remaining) * BigInt(row.instrument.amountStep9)
  open.reserves.set(wallet, (open.reserves.get(wallet) ?? 0n) + reserve)
}

/** Audits that two open orders that cancel each other refer to each other. */
function auditPartner(exchange: Exchange, { id, link }: LiveOrder): void {
  const slot = link === null ? -1 : orderSlotOf(exchange, link.partner)
  if (slot < 0) return
  const other = orderAt(exchange, slot)
  if (other.stage === 'dormant') return
  assert(other.link?.partner === id, 'linked orders refer to each other')
}

/** Audits that the reduce-only orders of a holding are listed, and that each has its permitted part. */
function auditReducing(exchange: Exchange, owner: HoldingRow): void {
  for (const slot of owner.reducing) {
    const { reduceOnly, holding, stage } = orderAt(exchange, slot)
    assert(reduceOnly && stage === 'resting', 'only resting reduce-only orders share the position')
    assert(holding === owner.holding, 'a reduce-only order is listed with its holding')
  }
  for (const side of sides) {
    const own = owner.reducing.filter((slot) => orderAt(exchange, slot).side === side)
    const wanted = own.reduce((sum, slot) => sum + remainingOf(exchange.slots, slot), 0)
    assert(wanted === owner.wanted[side], "the total of a holding's reduce-only orders is correct")
    const share = shareOf(reducible(exchange, owner.holding, side))
    for (const { slot, id } of inExecutionOrder(exchange, owner, side, NO_SLOT)) {
      const wanted = remainingOf(exchange.slots, slot)
      const kept = take(share, id, partnerAt(exchange, slot), wanted)
      assert(kept === wanted, 'reduce-only orders never execute beyond the position')
    }
  }
}

/** Audits that a resting reduce-only order is listed among those that share the position. */
function auditListed(exchange: Exchange, slot: number): void {
  const { reducing } = holdingOfOrder(exchange, slot)
  assert(reducing.filter((each) => each === slot).length === 1, 'a reduce-only order is listed')
}

/** True for stages between commands in which an order does not wait for a price or a fill. */
function isPlaced(stage: OrderStage): boolean {
  return stage === 'resting' || stage === 'routed' || stage === 'bumped'
}
