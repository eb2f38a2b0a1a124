/**
 * A server of the venue's interface: one port for HTTP and WebSockets, in front of a market that follows a clock.
 *
 * Source: sessions document 1.3, 1.4; coverage S004-S006, S321.
 */

import type { AddressInfo } from 'node:net'
import {
  checkOptions,
  checkWhole,
  coded,
  formatIsoTime,
  type OptionKinds,
  parseDuration,
  type Result,
} from '../core/index.ts'
import {
  isSystemError,
  type RunFault,
  type RunFileOptions,
  type RunReport,
  runDocument,
  runFile,
  systemWords,
} from '../host/index.ts'
import { advanceTarget, type ServedReply, type VenueError } from '../rpc/index.ts'
import { Seals, Signatures } from './access/index.ts'
import { type ClockMode, clockWords, readClockMode, ServerClock } from './clock.ts'
import type { OpenFork } from './connection-service.ts'
import { closeMarket, FORKS_PATH, Forks, type MarketPaths } from './forks.ts'
import { GATEWAYS_PATH } from './gateway-endpoint.ts'
import { API_PATH } from './http-endpoint.ts'
import { type Listener, listen, SOCKET_PATH } from './listener.ts'
import { LiveMarket } from './live-market.ts'
import { type LogOptions, logLevels, logWith, noLog, openLog, type ServerLog } from './log.ts'
import { type MarketEndpoints, openEndpoints } from './market-endpoints.ts'
import { ServerMonitor } from './monitor.ts'
import type { Past } from './past.ts'

/** Options of a server, with their defaults. */
export interface ServerOptions {
  /** A scenario file, or a scenario as an object; by default the default market, starting now. */
  readonly scenario?: string | object
  /** The port; 0, the default, selects a free port. */
  readonly port?: number
  /** The address that it listens on; by default `127.0.0.1`, which other machines cannot reach. */
  readonly host?: string
  /** `wall` (the default), `scaled:60` (a minute of the market in a second) or `stepped` (`sim/advance` moves it). */
  readonly clock?: string
  /**
   * True if the server offers `sim/` methods to clients with the key `sim`. With a `stepped` clock it always offers
   * them.
   */
  readonly sim?: boolean
  /** The secret of that key; by default `sim-secret`. */
  readonly simSecret?: string
  /** Key and certificate in PEM; with them the server uses TLS. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /**
   * Origins such as `https://app.example` whose pages may use the server, in addition to this machine; `true` for
   * all. Clients may also address the server by the host names of these origins.
   */
  readonly cors?: boolean | readonly string[]
  /**
   * True if the server refuses mistakes that the venue accepts: an unknown parameter, a number, a boolean or a list as
   * text, a slash before a method, and a slash after a URL.
   */
  // Source: R32.
  readonly strict?: boolean
  /** The log of connections, failed authentication and faults, in lines of JSON; no log by default. */
  readonly log?: LogOptions
  /** Outputs of the run: tables, journal, log. */
  readonly run?: Pick<
    Partial<RunFileOptions>,
    'out' | 'force' | 'exact' | 'journal' | 'events' | 'log' | 'feeds' | 'set' | 'command' | 'audit'
  >
}

/** Access to one market of a server. */
export interface MarketAccess {
  /** Address of the interface over HTTP, such as `http://127.0.0.1:8420/api/v2`. */
  readonly url: string
  /** Address of WebSockets. */
  readonly socketUrl: string
  /** Base address of the alternative engine's REST gateways. The path names the gateway: `/ETH_A/api/v2/…`. */
  readonly gatewayUrl: string
  /** Keys for clients: one for each account, and one for the controls if the server serves them. */
  readonly keys: readonly { readonly client_id: string; readonly client_secret: string }[]
  /** The virtual time as an ISO time. */
  now(): string
  /**
   * Moves the clock by a duration such as `5s`, and runs and reports all work due until then. Returns the new time.
   */
  advance(duration: string): string
  /**
   * Resolves when the market ends, which also ends its server: to the report, or to the reason why the market could not
   * continue. Rejects after an internal fault. All connections are closed by then.
   */
  readonly done: Promise<Result<RunReport, RunFault>>
  /** Closes all connections and the market, and the forks of a server. Resolves with the report. */
  close(): Promise<Result<RunReport, RunFault>>
}

/** A running server. */
export interface Server extends MarketAccess {
  readonly port: number
  /**
   * Opens a second market that continues from the present, or from the snapshot `from` that a client made with
   * `sim/snapshot` (`sim/fork`). Resolves when the market accepts requests. Rejects with a `RangeError` if the name
   * is taken, if the snapshot does not exist, or if the server does not serve controls.
   */
  fork(name: string, from?: string): Promise<MarketAccess>
}

