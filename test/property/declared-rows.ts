/** The rows of every declared table, a state with data in each of them, and other values for their fields. */
import { ownerOf } from '../../src/book/index.ts'
import { amount, instrumentId, lots, micros, orderId, price9, sequence } from '../../src/core/index.ts'
import type { Exchange } from '../../src/engine/index.ts'
import {
  bringTo,
  copyOfOrder,
  creationTimeAt,
  type LiveOrder,
  newRecord,
  orderAt,
  type RfqQuoteRow,
  type RfqRow,
  restoreRareTerms,
  setUpdateTime,
  type stateTables,
  updateTimeAt,
  visitAccountOrders,
} from '../../src/engine/state/index.ts'
import { usualProfile } from '../../src/model/index.ts'
import { protectedMarket } from '../support/exchange-states.ts'

/** A live order with settable fields: setting one rewrites its record from all fields. */
function writableOrder(exchange: Exchange, slot: number): object {
  const { orders, slots, holdings } = exchange
  const set = (order: LiveOrder, name: string, value: unknown): boolean => {
    const fields = { ...copyOfOrder(order), [name]: value } as LiveOrder
    const of = holdings.filter(({ row }) => row.instrument.id === fields.instrument)
    const own = of.find(({ account }) => account === ownerOf(slots, slot)) ?? of[0]
    // A new instrument needs the holding of that instrument.
    const holding = name === 'instrument' ? (own?.holding ?? -1) : fields.holding
    const updatedAt = updateTimeAt(orders, slot)
    const { id, created, stage, session } = fields
    newRecord(exchange, slot, fields, {
      ...{ id, created, holding, stage, session },
      time: creationTimeAt(orders, slot),
    })
    if (slot < orders.rare.length) orders.rare[slot] = null
    restoreRareTerms(orders, slot, fields)
    setUpdateTime(orders, slot, updatedAt)
    bringTo(order, fields)
    return true
  }
  return new Proxy(orderAt(exchange, slot), { set })
}

/** The rows of each table; a new table must be added here. */
export const declaredRows: {
  readonly [T in keyof typeof stateTables]: (exchange: Exchange) => readonly object[]
} = {
  exchange: (exchange) => [exchange],
  accounts: ({ accounts }) => accounts,
  accountRisks: ({ accounts }) => accounts.map(({ risk }) => risk),
  liquidations: ({ accounts }) => accounts.flatMap(({ liquidations }) => liquidations),
  standings: ({ accounts }) => accounts.map(({ standing }) => standing),
  venue: ({ venue }) => [venue],
  rates: ({ rates }) => [rates],
  rateBuckets: ({ rates }) => [...rates.buckets.values()],
  minuteCounts: ({ rates }) => [...rates.minutes.values()],
  instruments: ({ instruments }) => instruments,
  indices: ({ indices }) => [...indices.values()],
  series: ({ series }) => series,
  options: ({ instruments }) => instruments.flatMap(({ option }) => option ?? []),
  optionRisks: ({ instruments }) => instruments.flatMap(({ risk }) => risk ?? []),
  funding: ({ instruments }) => instruments.flatMap(({ funding }) => funding ?? []),
  holdings: ({ holdings }) => holdings,
  pairs: ({ accounts }) => accounts.flatMap(({ risk }) => risk.pairs),
  orders: (exchange) => {
    const found: object[] = []
    for (const { account } of exchange.accounts) {
      visitAccountOrders(exchange, account.id, (slot) => found.push(writableOrder(exchange, slot)))
    }
    return found
  },
  bumps: ({ bumps }) => [...bumps.values()],
  heldRequests: ({ heldRequests }) => [...heldRequests.values()],
  sessions: ({ sessions }) => [...sessions.values()],
  mmpGroups: ({ mmpGroups }) => mmpGroups,
  participants: ({ participants }) => [...participants.values()],
  lspWindows: ({ participants }) => [...participants.values()].flatMap(({ windows }) => [...windows.values()]),
  blocks: ({ blocks }) => [blocks],
  blockSignatures: ({ blocks }) => [...blocks.signatures.values()],
  executedBlocks: ({ blocks }) => [...blocks.executed.values()],
  pendingBlocks: ({ blocks }) => [...blocks.pending.values()],
  keys: ({ keys }) => [...keys.values()],
  mobile: ({ mobile }) => [mobile],
  profiles: ({ profiles }) => [...profiles.values()],
  outages: ({ outages }) => [outages],
  indexOutages: ({ outages }) => [...outages.indices.values()],
  wallets: ({ wallets }) => [wallets],
  addresses: ({ wallets }) => [...wallets.entries.values()],
  depositAddresses: ({ wallets }) => wallets.depositAddresses,
  payments: ({ wallets }) => [...wallets.payments.values()],
  rfqBook: ({ rfqs }) => [rfqs],
  rfqs: ({ rfqs }) => [...rfqs.rfqs.values()],
  rfqQuotes: ({ rfqs }) => [...rfqs.rfqs.values()].flatMap(({ quotes }) => [...quotes.values()]),
  rfqParties: ({ rfqs }) => [...rfqs.parties.values()],
}

