/**
 * Compares the metrics of two or more run folders, and lists the settings by which the runs differ.
 *
 * The comparison first checks each folder against its manifest, as `diff` does. It matches figures by account,
 * currency, instrument, metric and label; a run without a figure has null there. If several runs are trials of one
 * idea, their best Sharpe ratio is partly luck; the deflated ratio corrects for the number of trials.
 */

import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { err, type InputError, ok, type Result } from '../../core/index.ts'
import { deflatedSharpeOf, tableSchemas } from '../../results/index.ts'
import type { FileRow } from '../arrow-file.ts'
import { folderFaults, journalName, type Manifest, type ManifestMetrics, readManifest } from '../manifest.ts'
import { readTable } from '../run-folder.ts'
import { type RunFault, runFault } from './run-fault.ts'

/** A run of a comparison. */
export interface ComparedRun {
  readonly run: string
  readonly title: string
  readonly digest: string
  readonly from: string
  readonly until: string
  /** How its metrics were computed. */
  readonly metrics: ManifestMetrics
}

/**
 * A figure of all runs in their order; null for a run without a value, whose reason has the same index in the list of
 * reasons.
 */
export interface ComparedFigure {
  readonly account: string
  readonly currency: string | null
  readonly instrument: string | null
  readonly metric: string
  readonly label: string | null
  readonly unit: string
  readonly values: readonly (number | null)[]
  readonly reasons: readonly (string | null)[]
}

/** The probability that the best Sharpe ratio of all runs exceeds the best one of as many trials without skill. */
export interface DeflatedSharpe {
  readonly account: string
  readonly currency: string
  /** The run with the best ratio. */
  readonly best: string
  readonly trials: number
  readonly value: number | null
  readonly reason: string | null
}

/** The result of a comparison. */
export interface MetricsComparison {
  readonly runs: readonly ComparedRun[]
  /** Settings, recorded files, strategies, seeds and versions by which the runs differ. */
  readonly differences: readonly ComparedSetting[]
  /** True if all runs computed their metrics alike; otherwise their figures are not comparable. */
  readonly is_alike: boolean
  /** Names of the most important metrics, money first. */
  readonly leading: readonly string[]
  readonly figures: readonly ComparedFigure[]
  readonly deflated: readonly DeflatedSharpe[]
}

type SettingValue = string | number | boolean | null

/** A setting by which runs differ. */
export interface ComparedSetting {
  /** Path of the setting: `strategies.0.params.half_spread`, `seed`, `config.price_bands`. */
  readonly setting: string
  /** Value in each run, in the order of the runs; null for a run without the setting. */
  readonly values: readonly SettingValue[]
}

type Settings = Map<string, SettingValue>

/** Metrics that the command and reports of several runs show first, money before the others. */
const leadingMetrics: readonly string[] = [
  'profit_total',
  'profit_price',
  'profit_funding',
  'profit_fees',
  'net_profit',
  'total_return',
  'cagr',
  'volatility',
  'sharpe',
  'sortino',
  'max_drawdown_intraperiod',
  'calmar',
  'turnover',
  'fills',
  'maker_share',
  'return_over_turnover',
  'fee_rate',
  'win_rate_trades',
  'profit_factor',
  'exposure',
  'leverage_max',
  'maintenance_margin_use_max',
  'liquidations',
  'markout_maker_5s',
  'markout_taker_5s',
  'shortfall',
  'time_to_fill_p50',
  'orders_placed',
  'fill_ratio',
  'order_to_trade',
]

const TABLE = 'metrics'

const keyColumns = ['account', 'currency', 'instrument', 'metric', 'label'] as const

/** Reads and compares the metrics of run folders. The fault has the mistakes in the folders. */
export async function compareRuns(folders: readonly string[]): Promise<Result<MetricsComparison, RunFault>> {
  const opened: OpenedRun[] = []
  const faults: InputError[] = []
  for (const folder of folders) {
    const run = openRun(folder)
    if (run.ok) opened.push(run.value)
    else faults.push(...run.error)
  }
  if (faults.length > 0) return err(runFault('input', ...faults))
  const figures = new Map<string, MutableFigure>()
  for (const [at, folder] of folders.entries()) {
    const added = await addFigures(figures, folder, at, folders.length)
    if (!added.ok) return err(runFault('input', added.error))
  }
  const found = [...figures.values()]
  const runs = opened.map(({ run }) => run)
  return ok({
    runs,
    differences: differingSettings(opened),
    leading: leadingMetrics,
    is_alike: runs.every(({ metrics }) => isAlike(metrics, runs[0]?.metrics ?? metrics)),
    figures: found,
    deflated: deflatedOf(found, runs),
  })
}

interface MutableFigure extends ComparedFigure {
  readonly values: (number | null)[]
  readonly reasons: (string | null)[]
}

interface OpenedRun {
  readonly folder: string
  readonly manifest: Manifest
  readonly run: ComparedRun
}

function openRun(folder: string): Result<OpenedRun, readonly InputError[]> {
  const read = readManifest(folder)
  if (!read.ok) return err([read.error])
  const manifest = read.value
  const faults = [...folderFaults(folder, manifest), ...versionFaults(folder, manifest)]
  if (faults.length > 0) return err(faults)
  if (manifest.metrics === undefined) return err(versionFaults(folder, manifest))
  const run = {
    run: folder,
    title: manifest.scenario.title,
    digest: manifest.digest,
    from: manifest.from,
    until: manifest.to,
    metrics: manifest.metrics,
  }
  return ok({ folder, manifest, run })
}

