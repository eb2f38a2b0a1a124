/**
 * The history of an account: each liquidation with the change that caused it, its rounds and its end; the protections
 * that pulled its orders; its bankruptcies.
 */
import { divNearest } from '../../core/index.ts'
import type { Cursor } from '../read/cursor.ts'
import type { Chain, Link, Names } from './chain.ts'
import { startLink } from './ends.ts'
import { type Row, type Tables, timeIn } from './rows.ts'
import { type Rule, reasonRules, ruleIn } from './rules.ts'

/** The chain of an account. */
export async function accountChain(tables: Tables, names: Names, account: string): Promise<Chain> {
  const isOwn = (row: Cursor): boolean => row.text('account') === account
  const liquidations = await tables.rows('liquidations', isOwn)
  const links: Link[] = []
  for (const row of liquidations) links.push(...(await liquidationLinks(tables, names, row)))
  links.push(...(await pulledLinks(tables, account)))
  const protections = await tables.rows('protections', (row) => isOwn(row) && row.text('change') === 'triggered')
  links.push(...protections.map(triggerLink))
  const debts = await tables.rows('settlements', (row) => isOwn(row) && row.number('session_bankruptcy') > 0)
  links.push(...debts.map(debtLink))
  links.sort((left, right) => left.row.event - right.row.event)
  return { answer: await answerOf(tables, account, liquidations), links, omitted: 0, unrecorded: [] }
}

async function answerOf(tables: Tables, account: string, liquidations: readonly Row[]): Promise<string> {
  const counts = { orders: 0, fills: 0, refused: 0 }
  const reasons = new Map<string, number>()
  await tables.each('orders', (row) => {
    if (row.text('account') === account && row.text('change') === 'opened') counts.orders += 1
  })
  await tables.each('fills', (row) => {
    if (row.text('account') === account) counts.fills += 1
  })
  await tables.each('rejects', (row) => {
    if (row.text('account') !== account) return
    counts.refused += 1
    const reason = row.text('reason') ?? ''
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
  })
  const started = liquidations.filter((row) => row.cell('kind') === 'started').length
  const end = liquidations.findLast((row) => row.cell('kind') === 'ended')?.cell('outcome') ?? 'not ended'
  const liquidated = started === 0 ? 'not liquidated' : `liquidations ${started}, the last ${end}`
  const why = [...reasons].map(([reason, count]) => `${reason} ${count}`).join(', ')
  const refusals = `refusals ${counts.refused}${why === '' ? '' : ` (${why})`}`
  return `${liquidated}; orders ${counts.orders}, fills ${counts.fills}, ${refusals}`
}

async function liquidationLinks(tables: Tables, names: Names, row: Row): Promise<readonly Link[]> {
  const currency = row.text('currency')
  switch (row.cell('kind')) {
    case 'started': {
      const trigger = await lastTouch(tables, names, row)
      const ratio = divNearest(row.number('margin_balance'), row.number('maintenance_margin')) * 100
      const start = startLink(row)
      const text = `${start.text} The balance was ${ratio.toFixed(1)} % of the margin.`
      return [...trigger, { ...start, text }]
    }
    case 'step': {
      const text =
        `Round ${row.text('round')} picked ${row.text('position_before')} ${row.text('instrument')} ` +
        `(${row.text('rule')}), maintenance margin ${row.text('position_margin')} ${currency}, and closed ` +
        `${row.cell('closed') ?? '0'} of ${row.cell('asked') ?? '0'} by ${row.text('route')}` +
        `${row.cell('price') === null ? '' : `, price limit ${row.text('price')}`}.`
      return [{ row, text, rule: ruleOfStep(row) }]
    }
    case 'transfer': {
      const other = names.account(row.number('counter_account_id'))
      const text = `${row.text('change')} ${row.text('instrument')} moved from or to ${other} at ${row.text('price')}.`
      return [{ row, text, rule: ruleIn('liquidation', 'position.transfer') }]
    }
    default: {
      const [balance, margin] = [row.text('margin_balance'), row.text('maintenance_margin')]
      const text = `It ended (${row.text('outcome')}): margin balance ${balance} ${currency}, maintenance margin ${margin} ${currency}.`
      return [{ row, text, rule: ruleIn('liquidation', 'liquidation.round') }]
    }
  }
}

function ruleOfStep(row: Row): Rule {
  if (row.cell('route') === 'lsp') return ruleIn('support', 'lsp.assign')
  if (row.cell('route') === 'adl') return ruleIn('liquidation', 'adl.rank')
  if (row.cell('route') === 'fund') return ruleIn('liquidation', 'liquidation.close-out')
  return ruleIn('liquidation', 'liquidation.pick')
}

/**
 * The last change of a price, position or balance before a liquidation, after which the margin no longer sufficed: the
 * check comes at each whole second.
 */
