/**
 * Strategies see nothing of the machine. The test evaluates each expression at the top of a module and inside a
 * callback, in two time zones, and expects the same virtual value or a refusal by name.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defineStrategy, type StrategyVenue } from '../../../src/index.ts'
import { runDocument, runFile } from '../../../src/node.ts'

const start = Date.UTC(2026, 0, 5, 9)
const document = {
  version: 1,
  title: 'A strategy alone',
  start: '2026-01-05T09:00:00Z',
  until: '2026-01-05T09:00:05Z',
  instruments: ['BTC-PERPETUAL'],
  index: { btc_usd: 50_000 },
  accounts: { ann: { deposit: { BTC: 1 } } },
}

let home = ''
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'pitclock-realm-'))
  const file = { ...document, strategies: [{ account: 'ann', module: './own.mjs' }] }
  writeFileSync(join(home, 'own.json'), JSON.stringify(file))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Runs a module; returns the lines of its fault, or the error `value: JSON` that it has thrown. */
async function runModule(text: string): Promise<readonly string[]> {
  writeFileSync(join(home, 'own.mjs'), `import { defineStrategy } from 'pitclock'\n${text}`)
  const run = await runFile(join(home, 'own.json'))
  return run.ok ? [] : run.error.lines
}

const report = 'const tell = (v) => { throw new Error("value: " + JSON.stringify(v) + " end") }\n'
const inCallback = (code: string): string =>
  `${report}export default defineStrategy(() => ({ onStart: (venue) => { tell(${code}) } }))\n`
const atTop = (code: string): string =>
  `${report}const found = ${code}\nexport default defineStrategy(() => { tell(found) })\n`

/** The value that a module throws, or the line of its fault. */
async function reportedBy(module: string): Promise<unknown> {
  const [line = 'no fault'] = await runModule(module)
  const value = /value: (.*) end/.exec(line)
  return value === null ? line : JSON.parse(value[1] ?? '')
}

async function inZone<T>(zone: string, run: () => Promise<T>): Promise<T> {
  const { TZ } = process.env
  process.env['TZ'] = zone
  try {
    return await run()
  } finally {
    if (TZ === undefined) Reflect.deleteProperty(process.env, 'TZ')
    else process.env['TZ'] = TZ
  }
}

const text = 'Mon Jan 05 2026 09:00:00 GMT+0000 (Coordinated Universal Time)'
const virtual: readonly (readonly [string, unknown])[] = [
  ['Date.now()', start],
  ['new Date().getTime()', start],
  ['[new Date().getHours(), new Date().getTimezoneOffset(), new Date().getDay()]', [9, 0, 1]],
  ['new Date().toString()', text],
  ['Date()', text],
  ["''.concat(new Date())", text],
  ['new Date().toTimeString()', text.slice(16)],
  ['new Date().toLocaleString()', '1/5/2026, 9:00:00 AM'],
  ["Date.parse('2026-01-05T09:00:00')", start],
  ["Date.parse('2026-01-05 09:00')", start],
  ["new Date('Jan 5 2026 09:00:00').getTime()", start],
  ["Date.parse('2026-01-05T09:00:00-05:00')", start + 5 * 3_600_000],
  ["Date.parse('Mon, 05 Jan 2026 09:00:00 GMT')", start],
  ["Date.parse('2026-01-05')", start - 9 * 3_600_000],
  ['new Date(2026, 0, 5, 9).getTime()', start],
  ['new Date(new Date(5)).getTime()', 5],
  ['new Date(0).setHours(3)', 3 * 3_600_000],
  ['new (new Date().constructor)().getTime()', start],
  ['new (class extends Date {})().getHours()', 9],
  ['(1234567.891).toLocaleString()', '1,234,567.891'],
  ['10000n.toLocaleString()', '10,000'],
  ['[1234.5].toLocaleString()', '1,234.5'],
  ["'I'.toLocaleLowerCase()", 'i'],
  ["'z'.localeCompare('ä')", 1],
  ['Intl.DateTimeFormat().resolvedOptions().timeZone', 'UTC'],
  ["new Intl.NumberFormat('xx').resolvedOptions().locale", 'en-US'],
  ["new Intl.DateTimeFormat('en-US', { hour: 'numeric', hourCycle: 'h23' }).format()", '09'],
  ['new Date() instanceof Date', true],
  ['performance.now()', start],
  ['process.hrtime()', [start / 1000, 0]],
  ["Function('return Date.now()')()", start],
  ["(() => {}).constructor('return process.version')()", 'v20.0.0'],
  ['import.meta.url', 'file:///own.mjs'],
  ["(await import('node:path')).resolve('a')", '/a'],
  ["(await import('node:process')).version", 'v20.0.0'],
  ["(await import('node:crypto')).createHash('md5').update('a').digest('hex').slice(0, 4)", '0cc1'],
  ["new Error('a').stack.split('\\n')[1].replace(/\\d+/g, '#').trim()", expect.stringContaining('(own.mjs:#:#)')],
]
const refusedHere: readonly (readonly [string, string])[] = [
  ['process.env.HOME', 'process.env.HOME'],
  ['process.pid', 'process.pid'],
  ['process.cwd()', 'process.cwd'],
  ['(process.exitCode = 1)', 'process.exitCode'],
  ['process.nextTick(() => 1)', 'process.nextTick'],
  ['process.exit(1)', 'process.exit'],
  ['setTimeout(() => 1)', 'setTimeout'],
  ['queueMicrotask(() => 1)', 'queueMicrotask'],
  ["fetch('http://localhost')", 'fetch'],
  ['navigator.language', 'navigator.language'],
  ['crypto.subtle', 'crypto.subtle'],
  ['new WeakRef({})', 'WeakRef'],
  ["(await import('node:os')).hostname()", 'node:os.hostname'],
  ["(await import('fs')).readFileSync('/etc/hostname')", 'node:fs.readFileSync'],
  ["(await import('node:worker_threads')).threadId", 'node:worker_threads.threadId'],
]

