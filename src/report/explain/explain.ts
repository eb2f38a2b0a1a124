/**
 * Explains what happened in a run: why an order filled, ended or was refused, and why an account was liquidated.
 *
 * An answer is a chain of causes, the cause before its effect. Each link comes from one row of a table, has its amounts
 * as decimals, and names its rule with the guide that has it. The journal adds the requests. A chain never guesses: it
 * lists facts that the run did not record, with the way to record them. Time: a few walks over the tables that the
 * chain needs; memory: the orders of one side of a book. The chain of a refused request has the rule and what the run
 * recorded about the state that the rule found.
 */
import {
  checkArgument,
  err,
  formatIsoTime,
  type InputError,
  micros,
  nearest,
  ok,
  type Result,
} from '../../core/index.ts'
import { type FeedFault, type JournalRequest, openReadableRun, type ReadableRun } from '../../host/index.ts'
import { currencyOf, currencyOfId, numberOfId } from '../../model/index.ts'
import { orderIdIn, tradeIdIn } from '../../rpc/index.ts'
import type { Cursor } from '../read/cursor.ts'
import { accountChain, triggerLink } from './accounts.ts'
import { type Chain, endsOf, type Link, type Names, noteFact, readNames, type UnrecordedFact } from './chain.ts'
import { startLink } from './ends.ts'
import { fillChain, orderChain } from './orders.ts'
import { type Row, type Tables, tablesOf, timeText } from './rows.ts'
import { reasonRules, ruleIn, ruleOfRefusal } from './rules.ts'

/** A question about a run: exactly one of these. */
export type RunQuestion =
  | { /** Id of an order, as in replies: `17`, `ETH-17`, `BTC_USDC-17`. */ readonly order: string }
  | { /** Id of a trade, as in replies. */ readonly fill: string }
  | { /** Name of an account. */ readonly account: string }
  | { /** Number of a refused request, from 1 in the order of the table `rejects`. */ readonly refusal: number }

/** A link of an explanation. */
export interface CauseLink {
  /** Time, ISO 8601 in UTC. */
  readonly time: string
  /** Number of the event in the run. */
  readonly event: number
  /** A sentence with the amounts. */
  readonly text: string
  /** The request that caused the event; null if the venue itself did, or if the run has no journal. */
  readonly request: JournalRequest | null
  /** Name of the rule. */
  readonly rule: string
  /** The guide that has the rule: path in the package, with the section after `#`. */
  readonly guide: string
}

/** The answer to a question about a run. */
export interface Explanation {
  readonly run: string
  /** The subject of the question: `order 17`. */
  readonly subject: string
  /** The outcome in one sentence. */
  readonly answer: string
  /** The causes, each before its effects. */
  readonly links: readonly CauseLink[]
  /** Number of links in the middle that are left out of a long chain. */
  readonly omitted: number
  /** Facts that the run did not record, each with the way to record it. */
  readonly unrecorded: readonly UnrecordedFact[]
}

const questions = ['order', 'fill', 'account', 'refusal'] as const

/**
 * Explains an order, a trade, an account or a refusal of a complete run folder with Arrow tables. The result is a fault
 * if the folder is damaged, interrupted, of another program or version, and if the run has no such subject; then its
 * error has the code `VALUE` and the name of the question as `path`.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * const found = await explain('runs/demo', { order: '3' })
 * if (found.ok) for (const { time, text } of found.value.links) console.log(time, text)
 */
export async function explain(folder: string, question: RunQuestion): Promise<Result<Explanation, FeedFault>> {
  checkArgument('explain: folder', folder, 'string')
  checkArgument('explain: question', question, 'object')
  const wrong = questionFault(question)
  if (wrong !== null) return err({ kind: 'input', error: wrong })
  const opened = await openReadableRun(folder)
  const fault = opened.ok ? incompleteness(folder, opened.value) : opened.error
  if (!opened.ok || fault !== null) return err({ kind: 'input', error: fault ?? noSubject })
  const run = opened.value
  const tables = tablesOf(run)
  const names = await readNames(tables)
  const answered = await chainOf(tables, names, question)
  if (!answered.ok) return err({ kind: 'input', error: answered.error })
  const { links, answer, unrecorded } = answered.value
  const { kept, omitted } = endsOf(links)
  const requests = await run.requests(new Set(kept.map(({ row }) => row.cause)))
  const noJournal = requests === null ? [journalFact] : []
  return ok({
    run: folder,
    subject: subjectOf(question),
    answer,
    links: kept.map((link) => linkOut(link, requests)),
    omitted: answered.value.omitted + omitted,
    unrecorded: [...unrecorded, ...noJournal],
  })
}

const noSubject: InputError = { code: 'VALUE', expected: 'a subject', found: 'none' }

const journalFact: UnrecordedFact = {
  fact: 'the requests behind the links',
  how: 'run without --no-journal',
}

function questionFault(question: RunQuestion): InputError | null {
  const asked = Object.keys(question)
  const [name] = asked
  const isOne = asked.length === 1 && questions.some((known) => known === name)
  if (isOne) return null
  return { code: 'VALUE', expected: `exactly one of ${questions.join(', ')}`, found: asked.join(', ') || 'none' }
}

