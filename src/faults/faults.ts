/**
 * Faults of messages: the rules that describe them, and the choice of the fault that affects a message. Code that
 * transports messages calls `faultOf` for each one and applies the returned fault.
 *
 * A rule is plain data. Scenario files and `sim/set_faults` use the same words and differ only in their points of time,
 * so the schema of a rule takes the schema of a time.
 *
 * Each rule has a separate random stream, derived from the seed of the run and its place in the list, so that an
 * additional rule does not change the others, and a run without rules draws nothing. Rules are checked in their order;
 * the first that affects a message decides, and later ones neither draw nor count. Messages of the simulator's controls
 * always pass; the transporting code ensures that.
 */
import {
  defined,
  nearest,
  parseDuration,
  type RandomState,
  type RandomStream,
  randomStream,
  restoreRandomStream,
  z,
} from '../core/index.ts'
import { type FaultReason, faultReasons } from '../model/index.ts'

/**
 * Faults of messages.
 * - `drop`: the message never comes.
 * - `delay`: it comes later by `by`; others overtake it.
 * - `double`: it comes twice.
 * - `reorder`: the next message to the same receiver comes before it; it comes after `by` at the latest.
 * - `refuse`: the request is refused in transit, with a reason.
 * - `half_open`: the connection stays open, but no message passes in either direction.
 */
export const faultKinds = ['drop', 'delay', 'double', 'reorder', 'refuse', 'half_open'] as const

/** A fault of messages. */
type FaultKind = (typeof faultKinds)[number]

/** Messages that can be dropped, delayed, doubled or reordered. */
const faultTargets = ['replies', 'notifications'] as const

/** Messages that a fault can affect. */
type MessageSort = (typeof faultTargets)[number] | 'requests'

/** Beginnings of names of channels, up to their first parameter. */
export const faultChannels = [
  'announcements',
  'block_rfq.maker',
  'block_rfq.maker.quotes',
  'block_rfq.taker',
  'block_rfq.trades',
  'block_trade_confirmations',
  'book',
  'chart.trades',
  'deribit_price_index',
  'deribit_price_ranking',
  'deribit_price_statistics',
  'deribit_volatility_index',
  'estimated_expiration_price',
  'incremental_ticker',
  'instrument.creation',
  'instrument.state',
  'markprice.options',
  'perpetual',
  'platform_state',
  'platform_state.public_methods_state',
  'quote',
  'ticker',
  'trades',
  'user.access_log',
  'user.changes',
  'user.combo_trades',
  'user.isolated.liquidation',
  'user.liquidation',
  'user.lock',
  'user.lsp',
  'user.mmp_trigger',
  'user.orders',
  'user.portfolio',
  'user.trades',
] as const

/** One rule, as plain data. Times and durations are microseconds. */
export type FaultRule = {
  readonly kind: FaultKind
  /** Affected messages; null for kinds that determine them. */
  readonly of: (typeof faultTargets)[number] | null
  /** Methods of the requests or replies; null for all. */
  readonly methods: readonly string[] | null
  /** Beginnings of names of channels; null for all. */
  readonly channels: readonly string[] | null
  /** Account of the messages; null for all accounts. */
  readonly account: string | null
  /** Probability for each message. */
  readonly probability: number
  /** Affects only every n-th message. */
  readonly every: number
  /** Largest number of affected messages; null for no limit. */
  readonly most: number | null
  /** Delay of a message; 0 for other kinds of faults. */
  readonly by: number
  /** Reason of the refusal; null for other kinds. */
  readonly reason: FaultReason | null
  readonly from: number
  /** End of the rule, excluded; null for no end. */
  readonly until: number | null
}

/** Default time that a reordered message waits for the next one: one second. */
const REORDER_MICROS = 1_000_000
/** Largest delay, one day: a later message counts as lost. */
const BY_MICROS_MAX = 86_400_000_000

/** Largest number of messages that faults delay on one connection, or for one strategy; further ones are lost. */
export const LATE_MAX = 1_000_000

