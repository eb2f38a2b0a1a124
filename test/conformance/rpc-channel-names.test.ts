/**
 * Every form of every declared channel accepts a subscription and sends a message, by name and with `any`. The table of
 * the guide has the same forms. Source: sessions document 3.4.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { accountId } from '../../src/core/index.ts'
import { currencies, instrumentKinds } from '../../src/model/index.ts'
import { openVenue } from '../../src/program/index.ts'
import { channelList, Subscriptions } from '../../src/rpc/index.ts'
import { isShort } from '../support/property-runs.ts'
import { type ChannelMessage, messageFaults, reportedIn } from '../support/reported-channels.ts'
import { repository } from '../support/repository.ts'

const intervals = ['raw', '100ms', 'agg2'] as const

/** A scenario in which channels send messages. */
interface Story {
  readonly file: string
  readonly accounts: readonly string[]
  readonly instruments: readonly string[]
  readonly index: string
  /** Replaces parts of the scenario before the run. */
  readonly edits?: readonly (readonly [from: string, to: string])[]
}

const controls = [
  'sim/set_maintenance, params: { active: true }',
  'sim/set_maintenance, params: { active: false }',
  'sim/set_public_methods, params: { allow_unauthenticated: false }',
  'sim/list_instrument, params: { instrument_name: BTC-26JUN26 }',
]

/** Opens an account without money in a scenario without accounts. */
const listener = ['\nsteps:', '\naccounts: { listener: {} }\nsteps:'] as const

const stories: readonly Story[] = [
  {
    file: 'options/future-spread.yaml',
    accounts: ['maker', 'taker'],
    instruments: ['BTC-PERPETUAL', 'BTC-25DEC26', 'BTC-FS-25DEC26_PERP'],
    index: 'btc_usd',
    edits: [['\nsteps:', `\nsteps:${controls.map((call) => `\n  - { at: 0s, call: ${call} }`).join('')}`]],
  },
  {
    file: 'options/volatility-index.yaml',
    accounts: ['listener'],
    instruments: ['BTC-13FEB26-60000-C'],
    index: 'btc_usd',
    edits: [listener],
  },
  {
    file: 'protections/mmp-first-second.yaml',
    accounts: ['maker'],
    instruments: ['ETH-PERPETUAL'],
    index: 'eth_usd',
  },
  {
    file: 'liquidation/lsp-participants.yaml',
    accounts: ['ann', 'helper'],
    instruments: ['BTC_USDC-PERPETUAL'],
    index: 'btc_usdc',
  },
  {
    file: 'liquidation/auto-deleveraging.yaml',
    accounts: ['ann', 'boss'],
    instruments: ['BTC_USDC-PERPETUAL'],
    index: 'btc_usdc',
    edits: [['  ann: { ', '  boss: { deposit: { USDC: 1 } }\n  ann: { main: boss, ']],
  },
  {
    file: 'block-rfq/ask-and-take.yaml',
    accounts: ['taker', 'alpha'],
    instruments: ['BTC-27MAR26-60000-C'],
    index: 'btc_usd',
  },
  {
    file: 'blocks/approval.yaml',
    accounts: ['taker'],
    instruments: ['BTC-PERPETUAL'],
    index: 'btc_usd',
  },
  {
    file: 'server/access-log.yaml',
    accounts: ['alice'],
    instruments: ['BTC-PERPETUAL'],
    index: 'btc_usd',
  },
  {
    file: 'server/announcements.yaml',
    accounts: ['listener'],
    instruments: ['BTC-PERPETUAL'],
    index: 'btc_usd',
    edits: [listener],
  },
]

const forms = channelList.flatMap((kind) => kind.forms)

/** The forms of the tables of guides, whose first column is headed `Channel`. */
function formsInGuide(guide: string): readonly string[] {
  const text = readFileSync(join(repository, guide), 'utf8')
  const [, table = ''] = text.split(/^\| Channel \|.*\n\|[-|]+\n/m)
  const rows = table.split('\n\n')[0]?.split('\n') ?? []
  return rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)]).map(([, form = '']) => form)
}

