/** The causes that end, shrink or refuse an order after its admission: a protection, a fill, another order or a state. */
import type { Cursor } from '../read/cursor.ts'
import type { Link, Names } from './chain.ts'
import { type Row, type Tables, timeIn } from './rows.ts'
import { type Rule, reasonRules, ruleIn } from './rules.ts'

/** The links of an order row with a reason: the cause, then the end. */
export async function endLinks(tables: Tables, names: Names, row: Row): Promise<readonly Link[]> {
  const reason = row.cell('reason')
  const known: { readonly [reason: string]: Rule | undefined } = reasonRules
  const rule = (reason === null ? undefined : known[reason]) ?? reasonRules.user_request
  const end: Link = { row, text: endText(row, reason), rule }
  switch (reason) {
    case 'mmp_trigger':
      return [...(await mmpLinks(tables, names, row)), end]
    case 'mmp_config_curtailment':
    case 'cancel_on_disconnect':
    case 'position_locked':
    case 'pme_account_locked':
    case 'pme_risk_reduction':
    case 'portfolio_locked':
    case 'rescale':
      return [...(await protectionLinks(tables, row, rule)), end]
    case 'autoliquidation':
      return [...(await liquidationStart(tables, row)), end]
    case 'risk_mitigation':
      return await mitigationLinks(tables, names, row, end)
    case 'reduce_only':
      return [...(await positionLinks(tables, names, row)), end]
    case 'oco_other_closed':
    case 'linked_order':
      return [...(await linkedLinks(tables, names, row, row.number('pair'))), end]
    case 'oto_primary_closed':
      return [...(await linkedLinks(tables, names, row, row.number('primary'))), end]
    case 'expiry':
    case 'book_closed':
      return [...(await stateLinks(tables, row)), end]
    default:
      return [end]
  }
}

function endText(row: Row, reason: string | null): string {
  const [amount, filled] = [row.text('amount'), row.text('filled')]
  const why = reason ?? 'no reason'
  if (row.cell('change') === 'resized') return `The venue set its amount to ${amount}, ${filled} of it filled (${why}).`
  if (row.cell('change') === 'rejected') return `It was refused when it became active (${why}).`
  if (reason === 'user_request') return `Its owner cancelled it with ${filled} of ${amount} filled.`
  if (reason === 'time_in_force') {
    return `Its time in force, ${row.text('time_in_force')}, ended it with ${filled} of ${amount} filled.`
  }
  return `The venue cancelled it with ${filled} of ${amount} filled (${why}).`
}

/** True for rows of the same instant and request as an order row. */
function isWith(row: Row): (one: Cursor) => boolean {
  return (one) => one.number('cause') === row.cause && one.number('time') === row.time
}

/** The fill that made a group of market-maker protection reach its limit, and the trigger. */
async function mmpLinks(tables: Tables, names: Names, row: Row): Promise<readonly Link[]> {
  const isSame = isWith(row)
  const group = row.number('mmp_group')
  const account = row.cell('account')
  const trigger = await tables.last(
    'protections',
    (one) =>
      isSame(one) &&
      one.text('change') === 'triggered' &&
      one.text('account') === account &&
      one.number('mmp_group') === group,
  )
  if (trigger === null) return []
  const fill = await tables.last(
    'fills',
    (one) => one.event < trigger.event && one.text('account') === account && isSame(one),
  )
  const limit = trigger.text('trigger')
  const reached = limit === 'trade_count' ? '' : ` ${trigger.text(limit)}`
  const allowed = trigger.text(`${limit}_limit`)
  const until = timeIn(trigger, 'until') ?? 'a reset'
  const text =
    `Group ${trigger.cell('group') ?? group} reached its ${limit} limit:${reached} in the window since ` +
    `${timeIn(trigger, 'from') ?? ''}, limit ${allowed}. It lost ${trigger.cell('cancelled') ?? '0'} orders and is frozen ` +
    `until ${until}.`
  const frozen = { row: trigger, text, rule: ruleIn('protection', 'mmp.limits') }
  return fill === null
    ? [frozen]
    : [{ row: fill, text: fillText(names, fill), rule: ruleIn('protection', 'mmp.fill') }, frozen]
}

function fillText(names: Names, fill: Row): string {
  const order = names.id(fill.cell('instrument'), fill.cell('order_id'))
  const did = fill.cell('side') === 'buy' ? 'bought' : 'sold'
  const amount = `${fill.text('amount')} at ${fill.text('price')}`
  const position = fill.text('position')
  return `Order ${order} of ${fill.text('account')} ${did} ${amount}, and the position became ${position}.`
}

