/**
 * Checks that the sections of a file fit together: catalogue instruments with valid fields, an index for each of them,
 * accounts with money, expectations about existing accounts, instruments and indices. It reports all mistakes. The
 * schema reports parts with the wrong shape.
 *
 * Accounts have unique names, money in existing currencies, positions in existing instruments, and main accounts that
 * are not subaccounts themselves. Faults have the fields of their kind, and name existing accounts, methods and indices.
 */
import { type PopulationSpec, populationSchema, populationSetup } from '../../../backtest/index.ts'
import {
  type DecimalInput,
  decimalTextOf,
  formatIsoTime,
  type Micros,
  micros,
  nearest,
  parseDuration,
} from '../../../core/index.ts'
import { ruleMistakes, type SaidRule } from '../../../faults/index.ts'
import { findMethod, methodNames } from '../../../gateways/index.ts'
import { type InstrumentSpec, overridableFields, overrideSpec, specFromName } from '../../../model/index.ts'
import {
  entriesOf,
  type Findings,
  itemsOf,
  type Located,
  type Mistake,
  meant,
  nodeAt,
  type Path,
  report,
  reportKey,
  textAt,
} from '../located.ts'
import type { Schedule } from '../schedule.ts'
import { type FaultShape, faultFormat, isMarketFault, type MarketFaultKind } from '../sections/faults.ts'
import { finalChecks } from './final-checks.ts'
import { checkMarket, fedIndices, indexSources } from './market-checks.ts'
import {
  checkAccountSettings,
  checkDecimal,
  checkFraction,
  checkSettings,
  isWrittenDecimal,
} from './settings-checks.ts'
import { checkInserted, checkSteps, type Known, unknownAccount } from './step-checks.ts'
import { instrumentNames, listedIndices, scheduledNames } from './venue-checks.ts'

const INDEX_NAME = /^[a-z0-9]+_[a-z0-9]+$/

/** Checks everything except shape and times. Returns the instruments in the order of the file. */
export function checkMeaning(findings: Findings, schedule: Schedule): readonly InstrumentSpec[] {
  const population = populationOf(findings)
  const specs = checkInstruments(findings, schedule.start)
  const indices = checkIndices(findings, population, specs)
  for (const [name, { spec, path }] of specs) {
    if (indices.has(spec.priceIndex)) continue
    const expected = `a price under index for ${spec.priceIndex}, the index of ${name}, or an index feed, or from: mid if its book is recorded`
    report(findings, path, {
      expected,
      found: 'none',
      ...meant(nearest(spec.priceIndex, indices)),
    })
  }
  for (const { index, what, path } of listedIndices(findings.root)) {
    if (indices.has(index)) continue
    const expected = `a price under index for ${index}, the index of ${what}`
    report(findings, path, { expected, found: 'none', ...meant(nearest(index, indices)) })
  }
  const scheduled = scheduledNames(findings.root, schedule)
  const traders = tradersOf(population)
  const known: Known = {
    accounts: checkAccounts(findings, traders, specs, scheduled),
    keys: keysOf(findings.root),
    instruments: instrumentNames(findings.root, specs.keys()),
    saved: new Set(),
  }
  if (population !== undefined && !known.instruments.has(population.instrument)) {
    reportInstrument(findings, ['population', 'instrument'], known)
  }
  checkMarket(findings, known)
  // Orders and expectations may name instruments that the schedule lists. Feeds and populations need instruments that
  // the file lists.
  for (const name of scheduled) {
    const listed = specs.get(name)
    if (listed !== undefined) {
      const expected = 'an instrument that venue.listed_futures does not already list'
      const hint = `remove ${name}, because steps can use it anyway; to change its fields, remove its pair from venue.listed_futures`
      report(findings, listed.path, { expected, hint })
    }
    known.instruments.add(name)
  }
  checkSteps(findings, known)
  checkExpectations(findings, known)
  const followed = followedIndices(findings, known, indices)
  checkSettings(findings, schedule, followed)
  checkFaults(findings, known, followed)
  checkExpectedIndices(findings, followed)
  return [...specs.values()].map(({ spec }) => spec)
}

/** The instrument of an item in the list: its name and the replaced fields. */
export function instrumentOfItem(
  item: Located,
): { readonly name: string; readonly fields: ReadonlyMap<string, DecimalInput | string> } | undefined {
  const name = typeof item.value === 'string' ? item.value : textAt(item, 'name')
  if (name === undefined) return undefined
  const fields = new Map<string, DecimalInput | string>()
  for (const [field, { node }] of entriesOf(item)) {
    if (field === 'name') continue
    if (typeof node.value === 'string') fields.set(field, node.value)
    else if (isWrittenDecimal(node.value)) fields.set(field, node.value)
  }
  return { name, fields }
}

