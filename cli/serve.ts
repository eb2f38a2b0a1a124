/** `pitclock serve`: offers the venue's interface over HTTP and WebSockets. */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { RunReport, Server, ServerOptions } from '../src/node.ts'
import { collected, listed, settingsOf } from './flags.ts'
import { hearSignals } from './interrupt.ts'
import { complain, exitCode, type Misuse, misuse, printJson, refuseInput } from './output.ts'
import { print } from './print.ts'
import { fullSummary } from './summary.ts'

type LogLevel = NonNullable<NonNullable<ServerOptions['log']>['level']>

const logLevels = listed<LogLevel>({
  silent: true,
  error: true,
  warn: true,
  info: true,
  debug: true,
})

interface ServeFlags {
  readonly port: string
  readonly host: string
  readonly clock: string
  readonly sim?: true
  readonly simSecret?: string
  readonly set?: readonly string[]
  readonly seed?: string
  readonly out?: string
  readonly force?: true
  readonly exact?: true
  readonly feeds?: string
  readonly cors?: true | string
  readonly strict?: true
  readonly log?: string
  readonly logLevel?: string
  readonly tlsKey?: string
  readonly tlsCert?: string
  readonly readyJson?: true
  readonly quiet?: true
}

/** Adds the command. */
export function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description("Run a scenario as a server with the venue's API over HTTP and WebSocket.")
    .argument('[scenario]', 'a scenario (default: a perpetual with simulated traders that starts now)')
    .option('-p, --port <port>', 'the port; 0 chooses a free one', '8420')
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--clock <clock>', 'wall, scaled:RATE such as scaled:60, or stepped', 'wall')
    .option('--sim', 'offer the controls (sim/…) to clients with the key sim; --clock stepped always does')
    .option('--sim-secret <secret>', 'the secret of the key sim (default: sim-secret)')
    .option('--set <key=value>', 'set a value of the scenario (can be repeated)', collected)
    .option('--seed <seed>', 'the same as --set seed=SEED')
    .option('-o, --out <dir>', 'write the tables, journal and manifest to a folder')
    .option('--force', 'replace the folder if it exists')
    .option('--exact', 'write exact figures: scaled integers in Arrow, DECIMAL in Parquet')
    .option('--feeds <dir>', 'folder to search first for recorded files')
    .option('--cors [origins]', 'allow web pages from these origins, separated by commas, or from all without a value')
    .option('--strict', 'refuse unknown parameters, and text instead of numbers or booleans; the venue accepts them')
    .option('--log <file>', 'append a log to a file, one JSON object per line; - is standard error')
    .option('--log-level <level>', `${logLevels} (default: info)`)
    .option('--tls-key <file>', 'private key in PEM format; with --tls-cert, turns on TLS')
    .option('--tls-cert <file>', 'certificate in PEM format')
    .option('--ready-json', 'print one JSON line with address and keys when the server is ready')
    .option('-q, --quiet', 'print errors only')
    .addHelpText(
      'before',
      `Examples:
  pitclock serve
  pitclock serve my-market.yaml --out runs/live
  pitclock serve my-market.yaml --clock scaled:60
  pitclock serve my-market.yaml --clock stepped --port 0 --ready-json
  pitclock run runs/live/journal.jsonl
`,
    )
    .addHelpText(
      'after',
      `
Each account has an API key: the id is the account's name, and the secret is the name followed by -secret. Ctrl-C
closes the market, writes the folder and prints the summary. A run of the journal gives the same digest.`,
    )
    .action(serveCommand)
}

async function serveCommand(scenario: string | undefined, flags: ServeFlags): Promise<void> {
  const options = readOptions(scenario, flags)
  if (options === null) return
  const begun = performance.now()
  const { createServer } = await import('../src/node.ts')
  const opened = await createServer(options).catch(misuseOf)
  if (opened === null) return
  if (!opened.ok) {
    refuseInput(opened.error)
    return
  }
  const server = opened.value
  const forget = hearSignals(() => {
    // The second signal then ends the process (`leaveAtSignals`).
    forget()
    // `done` reports the outcome.
    server.close().catch(() => undefined)
  })
  // The signals are handled before the greeting, because a reader of the greeting may send one at once.
  greet(server, flags)
  const ended = await server.done
  forget()
  if (!ended.ok) {
    refuseInput(ended.error)
    return
  }
  conclude(ended.value, flags, begun)
}

