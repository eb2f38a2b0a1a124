/**
 * The journal: every request of a run, one JSON object per line, in the order of submission. The first line describes
 * the venue. A replay gives the same events.
 *
 * Times of requests are microseconds since the epoch; sequence numbers count from 1. A number that a double cannot hold
 * is written as `{"decimal": "…"}`. Every line ends with a newline, so that a truncated journal is recognized.
 */

import type { TimedRequest } from '../backtest/index.ts'
import {
  decimalTextOf,
  err,
  formatIsoTime,
  formatScaledNumber,
  type InputError,
  instrumentId,
  type Micros,
  type Mutable,
  micros,
  ok,
  parseIsoTime,
  parseScaled,
  price9,
  type Result,
  z,
} from '../core/index.ts'
import {
  feedBeginnings,
  feedClocks,
  feedColumnsSchema,
  feedMarks,
  type feedPoliciesSchema,
  textFormats,
} from '../feeds/index.ts'
import {
  accessScopes,
  type ExchangeConfig,
  type FeedPolicy,
  feedPolicies,
  marketKinds,
  readSettings,
  requestRefusals,
  type SettingFault,
  type TickStep,
  venueSettings,
  writeSettings,
} from '../model/index.ts'
import { type ParamReader, paramReader, type RequestParams, writtenParams } from '../rpc/index.ts'
import { expectedOf } from './file/shape.ts'
import { createRecordedRun } from './run/recorded-run.ts'
import type { RunHooks, ScenarioRun } from './run/run.ts'
import type { RunMarket } from './run/run-market.ts'
import { restoreRecordedRun } from './run/run-snapshot.ts'
import { type RunTerms, runSettings } from './run-terms.ts'
import type { FeedSpec } from './scenario.ts'
import { expectedStart, expectedTime } from './time-bounds.ts'

/** The first line of a journal. */
export interface JournalHead extends RunTerms {
  /** Version of the program that wrote it. */
  readonly engine: string
  readonly title: string
  /** SHA-256 of the scenario file in hexadecimal; null without a file. */
  readonly scenarioSha256: string | null
  readonly seed: string
  readonly until: Micros | null
  readonly config: ExchangeConfig
  /** Number of requests at the beginning that belong to the set-up. */
  readonly setup: number
  /** Feeds of the run, with the hashes of the files that were read. */
  readonly feeds: readonly FeedSpec[]
}

/** A whole journal. */
interface Journal {
  readonly head: JournalHead
  readonly requests: readonly TimedRequest[]
}

type JournalFeed = z.infer<typeof journalFeedSchema>

const policy = z.enum(feedPolicies)

const decimal = z.string().refine((text) => {
  const parsed = parseScaled(text, 9)
  return parsed.ok && parsed.value > 0n && parsed.value <= BigInt(Number.MAX_SAFE_INTEGER)
}, 'a decimal above 0')

const moment = z.string().refine((text) => parseIsoTime(text).ok, 'an ISO 8601 time')

/** A feed in the head of a journal. */
const journalFeedSchema = z.strictObject({
  format: z.enum(textFormats),
  kind: z.enum(marketKinds),
  files: z
    .array(
      z.strictObject({
        path: z.string(),
        sha256: z.string().regex(/^[0-9a-f]{64}$/, 'a SHA-256 in lowercase hexadecimal'),
      }),
    )
    .min(1),
  instrument: z.string(),
  instrument_id: z.int().min(0),
  tick_size: decimal,
  // Absent if the tick size has no steps.
  tick_size_steps: z
    .array(z.strictObject({ above_price: z.union([z.literal('0'), decimal]), tick_size: decimal }))
    .optional(),
  // Absent if all prices are positive.
  negative_prices: z.literal(true).optional(),
  amount_step: decimal,
  symbol: z.string().nullable(),
  columns: feedColumnsSchema.nullable(),
  clock: z.enum(feedClocks),
  policy: z.strictObject({
    backward: policy,
    // Absent in journals of versions without this check, which accepted rows unchanged.
    disorder: policy.default('keep'),
    duplicate: policy,
    gap: policy,
    crossed: policy,
    off_grid: policy,
    empty: policy.default('skip'),
    off_book: policy.default('keep'),
    out_of_life: policy.default('skip'),
    // Earlier versions read such a line unchanged.
    cut: policy.default('keep'),
  } satisfies {
    readonly [K in keyof z.infer<typeof feedPoliciesSchema>]-?: z.ZodType<FeedPolicy>
  }),
  // Absent in journals of versions that did not read mark prices.
  mark: z.enum(feedMarks).nullable().optional(),
  // Absent in journals of versions that supported only one beginning.
  begin: z.enum(feedBeginnings).nullable().optional(),
  from: moment.nullable(),
  to: moment.nullable(),
})

