/** Every function of an entry point that takes options refuses an unknown option and suggests the probable one. */
import { describe, expect, test } from 'vitest'
import { amount, micros } from '../../src/core/index.ts'
import * as state from '../../src/engine/index.ts'
import * as engine from '../../src/engine.ts'
import * as feeds from '../../src/feeds.ts'
import * as program from '../../src/index.ts'
import { defaultConfig, sinkOf } from '../../src/model/index.ts'
import * as node from '../../src/node.ts'
import * as kit from '../../src/testing/index.ts'
import * as wire from '../../src/wire.ts'

const entries = { ...engine, ...feeds, ...program, ...node, ...kit, ...wire }

const text =
  'version: 1\ntitle: t\nstart: 2026-01-05T09:00:00Z\ninstruments: [BTC-PERPETUAL]\nindex: { btc_usd: 50000 }\n'
const market = { start: '2026-01-05T09:00:00Z', accounts: { ann: { BTC: 1 } } }

function scenario(): program.Scenario {
  const read = program.parseScenario(text, 'a.yaml')
  if (!read.ok) throw new Error('expected a scenario')
  return read.value
}

/** One call for each function, with an additional option whose name is misspelt. */
const space = { instrument: 'BTC-PERPETUAL', accounts: ['ann'], price: 50_000, spread: 5, lotsMax: 10 }

const calls: Readonly<Record<string, (odd: object) => unknown>> = {
  openVenue: (odd) => program.openVenue({ ...market, ...odd }),
  openSeats: (odd) => program.openSeats([], odd),
  createResultsSink: (odd) => program.createResultsSink({ sha256: program.pureSha256, onBlock: null, ...odd }),
  createRun: (odd) => program.createRun(scenario(), odd),
  runScenario: (odd) => program.runScenario(scenario(), odd),
  restoreRun: (odd) => {
    const run = program.createRun(scenario(), {})
    const saved = program.snapshotRun(run)
    if (!saved.ok) throw new Error('expected a snapshot')
    const parts = { market: null, seats: null }
    return program.restoreRun(saved.value, scenario(), { hooks: odd, parts })
  },
  createFeedReader: (odd) =>
    feeds.createFeedReader({
      ...{ format: 'tardis.trades', symbol: null, columns: null, file: 'a.csv' },
      parseRecord: (line) => ({ ok: true, value: [line] }),
      ...odd,
    }),
  createDesk: (odd) => {
    const config = defaultConfig(micros(0))
    return wire.createDesk({ config, controls: true, methods: wire.venueMethods, ...odd }, sinkOf({}))
  },
  restoreDesk: (odd) => wire.restoreDesk(new Uint8Array(1), sinkOf({}), { methods: wire.venueMethods, ...odd }),
  methodSet: (odd) => wire.methodSet([], odd),
  orderRequest: (odd) => kit.orderRequest({ ...space, ...odd }),
  runFile: (odd) => node.runFile('no.yaml', odd),
  runDocument: (odd) => node.runDocument({}, odd),
  resumeRun: (odd) => node.resumeRun('no', odd),
  inputFiles: (odd) => node.inputFiles('no.yaml', odd),
  checkFile: (odd) => node.checkFile('no.yaml', odd),
  openFeedFile: (odd) => node.openFeedFile('no.csv', odd),
  convertFeed: (odd) => node.convertFeed('no.csv', 'no.arrow', odd),
  convertFeedToTardis: (odd) => node.convertFeedToTardis('no.csv', 'no.csv.gz', odd),
  convertRunToTardis: (odd) => node.convertRunToTardis('no', 'no-tardis', odd),
  journalScenario: (odd) => node.journalScenario('no', odd),
  exportRun: (odd) => node.exportRun('no', odd),
  inspect: (odd) => node.inspect('no.csv', odd),
  writeReport: (odd) => node.writeReport(['no'], 'no.html', odd),
  scenarioReporter: (odd) => node.scenarioReporter({ dir: 'no', ...odd }),
  traffic: (odd) => kit.traffic({ ...space, ...odd }),
  trafficMarket: (odd) => kit.trafficMarket({ ...space, ...odd }),
  malformedRequest: (odd) => kit.malformedRequest({ ...space, ...odd }),
  pricePath: (odd) => kit.pricePath({ price: 1, ...odd }),
  tradeFeed: (odd) => kit.tradeFeed({ symbol: 'A', price: 1, start: 0, ...odd }),
  marketScenario: (odd) => kit.marketScenario(odd),
  fuzzScenario: (odd) => kit.fuzzScenario(odd),
  fuzz: (odd) => node.fuzz(odd),
  shrink: (odd) => node.shrink('no.yaml', odd),
  modelCommands: (odd) => kit.modelCommands(odd),
  modelMarket: (odd) => kit.modelMarket(odd),
  recordVenue: (odd) => kit.recordVenue({ ...market, ...odd }),
  createServer: (odd) => node.createServer(odd),
  createTestVenue: (odd) => node.createTestVenue(odd),
}

