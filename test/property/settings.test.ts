/**
 * Laws of settings over their declarations: every setting passes unchanged from a scenario file into the exchange and
 * through the head of a journal, programs may give it, and its bounds refuse in all three.
 */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatInputError, formatScaled, micros } from '../../src/core/index.ts'
import {
  type ExchangeConfig,
  type Fields,
  type Leaf,
  readSettings,
  venueSettings,
  writeSettings,
} from '../../src/model/index.ts'
import { settingKey } from '../../src/model/settings/reading.ts'
import { checkConfig } from '../../src/program/venue.ts'
import { usualTerms } from '../../src/results/index.ts'
import {
  decodeJournal,
  encodeJournalHead,
  fileSettings,
  parseScenario,
  type RecordTerms,
  usualRecord,
} from '../../src/scenario/index.ts'
import { headOf } from '../support/journal-head.ts'
import { askedRuns } from '../support/property-runs.ts'
import { drawnFields, mappingText, usualSettings } from '../support/setting-values.ts'

const start = micros(1_767_603_600_000_000)
const settings: Fields = venueSettings

/** Terms of a run by their place in heads of journals: next to the configuration, or in the section `record`. */
const terms = Object.entries(fileSettings.record).filter(([field]) => !(field in settings))
const ofHead = Object.fromEntries(terms.filter(([field]) => isOfHead(field)))
const ofRecord = Object.fromEntries(terms.filter(([field]) => !isOfHead(field)))

function isOfHead(field: string): boolean {
  return field === 'equityEvery' || field === 'metrics'
}

/** The recording terms of a run, with a value in each field. */
const recorded: RecordTerms = {
  format: 'csv',
  quotes: micros(1_000),
  bookSnapshot: { every: micros(1_000), depth: 5 },
  bars: [micros(60_000_000)],
}

function fileOf(texts: { readonly [section: string]: string }): string {
  const parts = Object.entries(texts).map(([section, text]) => `${section}: ${text}`)
  return `version: 1
title: settings
start: 2026-01-05T09:00:00Z
instruments: [BTC-PERPETUAL]
index: { btc_usd: 50000, eth_usd: 3000 }
steps: []
${parts.join('\n')}
`
}

const drawn = fc.record({
  venue: drawnFields(fileSettings.venue, start),
  record: drawnFields(fileSettings.record, start),
})

test('settings pass from files into the exchange and through journals, and programs may give them', () => {
  fc.assert(
    fc.property(drawn, ({ venue, record }) => {
      const texts = { venue: mappingText(venue.texts), record: mappingText(record.texts) }
      const parsed = parseScenario(fileOf(texts), 'settings.yaml')
      if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
      const { config, equityEvery, metrics, record: tables } = parsed.value
      const { start: _start, ...found } = config
      const said = { ...usualSettings(), ...venue.values }
      const kept = { equityEvery: null, metrics: usualTerms, ...usualRecord, ...said }
      expect({ ...found, equityEvery, metrics, ...tables }).toEqual({ ...kept, ...record.values })
      const head = { ...headOf(config), equityEvery, metrics, record: tables }
      const line = JSON.stringify(encodeJournalHead(head))
      const decoded = decodeJournal(`${line}\n`, 'journal.jsonl')
      if (!decoded.ok) throw new Error(decoded.error.map(formatInputError).join('\n'))
      expect(decoded.value.head).toEqual(head)
      expect(JSON.stringify(encodeJournalHead(decoded.value.head))).toBe(line)
      checkConfig(config)
    }),
    { numRuns: askedRuns(200) },
  )
})