/** Fields of a rule besides `kind` and its times, all optional. */
export const faultFields = {
  of: z.enum(faultTargets).optional().meta({ description: 'Messages to drop, delay, duplicate or reorder.' }),
  methods: z
    .array(z.string())
    .min(1)
    .optional()
    .meta({
      description: 'Methods whose requests or replies are affected; default: all methods except controls.',
      examples: [['private/buy', 'private/sell']],
    }),
  channels: z
    .array(z.string())
    .min(1)
    .optional()
    .meta({
      description: 'Prefixes of the names of affected channels; default: all channels.',
      examples: [['book.BTC-PERPETUAL', 'user.orders']],
    }),
  account: z
    .string()
    .optional()
    .meta({
      description: 'Account whose messages are affected; default: all accounts.',
      examples: ['taker'],
    }),
  probability: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .meta({
      description: 'Probability that a message is affected; default: always.',
      examples: [0.1],
    }),
  every: z
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Affects one of every so many messages, instead of a probability.' }),
  most: z.int().min(1).optional().meta({ description: 'Maximum number of affected messages.' }),
  by: z
    .string()
    .optional()
    .meta({
      description: 'Delay of a message; for `reorder`, the maximum, default 1s.',
      examples: ['250ms'],
    }),
  reason: z
    .enum(faultReasons)
    .optional()
    .meta({ description: 'Reason of rejected requests; their error is 10028, 13028 or 11051.' }),
}

/** A field of a rule besides its kind and its times. */
type RuleField = keyof typeof faultFields

/** A rule in a file or a request, without its times. */
export type SaidRule = { readonly kind: FaultKind } & Readonly<z.output<z.ZodObject<typeof faultFields>>>

const often = ['account', 'probability', 'every', 'most'] as const
const chosen = ['of', 'methods', 'channels', ...often] as const

/** The allowed fields of each kind besides its times. */
const takenBy: { readonly [K in FaultKind]: readonly RuleField[] } = {
  drop: chosen,
  delay: [...chosen, 'by'],
  double: chosen,
  reorder: [...chosen, 'by'],
  refuse: ['methods', 'reason', ...often],
  half_open: ['account'],
}

const needs: { readonly [K in FaultKind]: readonly (readonly [RuleField, expected: string])[] } = {
  drop: [['of', 'replies or notifications']],
  delay: [
    ['of', 'replies or notifications'],
    ['by', 'a delay, such as 250ms'],
  ],
  double: [['of', 'replies or notifications']],
  reorder: [['of', 'replies or notifications']],
  refuse: [['reason', `one of ${faultReasons.join(', ')}`]],
  half_open: [],
}

/** An invalid field. */
interface RuleMistake {
  readonly field: RuleField
  /** The index of the invalid entry in a list. */
  readonly index?: number
  readonly expected: string
  /** A similar valid name, if there is one. */
  readonly meant?: string | undefined
}

/**
 * All mistakes in a rule with a valid shape, except an unknown account. `served` lists the names of methods; a fault
 * affects no controls.
 */
export function ruleMistakes(said: SaidRule, served: readonly string[]): RuleMistake[] {
  const mistakes: RuleMistake[] = []
  for (const [field, expected] of needs[said.kind]) {
    if (said[field] === undefined) mistakes.push({ field, expected })
  }
  for (const field of ruleFields) {
    if (said[field] === undefined || takenBy[said.kind].includes(field)) continue
    mistakes.push({ field, expected: `no ${field} in a fault of kind ${said.kind}` })
  }
  if (said.of === 'replies' && said.channels !== undefined) {
    mistakes.push({ field: 'channels', expected: 'methods, as replies have no channel' })
  }
  if (said.of === 'notifications' && said.methods !== undefined) {
    mistakes.push({ field: 'methods', expected: 'channels, as notifications have no method' })
  }
  if (said.probability !== undefined && said.every !== undefined) {
    mistakes.push({ field: 'every', expected: 'either probability or every' })
  }
  const by = said.by === undefined ? undefined : parseDuration(said.by)
  if (by?.ok === false) mistakes.push({ field: 'by', expected: by.error.expected })
  else if (by !== undefined && (by.value < 1 || by.value > BY_MICROS_MAX)) {
    mistakes.push({ field: 'by', expected: 'a duration above 0 and up to a day' })
  }
  const affected = served.filter((name) => !name.startsWith('sim/'))
  for (const [index, name] of (said.methods ?? []).entries()) {
    if (affected.includes(name)) continue
    const expected = 'a served private/ or public/ method'
    mistakes.push({ field: 'methods', index, expected, meant: nearest(name, affected) })
  }
  for (const [index, name] of (said.channels ?? []).entries()) {
    if (faultChannels.some((known) => beginsWith(name, known) || beginsWith(known, name))) continue
    mistakes.push({ field: 'channels', index, expected: 'the prefix of a channel name' })
  }
  return mistakes
}

