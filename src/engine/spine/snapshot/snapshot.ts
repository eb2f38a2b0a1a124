/**
 * Snapshots: the whole state of an exchange as bytes, and back.
 *
 * Sections: `config`; `state`, the kept and wired fields of the declared rows (`stateTables`); `books`, the recorded
 * ones (`RecordedState`); `orders`, `ledger`, `margin`, `timers` and `connections`,
 * the timers of connections; `blocks`, `keys`, `mobile` (sessions), `mobile_asks`, `wallets`, `rfqs`, `profiles`,
 * `removed` and `outages`, the sectioned fields of the declaration, if they are not empty. Slots are not saved: a
 * restored exchange assigns new ones, and nothing observable depends on them. Each section has its own checksum
 * (core/bytes/sections.ts).
 *
 * The section `orders` has the live orders by account, and the queues of every book in match order. Lists of orders that wait
 * for a price or are on their way are restored from the orders and from the timers.
 */
import {
  addTrigger,
  aheadOf,
  cutOf,
  hiddenOf,
  noteConsumed,
  ownerOf,
  priceOf,
  type RecordedLevel,
  recordedLevels,
  remainingOf,
  restOrder,
  restoreRecorded,
  restoreSidePrints,
  type SidePrintsState,
  setAhead,
  setCut,
  setHidden,
  sidePrintsState,
  visitOrders,
} from '../../../book/index.ts'
import {
  createStateHash,
  decodeSections,
  decodeValue,
  defined,
  encodeSections,
  encodeValue,
  err,
  type Field,
  hashHex,
  hashPlain,
  hashText,
  loadRow,
  micros,
  ok,
  type Plain,
  type Result,
  restoreRow,
  restoreTimerQueue,
  type SectionFault,
  savedField,
  savedRows,
  saveRow,
  snapshotTimerQueue,
} from '../../../core/index.ts'
import { restoreLedger, snapshotLedger } from '../../../ledger/index.ts'
import { restoreMargin, snapshotMargin } from '../../../margin/index.ts'
import { CURRENCY_SLOTS, type ExchangeConfig, type Side } from '../../../model/index.ts'
import {
  accountFields,
  addAccount,
  addHolding,
  bringTo,
  type ConnectionTask,
  countWaiting,
  creationTimeAt,
  type Exchange,
  emptyExchange,
  enterIndex,
  exchangeFields,
  holdingFields,
  type InstrumentRow,
  indexFields,
  indexRow,
  instrumentFields,
  instrumentRow,
  isBlockFree,
  isOutageFree,
  isRfqFree,
  isWalletFree,
  linkCombos,
  listMmpGroup,
  listOrder,
  liveOrderUnit,
  mmpGroupUnit,
  mobileFields,
  newRecord,
  noteFundable,
  noteRestrictions,
  optionFields,
  orderAt,
  restoreRareTerms,
  rowOfInstrument,
  seriesFields,
  setMark,
  setUpdateTime,
  type TimerTask,
  takeOrderSlot,
  totalCash,
  updateTimeAt,
  visitAccountOrders,
} from '../../state/index.ts'
import { noteOptionMarket, rebuildMargin, updateAllSkipped } from '../../value/index.ts'

/** A recorded book as plain data. */
type RecordedState = {
  readonly bids: readonly RecordedLevel[]
  readonly asks: readonly RecordedLevel[]
  readonly hasPrints: boolean
  readonly bidPrints: SidePrintsState
  readonly askPrints: SidePrintsState
  /** Consumed levels with the times of their refresh, in the order of consumption. */
  readonly bidRefreshes: readonly (readonly [price: number, due: number])[]
  readonly askRefreshes: readonly (readonly [price: number, due: number])[]
}

/** A section that most states do not have. A state without it has the same bytes as before the section existed. */
interface RareSection {
  /** Returns null if the state has nothing to save here. */
  readonly save: (exchange: Exchange) => Plain | null
  /** Restores the section into a state where it is empty. */
  readonly restore: (exchange: Exchange, saved: Plain) => void
}

