/**
 * Settings by which runs differ. They come from the manifests and the heads of the journals: versions, seeds, recorded
 * files, strategies, settings of the exchange, and values that were set from outside.
 *
 * A setting is named by its path in the scenario if it occurs there (`seed`, `strategies.0.params.half_spread`),
 * otherwise by its path in the manifest or in the head of the journal (`config.price_bands`). Heads are compared only
 * if every run kept its journal. The terms of metrics and the format of tables are not compared.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { journalName, type Manifest } from '../manifest.ts'

type SettingValue = string | number | boolean | null

/** A setting by which runs differ. */
export interface ComparedSetting {
  /** Path of the setting: `strategies.0.params.half_spread`, `seed`, `config.price_bands`. */
  readonly setting: string
  /** Value in each run, in the order of the runs; null for a run without the setting. */
  readonly values: readonly SettingValue[]
}

type Settings = Map<string, SettingValue>

const CHUNK_BYTES = 1 << 16
/** A head is far shorter than this. A file whose first line is longer is not a journal. */
const HEAD_BYTES_MAX = 1 << 26

/** Settings by which runs differ, in the order of their first occurrence. The caller has checked the folders. */
export function differingSettings(
  runs: readonly { readonly folder: string; readonly manifest: Manifest }[],
): readonly ComparedSetting[] {
  const heads = runs.map(({ folder, manifest }) =>
    manifest.files.some(({ name }) => name === journalName) ? headOf(join(folder, journalName)) : null,
  )
  const isWithHeads = heads.every((head) => head !== null)
  const all = runs.map(({ manifest }, at) => settingsOf(manifest, isWithHeads ? (heads[at] ?? null) : null))
  const names = new Set(all.flatMap((settings) => [...settings.keys()]))
  return [...names].flatMap((setting) => {
    const values = all.map((settings) => settings.get(setting) ?? null)
    return values.every((value) => value === values[0]) ? [] : [{ setting, values }]
  })
}

function settingsOf(
  { engine, made_by, seed, scenario, feeds, strategies, from, to }: Manifest,
  head: object | null,
): Settings {
  const settings: Settings = new Map()
  add(settings, 'engine.version', engine.version)
  add(settings, 'made_by.node', made_by.node)
  add(settings, 'scenario.title', scenario.title)
  add(settings, 'scenario.sha256', scenario.sha256)
  add(settings, 'seed', seed)
  add(settings, 'from', from)
  add(settings, 'to', to)
  for (const [at, { sources, ...strategy }] of strategies.entries()) {
    add(settings, `strategies.${at}`, strategy)
    for (const { file, sha256 } of sources) {
      add(settings, `strategies.${at}.sources.${file}`, sha256)
    }
  }
  if (head === null) add(settings, 'feeds', feeds)
  else for (const part of headParts) add(settings, part, Reflect.get(head, part))
  // Settings without a field above: deposits, latencies, terms of accounts.
  for (const text of scenario.set ?? []) {
    const end = text.indexOf('=')
    const key = text.slice(0, end)
    const told = key.replace(/^venue\./, 'config.')
    const isTold = [...settings.keys()].some((path) => `${path}.`.startsWith(`${told}.`))
    if (!isTold) settings.set(key, text.slice(end + 1))
  }
  return settings
}

const headParts = ['config', 'equity_micros', 'record', 'feeds'] as const

/** Adds the leaves of a value by their paths; an empty value has no leaves. */
function add(settings: Settings, path: string, value: unknown): void {
  if (value === undefined) return
  if (typeof value === 'object' && value !== null) {
    for (const [key, part] of Object.entries(value)) add(settings, `${path}.${key}`, part)
  } else if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    settings.set(path, value)
  }
}

/** The first line of a journal, or null if it is not an object. */
function headOf(path: string): object | null {
  const descriptor = openSync(path, 'r')
  try {
    const chunks: Uint8Array[] = []
    for (let bytes = 0; bytes < HEAD_BYTES_MAX; ) {
      const chunk = new Uint8Array(CHUNK_BYTES)
      const length = readSync(descriptor, chunk)
      const end = chunk.subarray(0, length).indexOf(10)
      chunks.push(chunk.subarray(0, end < 0 ? length : end))
      bytes += length
      if (end >= 0 || length === 0) break
    }
    const value: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
    return typeof value === 'object' ? value : null
  } finally {
    closeSync(descriptor)
  }
}