/** Functions without an options object. A new function belongs here or above. */
const without = new Set([
  ...['accountId', 'advanceRun', 'advanceTo', 'allAccounts', 'allInstruments', 'amount', 'apply', 'assertLaws'],
  ...[
    'audit',
    'auditCopy',
    'checkDigests',
    'closeRun',
    'compareRuns',
    'configOf',
    'createExchange',
    'createModel',
    'createRunLaws',
  ],
  ...['defaultConfig', 'defineStrategy', 'diffRuns', 'digestOfLog', 'engineVersion', 'EventLaws'],
  ...['envelope', 'eventCountOf', 'eventOut', 'explain', 'fanOut', 'faultRule', 'findAccount'],
  ...['findInstrument', 'finishRun', 'fork', 'formatInputError', 'formatOfFlags', 'instrumentId'],
  ...['isStrategyDefinition', 'isSystemError', 'lastSequenceOf', 'lots', 'methodParams', 'methodRequest'],
  ...['methodSchema', 'micros', 'nothingReached', 'runChecked'],
  ...['nodeSha256', 'openEventLog', 'openMarket', 'orderId', 'parseDuration', 'parseIsoTime'],
  ...['parseScenario', 'price9', 'pureSha256', 'queryRun', 'readFeedColumns', 'readInterfaceDocument'],
  ...['readManifest', 'restore', 'scenarioJsonSchema', 'scenarioText', 'selfTest', 'sequence', 'simulate', 'sinkOf'],
  ...['snapshot', 'snapshotDesk', 'snapshotRun', 'specFromName', 'stateHash', 'submit', 'systemWords'],
  ...[
    'digestsOfRun',
    'readDigests',
    'ticks',
    'timeOf',
    'ReferenceModel',
    'Venue',
    'venueClient',
    'viewMarket',
    'viewPosition',
    'viewWallet',
    'writeDigests',
  ],
])

test('U5 the two lists contain every function of an entry point', () => {
  const functions = Object.entries(entries).flatMap(([name, value]) => (typeof value === 'function' ? name : []))
  const listed = [...Object.keys(calls), ...without]
  expect(functions.filter((name) => !listed.includes(name))).toEqual([])
  expect(listed.filter((name) => !functions.includes(name))).toEqual([])
})

/** Calls a function or a constructor without arguments, and closes what it opened. */
async function callBare(callee: (...args: unknown[]) => unknown): Promise<void> {
  const isClass = /^class\b/.test(String(callee))
  const opened = await (isClass ? Reflect.construct(callee, []) : callee())
  const server = opened?.value ?? opened
  await server?.close?.()
}

describe('U5 a missing argument is refused with a code', () => {
  // Functions of the engine get state that the engine created, some for each command, so only their types are checked.
  const functions = Object.entries(entries).filter(([name, value]) => typeof value === 'function' && !(name in state))

  test.each(functions)('%s', async (_, callee) => {
    try {
      await callBare(callee as (...args: unknown[]) => unknown)
    } catch (thrown) {
      const { code, message } = thrown as { readonly code?: string; readonly message: string }
      expect(Object.keys(program.errorCodes), message).toContain(code)
      expect(message).toMatch(/, found (?:undefined|nothing)/)
    }
  })
})

