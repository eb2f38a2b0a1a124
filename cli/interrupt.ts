/**
 * Signals that end a command: Ctrl-C, SIGTERM, and SIGHUP of a terminal that is closed.
 */
import { exitCode } from './output.ts'
import { print } from './print.ts'

/** Ends the process, whatever a strategy module puts there while it is loaded. */
const leave = process.exit.bind(process)

/** Exit codes by the signals that are heard. */
export const signalCodes = {
  SIGINT: exitCode.interrupted,
  SIGTERM: exitCode.terminated,
  SIGHUP: exitCode.hungUp,
} as const

type Heard = keyof typeof signalCodes

/** Calls a listener for each signal that ends a command; the function that it returns stops that. */
export function hearSignals(listener: (signal: Heard) => void): () => void {
  const signals = Object.keys(signalCodes) as Heard[]
  for (const signal of signals) process.on(signal, listener)
  return () => {
    for (const signal of signals) process.off(signal, listener)
  }
}

/**
 * Ends the process at a signal, unless a command with work to finish also listens. As the process exits, it removes
 * the partial output of conversions, exports and queries (`untilExit`). A partial run stays, for
 * `resume`, and for `inspect` if it has a manifest.
 */
export function leaveAtSignals(): void {
  hearSignals((signal) => {
    if (process.listenerCount(signal) === 1) leave(signalCodes[signal])
  })
}

/** Signals that were heard. */
export interface Interrupt {
  /** The exit code of the signal that came, or null. */
  readonly code: () => number | null
  readonly forget: () => void
}

/** The first signal ends the run at the next request, the second ends the process. */
export function watchInterrupt(): Interrupt {
  let code: number | null = null
  const forget = hearSignals((signal) => {
    if (code !== null) leave(signalCodes[signal])
    code = signalCodes[signal]
    print('\ninterrupted: closing the files; interrupt again to exit at once\n', process.stderr)
  })
  return { code: () => code, forget }
}
