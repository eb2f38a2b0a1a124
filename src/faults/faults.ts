/**
 * Faults of a run: they decide which fault affects a message. Code that transports messages calls `faultOf` for each
 * one and applies the returned fault.
 *
 * Each rule has a separate random stream, derived from the seed of the run and its place in the list, so that an
 * additional rule does not change the others, and a run without rules draws nothing. Rules are checked in their order;
 * the first that affects a message decides, and later ones neither draw nor count. Messages of the simulator's controls
 * always pass; the transporting code ensures that.
 */
import { defined, type RandomState, type RandomStream, randomStream, restoreRandomStream } from '../core/index.ts'
import { beginsWith, type FaultRule, type MessageSort } from './rules.ts'

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