describe('U5 an option of another kind is refused with its name', () => {
  test.each(Object.entries(calls))('%s', async (_, call) => {
    const unknown: unknown = await Promise.resolve({ mispelt: 1 })
      .then(call)
      .catch((thrown: unknown) => thrown)
    const names = /expected one of (.*), found mispelt$/.exec(String(unknown))?.[1]?.split(', ') ?? []
    expect(names.length).toBeGreaterThan(0)
    for (const name of names) {
      await expect(async () => await call({ [name]: Symbol('odd') }), name).rejects.toMatchObject({
        code: 'OPTION',
        message: expect.stringMatching(new RegExp(`: ${name}: expected .*, found a symbol$`)),
      })
    }
  })

  test.each([
    ['createServer', { port: 'x' }, 'createServer: port: expected a number, found "x"'],
    ['createServer', { log: { level: 5 } }, 'createServer: log: level: expected a string, found 5'],
    ['createServer', { tls: { key: 'a' } }, 'createServer: tls: cert: expected a string, found nothing'],
    ['createTestVenue', { run: { set: 'a=b' } }, 'createTestVenue: run: set: expected a list of strings, found "a=b"'],
    ['runFile', { out: {} }, 'runFile: out: expected a string or null, found an object'],
    ['runFile', { metrics: { riskFree: '1' } }, 'runFile: metrics: riskFree: expected a number, found "1"'],
    ['inspect', { head: [] }, 'inspect: head: expected a number, found a list'],
    ['createServer', { port: 70_000 }, 'createServer: port: expected a whole number from 0 to 65535, found 70000'],
    ['createServer', { port: Number.NaN }, 'port: expected a whole number from 0 to 65535, found NaN'],
    ['runFile', { set: [5] }, 'runFile: set.0: expected a string, found 5'],
    ['runFile', { saveEvery: -5 }, 'runFile: saveEvery: expected a whole number from 1 to'],
    ['runFile', { metrics: { every: 0.5 } }, 'runFile: metrics: every: expected a whole number from 1 to'],
    ['runFile', { metrics: { periodsPerYear: 0 } }, 'periodsPerYear: expected a number above 0, found 0'],
    ['runFile', { metrics: { riskFree: -1 } }, 'riskFree: expected a number above -1, found -1'],
    ['runFile', { format: 'xml' }, 'runFile: format: expected one of arrow, parquet, csv, jsonl, found xml'],
    ['exportRun', { format: 'xml' }, 'exportRun: format: expected one of '],
    ['inspect', { head: -1 }, 'inspect: head: expected a whole number from 0 to'],
    ['inspect', { cut: 'maybe' }, 'inspect: cut: expected one of fail, skip, keep, found maybe'],
    ['inspect', { format: 'maybe' }, 'inspect: format: expected one of '],
    ['openVenue', { accounts: { ann: null } }, 'openVenue: accounts.ann: expected an object, found null'],
    ['openVenue', { permissions: { ann: 5 } }, 'openVenue: permissions.ann: expected an object, found 5'],
    ['openVenue', { sink: {} }, 'openVenue: sink.emit: expected a function, found nothing'],
  ] as const)('%s %j', async (name, odd, message) => {
    await expect(async () => await calls[name]?.(odd)).rejects.toThrow(message)
  })
})

test('U5 a channel and its function are checked', () => {
  const venue = program.openVenue(market)
  const subscribe = venue.subscribe.bind(venue) as (...args: unknown[]) => unknown
  expect(() => subscribe()).toThrow('subscribe: channel: expected a string, found nothing')
  expect(() => subscribe('deribit_price_index.btc_usd', 5)).toThrow('subscribe: take: expected a function, found 5')
})

