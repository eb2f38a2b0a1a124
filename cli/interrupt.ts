/** Signals that end a command: Ctrl-C, SIGTERM, and SIGHUP from a closed terminal. */
import { exitCode } from './output.ts'
import { print } from './print.ts'

/** The original function that ends the process. A strategy module may replace `process.exit` while it is loaded. */
const leave = process.exit.bind(process)

/** Exit codes by the handled signals. */
export const signalCodes = {
  SIGINT: exitCode.interrupted,
  SIGTERM: exitCode.terminated,
  SIGHUP: exitCode.hungUp,
} as const

type Heard = keyof typeof signalCodes

/** Calls a listener for each signal that ends a command. The returned function removes the listener. */
export function hearSignals(listener: (signal: Heard) => void): () => void {
  const signals = Object.keys(signalCodes) as Heard[]
  for (const signal of signals) process.on(signal, listener)
  return () => {
    for (const signal of signals) process.off(signal, listener)
  }
}

/**
 * Ends the process at a signal, unless a command with work to finish also has a listener. The exit removes the partial
 * output of conversions, exports and queries (`untilExit`). A partial run stays, for `resume`, and for `inspect` if it
 * has a manifest.
 */
export function leaveAtSignals(): void {
  hearSignals((signal) => {
    if (process.listenerCount(signal) === 1) leave(signalCodes[signal])
  })
}

/** The received signals. */
export interface Interrupt {
  /** The exit code of the received signal, or null. */
  readonly code: () => number | null
  readonly forget: () => void
}

/** Handles signals of a run: the first signal ends the run at the next request, the second one ends the process. */
export function watchInterrupt(): Interrupt {
  let code: number | null = null
  const forget = hearSignals((signal) => {
    if (code !== null) leave(signalCodes[signal])
    code = signalCodes[signal]
    print('\ninterrupted: closing the files; interrupt again to exit at once\n', process.stderr)
  })
  return { code: () => code, forget }
}