function conclude(report: RunReport, flags: ServeFlags, begun: number): void {
  if (report.failures.length > 0) {
    complain({ lines: report.failures, errors: report.unmet })
    process.exitCode ??= exitCode.failed
  }
  if (flags.quiet === true || flags.readyJson === true) return
  print(`${fullSummary(report, (performance.now() - begun) / 1000)}\n`)
}

/** Flags by the names of options that the server itself checks. */
const flagOf: Readonly<Record<string, string>> = {
  clock: '--clock',
  cors: '--cors',
  'log.level': '--log-level',
}

/** Prints the mistake in an option that the server refuses; throws any other error again. */
function misuseOf(error: unknown): null {
  const words = error instanceof RangeError ? error.message : ''
  const [, option = '', expected = '', found = ''] = /^(.+?): expected (.+), found (.*)$/.exec(words) ?? []
  const path = flagOf[option]
  if (path === undefined) throw error
  return misused({ path, expected, found })
}

/** The options of the server; null, after printing the mistake, if a flag is invalid. */
function readOptions(scenario: string | undefined, flags: ServeFlags): ServerOptions | null {
  const port = /^\d{1,5}$/.test(flags.port) ? Number(flags.port) : Number.NaN
  if (!(port <= 65_535)) return misused({ path: '--port', expected: 'a port from 0 to 65535', found: flags.port })
  const { tlsKey, tlsCert } = flags
  if ((tlsKey === undefined) !== (tlsCert === undefined)) {
    return misused({ path: '--tls-key and --tls-cert', expected: 'both', found: 'one' })
  }
  const run = {
    set: settingsOf(flags.set, flags.seed),
    out: flags.out ?? null,
    force: flags.force === true,
    exact: flags.exact === true,
    feeds: flags.feeds ?? null,
    command: process.argv.slice(2),
  }
  const options: ServerOptions = {
    port,
    host: flags.host,
    clock: flags.clock,
    sim: flags.sim === true,
    cors: typeof flags.cors === 'string' ? flags.cors.split(',') : flags.cors === true,
    strict: flags.strict === true,
    run,
  }
  const secret = flags.simSecret === undefined ? {} : { simSecret: flags.simSecret }
  const from = scenario === undefined ? {} : { scenario }
  const isLogged = flags.log !== undefined || flags.logLevel !== undefined
  // The server refuses unknown levels.
  const level = (flags.logLevel ?? 'info') as LogLevel
  const log = isLogged ? { log: { file: flags.log ?? '-', level } } : {}
  if (tlsKey === undefined || tlsCert === undefined) return { ...options, ...secret, ...from, ...log }
  try {
    const tls = { key: readFileSync(tlsKey, 'utf8'), cert: readFileSync(tlsCert, 'utf8') }
    return { ...options, ...secret, ...from, ...log, tls }
  } catch (error) {
    const found = error instanceof Error ? error.message : String(error)
    const fault = { code: 'FILE' as const, expected: 'a readable key and certificate', found }
    refuseInput({ kind: 'io', lines: [found], errors: [fault] })
    return null
  }
}

function misused(wrong: Misuse): null {
  misuse(wrong)
  return null
}

/** Prints the addresses of the server and the keys of its clients. */
function greet(server: Server, flags: ServeFlags): void {
  const { port, url, socketUrl, gatewayUrl, keys } = server
  if (flags.readyJson === true) {
    printJson('serve', {
      version: 1,
      port,
      url,
      socket_url: socketUrl,
      gateway_url: gatewayUrl,
      clock: flags.clock,
      keys,
      time: server.now(),
    })
    return
  }
  if (flags.quiet === true) return
  const shown = keys
    .slice(0, KEYS_SHOWN)
    .map(({ client_id: id, client_secret: secret }) => `  ${id.padEnd(16)} ${secret}`)
  const more = keys.length > KEYS_SHOWN ? [`  and ${keys.length - KEYS_SHOWN} more accounts`] : []
  const lines = [`http       ${url}`, `websocket  ${socketUrl}`, `time       ${server.now()}`]
  print(`${[...lines, 'keys', ...shown, ...more].join('\n')}\n`, process.stderr)
}

const KEYS_SHOWN = 6