/** The protection whose effect came with the end of the order. */
async function protectionLinks(tables: Tables, row: Row, rule: Rule): Promise<readonly Link[]> {
  const isSame = isWith(row)
  const account = row.cell('account')
  const session = row.number('session')
  const rows = await tables.rows('protections', (one) => {
    if (!isSame(one) || (one.text('account') ?? account) !== account) return false
    return one.text('kind') !== 'session' || Number.isNaN(session) || one.number('session') === session
  })
  return rows.map((one) => {
    const what = [one.cell('kind'), one.cell('group'), one.cell('change')].filter((word) => word !== null).join(' ')
    const connection = one.cell('session') === null ? '' : ` of connection ${one.text('session')}`
    const why = one.cell('reason') === null ? '' : ` (${one.text('reason')})`
    const count = one.cell('cancelled') === null ? '' : `, which cancelled ${one.text('cancelled')} orders`
    return { row: one, text: `Protection: ${what}${connection}${why}${count}.`, rule }
  })
}

async function liquidationStart(tables: Tables, row: Row): Promise<readonly Link[]> {
  const account = row.cell('account')
  const start = await tables.last(
    'liquidations',
    (one) => one.event <= row.event && one.text('kind') === 'started' && one.text('account') === account,
  )
  return start === null ? [] : [startLink(start)]
}

/** The start of a liquidation, with its margins. */
export function startLink(start: Row): Link {
  const currency = start.text('currency')
  const [balance, maintenance] = [start.text('margin_balance'), start.text('maintenance_margin')]
  const text =
    `The margin balance of ${start.text('account')}, ${balance} ${currency}, did not cover its maintenance ` +
    `margin, ${maintenance} ${currency}. The liquidation began, and the account was locked.`
  return { row: start, text, rule: ruleIn('liquidation', 'liquidation.round') }
}

/** Self-match prevention, the end of a book, or a position that no longer allows a reduce-only order. */
async function mitigationLinks(tables: Tables, names: Names, row: Row, end: Link): Promise<readonly Link[]> {
  const isSame = isWith(row)
  const instrument = row.cell('instrument')
  const incoming = await tables.last(
    'orders',
    (one) =>
      one.event < row.event &&
      isSame(one) &&
      one.text('change') === 'opened' &&
      one.text('instrument') === instrument &&
      one.text('side') !== row.cell('side') &&
      ownerOf(names, one.text('account')) === ownerOf(names, row.cell('account')),
  )
  if (incoming !== null) {
    const order = names.id(instrument, incoming.cell('order_id'))
    const text = `Order ${order} of ${incoming.text('account')} would have traded with it, an order of the same owner.`
    const rule = ruleIn('orders', 'order.self-match')
    return [
      { row: incoming, text, rule },
      { ...end, rule },
    ]
  }
  if (row.number('reduce_only') === 1) return [...(await positionLinks(tables, names, row)), end]
  const closed = await stateLinks(tables, row)
  return closed.length === 0 ? [end] : [...closed, { ...end, rule: ruleIn('settlement', 'order.book-state') }]
}

/** The main account of an account. */
function ownerOf(names: Names, account: string | null): number {
  return names.accounts.find((row) => row.cell('account') === account)?.number('main_account_id') ?? Number.NaN
}

/** The last change of the position that a reduce-only order may reduce. */
async function positionLinks(tables: Tables, names: Names, row: Row): Promise<readonly Link[]> {
  const fill = await tables.last(
    'fills',
    (one) =>
      one.event < row.event &&
      one.text('account') === row.cell('account') &&
      one.text('instrument') === row.cell('instrument'),
  )
  return fill === null ? [] : [{ row: fill, text: fillText(names, fill), rule: ruleIn('orders', 'order.reduce-only') }]
}

/** The change of a linked order that came with the end of the order. Its own row may come after that end. */
async function linkedLinks(tables: Tables, names: Names, row: Row, link: number): Promise<readonly Link[]> {
  const isSame = isWith(row)
  const column = row.cell('reason') === 'oto_primary_closed' ? 'order_id' : 'pair'
  const other = await tables.last(
    'orders',
    (one) =>
      isSame(one) &&
      one.number(column) === link &&
      one.text('currency') === row.cell('currency') &&
      one.number('order_id') !== row.number('order_id'),
  )
  if (other === null) return []
  const order = names.id(other.cell('instrument'), other.cell('order_id'))
  const [filled, amount] = [other.text('filled'), other.text('amount')]
  const text = `Its linked order ${order} was ${other.text('change')}, with ${filled} of ${amount} filled.`
  return [{ row: other, text, rule: ruleIn('orders', 'order.one-cancels-other') }]
}

/** The state that the book entered at the instant of an order's end. */
async function stateLinks(tables: Tables, row: Row): Promise<readonly Link[]> {
  const states = await tables.rows(
    'states',
    (one) => one.number('time') === row.time && one.text('instrument') === row.cell('instrument'),
  )
  const [state] = states
  if (state === undefined) return []
  const text = `The book of ${row.text('instrument')} entered the state ${state.text('state')}.`
  return [{ row: state, text, rule: ruleIn('settlement', 'order.book-state') }]
}
