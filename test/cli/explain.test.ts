/**
 * `pitclock explain`: six questions about committed scenarios with their answers, the errors of wrong questions and
 * folders, and the guides that links name. It runs the built program.
 */
import { createHash } from 'node:crypto'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fillRules, rejectReasons } from '../../src/model/index.ts'
import { type Explanation, explain } from '../../src/node.ts'
import { guides, reasonRules, ruleOfFill, ruleOfRefusal } from '../../src/report/explain/rules.ts'
import { pitclock, scratch } from '../support/built-program.ts'
import { repository } from '../support/repository.ts'

const folder = scratch()
const runs = new Map<string, string>()

/** The folder of a run of a committed scenario, which runs once. */
function runOf(scenario: string, ...flags: readonly string[]): string {
  const key = [scenario, ...flags].join(' ')
  const known = runs.get(key)
  if (known !== undefined) return known
  const out = join(folder, String(runs.size))
  const { code, err } = pitclock(['run', `scenarios/${scenario}.yaml`, '--out', out, '-q', ...flags])
  expect(code, err).toBe(0)
  runs.set(key, out)
  return out
}

function answer(run: string, ...question: readonly string[]): string {
  const { code, out, err } = pitclock(['explain', run, ...question])
  expect([code, err]).toEqual([0, ''])
  return out
}

function explanation(run: string, ...question: readonly string[]): Explanation {
  return JSON.parse(answer(run, ...question, '--json')) as Explanation
}

const answers: readonly (readonly [title: string, scenario: string, question: readonly [string, string]])[] = [
  ['a maker fills when the order ahead leaves its place', 'orders/edit-keeps-and-loses-place', ['--order', '2']],
  ['a taker takes two levels', 'orders/fill-or-kill-all-or-nothing', ['--order', '4']],
  ['a request lacks margin', 'margin/not-enough-funds', ['--refusal', '1']],
  ['an account is liquidated', 'liquidation/perpetual-round-by-round', ['--account', 'long']],
  ['market-maker protection pulls an order', 'protections/mmp-quantity-limit', ['--order', '3']],
  ['a reduce-only order shrinks and is pulled', 'orders/reduce-only-shrinks-with-the-position', ['--order', '1']],
]

test.each(answers)('%s', (_, scenario, question) => {
  const golden = join(repository, 'test/fixtures/explain', `${scenario.replace('/', '-')}.txt`)
  const text = answer(runOf(scenario), ...question)
  if (process.env['WRITE_GOLDEN'] === '1') writeFileSync(golden, text)
  expect(text).toBe(readFileSync(golden, 'utf8'))
})

describe('other causes', () => {
  test.each([
    ['settlement/orders-at-0800', '1', 'The book of BTC-5JAN26 entered the state settlement.', 'settlement.delivery'],
    ['settlement/orders-at-0800', '3', 'The venue cancelled it', 'order.good-til-day'],
    ['orders/self-match-cancels-the-maker', '1', 'Order 3 of ann would have traded with it', 'order.self-match'],
    [
      'protections/session-disconnect-cancels-its-own',
      '1',
      'connection 1 (disconnect)',
      'session.cancel-on-disconnect',
    ],
    ['orders/oto-first-hit', 'OTO-2', 'A fill of order 1 activated it as order 5.', 'order.secondary'],
    [
      'orders/stop-refused-when-it-fires',
      'SLIS-3',
      'index_price became 99000; the trigger is 99000.',
      'margin.before-order',
    ],
    ['orders/oco-first-hit', '2', 'Its linked order', 'order.one-cancels-other'],
    ['liquidation/perpetual-round-by-round', '2', 'did not cover its maintenance margin', 'liquidation.lock'],
    ['liquidation/perpetual-round-by-round', '3', '0.00177882 of it for the insurance fund', 'liquidation.close'],
  ])('%s, order %s', (scenario, order, text, rule) => {
    const { links } = explanation(runOf(scenario), '--order', order)
    expect(links.map((link) => link.text).join('\n')).toContain(text)
    expect(links.map((link) => link.rule)).toContain(rule)
  })

  test('a recorded book: the row that filled, and the size of the level only if the run recorded it', () => {
    const short = ['--set', 'until=2026-01-05T09:00:40Z']
    const plain = explanation(runOf('backtest/market-maker', ...short), '--fill', '1')
    expect(plain.links[1]).toMatchObject({
      text: 'A recorded trade at a worse price than 60000 filled 500 at 60000, row 1 of feed 1. Its position became 500 (trade 1).',
      rule: 'fill.through',
      guide: 'scenarios/backtest/README.md#fills',
      request: null,
    })
    expect(plain.unrecorded).toEqual([
      { fact: 'the recorded size ahead of the order when it rested', how: 'record: { book: true }' },
    ])
    const recorded = runOf('backtest/market-maker', ...short, '--set', 'record.book=true')
    const { links, unrecorded } = explanation(recorded, '--order', '9')
    expect(links[1]?.text).toBe('500 rested at 59997, where the book showed 1860.')
    expect(unrecorded).toEqual([])
  })

  test('a run without journal says that requests are missing', () => {
    const run = runOf('orders/fill-or-kill-all-or-nothing', '--no-journal')
    expect(answer(run, '--order', '4')).toContain(
      'not recorded: the requests behind the links (run without --no-journal)\n',
    )
    const { links, omitted } = explanation(run, '--fill', '1')
    expect([omitted, links.every(({ request }) => request === null)]).toEqual([0, true])
  })
})