const VERSION = 1

const ERRORS_MAX = 100

const count = z.int().min(0)

const headSchema = z.strictObject({
  pitclock_journal: z.literal(VERSION),
  engine: z.string(),
  title: z.string(),
  scenario_sha256: z.string().optional(),
  seed: z.string(),
  start: moment,
  until: moment.nullable(),
  // The declarations of settings check more than a shape could.
  config: z.unknown(),
  equity_micros: z.unknown().optional(),
  metrics: z.unknown().optional(),
  record: z.unknown().optional(),
  setup: count,
  feeds: z.array(journalFeedSchema).optional(),
})

const tooFewRights = 'scope_exceeded'

const requestSchema = z.strictObject({
  time: count,
  sequence: z.int().min(1),
  account: z.string().nullable(),
  session: count,
  method: z.string(),
  // The venue refused values that are not parameters, and a replay must refuse them again.
  params: z.unknown(),
  refused: z.enum([...requestRefusals, tooFewRights]).optional(),
  rights: z.array(z.enum(accessScopes)).optional(),
})

const requestReader = paramReader(requestSchema, 'value')

/** An object for one line. `JSON.stringify` and a newline complete the line. */
type JournalObject = Readonly<Record<string, unknown>>

/** The object for the first line. */
export function encodeJournalHead(head: JournalHead): JournalObject {
  return {
    pitclock_journal: VERSION,
    engine: head.engine,
    title: head.title,
    ...(head.scenarioSha256 === null ? {} : { scenario_sha256: head.scenarioSha256 }),
    seed: head.seed,
    start: formatIsoTime(head.config.start),
    until: head.until === null ? null : formatIsoTime(head.until),
    // Declarations use the names of the settings as keys.
    config: writeSettings(venueSettings, { ...head.config }),
    ...writeSettings(runSettings, { equityEvery: head.equityEvery, metrics: head.metrics, record: head.record }),
    setup: head.setup,
    ...(head.feeds.length === 0 ? {} : { feeds: head.feeds.map(encodeJournalFeed) }),
  } satisfies z.input<typeof headSchema>
}

/**
 * The object for the line of a request. Secrets are hidden (R57), except those that `writtenParams` keeps; `sequence`
 * is the number that the exchange gave the request.
 */
export function encodeJournalRequest(request: TimedRequest, sequence: number): JournalObject {
  const line: Mutable<TimedRequest> & { readonly sequence: number } = {
    time: request.time,
    sequence,
    account: request.account,
    session: request.session,
    method: request.method,
    params: writtenParams(request.method, request.params),
  }
  return withAdditions(line, request.refused, request.rights)
}

/** Adds fields that a queue or a server has set; most requests have none of them. */
function withAdditions<T extends Mutable<TimedRequest>>(
  request: T,
  refused: TimedRequest['refused'],
  rights: TimedRequest['rights'],
): T {
  if (refused !== undefined) request.refused = refused
  if (rights !== undefined) request.rights = rights
  return request
}