/** Why a folder has no answers: damage, an interruption, or missing tables. */
function incompleteness(file: string, { manifest, faults }: ReadableRun): InputError | null {
  const [fault] = faults
  if (fault !== undefined) return fault
  if (manifest.status !== 'complete') {
    const hint = 'run it again to the end'
    return { code: 'RUN_FOLDER', file, expected: 'a complete run', found: 'an interrupted run', hint }
  }
  if (manifest.tables.length > 0) return null
  return { code: 'RUN_FOLDER', file, expected: 'a run with tables', found: 'a run without tables' }
}

async function chainOf(tables: Tables, names: Names, question: RunQuestion): Promise<Result<Chain, InputError>> {
  if ('order' in question) {
    const order = orderIdIn(question.order)
    const numbered =
      order === undefined ? null : { currency: currencyOf(currencyOfId(order)), number: numberOfId(order) }
    const chain = numbered === null ? null : await orderChain(tables, names, numbered)
    return chain === null ? err(await unknownId(tables, names, 'order', question.order)) : ok(chain)
  }
  if ('fill' in question) {
    const trade = tradeIdIn(question.fill)
    const numbered =
      trade === undefined ? null : { currency: currencyOf(currencyOfId(trade)), number: numberOfId(trade) }
    const chain = numbered === null ? null : await fillChain(tables, names, numbered)
    return chain === null ? err(await unknownId(tables, names, 'fill', question.fill)) : ok(chain)
  }
  if ('account' in question) {
    const isKnown = names.accounts.some((row) => row.cell('account') === question.account)
    const known = names.accounts.filter((row) => row.number('house') === 0).map((row) => row.text('account'))
    if (isKnown) return ok(await accountChain(tables, names, question.account))
    return err(unknown('account', question.account, `an account of the run: ${known.join(', ')}`, known))
  }
  const chain = await refusalChain(tables, names, question.refusal)
  if (typeof chain !== 'number') return ok(chain)
  const expected = chain === 0 ? 'a run with refused requests' : `the number of a refused request, 1 to ${chain}`
  return err(unknown('refusal', String(question.refusal), expected, []))
}

/** The error for an id that the run does not have, with the ids that it has. */
async function unknownId(tables: Tables, names: Names, path: 'order' | 'fill', id: string): Promise<InputError> {
  const [table, column] = path === 'order' ? (['orders', 'order_id'] as const) : (['fills', 'trade_id'] as const)
  const counts = new Map<string, { first: string; last: string; greatest: number }>()
  await tables.each(table, (row) => {
    const number = row.number(column)
    const currency = row.text('currency') ?? ''
    const known = counts.get(currency)
    if (number <= (known?.greatest ?? 0)) return
    const name = names.id(row.text('instrument'), String(number))
    counts.set(currency, { first: known?.first ?? name, last: name, greatest: number })
  })
  const ranges = [...counts.values()].map(({ first, last }) => (first === last ? first : `${first} to ${last}`))
  const what = path === 'order' ? 'an order' : 'a trade'
  const expected = ranges.length === 0 ? `a run with ${path}s` : `${what} of the run: ${ranges.join(', ')}`
  const ends = [...counts.values()].flatMap(({ first, last }) => [first, last])
  return unknown(path, id, expected, ends)
}

function unknown(path: string, found: string, expected: string, known: readonly string[]): InputError {
  const meant = nearest(found, known)
  return { code: 'VALUE', path, expected, found, ...(meant === undefined ? {} : { hint: `did you mean "${meant}"?` }) }
}

function subjectOf(question: RunQuestion): string {
  if ('order' in question) return `order ${question.order}`
  if ('fill' in question) return `fill ${question.fill}`
  return 'account' in question ? `account ${question.account}` : `refusal ${question.refusal}`
}

function linkOut({ row, text, rule }: Link, requests: ReadonlyMap<number, JournalRequest> | null): CauseLink {
  return {
    time: formatIsoTime(micros(row.time)),
    event: row.event,
    text,
    request: requests?.get(row.cause) ?? null,
    ...rule,
  }
}

/** The chain of a refused request by its number from 1, or the number of refused requests. */
async function refusalChain(tables: Tables, names: Names, number: number): Promise<Chain | number> {
  let count = 0
  const row = await tables.last('rejects', () => {
    count += 1
    return count === number
  })
  if (row === null) return count
  const unrecorded: UnrecordedFact[] = []
  const isShort = ruleOfRefusal(row.text('reason')) === reasonRules.not_enough_funds
  if (isShort) {
    noteFact(
      unrecorded,
      'the available funds at the refusal and the initial margin that the request needed',
      'record: { equity: 1s } samples the margins; a step private/get_margins before the request returns what it needs',
    )
  }
  const state = isShort ? await fundsLinks(tables, names, row) : await stateLinks(tables, row)
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
async function stateLinks(tables: Tables, row: Row): Promise<readonly Link[]> {
  const account = row.cell('account')
  const instrument = row.cell('instrument')
  const isBefore = (one: Cursor): boolean => one.event < row.event
  switch (ruleOfRefusal(row.text('reason'))) {
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
async function fundsLinks(tables: Tables, names: Names, row: Row): Promise<readonly Link[]> {
  const detail = row.cell('detail')
  const currency = detail ?? names.instrument(row.cell('instrument'))?.cell('settlement_currency') ?? null
  const account = row.cell('account')
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