const quick = 'orders/self-match-cancels-the-maker'

describe('wrong questions end with exit 2 and name what the run has', () => {
  test.each([
    [[], 'expected one of --order, --fill, --account, --refusal, found none'],
    [['--order', '1', '--fill', '1'], 'found --order, --fill'],
    [['--order', '9'], '--order: expected an order of the run: 1 to 3, found 9'],
    [['--order', 'ETH-1'], '--order: expected an order of the run: 1 to 3, found ETH-1'],
    [['--order', '../x'], '--order: expected an order of the run: 1 to 3, found ../x'],
    [['--fill', '2'], '--fill: expected a trade of the run: 1, found 2'],
    [['--account', 'bem'], '--account: expected an account of the run: ann, ben, found bem\nhint: did you mean "ben"?'],
    [['--refusal', '2'], '--refusal: expected the number of a refused request, 1 to 1, found 2'],
    [['--refusal', '0'], 'expected a number from 1.'],
  ])('%j', (question, message) => {
    const { code, out, err } = pitclock(['explain', runOf(quick), ...question])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(message)
  })

  test('a run without refusals says so', () => {
    const { code, err } = pitclock(['explain', runOf('orders/oto-first-hit'), '--refusal', '1'])
    expect(code).toBe(2)
    expect(err).toContain('expected a run with refused requests, found 1')
  })

  test('a program gets the same errors as values', async () => {
    const question = { order: '1', account: 'ann' }
    const found = await explain(runOf(quick), question)
    expect(found).toMatchObject({
      ok: false,
      error: { kind: 'input', error: { code: 'VALUE', found: 'order, account' } },
    })
  })
})

describe('other folders end with exit 3', () => {
  test.each([
    ['no run', () => scratch(), 'expected the manifest of a run, found no such file'],
    ['a folder of another program', () => foreign('{"name":"other"}'), 'expected the manifest of a run, format 3'],
    ['a table of a run', () => join(runOf(quick), 'fills.arrow'), 'fills.arrow: expected a run folder, found a file'],
    ['a damaged folder', () => damaged(), 'found 5 bytes'],
    [
      'an interrupted run',
      () => changed({ status: 'interrupted' }),
      'expected a complete run, found an interrupted run',
    ],
    ['a run without tables', () => changed({ tables: [] }), 'expected a run with tables, found a run without tables'],
    ['tables in another format', () => runOf(quick, '--format', 'csv'), 'expected arrow, found csv'],
  ])('%s', (_, make, message) => {
    const { code, out, err } = pitclock(['explain', make(), '--order', '1'])
    expect([code, out]).toEqual([3, ''])
    expect(err).toContain(message)
  })
})

function foreign(manifest: string): string {
  const other = scratch()
  writeFileSync(join(other, 'manifest.json'), manifest)
  return other
}

function damaged(): string {
  const copy = changed({})
  writeFileSync(join(copy, 'fills.arrow'), 'other')
  return copy
}

/** A copy of a run folder with other values in its manifest. */
function changed(values: object): string {
  const copy = join(scratch(), 'changed')
  cpSync(runOf(quick), copy, { recursive: true })
  const file = join(copy, 'manifest.json')
  const { sha256: _, ...content } = { ...(JSON.parse(readFileSync(file, 'utf8')) as { sha256: string }), ...values }
  const sha256 = createHash('sha256').update(JSON.stringify(content)).digest('hex')
  writeFileSync(file, JSON.stringify({ ...content, sha256 }))
  return copy
}

test('every guide that a link can name has its section', () => {
  for (const guide of Object.values(guides)) {
    const [file = '', section = ''] = guide.split('#')
    const headings = readFileSync(join(repository, file), 'utf8').match(/^#+ .*$/gm) ?? []
    expect(headings.map(anchorOf), guide).toContain(section)
  }
})

test('every reason, refusal and fill has a rule in one of these guides', () => {
  const rules = [...Object.values(reasonRules), ...rejectReasons.map(ruleOfRefusal), ...fillRules.map(ruleOfFill)]
  const paths: readonly string[] = Object.values(guides)
  for (const { rule, guide } of rules) expect(paths, rule).toContain(guide)
})

function anchorOf(heading: string): string {
  const words = heading.replace(/^#+ /, '').toLowerCase()
  return words.replaceAll(/[^\w\- ]/g, '').replaceAll(' ', '-')
}