// The keys of a table are its words; the type of `Object.keys` does not say that.
const ruleFields = Object.keys(faultFields) as readonly RuleField[]

/** Makes a rule from input without mistakes, valid from a time on and, if given, until another. */
export function ruleOf(said: SaidRule, from: number, until: number | null): FaultRule {
  const wait = said.by === undefined ? undefined : parseDuration(said.by)
  return {
    kind: said.kind,
    of: said.of ?? null,
    methods: said.methods === undefined ? null : [...said.methods],
    channels: said.channels === undefined ? null : [...said.channels],
    account: said.account ?? null,
    probability: said.probability ?? 1,
    every: said.every ?? 1,
    most: said.most ?? null,
    by: wait?.ok === true ? wait.value : said.kind === 'reorder' ? REORDER_MICROS : 0,
    reason: said.reason ?? null,
    from,
    until,
  }
}

/** True if the name of a channel equals another one or begins with it, part by part. */
function beginsWith(name: string, beginning: string): boolean {
  return name === beginning || name.startsWith(`${beginning}.`)
}

/** A message in transit. */
export interface FaultMessage {
  readonly of: MessageSort
  /** The method of a request or reply, or the channel of a notification. */
  readonly name: string
  /** The account of the client; null without an account. */
  readonly account: string | null
  /** The virtual time in microseconds. */
  readonly time: number
  /** True if its connection carries no other message: it comes once, and cannot be reordered. */
  readonly isAlone?: boolean
  /** True for messages between the market and a client of a server, false for messages of a strategy. */
  readonly isOfClient?: boolean
}

interface RuleMemory {
  chance: RandomStream
  /** Messages that the rule was checked for. */
  seen: number
  /** Messages that the rule affected. */
  met: number
}

/** The faults of a run; only the functions of this file write it. */
export interface Faults {
  readonly seed: string
  /** Number of rule lists so far; each new list has new random streams. */
  lists: number
  rules: readonly FaultRule[]
  /**
   * Memories of each rule: first those for messages of strategies, then those for messages of clients. So connected
   * clients do not change the faults of a strategy, and a forked market behaves the same.
   */
  memories: RuleMemory[]
  /** Number of faults so far, by kind and affected messages. */
  readonly counts: Map<string, number>
}

/** Faults as plain data. */
export type FaultsState = {
  readonly seed: string
  readonly lists: number
  readonly rules: readonly FaultRule[]
  readonly memories: readonly {
    readonly chance: RandomState
    readonly seen: number
    readonly met: number
  }[]
  readonly counts: readonly (readonly [string, number])[]
}

/** Number of occurrences of a fault. */
export interface FaultCount {
  /** Effect of the fault. */
  readonly kind: FaultRule['kind']
  /** Sort of the affected messages: `replies`, `notifications`, `requests`; or the reason of a refusal. */
  readonly of: string
  /** Number of occurrences. */
  readonly count: number
}

/** The default seed. */
const USUAL_SEED = '0'

/** The faults of a run, possibly without rules. */
export function createFaults(seed = USUAL_SEED, rules: readonly FaultRule[] = []): Faults {
  const faults: Faults = { seed, lists: 0, rules: [], memories: [], counts: new Map() }
  if (rules.length > 0) setFaultRules(faults, rules)
  return faults
}

