/**
 * Market makers set, replace, remove and reset their protection.
 *
 * Rule: mmp.config. A configuration replaces the whole previous one; a running window continues, and a frozen group
 * stays frozen. An interval of 0 removes the configuration, its window and its margin. An account can configure at most
 * 16 groups of quotes, each on one index; limits have fixed bounds (7.2). A configuration that raises the margin above
 * the free margin is refused.
 *
 * Rule: mmp.curtailment. If the maximum quote quantity becomes lower, the newest orders of each instrument and side are
 * cancelled until the rest fits; if the configuration is removed, all of them (C45). For quotes on Block RFQs see
 * `rfq-protection.ts`.
 *
 * Source: trading.md 7.1, 7.2, 7.3, C43, C45; coverage R11.
 */
import { assert, type CurrencyId, MICROS_PER_SECOND } from '../../core/index.ts'
import {
  currencyOf,
  type MmpConfig,
  type MmpKey,
  type Refusal,
  type ResetMmp,
  type SetMmpConfig,
  validationStep,
} from '../../model/index.ts'
import {
  curtailRfqQuotes,
  emitMmp,
  type Member,
  membersOf,
  openCoins9,
  pullMembers,
  resetGroup,
} from '../market/index.ts'
import {
  type AccountRow,
  addMmpGroup,
  type CheckResult,
  clearWindow,
  type Exchange,
  findMmpGroup,
  instrumentOf,
  type MmpGroup,
  orderAt,
  pass,
  refuse,
  type Turn,
} from '../state/index.ts'
import { marginOfQuotes, marginsOf } from '../value/index.ts'
import { type Handlers, paramRefusal, seal } from './handler.ts'

const step = validationStep
const NAMED_GROUPS_MAX = 16
const SECONDS_MAX = 3600
/** The largest quantity limits in coins, by the coin of an index. */
const QUANTITY_MAX: ReadonlyMap<string, number> = new Map([
  ['btc', 500],
  ['eth', 5_000],
])
const NANO = 1_000_000_000
/** The index of a configuration for all Block RFQs. */
const ALL_INDICES = 'all'

/** The currency of the margin of a configuration; null if it needs no margin. */
interface ConfigPlan {
  readonly settlement: CurrencyId | null
}

/** Checks a configuration; only reads. */
function checkSetMmpConfig(exchange: Exchange, { account, key, config }: SetMmpConfig): CheckResult<ConfigPlan> {
  const owner = exchange.accounts[account]
  if (owner === undefined) return refuse(step.authentication, { reason: 'unauthorized' })
  const settlement = settlementOf(exchange, key)
  if (settlement === undefined) {
    return refuse(step.parameters, paramRefusal('index_name', 'unknown_value'))
  }
  const wrong = limitRefusal(key, config) ?? groupRefusal(owner, key, config)
  if (wrong !== null) return refuse(step.parameters, wrong)
  if (!owner.standing.permissions.mmp) {
    return refuse(step.mmp, { reason: 'mmp_required' })
  }
  const plan: ConfigPlan = { settlement: key.blockRfq ? null : settlement }
  return isBearable(exchange, owner, key, config, plan)
    ? pass(plan)
    : refuse(step.margin, { reason: 'not_enough_funds' })
}

/** Sets or removes a configuration. Returns the number of cancelled orders. */
function commitSetMmpConfig(turn: Turn, command: SetMmpConfig, plan: ConfigPlan): number {
  const { account, key, config, session } = command
  const known = findMmpGroup(turn.exchange, account, key)
  if (config.interval === 0) {
    return known === undefined || known.config === null ? 0 : removeConfig(turn, known, session)
  }
  const group = known ?? addMmpGroup(turn.exchange, account, key, plan.settlement)
  const before = group.config
  group.config = config
  assert(findMmpGroup(turn.exchange, account, key) === group, 'a group is found by the key that set it')
  const cancelled = group.blockRfq
    ? curtailRfqQuotes(turn, group)
    : pullMembers(turn, beyondQuotes(turn.exchange, group), 'mmp_config_curtailment')
  if (before !== null && isSame(before, config) && cancelled === 0) return 0
  emitMmp(turn, group, 'configured', session, cancelled)
  return cancelled
}

/** Resetting a group that is unknown or not frozen is not an error (R11). */
function checkResetMmp(_exchange: Exchange, _command: ResetMmp): CheckResult<null> {
  return pass(null)
}

/** Ends the freeze of the group. */
function commitResetMmp(turn: Turn, { account, key, session }: ResetMmp): number {
  const group = findMmpGroup(turn.exchange, account, key)
  if (group === undefined || !resetGroup(turn, group, session)) return 0
  const isOver = group.freeze === null || group.freeze.isReset
  assert(isOver, 'a reset freeze is over or has a timer')
  return 1
}