/** Reads a journal; `file` is its name as given by the user. At most 100 mistakes are reported. */
export function decodeJournal(text: string, file: string): Result<Journal, readonly InputError[]> {
  const lines = text.split('\n')
  const errors: InputError[] = []
  // No text may follow the last newline, unless the file is truncated.
  if (lines.pop() !== '') {
    const expected = 'a newline at the end of the last line'
    errors.push({
      code: 'SYNTAX',
      file,
      line: lines.length + 1,
      expected,
      found: 'an incomplete line',
    })
  }
  const head = readHead(lines[0] ?? '', file, errors)
  const requests: TimedRequest[] = []
  let time: number = head?.config.start ?? 0
  for (let index = 1; index < lines.length && errors.length < ERRORS_MAX; index += 1) {
    const read = readLine(lines[index] ?? '', {
      file,
      line: index + 1,
      errors,
      schema: requestSchema,
      reader: requestReader,
    })
    if (read === undefined) continue
    const at = { file, line: index + 1 }
    if (read.sequence !== index) {
      const expected = `${index}, because sequence numbers increase by one from 1`
      errors.push({
        code: 'VALUE',
        ...at,
        path: 'sequence',
        expected,
        found: String(read.sequence),
      })
    }
    const bound = head === undefined ? null : expectedTime(micros(read.time), head.config.start)
    if (bound !== null) {
      errors.push({ code: 'VALUE', ...at, path: 'time', expected: bound, found: String(read.time) })
    } else if (read.time < time) {
      const expected = `a time not before that of the line above, ${time}`
      errors.push({ code: 'VALUE', ...at, path: 'time', expected, found: String(read.time) })
    }
    // Only at a restore may the clock go back, to a time that the journal does not contain.
    time = read.method === 'sim/restore' ? (head?.config.start ?? 0) : Math.max(time, read.time)
    // Every JSON value is valid in parameters.
    const params = read.params as RequestParams
    const request: Mutable<TimedRequest> = {
      time: micros(read.time),
      account: read.account,
      session: read.session,
      method: read.method,
      params,
    }
    // Before journals had rights, a server only recorded that a token had too few.
    if (read.refused === tooFewRights) requests.push(withAdditions(request, undefined, []))
    else requests.push(withAdditions(request, read.refused, read.rights))
  }
  if (head !== undefined && errors.length === 0 && head.setup > requests.length) {
    const expected = `at most ${requests.length}, the number of requests`
    errors.push({
      code: 'VALUE',
      file,
      line: 1,
      path: 'setup',
      expected,
      found: String(head.setup),
    })
  }
  if (head === undefined || errors.length > 0) return err(errors)
  return ok({ head, requests })
}

/** A run of the journal's requests. It gives the same events as the run that wrote the journal. */
export function createJournalRun(
  head: JournalHead,
  requests: readonly TimedRequest[],
  hooks: RunHooks,
  market: RunMarket | null,
): ScenarioRun {
  return createRecordedRun({ ...head, requests }, hooks, market)
}

/** A run of a journal, restored from a snapshot. The error names a part that does not match. */
export function restoreJournalRun(
  bytes: Uint8Array,
  head: JournalHead,
  requests: readonly TimedRequest[],
  hooks: RunHooks,
  market: RunMarket | null,
): Result<ScenarioRun, string> {
  return restoreRecordedRun(bytes, { ...head, requests }, hooks, market)
}

