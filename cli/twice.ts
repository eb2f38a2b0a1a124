/**
 * `pitclock run --twice`: the same file again in a fresh process, whose digest must be the same. That process has another
 * time zone, locale, working directory and environment, so that a run which depends on one of them differs.
 */
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { RunReport } from '../src/node.ts'
import { complain, exitCode } from './output.ts'

/** Output of the second run, at most. */
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024

/** Other options of a run that change what it does. */
interface RunFlags {
  readonly feeds: string | undefined
  readonly set: readonly string[]
}

/** Runs a file again and complains where something differs: the first table that does. */
export function compareAgain(report: RunReport, flags: RunFlags): void {
  const again = runAgain(report, flags)
  if (typeof again === 'string') {
    const error = {
      code: 'DIGEST' as const,
      file: report.file,
      expected: 'the same digest from both runs',
    }
    complain({
      lines: [`${report.file}: the second run failed: ${again}`],
      errors: [{ ...error, found: `a second run that failed: ${again}` }],
    })
    process.exitCode ??= exitCode.failed
    return
  }
  if (again.digest === report.digest) return
  const expected = 'the same digest from both runs'
  const found = differenceOf(report, again)
  complain({
    lines: [`${report.file}: expected ${expected}, found ${found}`],
    errors: [{ code: 'DIGEST', file: report.file, expected, found }],
    hint: 'the run depends on something besides its input files: other files on this machine, or a promise that acts after a callback',
  })
  process.exitCode ??= exitCode.failed
}

/** The report of the second run, or why there is none: it must end with the exit code of the first. */
function runAgain(
  { file, failures }: RunReport,
  { feeds, set }: RunFlags,
): Pick<RunReport, 'digest' | 'tables'> | string {
  const [program = ''] = process.argv.slice(1)
  const given = [...(feeds === undefined ? [] : ['--feeds', resolve(feeds)]), ...set.flatMap((each) => ['--set', each])]
  const child = spawnSync(
    process.execPath,
    [...process.execArgv, resolve(program), 'run', '--json', '--tables', ...given, pathOf(file)],
    {
      cwd: tmpdir(),
      env: otherEnvironment(),
      encoding: 'utf8',
      maxBuffer: OUTPUT_BYTES_MAX,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const fault = child.stderr.trim() || `exit code ${child.status ?? child.signal}`
  if (child.status !== (failures.length > 0 ? exitCode.failed : exitCode.done)) return fault
  const line = child.stdout.trim().split('\n').at(-1) ?? ''
  try {
    const { runs } = JSON.parse(line) as { readonly runs: readonly RunReport[] }
    return runs[0] ?? fault
  } catch {
    return fault
  }
}

/** The path of a file from any folder; `-` is stdin. */
function pathOf(file: string): string {
  return file === '-' ? file : resolve(file)
}

/** The environment of the second run: what a program needs to start is kept, the rest is left out or differs. */
function otherEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'Path', 'SystemRoot', 'TEMP', 'TMP', 'TMPDIR', 'NODE_OPTIONS']
  const environment = kept.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions()
  const language = locale.startsWith('tr') ? 'de_DE.UTF-8' : 'tr_TR.UTF-8'
  return {
    ...Object.fromEntries(environment),
    TZ: timeZone === 'Asia/Kathmandu' ? 'America/St_Johns' : 'Asia/Kathmandu',
    LANG: language,
    LC_ALL: language,
  }
}

function differenceOf(
  first: Pick<RunReport, 'digest' | 'tables'>,
  second: Pick<RunReport, 'digest' | 'tables'>,
): string {
  const digests = `${first.digest.slice(0, 12)} and ${second.digest.slice(0, 12)}`
  const table = first.tables.find(({ hash }, at) => second.tables[at]?.hash !== hash)
  if (table === undefined) return digests
  const other = second.tables.find(({ name }) => name === table.name)
  return `${digests}; the first table that differs is ${table.name} (${table.rows} and ${other?.rows ?? 0} rows)`
}
