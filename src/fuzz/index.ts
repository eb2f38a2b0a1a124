/**
 * Exports of `fuzz`: random runs of the property-test kit over all methods. Each distinct failure becomes a scenario file
 * that fails in the same way.
 *
 * A run depends only on the seed, its number and the options, so the same command gives the same output unless its time
 * ends it. This folder does not access files: `host` runs and writes scenarios.
 */
import fc from 'fast-check'
import {
  checkOptions,
  coded,
  err,
  type InputError,
  type OptionKinds,
  ok,
  type Result,
  randomStream,
} from '../core/index.ts'
import { type FeedFault, scenarioName, shrinkScenario, textFolderFault, writeTextFolder } from '../host/index.ts'
import { eventFamilies, fillRules, type OrderReason, rejectReasons } from '../model/index.ts'
import { type RunError, scenarioText } from '../program/index.ts'
import { reasonRules, ruleOfFill, ruleOfRefusal } from '../report/index.ts'
import { type FuzzReached, fuzzScenario, nothingReached, runChecked } from '../testing/index.ts'

/** Options of `fuzz`. */
export interface FuzzOptions {
  /** Number of runs. Default: 1,000. */
  readonly runs?: number
  /** Default: 0. */
  readonly seed?: number | string
  /** Number of requests after which the laws of the state and the audit are checked. Default: 10. */
  readonly laws?: number
  /** True to draw a subset of instruments, accounts, requests and methods for each run. Default: false. */
  readonly swarm?: boolean
  /** Folder for the scenarios of the failures and `fuzz.json`. Default: no files. */
  readonly out?: string
  /** True to replace such a folder. */
  readonly force?: boolean
  /** Called between runs; a result of true ends them, and the failures so far are written. */
  readonly isOver?: () => boolean
  /** Called between runs; a result of true ends them without output. */
  readonly interrupted?: () => boolean
  /** Called after each run with the numbers of completed runs and requests. */
  readonly onProgress?: (runs: number, requests: number) => void
}

/** A distinct failure. */
export interface FuzzFailure {
  /** `LAW` for a broken law, `DEFECT` for an internal error. */
  readonly code: 'LAW' | 'DEFECT'
  /** The failure in one sentence. */
  readonly title: string
  /** Number of the first run that failed in this way, from 1. */
  readonly run: number
  /** Number of runs that failed in this way. */
  readonly count: number
  /** True if the scenario fails in the same way. */
  readonly reproduced: boolean
  /** The smallest scenario that fails in this way. */
  readonly scenario: string
  /** The written file, or null. */
  readonly file: string | null
}

/** A kind of things, and how often runs reached each one; words with a count of 0 were not reached. */
export interface FuzzCoverage {
  readonly [word: string]: number
}

/** The result of `fuzz`. */
export interface FuzzReport {
  readonly status: 'complete' | 'interrupted'
  readonly seed: string
  readonly runs: number
  readonly requests: number
  /** Kinds of events. */
  readonly events: FuzzCoverage
  /** Reasons of refusals. */
  readonly refusals: FuzzCoverage
  /** Rules that a fill, a refusal or the end of an order names, as in `explain`. */
  readonly rules: FuzzCoverage
  /** Accepted requests by method; methods without one are missing. */
  readonly methods: FuzzCoverage
  readonly failures: readonly FuzzFailure[]
  /** The written folder, or null. */
  readonly out: string | null
}

const optionKinds: OptionKinds<FuzzOptions> = {
  runs: 'number?',
  seed: 'string | number?',
  laws: 'number?',
  swarm: 'boolean?',
  out: 'string?',
  force: 'boolean?',
  isOver: 'function?',
  interrupted: 'function?',
  onProgress: 'function?',
}

const RUNS = 1000

/** Sequences of requests in a run: enough to trade and expire, and few enough to shrink quickly. */
const SEQUENCES_MAX = 100

const REPORT = 'fuzz.json'

const folderTerms = { content: 'a fuzz run', isOwn: (name: string) => name === REPORT || name.endsWith('.yaml') }

/**
 * Runs random requests of all methods with all laws and audits. Writes a scenario for each distinct failure.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist or has a wrong value. A defect of the generator
 * ends with `INSTRUMENT`, `PARAMETER`, `TIME`, `START`, `LAW`, `DEFECT` or `EXPECTATION`.
 *
 * @example
 * const found = await fuzz({ runs: 2, seed: 7 })
 * if (found.ok) console.log(found.value.failures) // []
 */
