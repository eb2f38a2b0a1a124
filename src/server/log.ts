/**
 * The log of a server: lines of JSON about its connections and problems, one line for each event. Only the level
 * `debug` has a line for each request; other levels log only requests that fail authentication or with a fault. The
 * package is loaded only for a server with a log.
 *
 * The log contains texts of clients only if they are names of known methods or accounts, or have the form of a
 * parameter name (up to a limit). It never receives secrets, tokens or signatures.
 */
import { closeSync, openSync } from 'node:fs'

/** Levels of a log, beginning with the one with the fewest lines. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const

/** The level of a log. */
type LogLevel = (typeof logLevels)[number]

/** Options of the log of a server. */
export interface LogOptions {
  /** Default: `info`. */
  readonly level?: LogLevel
  /** The file that the log is appended to; standard error by default and for `-`. */
  readonly file?: string
}

/** Facts of an event by name. */
export type LogFields = Readonly<Record<string, string | number | object>>

/** A log. */
export interface ServerLog {
  error(fields: LogFields, event: string): void
  warn(fields: LogFields, event: string): void
  info(fields: LogFields, event: string): void
  debug(fields: LogFields, event: string): void
  /** True at the level `debug`, so that facts of requests are collected only then. */
  readonly isDebug: boolean
  /** Writes the remaining lines and closes the file. */
  close(): void
}

const ignore = (): void => undefined

/** The log of a server without a log. */
export const noLog: ServerLog = {
  error: ignore,
  warn: ignore,
  info: ignore,
  debug: ignore,
  isDebug: false,
  close: ignore,
}

/** The same log with additional facts in each line; closing it does not close the original log. */
export function logWith(log: ServerLog, more: LogFields): ServerLog {
  return {
    error: (fields, event) => log.error({ ...more, ...fields }, event),
    warn: (fields, event) => log.warn({ ...more, ...fields }, event),
    info: (fields, event) => log.info({ ...more, ...fields }, event),
    debug: (fields, event) => log.debug({ ...more, ...fields }, event),
    isDebug: log.isDebug,
    close: ignore,
  }
}

const STANDARD_ERROR = 2

/**
 * Opens a log; `clock` returns the virtual time, which each line has in addition to the time of the machine. Throws if
 * the file cannot be opened.
 */
export async function openLog(options: LogOptions, clock: () => string): Promise<ServerLog> {
  const { level = 'info', file = '-' } = options
  if (level === 'silent') return noLog
  const descriptor = file === '-' ? STANDARD_ERROR : openSync(file, 'a')
  const { pino } = await import('./pino.ts')
  const destination = pino.destination({ dest: descriptor, sync: true })
  // A log that cannot be written does not stop the market.
  destination.on('error', ignore)
  const timestamp = pino.stdTimeFunctions.isoTime
  const formatters = { level: (label: string) => ({ level: label }) }
  const mixin = (): object => ({ virtual: clock() })
  const logger = pino({ level, base: null, timestamp, formatters, mixin }, destination)
  let isOpen = true
  const at =
    (name: Exclude<LogLevel, 'silent'>) =>
    (fields: LogFields, event: string): void => {
      if (isOpen) logger[name](fields, event)
    }
  return {
    error: at('error'),
    warn: at('warn'),
    info: at('info'),
    debug: at('debug'),
    isDebug: level === 'debug',
    close: () => {
      isOpen = false
      destination.flushSync()
      if (descriptor !== STANDARD_ERROR) closeSync(descriptor)
    },
  }
}