test('settings of accounts match the files, in full and in part', () => {
  const fields = fileSettings['accounts.NAME']
  fc.assert(
    fc.property(drawnFields(fields, start), ({ texts, values }) => {
      const text = mappingText(texts)
      const parsed = parseScenario(fileOf({ accounts: `{ ann: ${text}, btc_usd: {} }` }), 'a.yaml')
      if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
      const reading = { place: 'file', start, path: [] } as const
      const read = readSettings(fields, JSON.parse(text), reading)
      expect(read.faults).toEqual([])
      for (const [field, value] of Object.entries(values)) expect(read.values[field]).toEqual(value)
      const asked = new Set(parsed.value.setup.map(({ method }) => method))
      expect(asked.has('sim/set_profile')).toBe(/"profile": \{ "/.test(text))
    }),
    { numRuns: askedRuns(200) },
  )
})

test('heads of journals omit the default of a lean setting', () => {
  const fields: Fields = {
    depth: { key: 'depth', unit: 'count', default: 5, isLean: true, says: 'A depth' },
    width: { key: 'width', unit: 'count', default: 5, says: 'A width' },
  }
  expect(writeSettings(fields, { depth: 5, width: 5 })).toEqual({ width: 5 })
  const written = writeSettings(fields, { depth: 6, width: 5 })
  expect(written).toEqual({ depth: 6, width: 5 })
  for (const given of [{ width: 5 }, written]) {
    const { values, faults } = readSettings(fields, given, { place: 'journal', start, path: [] })
    expect(faults).toEqual([])
    expect(values).toEqual({ depth: given === written ? 6 : 5, width: 5 })
  }
})

/** A value with its places: keys in files (null if files do not have it), journals and settings. */
interface PlacedLeaf {
  readonly leaf: Leaf
  readonly file: readonly string[] | null
  readonly journal: readonly string[]
  readonly config: readonly string[]
}

const keys = {
  index: { file: 'btc_usd', here: 'btc_usd' },
  currency: { file: 'BTC', here: 'BTC' },
  lsp_group: { file: '1', here: 'tier_1' },
  name: { file: 'desk', here: 'desk' },
} as const

function leavesOf(fields: Fields, above: Omit<PlacedLeaf, 'leaf'>, isVerbatim = false): PlacedLeaf[] {
  return Object.entries(fields).flatMap(([field, setting]): PlacedLeaf[] => {
    const { key, section } = setting
    const inJournal = isVerbatim ? field : (settingKey(setting, field, 'journal') ?? field)
    const beginning = above.file?.length === 0 ? [section ?? 'venue'] : above.file
    let at = {
      file: key === null || beginning === null ? null : [...beginning, key],
      journal: [...above.journal, inJournal],
      config: [...above.config, field],
    }
    let inner = setting
    if ('each' in setting) {
      const { file, here } = keys[setting.by]
      at = {
        file: at.file === null ? null : [...at.file, file],
        journal: [...at.journal, here],
        config: [...at.config, here],
      }
      inner = setting.each
    } else if ('items' in setting) {
      at = {
        file: at.file === null ? null : [...at.file, '0'],
        journal: [...at.journal, '0'],
        config: [...at.config, '0'],
      }
      inner = setting.items
    }
    if ('unit' in inner) return [{ leaf: inner, ...at }]
    if (!('fields' in inner)) return []
    return leavesOf(inner.fields, at, isVerbatim || inner.verbatim === true)
  })
}

/** Values beyond the bounds of a setting, in the forms of files, journals and settings. */
function beyond(leaf: Leaf): readonly { readonly file: string; readonly journal: unknown; readonly config: unknown }[] {
  const same = (value: unknown): ReturnType<typeof beyond>[number] => ({
    file: JSON.stringify(value),
    journal: value,
    config: value,
  })
  switch (leaf.unit) {
    case 'flag':
      return [same(2)]
    case 'word':
    case 'pair':
    case 'base':
      return [same('nonsense')]
    case 'text': {
      const longer = leaf.max === undefined ? [] : [same('x'.repeat(leaf.max + 1))]
      const shorter = leaf.min === 1 ? [same('')] : []
      return [same(5), ...longer, ...shorter, ...(leaf.form === undefined ? [] : [same('a b')])]
    }
    case 'count':
    case 'micros':
      return [(leaf.min ?? 0) - 1, ...(leaf.max === undefined ? [] : [leaf.max + 1])].map((value) => ({
        file: leaf.unit === 'count' ? String(value) : `${value}us`,
        journal: value,
        config: value,
      }))
    case 'moment':
      return [{ file: 'soon', journal: 'soon', config: -1 }]
    case 'parts': {
      const { min = 0, max = Number.MAX_SAFE_INTEGER, scale } = leaf
      return [min - 1, max + 1].map((count) => ({
        file: formatScaled(BigInt(count), leaf.percent === true ? scale - 2 : scale),
        journal: leaf.counted === true ? count : formatScaled(BigInt(count), scale),
        config: count,
      }))
    }
    case 'money':
      return [-1n, leaf.max + 1n].map((value) => ({
        file: formatScaled(value, 9),
        journal: formatScaled(value, 9),
        config: value,
      }))
    case 'double':
      return [leaf.min - 1n, leaf.max * 10n].map((count) => {
        const text = formatScaled(count, leaf.scale)
        return { file: text, journal: Number(text), config: Number(text) }
      })
    case 'risk_limit':
      return [same(-2)]
  }
}

/** A copy of plain data with another value at a path. */
function withValue(data: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  if (Array.isArray(data)) return data.map((each, at) => (at === Number(key) ? withValue(each, rest, value) : each))
  // The head of a journal omits lists with the default value.
  if (data === undefined && key === '0') return [withValue(undefined, rest, value)]
  const record = data as { readonly [key: string]: unknown }
  return { ...record, [key]: withValue(record[key], rest, value) }
}

/** Files with a value in each list and for each key, and the resulting settings. */
function whole(): {
  readonly texts: { readonly [section: string]: string }
  readonly config: ExchangeConfig
} {
  const texts = {
    venue: `
  listed_futures: [BTC]
  listed_options: [BTC]
  funding_dampers: [{ from: '2019-01-01T00:00:00Z', rate: 0.0005 }]
  insurance_fund: { BTC: 1 }
  smiles: { btc_usd: { atm: 0.5, skew: 0, curvature: 0 } }
  portfolio_margin: { btc_usd: {} }
  haircuts: { BTC: 0 }
  engines: { btc_usd: main }
  risk_limits: { btc_usd: { max_future_position: 1 } }
  rate_limits: {}
  block_trades: { price_band: 0.2 }
  block_rfqs: { open_max: 4 }
  wallet: { fees: { BTC: 0 }, confirmation_time: 1s, completion_time: 1s, deposit_time: 1s }
  history_limits: { trades: 5, ended_orders: 5, settlements: 5, account_settlements: 5, prices: 5, candles: 5, transactions: 5, messages: 5 }`,
  }
  const parsed = parseScenario(fileOf(texts), 'settings.yaml')
  if (!parsed.ok) throw new Error(parsed.error.map(formatInputError).join('\n'))
  return { texts, config: parsed.value.config }
}

function casesOf(leaves: readonly PlacedLeaf[]): readonly (PlacedLeaf & {
  readonly given: ReturnType<typeof beyond>[number]
  readonly name: string
})[] {
  return leaves.flatMap((leaf) =>
    beyond(leaf.leaf).map((given) => ({
      ...leaf,
      given,
      name: `${leaf.config.join('.')} ${given.file}`,
    })),
  )
}

describe('a value beyond its bounds is refused', () => {
  const { config } = whole()
  const metrics = { ...usualTerms, riskFree: 0.1 }
  const head = encodeJournalHead({ ...headOf(config), metrics, record: recorded })
  const leaves = leavesOf(settings, { file: [], journal: ['config'], config: [] })
  const cases = casesOf(leaves)
  // Programs give the terms of a run in the calls that need them.
  const beside = [
    ...leavesOf(ofHead, { file: ['record'], journal: [], config: [] }),
    ...leavesOf(ofRecord, { file: ['record'], journal: ['record'], config: [] }),
  ]
  const all = [...cases, ...casesOf(beside)]
  const accounts = { file: ['accounts', 'ann'], journal: [], config: ['accounts', 'ann'] }
  const inFiles = [...all, ...casesOf(leavesOf(fileSettings['accounts.NAME'], accounts))]

  test('every setting has such values', () => {
    checkConfig(config)
    expect(new Set(cases.map(({ config: [first] }) => first))).toEqual(new Set(Object.keys(settings)))
    expect(cases.length).toBeGreaterThan(150)
  })

  test.each(inFiles.filter(({ file }) => file !== null))('in files: $name', ({ file, given }) => {
    const path = file ?? []
    const nested = path
      .toReversed()
      .reduce((text, key) => (key === '0' ? `[${text}]` : `{ ${JSON.stringify(key)}: ${text} }`), given.file)
    const parsed = parseScenario(`${fileOf({})}${nested.slice(2, -2)}\n`, 'settings.yaml')
    const paths = parsed.ok ? [] : parsed.error.map((mistake) => mistake.path)
    expect(paths).toContain(path.join('.'))
  })

  test.each(all)('in journals: $name', ({ journal, given }) => {
    const changed = withValue(head, journal, given.journal)
    const decoded = decodeJournal(`${JSON.stringify(changed)}\n`, 'journal.jsonl')
    expect(decoded).toMatchObject({ ok: false, error: [{ path: journal.join('.') }] })
  })

  test.each(cases)('in programs: $name', ({ config: path, given }) => {
    // The path leads to a setting.
    const changed = withValue(config, path, given.config) as ExchangeConfig
    expect(() => checkConfig(changed)).toThrow(`config.${path.join('.')}: expected `)
  })
})
