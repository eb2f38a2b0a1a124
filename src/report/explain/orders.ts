/**
 * Why an order filled, ended or was refused: its admission, its place in the queue, each fill with the other side, and
 * what pulled it.
 *
 * The place in the queue of a closed book follows from the rows of other orders at the same price. For a recorded book
 * `fills` has the size ahead at each match.
 */
import type { Cursor } from '../read/cursor.ts'
import { type Chain, endsOf, type Link, type Names, type Numbered, noteFact, type UnrecordedFact } from './chain.ts'
import { endLinks } from './ends.ts'
import { copiedRow, plainDecimal, type Row, type Tables, timeText } from './rows.ts'
import { ruleIn, ruleOfFill } from './rules.ts'

/** Digits after the point of amounts and money. */
const PLACES = 9

/** Orders ahead that a link lists one by one. */
const AHEAD_SHOWN_MAX = 3

/** The chain of an order; null if the run has no such order. */
export async function orderChain(tables: Tables, names: Names, order: Numbered): Promise<Chain | null> {
  const isOwn = isNumbered('order_id', order)
  const changes = await tables.rows('orders', isOwn)
  const [first] = changes
  const last = changes.at(-1)
  if (first === undefined || last === undefined) return null
  const fills = await tables.rows('fills', isOwn)
  const unrecorded: UnrecordedFact[] = []
  const queue = await queueLinks(tables, names, { changes, fills, unrecorded })
  const { kept: rows, omitted } = endsOf(inOrder(changes, fills))
  const filled = new Set(fills)
  const links: Link[] = []
  for (const [at, row] of rows.entries()) {
    if (filled.has(row)) links.push(await fillLink(tables, names, row))
    else links.push(...(await changeLinks(tables, names, row)))
    if (row === fills.at(-1)) links.push(...feeLinks(names, fills))
    links.push(...queue.filter((link) => isBetween(link.row.event, row, rows[at + 1])))
  }
  return { answer: outcomeOf(last, fills), links, omitted, unrecorded }
}

/** The chain of a trade: how each side came to it; null if the run has no such trade. */
export async function fillChain(tables: Tables, names: Names, trade: Numbered): Promise<Chain | null> {
  const sides = await tables.rows('fills', isNumbered('trade_id', trade))
  const [any] = sides
  if (any === undefined) return null
  const links: Link[] = []
  const unrecorded: UnrecordedFact[] = []
  for (const fill of sides) {
    const number = fill.number('order_id')
    const changes = await tables.rows('orders', isNumbered('order_id', { ...trade, number }))
    const [first] = changes
    const before = changes.filter(({ event }) => event <= fill.event)
    if (first !== undefined) links.push(...(await changeLinks(tables, names, first)))
    for (const row of before.slice(1)) links.push(...(await changeLinks(tables, names, row)))
    links.push(...(await queueLinks(tables, names, { changes, fills: [fill], unrecorded })))
    if (first !== undefined || sides.length === 1) links.push(await fillLink(tables, names, fill))
    links.push(...feeLinks(names, [fill]))
  }
  const [amount, price] = [any.text('amount'), any.text('price')]
  const parties = sides.map((side) => `${side.text('account')} ${pastOf(side)} as ${side.text('liquidity')}`)
  return {
    answer: `${amount} ${any.text('instrument')} at ${price}: ${parties.join(', ')}`,
    links,
    omitted: 0,
    unrecorded,
  }
}

/** True for the rows of an order or a trade with its number in a column. */
function isNumbered(column: 'order_id' | 'trade_id', { currency, number }: Numbered): (row: Cursor) => boolean {
  return (row) => row.number(column) === number && row.text('currency') === currency
}

function isBetween(event: number, row: Row, next: Row | undefined): boolean {
  return event >= row.event && (next === undefined || event < next.event)
}

/** The changes of an order without fills, and its rows of `fills`, in the order of their events. */
function inOrder(changes: readonly Row[], fills: readonly Row[]): readonly Row[] {
  const others = changes.filter((row) => row.cell('change') !== 'filled')
  return [...others, ...fills].toSorted((left, right) => left.event - right.event)
}

