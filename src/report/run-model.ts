/**
 * A run folder in the form of its report: lines, lists and receipt, with warnings and notes about faults and omissions.
 */
import { formatInputError, parseDuration, parseIsoTime } from '../core/index.ts'
import type { Manifest, ReadableRun } from '../host/index.ts'
import { durationText } from '../results/index.ts'
import type { Account, Line, Market, Receipt, Run } from './payload.ts'
import type { AccountCurve } from './read/account-curve.ts'
import {
  type AccountGrids,
  countGrid,
  type Figures,
  GridBuilder,
  readFigures,
  readGrids,
  readQuality,
} from './read/grids.ts'
import type { PeriodTerms } from './read/growth.ts'
import type { LineSpan } from './read/line-builder.ts'
import { type RunLines, readLines } from './read/run-lines.ts'
import { type AccountRow, readStanding } from './read/standing.ts'

/** Maximum number of drawn accounts, those with the most fills. */
const ACCOUNTS_MAX = 12
/** Maximum number of points in all lines of a report together. */
const POINTS_MAX = 1_200_000
/** Fewer points would look coarse on any screen. */
const LINE_POINTS_MIN = 1_000
/** Approximate number of lines of one account: equity and the like, and the lines of two instruments. */
const LINES_OF_ACCOUNT = 20
/** Maximum number of returns in a line. If there are more, several periods are joined. */
const RETURNS_MAX = 100_000
const MICROS = 1e6
/**
 * Computed equity may differ from a sample by this fraction without a warning, because funding may not have been paid
 * yet.
 */
const DRIFT_MAX = 0.001

/** Limits for the size of a run in its report. */
interface ModelTerms {
  /** Maximum number of points in a line. */
  readonly points: number
  /** Number of runs in the report. */
  readonly runs: number
}

/** Reads a run for its report. */
export async function readRun(run: ReadableRun, terms: ModelTerms): Promise<Run> {
  const { manifest } = run
  const standing = await readStanding(run)
  const figures = await readFigures(run)
  const [from, until] = [secondsOf(manifest.from), secondsOf(manifest.to)]
  const owners = [...standing.accounts.values()].filter(({ house }) => !house)
  const drawn = mostActive(owners, figures)
  const lines = Math.max(1, drawn.length) * LINES_OF_ACCOUNT * terms.runs
  const share = Math.max(LINE_POINTS_MIN, Math.floor(POINTS_MAX / lines))
  const span: LineSpan = { from, until, limit: Math.min(terms.points, share) }
  const periods = periodsOf(manifest, span)
  const ids = new Set(drawn.map(({ id }) => id))
  const read = await readLines(run, { standing, drawn: ids, span, periods })
  const grids = await readGrids(run)
  const { quality, faults } = await readQuality(run)
  const benchmark = manifest.metrics?.benchmark ?? null
  const named = read.indices.has(benchmark ?? '') ? benchmark : null
  const accounts = read.accounts.map((curve) => accountOf(curve, until, named, figures, grids.of(curve.account.name)))
  const shown = {
    accounts,
    markets: marketsOf(read, until),
    indices: [...read.indices].map(([name, line]) => ({ name, line: line.finish(until) })),
  }
  return {
    name: run.name,
    title: manifest.scenario.title,
    from,
    until,
    requests: manifest.requests,
    events: manifest.events,
    warnings: [
      ...warningsOf(run),
      ...standing.faults,
      ...new Set([...figures.faults, ...read.faults, ...grids.faults, ...faults]),
      ...driftOf(accounts),
    ],
    notes: [...leftOut(owners, drawn, read), ...thinned(shown, span)],
    conventions: figures.conventions,
    receipt: receiptOf(manifest),
    ...shown,
    quality,
    currencies: currenciesOf(accounts),
  }
}

/** The accounts with the most fills, in the order in which they were opened. */
function mostActive(owners: readonly AccountRow[], { byAccount }: Figures): readonly AccountRow[] {
  const fills = (name: string): number =>
    (byAccount.get(name) ?? [])
      .filter(({ metric }) => metric === 'fills')
      .reduce((sum, { value }) => sum + (value ?? 0), 0)
  const ranked = owners.map((account, at) => ({ account, at, fills: fills(account.name) }))
  ranked.sort((left, right) => right.fills - left.fills || left.at - right.at)
  return ranked
    .slice(0, ACCOUNTS_MAX)
    .sort((left, right) => left.at - right.at)
    .map(({ account }) => account)
}

function periodsOf(manifest: Manifest, { from, until }: LineSpan): PeriodTerms {
  const every = durationOf(manifest.metrics?.every ?? '1d')
  const micros = every * Math.max(1, Math.ceil(((until - from) * MICROS) / every / RETURNS_MAX))
  return { every: durationText(micros), seconds: micros / MICROS, start: from }
}

function accountOf(
  curve: AccountCurve,
  until: number,
  benchmark: string | null,
  figures: Figures,
  grids: AccountGrids,
): Account {
  const { name } = curve.account
  return {
    name,
    wallets: curve.wallets(until, benchmark),
    activities: curve.activities(until),
    figures: figures.byAccount.get(name) ?? [],
    funding: grids.funding.finish(),
    liquidations: grids.liquidations.finish(),
    protections: grids.protections.finish(),
    protectionCounts: countGrid(grids.protectionCounts, ['protection', 'change', 'reason']),
    refusals: countGrid(grids.refusals, ['request', 'reason', 'parameter']),
  }
}