/** An RFQ with a value in each of its fields. */
function rfqOf(now: ReturnType<typeof micros>): RfqRow {
  const shown = { price: 5, makers: [1], allOrNone: false, updatedAt: now, expiresAt: now }
  const hedge = {
    instrument: instrumentId(0),
    side: 'buy',
    price: price9(5),
    amount: lots(6),
  } as const
  const quote: RfqQuoteRow = {
    quote: 4,
    maker: 1,
    side: 'buy',
    instruction: 'any_part_of',
    label: 'one',
    appName: 'desk',
    createdAt: now,
    expiresAt: now,
    timer: sequence(7),
    amount: 3,
    price: 5,
    legPrices: [price9(5)],
    updatedAt: now,
    replaced: true,
  }
  return {
    rfq: 2,
    taker: 2,
    sizeUnit9: 10,
    priceUnit9: 10,
    amount: 4,
    least: 2,
    step: 1,
    legs: [{ instrument: instrumentId(0), side: 'buy', ratio: 1 }],
    hedge,
    makers: [1],
    disclosed: true,
    label: 'one',
    appName: 'desk',
    createdAt: now,
    expiresAt: now,
    shares: [{ account: 2, client: null, amount: 4 }],
    graceUntil: now,
    expiry: sequence(8),
    state: 'filled',
    closedAt: now,
    mark9: 5n,
    quotes: new Map([[4, quote]]),
    ended: new Map([[3, 1]]),
    triggers: [{ side: 'buy', price: 5, state: 'cancelled', reason: 'replaced' }],
    shown: { bid: shown, ask: null },
    shownSince: now,
    included: true,
    filledSide: 'buy',
    trades: [{ maker: 1, quote: 4, side: 'buy', price: 5, amount: 4, block: 1, hedge: lots(6) }],
    indices: [{ index: 'btc_usd', price: price9(5) }],
  }
}

/** A state with data in every place that runs of this file leave empty, consistent or not. */
export function filled(): Exchange {
  const exchange = protectedMarket(3)
  const [account] = exchange.accounts
  const [instrument] = exchange.instruments
  const [bump] = exchange.bumps.values()
  const [group] = exchange.mmpGroups
  if (account === undefined || instrument === undefined) throw new Error('a market has accounts')
  if (bump === undefined || group === undefined) throw new Error('a market has protections')
  const { standing } = account
  const now = micros(exchange.now)
  const limits = { maxFuturePosition: 1n }
  exchange.advancedOrders.push(orderId(77))
  exchange.unsettled.add(1)
  exchange.settling.add(1)
  exchange.rates.buckets.set('3 trading', { credits: 5, at: now })
  exchange.rates.minutes.set('3 public', { minute: 4, count: 6 })
  exchange.rates.moves.set(2, [now])
  account.liquidations.push({ currency: 1, round: 2, isStuck: false })
  standing.locks.add('positions')
  standing.disabledProducts.add('spots')
  standing.quoteFreezes.set(null, now).set('BTC', now)
  standing.riskLimits.set('btc_usd', limits as never)
  exchange.venue.inactiveGateways.add('main-1' as never)
  exchange.venue.disabledMessages.add('MassQuoteRequest')
  exchange.venue.riskLimits.set('eth_usd', limits as never)
  instrument.stateBefore = 'open'
  for (const order of declaredRows.orders(exchange) as LiveOrder[]) {
    order.advanced = { type: 'usd', value9: price9(5) }
    order.validUntil = now
  }
  Object.assign(bump, { before: { price: 5, amount: 6, display: 0, updatedAt: now } })
  bump.converted = 'cancel_on_disconnect' as never
  group.freeze = {
    trigger: 'quantity' as never,
    since: now,
    until: null,
    timer: null,
    isReset: true,
  }
  const legs = [{ instrument: instrumentId(0), side: 'buy', price: price9(5), amount: lots(6) }] as const
  const named = { timestamp: now, nonce: 'one', legs } as const
  const signed = { account: 1, role: 'maker', needsApproval: false, appName: 'desk' } as const
  const approval = { value: 'initial', since: now } as const
  exchange.blocks.count = 3
  exchange.blocks.signatures.set('one', { ...named, ...signed, state: 'used', usedFor: 'two' })
  exchange.blocks.executed.set('two', { block: 3, maker: 1, taker: 2, legs })
  exchange.blocks.tapePrices.set(0, price9(7))
  exchange.blocks.pendingCount = 1
  const apps = { maker: 'desk', taker: null }
  exchange.blocks.apps.set(1, apps)
  const sides = { maker: 1, taker: 2, apps, makerState: approval, takerState: approval }
  exchange.blocks.pending.set('three', { pending: 1, ...named, ...sides })
  exchange.rfqs.count = 2
  exchange.rfqs.quoteCount = 4
  exchange.rfqs.open.add(2)
  exchange.rfqs.tradeCounts.set(1, 2)
  exchange.rfqs.parties.set(1, {
    ...{ isMaker: true, makerAlias: 'ONE', takerAlias: 'TWO', preventsSelfMatch: true, broker: 2 },
    quoteLimits: [{ kind: 'future', pair: 'BTC_USD', amount9: 5 }],
  })
  exchange.rfqs.rfqs.set(2, rfqOf(now))
  const rights = { scopes: ['trade:read'], features: ['block_trade_approval'] } as const
  const terms = { ...rights, appName: 'desk', enabled: false, addresses: ['192.0.2.1'] }
  const given = { id: 9, createdAt: now, title: 'mine', secret: 9, changed: 9 }
  exchange.keys.set('1/desk', { account: 1, name: 'desk', ...terms, ...given })
  exchange.removed.add(3)
  fillWallets(exchange)
  fillSwitches(exchange)
  exchange.participants.set(account.account.id, {
    account: account.account.id,
    status: 'enabled',
    limitsPpm: { btc: 5 } as never,
    windows: new Map([['btc' as never, { used: 5n, start: now, end: now }]]),
    failures: [now],
  })
  return exchange
}