async function changeLinks(tables: Tables, names: Names, row: Row): Promise<readonly Link[]> {
  const at = row.text('price')
  switch (row.cell('change')) {
    case 'opened':
      return [{ row, text: admission(names, row), rule: ruleOfAdmission(row) }]
    case 'edited':
      return [{ row, text: `An edit set ${amountOf(row)} at ${at}.`, rule: ruleIn('orders', 'order.edit-priority') }]
    case 'rested':
      return [
        { row, text: `The rest of ${restOf(row)} entered the queue at ${at}.`, rule: ruleIn('orders', 'book_maker') },
      ]
    case 'refreshed': {
      const text = `The iceberg showed its next part of ${row.text('shown')} at the end of the queue.`
      return [{ row, text, rule: ruleIn('orders', 'order.iceberg') }]
    }
    case 'triggered':
      return await triggerLinks(tables, names, row)
    case 'rejected':
      return [...(await priceLinks(tables, names, row)), ...(await endLinks(tables, names, row))]
    case 'resized':
    case 'cancelled':
      return await endLinks(tables, names, row)
    default:
      return []
  }
}

function admission(names: Names, row: Row): string {
  const [account, terms] = [row.text('account'), termsOf(row)]
  const [by, primary] = [row.cell('triggered_by'), row.cell('primary')]
  const instrument = row.cell('instrument')
  if (row.cell('origin') === 'liquidation') return `The liquidation of ${account} placed ${terms}.`
  if (by !== null) return `Trigger order ${names.id(instrument, by)} of ${account} placed ${terms}.`
  if (primary !== null) {
    const order = names.id(instrument, primary)
    if (row.cell('state') !== 'untriggered') return `A fill of order ${order} of ${account} placed ${terms}.`
    return `${account} placed ${terms}. It waits for fills of order ${order}.`
  }
  const waits = row.cell('state') === 'untriggered' ? ' It waits for its trigger.' : ''
  return `${account} placed ${terms}. The order passed all checks.${waits}`
}

function ruleOfAdmission(row: Row): Link['rule'] {
  if (row.cell('origin') === 'liquidation') return ruleIn('liquidation', 'liquidation.close')
  if (row.cell('triggered_by') !== null) return ruleIn('orders', 'order.trigger')
  if (row.cell('primary') !== null) return ruleIn('orders', 'order.one-triggers-other')
  return ruleIn('validation', 'order.validation')
}

/** Side, type, size, price and the terms that differ from the usual ones. */
function termsOf(row: Row): string {
  const [type, price] = [row.text('type'), row.text('price')]
  const trigger = row.cell('trigger')
  const limit = row.number('price') === 0 || type === 'market' ? '' : ` at ${price}`
  const fires = trigger === null ? '' : ` with trigger ${trigger} ${row.text('trigger_price')}`
  const force = row.text('time_in_force')
  const more = [
    ...(force === 'good_til_cancelled' ? [] : [force]),
    ...(row.cell('post_only') === 'off' ? [] : ['post_only']),
    ...(row.number('reduce_only') === 1 ? ['reduce_only'] : []),
    ...(row.cell('display') === null ? [] : [`iceberg that shows ${row.text('display')}`]),
  ]
  const words = more.length === 0 ? '' : ` (${more.join(', ')})`
  return `a ${type} order to ${row.text('side')} ${amountOf(row)}${limit}${fires}${words}`
}

function amountOf(row: Row): string {
  return `${row.text('amount')} ${row.text('instrument')}`
}

function restOf(row: Row): string {
  return plainDecimal(remainingOf(row.number('amount'), row.number('filled')))
}

/** The difference of two amounts of a table, without the error of doubles. */
function remainingOf(amount: number, filled: number): number {
  return Number((amount - filled).toFixed(PLACES))
}

