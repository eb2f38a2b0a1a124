/**
 * `npm run bench -- --against REF`: figures of this working tree and of a commit, side by side.
 *
 * The commit is built in a temporary git worktree with the packages of this repository, and measured by the benchmarks
 * of this working tree. If those do not compile against the commit, it is measured by its benchmarks. Sections run
 * alternately, each in a separate process. A disturbance of the machine affects both builds, so the ratio of a pair is
 * reliable even if its figures are not, and the median of the pairs counts.
 */
import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median } from './measure.ts'
import type { BenchRow } from './row.ts'

/** The request of a comparison: a commit in git's words, names of sections, and the number of runs of both builds. */
export interface Comparison {
  readonly ref: string
  readonly sections: readonly string[]
  readonly rounds: number
}

/** The rows of a section in both builds, round by round; empty if the build has no such section. */
export interface SectionPairs {
  readonly section: string
  readonly old: readonly (readonly BenchRow[])[]
  readonly new: readonly (readonly BenchRow[])[]
}

/** A figure in both builds: medians of the rounds, null where a build lacks it, and the median ratio of pairs. */
export interface ComparedRow {
  readonly section: string
  readonly name: string
  readonly unit: string
  readonly old: number | null
  readonly new: number | null
  readonly ratio: number | null
}

/** The reason why there is no comparison: a mistake in the request, or an interruption. */
export class ComparisonError extends Error {}

type Run = (program: string, args: readonly string[], folder: string) => Promise<string>

// The benchmarks run from their built form, which lies one folder deeper.
const repository = fileURLToPath(new URL('../../..', import.meta.url))
const main = 'dist-bench/test/bench/main.js'
const compiler = 'node_modules/typescript-7/bin/tsc'

/** Builds both and measures them in turn. Errors: a `ComparisonError` for a ref that is no commit. */
export async function measureAgainst(comparison: Comparison): Promise<readonly SectionPairs[]> {
  const stop = new AbortController()
  const onSignal = (): void => stop.abort()
  process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
  const run: Run = (program, args, cwd) => output(program, args, { cwd, signal: stop.signal })
  const commit = await commitOf(comparison.ref, run)
  const home = mkdtempSync(join(tmpdir(), 'pitclock-against-'))
  const tree = join(home, 'pitclock')
  try {
    await run('git', ['worktree', 'add', '--quiet', '--detach', tree, commit], repository)
    await build(tree, comparison, run)
    const found: SectionPairs[] = []
    for (const section of comparison.sections) {
      const pairs = { section, old: [] as BenchRow[][], new: [] as BenchRow[][] }
      for (let round = 0; round < comparison.rounds; round += 1) {
        report(`${section}, round ${round + 1} of ${comparison.rounds}`)
        const builds = [
          { rows: pairs.old, folder: tree },
          { rows: pairs.new, folder: repository },
        ]
        for (const { rows, folder } of round % 2 === 0 ? builds : builds.toReversed()) {
          rows.push(await rowsOf(section, folder, run))
        }
      }
      found.push(pairs)
    }
    return found
  } catch (error) {
    throw isAborted(error) ? new ComparisonError('interrupted, the worktree is removed') : error
  } finally {
    await output('git', ['worktree', 'remove', '--force', tree], { cwd: repository }).catch(report)
    rmSync(home, { recursive: true, force: true })
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

/** Puts the rows of both builds side by side, by their names, in the order of this working tree. */
export function compareRows(sections: readonly SectionPairs[]): readonly ComparedRow[] {
  return sections.flatMap(({ section, old, new: fresh }) => {
    const all = [...fresh.flat(), ...old.flat()]
    const units = new Map(all.map(({ name, unit }) => [name, unit]))
    return [...units].map(([name, unit]) => {
      const [before, after] = [figuresOf(name, old), figuresOf(name, fresh)]
      const ratios = after.flatMap((figure, round) => {
        const other = before[round]
        return figure === null || other === undefined || other === null ? [] : [figure / other]
      })
      const middle = (figures: readonly (number | null)[]): number | null => {
        const known = figures.filter((figure) => figure !== null)
        return known.length === 0 ? null : median(known)
      }
      return { section, name, unit, old: middle(before), new: middle(after), ratio: middle(ratios) }
    })
  })
}

function figuresOf(name: string, rounds: readonly (readonly BenchRow[])[]): readonly (number | null)[] {
  return rounds.map((rows) => rows.find((row) => row.name === name)?.value ?? null)
}

async function commitOf(ref: string, run: Run): Promise<string> {
  try {
    // This argument ends git's options, so that a ref with a leading dash is not an option.
    const args = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]
    return (await run('git', args, repository)).trim()
  } catch {
    throw new ComparisonError(`--against: expected a commit, branch or tag, found ${ref}`)
  }
}

/** Builds the benchmarks of a commit's tree, and the program of both trees if `start` measures it. */
async function build(tree: string, comparison: Comparison, run: Run): Promise<void> {
  const { ref, sections } = comparison
  symlinkSync(join(repository, 'node_modules'), join(tree, 'node_modules'))
  const packages = (folder: string): string => readFileSync(join(folder, 'package-lock.json'), 'utf8')
  if (packages(tree) !== packages(repository)) report(`${ref} runs with the packages of this tree`)
  const shared = join(repository, '../shared')
  if (existsSync(shared)) symlinkSync(shared, join(tree, '../shared'))
  report(`building ${ref}`)
  const compile = [compiler, '-p', 'tsconfig.bench.json']
  const own = join(tree, 'test/bench')
  rmSync(own, { recursive: true, force: true })
  cpSync(join(repository, 'test/bench'), own, { recursive: true })
  try {
    await run(process.execPath, compile, tree)
  } catch (error) {
    if (isAborted(error)) throw error
    report(`${ref} is measured by its own benchmarks: those of this tree do not compile against it`)
    rmSync(own, { recursive: true })
    await run('git', ['checkout', '--quiet', '--', 'test/bench'], tree)
    await run(process.execPath, compile, tree)
  }
  if (!sections.includes('start')) return
  for (const folder of [tree, repository]) await run('npm', ['run', '--silent', 'build'], folder)
}

/** The rows of a section; empty if the build does not know the section. */
async function rowsOf(section: string, folder: string, run: Run): Promise<BenchRow[]> {
  const args = ['--expose-gc', join(folder, main), '--section', section]
  const text = (await run(process.execPath, args, folder)).trim()
  return text === 'undefined' ? [] : (JSON.parse(text) as BenchRow[])
}

function output(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly signal?: AbortSignal },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, args, { ...options, maxBuffer: 1 << 26 }, (error, text) => {
      if (error === null) resolve(text)
      else reject(error)
    })
    child.stderr?.pipe(process.stderr, { end: false })
  })
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

function report(text: unknown): void {
  process.stderr.write(`${text}\n`)
}