/** Wallets with a value in each field. */
function fillWallets({ wallets, now }: Exchange): void {
  const shared = { account: 1, currency: 'BTC', address: 'one', createdAt: now } as const
  const count = { entryCount: 1, depositCount: 1, withdrawalCount: 1 }
  Object.assign(wallets, { ...count, held: true, transit: 2 })
  wallets.thirdParty.add(1)
  wallets.depositAddresses.push({ number: 1, ...shared })
  const texts = { network: 'n', tag: 't', id: 'i' }
  const state = { status: 'waiting', waitsUntil: now, needsConfirmation: true } as const
  const details = { label: 'l', vaspName: 'v' } as never
  wallets.entries.set(1, { entry: 1, ...shared, type: 'transfer', ...texts, details, ...state })
  const words = { source: 's', transaction: 't', nonce: 'nonce', note: 'note' }
  const money = { amount: amount(5n), fee: amount(6n), priority: 'high' } as const
  const times = { confirmedAt: now, timer: 3 as never, target: 2 }
  const kind = { type: 'withdrawal', payment: 1, state: 'confirmed' } as const
  wallets.payments.set('withdrawal 1', { ...kind, ...shared, ...words, ...money, ...times })
}

/** Mobile devices, profiles and outages with a value in each field. */
function fillSwitches({ mobile, profiles, outages, now }: Exchange): void {
  mobile.sessions.add(9).add(7)
  mobile.asks.add('quote 4').add('signature one')
  const lists = { securityKeys: ['login'], currencies: ['SOL'] } as const
  profiles.set(1, { ...usualProfile, ...lists, email: 'one@example.org', username: 'one' })
  outages.isInMaintenance = true
  outages.indices.set('btc_usd', { since: now, timer: 3 as never, locked: [instrumentId(0)] })
}

/** Another value for a field; undefined without one. */
export function otherThan(value: unknown, others: readonly unknown[]): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'bigint') return value + 1n
  if (typeof value === 'boolean') return !value
  if (typeof value === 'string') return others.find((other) => other !== value) ?? `${value}x`
  if (value === null) return others.find((other) => other !== null)
  if (value instanceof Float64Array) return value.map((part) => part + 1)
  if (value instanceof Map) {
    const [first] = value
    return first === undefined ? undefined : new Map([...value].slice(1))
  }
  if (value instanceof Set) return value.size === 0 ? undefined : new Set([...value].slice(1))
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.slice(1)
  if (typeof value !== 'object') return undefined
  const record = value as Record<string, unknown>
  for (const [name, part] of Object.entries(record)) {
    const other = otherThan(part, [])
    if (other !== undefined) return { ...record, [name]: other }
  }
  return undefined
}
