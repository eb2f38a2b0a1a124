/** Turns a step of a run of protections into a request in the venue's words, given the state of the run. */
import { findMethod } from '../../src/gateways/index.ts'
import { directAmend, directCancel, directMany, directOrder, directQuote } from './protection-direct.ts'
import type { Facts, KnownOrder } from './protection-facts.ts'
import type { Act, Intent } from './protection-intents.ts'
import { type Asked, covering, directConnect, limiting } from './protection-prelude.ts'
import { instrumentOf, pickOrder, priceAt, sidesOf } from './protection-terms.ts'
import {
  type AccountName,
  type Param,
  type Params,
  quoteGroups,
  sessions,
  type Traded,
  traded,
} from './protection-world.ts'

/** The name of an order on the wire. */
export type OrderName = (order: KnownOrder) => string

const SECOND = 1_000_000

/** The request of a step. */
export function requestOf(facts: Facts, { act }: Intent, nameOf: OrderName): Asked {
  const asked = atFloor(facts, act) ?? makers[act.kind](facts, act, nameOf) ?? plainOrder(act, 'taker')
  const { session } = asked
  const isOpen = session === 0 || facts.sessions.has(session)
  if (!isOpen) {
    if (session === sessions.gateA || session === sessions.gateB) {
      return directConnect(session, (act.flavour + session) % 2 === 0)
    }
    // The first request over a closed WebSocket opens it.
    if (session === sessions.maker || session === sessions.covered) {
      return covering(session === sessions.maker ? 'maker' : 'taker', session)
    }
  }
  return findMethod(asked.method) === undefined ? plainOrder(act, 'taker') : asked
}

/** A request that ends a freeze exactly at the end of its first second, if that is now. */
function atFloor(facts: Facts, act: Act): Asked | null {
  const { freeze } = facts.group('gate', 'eth_usd', null) ?? { freeze: null }
  if (freeze === null || freeze.since + SECOND !== facts.now || act.pick % 4 === 0) return null
  return directOrder(facts, { ...act, flavour: 3, instrument: 0 })
}

type Maker = (facts: Facts, act: Act, nameOf: OrderName) => Asked | null

const makers: { readonly [K in Act['kind']]: Maker } = {
  place: (_facts, act) => plainOrder(act, (['taker', 'other', 'maker', 'gate'] as const)[act.pick % 4] ?? 'taker'),
  sweep: (_facts, act) => sweep(act),
  hit: (facts, act) => hit(facts, act),
  protected: (_facts, act) => protectedOrder(act),
  amend: (facts, act, nameOf) => amend(facts, act, nameOf),
  cancel: (facts, act, nameOf) => {
    // JSON-RPC sees the previous version of an amended order while it waits.
    const order =
      pickOrder(facts, act, ({ isDirect, waiting }) => !isDirect && waiting?.listed != null) ??
      pickOrder(facts, act, ({ isDirect }) => !isDirect)
    if (order === null) return null
    return own(order.account, 'private/cancel', { order_id: nameOf(order) }, act)
  },
  cancel_many: (_facts, act) => cancelMany(act),
  quote: (_facts, act) => quote(act),
  cancel_quotes: (_facts, act) => cancelQuotes(act),
  configure: (facts, act) => curtailing(facts, act) ?? configure(act),
  reset: (facts, act) => reset(facts, act),
  trigger: (_facts, act) => trigger(act),
  direct: (facts, act) => directOrder(facts, act),
  direct_amend: (facts, act) => directAmend(facts, act),
  direct_cancel: (facts, act) => directCancel(facts, act),
  direct_quote: (facts, act) => directQuote(facts, act),
  direct_many: (facts, act) => directMany(facts, act),
  lock: (_facts, act) => ({
    ...{ method: 'sim/lock_portfolio', account: null, session: 0 },
    params: { account: 'gate', locked: act.flavour % 3 === 0 },
  }),
  end: (facts, act) => endSession(facts, act),
  cover: (_facts, act) => cover(act),
  list: (_facts, act) =>
    own((['maker', 'gate', 'taker', 'other'] as const)[act.pick % 4] ?? 'maker', 'private/get_open_orders', {}, act),
  index: (_facts, act) => ({
    ...{ method: 'sim/set_index', account: null, session: 0 },
    params:
      act.flavour % 4 === 0
        ? { index_name: 'btc_usd', price: 100_000 + act.level * 20 }
        : { index_name: 'eth_usd', price: 3000 + act.level },
  }),
}

