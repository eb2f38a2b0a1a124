/**
 * A server of the venue's interface: one port for HTTP and WebSockets, in front of a market that goes along with a
 * clock.
 *
 * Source: sessions document 1.3, 1.4; coverage S004-S006, S321.
 */
import type { AddressInfo } from 'node:net'
import { formatIsoTime, micros, parseDuration, type Result } from '../core/index.ts'
import { allAccounts, keysOfAccount } from '../engine/index.ts'
import {
  isSystemError,
  type RunFault,
  type RunFileOptions,
  type RunReport,
  runDocument,
  runFile,
  systemWords,
} from '../host/index.ts'
import { readClockMode, ServerClock } from './clock.ts'
import { defaultMarket } from './default-market.ts'
import { Gate } from './gate.ts'
import { GATEWAYS_PATH, GatewayDoor } from './gateway-door.ts'
import { API_PATH, HttpDoor } from './http-door.ts'
import { KeyRing, SIM_KEY, secretOf } from './key-ring.ts'
import { type Listener, listen, SOCKET_PATH } from './listener.ts'
import { LiveMarket } from './live-market.ts'
import { type LogOptions, logLevels, noLog, openLog, type ServerLog } from './log.ts'
import { SocketDoor } from './socket-door.ts'
import { Watch } from './watch.ts'

/** How a server is opened. What is left out is as it says. */
export interface ServerOptions {
  /** A scenario file, or a scenario as an object; else the default market, from the present time on. */
  readonly scenario?: string | object
  /** The port; 0, the default, takes a free one. */
  readonly port?: number
  /** The address that it listens on; else `127.0.0.1`, which no other machine reaches. */
  readonly host?: string
  /** `wall` (the default), `scaled:60` (a minute of the market in a second) or `stepped` (`sim/advance` moves it). */
  readonly clock?: string
  /** True if `sim/` methods are served to who has the key `sim`; a `stepped` clock serves them always. */
  readonly sim?: boolean
  /** The secret of that key; else `sim-secret`. */
  readonly simSecret?: string
  /** Key and certificate in PEM; with them it speaks TLS. */
  readonly tls?: { readonly key: string; readonly cert: string }
  /** True if pages of other origins may ask. */
  readonly cors?: boolean
  /** True if parameters that a method does not have are refused, by name; else nobody takes notice of them (R32). */
  readonly strict?: boolean
  /** The log of connections, failed authentication and faults, in lines of JSON; left out where none is kept. */
  readonly log?: LogOptions
  /** Outputs of the run: tables, journal, log. */
  readonly run?: Pick<
    Partial<RunFileOptions>,
    'out' | 'force' | 'exact' | 'journal' | 'events' | 'log' | 'feeds' | 'set' | 'command' | 'audit'
  >
}

/** A server that listens. */
export interface Server {
  readonly port: number
  /** Address of the interface over HTTP, such as `http://127.0.0.1:8420/api/v2`. */
  readonly url: string
  /** Address of WebSockets. */
  readonly socketUrl: string
  /** Address of the REST gateways of the alternative engine, below which each has its own: `/ETH_A/api/v2/…`. */
  readonly gatewayUrl: string
  /** Keys that clients may use: one for each account, and that of the controls where they are served. */
  readonly keys: readonly { readonly client_id: string; readonly client_secret: string }[]
  /** The virtual time as an ISO time. */
  now(): string
  /** Moves the clock by a duration such as `5s`: all that is due until then is done and told. Returns the time then. */
  advance(duration: string): string
  /** Ends when the market does: its report, or why it could not go on. */
  readonly done: Promise<Result<RunReport, RunFault>>
  /** Closes all connections and the market; resolves with its report. */
  close(): Promise<Result<RunReport, RunFault>>
}

const MICROS_PER_MILLI = 1000

/**
 * Opens a server and resolves once it listens. Throws `RangeError` where an option cannot be; a scenario that cannot
 * be run, a port that is taken and the like are errors of the result.
 *
 * @example
 * const server = await createServer({ scenario: 'market.yaml', clock: 'stepped' })
 * if (server.ok) console.log(server.value.url)
 */
export async function createServer(options: ServerOptions = {}): Promise<Result<Server, RunFault>> {
  const mode = readClockMode(options.clock ?? 'wall')
  if (mode === undefined) {
    throw new RangeError(`clock: expected wall, stepped or scaled:RATE, found ${options.clock}`)
  }
  const { level = 'info' } = options.log ?? {}
  if (!logLevels.includes(level)) {
    throw new RangeError(`log.level: expected one of ${logLevels.join(', ')}, found ${level}`)
  }
  const sim = options.sim === true || mode.kind === 'stepped'
  const simSecret = options.simSecret ?? 'sim-secret'
  let sockets: SocketDoor | undefined
  const market = new LiveMarket({
    clock: (start) => new ServerClock(mode, start),
    onSessionEnd: (session) => sockets?.endSession(session),
  })
  const done = runMarket(market, options)
  // Whoever awaits it hears of a fault; a server that nobody awaits does not end its process by one.
  done.catch(() => undefined)
  const started = await Promise.race([market.opened.then(() => null), done])
  if (started !== null) {
    if (started.ok) throw new RangeError('scenario: expected a scenario, found a run that ended')
    return started
  }
  const keys = new KeyRing(market, { sim, simSecret })
  const log = await openServerLog(market, options.log)
  if (!log.ok) {
    market.stop()
    await done
    return log
  }
  const watch = new Watch(log.value)
  const strict = options.strict === true
  const gate = new Gate({ market, keys, watch, strict, seed: 'pitclock' })
  const parts = { market, gate, watch }
  sockets = new SocketDoor(parts)
  const door = new HttpDoor(parts)
  const gateways = new GatewayDoor(parts)
  const listening = await listen({ options, mode, sim, market, watch, door, gateways, sockets })
  if (!listening.ok) {
    market.stop()
    await done
    watch.stop(listening.error.kind)
    return listening
  }
  const parted = { options, market, watch, sockets, listener: listening.value, done }
  return { ok: true, value: serverOf({ ...parted, keys: keysOf(market, { sim, simSecret }) }) }
}