function removeConfig(turn: Turn, group: MmpGroup, session: number): number {
  group.config = null
  const members = membersOf(turn.exchange, group)
  const cancelled = pullMembers(turn, members, 'mmp_config_curtailment')
  clearWindow(group)
  emitMmp(turn, group, 'removed', session, cancelled)
  return cancelled
}

/** Orders that no longer fit a maximum quote quantity: the newest of each instrument and side, newest first. */
function beyondQuotes(exchange: Exchange, group: MmpGroup): readonly Member[] {
  const most = group.config?.maxQuote9 ?? 0
  const members = membersOf(exchange, group)
  const open = new Map<string, number>()
  const placeOf = (member: Member): string => {
    const { instrument, side } = orderAt(exchange, member.slot)
    return `${instrument}/${side}`
  }
  const sizeOf = ({ slot }: Member): number => openCoins9(exchange, instrumentOf(exchange, slot), slot)
  for (const member of members) {
    const place = placeOf(member)
    open.set(place, (open.get(place) ?? 0) + sizeOf(member))
  }
  const beyond: Member[] = []
  for (const member of members.toReversed()) {
    const place = placeOf(member)
    const left = open.get(place) ?? 0
    if (left <= most) continue
    open.set(place, left - sizeOf(member))
    beyond.push(member)
  }
  return beyond
}

/** The fault of a configuration's limits alone, or null. */
function limitRefusal(key: MmpKey, config: MmpConfig): Refusal | null {
  if (config.interval > SECONDS_MAX * MICROS_PER_SECOND) return paramRefusal('interval', 'too_large')
  if (config.frozenTime > SECONDS_MAX * MICROS_PER_SECOND) return paramRefusal('frozen_time', 'too_large')
  const [coin = ''] = key.index.split('_')
  const most = QUANTITY_MAX.get(coin)
  if (most !== undefined && (config.quantity9 ?? 0) > most * NANO) {
    return paramRefusal('quantity_limit', 'too_large')
  }
  if (config.quantity9 !== null && config.delta9 !== null && config.delta9 >= config.quantity9) {
    return paramRefusal('delta_limit', 'not_below_quantity_limit')
  }
  return null
}

/** The reason why an account cannot have a further group, or a group with this name. */
function groupRefusal(owner: AccountRow, key: MmpKey, config: MmpConfig): Refusal | null {
  if (key.name === null || config.interval === 0) return null
  const others = owner.mmpGroups.filter(
    (group) =>
      group.config !== null &&
      group.blockRfq === key.blockRfq &&
      group.membership.name !== null &&
      (group.membership.name !== key.name || group.membership.index !== key.index),
  )
  const bound = others.find(({ membership }) => membership.name === key.name)
  if (bound !== undefined) return paramRefusal('mmp_group', 'bound_to_other_index')
  return others.length < NAMED_GROUPS_MAX ? null : paramRefusal('mmp_group', 'too_many_groups')
}

/**
 * True if the free margin of an account covers the additional margin of a configuration compared with the previous one.
 */
function isBearable(
  exchange: Exchange,
  { account: { id } }: AccountRow,
  key: MmpKey,
  config: MmpConfig,
  plan: ConfigPlan,
): boolean {
  if (plan.settlement === null || config.interval === 0) return true
  const known = findMmpGroup(exchange, id, key)
  const membership = { group: 0, index: key.index, name: key.name }
  const heldFor = (quote9: number): bigint =>
    marginOfQuotes(exchange, { membership, settlement: plan.settlement }, quote9)
  const more = heldFor(config.maxQuote9) - heldFor(known?.config?.maxQuote9 ?? 0)
  return more <= 0n || marginsOf(exchange, id, currencyOf(plan.settlement)).available >= more
}

/**
 * The settlement currency of the instruments of an index; null for all indices, undefined if the index has no
 * instruments.
 */
function settlementOf(exchange: Exchange, { index, blockRfq }: MmpKey): CurrencyId | null | undefined {
  if (blockRfq && index === ALL_INDICES) return null
  for (const instrument of exchange.indices.get(index)?.followers ?? []) {
    const row = exchange.instruments[instrument]
    if (row !== undefined && row.base < 0) return row.settlement
  }
  return undefined
}

function isSame(left: MmpConfig, right: MmpConfig): boolean {
  const limits = Object.keys(left) as (keyof MmpConfig)[]
  return limits.every((limit) => left[limit] === right[limit])
}

export const mmpConfigHandlers: Handlers<'set_mmp_config' | 'reset_mmp'> = {
  set_mmp_config: seal({ check: checkSetMmpConfig, commit: commitSetMmpConfig }),
  reset_mmp: seal({ check: checkResetMmp, commit: commitResetMmp }),
}