/**
 * The hash of an exchange's state: equal states have equal hashes on every machine, and states that differ in anything
 * that a snapshot keeps have different ones.
 *
 * It is computed from the sections of a snapshot (`stateSections`), so that a field that is added there is in
 * the hash too. Derived state is in neither. The configuration is only in the snapshot, because it belongs to the run,
 * not to its state.
 */

/**
 * Returns a hash of 32 hexadecimal digits over all state that future events depend on.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * const before = stateHash(venue.exchange)
 * venue.as('ann').request('private/get_positions', {})
 * console.log(stateHash(venue.exchange) === before) // false
 */
export function stateHash(exchange: Exchange): string {
  const hash = createStateHash()
  for (const [name, value] of stateSections(exchange)) {
    hashText(hash, name)
    hashPlain(hash, value)
  }
  return hashHex(hash)
}

const MAGIC = 'PITCLOCK'

const VERSION = 15

const sectionNames = ['config', 'state', 'books', 'orders', 'ledger', 'margin', 'timers', 'connections'] as const

/** The section of a declared field of a row, in the form of its unit. */
function sectionOf<N extends string, T>(
  name: N,
  { unit }: Field<T>,
  rowOf: (exchange: Exchange) => { readonly [K in N]: T },
  /** True for an empty value. */
  isFree: (value: T) => boolean,
): RareSection {
  return {
    save: (exchange) => {
      const value = rowOf(exchange)[name]
      return isFree(value) ? null : unit.save(value)
    },
    restore: (exchange, saved) => Object.assign(rowOf(exchange), { [name]: unit.load(saved) }),
  }
}

const whole = (exchange: Exchange): Exchange => exchange

const mobileOf = (exchange: Exchange): Exchange['mobile'] => exchange.mobile

const isEmpty = ({ size }: { readonly size: number }): boolean => size === 0

const rareSections: { readonly [name: string]: RareSection } = {
  blocks: sectionOf('blocks', exchangeFields.blocks, whole, isBlockFree),
  keys: sectionOf('keys', exchangeFields.keys, whole, isEmpty),
  mobile: sectionOf('sessions', mobileFields.sessions, mobileOf, isEmpty),
  mobile_asks: sectionOf('asks', mobileFields.asks, mobileOf, isEmpty),
  wallets: sectionOf('wallets', exchangeFields.wallets, whole, isWalletFree),
  rfqs: sectionOf('rfqs', exchangeFields.rfqs, whole, isRfqFree),
  profiles: sectionOf('profiles', exchangeFields.profiles, whole, isEmpty),
  removed: sectionOf('removed', exchangeFields.removed, whole, isEmpty),
  outages: sectionOf('outages', exchangeFields.outages, whole, isOutageFree),
}

/**
 * Saves the state as bytes.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * const bytes = snapshot(venue.exchange)
 * console.log(restore(bytes).ok) // true
 */
export function snapshot(exchange: Exchange): Uint8Array {
  const sections = new Map([['config', encodeValue(plain(exchange.config))]])
  for (const [name, value] of stateSections(exchange)) sections.set(name, encodeValue(value))
  return encodeSections(MAGIC, VERSION, sections)
}

/** All state of an exchange that changes, as plain data by section. Snapshots store it, and the hash covers it. */
function stateSections(exchange: Exchange): readonly (readonly [string, Plain])[] {
  updateAllSkipped(exchange)
  const rows = {
    holdings: exchange.holdings.length,
    wallets: exchange.accounts.length * CURRENCY_SLOTS,
  }
  return [
    ['state', saveRow(exchangeFields, exchange)],
    ['books', plain(exchange.instruments.map(recordedStateOf))],
    ['orders', plain(ordersSection(exchange))],
    ['ledger', plain(snapshotLedger(exchange.ledger, rows.holdings, rows.wallets))],
    ['margin', plain(snapshotMargin(exchange.margin, rows.holdings, rows.wallets))],
    ['timers', plain(snapshotTimerQueue(exchange.timers))],
    ['connections', plain(snapshotTimerQueue(exchange.connectionTimers))],
    ...savedRarely(exchange),
  ]
}