const sessionsOf: { readonly [K in AccountName]: readonly number[] } = {
  maker: [0, sessions.maker, sessions.maker],
  gate: [0, sessions.member],
  taker: [sessions.covered, sessions.plain, sessions.covered, 0],
  other: [0],
}

function own(account: string, method: string, params: Params, { flavour }: Act): Asked {
  // Every order belongs to an account of the run.
  const name = account as AccountName
  const list = sessionsOf[name]
  return { method, account: name, session: list[flavour % list.length] ?? 0, params }
}

function plainOrder(act: Act, account: AccountName): Asked {
  const { count, level, flavour, isBuy } = act
  const instrument = instrumentOf(act)
  const terms: { readonly [key: string]: Param }[] = [
    ...[{}, {}, {}, {}],
    { time_in_force: 'immediate_or_cancel' },
    { post_only: true },
    { time_in_force: 'fill_or_kill' },
    { post_only: true, reject_post_only: true },
  ]
  return own(
    account,
    isBuy ? 'private/buy' : 'private/sell',
    {
      ...{ instrument_name: instrument.name, amount: count * instrument.size },
      ...{ price: priceAt(instrument, level), label: `l${flavour % 3}` },
      ...terms[flavour % terms.length],
    },
    act,
  )
}

/** A taker that sweeps several orders. */
function sweep(act: Act): Asked {
  const { count, flavour, isBuy, pick } = act
  const instrument = instrumentOf(act)
  const account = pick % 3 === 0 ? 'other' : 'taker'
  const isMarket = flavour % 4 === 0
  return own(
    account,
    isBuy ? 'private/buy' : 'private/sell',
    {
      ...{ instrument_name: instrument.name, amount: count * 3 * instrument.size },
      ...(isMarket
        ? { type: 'market' }
        : { price: priceAt(instrument, isBuy ? 3 : -3), time_in_force: 'immediate_or_cancel' }),
    },
    act,
  )
}

/** A taker of one protected order, preferably of a group with a running window; it takes all or part of it. */
function hit(facts: Facts, act: Act): Asked | null {
  const { flavour, pick } = act
  const meant = [...facts.orders.values()].filter(({ group, waiting }) => group?.config != null && waiting === null)
  const running = meant.filter(({ group }) => group?.window.start !== null)
  // Without a speed bump, a fill happens at this instant.
  const instant = running.filter(({ instrument }) => !facts.instrument(instrument).traded.waits)
  const lists = [instant, running, meant, instant].filter((list) => list.length > 0)
  const list = lists[flavour % Math.max(1, lists.length)] ?? []
  const order = list[pick % Math.max(1, list.length)]
  if (order === undefined) return null
  const instrument = facts.instrument(order.instrument).traded
  const account = order.account === 'gate' || pick % 3 > 0 ? 'taker' : 'gate'
  return own(
    account,
    order.side === 'buy' ? 'private/sell' : 'private/buy',
    {
      ...{ instrument_name: instrument.name, amount: instrument.size * (1 + (flavour % 3)) },
      ...{ price: Number(order.price) / 1e9, time_in_force: 'immediate_or_cancel' },
    },
    act,
  )
}

function protectedOrder(act: Act): Asked {
  const { count, level, isBuy, pick } = act
  const instrument = instrumentOf(act)
  const away = pick % 3 === 0 ? level : isBuy ? -Math.abs(level) : Math.abs(level)
  return own(
    pick % 3 === 0 ? 'gate' : 'maker',
    isBuy ? 'private/buy' : 'private/sell',
    {
      ...{ instrument_name: instrument.name, amount: Math.min(count, 3) * instrument.size },
      ...{ price: priceAt(instrument, away), mmp: true, label: 'm' },
    },
    act,
  )
}

