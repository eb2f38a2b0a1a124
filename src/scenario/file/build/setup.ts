/**
 * Builds the set-up of a run as requests: instruments, indices, accounts with their settings, money and positions, the
 * population. These requests come at the start, before everything else, so that a replay of the journal needs nothing
 * else.
 */

import { populationSetup } from '../../../backtest/index.ts'
import { assert } from '../../../core/index.ts'
import {
  type ExchangeConfig,
  type Fields,
  type InstrumentSpec,
  keySettings,
  type QueueModel,
  readSettings,
} from '../../../model/index.ts'
import type { RequestParams } from '../../../rpc/index.ts'
import { type RunTerms, recordedSettings, runTermsOf } from '../../run-terms.ts'
import type { SetupRequest } from '../../scenario.ts'
import { fedIndices, indexSources, kindOfFeed } from '../checks/market-checks.ts'
import { instrumentOfItem } from '../checks/meaning.ts'
import type { ScenarioShape } from '../format.ts'
import { entriesOf, itemsOf, type Located, nodeAt, type Path, textAt } from '../located.ts'
import type { Schedule } from '../schedule.ts'
import { type Section, settingSections, settingsIn } from '../sections/settings.ts'

/** A valid file, with facts that the checks have collected. */

/** A file without mistakes. */
export interface Sound {
  readonly file: string
  readonly root: Located
  readonly shape: ScenarioShape
  readonly schedule: Schedule
  /** Instruments in the order of the file. */
  readonly specs: readonly InstrumentSpec[]
}

/**
 * The requests of the set-up. A population's index is set together with the others, because positions are valued at it.
 */
export function setupOf(sound: Sound): readonly SetupRequest[] {
  const { root, shape } = sound
  const population = shape.population === undefined ? [] : populationSetup(shape.population)
  const traders = population.map((request) => requestOf(root, ['population'], request.method, request.params))
  return [
    ...listings(root, shape),
    ...indexSetup(sound),
    ...traders.filter(({ method }) => method === 'sim/set_index'),
    ...accountsMainFirst(root).flatMap((account) => accountSetup(root, account)),
    // Roles come after all accounts, because an account may name another one as its broker.
    ...accountsMainFirst(root).flatMap((account) => sectionSetup(root, account, 'block_rfq', 'sim/set_block_rfq_role')),
    ...traders.filter(({ method }) => method !== 'sim/set_index'),
  ]
}

function listings(root: Located, shape: ScenarioShape): readonly SetupRequest[] {
  const queues = new Map<string, QueueModel>()
  for (const { format, columns, instrument, queue } of shape.feeds ?? []) {
    if (kindOfFeed(format, columns) === 'index') continue
    queues.set(instrument, queue ?? queues.get(instrument) ?? 'risk_averse')
  }
  return itemsOf(nodeAt(root, ['instruments'])).flatMap((item, index) => {
    const instrument = instrumentOfItem(item)
    if (instrument === undefined) return []
    const queue = queues.get(instrument.name)
    const params = {
      instrument_name: instrument.name,
      ...Object.fromEntries(instrument.fields),
      ...(queue === undefined ? {} : { queue }),
    }
    return [requestOf(root, ['instruments', index], 'sim/list_instrument', params)]
  })
}

/** Requests that set indices with a price, and indices that follow a recorded mid price. */
function indexSetup({ root, shape, specs }: Sound): readonly SetupRequest[] {
  // An index with a recorded feed follows no book.
  const fed = fedIndices(root, (name) => specs.find((spec) => spec.name === name)?.priceIndex)
  const sources = indexSources(root)
  // A source given for one index overrides the source for all indices.
  const named = new Set(sources.map(({ name }) => name))
  return sources.flatMap(({ name, price, path }) => {
    if (price !== null) {
      const params = { index_name: name, price }
      return [requestOf(root, path, 'sim/set_index', params)]
    }
    return bookIndices(shape, specs)
      .filter(({ index }) => (name === null ? !fed.index.has(index) && !named.has(index) : index === name))
      .map(({ index, instrument }) => {
        const params = { index_name: index, from: 'mid', instrument_name: instrument }
        return requestOf(root, path, 'sim/set_index', params)
      })
  })
}

/** The indices of instruments with a recorded book, each with the first such instrument. */
function bookIndices(
  { feeds = [] }: ScenarioShape,
  specs: readonly InstrumentSpec[],
): readonly { readonly index: string; readonly instrument: string }[] {
  const found = new Map<string, string>()
  for (const { name, priceIndex } of specs) {
    const hasBook = feeds.some(
      ({ format, columns, instrument }) => instrument === name && kindOfFeed(format, columns) === 'book',
    )
    if (hasBook && !found.has(priceIndex)) found.set(priceIndex, name)
  }
  return [...found].map(([index, instrument]) => ({ index, instrument }))
}

/** Names of accounts in the order of the file, except that a main account comes before its subaccounts. */
function accountsMainFirst(root: Located): readonly string[] {
  const names = new Set<string>()
  for (const { key, node } of entriesAt(root, ['accounts'])) {
    const main = textAt(node, 'main')
    if (main !== undefined) names.add(main)
    names.add(key)
  }
  return [...names]
}