/** One expression for many values, or the messages of their exceptions. */
function each(codes: readonly string[], isAsync: boolean): string {
  const functions = codes.map((code) => `${isAsync ? 'async ' : ''}() => ${code}`)
  const call = `(f) => { try { return f() } catch (error) { return error.message } }`
  const asked = `async (f) => { try { return await f() } catch (error) { return error.message } }`
  const list = `[${functions.join(',\n')}]`
  return isAsync ? `await Promise.all(${list}.map(${asked}))` : `${list}.map(${call})`
}

/** Without imports, which a callback cannot await. */
function synchronous<T>(rows: readonly (readonly [string, T])[]): readonly (readonly [string, T])[] {
  return rows.filter(([code]) => !code.includes('await'))
}

describe('a module', () => {
  test.each(['America/New_York', 'Asia/Kathmandu'])('d10 A6 sees nothing of the machine in %s', async (zone) => {
    const codes = virtual.map(([code]) => code)
    expect(await inZone(zone, () => reportedBy(atTop(each(codes, true))))).toEqual(virtual.map(([, value]) => value))
    const inside = synchronous(virtual)
    const within = inCallback(
      each(
        inside.map(([code]) => code),
        false,
      ),
    )
    expect(await inZone(zone, () => reportedBy(within))).toEqual(inside.map(([, value]) => value))
  })

  test('d10 A6 gets a refusal by name for the rest', async () => {
    const messages = (rows: typeof refusedHere): unknown =>
      rows.map(([, name]) => expect.stringContaining(`strategies cannot use ${name}`))
    const top = atTop(
      each(
        refusedHere.map(([code]) => code),
        true,
      ),
    )
    expect(await reportedBy(top)).toEqual(messages(refusedHere))
    const inside = synchronous(refusedHere)
    const within = inCallback(
      each(
        inside.map(([code]) => code),
        false,
      ),
    )
    expect(await reportedBy(within)).toEqual(messages(inside))
  })

  test('d10 A6 chance at the top of a module is of the seed of the run', async () => {
    const code = '[Math.random(), crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(2))[0]]'
    const first = await reportedBy(atTop(code))
    expect(first).toEqual([expect.any(Number), expect.stringMatching(/^[\da-f-]{36}$/), expect.any(Number)])
    expect(await reportedBy(atTop(code))).toEqual(first)
  })

  test('d10 A6 chance that was taken at the top draws from the stream in callbacks', async () => {
    const module = `${report}const { random } = Math
export default defineStrategy(() => ({ onStart: () => { tell(random()) } }))`
    expect(await reportedBy(module)).toEqual(await reportedBy(module))
  })

  test('d10 A6 packages find an empty environment, and files their neighbours', async () => {
    mkdirSync(join(home, 'node_modules/old'), { recursive: true })
    writeFileSync(
      join(home, 'node_modules/old/index.js'),
      'exports.debug = process.env.DEBUG\nexports.feature = typeof process.getuid\nexports.twice = (x) => 2 * x\n',
    )
    writeFileSync(join(home, 'size.json'), '{ "size": 7 }')
    writeFileSync(join(home, 'part.ts'), 'export const part: number = 3\nexport default 4\n')
    const value = await reportedBy(`import old, { twice } from 'old'
import { size } from './size.json'
import four, { part } from './part.ts'
${atTop('[twice(2), typeof old.debug, old.feature, size, part, four]')}`)
    expect(value).toEqual([4, 'undefined', 'undefined', 7, 3, 4])
  })

  test('errors and plain data pass between the realms', async () => {
    const value = await reportedBy(`${report}export default defineStrategy(() => ({
  onStart: (venue) => {
    venue.request('private/buy', { instrument_name: 'BTC-PERPETUAL', amount: 10, price: 40000 })
    try { venue.position('none') } catch (error) {
      tell([error instanceof Error, error instanceof RangeError, venue.instruments instanceof Array])
    }
  },
}))`)
    expect(value).toEqual([true, true, true])
  })

  test('a mistake in the text of a module has its place', async () => {
    const [line] = await runModule('const a = (\n')
    expect(line).toMatch(/own\.mjs:3:0/)
  })
})

