/**
 * Ctrl-C and SIGTERM of a run.
 */
import { exitCode } from './output.ts'

/** Ends the process, whatever a strategy module puts there while it is loaded. */
const leave = process.exit.bind(process)

/** Signals that were heard. */
export interface Interrupt {
  /** The exit code of the signal that came, or null. */
  readonly code: () => number | null
  readonly forget: () => void
}

/** The first Ctrl-C or SIGTERM ends the run at the next request, the second ends the process. */
export function watchInterrupt(): Interrupt {
  let code: number | null = null
  const onSignal = (signal: NodeJS.Signals): void => {
    const own = signal === 'SIGTERM' ? exitCode.terminated : exitCode.interrupted
    if (code !== null) leave(own)
    code = own
    process.stderr.write('\ninterrupted: closing the files; once more to leave now\n')
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return {
    code: () => code,
    forget: () => {
      process.off('SIGINT', onSignal)
      process.off('SIGTERM', onSignal)
    },
  }
}