const PORT_MAX = 65_535

const serverKinds: OptionKinds<ServerOptions> = {
  scenario: 'object | string?',
  port: 'number?',
  host: 'string?',
  clock: 'string?',
  sim: 'boolean?',
  simSecret: 'string?',
  tls: 'object?',
  cors: 'boolean | texts?',
  strict: 'boolean?',
  log: 'object?',
  run: 'object?',
}

const runKinds: OptionKinds<NonNullable<ServerOptions['run']>> = {
  out: 'string | null?',
  force: 'boolean?',
  exact: 'boolean?',
  journal: 'boolean?',
  events: 'string | null?',
  log: 'string | null?',
  feeds: 'string | null?',
  set: 'texts?',
  command: 'texts | null?',
  audit: 'boolean?',
}

const tlsKinds: OptionKinds<NonNullable<ServerOptions['tls']>> = { key: 'string', cert: 'string' }

/**
 * Refuses options that do not exist.
 *
 * @throws RangeError with the code `OPTION` if an option does not exist.
 */
function checkServerOptions(what: string, options: ServerOptions): void {
  checkOptions(what, options, serverKinds)
  checkWhole(`${what}: port`, options.port, 0, PORT_MAX)
  if (options.run !== undefined) checkOptions(`${what}: run`, options.run, runKinds)
  if (options.tls !== undefined) checkOptions(`${what}: tls`, options.tls, tlsKinds)
  if (options.log !== undefined) checkOptions(`${what}: log`, options.log, { level: 'string?', file: 'string?' })
}

/**
 * Opens a server and resolves once it listens. Throws a `RangeError` for an invalid option. A scenario that cannot be
 * run, a port that is in use and similar problems are errors of the result.
 *
 * @throws RangeError with the code `OPTION` or `TIME` for an invalid option, `SCENARIO` if the scenario cannot be
 * served, `FORK`, by `fork`, if a fork cannot be opened.
 *
 * @example
 * const server = await createServer({ scenario: 'market.yaml', clock: 'stepped' })
 * if (server.ok) console.log(server.value.url)
 */
export async function createServer(options: ServerOptions = {}): Promise<Result<Server, RunFault>> {
  checkServerOptions('createServer', options)
  const mode = readClockMode(options.clock ?? 'wall')
  if (mode === undefined) {
    throw coded(new RangeError(`clock: expected ${clockWords}, found ${options.clock}`), 'OPTION')
  }
  const { level = 'info' } = options.log ?? {}
  if (!logLevels.includes(level)) {
    throw coded(new RangeError(`log.level: expected one of ${logLevels.join(', ')}, found ${level}`), 'OPTION')
  }
  for (const origin of Array.isArray(options.cors) ? options.cors : []) {
    if (URL.canParse(origin) && new URL(origin).origin === origin) continue
    const expected = 'an origin such as https://app.example'
    throw coded(new RangeError(`cors: expected ${expected}, found ${origin}`), 'OPTION')
  }
  const sim = options.sim === true || mode.kind === 'stepped'
  const strict = options.strict === true
  const simSecret = options.simSecret ?? 'sim-secret'
  const terms = { sim, simSecret, strict, signatures: new Signatures(), seals: new Seals() }
  const given: MarketTerms = {
    mode,
    scenario: options.scenario ?? defaultMarket(new Date(wholeSecond(Date.now())).toISOString()),
    run: options.run ?? {},
    remembers: sim,
  }
  const main = beginMarket(given)
  const fault = await whenOpen(main)
  if (fault !== null) return { ok: false, error: fault }
  const log = await openServerLog(main.market, options.log)
  if (!log.ok) {
    main.market.stop()
    await main.done
    return log
  }
  const forks: Forks = new Forks((name, past) => {
    const fork = beginMarket({ ...given, run: forkRun(given.run, name), past })
    const monitor = new ServerMonitor(logWith(log.value, { fork: name }))
    const opened = forkEndpoints(fork, () => openEndpoints(fork.market, terms, monitor, openFork))
    opened.catch((error: unknown) => monitor.fault(error))
    logEnd(fork.done, monitor)
    return { name, done: fork.done, endpoints: opened }
  }, marketPaths)
  const openFork: OpenFork = (from, name, kept) => forks.open(from, name, kept)
  const endpoints = openEndpoints(main.market, terms, new ServerMonitor(log.value), openFork)
  main.endpoints = endpoints
  const listening = await listen({ ...endpoints, options, mode, sim, forks })
  if (!listening.ok) {
    main.market.stop()
    await main.done
    endpoints.monitor.stop(listening.error.kind)
    return listening
  }
  return { ok: true, value: serverOf(options, endpoints, forks, listening.value, main.done) }
}