/** The names of a form in a scenario: each placeholder takes each of its values. */
function namesOf(form: string, story: Story): readonly string[] {
  const { instruments, index } = story
  const values: Readonly<Record<string, readonly string[]>> = {
    instrument_name: form.startsWith('perpetual.')
      ? instruments.filter((name) => name.endsWith('PERPETUAL'))
      : instruments,
    interval: intervals,
    kind: [...instrumentKinds, 'combo', 'any'],
    currency: [...currencies, 'any'],
    index_name: form.startsWith('user.mmp_trigger') ? [index, 'any'] : [index],
    group: ['none', '10'],
    depth: ['1', '20'],
    resolution: ['1', '1D'],
  }
  let names = [form]
  for (const [part, name = ''] of form.matchAll(/\{(\w+)\}/g)) {
    const known = values[name]
    if (known === undefined) throw new Error(`${form}: a value for ${part}`)
    names = names.flatMap((each) => known.map((value) => each.replace(part, value)))
  }
  return names
}

/** The messages of every scenario over all names of all forms. */
function messagesOfAll(): readonly ChannelMessage[] {
  return stories.flatMap((story) => {
    const { file, accounts, edits = [] } = story
    const names = forms.flatMap((form) => namesOf(form, story))
    const wanted = accounts.map((account) => [account, ...names] as const)
    return reportedIn(file, wanted, (text) => edits.reduce((edited, [from, to]) => edited.replace(from, to), text))
  })
}

describe('d02 V4 every documented channel', () => {
  const messages = messagesOfAll()
  const reported = new Set(messages.map(({ channel }) => channel))

  const wanted = forms.flatMap((form) => {
    const each = form.includes('{interval}')
      ? intervals.map((interval) => form.replace('{interval}', interval))
      : [form]
    const takesAny = /\{(kind|currency)\}|^user\.mmp_trigger/.test(form)
    return takesAny ? each.flatMap((name) => [name, name.replace(/\{(kind|currency|index_name)\}/g, 'any')]) : each
  })

  test.each(wanted)('d02 V4 %s accepts a subscription and sends a message', (form) => {
    const source = form.replaceAll('.', '\\.').replace(/\{\w+\}/g, '(?!any)[^.]+')
    const pattern = new RegExp(`^${source}$`)
    expect([...reported].filter((name) => pattern.test(name))).not.toEqual([])
  })

  test.skipIf(isShort)('every message matches the schema of its channel', () => {
    expect([...new Set(messageFaults(messages))]).toEqual([])
  })

  test('d02 the guide has exactly the declared forms', () => {
    expect(formsInGuide('scenarios/server/README.md')).toEqual(forms)
  })
})

describe('channels of an account', () => {
  const { desk } = openVenue({
    start: '2026-01-05T09:00:00Z',
    instruments: ['BTC-PERPETUAL'],
    accounts: { alice: {} },
  })
  const values = {
    instrument_name: 'BTC-PERPETUAL',
    kind: 'any',
    currency: 'any',
    index_name: 'btc_usd',
    interval: '100ms',
  }
  const kinds = channelList.map(({ forms: [form], scope }) => {
    const name = Object.entries(values).reduce<string>((text, [part, value]) => text.replace(`{${part}}`, value), form)
    return { name, scope }
  })
  const reported = (): void => {}

  test('the channels of accounts and their scopes', () => {
    const named = kinds.flatMap(({ name, scope }) => (scope === null ? [] : [`${scope} ${name}`]))
    expect(named.toSorted()).toEqual([
      'account:read user.access_log',
      'account:read user.isolated.liquidation',
      'account:read user.liquidation',
      'account:read user.lock',
      'account:read user.lsp',
      'account:read user.portfolio.any',
      'block_rfq:read block_rfq.maker.any',
      'block_rfq:read block_rfq.maker.quotes.any',
      'block_rfq:read block_rfq.taker.any',
      'block_trade:read block_trade_confirmations',
      'trade:read user.changes.BTC-PERPETUAL.100ms',
      'trade:read user.combo_trades.BTC-PERPETUAL.100ms',
      'trade:read user.mmp_trigger.btc_usd',
      'trade:read user.orders.BTC-PERPETUAL.100ms',
      'trade:read user.trades.BTC-PERPETUAL.100ms',
    ])
  })

  test.each(kinds.filter(({ scope }) => scope !== null))('$name needs an account and $scope', ({ name, scope }) => {
    const subscriptions = new Subscriptions(desk)
    const alice = { link: 1, account: accountId(4), send: reported }
    expect(subscriptions.subscribe({ ...alice, account: -1, allows: () => true }, name, null)).toBe(false)
    expect(subscriptions.subscribe({ ...alice, allows: (asked) => asked !== scope }, name, null)).toBe(false)
    expect(subscriptions.subscribe({ ...alice, allows: (asked) => asked === scope }, name, null)).toBe(true)
  })
})