/** The end of a trigger order: the price or the fill behind it, and the order that it placed. */
async function triggerLinks(tables: Tables, names: Names, row: Row): Promise<readonly Link[]> {
  const instrument = row.cell('instrument')
  const [source, level] = [row.cell('trigger'), row.text('trigger_price')]
  const successor = names.id(instrument, row.cell('successor'))
  if (source === null) {
    const text = `A fill of order ${names.id(instrument, row.cell('primary'))} activated it as order ${successor}.`
    return [{ row, text, rule: ruleIn('orders', 'order.secondary') }]
  }
  const text = `It fired, because ${source} reached ${level}, and placed order ${successor}.`
  return [...(await priceLinks(tables, names, row)), { row, text, rule: ruleIn('orders', 'order.trigger') }]
}

/** The last price before the end of a trigger order; none for another order. */
async function priceLinks(tables: Tables, names: Names, row: Row): Promise<readonly Link[]> {
  const source = row.cell('trigger')
  const moved = source === null ? null : await priceBefore(tables, names, row, source)
  if (moved === null) return []
  const text = `${source} became ${moved.text('price')}; the trigger is ${row.text('trigger_price')}.`
  return [{ row: moved, text, rule: ruleIn('orders', 'order.trigger') }]
}

/** The row of the last price that a trigger order watches, before it fired. */
async function priceBefore(tables: Tables, names: Names, row: Row, source: string): Promise<Row | null> {
  const instrument = row.cell('instrument')
  const index = names.instrument(instrument)?.cell('price_index') ?? null
  if (source === 'last_price') {
    return await tables.last('trades', (one) => one.event < row.event && one.text('instrument') === instrument)
  }
  const [kind, column, name] =
    source === 'index_price' ? ['index', 'index_name', index] : ['mark', 'instrument', instrument]
  return await tables.last(
    'marks',
    (one) => one.event < row.event && one.text('kind') === kind && one.text(column) === name,
  )
}

/** An order with its rows. */
interface OrderRows {
  readonly changes: readonly Row[]
  readonly fills: readonly Row[]
  readonly unrecorded: UnrecordedFact[]
}

/** An order ahead in the queue. */
interface Ahead {
  readonly row: Row
  readonly rest: number
  amount: number
  end: Row | null
}

/** The queue that the order joined, and how the orders ahead of it left; none for an order that never rested. */
async function queueLinks(tables: Tables, names: Names, order: OrderRows): Promise<readonly Link[]> {
  const made = order.fills.find((row) => row.cell('liquidity') === 'maker')
  if (order.fills.length > 0 && made === undefined) return []
  const until = made?.event ?? Number.POSITIVE_INFINITY
  const joined = restedAs(order.changes.filter(({ event }) => event < until))
  if (joined === null) return []
  if (made !== undefined && made.cell('feed') !== null) return await recordedQueue(tables, joined, order.unrecorded)
  const ahead = await ordersAhead(tables, joined, until)
  const rule = ruleIn('orders', 'book_maker')
  const rested = `${restOf(joined)} rested at ${joined.text('price')}`
  if (ahead.length === 0) return [{ row: joined, text: `${rested}, first in the queue.`, rule }]
  const sum = plainDecimal(Number(ahead.reduce((total, one) => total + one.rest, 0).toFixed(PLACES)))
  const shown = ahead.slice(0, AHEAD_SHOWN_MAX).map((one) => aheadText(names, one))
  const more = ahead.length > AHEAD_SHOWN_MAX ? ['…'] : []
  const orders = ahead.length === 1 ? 'order' : 'orders'
  const text = `${rested} behind ${ahead.length} ${orders} with ${sum}: ${[...shown, ...more].join('; ')}.`
  return [{ row: joined, text, rule }]
}

/** The size of a recorded level that the order joined. */
async function recordedQueue(tables: Tables, joined: Row, unrecorded: UnrecordedFact[]): Promise<readonly Link[]> {
  const [instrument, side, price] = [joined.cell('instrument'), joined.cell('side'), joined.number('price')]
  let hasBook = false
  const level = await tables.last('book', (row) => {
    hasBook = true
    if (row.event >= joined.event || row.number('price') !== price) return false
    return row.text('side') === side && row.text('instrument') === instrument
  })
  if (!hasBook) noteFact(unrecorded, 'the recorded size ahead of the order when it rested', 'record: { book: true }')
  if (!hasBook) return []
  const text = `${restOf(joined)} rested at ${plainDecimal(price)}, where the book showed ${level?.cell('amount') ?? '0'}.`
  return [{ row: joined, text, rule: ruleIn('recorded', 'fill.print') }]
}

