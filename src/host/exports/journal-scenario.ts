/**
 * Writes a journal as a scenario, so that a session of a server can be kept, changed and shrunk. Every request becomes a
 * step. Ids of orders become saved values, and refused requests expect their errors. The scenario leaves out requests
 * that a later `sim/restore` took back, because steps cannot go back in time.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { err, formatIsoTime, type InputError, ok, type Result } from '../../core/index.ts'
import type { MethodName } from '../../gateways/index.ts'
import { defaultConfig } from '../../model/index.ts'
import { type RecordedRequest, scenarioText } from '../../program/index.ts'
import {
  advanceRun,
  createJournalRun,
  decodeJournal,
  finishRun,
  parseScenario,
  type RunHooks,
} from '../../scenario/index.ts'
import { type RunFault, runFault } from '../runs/run-fault.ts'
import { readRunText } from '../runs/run-text.ts'

/** Options of `journalScenario`. */
export interface JournalScenarioOptions {
  /** Its title. Default: that of the journal. */
  readonly title?: string
  /** Expectations at the end, as YAML in one line, in the words of `expect` of a scenario. Default: none. */
  readonly expect?: string
}

type Request = Parameters<typeof createJournalRun>[1][number]
type Reply = Parameters<NonNullable<RunHooks['onReply']>>[1]

/** The scenario of a journal, or of the journal in a run folder. */
export async function journalScenario(
  path: string,
  { title, expect }: JournalScenarioOptions = {},
): Promise<Result<string, RunFault>> {
  const inside = join(path, 'journal.jsonl')
  const file = existsSync(inside) ? inside : path
  const source = await readRunText(file)
  if (!source.ok) return source
  const decoded = decodeJournal(source.value.text, file)
  if (!decoded.ok) return err(runFault('input', ...decoded.error))
  const { head, requests } = decoded.value
  if (head.feeds.length > 0) {
    const expected = 'a run without recorded files, whose messages are no requests'
    return unreadable({ code: 'VALUE', file, path: 'feeds', expected, found: `${head.feeds.length} feeds` })
  }
  const replies = new Map<Request, Reply>()
  const run = createJournalRun(head, requests, { onReply: (request, reply) => replies.set(request, reply) }, null)
  while (advanceRun(run, Number.POSITIVE_INFINITY) === 'more');
  const { start, ...config } = head.config
  const usual: object = defaultConfig(start)
  const changed = Object.entries(config).filter(([name, value]) => !isDeepStrictEqual(value, Reflect.get(usual, name)))
  // A scenario names its first instruments and prices outside its steps.
  const setup = requests.slice(0, head.setup)
  const listings = setup.filter((request) => isPlain(request, 'sim/list_instrument', 'instrument_name'))
  const prices = setup.filter((request) => isPlain(request, 'sim/set_index', 'index_name,price'))
  const moved = new Set([...listings, ...prices])
  const text = scenarioText({
    title: title ?? head.title,
    market: {
      start: formatIsoTime(start),
      instruments: listings.map(({ params }) => String(Reflect.get(params, 'instrument_name'))),
      index: Object.fromEntries(prices.map(({ params }) => [Reflect.get(params, 'index_name'), priceIn(params)])),
      config: Object.fromEntries(changed),
    },
    requests: keptRequests(
      requests.filter((request) => !moved.has(request)),
      replies,
    ),
    end: finishRun(run).end,
    expect: {},
  })
  const whole = `${text}${expect === undefined ? '' : `expect: ${expect}\n`}`
  const parsed = parseScenario(whole, 'the scenario')
  return parsed.ok ? ok(whole) : err(runFault('input', ...parsed.error))
}

/** True for a request with these parameters alone: a listing without changes of the terms, or a price. */
function isPlain({ method, params }: Request, asked: string, names: string): boolean {
  return method === asked && Object.keys(params).join() === names
}

function priceIn(params: object): number {
  return Number(Reflect.get(params, 'price'))
}

/** Requests in the order of time: a restore drops those after its snapshot. */
function keptRequests(requests: readonly Request[], replies: ReadonlyMap<Request, Reply>): readonly RecordedRequest[] {
  const kept: RecordedRequest[] = []
  const lengths = new Map<unknown, number>()
  for (const request of requests) {
    const { method, params, time, account, session } = request
    const reply = replies.get(request)
    const { name } = params as { readonly name?: string }
    if (method === 'sim/snapshot' && reply?.ok) {
      lengths.set(name, kept.length)
    } else if (method === 'sim/restore' && reply?.ok) {
      kept.length = lengths.get(name) ?? kept.length
    } else {
      const result: unknown = reply?.ok ? reply.result : null
      const { order } = (result ?? {}) as { readonly order?: { readonly order_id?: string } }
      const refused = reply === undefined || reply.ok ? null : reply.error.code
      // A journal may have methods that do not exist.
      const known = method as MethodName
      kept.push({ time, account, method: known, params, session, orderId: order?.order_id ?? null, refused })
    }
  }
  return kept
}

function unreadable(error: InputError): Result<never, RunFault> {
  return err(runFault('input', error))
}
