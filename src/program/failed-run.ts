/** Runs of a program that failed, as scenario files. */
import {
  checkOptions,
  decimalTextOf,
  formatIsoTime,
  type Micros,
  micros,
  type OptionKinds,
  parseIsoTime,
} from '../core/index.ts'
import type { MethodName } from '../gateways/index.ts'
import { venueSettings, writeSettings } from '../model/index.ts'
import type { RequestParams } from '../rpc/index.ts'
import type { VenueOptions } from './venue.ts'

/** A request of a recorded venue, as it was sent. */
export interface RecordedRequest {
  readonly time: Micros
  readonly account: string | null
  readonly method: MethodName
  readonly params: RequestParams
  /** Number of its connection; 0 without one. */
  readonly session: number
  /** The `order_id` of the order that it placed; null without one. */
  readonly orderId: string | null
  /** Code of the error with which the venue refused it; null if it was accepted or has no reply. */
  readonly refused: number | null
}

/** Expectations at the end of a run, in the words of `expect` of a scenario. */
export interface ScenarioExpectation {
  readonly laws?: 'hold'
  readonly accounts?: { readonly [account: string]: { readonly [part: string]: unknown } }
  readonly instruments?: { readonly [name: string]: { readonly [part: string]: unknown } }
  readonly index?: { readonly [name: string]: unknown }
}

/** A run that failed: `scenarioText` writes it as a scenario. */
export interface FailedRun {
  /** The failure in one sentence. */
  readonly title: string
  readonly market: VenueOptions
  readonly requests: readonly RecordedRequest[]
  /** The clock at the end. */
  readonly end: Micros
  readonly expect: ScenarioExpectation
}

const failedKinds: OptionKinds<FailedRun> = {
  title: 'string',
  market: 'object',
  requests: 'list',
  end: 'number',
  expect: 'object',
}

/** The error of a run that failed, with the code `LAW`, `DEFECT` or `EXPECTATION`. `scenarioReporter` writes its scenario. */
export class RunError extends RangeError {
  readonly run: FailedRun

  constructor(run: FailedRun, options?: ErrorOptions) {
    super(run.title, options)
    this.run = run
  }

  /** The text of the run as a scenario, as `scenarioText` writes it. */
  toScenario(): string {
    return scenarioText(this.run)
  }
}

/**
 * Writes a failed run as a scenario: its market, its requests at their times, and under `expect` the expectation that
 * failed. Ids of orders that the run placed become saved values, and a refused request expects its error.
 *
 * @throws RangeError with the code `OPTION` if an argument has another kind.
 *
 * @example
 * import { recordVenue, type RunError, scenarioText } from 'pitclock/testing'
 *
 * const recorded = recordVenue({ start: '2026-01-05T09:00:00Z', instruments: ['BTC-PERPETUAL'], accounts: { ann: { BTC: 1 } } })
 * try {
 *   recorded.fail('The client lost its deposit', { accounts: { ann: { account_summary: { BTC: { balance: 0 } } } } })
 * } catch (error) {
 *   console.log(scenarioText((error as RunError).run).split('\n')[1]) // title: "The client lost its deposit"
 * }
 */
export function scenarioText(run: FailedRun): string {
  checkOptions('scenarioText', run, failedKinds)
  const { start, instruments = [], index, accounts = {}, config, permissions } = run.market
  const parsed = parseIsoTime(start)
  const from = parsed.ok ? parsed.value : micros(0)
  const deposits = Object.entries(accounts).map(([name, deposit]) => {
    return [name, { deposit, ...permissions?.[name] }]
  })
  const venue = config === undefined ? {} : writeSettings(venueSettings, { ...config })
  return [
    'version: 1',
    `title: ${JSON.stringify(run.title)}`,
    ...(config?.blockTrades === undefined ? [] : [`seed: ${JSON.stringify(config.blockTrades.key)}`]),
    `start: ${formatIsoTime(from)}`,
    `until: ${run.end - from}us`,
    ...(Object.keys(venue).length === 0 ? [] : [`venue: ${flow(withDecimals(venue))}`]),
    `instruments: ${flow(instruments)}`,
    ...(index === undefined ? [] : [`index: ${flow(index)}`]),
    ...(deposits.length === 0 ? [] : ['accounts:']),
    ...deposits.map(([name, terms]) => `  ${flow(name)}: ${flow(terms)}`),
    ...(run.requests.length === 0 ? ['steps: []'] : ['steps:']),
    ...stepsOf(run.requests, from),
    ...(Object.keys(run.expect).length === 0 ? [] : [`expect: ${flow(run.expect)}`]),
    '',
  ].join('\n')
}

/** The requests as steps. A step that places an order saves its id if it is the `order_id` of a later step. */
function stepsOf(requests: readonly RecordedRequest[], from: number): readonly string[] {
  const texts = requests.map(({ params }) => JSON.stringify(params))
  const names = new Map<string, string>()
  return requests.map(({ time, account, method, params, session, orderId, refused }, at) => {
    const isNamed = orderId !== null && texts.slice(at + 1).some((text) => text.includes(`"order_id":"${orderId}"`))
    const given = flow(params, names)
    if (isNamed && !names.has(orderId)) names.set(orderId, `order_${names.size + 1}`)
    const parts = [
      `at: ${time - from}us`,
      ...(account === null ? [] : [`as: ${flow(account)}`]),
      ...(session === 0 ? [] : [`session: ${session}`]),
      `call: ${method}`,
      ...(given === '{}' ? [] : [`params: ${given}`]),
      ...(isNamed ? [`save: { ${names.get(orderId)}: result.order.order_id }`] : []),
      ...(refused === null ? [] : [`expect: { error: { code: ${refused} } }`]),
    ]
    return `  - { ${parts.join(', ')} }`
  })
}

/** Settings as in a file: journals have decimals as texts. */
function withDecimals(value: unknown): unknown {
  if (typeof value === 'string') return /^-?\d+(?:\.\d+)?$/.test(value) ? { decimal: value } : value
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withDecimals)
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withDecimals(part)]))
}

/** A value in one line of YAML. `saved` has the names of ids that a step saved. */
function flow(value: unknown, saved: ReadonlyMap<string, string> = new Map()): string {
  if (typeof value === 'string') {
    if (/^(?!true$|false$|null$|yes$|no$|on$|off$)[a-z][\w./-]*$/i.test(value)) return value
    return JSON.stringify(value.replaceAll('$', '$$$$'))
  }
  // A file has no exponents.
  if (typeof value === 'number') return decimalTextOf(value)
  if (typeof value !== 'object' || value === null) return String(value)
  if ('decimal' in value) return String(value.decimal)
  if (Array.isArray(value)) return `[${value.map((item) => flow(item, saved)).join(', ')}]`
  const parts = Object.entries(value).filter(([, part]) => part !== undefined)
  if (parts.length === 0) return '{}'
  const texts = parts.map(([key, part]) => {
    const name = key === 'order_id' ? saved.get(String(part)) : undefined
    return `${flow(key)}: ${name === undefined ? flow(part, saved) : `$${name}`}`
  })
  return `{ ${texts.join(', ')} }`
}