function aheadText(names: Names, { row, rest, end }: Ahead): string {
  const who = `${names.id(row.cell('instrument'), row.cell('order_id'))} of ${row.text('account')} with ${plainDecimal(rest)}`
  if (end === null) return `${who}, which stayed`
  const how =
    end.cell('change') === 'cancelled' ? `cancelled (${end.cell('reason') ?? 'no reason'})` : end.text('change')
  return `${who}, ${how} at ${timeText(end)}`
}

/** The row with which the order took its place in the queue; null if it never rested. */
function restedAs(changes: readonly Row[]): Row | null {
  const [first] = changes
  const force = first?.cell('time_in_force') ?? ''
  if (first?.cell('state') !== 'open' || force === 'immediate_or_cancel' || force === 'fill_or_kill') return null
  let joined: Row | null = null
  let before = first
  for (const row of changes) {
    const isAtOnce = row.cause === first.cause && row.time === first.time
    if (row.cell('state') === 'open' && (isAtOnce || isRequeued(row, before))) joined = row
    else if (isAtOnce) joined = null
    before = row
  }
  return joined
}

/** True if a change moved the order to the end of its queue. */
function isRequeued(row: Row, before: Row): boolean {
  if (row.cell('change') === 'refreshed') return true
  const isMoved = row.number('price') !== before.number('price') || row.number('amount') > before.number('amount')
  return row.cell('change') === 'edited' && isMoved
}

/** The orders that rested at the price before, each with the row by which it left its place before an event. */
async function ordersAhead(tables: Tables, joined: Row, until: number): Promise<readonly Ahead[]> {
  const own = joined.number('order_id')
  const [instrument, side, price] = [joined.cell('instrument'), joined.cell('side'), joined.number('price')]
  const ahead = new Map<number, Ahead>()
  await tables.each('orders', (row) => {
    const order = row.number('order_id')
    if (row.event >= until || order === own) return
    if (row.text('side') !== side || row.text('instrument') !== instrument) return
    const isLive = row.text('state') === 'open' && row.number('price') === price
    const known = ahead.get(order)
    const amount = row.number('amount')
    if (row.event > joined.event) {
      if (known === undefined || known.end !== null) return
      const isBehind = row.text('change') === 'edited' && amount > known.amount
      if (!isLive || isBehind) known.end = copiedRow('orders', row)
      known.amount = amount
      return
    }
    if (!isLive) ahead.delete(order)
    else {
      const rest = remainingOf(amount, row.number('filled'))
      ahead.set(order, { row: copiedRow('orders', row), rest, amount, end: null })
    }
  })
  return [...ahead.values()]
}

async function fillLink(tables: Tables, names: Names, fill: Row): Promise<Link> {
  const word = fill.text('rule')
  const instrument = fill.cell('instrument')
  const amount = `${fill.text('amount')} at ${fill.text('price')}`
  const counter = fill.cell('counter_order_id') ?? '0'
  const other = names.account(fill.number('counter_account_id'))
  const order = counter === '0' ? 'the recorded market' : `order ${names.id(instrument, counter)} of ${other}`
  const text = await fillText(tables, fill, amount, order)
  const trade = `trade ${names.id(instrument, fill.cell('trade_id'))}`
  const after = `Its position became ${fill.text('position')} (${trade}).`
  return { row: fill, text: `${text} ${after}`, rule: ruleOfFill(word) }
}