function readHead(text: string, file: string, errors: InputError[]): JournalHead | undefined {
  const head = readLine(text, { file, line: 1, errors, schema: headSchema })
  if (head === undefined) return undefined
  const start = timeOf(head.start)
  const until = head.until === null ? null : timeOf(head.until)
  const at = { file, line: 1 }
  const expectedOfStart = expectedStart(start)
  if (expectedOfStart !== null) {
    errors.push({
      code: 'VALUE',
      ...at,
      path: 'start',
      expected: expectedOfStart,
      found: head.start,
    })
    return undefined
  }
  const expectedOfUntil = until === null ? null : expectedTime(until, start)
  if (expectedOfUntil !== null || (until !== null && until < start)) {
    const expected = expectedOfUntil ?? `a time at or after the start, ${head.start}`
    errors.push({ code: 'VALUE', ...at, path: 'until', expected, found: String(head.until) })
    return undefined
  }
  const settings = readHeadSettings(head, start)
  if (!settings.ok) {
    errors.push(...settings.error.map((fault) => ({ ...at, ...settingMistake(fault) })))
    return undefined
  }
  return {
    engine: head.engine,
    title: head.title,
    scenarioSha256: head.scenario_sha256 ?? null,
    seed: head.seed,
    until,
    ...settings.value,
    setup: head.setup,
    feeds: (head.feeds ?? []).map(readJournalFeed),
  }
}

/**
 * Settings of the exchange and terms of the run. Settings that journals of earlier versions lack have their default
 * values.
 */
function readHeadSettings(
  { config, ...head }: z.output<typeof headSchema>,
  start: Micros,
): Result<Pick<JournalHead, 'config' | keyof RunTerms>, readonly SettingFault[]> {
  const reading = { place: 'journal', start } as const
  const venue = readSettings(venueSettings, config, { ...reading, path: ['config'] })
  const said = { equity_micros: head.equity_micros, metrics: head.metrics, record: head.record }
  const terms = readSettings(runSettings, said, { ...reading, path: [] })
  const faults = [...venue.faults, ...terms.faults]
  if (faults.length > 0) return err(faults)
  // The declarations are the ones of the configuration and of the terms, so the values have their types.
  return ok({
    config: { start, ...venue.values } as ExchangeConfig,
    ...(terms.values as unknown as RunTerms),
  })
}

function settingMistake({ path, expected, found, words }: SettingFault): Omit<InputError, 'file' | 'line'> {
  return { code: 'VALUE', path: path.join('.'), expected, found: words ?? foundText(found) }
}

/** One line as an object of the schema. Mistakes in the line are added to the errors. */
function readLine<Schema extends z.ZodObject>(
  text: string,
  {
    file,
    line,
    errors,
    schema,
    reader,
  }: {
    readonly file: string
    readonly line: number
    readonly errors: InputError[]
    readonly schema: Schema
    readonly reader?: ParamReader
  },
): z.output<Schema> | undefined {
  const json = parseJson(text)
  if (!json.ok) {
    errors.push({ code: 'SYNTAX', file, line, expected: 'a JSON object', found: json.error })
    return undefined
  }
  const long = longNumberIn(text)
  if (long !== undefined) {
    errors.push({
      code: 'SHAPE',
      file,
      line,
      expected: `{"decimal": "${long}"} for a number this long`,
      found: long,
    })
    return undefined
  }
  const fitting = reader?.(json.value)
  // The reader returns the same value as the schema, which describes all mistakes of a line.
  if (fitting?.ok === true) return fitting.value as z.output<Schema>
  const read = schema.safeParse(json.value)
  if (read.success) return read.data
  for (const issue of read.error.issues) errors.push({ file, line, ...journalMistake(issue, json.value) })
  return undefined
}

function journalMistake(issue: z.core.$ZodIssue, value: unknown): Omit<InputError, 'file' | 'line'> {
  if (issue.code === 'unrecognized_keys') {
    return { code: 'SHAPE', expected: 'only fields of a journal', found: issue.keys.join(', ') }
  }
  let found: unknown = value
  for (const step of issue.path) found = (found as Record<PropertyKey, unknown> | undefined)?.[step]
  const path = issue.path.join('.')
  return {
    code: 'SHAPE',
    ...(path === '' ? {} : { path }),
    expected: expectedOf(issue),
    found: foundText(found),
  }
}