interface PlacedSpec {
  readonly spec: InstrumentSpec
  readonly path: Path
}

function checkInstruments(findings: Findings, start: Micros): ReadonlyMap<string, PlacedSpec> {
  const specs = new Map<string, PlacedSpec>()
  itemsOf(nodeAt(findings.root, ['instruments'])).forEach((item, index) => {
    const instrument = instrumentOfItem(item)
    if (instrument === undefined) return
    const { name, fields } = instrument
    const path: Path = ['instruments', index]
    const namePath = item.kind === 'scalar' ? path : [...path, 'name']
    const named = specFromName(name, { creation: start })
    if (!named.ok) {
      report(findings, namePath, catalogueMistake(name, named.error))
      return
    }
    if (specs.has(name)) {
      report(findings, namePath, { expected: 'each instrument once', found: `a second ${name}` })
      return
    }
    if (named.value.expiration <= start) {
      const expected = `an instrument that expires after the start, ${formatIsoTime(start)}`
      report(findings, namePath, { expected, found: name })
    }
    const changed = overrideSpec(named.value, textsOf(fields))
    if (!changed.ok) {
      for (const { field, ...mistake } of changed.error) {
        // The schema reports a field that does not exist.
        if (overridableFields.some((known) => known === field)) {
          report(findings, [...path, field], mistake)
        }
      }
    }
    specs.set(name, { spec: changed.ok ? changed.value : named.value, path: namePath })
  })
  return specs
}

/** The mistake of a name that the catalogue lacks, with the name that was probably meant, or the catalogue's reason. */
function catalogueMistake(name: string, sentence: string): Mistake {
  const [base = ''] = name.split('-', 1)
  const candidates = [`${base}-PERPETUAL`, ...wellKnown].filter(
    (candidate) => specFromName(candidate, { creation: micros(0) }).ok,
  )
  const meantName = nearest(name, candidates)
  const hint = meantName === undefined ? { hint: sentence } : meant(meantName)
  return { expected: 'an instrument of the catalogue', ...hint }
}

const wellKnown = ['BTC', 'ETH'].flatMap((base) => [`${base}-PERPETUAL`, `${base}_USDC-PERPETUAL`, `${base}_USDC`])

/** Checks that indices have a value: a price, a recorded feed or a recorded book. */
function checkIndices(
  findings: Findings,
  population: PopulationSpec | undefined,
  specs: ReadonlyMap<string, PlacedSpec>,
): ReadonlySet<string> {
  const fed = fedIndices(findings.root, (instrument) => specs.get(instrument)?.spec.priceIndex)
  const names = new Set<string>(fed.index)
  for (const { name, price, path } of indexSources(findings.root)) {
    if (name === null) {
      for (const followed of fed.book) names.add(followed)
      if (fed.book.size === 0) {
        reportKey(findings, path, { expected: 'a book feed, whose mid price an index can follow' })
      }
      continue
    }
    if (!INDEX_NAME.test(name)) reportKey(findings, path, { expected: 'an index such as btc_usd' })
    const node = nodeAt(findings.root, path)
    if (price !== null && node !== undefined) checkDecimal(findings, path, node, 'price')
    if (fed.index.has(name)) {
      reportKey(findings, path, {
        expected: 'one source for each index; a feed already provides this one',
      })
    }
    if (price === null && !fed.book.has(name)) {
      const expected = `a book feed of an instrument with the index ${name}`
      reportKey(findings, path, { expected, found: 'none' })
    }
    names.add(name)
  }
  for (const { method, params } of population === undefined ? [] : populationSetup(population)) {
    if (method === 'sim/set_index') names.add(String(params['index_name']))
  }
  return names
}

/** The keys that the file declares, in the spelling of steps. */
function keysOf(root: Located): Set<string> {
  const found = new Set<string>()
  for (const name of entriesOf(nodeAt(root, ['accounts'])).keys()) {
    for (const key of entriesOf(nodeAt(root, ['accounts', name, 'keys'])).keys()) {
      found.add(`${name}/${key}`)
    }
  }
  return found
}

function checkExpectations(findings: Findings, known: Known): void {
  for (const name of entriesOf(nodeAt(findings.root, ['expect', 'accounts'])).keys()) {
    if (known.accounts.has(name)) continue
    reportKey(findings, ['expect', 'accounts', name], unknownAccount(name, known))
  }
  for (const name of entriesOf(nodeAt(findings.root, ['expect', 'instruments'])).keys()) {
    if (!known.instruments.has(name)) {
      reportInstrument(findings, ['expect', 'instruments', name], known)
    }
  }
  for (const { method, params, steps } of finalChecks(findings.root)) {
    const name = params['instrument_name']
    if (name !== undefined && steps[1] === 'accounts' && !known.instruments.has(String(name))) {
      reportInstrument(findings, steps, known)
    }
    const currency = findMethod(method)?.params.shape['currency']
    if (currency === undefined || currency.safeParse(params['currency']).success) continue
    const expected = knownCurrencies.get(method) ?? 'a currency that requests can use'
    reportKey(findings, steps, { expected })
  }
  checkInserted(findings, ['expect'], known)
}

