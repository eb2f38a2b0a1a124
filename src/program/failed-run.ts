/** Runs of a program that failed, as scenario files. */
import { checkOptions, formatIsoTime, type Micros, micros, type OptionKinds, parseIsoTime } from '../core/index.ts'
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
  /** The `order_id` of the order that it placed; null without one. */
  readonly orderId: string | null
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

/** The error of a run that failed, with the code `LAW` or `EXPECTATION`. `scenarioReporter` writes its scenario. */
export class RunError extends RangeError {
  readonly run: FailedRun

  constructor(run: FailedRun) {
    super(run.title)
    this.run = run
  }

  /** The text of the run as a scenario, as `scenarioText` writes it. */
  toScenario(): string {
    return scenarioText(this.run)
  }
}

/**
 * Writes a failed run as a scenario: its market, its requests at their times, and under `expect` the expectation that
 * failed. Ids of orders that the run placed become saved values.
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
    `start: ${formatIsoTime(from)}`,
    `until: ${run.end - from}us`,
    ...(Object.keys(venue).length === 0 ? [] : [`venue: ${JSON.stringify(venue)}`]),
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

/** The requests as steps. A step that places an order that a later step names saves its id. */
function stepsOf(requests: readonly RecordedRequest[], from: number): readonly string[] {
  const texts = requests.map(({ params }) => JSON.stringify(params))
  const names = new Map<string, string>()
  return requests.map(({ time, account, method, params, orderId }, at) => {
    const isNamed = orderId !== null && texts.slice(at + 1).some((text) => text.includes(JSON.stringify(orderId)))
    const given = flow(params, names)
    if (isNamed && !names.has(orderId)) names.set(orderId, `order_${names.size + 1}`)
    const parts = [
      `at: ${time - from}us`,
      ...(account === null ? [] : [`as: ${flow(account)}`]),
      `call: ${method}`,
      ...(given === '{}' ? [] : [`params: ${given}`]),
      ...(isNamed ? [`save: { ${names.get(orderId)}: result.order.order_id }`] : []),
    ]
    return `  - { ${parts.join(', ')} }`
  })
}

/** A value in one line of YAML. `saved` has the names of ids that a step saved. */
function flow(value: unknown, saved: ReadonlyMap<string, string> = new Map()): string {
  if (typeof value === 'string') {
    const name = saved.get(value)
    if (name !== undefined) return `$${name}`
    if (/^(?!true$|false$|null$|yes$|no$|on$|off$)[A-Za-z][\w./-]*$/.test(value)) return value
    return JSON.stringify(value.replaceAll('$', '$$$$'))
  }
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => flow(item, saved)).join(', ')}]`
  const parts = Object.entries(value).filter(([, part]) => part !== undefined)
  if (parts.length === 0) return '{}'
  return `{ ${parts.map(([key, part]) => `${flow(key)}: ${flow(part, saved)}`).join(', ')} }`
}
