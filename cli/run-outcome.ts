/** Shows the outcome of a run on the terminal and as an exit code. */
import type { RunFault, RunReport } from '../src/node.ts'
import type { Interrupt } from './interrupt.ts'
import { complain, exitCode, refuseInput } from './output.ts'
import { print } from './print.ts'
import { fullSummary, summaryLine } from './summary.ts'

/** Prints the summary of a run or the reason for its failure; undefined if it could not be run. */
export function printOutcome(
  result: { readonly ok: true; readonly value: RunReport } | { readonly ok: false; readonly error: RunFault },
  how: {
    /** Beginning of the run by the clock of the process, in milliseconds. */
    readonly begun: number
    readonly interrupt: Interrupt
    /** True for one of many runs, which have one line each. */
    readonly many: boolean
    /** True to print only failures. */
    readonly isSilent: boolean
    readonly stream: NodeJS.WritableStream
  },
): RunReport | undefined {
  const { begun, interrupt, many, isSilent, stream } = how
  if (!result.ok) {
    refuseInput(result.error)
    process.exitCode = interrupt.code() ?? process.exitCode
    return undefined
  }
  const report = result.value
  // A run that was interrupted without a signal ended because its reader closed the output, which is not a fault.
  if (report.status === 'interrupted' && interrupt.code() === null) return report
  const seconds = (performance.now() - begun) / 1000
  if (report.failures.length > 0) {
    complain({ lines: report.failures, errors: report.unmet })
    process.exitCode ??= exitCode.failed
  }
  if (!isSilent) {
    const text = many ? summaryLine(report, seconds) : fullSummary(report, seconds)
    print(`${text}\n`, stream)
  }
  if (report.status === 'interrupted') process.exitCode = interrupt.code() ?? exitCode.done
  return report
}