/** A server that listens, over its parts. */
function serverOf(of: {
  readonly options: ServerOptions
  readonly market: LiveMarket
  readonly watch: Watch
  readonly sockets: SocketDoor
  readonly listener: Listener
  readonly keys: Server['keys']
  readonly done: Server['done']
}): Server {
  const { options, market, watch, sockets, listener, keys, done } = of
  const { port } = listener.http.address() as AddressInfo
  watch.listening({ port, clock: options.clock ?? 'wall' })
  done.then(
    (ended) => watch.stop(ended.ok ? 'complete' : ended.error.kind),
    (error: unknown) => {
      watch.fault(error)
      watch.stop('fault')
    },
  )
  const host = options.host ?? '127.0.0.1'
  const secure = options.tls === undefined ? '' : 's'
  const close = async (): Promise<Result<RunReport, RunFault>> => {
    sockets.closeAll()
    listener.close()
    // The journal ends with a request at the time at which the market did, so that it runs as far again.
    if (market.isOpen)
      market.ask({ method: 'public/get_time', params: {}, account: null, session: 0 })
    market.stop()
    return await done
  }
  return {
    port,
    url: `http${secure}://${host}:${port}${API_PATH}`,
    socketUrl: `ws${secure}://${host}:${port}${SOCKET_PATH}`,
    gatewayUrl: `http${secure}://${host}:${port}${GATEWAYS_PATH}`,
    keys,
    now: () => formatIsoTime(market.now),
    advance: (duration) => {
      const by = parseDuration(duration)
      if (!by.ok) throw new RangeError(`expected ${by.error.expected}, found ${by.error.found}`)
      const params = { to: Math.ceil((market.now + by.value) / MICROS_PER_MILLI) }
      market.advance(micros(params.to * MICROS_PER_MILLI))
      market.ask({ method: 'sim/advance', params, account: null, session: 0 })
      return formatIsoTime(market.now)
    },
    done,
    close,
  }
}

/** The keys that a server shows. */
function keysOf(
  market: LiveMarket,
  { sim, simSecret }: { readonly sim: boolean; readonly simSecret: string },
): Server['keys'] {
  const shown = allAccounts(market.desk.exchange)
    .filter(({ house }) => !house)
    .flatMap(({ id, name }) => [
      name,
      ...keysOfAccount(market.desk.exchange, id).map((key) => `${name}/${key.name}`),
    ])
    .map((id) => ({ client_id: id, client_secret: secretOf(id) }))
  if (sim) shown.push({ client_id: SIM_KEY, client_secret: simSecret })
  return shown
}

/**
 * Opens a server for a test: a free port, and a clock that stands until `advance` moves it. Throws where the scenario
 * cannot be served; `close` it when the test is over.
 *
 * @example
 * const venue = await createTestVenue({ scenario: 'market.yaml' })
 * afterAll(() => venue.close())
 */
export async function createTestVenue(options: ServerOptions = {}): Promise<Server> {
  const opened = await createServer({ clock: 'stepped', ...options })
  if (opened.ok) return opened.value
  throw new RangeError(opened.error.lines.join('\n'))
}

/** Runs the market until it is stopped. */
async function runMarket(
  market: LiveMarket,
  { scenario, run = {} }: ServerOptions,
): Promise<Result<RunReport, RunFault>> {
  const options = { ...run, live: market }
  if (typeof scenario === 'string') return await runFile(scenario, options)
  const document = scenario ?? defaultMarket(new Date(wholeSecond(Date.now())).toISOString())
  return await runDocument(document, options)
}

/** Opens the log that was asked for. */
async function openServerLog(
  market: LiveMarket,
  options: LogOptions | undefined,
): Promise<Result<ServerLog, RunFault>> {
  if (options === undefined) return { ok: true, value: noLog }
  try {
    return { ok: true, value: await openLog(options, () => formatIsoTime(market.now)) }
  } catch (error) {
    if (!isSystemError(error)) throw error
    return { ok: false, error: { kind: 'io', lines: [`${options.file}: ${systemWords(error)}`] } }
  }
}

function wholeSecond(millis: number): number {
  return millis - (millis % 1000)
}