function amend(facts: Facts, act: Act, nameOf: OrderName): Asked | null {
  const { count, level, flavour } = act
  const order = pickOrder(facts, act, ({ isDirect, isQuote, isUntriggered }) => !isDirect && !isQuote && !isUntriggered)
  if (order === null) return null
  const instrument = facts.instrument(order.instrument).traded
  const flags: { readonly [key: string]: Param }[] = [{}, {}, {}, { mmp: true }, { mmp: false }, { post_only: true }]
  return own(
    order.account,
    'private/edit',
    {
      ...{ order_id: nameOf(order), amount: count * instrument.size },
      // A price from the other end of the grid would match.
      price: priceAt(instrument, flavour % 2 === 0 ? level : order.side === 'buy' ? 3 : -3),
      ...flags[flavour % flags.length],
    },
    act,
  )
}

function cancelMany(act: Act): Asked {
  const { flavour, pick } = act
  const account = (['maker', 'taker', 'gate', 'other'] as const)[pick % 4] ?? 'maker'
  switch (flavour % 4) {
    case 0:
      return own(account, 'private/cancel_all', {}, act)
    case 1:
      return own(account, 'private/cancel_all_by_instrument', { instrument_name: instrumentOf(act).name }, act)
    case 2:
      return own(account, 'private/cancel_all_by_currency', { currency: 'ETH', freeze_quotes: true }, act)
    default:
      return own(account, 'private/cancel_by_label', { label: `l${pick % 3}` }, act)
  }
}

function quote(act: Act): Asked {
  const { flavour, group, pick, isBuy } = act
  const instrument = instrumentOf(act)
  const { bid, ask, size } = sidesOf(act)
  const further = traded[instrument.isOption ? 1 : 2] as Traded
  const entry = {
    instrument_name: instrument.name,
    quote_set_id: 's1',
    ...(pick % 5 === 1 && isBuy ? {} : { bid: { price: bid, amount: pick % 7 === 0 ? 0 : size } }),
    ...(pick % 5 === 1 && !isBuy ? {} : { ask: { price: ask, amount: size } }),
  }
  const second = {
    instrument_name: further.name,
    quote_set_id: 's2',
    bid: { price: priceAt(further, -1), amount: further.size },
    ask: { price: priceAt(further, 1), amount: further.size },
  }
  return {
    method: 'private/mass_quote',
    account: 'maker',
    // Quotes need a connection with cancel-on-disconnect.
    session: flavour % 12 === 11 ? sessions.http : sessions.maker,
    params: {
      ...{
        quote_id: `q${pick}`,
        mmp_group: quoteGroups[group % 2] ?? 'alpha',
        detailed: flavour % 2 === 0,
      },
      ...(flavour % 6 === 5 ? { wait_for_response: false } : {}),
      quotes: flavour % 3 === 0 ? [entry, second] : [entry],
    },
  }
}

function cancelQuotes(act: Act): Asked {
  const { flavour } = act
  const params: Params[] = [
    { cancel_type: 'all' },
    { cancel_type: 'quote_set_id', quote_set_id: 's2' },
    { cancel_type: 'all', freeze_quotes: true },
    { cancel_type: 'instrument', instrument_name: instrumentOf(act).name },
  ]
  return {
    ...{ method: 'private/cancel_quotes', account: 'maker', session: sessions.maker },
    params: params[flavour % params.length] ?? {},
  }
}

const groupsOf: readonly (readonly [string, string | null])[] = [
  ['eth_usd', null],
  ['eth_usd', 'alpha'],
  ['eth_usd', 'beta'],
  ['btc_usd', null],
  ['eth_usd', null],
  ['eth_usd', 'alpha'],
]