function marketsOf({ markets }: RunLines, until: number): readonly Market[] {
  return [...markets.values()].map(({ of, mark, funding }) => ({
    name: of.name,
    kind: of.kind,
    amountUnit: of.payoff === 'inverse' && of.kind === 'future' ? 'USD' : of.base,
    quote: of.payoff === 'inverse' && of.kind === 'option' ? of.base : of.quote,
    settlement: of.settlement,
    tick: of.tick,
    mark: mark.finish(until),
    funding: of.isPerpetual ? lineOrNull(funding.finish(until)) : null,
  }))
}

function lineOrNull(line: Line): Line | null {
  return line.points === 0 ? null : line
}

/** Warnings if the folder is damaged or the run is not complete. */
function warningsOf({ manifest, faults }: ReadableRun): readonly string[] {
  const interrupted = 'This run was interrupted: the report ends where the run stopped, before the end of the scenario.'
  return [
    ...(manifest.status === 'complete' ? [] : [interrupted]),
    ...(faults.length === 0
      ? []
      : [
          `The folder is damaged: ${faults.length === 1 ? 'a file is missing or has' : `${faults.length} files are missing or have`} changed since the run. Figures below may be wrong or missing.`,
        ]),
    ...faults.map(({ file, ...fault }) => formatInputError({ ...fault, file: lastName(file) })),
  ]
}

function driftOf(accounts: readonly Account[]): readonly string[] {
  return accounts.flatMap(({ name, wallets }) =>
    wallets
      .filter(({ drift }) => drift > DRIFT_MAX)
      .map(
        ({ currency, drift }) =>
          `Equity of ${name} in ${currency} between the run's samples is computed from fills, marks and funding; it differs from a sample by up to ${(100 * drift).toPrecision(2)} %.`,
      ),
  )
}

/** An owner of a line by name. */
interface Owner {
  readonly name: string
}

function leftOut(owners: readonly Owner[], drawn: readonly Owner[], { accounts }: RunLines): readonly string[] {
  const hidden = owners.length - drawn.length
  return [
    ...(hidden === 0 ? [] : [`Shown are ${drawn.length} of ${owners.length} accounts: those with the most fills.`]),
    ...accounts
      .filter(({ left }) => left.size > 0)
      .map(({ account, left }) => `${left.size} more instruments of ${account.name} are not charted.`),
  ]
}

/** A note about the number of thinned-out lines. */
function thinned(shown: Pick<Run, 'accounts' | 'markets' | 'indices'>, span: LineSpan): readonly string[] {
  let lines = 0
  let most = 0
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || value instanceof Float64Array) return
    if ('points' in value && 'time' in value && value.time instanceof Float64Array) {
      const points = Number(value.points)
      if (points > value.time.length) lines += 1
      most = Math.max(most, points)
      return
    }
    for (const part of Object.values(value)) visit(part)
  }
  visit(shown)
  if (lines === 0) return []
  const spans = grouped(Math.floor(span.limit / 4))
  return [
    `${lines} lines of up to ${grouped(most)} points are down-sampled.`,
    `For each of ${spans} equal time spans, a down-sampled line keeps the first, lowest, highest and last point. Figures and tables use all data.`,
  ]
}

function receiptOf(manifest: Manifest): Receipt {
  const { made_by: made, scenario, engine } = manifest
  const feeds = new GridBuilder(['file', 'format', 'instrument', 'sha256'])
  for (const { path, format, instrument, sha256 } of manifest.feeds) {
    feeds.add([path, format, instrument, sha256])
  }
  const strategies = new GridBuilder(['account', 'module', 'parameters', 'source', 'sha256'])
  for (const { account, module, params, sources } of manifest.strategies) {
    for (const { file, sha256 } of sources) {
      strategies.add([account, module, JSON.stringify(params), file, sha256])
    }
    if (sources.length === 0) strategies.add([account, module, JSON.stringify(params), null, null])
  }
  const tables = new GridBuilder(['table', 'rows', 'version', 'hash of the rows'])
  for (const { name, rows, schema_version: version, digest } of manifest.tables) {
    tables.add([name, rows, version, digest])
  }
  return {
    command: commandOf(made.command),
    file: made.file,
    fileSha256: made.sha256,
    scenarioSha256: scenario.sha256,
    set: scenario.set ?? [],
    seed: manifest.seed,
    digest: manifest.digest,
    engine: `${engine.name} ${engine.version}`,
    node: made.node,
    journal: manifest.files.some(({ name }) => name === 'journal.jsonl'),
    feeds: feeds.finish(),
    strategies: strategies.finish(),
    tables: tables.finish(),
  }
}

/** The command in the syntax of a shell. */
function commandOf(words: readonly string[] | null): string {
  if (words === null) return ''
  const quoted = words.map((word) => (/^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
  return ['npx pitclock', ...quoted].join(' ')
}

function currenciesOf(accounts: readonly Account[]): readonly string[] {
  return [...new Set(accounts.flatMap(({ wallets }) => wallets.map(({ currency }) => currency)))]
}

function secondsOf(text: string): number {
  const time = parseIsoTime(text)
  return time.ok ? time.value / MICROS : 0
}

function durationOf(text: string): number {
  const duration = parseDuration(text)
  return duration.ok ? duration.value : 0
}

/** A whole number with separated thousands. */
function grouped(value: number): string {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ',')
}

function lastName(path: string | undefined): string {
  return (path ?? '').replace(/^.*[\\/]/, '')
}
