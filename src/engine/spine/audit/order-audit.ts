/**
 * The audit of live orders: each is in its recorded place, with its account, its holding and its book. Open sizes and
 * reserves are recomputed from the orders.
 */
import { auditTriggers, NO_SLOT, ownerOf, priceOf, remainingOf, shownOf, visitOrders } from '../../../book/index.ts'
import { assert } from '../../../core/index.ts'
import { basisBig } from '../../../ledger/index.ts'
import { sides, triggerSources } from '../../../model/index.ts'
import {
  type AccountRow,
  type Exchange,
  type HoldingRow,
  holdingOfOrder,
  holdsRareTerms,
  type InstrumentRow,
  inExecutionOrder,
  isSourceKnown,
  type LiveOrder,
  type OrderStage,
  orderAt,
  orderSlotOf,
  partnerAt,
  reducible,
  shareOf,
  sourcePrice,
  take,
  visitAccountOrders,
  walletRowOf,
} from '../../state/index.ts'
import { addLots, countOrder, type OpenOrders } from './margin-audit.ts'

/** Open lots by holding and side, and reserves by wallet, recomputed from the orders. */
export interface OpenCounts extends OpenOrders {
  readonly reserves: Map<number, bigint>
}

/** Checks all live orders, and returns their open sums. */
export function auditOrders(exchange: Exchange): OpenCounts {
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
export function auditReducing(exchange: Exchange, owner: HoldingRow): void {
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
