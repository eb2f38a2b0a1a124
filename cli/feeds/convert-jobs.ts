/**
 * `pitclock convert --jobs N`: converts several files at once, each in a separate process, because reading rows keeps a
 * processor busy. The output appears in the order of the files.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { ConvertReport, InputError, TardisFeedReport } from '../../src/node.ts'
import { hearSignals, signalCodes } from '../interrupt.ts'
import { exitCode } from '../output.ts'

/** A file and the output path of its tape or text. */
interface ConvertTask {
  readonly file: string
  readonly output: string
}

/** The outcome of a process: its report, or its exit code with its output and errors. */
export type Converted =
  | { readonly ok: true; readonly report: ConvertReport | TardisFeedReport }
  | {
      readonly ok: false
      readonly code: number
      readonly text: string
      readonly errors: readonly InputError[]
    }

/**
 * Converts files with the flags of this command, at most `jobs` at once, and reports them in their order. After a
 * failure or a signal it starts no further file and waits for the running ones; it also passes a signal on to them.
 */
export async function convertAtOnce(
  tasks: readonly ConvertTask[],
  jobs: number,
  flags: readonly string[],
  report: (converted: Converted) => void,
): Promise<void> {
  const ended: Converted[] = []
  let begun = 0
  let reported = 0
  let hasFailed = false
  const children = new Set<ChildProcess>()
  const forget = hearSignals((signal) => {
    hasFailed = true
    process.exitCode = signalCodes[signal]
    for (const child of children) child.kill(signal)
  })
  const work = async (): Promise<void> => {
    while (!hasFailed) {
      const at = begun
      const task = tasks[at]
      if (task === undefined) return
      begun += 1
      const converted = await convertApart(task, flags, children)
      ended[at] = converted
      hasFailed ||= !converted.ok
      for (let next = ended[reported]; next !== undefined; next = ended[reported]) {
        reported += 1
        report(next)
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: jobs }, work))
  } finally {
    forget()
  }
}

/** Converts a file in a separate process, which ends with this one. */
async function convertApart(
  { file, output }: ConvertTask,
  flags: readonly string[],
  children: Set<ChildProcess>,
): Promise<Converted> {
  const [program = ''] = process.argv.slice(1)
  const args = [program, 'convert', '--json', '--out', output, ...flags, '--', file]
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    stdio: ['inherit', 'pipe', 'pipe'],
  })
  children.add(child)
  let [out, text] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    out += more
  })
  child.stderr.setEncoding('utf8').on('data', (more: string) => {
    text += more
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  children.delete(child)
  if (code !== exitCode.done) {
    return { ok: false, code: code ?? exitCode.internal, text, errors: errorsIn(out) }
  }
  const { tapes, texts } = JSON.parse(out) as {
    readonly tapes?: readonly ConvertReport[]
    readonly texts?: readonly TardisFeedReport[]
  }
  const [report] = tapes ?? texts ?? []
  if (report === undefined) throw new RangeError('a conversion that is done has a report')
  return { ok: true, report }
}

/** The errors that a process printed; empty if it was ended from outside before it could print any. */
function errorsIn(out: string): readonly InputError[] {
  if (out === '') return []
  const { errors = [] } = JSON.parse(out) as { readonly errors?: readonly InputError[] }
  return errors
}