async function fillText(tables: Tables, fill: Row, amount: string, order: string): Promise<string> {
  const row = fill.cell('feed_row')
  const source = row === null ? '' : `, row ${row} of feed ${fill.text('feed')}`
  const queue = `${fill.text('ahead_before')} was ahead of it before and ${fill.text('ahead_after')} after`
  const at = fill.text('price')
  switch (fill.cell('rule')) {
    case 'book_maker':
      return `It was first in the queue at ${at}, and ${order} took ${amount}.`
    case 'book_taker': {
      const resting = await tables.last(
        'orders',
        (one) =>
          one.event < fill.event &&
          one.number('order_id') === fill.number('counter_order_id') &&
          one.text('currency') === fill.cell('currency'),
      )
      const size = resting === null ? '' : `, which had ${restOf(resting)}`
      return `${at} was the best price of the other side, and it took ${amount} from ${order}${size}.`
    }
    case 'hidden':
      return `The hidden part of the iceberg was reached, and ${order} took ${amount}.`
    case 'print_at_price':
      return `A recorded trade at ${at} was larger than its queue and filled ${amount}: ${queue}${source}.`
    case 'print_through':
      return `A recorded trade at a worse price than ${at} filled ${amount}${source}.`
    case 'level_reached':
      return `The recorded best price of the other side reached ${at} and filled ${amount}${source}.`
    case 'level_taken':
      return `It took ${amount} of the displayed size of a recorded level${source}.`
    case 'recorded':
      return `The recorded market traded ${amount} with ${order}${source}.`
    default:
      return `A block trade with ${order} gave it ${amount}.`
  }
}

/** The fees of fills, with their rates. */
function feeLinks(names: Names, fills: readonly Row[]): readonly Link[] {
  const last = fills.at(-1)
  if (last === undefined || last.number('order_id') === 0) return []
  const currency = last.text('fee_currency')
  const fee = Number(fills.reduce((sum, row) => sum + row.number('fee'), 0).toFixed(PLACES))
  const roles = [...new Set(fills.map((row) => row.text('liquidity')))]
  const instrument = names.instrument(last.cell('instrument'))
  const rates = roles.map((role) => `${role} rate ${instrument?.cell(`${role}_fee`) ?? ''}`)
  const funded = fills.reduce((sum, row) => sum + (row.number('fund_fee') || 0), 0)
  const fund = funded === 0 ? '' : `, ${plainDecimal(Number(funded.toFixed(PLACES)))} of it for the insurance fund`
  const factor = names.accounts.find((row) => row.cell('account') === last.cell('account'))?.cell('fee_factor') ?? '1'
  const share = factor === '1' ? '' : `, fee factor ${factor}`
  const kind = instrument?.cell('kind') ?? ''
  const rule =
    funded > 0 ? ruleIn('liquidation', 'liquidation.close') : ruleIn('fees', kind === 'option' ? 'fees.option' : 'fees')
  const text = `Fees of ${plainDecimal(fee)} ${currency} (${rates.join(', ')}${share})${fund}.`
  return [{ row: last, text, rule }]
}

/** One sentence about the end of the order. */
function outcomeOf(last: Row, fills: readonly Row[]): string {
  const [amount, filled] = [last.text('amount'), last.text('filled')]
  const head = `${last.text('side')} order of ${last.text('account')} on ${last.text('instrument')}`
  const price = pricesOf(fills)
  switch (last.cell('state')) {
    case 'filled':
      return `${head}: filled ${filled}${price}`
    case 'cancelled':
      return `${head}: cancelled (${last.cell('reason') ?? 'no reason'}) with ${filled} of ${amount} filled${price}`
    case 'rejected':
      return `${head}: refused when it became active (${last.text('reason')})`
    case 'triggered':
      return `${head}: triggered`
    default:
      return `${head}: ${last.text('state')}, ${filled} of ${amount} filled${price}`
  }
}

/** The first and the last price of the fills; empty without fills. */
function pricesOf(fills: readonly Row[]): string {
  const [first, last] = [fills[0]?.cell('price'), fills.at(-1)?.cell('price')]
  if (first === undefined || last === undefined) return ''
  return first === last ? ` at ${first}` : ` at ${first} to ${last}`
}

function pastOf(fill: Row): string {
  return fill.cell('side') === 'buy' ? 'bought' : 'sold'
}
