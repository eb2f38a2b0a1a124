/**
 * `npm run digests -- --because TEXT FOLDER...`: publishes the digests of all scenarios, of events and of tables, in
 * `scenarios/digests.json`.
 *
 * It runs every scenario with the built program. For each scenario whose digests differ from the published ones it prints
 * the first event or row that differs from the run of a commit (`--against`, HEAD by default), which it builds in
 * a temporary worktree. It writes nothing if a scenario outside the named folders has changed.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import type { ScenarioDigests } from '../../src/node.ts'
import { type BuiltLibrary, built } from '../support/built-library.ts'
import { repository } from '../support/repository.ts'

const usage = `Usage: npm run digests -- --because TEXT FOLDER...

Publishes the digests of all scenarios in scenarios/digests.json.

  --because TEXT   why results change; the file keeps it with each changed scenario
  --against REF    the commit whose runs are compared with those of changed scenarios; HEAD by default
  FOLDER           a folder of scenarios that may change, such as scenarios/backtest; a change elsewhere is refused

Example: npm run digests -- --because "Funding counts whole minutes (C31)" scenarios/funding`

/** A mistake in the arguments, or a change that the arguments do not allow. */
class Refusal extends Error {}

/** A scenario whose digests differ from the published ones. */
interface Changed {
  readonly file: string
  readonly digests: ScenarioDigests
  /** False if the scenario has no published digests. */
  readonly isKnown: boolean
}

const published = join(repository, 'scenarios/digests.json')

async function main(): Promise<void> {
  const { because, against, folders } = readArguments()
  const known = built.readDigests(published)
  if (!known.ok) throw new Refusal(`${known.error.file}: found ${known.error.found}`)
  const found = await runAll()
  const changed: Changed[] = [...found].flatMap(([file, digests]) => {
    const before = known.value.get(file)
    const isEqual = before?.events === digests.events && before.tables === digests.tables
    return isEqual ? [] : [{ file, digests, isKnown: before !== undefined }]
  })
  const gone = [...known.value.keys()].filter((file) => !found.has(file))
  const isAllowed = (file: string): boolean => folders.some((at) => file.startsWith(`${at}/`))
  const refused = [...changed.map(({ file }) => file), ...gone].filter((file) => !isAllowed(file))
  await printChanges(changed, against)
  for (const file of gone) console.log(`${file}: no longer exists`)
  if (refused.length > 0) {
    const lines = refused.map((file) => `  ${file}`)
    throw new Refusal([`expected changes in ${folders.join(', ')} alone, found others:`, ...lines].join('\n'))
  }
  const kept = [...known.value].filter(([file]) => found.has(file))
  const news = changed.map(({ file, digests }) => [file, { ...digests, because }] as const)
  const fault = built.writeDigests(published, new Map([...kept, ...news]))
  if (fault !== null) throw new Refusal(`${fault.file}: ${fault.found}`)
  console.log(`${changed.length} of ${found.size} scenarios changed, ${gone.length} removed`)
}

function readArguments(): {
  readonly because: string
  readonly against: string
  readonly folders: readonly string[]
} {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      because: { type: 'string' },
      against: { type: 'string', default: 'HEAD' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  if (values.help === true) {
    console.log(usage)
    process.exit(0)
  }
  const because = values.because?.trim() ?? ''
  if (because === '') throw new Refusal(`expected --because TEXT, found none\n\n${usage}`)
  if (positionals.length === 0) {
    throw new Refusal(`expected the folders of scenarios that may change, found none\n\n${usage}`)
  }
  const folders = positionals.map((folder) => folder.replace(/^\.\//, '').replace(/\/+$/, ''))
  return { because, against: values.against, folders }
}

/** Paths of all scenarios in the repository. */
function scenarioFiles(): readonly string[] {
  return readdirSync(join(repository, 'scenarios'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `scenarios/${name.replaceAll('\\', '/')}`)
    .sort()
}

async function runAll(): Promise<ReadonlyMap<string, ScenarioDigests>> {
  const found = new Map<string, ScenarioDigests>()
  for (const file of scenarioFiles()) {
    const run = await built.runFile(join(repository, file), { tables: true })
    if (!run.ok) throw new Refusal(run.error.lines.join('\n'))
    const [failure] = run.value.failures
    if (failure !== undefined) throw new Refusal(`${file}: ${failure}`)
    found.set(file, built.digestsOfRun(run.value))
  }
  return found
}

/** Prints the first difference of each changed scenario. */
async function printChanges(changed: readonly Changed[], against: string): Promise<void> {
  for (const { file, isKnown } of changed) if (!isKnown) console.log(`${file}: new`)
  const others = changed.filter(({ isKnown }) => isKnown)
  if (others.length === 0) return
  const home = mkdtempSync(join(tmpdir(), 'pitclock-digests-'))
  const tree = join(home, 'tree')
  try {
    git('worktree', 'add', '--detach', tree, against)
    symlinkSync(join(repository, 'node_modules'), join(tree, 'node_modules'), 'dir')
    const compiler = ['node_modules/typescript-7/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck']
    execFileSync(process.execPath, compiler, { cwd: tree, stdio: 'inherit' })
    const entry = pathToFileURL(join(tree, 'dist/src/node.js')).href
    const before = (await import(entry)) as BuiltLibrary
    for (const { file } of others) {
      console.log(`${file}: ${await firstDifference(file, { tree, home, before })}`)
    }
  } finally {
    git('worktree', 'remove', '--force', tree)
    rmSync(home, { recursive: true, force: true })
  }
}

/** The build of another commit. */
interface Other {
  readonly tree: string
  readonly home: string
  readonly before: BuiltLibrary
}

/** The first difference between a scenario's run and the run of the other commit, as text. */
async function firstDifference(file: string, { tree, home, before }: Other): Promise<string> {
  const [old, now] = [join(home, 'old'), join(home, 'new')]
  const first = await before.runFile(join(tree, file), { out: old, force: true })
  const second = await built.runFile(join(repository, file), { out: now, force: true })
  if (!first.ok) return `the other commit does not run it: ${first.error.lines.join(' ')}`
  if (!second.ok) return second.error.lines.join(' ')
  const compared = await built.diffRuns(old, now)
  if (!compared.ok) return `the tables cannot be compared: ${compared.error.lines.join(' ')}`
  const { difference } = compared.value
  if (difference === null) return 'runs of both commits are equal; the published digests are others'
  return [difference.summary, ...difference.lines.map((line) => `  ${line}`)].join('\n')
}

function git(...args: readonly string[]): void {
  execFileSync('git', args, { cwd: repository, stdio: ['ignore', 'ignore', 'inherit'] })
}

try {
  await main()
} catch (error) {
  if (!(error instanceof Refusal)) throw error
  console.error(`error: ${error.message}`)
  process.exitCode = 1
}
