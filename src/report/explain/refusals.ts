/** Why a request was refused: the rule, and what the run recorded about the state that the rule found. */
import type { Cursor } from '../read/cursor.ts'
import { triggerLink } from './accounts.ts'
import { type Chain, type Link, type Names, noteFact, type UnrecordedFact } from './chain.ts'
import { startLink } from './ends.ts'
import { type Row, type Tables, timeText } from './rows.ts'
import { reasonRules, ruleIn, ruleOfRefusal } from './rules.ts'

/** The chain of a refused request by its number from 1, or the number of refused requests. */
export async function refusalChain(tables: Tables, names: Names, number: number): Promise<Chain | number> {
  let count = 0
  const row = await tables.last('rejects', () => {
    count += 1
    return count === number
  })
  if (row === null) return count
  const unrecorded: UnrecordedFact[] = []
  const state = await stateLinks(tables, names, row, unrecorded)
  const [account, command] = [row.cell('account') ?? 'no account', row.text('command')]
  const on = row.cell('instrument') === null ? '' : ` on ${row.text('instrument')}`
  const reason = row.text('reason')
  const text = `The venue refused it with ${reason}${limitOf(row)}.`
  const answer = `${command} of ${account}${on}: refused with ${reason}`
  return { answer, links: [...state, { row, text, rule: ruleOfRefusal(reason) }], omitted: 0, unrecorded }
}

/** The values that a refusal names. */
function limitOf(row: Row): string {
  const parts = [
    ...(row.cell('limit_price') === null ? [] : [`the limit of the price is ${row.text('limit_price')}`]),
    ...(row.cell('limit_count') === null ? [] : [`the limit is ${row.text('limit_count')}`]),
    ...(row.cell('param') === null ? [] : [`parameter ${row.text('param')}`]),
    ...(row.cell('detail') === null ? [] : [row.text('detail')]),
  ]
  return parts.length === 0 ? '' : `: ${parts.join(', ')}`
}

/** The recorded state that the rule of a refusal looked at. */
async function stateLinks(
  tables: Tables,
  names: Names,
  row: Row,
  unrecorded: UnrecordedFact[],
): Promise<readonly Link[]> {
  const account = row.cell('account')
  const instrument = row.cell('instrument')
  const isBefore = (one: Cursor): boolean => one.event < row.event
  switch (ruleOfRefusal(row.text('reason'))) {
    case reasonRules.not_enough_funds:
      return await fundsLinks(tables, names, row, unrecorded)
    case reasonRules.mmp_trigger: {
      const found = await tables.last(
        'protections',
        (one) => isBefore(one) && one.text('change') === 'triggered' && one.text('account') === account,
      )
      return found === null ? [] : [triggerLink(found)]
    }
    case reasonRules.autoliquidation: {
      const found = await tables.last(
        'liquidations',
        (one) => isBefore(one) && one.text('kind') === 'started' && one.text('account') === account,
      )
      return found === null ? [] : [startLink(found)]
    }
    case reasonRules.book_closed: {
      const found = await tables.last('states', (one) => isBefore(one) && one.text('instrument') === instrument)
      if (found === null) return []
      const text = `The book of ${instrument ?? ''} entered the state ${found.text('state')}.`
      return [{ row: found, text, rule: reasonRules.book_closed }]
    }
    case reasonRules.price_too_high:
    case reasonRules.no_mark_price: {
      const found = await tables.last(
        'marks',
        (one) => isBefore(one) && one.text('kind') === 'mark' && one.text('instrument') === instrument,
      )
      if (found === null) return []
      const text = `The mark price was ${found.text('price')}, the index price ${found.text('index_price')}.`
      return [{ row: found, text, rule: ruleIn('prices', 'prices.band') }]
    }
    default:
      return []
  }
}

/** The last sample of the account in the currency that lacks funds. The run records no margin of a refusal. */
async function fundsLinks(
  tables: Tables,
  names: Names,
  row: Row,
  unrecorded: UnrecordedFact[],
): Promise<readonly Link[]> {
  const detail = row.cell('detail')
  const currency = detail ?? names.instrument(row.cell('instrument'))?.cell('settlement_currency') ?? null
  const account = row.cell('account')
  noteFact(
    unrecorded,
    'the available funds at the refusal and the initial margin that the request needed',
    'record: { equity: 1s } samples the margins; a step private/get_margins before the request returns what it needs',
  )
  const sample = await tables.last(
    'equity',
    (one) =>
      one.number('time') <= row.time &&
      one.event < row.event &&
      one.text('account') === account &&
      one.text('currency') === currency,
  )
  if (sample === null) return []
  const figure = (column: string): string => `${sample.text(column)} ${currency ?? ''}`
  const text =
    `The last sample before, of ${timeText(sample)}: equity ${figure('equity')}, initial margin of positions and open ` +
    `orders ${figure('initial_margin')}.`
  return [{ row: sample, text, rule: reasonRules.not_enough_funds }]
}