/** The names of currencies in the methods that expectations use. */
const knownCurrencies: ReadonlyMap<string, string> = new Map([
  ['private/get_account_summary', 'a currency that the account summary supports'],
  ['private/get_settlement_history_by_currency', 'a currency with settlements'],
  ['public/get_last_settlements_by_currency', 'a currency with settlements'],
])

/** Indices that have a value, or that an instrument of the file or of a step follows. */
function followedIndices(findings: Findings, known: Known, given: ReadonlySet<string>): ReadonlySet<string> {
  const indices = new Set(given)
  for (const name of known.instruments) {
    const spec = specFromName(name, { creation: micros(0) })
    if (spec.ok) indices.add(spec.value.priceIndex)
  }
  for (const step of itemsOf(nodeAt(findings.root, ['steps']))) {
    const params = nodeAt(step, ['params'])
    const name = textAt(params, 'index_name') ?? textAt(params, 'price_index')
    if (name !== undefined && textAt(step, 'call')?.startsWith('sim/') === true) indices.add(name)
  }
  return indices
}

function checkExpectedIndices(findings: Findings, indices: ReadonlySet<string>): void {
  for (const name of entriesOf(nodeAt(findings.root, ['expect', 'index'])).keys()) {
    if (indices.has(name)) continue
    const expected = 'the index of an instrument of this file'
    reportKey(findings, ['expect', 'index', name], { expected, ...meant(nearest(name, indices)) })
  }
}

/** Reports an instrument that the file does not list. Its name is the key or the value at the path. */
function reportInstrument(findings: Findings, path: Path, known: Known): void {
  const value = nodeAt(findings.root, path)?.value
  const name = typeof value === 'string' ? value : String(path.at(-1))
  const mistake = {
    expected: 'an instrument of this file',
    ...meant(nearest(name, known.instruments)),
  }
  if (typeof value === 'string') report(findings, path, mistake)
  else reportKey(findings, path, mistake)
}

/** The population, if its shape is valid. */
function populationOf(findings: Findings): PopulationSpec | undefined {
  const node = nodeAt(findings.root, ['population'])
  if (node === undefined) return undefined
  const parsed = populationSchema.safeParse(node.value)
  return parsed.success ? parsed.data : undefined
}

/** The names of the accounts that a population opens. */
function tradersOf(population: PopulationSpec | undefined): readonly string[] {
  const setup = population === undefined ? [] : populationSetup(population)
  return setup.flatMap(({ method, params }) => (method === 'sim/create_account' ? [String(params['name'])] : []))
}

/** Fields of an instrument in the form for the catalogue. */
function textsOf(fields: ReadonlyMap<string, DecimalInput | string>): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const [field, value] of fields) {
    if (typeof value === 'string') texts[field] = value
    else texts[field] = typeof value === 'number' ? decimalTextOf(value) : value.decimal
  }
  return texts
}

/** Checks all accounts and returns their names, beginning with the traders of the population. */
function checkAccounts(
  findings: Findings,
  traders: readonly string[],
  instruments: ReadonlyMap<string, unknown>,
  /** Names of the futures that the schedule lists. */
  scheduled: ReadonlySet<string>,
): Set<string> {
  const names = new Set(traders)
  const accounts = entriesOf(nodeAt(findings.root, ['accounts']))
  for (const [name, { node }] of accounts) {
    const path = ['accounts', name]
    if (name.includes('.')) reportKey(findings, path, { expected: 'a name without dots' })
    if (names.has(name)) {
      reportKey(findings, path, { expected: 'a name that the population does not use' })
    }
    checkMain(findings, name, path)
    checkAccountSettings(findings, path)
    const factor = nodeAt(node, ['fee_factor'])
    if (factor !== undefined) {
      checkFraction(findings, [...path, 'fee_factor'], factor, 6)
    }
    for (const [currency, { node: amount }] of entriesOf(nodeAt(node, ['deposit']))) {
      checkDecimal(findings, [...path, 'deposit', currency], amount, 'money')
    }
    for (const [instrument, { node: position }] of entriesOf(nodeAt(node, ['positions']))) {
      const at = [...path, 'positions', instrument]
      if (!instruments.has(instrument)) {
        // The schedule lists its futures itself; they are not part of the set-up.
        const hint = scheduled.has(instrument)
          ? {
              hint: 'for an instrument from venue.listed_futures, use sim/give_position in a step at 0s',
            }
          : meant(nearest(instrument, instruments.keys()))
        reportKey(findings, at, { expected: 'an instrument of this file', ...hint })
      }
      checkPosition(findings, position, at)
    }
    names.add(name)
  }
  return names
}