function configure(act: Act): Asked {
  const [index, name] = groupsOf[act.group] ?? ['eth_usd', null]
  const asked = limiting(act.pick % 4 === 0 ? 'gate' : 'maker', index, name, act)
  const isRemoved = act.pick % 8 === 7
  return isRemoved ? { ...asked, params: { ...asked.params, interval: 0 } } : asked
}

/** A maximum below the open size of a group's orders on one side, if it has several there. */
function curtailing({ orders }: Facts, act: Act): Asked | null {
  if (act.pick % 2 === 0) return null
  // Every order belongs to an account of the run.
  const waiting = [...orders.values()].find((order) => order.waiting !== null && order.group?.config != null)
  if (waiting?.group != null && act.flavour % 2 === 0) {
    const { account, index, name } = waiting.group
    return limiting(account as AccountName, index, name, { ...act, level: -3 })
  }
  const places = new Map<string, number>()
  for (const { group, side, instrument, account } of orders.values()) {
    if (group === null || group.name !== null || group.config === null) continue
    const place = `${account} ${group.index} ${side} ${instrument}`
    places.set(place, (places.get(place) ?? 0) + 1)
  }
  const [crowded] = [...places].find(([, count]) => count > 1) ?? []
  if (crowded === undefined) return null
  const [account, index] = crowded.split(' ')
  return limiting(account as AccountName, index ?? '', null, { ...act, level: -2 })
}

function reset(facts: Facts, act: Act): Asked {
  const frozen = [...facts.groups.values()].find(({ freeze }) => freeze !== null)
  if (frozen !== undefined && act.flavour % 4 > 1) {
    const { index, name, account } = frozen
    const of = name === null ? {} : { mmp_group: name }
    return own(account, 'private/reset_mmp', { index_name: index, ...of }, act)
  }
  const [index, name] = groupsOf[act.group] ?? ['eth_usd', null]
  const named = name === null ? {} : { mmp_group: name }
  const params = { index_name: index, ...named }
  return own(act.pick % 3 === 0 ? 'gate' : 'maker', 'private/reset_mmp', params, act)
}

/** A trigger order, which ends with its session like any other. */
function trigger(act: Act): Asked {
  const { isBuy, level } = act
  const price = 3000 + (isBuy ? 1 : -1) * (Math.abs(level) + 1)
  return own(
    'taker',
    isBuy ? 'private/buy' : 'private/sell',
    {
      ...{ instrument_name: 'ETH-PERPETUAL', amount: 1500, type: 'stop_limit', price },
      ...{ trigger: 'index_price', trigger_price: price, label: 'l1' },
    },
    act,
  )
}

function endSession(facts: Facts, act: Act): Asked | null {
  const open = [...facts.sessions.values()]
  // A group with a waiting order is chosen more often.
  const waiting = [...facts.orders.values()].find((order) => order.waiting !== null)
  const known =
    (act.pick % 3 > 0 ? facts.sessions.get(waiting?.session ?? 0) : undefined) ??
    open[act.pick % Math.max(1, open.length)]
  if (known === undefined) return null
  const { session, account, type } = known
  const methods = ['sim/disconnect', 'sim/logout', 'sim/heartbeat_failure', 'private/logout'] as const
  const method = methods[act.flavour % 4] ?? 'sim/disconnect'
  if (act.flavour % 8 === 7 && type === 'direct_access') return directConnect(99, true)
  if (method !== 'private/logout') {
    return { method, account: null, session: 0, params: { session } }
  }
  if (type !== 'web_socket' || account === null) return null
  // Every session belongs to an account of the run; HTTP has no logout.
  const over = act.level === 0 ? 0 : session
  return { method, account: account as AccountName, session: over, params: {} }
}

function cover(act: Act): Asked {
  const method = act.isBuy ? 'private/enable_cancel_on_disconnect' : 'private/disable_cancel_on_disconnect'
  const scope = act.flavour % 3 === 0 ? 'account' : 'connection'
  const session = act.flavour % 2 === 0 ? sessions.covered : sessions.plain
  return { method, account: 'taker', session, params: { scope } }
}
