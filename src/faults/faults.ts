/**
 * Faults of a run: which message meets which fault. Who carries messages asks here for each, and does what it is told.
 *
 * Each rule has a stream of chance of its own, from the seed of the run and its place in the list, so that a rule more
 * moves nothing of the others, and a run without rules draws nothing. Rules are asked in their order; the first that
 * meets a message decides, and those after it neither draw nor count. What the simulator's controls say passes always,
 * which its carriers see to.
 */
import { defined, type RandomState, type RandomStream, randomStream, restoreRandomStream } from '../core/index.ts'
import { beginsWith, type FaultRule, type MessageSort } from './rules.ts'

/** A message on its way. */
export interface FaultMessage {
  readonly of: MessageSort
  /** The method of a request or reply, the channel of a notification. */
  readonly name: string
  /** The account at the other end; null for nobody's. */
  readonly account: string | null
  /** The virtual time in microseconds. */
  readonly time: number
  /** True if its connection carries no other: it comes once, and in no order. */
  readonly isAlone?: boolean
  /** True if it goes between the market and a client of a server, and not a strategy. */
  readonly isOfClient?: boolean
}

interface RuleMemory {
  chance: RandomStream
  /** Messages that it was asked about. */
  seen: number
  /** Messages that it met. */
  met: number
}

/** The faults of a run; only the functions of this file write it. */
export interface Faults {
  readonly seed: string
  /** How many lists of rules there were: chance of a new list is new. */
  lists: number
  rules: readonly FaultRule[]
  /**
   * Memories of each rule: those of messages of strategies, then those of messages of clients. A
   * strategy meets the same whoever is connected, so that a market that is forked comes to where it was.
   */
  memories: RuleMemory[]
  /** How often each fault happened so far, by kind and by what it met. */
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

/** How often a fault happened. */
export interface FaultCount {
  /** Effect of the fault. */
  readonly kind: FaultRule['kind']
  /** Sort of the messages that it met: `replies`, `notifications`, `requests`; or the reason of a refusal. */
  readonly of: string
  /** How often it happened. */
  readonly count: number
}

/** The seed of runs that name none. */
const USUAL_SEED = '0'

/** The faults of a run, which may have none. */
export function createFaults(seed = USUAL_SEED, rules: readonly FaultRule[] = []): Faults {
  const faults: Faults = { seed, lists: 0, rules: [], memories: [], counts: new Map() }
  if (rules.length > 0) setFaultRules(faults, rules)
  return faults
}

/** Puts other rules in the place of those that there are. */
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

/** The rule that meets a message, which counts it; null where the message passes as it is. */
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

/** True while the connections of an account are half open, which asking does not count. */
export function isHalfOpen({ rules }: Faults, { account, time }: Pick<FaultMessage, 'account' | 'time'>): boolean {
  return rules.some((rule) => rule.kind === 'half_open' && isOf(rule, { account, time }))
}

/** The first time after another at which connections become half open or cease to be; infinite where there is none. */
export function nextHalfOpenEdge({ rules }: Faults, time: number): number {
  let next = Number.POSITIVE_INFINITY
  for (const { kind, from, until } of rules) {
    if (kind !== 'half_open') continue
    if (from > time) next = Math.min(next, from)
    if (until !== null && until > time) next = Math.min(next, until)
  }
  return next
}

/** Tells what faults did, in the order in which each did something for the first time. */
export function faultCounts({ counts }: Faults): readonly FaultCount[] {
  return [...counts].map(([key, count]) => {
    const [kind = '', of = ''] = key.split(' ')
    // `faultOf` made the key.
    return { kind: kind as FaultRule['kind'], of, count }
  })
}

/** Faults as plain data; null where there never were any, of the usual seed. */
export function saveFaults(faults: Faults): FaultsState | null {
  const { seed, lists, rules, memories, counts } = faults
  if (lists === 0 && seed === USUAL_SEED) return null
  return {
    seed,
    lists,
    rules,
    memories: memories.map(({ chance, seen, met }) => ({ chance: chance.snapshot(), seen, met })),
    counts: [...counts],
  }
}

/** The faults that were saved. */
export function loadFaults(state: FaultsState): Faults {
  const { seed, lists, rules, memories, counts } = state
  return {
    seed,
    lists,
    rules,
    memories: memories.map(({ chance, seen, met }) => ({
      chance: restoreRandomStream(chance),
      seen,
      met,
    })),
    counts: new Map(counts),
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
  const { kind, of, methods, channels } = rule
  if (!isOf(rule, message)) return false
  if (kind === 'half_open') return true
  if ((kind === 'refuse' ? 'requests' : of) !== message.of) return false
  if (message.isAlone === true && (kind === 'double' || kind === 'reorder')) return false
  const { name } = message
  if (methods !== null && !methods.includes(name)) return false
  return channels === null || channels.some((beginning) => beginsWith(name, beginning))
}

function isOf({ account, from, until }: FaultRule, message: Pick<FaultMessage, 'account' | 'time'>): boolean {
  if (account !== null && account !== message.account) return false
  return message.time >= from && (until === null || message.time < until)
}