async function lastTouch(tables: Tables, names: Names, start: Row): Promise<readonly Link[]> {
  const account = start.cell('account')
  const isBefore = (row: Cursor): boolean => row.event < start.event && row.text('account') === account
  const held = await positionsBefore(tables, isBefore)
  const marks = await tables.last(
    'marks',
    (row) => row.event < start.event && row.text('kind') === 'mark' && held.has(row.text('instrument') ?? ''),
  )
  const candidates: (Link | null)[] = [
    marks === null ? null : await markLink(tables, held, marks),
    touch(
      await tables.last('fills', isBefore),
      (row) => fillText(names, row),
      ruleIn('liquidation', 'liquidation.round'),
    ),
    touch(await tables.last('settlements', isBefore), settlementText, ruleIn('settlement', 'settlement.daily')),
    touch(await tables.last('cash', isBefore), cashText, ruleIn('wallet', 'cash.transfer')),
    touch(await tables.last('given_positions', isBefore), givenText, ruleIn('liquidation', 'position.move')),
  ]
  const found = candidates.filter((link) => link !== null)
  return found.toSorted((left, right) => left.row.event - right.row.event).slice(-1)
}

function touch(row: Row | null, text: (row: Row) => string, rule: Rule): Link | null {
  return row === null ? null : { row, text: text(row), rule }
}

/** The size of each position of an account before an event. */
async function positionsBefore(
  tables: Tables,
  isBefore: (row: Cursor) => boolean,
): Promise<ReadonlyMap<string, string>> {
  const changes: Row[] = []
  for (const table of ['fills', 'given_positions', 'liquidations', 'settlements'] as const) {
    changes.push(...(await tables.rows(table, (row) => isBefore(row) && row.text('instrument') !== null)))
  }
  const held = new Map<string, string>()
  for (const row of changes.toSorted((left, right) => left.event - right.event)) {
    const position = row.cell('type') === 'delivery' ? '0' : row.cell('position')
    const instrument = row.text('instrument')
    if (position === '0') held.delete(instrument)
    else if (position !== null) held.set(instrument, position)
  }
  return held
}

async function markLink(tables: Tables, held: ReadonlyMap<string, string>, mark: Row): Promise<Link> {
  const instrument = mark.text('instrument')
  const before = await tables.last(
    'marks',
    (row) => row.event < mark.event && row.text('kind') === 'mark' && row.text('instrument') === instrument,
  )
  const source = mark.text('source')
  const from = before === null ? '' : `from ${before.text('price')} `
  const text =
    `The mark price of ${instrument} went ${from}to ${mark.text('price')} (source ${source}, index ` +
    `${mark.text('index_price')}), while the account held ${held.get(instrument) ?? '0'}.`
  return { row: mark, text, rule: ruleIn('prices', source === 'fair' ? 'mark.fair' : `mark from ${source}`) }
}

function fillText(names: Names, row: Row): string {
  const order = names.id(row.cell('instrument'), row.cell('order_id'))
  const amount = `${row.text('amount')} ${row.text('instrument')} at ${row.text('price')}`
  return `A fill of order ${order}, ${row.text('side')} ${amount}, made the position ${row.text('position')}.`
}

function settlementText(row: Row): string {
  const [type, currency] = [row.text('type'), row.text('currency')]
  return `A ${type} moved ${row.text('session_profit_loss')} ${currency}; cash became ${row.cell('balance') ?? 'unknown'}.`
}

function cashText(row: Row): string {
  const [change, currency] = [row.text('change'), row.text('currency')]
  return `Cash changed by ${change} ${currency} (${row.text('type')}) and became ${row.text('balance')}.`
}

function givenText(row: Row): string {
  return `The account received ${row.text('change')} ${row.text('instrument')} at ${row.text('price')}.`
}

/** Orders that the venue cancelled, in groups of one instant and reason. */
async function pulledLinks(tables: Tables, account: string): Promise<readonly Link[]> {
  const known: { readonly [reason: string]: Rule | undefined } = reasonRules
  const rows = await tables.rows('orders', (row) => {
    const reason = row.text('reason')
    const isOwn = row.text('account') === account && row.text('change') === 'cancelled'
    return isOwn && reason !== null && reason !== 'user_request' && reason !== 'time_in_force'
  })
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const key = `${row.time} ${row.cause} ${row.text('reason')}`
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()].flatMap((group) => {
    const [row] = group
    if (row === undefined) return []
    const reason = row.text('reason')
    const orders = group.length === 1 ? `order ${row.text('order_id')}` : `${group.length} orders`
    return [
      { row, text: `The venue cancelled ${orders} (${reason}).`, rule: known[reason] ?? reasonRules.user_request },
    ]
  })
}

/** The trigger of a group of market-maker protection. */
export function triggerLink(row: Row): Link {
  const until = timeIn(row, 'until') ?? 'a reset'
  const text = `Group ${row.text('group')} reached its ${row.text('trigger')} limit and is frozen until ${until}.`
  return { row, text, rule: reasonRules.mmp_trigger }
}

function debtLink(row: Row): Link {
  const currency = row.text('currency')
  const text =
    `The account was bankrupt with a debt of ${row.text('session_bankruptcy')} ${currency}; the fund paid ` +
    `${row.cell('funded') ?? '0'}, and accounts with a profit paid ${row.cell('socialized') ?? '0'}.`
  return { row, text, rule: ruleIn('bankruptcy', 'bankruptcy.socialised') }
}
