/**
 * The log of a server: lines of JSON about its connections and what goes wrong, one for each event, none for each
 * request unless somebody asks for `debug`. The package is loaded where a log is asked for.
 *
 * Nothing that a client wrote stands in it but what is a word of ours: methods that there are, names of accounts, names
 * of parameters. Secrets, tokens and signatures are never handed to it.
 */
import { closeSync, openSync } from 'node:fs'

/** Levels of a log, from the one that tells least. */
export const logLevels = ['silent', 'error', 'warn', 'info', 'debug'] as const

/** How much a log tells. */
export type LogLevel = (typeof logLevels)[number]

/** How a server keeps a log. */
export interface LogOptions {
  /** Default: `info`. */
  readonly level?: LogLevel
  /** The file to which it is added; else, and for `-`, standard error. */
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
  /** True if it tells what is told with `debug`, so that nobody gathers facts of each request in vain. */
  readonly isDebug: boolean
  /** Writes what is left and closes the file. */
  close(): void
}

const ignore = (): void => undefined

/** A log that nobody asked for. */
export const noLog: ServerLog = {
  error: ignore,
  warn: ignore,
  info: ignore,
  debug: ignore,
  isDebug: false,
  close: ignore,
}

/** The same log with more facts in each line; its lines end with the log itself. */
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

/** Opens a log; `clock` tells the virtual time, which stands beside that of the machine. Throws where its file cannot be. */
export async function openLog(options: LogOptions, clock: () => string): Promise<ServerLog> {
  const { level = 'info', file = '-' } = options
  if (level === 'silent') return noLog
  const descriptor = file === '-' ? STANDARD_ERROR : openSync(file, 'a')
  const { pino } = await import('./pino.ts')
  const destination = pino.destination({ dest: descriptor, sync: true })
  // A log that cannot be written is no reason to stop a market.
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