function accountSetup(root: Located, account: string): readonly SetupRequest[] {
  const path: Path = ['accounts', account]
  const main = textAt(nodeAt(root, path), 'main')
  const factor = nodeAt(root, [...path, 'fee_factor'])?.value
  const model = textAt(nodeAt(root, path), 'margin_model')
  const params = {
    name: account,
    ...(main === undefined ? {} : { main }),
    ...(factor === undefined ? {} : { fee_factor: factor }),
    ...(model === undefined ? {} : { margin_model: model }),
  }
  const deposits = entriesAt(root, [...path, 'deposit']).map(({ key, node, path: at }) =>
    requestOf(root, at, 'sim/deposit', { account, currency: key, amount: node.value }),
  )
  const positions = entriesAt(root, [...path, 'positions']).map(({ key, node, path: at }) =>
    requestOf(root, at, 'sim/give_position', {
      account,
      instrument_name: key,
      amount: nodeAt(node, ['amount'])?.value,
      price: nodeAt(node, ['price'])?.value,
    }),
  )
  return [
    requestOf(root, path, 'sim/create_account', params),
    ...permissionSetup(root, account),
    ...keySetup(root, account),
    ...walletSetup(root, account),
    ...sectionSetup(root, account, 'profile', 'sim/set_profile'),
    ...selfTradingSetup(root, account),
    ...deposits,
    ...positions,
    ...participantSetup(root, account),
  ]
}

function permissionSetup(root: Located, account: string): readonly SetupRequest[] {
  const path: Path = ['accounts', account]
  const given = ['member', 'mmp', 'mass_quotes'].flatMap((name) => {
    const value = nodeAt(root, [...path, name])?.value
    return value === undefined ? [] : [[name, value] as const]
  })
  if (given.length === 0) return []
  const params = { account, ...Object.fromEntries(given) }
  return [requestOf(root, path, 'sim/set_permissions', params)]
}

function keySetup(root: Located, account: string): readonly SetupRequest[] {
  const path: Path = ['accounts', account, 'keys']
  return [...entriesOf(nodeAt(root, path))].map(([name]) => {
    const given = Object.values(keySettings).flatMap(({ key }) => {
      const value = nodeAt(root, [...path, name, key])?.value
      return value === undefined ? [] : [[key, value] as const]
    })
    const params = { account, name, ...Object.fromEntries(given) }
    return requestOf(root, [...path, name], 'sim/create_key', params)
  })
}

function walletSetup(root: Located, account: string): readonly SetupRequest[] {
  const path: Path = ['accounts', account, 'wallet']
  const type = textAt(nodeAt(root, ['accounts', account]), 'wallet')
  if (type === undefined) return []
  return [requestOf(root, path, 'sim/set_wallet_type', { account, type })]
}

/** The request that sets all given entries of a section of an account. */
function sectionSetup(root: Located, account: string, section: string, method: string): readonly SetupRequest[] {
  const path: Path = ['accounts', account, section]
  const given = [...entriesOf(nodeAt(root, path))].map(([name, { node }]) => [name, node.value])
  if (given.length === 0) return []
  return [requestOf(root, path, method, { account, ...Object.fromEntries(given) })]
}

/** The request comes from the account itself, because the venue has no other way. */
function selfTradingSetup(root: Located, account: string): readonly SetupRequest[] {
  const path: Path = ['accounts', account, 'self_trading']
  const node = nodeAt(root, path)
  if (node === undefined) return []
  const prevention = nodeAt(node, ['block_rfq_self_match_prevention'])?.value
  const params = {
    mode: nodeAt(node, ['mode'])?.value,
    extended_to_subaccounts: nodeAt(node, ['extended_to_subaccounts'])?.value ?? false,
    ...(prevention === undefined ? {} : { block_rfq_self_match_prevention: prevention }),
  }
  return [requestOf(root, path, 'private/set_self_trading_config', params, account)]
}

/** `true` means the default limits. */
function participantSetup(root: Located, account: string): readonly SetupRequest[] {
  const path: Path = ['accounts', account, 'lsp']
  const node = nodeAt(root, path)
  if (node === undefined) return []
  const limits = nodeAt(node, ['group_limits'])?.value
  const params = { account, ...(limits === undefined ? {} : { group_limits: limits }) }
  return [requestOf(root, path, 'sim/set_lsp_participant', params)]
}

function entriesAt(
  root: Located,
  path: Path,
): readonly { readonly key: string; readonly node: Located; readonly path: Path }[] {
  return [...entriesOf(nodeAt(root, path))].map(([key, { node }]) => ({
    key,
    node,
    path: [...path, key],
  }))
}

function requestOf(
  root: Located,
  path: Path,
  method: string,
  params: RequestParams,
  account: string | null = null,
): SetupRequest {
  return { account, method, params, path: path.join('.'), place: (nodeAt(root, path) ?? root).place }
}

/** Builds the settings of the exchange of a valid file, and the terms of recording. */

/** The settings of the exchange. Settings that the file omits have the venue's values. */
export function exchangeConfigOf(sound: Sound): ExchangeConfig {
  const { start } = sound.schedule
  const parts = settingSections.map((section) => valuesOf(sound, section, settingsIn(section)))
  // The declarations are the ones of the configuration, so the values have its type.
  return Object.assign({ start }, ...parts) as ExchangeConfig
}

/** Terms of the run: tables that are written only on request, and how its metrics are computed. */
export function runTerms(sound: Sound): RunTerms {
  // The declarations are the ones of the terms, so the values have their type.
  const values = valuesOf(sound, 'record', recordedSettings) as unknown
  return runTermsOf(values as Parameters<typeof runTermsOf>[0])
}

/** The settings of a section. The checks have already reported mistakes in them. */
function valuesOf(
  { root, schedule: { start } }: Sound,
  section: Section,
  fields: Fields,
): { readonly [field: string]: unknown } {
  const given = nodeAt(root, [section])?.value
  const reading = { place: 'file', start, path: [section] } as const
  const { values, faults } = readSettings(fields, given, reading)
  assert(faults.length === 0, 'an invalid setting has been reported')
  return values
}