/** Replaces the rules. */
export function setFaultRules(faults: Faults, rules: readonly FaultRule[]): void {
  faults.lists += 1
  faults.rules = rules
  const ofAll = (whose: string): RuleMemory[] =>
    rules.map((_, index) => ({
      chance: randomStream(faults.seed, `faults.${faults.lists}.${index}${whose}`),
      seen: 0,
      met: 0,
    }))
  faults.memories = [...ofAll(''), ...ofAll('.clients')]
}

/** The rule that affects a message, which is counted; null if the message passes unchanged. */
export function faultOf(faults: Faults, message: FaultMessage): FaultRule | null {
  const { rules, memories } = faults
  for (let at = 0; at < rules.length; at += 1) {
    const rule = rules[at] as FaultRule
    if (!isMeant(rule, message)) continue
    const place = message.isOfClient === true ? at + rules.length : at
    if (!isMet(rule, defined(memories[place], 'each rule has a memory'))) continue
    const key = `${rule.kind} ${rule.reason ?? message.of}`
    faults.counts.set(key, (faults.counts.get(key) ?? 0) + 1)
    return rule
  }
  return null
}

/** True while the connections of an account are half open. The check is not counted. */
export function isHalfOpen(faults: Faults, { account, time }: Pick<FaultMessage, 'account' | 'time'>): boolean {
  return faults.rules.some((rule) => rule.kind === 'half_open' && isOf(rule, { account, time }))
}

/**
 * The next time after another at which connections become half open or stop being half open; infinite if there is no
 * such time.
 */
export function nextHalfOpenEdge({ rules }: Faults, time: number): number {
  let next = Number.POSITIVE_INFINITY
  for (const { kind, from, until } of rules) {
    if (kind !== 'half_open') continue
    if (from > time) next = Math.min(next, from)
    if (until !== null && until > time) next = Math.min(next, until)
  }
  return next
}

/** Returns the counts of faults, in the order of their first occurrence. */
export function faultCounts(faults: Faults): readonly FaultCount[] {
  return [...faults.counts].map(([key, count]) => {
    const [kind = '', of = ''] = key.split(' ')
    // `faultOf` created the key.
    return { kind: kind as FaultRule['kind'], of, count }
  })
}

/** Faults as plain data; null if there never were any and the seed is the default. */
export function saveFaults(faults: Faults): FaultsState | null {
  if (faults.lists === 0 && faults.seed === USUAL_SEED) return null
  return {
    seed: faults.seed,
    lists: faults.lists,
    rules: faults.rules,
    memories: faults.memories.map(({ chance, seen, met }) => ({ chance: chance.snapshot(), seen, met })),
    counts: [...faults.counts],
  }
}

/** Restores saved faults. */
export function loadFaults(state: FaultsState): Faults {
  return {
    seed: state.seed,
    lists: state.lists,
    rules: state.rules,
    memories: state.memories.map(({ chance, seen, met }) => ({
      chance: restoreRandomStream(chance),
      seen,
      met,
    })),
    counts: new Map(state.counts),
  }
}

function isMet({ every, probability, most }: FaultRule, memory: RuleMemory): boolean {
  if (most !== null && memory.met >= most) return false
  memory.seen += 1
  if (memory.seen % every !== 0) return false
  if (probability < 1 && memory.chance.nextDouble() >= probability) return false
  memory.met += 1
  return true
}

function isMeant(rule: FaultRule, message: FaultMessage): boolean {
  if (!isOf(rule, message)) return false
  if (rule.kind === 'half_open') return true
  if ((rule.kind === 'refuse' ? 'requests' : rule.of) !== message.of) return false
  if (message.isAlone === true && (rule.kind === 'double' || rule.kind === 'reorder')) return false
  if (rule.methods !== null && !rule.methods.includes(message.name)) return false
  return rule.channels === null || rule.channels.some((beginning) => beginsWith(message.name, beginning))
}

function isOf({ account, from, until }: FaultRule, message: Pick<FaultMessage, 'account' | 'time'>): boolean {
  if (account !== null && account !== message.account) return false
  return message.time >= from && (until === null || message.time < until)
}