/** The rare sections that a state has. */
function savedRarely(exchange: Exchange): readonly (readonly [string, Plain])[] {
  return Object.entries(rareSections).flatMap(([name, { save }]) => {
    const saved = save(exchange)
    return saved === null ? [] : [[name, saved] as const]
  })
}

/** Restores the rare sections of a snapshot into a state where they are empty. */
function restoreRarely(exchange: Exchange, values: ReadonlyMap<string, Plain>): void {
  for (const [name, { restore: putBack }] of Object.entries(rareSections)) {
    const saved = values.get(name)
    if (saved !== undefined) putBack(exchange, saved)
  }
}

/**
 * Restores an exchange from the bytes of a snapshot. An error names the section and the byte.
 *
 * @example
 * console.log(restore(new Uint8Array(4)).ok) // false
 */
export function restore(bytes: Uint8Array): Result<Exchange, SectionFault> {
  const container = decodeSections(bytes, MAGIC, VERSION)
  if (!container.ok) return container
  const values = new Map<string, Plain>()
  for (const name of sectionNames) {
    const section = container.value.get(name)
    if (section === undefined) {
      return err({
        section: name,
        offset: bytes.length,
        expected: `a section ${name}`,
        found: 'none',
      })
    }
    const value = decodeValue(section)
    if (!value.ok) return err({ section: name, ...value.error })
    values.set(name, value.value)
  }
  for (const name of Object.keys(rareSections)) {
    const section = container.value.get(name)
    if (section === undefined) continue
    const value = decodeValue(section)
    if (!value.ok) return err({ section: name, ...value.error })
    values.set(name, value.value)
  }
  return ok(rebuild(values))
}

/**
 * Creates an independent copy of an exchange.
 *
 * @example
 * const venue = openVenue({ start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } })
 * const copy = fork(venue.exchange)
 * console.log(stateHash(copy) === stateHash(venue.exchange)) // true
 */
export function fork(exchange: Exchange): Exchange {
  const copy = restore(snapshot(exchange))
  return defined(copy.ok ? copy.value : undefined, 'a new snapshot can be restored')
}

/**
 * Replaces the state of an exchange by the state of another one, so that references to the exchange stay valid.
 * Counters continue, so that no sequence of a request and no number of an event is used twice. The other exchange must
 * not be used afterwards.
 */
export function putBackState(exchange: Exchange, other: Exchange): void {
  Object.assign(exchange, other, { lastSequence: exchange.lastSequence, eventCount: exchange.eventCount })
}

/**
 * Builds the state from decoded sections. The checksums have shown that these are the bytes that `snapshot` wrote, so
 * their shape is known; a wrong shape would be our defect and fails an assertion.
 *
 * Wired rows are restored in the order of their dependencies: indices and accounts, instruments (their options find
 * their series again), holdings, orders, groups.
 */
function rebuild(values: ReadonlyMap<string, Plain>): Exchange {
  const state = section<Plain>(values, 'state')
  const books = section<readonly (RecordedState | null)[]>(values, 'books')
  const exchange: Exchange = {
    ...emptyExchange(section<ExchangeConfig>(values, 'config')),
    ledger: restoreLedger(section(values, 'ledger')),
    margin: restoreMargin(section(values, 'margin')),
    timers: restoreTimerQueue<TimerTask>(section(values, 'timers')),
    connectionTimers: restoreTimerQueue<ConnectionTask>(section(values, 'connections')),
  }
  restoreRarely(exchange, values)
  restoreRow(exchangeFields, exchange, state)
  for (const bump of exchange.bumps.values()) countWaiting(exchange.waiting, bump, 1)
  for (const saved of savedRows(state, 'indices')) {
    const { name } = loadRow(indexFields, saved)
    restoreRow(indexFields, indexRow(exchange, name), saved)
  }
  for (const saved of savedRows(state, 'accounts')) {
    const { account } = loadRow(accountFields, saved)
    const owner = addAccount(exchange, account)
    restoreRow(accountFields, owner, saved)
    noteRestrictions(owner)
  }
  for (const currency of exchange.outsideCash.keys()) exchange.outsideCash[currency] = totalCash(exchange, currency)
  for (const [at, saved] of savedRows(state, 'instruments').entries()) {
    restoreInstrument(exchange, saved, books[at] ?? null)
  }
  for (const { id, time, payload } of snapshotTimerQueue(exchange.timers).timers) {
    if (payload.kind === 'price_grid') exchange.tick = { timer: id, time: micros(time) }
  }
  for (const saved of savedRows(state, 'holdings')) restoreHolding(exchange, saved)
  restoreOrders(exchange, section(values, 'orders'))
  // The other margin state is recomputed from the restored state.
  for (const row of exchange.instruments) noteOptionMarket(row)
  for (const owner of exchange.holdings) rebuildMargin(exchange, owner)
  for (const saved of savedRows(state, 'mmpGroups')) {
    listMmpGroup(exchange, mmpGroupUnit.load(saved))
  }
  return exchange
}

