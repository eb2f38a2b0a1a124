/**
 * `npm run canaries`: plants each defect of `defects.ts` in a copy of the repository, one at a time, and reports which
 * test finds it and whether generated requests find it (`fuzz.ts`). It fails if a test finds nothing.
 *
 * The copy has the files of the working tree and the installed packages. Its tests compile its own sources, so an edit
 * needs no build; only a defect in `cli` rebuilds the program. The named test of a defect runs first. If it passes, the
 * tests that `vitest related` selects run until the first failure. Before the first edit the named tests and the
 * generated requests must pass in the copy.
 */
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withEdit } from '../support/planted-edit.ts'
import { repository } from '../support/repository.ts'
import { type Defect, defects, planted } from './defects.ts'

/** In a complete run, generated requests alone must find this many defects. */
const FUZZER_MIN = 30

/** Seconds for the named test, for the related tests, and for the generated requests of one defect. */
const limits = { test: 120, related: 600, fuzzer: 120 } as const

/** What one check found: null if it found nothing. */
interface Look {
  readonly found: string | null
  readonly seconds: number
}

/** The copy of the repository. */
interface Copy {
  readonly folder: string
  readonly stop: AbortSignal
}

interface Ended {
  readonly code: number
  readonly out: string
}

/** The report of the test runner, as far as it is read here. */
interface TestReport {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

const { values: flags } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    'without-fuzzer': { type: 'boolean', default: false },
  },
})

const usesFuzzer = !flags['without-fuzzer']

/** The asked defects: those with the ids of `--only`, or `--sample` of all, chosen by `--seed`. */
function asked(): readonly Defect[] {
  const { only, sample, seed } = flags
  if (only !== undefined) {
    return only.map((id) => {
      const found = defects.find((each) => each.id === id)
      if (found === undefined) throw new RangeError(`--only: expected the id of a defect, found ${id}`)
      return found
    })
  }
  if (sample === undefined) return defects
  const [count, first] = [Number(sample), Number(seed)]
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`--sample: expected a number, found ${sample}`)
  if (!Number.isSafeInteger(first)) throw new RangeError(`--seed: expected a whole number, found ${seed}`)
  const step = Math.max(1, Math.floor(defects.length / count))
  return Array.from({ length: Math.min(count, defects.length) }, (_, at) => at * step + (first % step)).flatMap(
    (at) => defects[at] ?? [],
  )
}

function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** Copies the files of the working tree that git knows or would add. */
function copyTree(folder: string): void {
  const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const files = execFileSync('git', listed, { cwd: repository, encoding: 'utf8', maxBuffer: 1 << 26 }).split('\0')
  for (const file of files) {
    if (file !== '' && existsSync(join(repository, file))) cpSync(join(repository, file), join(folder, file))
  }
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
}

/** Runs a program of the copy to its end. */
function run({ folder, stop }: Copy, [program = '', ...args]: readonly string[], seconds: number): Promise<Ended> {
  const env = { ...process.env, NO_COLOR: '1' }
  const options = { cwd: folder, signal: stop, timeout: seconds * 1000, maxBuffer: 1 << 28, env }
  return new Promise((resolve, reject) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      const out = `${stdout}${stderr}`
      if (error === null) resolve({ code: 0, out })
      // A program that the time limit ends may still choose its exit code.
      else if (error.killed === true && !stop.aborted) resolve({ code: -1, out: `no end within ${seconds} s` })
      else if (typeof error.code === 'number') resolve({ code: error.code, out })
      else reject(error)
    })
  })
}

const vitest = 'node_modules/vitest/vitest.mjs'

/** Runs tests until the first one fails, and returns its file and title. */
async function look(copy: Copy, args: readonly string[], seconds: number): Promise<Look> {
  const report = join(copy.folder, 'dist-test-report.json')
  rmSync(report, { force: true })
  const begun = performance.now()
  const reporter = ['--bail', '1', '--reporter', 'json', '--outputFile', report]
  const { code, out } = await run(copy, [process.execPath, vitest, ...args, ...reporter], seconds)
  const taken = secondsSince(begun)
  if (code === -1) return { found: null, seconds: taken }
  if (!existsSync(report)) throw new Error(`the tests did not run: ${out.slice(-2000)}`)
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as TestReport
  const failed = testResults.find(({ status }) => status === 'failed')
  if (failed === undefined && code !== 0) throw new Error(`the tests did not run: ${out.slice(-2000)}`)
  if (failed === undefined) return { found: null, seconds: taken }
  const title = failed.assertionResults.find(({ status }) => status === 'failed')?.fullName ?? 'the file does not load'
  return { found: `${failed.name.slice(copy.folder.length + 1)}: ${title.trim()}`, seconds: taken }
}

