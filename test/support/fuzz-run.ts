/**
 * Runs mutated texts through the library. Each text must run or be refused with its errors. A file holds the current
 * case, so that a case that ends the process or never ends can be found there. A case that throws is written out and
 * reported with the seed that replays it.
 */
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type InputError, type RandomStream, randomStream } from '../../src/core/index.ts'
import {
  advanceRun,
  createJournalRun,
  createRun,
  decodeJournal,
  encodeJournalHead,
  encodeJournalRequest,
  finishRun,
  parseScenario,
  type Scenario,
  type ScenarioRun,
} from '../../src/scenario/index.ts'
import { repository } from './repository.ts'

/** Results of the cases. */
export interface FuzzReport {
  readonly seed: string
  readonly cases: number
  readonly refused: number
  readonly run: number
  /** The slowest case in milliseconds. */
  readonly slowestMillis: number
  /** Cases that threw or took too long, each with the file that it was written to. */
  readonly failures: readonly string[]
}

const FAILURES_MAX = 10
const CASE_MILLIS_MAX = 30_000
const THINGS_MAX = 2_000
const EVENTS_OF_END_MICROS = 40 * 86_400_000_000

/** Tries `cases` texts that `textOf` gives; `attempt` says whether one was run. */
export function fuzz(
  options: { readonly name: string; readonly seed: string; readonly cases: number },
  textOf: (random: RandomStream) => string,
  attempt: (text: string) => boolean,
): FuzzReport {
  const { name, seed, cases } = options
  const folder = mkdtempSync(join(tmpdir(), `pitclock-fuzz-${name.replace('.', '-')}-`))
  const failures: string[] = []
  let run = 0
  let slowestMillis = 0
  process.stderr.write(`seed ${seed}; the case that is tried is ${join(folder, `current-${name}`)}\n`)
  for (let number = 0; number < cases && failures.length < FAILURES_MAX; number += 1) {
    const text = textOf(randomStream(seed, `${name} ${number}`))
    writeFileSync(join(folder, `current-${name}`), text)
    const begun = performance.now()
    let fault: string | null = null
    try {
      if (attempt(text)) run += 1
    } catch (error) {
      fault = error instanceof Error ? (error.stack ?? error.message) : String(error)
    }
    const millis = performance.now() - begun
    slowestMillis = Math.max(slowestMillis, millis)
    if (millis > CASE_MILLIS_MAX) fault ??= `took ${Math.round(millis)} ms`
    if (fault === null) continue
    const file = join(folder, `${number}-${name}`)
    writeFileSync(file, text)
    failures.push(`case ${number} of seed ${seed}, written to ${file}: ${fault}`)
  }
  return { seed, cases, refused: cases - run - failures.length, run, slowestMillis, failures }
}

/** The texts of all scenarios that a run without files can begin with. */
export function scenarioTexts(): readonly string[] {
  const root = join(repository, 'scenarios')
  const texts = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .toSorted()
    .map((name) => readFileSync(join(root, name), 'utf8').replaceAll(/^ *#.*\n/gm, ''))
  return texts.filter((text) => text.length < 8_000)
}

/** Reads a scenario and runs it if it is valid. */
export function tryScenario(text: string): boolean {
  const parsed = parseScenario(text, 'case.yaml')
  if (!parsed.ok) return refused(parsed.error)
  const { feeds, strategies } = parsed.value
  if (feeds.length > 0 || strategies.length > 0) return false
  drive(createRun(parsed.value, {}), parsed.value.start)
  return true
}

/** Reads a journal and runs it if it is valid. */
export function tryJournal(text: string): boolean {
  const decoded = decodeJournal(text, 'case.jsonl')
  if (!decoded.ok) return refused(decoded.error)
  const { head, requests } = decoded.value
  if (head.feeds.length > 0) return false
  drive(createJournalRun(head, requests, {}, null), head.config.start)
  return true
}

/** The journal of a scenario. */
export function journalOf(text: string): string | null {
  const parsed = parseScenario(text, 'case.yaml')
  if (!parsed.ok) return null
  const { feeds, strategies, population } = parsed.value
  if (feeds.length > 0 || strategies.length > 0 || population !== null) return null
  const lines = [JSON.stringify(encodeJournalHead(headOf(parsed.value)))]
  const run = createRun(parsed.value, {
    onRequest: (request, sequence) => {
      lines.push(JSON.stringify(encodeJournalRequest(request, sequence)))
    },
  })
  drive(run, parsed.value.start)
  return `${lines.join('\n')}\n`
}

function headOf(scenario: Scenario): Parameters<typeof encodeJournalHead>[0] {
  const { title, seed, until, config, equityEvery, metrics, record, setup } = scenario
  const own = {
    engine: '0.1.0',
    title,
    scenarioSha256: null,
    seed,
    until,
    config,
    equityEvery,
    metrics,
    record,
  }
  return { ...own, setup: setup.length, feeds: [] }
}

/** Limits a run like a user would: it stops after some requests and does not wait for months. */
function drive(run: ScenarioRun, start: number): void {
  const state = advanceRun(run, THINGS_MAX)
  if (state !== 'done') return
  if (run.until === null || run.until - start < EVENTS_OF_END_MICROS) finishRun(run)
}

/** Errors have a message and a place. */
function refused(errors: readonly InputError[]): false {
  if (errors.length === 0) throw new RangeError('what is refused has a mistake')
  for (const { file, expected } of errors) {
    if (file === undefined || expected === '') throw new RangeError('a mistake has words and a place')
  }
  return false
}