/** Checks that the main account of a subaccount is in the file, before or after its subaccounts. */
function checkMain(findings: Findings, name: string, path: Path): void {
  const accounts = entriesOf(nodeAt(findings.root, ['accounts']))
  const main = textAt(accounts.get(name)?.node, 'main')
  if (main === undefined) return
  if (nodeAt(findings.root, [...path, 'member']) !== undefined) {
    reportKey(findings, [...path, 'member'], { expected: 'this key only in a main account' })
  }
  const others = [...accounts.keys()].filter((other) => other !== name)
  if (!others.includes(main)) {
    const mistake = { expected: 'another account of this file' }
    report(findings, [...path, 'main'], { ...mistake, ...meant(nearest(main, others)) })
  } else if (textAt(accounts.get(main)?.node, 'main') !== undefined) {
    report(findings, [...path, 'main'], { expected: 'an account that is not a subaccount' })
  }
}

function checkPosition(findings: Findings, position: Located, path: Path): void {
  for (const [key, sort] of [
    ['amount', 'size'],
    ['price', 'price'],
  ] as const) {
    const part = nodeAt(position, [key])
    if (part !== undefined) checkDecimal(findings, [...path, key], part, sort)
  }
}

/** Checks all faults. The schema reports mistakes in their shape. */
export function checkFaults(findings: Findings, known: Known, indices: ReadonlySet<string>): void {
  for (const [at, node] of itemsOf(nodeAt(findings.root, ['faults'])).entries()) {
    const path: Path = ['faults', at]
    const account = textAt(node, 'account')
    if (account !== undefined && !known.accounts.has(account)) {
      report(findings, [...path, 'account'], unknownAccount(account, known))
    }
    const index = textAt(node, 'index')
    if (index !== undefined && !indices.has(index)) {
      const expected = 'the index of an instrument of this file'
      report(findings, [...path, 'index'], { expected, ...meant(nearest(index, indices)) })
    }
    const shape = faultFormat.safeParse(node.value)
    if (!shape.success) continue
    const { kind } = shape.data
    if (isMarketFault(kind)) checkMarketFault(findings, path, kind, node, shape.data)
    else checkRule(findings, path, { ...shape.data, kind })
  }
}

function checkRule(findings: Findings, path: Path, said: SaidRule & Pick<FaultShape, 'index' | 'gateway'>): void {
  for (const field of ['index', 'gateway'] as const) {
    if (said[field] !== undefined) reportNotTaken(findings, path, said.kind, field)
  }
  for (const { field, index, expected, meant: name } of ruleMistakes(said, methodNames)) {
    const place: Path = index === undefined ? [...path, field] : [...path, field, index]
    if (expected.startsWith('no ')) reportKey(findings, place, { expected })
    else report(findings, place, { expected, ...meant(name) })
  }
}

type Field = Exclude<keyof FaultShape, 'kind'>

/** Fields of faults of the market, and the expected content of required ones. */
const fieldsOf: {
  readonly [K in MarketFaultKind]: { readonly [F in Field]?: string | null }
} = {
  maintenance: { from: null, until: null },
  index_outage: { index: 'an index such as btc_usd', from: null, until: null },
  gateway_outage: { gateway: 'a gateway such as ETH_A', from: null, until: null },
  clock_jump: { by: 'the length of the jump, such as 10m', from: null },
}

function checkMarketFault(
  findings: Findings,
  path: Path,
  kind: MarketFaultKind,
  node: Located,
  said: FaultShape,
): void {
  const fields = fieldsOf[kind]
  for (const field of entriesOf(node).keys()) {
    if (field !== 'kind' && !Object.hasOwn(fields, field)) {
      reportNotTaken(findings, path, kind, field)
    }
  }
  for (const [field, expected] of Object.entries(fields)) {
    const isGiven = entriesOf(node).has(field)
    if (expected !== null && !isGiven) report(findings, [...path, field], { expected })
  }
  if (kind !== 'clock_jump') return
  if (said.by !== undefined) {
    const by = parseDuration(said.by)
    if (!by.ok) report(findings, [...path, 'by'], { expected: by.error.expected })
    else if (by.value < 1) report(findings, [...path, 'by'], { expected: 'a duration above 0' })
  }
  if (itemsOf(nodeAt(findings.root, ['feeds'])).length > 0) {
    const expected = 'no clock_jump in a run with feeds, because their rows set the clock'
    report(findings, [...path, 'kind'], { expected })
  }
}

function reportNotTaken(findings: Findings, path: Path, kind: string, field: string): void {
  reportKey(findings, [...path, field], { expected: `no ${field} in a fault of kind ${kind}` })
}
