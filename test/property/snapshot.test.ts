/**
 * Law: snapshot, restore, continue equals continue, at every command boundary, in this process and in another. A fork
 * does not disturb its parent. Damaged snapshots are refused with section and offset. The hash covers everything that
 * the future depends on, and the audit detects a dropped posting.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import ts from 'typescript'
import { describe, expect, test } from 'vitest'
import { AssertionFailure, decodeSections, defined, encodeSections } from '../../src/core/index.ts'
import { apply, audit, type Exchange, fork, restore, snapshot, stateHash } from '../../src/engine/index.ts'
import { snapshotLedger } from '../../src/ledger/index.ts'
import type { Command, FillCondition, LinkedOrderType, TriggerSource } from '../../src/model/index.ts'
import { commandsOf, exchangeOf, intentArbitrary, worldArbitrary } from '../support/command-stream.ts'
import { idOf, type Market, market } from '../support/harness.ts'
import { applyLawfully, Laws } from '../support/laws.ts'
import type { OrderWords } from '../support/market-words.ts'
import { askedRuns } from '../support/property-runs.ts'
import { repository } from '../support/repository.ts'

const intents = fc.array(intentArbitrary, { maxLength: 60, size: 'max' })

function restored(bytes: Uint8Array): Exchange {
  const result = restore(bytes)
  if (!result.ok) throw new Error(JSON.stringify(result.error))
  return result.value
}

/** A market with resting orders, positions, mixed fills, a day order and a pinned mark. */
function busy(): Market {
  const m = market({
    instruments: { 'BTC-PERPETUAL': {}, 'SOL_USDC-PERPETUAL': {}, BTC_USDC: {} },
    accounts: {
      alice: { BTC: '10', USDC: '1000000' },
      bob: { BTC: '10', USDC: '1000000' },
    },
    index: { btc_usd: '50000', sol_usdc: '200', btc_usdc: '50000' },
  })
  m.sell('bob', { amount: '30', price: '50000', label: 'grid' })
  m.sell('bob', { amount: '30', price: '50010', timeInForce: 'good_til_day' })
  const order = idOf(m.buy('alice', { amount: '40', price: '50010' }))
  expect(m.openOrders('alice')).toEqual([])
  expect(order).toBeGreaterThan(0)
  m.buy('alice', { amount: '100', price: '50005' })
  m.sell('bob', { amount: '10', price: '50005' })
  m.sell('bob', { instrument: 'BTC_USDC', amount: '0.5', price: '50100' })
  m.mark('50001')
  return m
}

describe('snapshot, restore, continue', () => {
  test('equals continue at every command boundary', () => {
    fc.assert(
      fc.property(worldArbitrary, intents, (world, steps) => {
        const laws = new Laws()
        const exchange = exchangeOf(world, laws)
        for (const command of commandsOf(world, steps)) {
          const copy = restored(snapshot(exchange))
          expect(stateHash(copy)).toBe(stateHash(exchange))
          const copied = new Laws()
          copied.continueFrom(copy)
          const events = applyLawfully(exchange, command, laws)
          expect(applyLawfully(copy, command, copied)).toEqual(events)
          expect(stateHash(copy)).toBe(stateHash(exchange))
        }
      }),
      { numRuns: askedRuns(1000, 100, 100) },
    )
  })

  test('a copy that runs to the end gives the same bytes', () => {
    fc.assert(
      fc.property(worldArbitrary, intents, fc.nat(200), (world, steps, cut) => {
        const commands = commandsOf(world, steps)
        const none = { emit: (): void => {} }
        const exchange = exchangeOf(world, none)
        const at = cut % commands.length
        for (const command of commands.slice(0, at)) apply(exchange, command, none)
        const copy = restored(snapshot(exchange))
        expect(Buffer.compare(snapshot(copy), snapshot(exchange))).toBe(0)
        for (const command of commands.slice(at)) {
          apply(exchange, command, none)
          apply(copy, command, none)
        }
        expect(Buffer.compare(snapshot(copy), snapshot(exchange))).toBe(0)
        audit(copy)
      }),
      { numRuns: askedRuns(2500, 100, 200) },
    )
  })

  test('a holding without computed values stays so', () => {
    const m = market({
      instruments: { 'BTC-PERPETUAL': {} },
      accounts: { alice: { BTC: '10' } },
      models: { alice: 'cross_sm' },
      index: { btc_usd: '50000' },
    })
    const trigger = { source: 'index_price', price: '40000' } as const
    m.sell('alice', { amount: '100', type: 'stop_market', trigger })
    const bytes = snapshot(m.exchange)
    expect(Buffer.compare(snapshot(restored(bytes)), bytes)).toBe(0)
  })

  test('a fork does not disturb its parent, nor the parent its fork', () => {
    fc.assert(
      fc.property(worldArbitrary, intents, intents, (world, left, right) => {
        const none = { emit: (): void => {} }
        const parent = exchangeOf(world, none)
        // Listings in only one of the two would shift the ids that commands of the other name.
        const kinds = world.kinds.filter((kind) => kind !== 'list')
        const commands = commandsOf({ ...world, kinds: kinds.length > 0 ? kinds : ['limit'] }, left)
        for (const command of commands) apply(parent, command, none)
        const before = [stateHash(parent), snapshot(parent)] as const
        const child = fork(parent)
        const last = commands.at(-1)
        const shift = (command: Command): Command => ({
          ...command,
          ...(command.kind === 'advance_time' ? { to: parent.now } : {}),
          time: parent.now,
          sequence: (command.sequence + (last?.sequence ?? 0)) as Command['sequence'],
        })
        const more = commandsOf(world, right).map(shift)
        for (const command of more) apply(child, command, none)
        expect([stateHash(parent), snapshot(parent)]).toEqual(before)
        const after = stateHash(child)
        for (const command of more) apply(parent, command, none)
        expect([stateHash(child), stateHash(parent)]).toEqual([after, after])
      }),
      { numRuns: askedRuns(1500, 100, 100) },
    )
  })
})