export async function fuzz(options: FuzzOptions = {}): Promise<Result<FuzzReport, FeedFault>> {
  checkOptions('fuzz', options, optionKinds)
  const { runs = RUNS, seed = 0, laws = 10, swarm = false, out, force = false } = options
  checkCount('runs', runs)
  checkCount('laws', laws)
  const fault = out === undefined ? null : await textFolderFault(out, { ...folderTerms, force })
  if (fault !== null) return err({ kind: 'io', error: fault })
  const reached = nothingReached()
  const failures = new Map<string, FuzzFailure>()
  const { isOver = (): boolean => false, interrupted = (): boolean => false } = options
  let done = 0
  while (done < runs && !isOver() && !interrupted()) {
    done += 1
    const error = fuzzRun({ run: done, seed, swarm, laws }, reached)
    if (error !== null) await note(error, done, failures, options)
    options.onProgress?.(done, reached.requests)
    // Lets signals through.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const status = interrupted() ? 'interrupted' : 'complete'
  const found = {
    status,
    seed: String(seed),
    runs: done,
    ...coverageOf(reached),
    failures: [...failures.values()],
  } as const
  if (out === undefined || status === 'interrupted') return ok({ ...found, out: null })
  return await written(found, out, force)
}

function checkCount(name: 'runs' | 'laws', count: number): void {
  if (Number.isSafeInteger(count) && count >= 1) return
  throw coded(new RangeError(`fuzz: ${name}: expected a whole number from 1, found ${count}`), 'OPTION')
}

/** The number of a run and the options that it depends on. */
interface FuzzRun extends Required<Pick<FuzzOptions, 'seed' | 'swarm' | 'laws'>> {
  readonly run: number
}

function fuzzRun({ run, seed, swarm, laws }: FuzzRun, reached: FuzzReached): RunError | null {
  const runSeed = randomStream(seed, `fuzz ${run}`).int(0, 0x7f_ff_ff_ff)
  const scenario = fc.noBias(fuzzScenario({ swarm, sequencesMax: SEQUENCES_MAX }))
  const [drawn] = fc.sample(scenario, { numRuns: 1, seed: runSeed })
  return drawn === undefined ? null : runChecked(drawn, laws, reached)
}

/** Adds a failure; the first of its kind is shrunk. */
async function note(
  error: RunError,
  run: number,
  failures: Map<string, FuzzFailure>,
  { isOver, interrupted }: FuzzOptions,
): Promise<void> {
  const code = 'code' in error && error.code === 'LAW' ? 'LAW' : 'DEFECT'
  const { title } = error.run
  const key = code === 'LAW' ? `LAW ${title.split(':')[0]}` : title.replaceAll(/-?\d+(?:\.\d+)?/g, '#')
  const known = failures.get(key)
  if (known !== undefined) {
    failures.set(key, { ...known, count: known.count + 1 })
    return
  }
  const text = scenarioText(error.run)
  const source = { text, file: 'scenario.yaml', folder: '.', isJournal: false, set: [] }
  const shrunk = await shrinkScenario(source, [], {
    ...(isOver === undefined ? {} : { isOver }),
    ...(interrupted === undefined ? {} : { interrupted }),
  })
  const first = shrunk.ok ? shrunk.value.failure : null
  const isSame = code === 'LAW' ? first?.path === 'expect.laws' : first?.code === 'DEFECT'
  const scenario = shrunk.ok && isSame ? shrunk.value.text : text
  failures.set(key, { code, title, run, count: 1, reproduced: isSame, scenario, file: null })
}

/** Counts of everything that is declared. */
function coverageOf(reached: FuzzReached): Pick<FuzzReport, 'requests' | 'events' | 'refusals' | 'rules' | 'methods'> {
  const { requests, events, refusals, reasons, fills, methods } = reached
  const rules = new Map<string, number>()
  const add = (rule: string, count: number): void => {
    rules.set(rule, (rules.get(rule) ?? 0) + count)
  }
  for (const reason of rejectReasons) add(ruleOfRefusal(reason).rule, refusals.get(reason) ?? 0)
  for (const reason of Object.keys(reasonRules) as OrderReason[])
    add(reasonRules[reason].rule, reasons.get(reason) ?? 0)
  for (const fill of fillRules) add(ruleOfFill(fill).rule, fills.get(fill) ?? 0)
  return {
    requests,
    events: counted(Object.keys(eventFamilies), events),
    refusals: counted(rejectReasons, refusals),
    rules: counted([...rules.keys()].toSorted(), rules),
    methods: counted([...methods.keys()].toSorted(), methods),
  }
}

function counted(words: readonly string[], counts: ReadonlyMap<string, number>): FuzzCoverage {
  return Object.fromEntries(words.map((word) => [word, counts.get(word) ?? 0]))
}

/** Writes the folder: the report, and a scenario for each failure. */
async function written(
  found: Omit<FuzzReport, 'out'>,
  out: string,
  force: boolean,
): Promise<Result<FuzzReport, FeedFault>> {
  const failures = found.failures.map((failure, at) => ({
    ...failure,
    file: `${at + 1}-${scenarioName(failure.title)}.yaml`,
  }))
  const report: FuzzReport = { ...found, failures, out }
  const files = new Map(failures.map(({ file, scenario }) => [file, scenario]))
  files.set(REPORT, `${JSON.stringify(report, null, 2)}\n`)
  const fault: InputError | null = await writeTextFolder(out, files, { ...folderTerms, force })
  return fault === null ? ok(report) : err({ kind: 'io', error: fault })
}