describe('a strategy of a program', () => {
  async function found<T>(look: (venue: StrategyVenue) => T): Promise<T | string> {
    const values: T[] = []
    const strategies = {
      own: defineStrategy(() => ({ onStart: (venue) => void values.push(look(venue)) })),
    }
    const file = { ...document, strategies: [{ account: 'ann', module: 'own' }] }
    const run = await runDocument(file, { strategies })
    return run.ok ? (values[0] as T) : (run.error.lines[0] ?? '')
  }

  test('d10 A6 sees the zone, the locale and the clock of the run', async () => {
    const look = (): unknown => [
      new Date().getHours(),
      new Date(2026, 0, 5, 9).getTime(),
      new Date().toString(),
      (1234.5).toLocaleString(),
      Intl.DateTimeFormat().resolvedOptions().timeZone,
    ]
    const expected = [9, start, text, '1,234.5', 'UTC']
    expect(await inZone('America/New_York', () => found(look))).toEqual(expected)
  })

  test.each([
    ['process.env.HOME', () => process.env['HOME']],
    [
      'process.exitCode',
      () => {
        process.exitCode = 1
      },
    ],
    ['process.nextTick', () => process.nextTick(() => undefined)],
    ['Function', () => (() => undefined).constructor('return 1')()],
  ])('d10 A6 %s is refused by name', async (name, look) => {
    expect(await found(look)).toContain(`strategies cannot use ${name}`)
  })
})

test('d10 A6 the process keeps its zone, globals and environment during and after two runs at once', async () => {
  const seen = (): unknown => [
    process.env['TZ'],
    process.exitCode,
    new Date(0).getHours(),
    Intl.DateTimeFormat().resolvedOptions().timeZone,
    Object.getOwnPropertyDescriptor(Date.prototype, 'getHours')?.value,
    Object.getOwnPropertyDescriptor(globalThis, 'Date')?.value,
    Object.getOwnPropertyDescriptor(globalThis, 'process'),
    Math.random,
    console.log,
  ]
  await inZone('America/New_York', async () => {
    const before = seen()
    const during: unknown[] = []
    const looking = setInterval(() => during.push(seen()), 1)
    writeFileSync(
      join(home, 'own.mjs'),
      `import { defineStrategy } from 'pitclock'
await Promise.resolve()
export default defineStrategy(() => ({ onStart: (v) => v.setTimer('x', '1s'), onTimer: (_, v) => { Date.now() } }))`,
    )
    const strategies = { './own.mjs': defineStrategy(() => ({ onStart: () => void Date.now() })) }
    const inline = { ...document, strategies: [{ account: 'ann', module: './own.mjs' }] }
    const path = join(home, 'own.json')
    const runs = await Promise.all([runFile(path), runFile(path), runDocument(inline, { strategies })])
    clearInterval(looking)
    expect(runs.map(({ ok }) => ok)).toEqual([true, true, true])
    expect(during.length).toBeGreaterThan(0)
    for (const each of during) expect(each).toEqual(before)
    expect(seen()).toEqual(before)
  })
})

test('A5 a request in a promise is a mistake of the strategy, with its place and advice', async () => {
  const lines = await runModule(`export default defineStrategy(() => ({
  onStart: (venue) => { Promise.resolve().then(() => venue.request('private/cancel_all', {})) },
}))`)
  expect(lines).toEqual([
    expect.stringMatching(/own\.mjs:3:\d+: .*expected requests, timers and random numbers inside callbacks/),
  ])
  expect(lines[0]).toContain('private/cancel_all after the callback had returned')
  expect(lines[0]).toContain('make the call in the callback')
  const strategies = {
    own: defineStrategy(() => ({
      onStart: (venue) => void Promise.resolve().then(() => venue.setTimer('a', 1)),
    })),
  }
  const file = { ...document, strategies: [{ account: 'ann', module: 'own' }] }
  const run = await runDocument(file, { strategies })
  expect(run.ok ? [] : run.error.lines).toEqual([expect.stringContaining('setTimer after the callback had returned')])
})