describe('in another process', () => {
  test('the bytes of a snapshot give the same hash', () => {
    const folder = mkdtempSync(join(tmpdir(), 'pitclock-'))
    try {
      compileEngine(folder)
      const { exchange } = busy()
      writeFileSync(join(folder, 'state.bin'), snapshot(exchange))
      writeFileSync(
        join(folder, 'hash.mjs'),
        [
          "import { readFileSync } from 'node:fs'",
          `import { restore, snapshot, stateHash } from '${pathToFileURL(join(folder, 'src/engine/index.js')).href}'`,
          'const bytes = new Uint8Array(readFileSync(process.argv[2]))',
          'const { value } = restore(bytes)',
          'const same = Buffer.compare(snapshot(value), bytes) === 0',
          "process.stdout.write([stateHash(value), same].join(' '))",
        ].join('\n'),
      )
      const script = join(folder, 'hash.mjs')
      const found = execFileSync(process.execPath, [script, join(folder, 'state.bin')])
      expect(found.toString()).toBe(`${stateHash(exchange)} true`)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

/** Compiles the engine and the floors below it, without a build of the whole package. */
function compileEngine(folder: string): void {
  for (const place of ['core', 'model', 'book', 'pricing', 'ledger', 'margin', 'blocks', 'wallet', 'engine']) {
    const from = join(repository, 'src', place)
    for (const name of readdirSync(from, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue
      const { outputText } = ts.transpileModule(readFileSync(join(from, name), 'utf8'), {
        compilerOptions: {
          ...{ module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 },
          ...{ rewriteRelativeImportExtensions: true, verbatimModuleSyntax: true },
        },
      })
      const to = join(folder, 'src', place, name.replace(/\.ts$/, '.js'))
      mkdirSync(dirname(to), { recursive: true })
      writeFileSync(to, outputText)
    }
  }
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'), 'dir')
}

describe('damaged snapshots', () => {
  const bytes = snapshot(busy().exchange)

  test('a flipped byte anywhere is refused with its section and offset', () => {
    const sections = new Set<string | null>()
    for (let at = 0; at < bytes.length; at += at < 400 ? 1 : 97) {
      for (const flip of [0x01, 0x80, 0xff]) {
        const damaged = bytes.slice()
        damaged[at] = (damaged[at] ?? 0) ^ flip
        const result = restore(damaged)
        if (result.ok) throw new Error(`byte ${at} flipped by ${flip} was not noticed`)
        const { section, offset, expected, found } = result.error
        expect(offset).toBeLessThanOrEqual(damaged.length)
        expect(expected).not.toBe(found)
        sections.add(section)
      }
    }
    for (const name of [null, 'state', 'orders', 'ledger', 'margin', 'timers']) {
      expect(sections.has(name)).toBe(true)
    }
  })

  test('a snapshot of the previous version is refused by name', () => {
    const current = decodeSections(bytes, 'PITCLOCK', 15)
    if (!current.ok) throw new Error(current.error.found)
    expect(restore(encodeSections('PITCLOCK', 13, current.value))).toMatchObject({
      ok: false,
      error: { section: null, expected: 'version 15', found: 'version 13' },
    })
  })

  test('every truncation is refused, and so are bytes after the end', () => {
    for (let length = 0; length < bytes.length; length += length < 100 ? 1 : 53) {
      const result = restore(bytes.slice(0, length))
      expect([length, result.ok]).toEqual([length, false])
    }
    const longer = new Uint8Array(bytes.length + 1)
    longer.set(bytes)
    expect(restore(longer)).toMatchObject({ ok: false, error: { offset: bytes.length } })
  })
})

describe('the state hash covers everything that the future depends on', () => {
  const variations: readonly (readonly [string, (m: Market) => void])[] = [
    ['post-only mode', (m) => m.buy('alice', { amount: '10', price: '49000', postOnly: 'slide' })],
    ['time in force', (m) => m.buy('alice', order({ timeInForce: 'good_til_day' }))],
    ['label', (m) => m.buy('alice', order({ label: 'a' }))],
    ['reduce-only', (m) => edited(m, { reduceOnly: true })],
    ['nothing else', (m) => m.buy('alice', order({}))],
    ['price', (m) => m.buy('alice', order({ price: '49000.5' }))],
    ['amount', (m) => m.buy('alice', order({ amount: '20' }))],
    ['side', (m) => m.sell('alice', order({ price: '51000' }))],
    ['owner', (m) => m.buy('bob', order({}))],
    ['a pinned mark of the same value', (m) => m.mark('50000')],
    ['an edit that changes nothing', (m) => edited(m)],
    ['what is shown', (m) => m.buy('alice', order({ amount: '5000', display: '1000' }))],
    ['what is shown of the same', (m) => m.buy('alice', order({ amount: '5000', display: '2000' }))],
    ['a trigger order', (m) => m.buy('alice', order(stop('51000')))],
    ['a trigger price', (m) => m.buy('alice', order(stop('51000.5')))],
    ['a trigger source', (m) => m.buy('alice', order(stop('51000', 'index_price')))],
    ['a trailing stop', (m) => m.buy('alice', order(trailing))],
    [
      'what it has seen',
      (m) => {
        m.buy('alice', order(trailing))
        for (const index of ['49000', '50000']) m.index('btc_usd', index)
      },
    ],
    ['a pair', (m) => m.buy('alice', order(linked('one_cancels_other', 'first_hit')))],
    ['its condition', (m) => m.buy('alice', order(linked('one_cancels_other', 'complete_fill')))],
    ['a secondary', (m) => m.buy('alice', order(linked('one_triggers_other', 'first_hit')))],
    ['self-trading settings', (m) => m.selfTrading('alice', 'cancel_maker')],
    ['their extension', (m) => m.selfTrading('alice', 'cancel_maker', true)],
    ['the state of a book', (m) => m.bookState('locked')],
    ['cash', (m) => m.deposit('alice', 'BTC', '0.000000001')],
  ]

  function order<T extends object>(words: T) {
    return { amount: '10', price: '49000', ...words }
  }

  const trailing: Partial<OrderWords> = {
    type: 'trailing_stop',
    trigger: { source: 'index_price', offset: '2000' },
  }

  function stop(price: string, source: TriggerSource = 'mark_price'): Partial<OrderWords> {
    return { type: 'stop_limit', trigger: { source, price } }
  }

  function linked(type: LinkedOrderType, condition: FillCondition): Partial<OrderWords> {
    const secondaries = [{ side: 'sell', amount: '10', price: '51000' }] as const
    return { linked: { type, condition, secondaries } }
  }

  function edited(m: Market, words = {}): void {
    m.give('alice', '-1000', '50000')
    const id = idOf(m.buy('alice', order({})))
    expect(m.edit('alice', id, words).refusal).toBeNull()
  }

  test('each variation has its own hash', () => {
    const hashes = variations.map(([, change]) => {
      const m = market({
        instruments: { 'BTC-PERPETUAL': {} },
        accounts: { alice: { BTC: '10' }, bob: { BTC: '10' } },
        index: { btc_usd: '50000' },
      })
      change(m)
      return stateHash({ ...m.exchange, eventCount: 0, lastSequence: 0 })
    })
    expect(new Set(hashes).size).toBe(variations.length)
  })
})

describe('the audit detects damage', () => {
  /** A cell of the first holding; the ledger documents the order: size, entry, session, ... */
  function damageHolding(exchange: Exchange, field: number, change: number): void {
    const { ledger } = exchange
    const row = defined(exchange.instruments[0], 'the first instrument is listed')
    const stride = snapshotLedger(ledger, 1, 1).holdings.length
    const at = defined(row.holdings[0], 'somebody holds something') * stride + field
    ledger.holdings[at] = (ledger.holdings[at] ?? 0) + change
  }

  const damages: readonly (readonly [string, (exchange: Exchange) => void])[] = [
    ['a position that lost a fill', (exchange) => damageHolding(exchange, 0, -1)],
    ['a session basis that lost a posting', (exchange) => damageHolding(exchange, 4, 1)],
    [
      'an open order that margin forgot',
      (exchange) => {
        exchange.margin.exposures.fill(0)
      },
    ],
    [
      'totals of margin',
      (exchange) => {
        exchange.margin.totals[1] = 1
      },
    ],
    [
      'a mark that moved without its holdings',
      (exchange) => {
        const row = defined(exchange.instruments[0], 'the first instrument is listed')
        row.mark = defined(exchange.instruments[2], 'the third is listed').mark
      },
    ],
    [
      'a count of open orders',
      (exchange) => {
        defined(exchange.accounts[2], 'alice has an account').openTotal += 1
      },
    ],
    [
      'a count of trigger orders',
      (exchange) => {
        defined(exchange.accounts[2], 'alice has an account').openTriggers.mark_price += 1
      },
    ],
  ]

  test.each(damages)('%s', (_what, damage) => {
    const { exchange } = busy()
    audit(exchange)
    damage(exchange)
    expect(() => audit(exchange)).toThrow(AssertionFailure)
  })
})