function restoreInstrument(exchange: Exchange, saved: Plain, book: RecordedState | null): void {
  const { instrument, queue } = loadRow(instrumentFields, saved)
  const row = instrumentRow(exchange, instrument, queue)
  restoreRow(instrumentFields, row, saved)
  if (row.hasMark) setMark(row, row.mark)
  restoreRecordedBook(row, book)
  exchange.instruments.push(row)
  exchange.instrumentIds.set(instrument.name, instrument.id)
  linkCombos(exchange, row)
  if (row.option !== null) {
    const option = savedField(saved, 'option')
    restoreRow(optionFields, row.option, option)
    restoreRow(seriesFields, row.option.series, savedField(option, 'series'))
  }
  if (row.funding !== null && row.funding.excess !== 0n) exchange.paying += 1
  if (row.deliveredAt === null) enterIndex(exchange, row)
  if (row.isMarkComputed && !row.sleeps) exchange.awake.push(instrument.id)
}

function restoreHolding(exchange: Exchange, saved: Plain): void {
  const { account } = loadRow(holdingFields, saved)
  // A saved holding refers to its instrument by number.
  const instrument = savedField(saved, 'row') as number
  const row = defined(exchange.instruments[instrument], 'a holding belongs to a listed instrument')
  const owner = addHolding(exchange, account, row)
  restoreRow(holdingFields, owner, saved)
  noteFundable(exchange, owner)
}

/** The types of these `model` interfaces do not say that they contain only plain data. */
function plain(value: object): Plain {
  return value as Plain
}

function section<T>(values: ReadonlyMap<string, Plain>, name: string): T {
  return defined(values.get(name), `a snapshot has a section ${name}`) as T
}

/** Recorded books in a snapshot: their levels, and the state of the prints that took from them. */

/** The recorded book of an instrument; null in a closed market. */
function recordedStateOf({ book }: InstrumentRow): RecordedState | null {
  if (book.recorded === null) return null
  const { bids, asks, prints, refreshes } = book.recorded
  return {
    bids: recordedLevels(bids),
    asks: recordedLevels(asks),
    hasPrints: prints.seen,
    bidPrints: sidePrintsState(prints.buy),
    askPrints: sidePrintsState(prints.sell),
    bidRefreshes: [...refreshes.buy],
    askRefreshes: [...refreshes.sell],
  }
}

/** Restores a recorded book into an empty one. */
function restoreRecordedBook({ book: { recorded } }: InstrumentRow, state: RecordedState | null): void {
  if (recorded === null || state === null) return
  for (const level of state.bids) restoreRecorded(recorded.bids, level)
  for (const level of state.asks) restoreRecorded(recorded.asks, level)
  recorded.prints.seen = state.hasPrints
  restoreSidePrints(recorded.prints.buy, state.bidPrints)
  restoreSidePrints(recorded.prints.sell, state.askPrints)
  for (const [price, until] of state.bidRefreshes) {
    noteConsumed(recorded.refreshes, 'buy', price, until)
  }
  for (const [price, until] of state.askRefreshes) {
    noteConsumed(recorded.refreshes, 'sell', price, until)
  }
}

