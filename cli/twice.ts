/**
 * `pitclock run --twice`: runs the same file again in a new process and compares the digests. That process has another
 * time zone, locale, working directory and environment, so that a run that depends on one of them differs.
 */
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { resolve } from 'node:path'
import type { RunReport } from '../src/node.ts'
import { complain, exitCode } from './output.ts'

/** Maximum output of the second run. */
const OUTPUT_BYTES_MAX = 256 * 1024 * 1024

/** Other options that change the results of a run. */
interface RunFlags {
  readonly feeds: string | undefined
  readonly set: readonly string[]
}

/** Runs a file again and reports the first table that differs. */
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

/** The report of the second run, or the reason for a missing one. It must end with the exit code of the first run. */
function runAgain(report: RunReport, { feeds, set }: RunFlags): Pick<RunReport, 'digest' | 'tables'> | string {
  const [program = ''] = process.argv.slice(1)
  const given = [...(feeds === undefined ? [] : ['--feeds', resolve(feeds)]), ...set.flatMap((each) => ['--set', each])]
  const child = spawnSync(
    process.execPath,
    [...process.execArgv, resolve(program), 'run', '--json', '--tables', ...given, pathOf(report.file)],
    {
      cwd: tmpdir(),
      env: otherEnvironment(),
      encoding: 'utf8',
      maxBuffer: OUTPUT_BYTES_MAX,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const fault = child.stderr.trim() || `exit code ${child.status ?? child.signal}`
  if (child.status !== (report.failures.length > 0 ? exitCode.failed : exitCode.done)) return fault
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

/**
 * The environment of the second run: variables that a program needs to start are kept, others are omitted or differ.
 */
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