/** How the markets of a server run: the same scenario, each with separate outputs. */
interface MarketTerms {
  readonly mode: ClockMode
  readonly scenario: string | object
  readonly run: NonNullable<ServerOptions['run']>
  readonly remembers: boolean
  readonly past?: Past
}

/** A running market; its endpoints exist once it is open. */
interface BegunMarket {
  readonly market: LiveMarket
  readonly done: Server['done']
  endpoints: MarketEndpoints | null
}

function beginMarket({ mode, scenario, run, remembers, past }: MarketTerms): BegunMarket {
  const market = new LiveMarket({
    clock: (start) => new ServerClock(mode, start),
    connections: () => begun.endpoints?.sockets,
    remembers,
    ...(past === undefined ? {} : { past }),
  })
  const done = runMarket(market, { scenario, run })
  // Its clients are disconnected when it ends. A rejection that no caller awaits must not end the process.
  const closeSockets = (): void => begun.endpoints?.sockets.closeAll()
  done.then(closeSockets, closeSockets)
  const begun: BegunMarket = { market, done, endpoints: null }
  return begun
}

/** Resolves with null once a market is open, or with the reason if it has ended before. */
async function whenOpen(fork: BegunMarket): Promise<RunFault | null> {
  const ended = await Promise.race([fork.market.opened.then(() => null), fork.done])
  if (ended === null) return null
  if (ended.ok) throw coded(new RangeError('scenario: expected a scenario, found a run that has ended'), 'SCENARIO')
  return ended.error
}

/** Opens the endpoints of a fork once it has reached the fork point. */
async function forkEndpoints(fork: BegunMarket, open: () => MarketEndpoints): Promise<MarketEndpoints> {
  const fault = await whenOpen(fork)
  if (fault !== null) throw coded(new RangeError(fault.lines.join('\n')), 'FORK')
  fork.endpoints = open()
  return fork.endpoints
}

/** Outputs of a fork: the folder of its server with the name of the fork appended. */
function forkRun(run: MarketTerms['run'], name: string): MarketTerms['run'] {
  const { journal: _, events: __, log: ___, ...shared } = run
  return { ...shared, out: run.out == null ? null : `${run.out}-${name}` }
}

/** A listening server, from its parts. */
function serverOf(
  options: ServerOptions,
  endpoints: MarketEndpoints,
  forks: Forks,
  listener: Listener,
  done: Server['done'],
): Server {
  const { port } = listener.http.address() as AddressInfo
  endpoints.monitor.listening({ port, clock: options.clock ?? 'wall' })
  logEnd(done, endpoints.monitor)
  const host = options.host ?? '127.0.0.1'
  const origin = { host, port, secure: options.tls === undefined ? '' : 's' }
  const fork = async (name: string, from?: string): Promise<MarketAccess> => {
    const params = from === undefined ? { name } : { name, from }
    const request = { method: 'sim/fork', params, account: null, session: 0 }
    const serve = (): ServedReply => forks.open(endpoints.market, name, from)
    const error = await new Promise<VenueError | null>((resolve) => {
      endpoints.market.ask({ ...request, serve, onReply: (reply) => resolve(reply.ok ? null : reply.error) })
    })
    const found = forks.find(name)
    if (error !== null || found === undefined) {
      throw coded(new RangeError(`fork ${name}: ${error?.message} (${JSON.stringify(error?.data)})`), 'FORK')
    }
    return accessTo(await found.endpoints, { ...origin, place: `${FORKS_PATH}/${name}` }, found.done)
  }
  const shut = async (): Promise<void> => {
    await forks.close()
    endpoints.sockets.closeAll()
    listener.close()
  }
  // The end of the market is the end of the server, whatever the reason.
  const ended = done.finally(shut)
  ended.catch(() => undefined)
  const close = async (): Promise<Result<RunReport, RunFault>> => {
    await shut()
    await endpoints.market.end()
    return await ended
  }
  return { ...accessTo(endpoints, { ...origin, place: '' }, ended), port, fork, close }
}

/** Logs the end of a market. */
function logEnd(done: Server['done'], monitor: ServerMonitor): void {
  done.then(
    (ended) => monitor.stop(ended.ok ? 'complete' : ended.error.kind),
    (error: unknown) => {
      monitor.fault(error)
      monitor.stop('fault')
    },
  )
}