function foundText(found: unknown): string {
  return found === undefined ? 'nothing' : shortened(JSON.stringify(found))
}

/** Parses JSON. Only the platform's parser throws here, for text that is not JSON. */
function parseJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text) as unknown)
  } catch {
    return err(text.trim() === '' ? 'an empty line' : shortened(text))
  }
}

/** A number in JSON text that a double would change; undefined without one. */
function longNumberIn(text: string): string | undefined {
  // Fifteen digits are always exact in a double, and so are the sixteen digits of times.
  if (!/(?<![0-9.])[0-9.]{17}/.test(text)) return undefined
  for (const [literal] of text.replace(/"(?:[^"\\]|\\.)*"/g, '""').matchAll(/-?[0-9][-+0-9.eE]*/g)) {
    if (/[eE]/.test(literal)) continue
    const plain = literal.includes('.') ? literal.replace(/\.?0+$/, '') : literal
    if (plain !== '-0' && decimalTextOf(Number(literal)) !== plain) return literal
  }
  return undefined
}

function timeOf(text: string): Micros {
  const time = parseIsoTime(text)
  return time.ok ? time.value : micros(0)
}

function shortened(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`
}

/** A feed in the head of a journal, with everything that is needed to read the same messages again. */

/** A feed whose hashes are known, as JSON. */
function encodeJournalFeed(feed: FeedSpec): JournalFeed {
  const { format, kind, instrument, units, symbol, columns, clock, policies } = feed
  return {
    format,
    kind,
    files: feed.paths.map((path, at) => ({ path, sha256: feed.pinned?.[at] ?? '' })),
    instrument,
    instrument_id: units.id,
    tick_size: formatScaledNumber(units.tick9, 9),
    ...(units.tickSteps.length === 0 ? {} : { tick_size_steps: units.tickSteps.map(stepOut) }),
    ...(units.mayBeNegative === true ? { negative_prices: true as const } : {}),
    amount_step: formatScaledNumber(units.amountStep9, 9),
    symbol,
    columns,
    clock,
    policy: { ...policies },
    mark: feed.mark,
    begin: feed.begin,
    from: feed.from === null ? null : formatIsoTime(feed.from),
    to: feed.to === null ? null : formatIsoTime(feed.to),
  }
}

/** The feed of an entry in a journal. */
function readJournalFeed(feed: JournalFeed): FeedSpec {
  return {
    format: feed.format,
    kind: feed.kind,
    paths: feed.files.map(({ path }) => path),
    pinned: feed.files.map(({ sha256 }) => sha256),
    instrument: feed.instrument,
    units: {
      id: instrumentId(feed.instrument_id),
      tick9: nanoOf(feed.tick_size),
      tickSteps: (feed.tick_size_steps ?? []).map((step) => ({
        above: price9(nanoOf(step.above_price)),
        tick9: nanoOf(step.tick_size),
      })),
      amountStep9: nanoOf(feed.amount_step),
      ...(feed.negative_prices === true ? { mayBeNegative: true } : {}),
    },
    symbol: feed.symbol,
    checksSymbol: false,
    columns: feed.columns,
    clock: feed.clock,
    policies: feed.policy,
    mark: feed.kind === 'index' ? (feed.mark ?? 'computed') : null,
    begin: feed.kind === 'book' ? (feed.begin ?? 'snapshot') : null,
    from: boundOf(feed.from),
    to: boundOf(feed.to),
  }
}

function stepOut({ above, tick9 }: TickStep): { above_price: string; tick_size: string } {
  return { above_price: formatScaledNumber(above, 9), tick_size: formatScaledNumber(tick9, 9) }
}

function nanoOf(text: string): number {
  const parsed = parseScaled(text, 9)
  return parsed.ok ? Number(parsed.value) : 0
}

function boundOf(text: string | null): Micros | null {
  const parsed = text === null ? null : parseIsoTime(text)
  return parsed?.ok === true ? parsed.value : null
}