/** Reasons why the metrics of a sound folder cannot be compared. */
function versionFaults(file: string, manifest: Manifest): readonly InputError[] {
  if (manifest.status !== 'complete') {
    return [{ code: 'RUN_FOLDER', file, expected: 'a complete run', found: 'an interrupted run' }]
  }
  const entry = manifest.tables.find(({ name }) => name === TABLE)
  if (entry === undefined || manifest.metrics === undefined) {
    const found = `a run of pitclock ${manifest.engine.version} without metrics`
    const hint = 'run its journal.jsonl again with --out'
    return [{ code: 'RUN_FOLDER', file, expected: 'a run with the metrics table', found, hint }]
  }
  const { version } = tableSchemas.metrics
  if (entry.schema_version === version) return []
  const found = `version ${entry.schema_version}`
  return [{ code: 'RUN_FOLDER', file, path: TABLE, expected: `version ${version} of the table`, found }]
}

async function addFigures(
  figures: Map<string, MutableFigure>,
  folder: string,
  at: number,
  of: number,
): Promise<Result<null, InputError>> {
  const table = await readTable(folder, TABLE)
  if (!table.ok) return table
  try {
    for await (const batch of table.value.batches()) {
      for (const row of batch) addFigure(figures, row, at, of)
    }
    return ok(null)
  } finally {
    await table.value.close()
  }
}

function addFigure(figures: Map<string, MutableFigure>, row: FileRow, at: number, of: number): void {
  const key = JSON.stringify(keyColumns.map((name) => row[name] ?? null))
  const known = figures.get(key)
  const figure = known ?? {
    account: String(row['account']),
    currency: textOf(row, 'currency'),
    instrument: textOf(row, 'instrument'),
    metric: String(row['metric']),
    label: textOf(row, 'label'),
    unit: String(row['unit']),
    values: Array.from({ length: of }, () => null),
    reasons: Array.from({ length: of }, () => null),
  }
  if (known === undefined) figures.set(key, figure)
  const value = row['value'] ?? null
  figure.values[at] = value === null ? null : Number(value)
  figure.reasons[at] = textOf(row, 'reason')
}

function textOf(row: FileRow, name: string): string | null {
  const cell = row[name] ?? null
  return cell === null ? null : String(cell)
}

function isAlike(one: ManifestMetrics, other: ManifestMetrics): boolean {
  return (
    one.every === other.every &&
    one.periods_per_year === other.periods_per_year &&
    one.risk_free === other.risk_free &&
    one.benchmark === other.benchmark
  )
}

/** Deflated ratios for each account and currency with at least two Sharpe ratios, if all runs computed them alike. */
function deflatedOf(figures: readonly ComparedFigure[], runs: readonly ComparedRun[]): readonly DeflatedSharpe[] {
  const [first] = runs
  if (first === undefined || runs.some(({ metrics }) => !isAlike(metrics, first.metrics))) return []
  const periodsPerYear = first.metrics.periods_per_year
  return figures.flatMap(({ account, currency, metric, values }) => {
    const sharpes = values.filter((value) => value !== null)
    if (metric !== 'sharpe' || currency === null || sharpes.length < 2) return []
    const best = values.indexOf(Math.max(...sharpes))
    const of = (name: string): number | null =>
      figures.find((one) => one.account === account && one.currency === currency && one.metric === name)?.values[
        best
      ] ?? null
    const figure = deflatedSharpeOf({
      sharpes,
      best: values[best] ?? 0,
      periodsPerYear,
      periods: of('periods'),
      skew: of('skew'),
      excessKurtosis: of('excess_kurtosis'),
    })
    const isValue = typeof figure === 'number'
    return [
      {
        account,
        currency,
        best: runs[best]?.run ?? '',
        trials: sharpes.length,
        value: isValue ? figure : null,
        reason: isValue ? null : figure,
      },
    ]
  })
}

/**
 * Settings by which runs differ. They come from the manifests and the heads of the journals: versions, seeds, recorded
 * files, strategies, settings of the exchange, and values that were set from outside.
 *
 * A setting is named by its path in the scenario if it occurs there (`seed`, `strategies.0.params.half_spread`),
 * otherwise by its path in the manifest or in the head of the journal (`config.price_bands`). Heads are compared only
 * if every run kept its journal. The terms of metrics and the format of tables are not compared.
 */

const CHUNK_BYTES = 1 << 16

/** A head is far shorter than this. A file whose first line is longer is not a journal. */
const HEAD_BYTES_MAX = 1 << 26

/** A run folder and its manifest. */
interface RunToCompare {
  readonly folder: string
  readonly manifest: Manifest
}

/** Settings by which runs differ, in the order of their first occurrence. The caller has checked the folders. */
function differingSettings(runs: readonly RunToCompare[]): readonly ComparedSetting[] {
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
    const configKey = key.replace(/^venue\./, 'config.')
    const isListed = [...settings.keys()].some((path) => `${path}.`.startsWith(`${configKey}.`))
    if (!isListed) settings.set(key, text.slice(end + 1))
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