/** The address of a server and where it is written. */
interface ServerAddress {
  readonly host: string
  readonly port: number
  readonly secure: string
  readonly place: string
}

/** Access to a market of a server, by its address. */
function accessTo(endpoints: MarketEndpoints, at: ServerAddress, done: Server['done']): MarketAccess {
  const { market, keys } = endpoints
  const origin = `${at.host}:${at.port}${at.place}`
  return {
    url: `http${at.secure}://${origin}${API_PATH}`,
    socketUrl: `ws${at.secure}://${origin}${SOCKET_PATH}`,
    gatewayUrl: `http${at.secure}://${origin}${GATEWAYS_PATH}`,
    keys,
    now: () => formatIsoTime(market.now),
    advance: (duration) => {
      const by = parseDuration(duration)
      const isReachable = advanceTarget({ by: duration }, market.now) !== undefined
      const expected = by.ok ? 'a duration to a time before mid-2255' : by.error.expected
      if (!isReachable) throw coded(new RangeError(`expected ${expected}, found ${duration}`), 'TIME')
      market.ask({ method: 'sim/advance', params: { by: duration }, account: null, session: 0 })
      return formatIsoTime(market.now)
    },
    done,
    close: async () => {
      await closeMarket(endpoints)
      return await done
    },
  }
}

const marketPaths: MarketPaths = { api: API_PATH, socket: SOCKET_PATH, gateways: GATEWAYS_PATH }

/**
 * Opens a server for a test, with a free port and a clock that only `advance` moves. Throws if the scenario cannot be
 * served. Call `close` when the test is over.
 *
 * @throws RangeError with the code `OPTION` or `TIME` for an invalid option, `SCENARIO` if the scenario cannot be
 * served, `FORK`, by `fork`, if a fork cannot be opened.
 *
 * @example
 * const venue = await createTestVenue({ scenario: 'market.yaml' })
 * afterAll(() => venue.close())
 */
export async function createTestVenue(options: ServerOptions = {}): Promise<Server> {
  checkServerOptions('createTestVenue', options)
  const opened = await createServer({ clock: 'stepped', ...options })
  if (opened.ok) return opened.value
  throw coded(new RangeError(opened.error.lines.join('\n')), 'SCENARIO')
}

/** Runs the market until it is stopped. */
async function runMarket(
  market: LiveMarket,
  { scenario, run }: Pick<MarketTerms, 'scenario' | 'run'>,
): Promise<Result<RunReport, RunFault>> {
  const options = { ...run, live: market }
  return typeof scenario === 'string' ? await runFile(scenario, options) : await runDocument(scenario, options)
}

/** Opens the log if the options ask for one. */
async function openServerLog(
  market: LiveMarket,
  options: LogOptions | undefined,
): Promise<Result<ServerLog, RunFault>> {
  if (options === undefined) return { ok: true, value: noLog }
  try {
    return { ok: true, value: await openLog(options, () => formatIsoTime(market.now)) }
  } catch (error) {
    if (!isSystemError(error)) throw error
    const line = `${options.file}: ${systemWords(error)}`
    const words = { expected: 'a file that can be written', found: systemWords(error) }
    const fault = { code: 'FILE' as const, file: String(options.file), ...words }
    return { ok: false, error: { kind: 'io', lines: [line], errors: [fault] } }
  }
}

function wholeSecond(millis: number): number {
  return millis - (millis % 1000)
}

/**
 * The market of a server without a scenario: a perpetual with a population around a drifting index, and two accounts
 * with money.
 */

/** The scenario of the default market, starting at an ISO time. */
function defaultMarket(start: string): object {
  return {
    version: 1,
    title: 'A perpetual with a population of makers and takers',
    seed: 'default-market',
    start,
    instruments: ['BTC-PERPETUAL', 'ETH-PERPETUAL'],
    venue: { listed_futures: ['BTC'] },
    index: { btc_usd: 100_000, eth_usd: 4_000 },
    accounts: {
      alice: { deposit: { BTC: 10, ETH: 100, USDC: 100_000 } },
      bob: { deposit: { BTC: 10, ETH: 100, USDC: 100_000 } },
    },
    population: {
      instrument: 'BTC-PERPETUAL',
      duration: '7d',
      index: { name: 'btc_usd', price: 100_000, tick: 0.5, every: '4s', step: 12 },
      amount: 10,
      makers: {
        count: 12,
        deposit: { BTC: 20 },
        every: '2s',
        orders: 12,
        offset: [4, 60],
        size: [10, 400],
      },
      takers: { count: 20, deposit: { BTC: 5 }, every: '30s', size: [5, 300], limit_percent: 25 },
    },
  }
}