/** A live order as plain data. */
type OrderState = {
  readonly order: Plain
  readonly account: number
  readonly price: number
  readonly remaining: number
  readonly hidden: number
  readonly ahead: number
  readonly cut: number
  readonly createdAt: number
  readonly updatedAt: number
}

/** Orders and queues as plain data. */
type OrdersSection = {
  /** Every live order, by account in the order of creation. */
  readonly live: readonly OrderState[]
  /** Ids of resting orders, book by book, bids then asks, each in match order. */
  readonly queues: readonly (readonly [readonly number[], readonly number[]])[]
}

/** The live orders and the queues of an exchange. */
function ordersSection(exchange: Exchange): OrdersSection {
  const live: OrderState[] = []
  for (const { account } of exchange.accounts) {
    visitAccountOrders(exchange, account.id, (slot) => {
      live.push({
        order: liveOrderUnit.save(orderAt(exchange, slot)),
        account: ownerOf(exchange.slots, slot),
        price: priceOf(exchange.slots, slot),
        remaining: remainingOf(exchange.slots, slot),
        hidden: hiddenOf(exchange.slots, slot),
        ahead: aheadOf(exchange.slots, slot),
        cut: cutOf(exchange.slots, slot),
        createdAt: creationTimeAt(exchange.orders, slot),
        updatedAt: updateTimeAt(exchange.orders, slot),
      })
    })
  }
  const queueOf = (row: InstrumentRow, side: Side): number[] => {
    const ids: number[] = []
    visitOrders(row.book, side, (slot) => ids.push(orderAt(exchange, slot).id))
    return ids
  }
  const queues = exchange.instruments.map((row) => [queueOf(row, 'buy'), queueOf(row, 'sell')] as const)
  return { live, queues }
}

/** Puts orders into an exchange whose instruments, holdings and timers are restored. */
function restoreOrders(exchange: Exchange, orders: OrdersSection): void {
  const slots = new Map<number, number>()
  const restored: number[] = []
  for (const state of orders.live) {
    const order = liveOrderUnit.load(state.order)
    const row = rowOfInstrument(exchange, order.instrument)
    const slot = takeOrderSlot(exchange, state)
    newRecord(exchange, slot, order, {
      id: order.id,
      created: order.created,
      holding: order.holding,
      stage: order.stage,
      session: order.session,
      time: state.createdAt,
    })
    restoreRareTerms(exchange.orders, slot, order)
    bringTo(orderAt(exchange, slot), order)
    listOrder(exchange, slot)
    setHidden(exchange.slots, slot, state.hidden)
    setUpdateTime(exchange.orders, slot, state.updatedAt)
    slots.set(order.id, slot)
    restored.push(slot)
    if (order.stage === 'untriggered' && order.trigger !== null) {
      addTrigger(row.triggers[order.trigger.source], order.trigger.waiting)
    }
    if (order.stage === 'resting' && order.reduceOnly) {
      const { reducing, wanted } = defined(exchange.holdings[order.holding], 'an order has a holding')
      reducing.push(slot)
      wanted[order.side] += state.remaining
    }
  }
  orders.queues.forEach(([bids, asks], instrument) => {
    const { book } = defined(exchange.instruments[instrument], 'a queue belongs to a listed instrument')
    for (const id of bids) restOrder(book, 'buy', defined(slots.get(id), 'a queued order is live'))
    for (const id of asks) restOrder(book, 'sell', defined(slots.get(id), 'a queued order is live'))
  })
  // Resting the orders assigned new places in the recorded queues; set the saved ones.
  for (const [at, { ahead, cut }] of orders.live.entries()) {
    const slot = defined(restored[at], 'a live order has a slot')
    setAhead(exchange.slots, slot, ahead)
    setCut(exchange.slots, slot, cut)
  }
  for (const { id, payload } of snapshotTimerQueue(exchange.timers).timers) {
    if (payload.kind === 'order_arrival') exchange.arrivals.set(payload.order, id)
  }
}