/** Runs the generated requests on the copy. */
async function fuzz(copy: Copy): Promise<Look> {
  const begun = performance.now()
  const { code, out } = await run(
    copy,
    [process.execPath, '.ci/ts.mjs', 'test/canaries/fuzz.ts', flags.seed],
    limits.fuzzer,
  )
  const seconds = secondsSince(begun)
  if (code === 0 || code === -1) return { found: null, seconds }
  const found = out.split('\n').find((line) => line.startsWith('found: '))
  if (found === undefined) throw new Error(`the generated requests did not run: ${out.slice(-2000)}`)
  return { found: found.slice('found: '.length), seconds }
}

function secondsSince(begun: number): number {
  return (performance.now() - begun) / 1000
}

/** Builds a part of the copy, for tests in `test/cli`, which run the built program. */
async function build(copy: Copy, part: 'page' | 'program' | 'schema'): Promise<void> {
  const { code, out } = await run(copy, ['npm', 'run', '--silent', `build:${part}`], limits.test)
  if (code !== 0) throw new Error(`build:${part} fails in the copy: ${out}`)
}

/** The first test that finds a planted defect. */
async function lookForTest(copy: Copy, { file, test }: Defect): Promise<Look> {
  const named = await look(copy, ['run', test], limits.test)
  if (named.found !== null) return named
  const related = await look(copy, ['related', file, '--run'], limits.related)
  return { found: related.found, seconds: named.seconds + related.seconds }
}

/** The outcome for one defect. */
interface Outcome {
  readonly defect: Defect
  readonly byTests: Look
  readonly byFuzzer: Look | null
}

async function plant(copy: Copy, defect: Defect): Promise<Outcome> {
  const path = join(copy.folder, defect.file)
  const source = readFileSync(path, 'utf8')
  writeFileSync(path, withEdit(source, defect))
  const needsProgram = defect.test.startsWith('test/cli/')
  try {
    if (needsProgram) await build(copy, 'program')
    const byTests = await lookForTest(copy, defect)
    return { defect, byTests, byFuzzer: usesFuzzer ? await fuzz(copy) : null }
  } finally {
    writeFileSync(path, source)
    if (needsProgram && !copy.stop.aborted) await build(copy, 'program')
  }
}

/** Throws unless the named tests and the generated requests pass without a defect. */
async function checkCopy(copy: Copy, chosen: readonly Defect[]): Promise<void> {
  const tests = [...new Set(chosen.map(({ test }) => test))]
  if (tests.some((test) => test.startsWith('test/cli/'))) {
    for (const part of ['page', 'program', 'schema'] as const) await build(copy, part)
  }
  const { found, seconds } = await look(copy, ['run', ...tests], 600)
  if (found !== null) throw new Error(`a test fails without a defect: ${found}`)
  say(`${tests.length} files of tests pass without a defect, ${seconds.toFixed(0)} s`)
  if (!usesFuzzer) return
  const fuzzed = await fuzz(copy)
  if (fuzzed.found !== null) throw new Error(`generated requests fail without a defect: ${fuzzed.found}`)
  say(`generated requests pass without a defect, ${fuzzed.seconds.toFixed(0)} s`)
}

function lineOf({ defect, byTests, byFuzzer }: Outcome): string {
  const words = (seen: Look | null): string => {
    if (seen === null) return '-'
    return `${seen.seconds.toFixed(0)} s ${seen.found ?? 'NOTHING'}`
  }
  return `${defect.id.padEnd(22)} tests: ${words(byTests)} | fuzzer: ${words(byFuzzer)}`
}

async function main(): Promise<void> {
  const chosen = asked()
  for (const defect of defects) planted(defect)
  const stop = new AbortController()
  process.once('SIGINT', () => stop.abort()).once('SIGTERM', () => stop.abort())
  const home = mkdtempSync(join(tmpdir(), 'pitclock-canaries-'))
  const copy = { folder: join(home, 'pitclock'), stop: stop.signal }
  const begun = performance.now()
  try {
    copyTree(copy.folder)
    await checkCopy(copy, chosen)
    const outcomes: Outcome[] = []
    for (const defect of chosen) {
      const outcome = await plant(copy, defect)
      outcomes.push(outcome)
      say(lineOf(outcome))
    }
    summarize(outcomes, secondsSince(begun))
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

function summarize(outcomes: readonly Outcome[], seconds: number): void {
  const survivors = outcomes.filter(({ byTests }) => byTests.found === null).map(({ defect }) => defect.id)
  const fuzzed = outcomes.filter(({ byFuzzer }) => byFuzzer !== null && byFuzzer.found !== null).length
  say(`\n${outcomes.length - survivors.length} of ${outcomes.length} found by tests, ${seconds.toFixed(0)} s`)
  if (usesFuzzer) say(`${fuzzed} of ${outcomes.length} found by generated requests alone`)
  if (survivors.length > 0) {
    say(`no test finds: ${survivors.join(', ')}`)
    process.exitCode = 1
  }
  if (usesFuzzer && outcomes.length === defects.length && fuzzed < FUZZER_MIN) {
    say(`expected generated requests to find at least ${FUZZER_MIN}`)
    process.exitCode = 1
  }
}

await main()