describe('U5 an unknown option is refused', () => {
  test.each(Object.entries(calls))('%s', async (_, call) => {
    await expect(async () => await call({ mispelt: 1 })).rejects.toMatchObject({
      code: 'OPTION',
      message: expect.stringMatching(/expected one of .*, found mispelt$/),
    })
  })

  test.each([
    ['createTestVenue', { scenaro: 'a.yaml' }, 'scenario'],
    ['createTestVenue', { run: { uot: 'a' } }, 'out'],
    ['createServer', { log: { levle: 'info' } }, 'level'],
    ['createServer', { tls: { kye: 'a', cert: 'b' } }, 'key'],
    ['runFile', { seet: [] }, 'set'],
    ['runFile', { metrics: { riskfree: 0.1 } }, 'riskFree'],
    ['orderRequest', { kinds: ['triger'] }, 'trigger'],
    ['openVenue', { config: { priceBand: false } }, 'priceBands'],
  ] as const)('%s %j: did you mean %s?', async (name, odd, meant) => {
    const call = calls[name]
    await expect(async () => await call?.(odd)).rejects.toMatchObject({
      code: 'OPTION',
      message: expect.stringContaining(`(did you mean ${meant}?)`),
    })
  })

  test('options that are not an object are refused with a message', async () => {
    const nothing = null as unknown as object
    await expect(node.runFile('a.yaml', nothing)).rejects.toThrow('runFile: expected an object of options, found null')
  })
})

test('U5 inspect, openFeedFile and conversions need no options', async () => {
  expect(await node.inspect('no-such.csv')).toMatchObject({ ok: false })
  expect(await node.openFeedFile('no-such.csv')).toMatchObject({ ok: false })
  expect(await node.convertFeed('no-such.csv', 'no-such.arrow')).toMatchObject({ ok: false })
})

test('U13 a law counts the fund and prints decimal amounts', () => {
  const venue = program.openVenue({
    ...market,
    config: { insuranceFund: { BTC: amount(5_000_000_000n) } },
  })
  expect(() => kit.assertLaws(venue.desk)).not.toThrow()
  venue.desk.history.deposited.set('BTC', amount(5_000_000_001n))
  expect(() => kit.assertLaws(venue.desk)).toThrow(
    'money is conserved: expected 5.000000001 BTC deposited (with the insurance fund), found 6',
  )
})

test('U5 the first order without an index is refused with the index and the control that sets it', () => {
  const venue = program.openVenue({ ...market, instruments: ['BTC-PERPETUAL'] })
  const order = { instrument_name: 'BTC-PERPETUAL', amount: 100, price: 50_000 } as const
  const refused = venue.as('ann').request('private/buy', order, { advance: true })
  expect(refused).toMatchObject({ error: { code: 10040, message: 'retry' } })
  expect(refused.hint).toBe(
    'the index btc_usd has no price yet: sim/set_index with index_name btc_usd and a price gives it one',
  )
  venue.request('sim/set_index', { index_name: 'btc_usd', price: 50_000 })
  expect(venue.as('ann').request('private/buy', order, { advance: true }).ok).toBe(true)
})

test('U15 a request of an unknown account is refused with the known accounts', () => {
  const venue = program.openVenue({ ...market, accounts: { ann: { BTC: 1 }, carol: { BTC: 1 } } })
  const hintOf = (account: string): string | undefined => venue.as(account).request('private/get_positions', {}).hint
  expect(venue.as('anna').request('private/get_positions', {})).toMatchObject({
    error: { code: 13009 },
  })
  expect(hintOf('anna')).toBe('no account is named anna: did you mean ann?')
  expect(hintOf('somebody')).toBe('no account is named somebody: the accounts are ann, carol')
  expect(hintOf('ann')).toBeUndefined()
  expect(venue.request('private/get_positions', {}).hint).toBeUndefined()
})

test('U15 a negative deposit is refused with its account and currency', () => {
  expect(() => program.openVenue({ ...market, accounts: { ann: { BTC: -1 } } })).toThrow(
    'openVenue: accounts.ann.BTC: expected an amount from 0, found -1',
  )
})
