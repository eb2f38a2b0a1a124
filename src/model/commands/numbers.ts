/**
 * The numbers in commands and their bounds: whole numbers that the engine can hold. Programs that build commands get an
 * error with the place of a wrong number. The engine then checks these numbers against its state.
 *
 * The field `fault` is not checked, because only readers of requests set it.
 */
import { divFloor, PRICE9_MAX } from '../../core/index.ts'
import type { Fault } from '../refusal.ts'
import type { Command, CommandKind, CommandOf } from './command.ts'
import type { CommandHeader } from './header.ts'

type Bound = number | bigint

/** The values that a field without a number may have. */
type Empty = 'never' | 'null' | 'missing' | 'null or missing'

/** The bounds of a number: the last account, or the last price in ticks of the instrument, depends on the exchange. */
export interface NumberRule<E extends Empty = Empty> {
  readonly rule: 'number'
  readonly type: 'number' | 'bigint' | 'number or text'
  readonly min: Bound
  readonly max: Bound | 'account' | 'price in ticks'
  readonly empty: E
  /** For a field that may be missing: parts with this `type` require it. */
  readonly requiredBy?: string
}

/** A part of a command, or a list of parts, that contains numbers. */
export interface PartRule<Fields = unknown, E extends Empty = Empty> {
  readonly rule: 'part' | 'list'
  readonly fields: Fields
  readonly empty: E
  readonly requiredBy?: string
}

type EmptyOf<T> = undefined extends T
  ? null extends T
    ? 'null or missing'
    : 'missing'
  : null extends T
    ? 'null'
    : 'never'
type KeyOf<T> = T extends unknown ? keyof T : never
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : undefined) : never
type Held<T> = Exclude<T, null | undefined | Fault>

/** The rule of a field; never if the field contains no number. */
type RuleOf<T> = [Extract<T, number | bigint>] extends [never]
  ? [Extract<T, readonly unknown[]>] extends [never]
    ? PartOf<Extract<Held<T>, object>, EmptyOf<T>>
    : PartOf<Extract<Extract<T, readonly unknown[]>[number], object>, EmptyOf<T>>
  : NumberRule<EmptyOf<T>>

type PartOf<T, E extends Empty> = [T] extends [never]
  ? never
  : keyof FieldsOf<T> extends never
    ? never
    : PartRule<FieldsOf<T>, E>

type FieldsOf<T> = {
  readonly [K in KeyOf<T> as [RuleOf<ValueOf<T, K>>] extends [never] ? never : K]-?: RuleOf<ValueOf<T, K>>
}

/** The fields of a kind of command that contain numbers. */
type NumbersOf<K extends CommandKind> = FieldsOf<Omit<CommandOf<K>, keyof CommandHeader | 'kind'>>

const SAFE = Number.MAX_SAFE_INTEGER
/** Amounts of money and sizes of structures: far above all that a run can hold, far below two limbs of 2^93. */
const WIDE = 1_000_000_000_000_000_000_000_000_000n

function number(min: number, max: NumberRule['max'] = SAFE): NumberRule<'never'> {
  return { rule: 'number', type: 'number', min, max, empty: 'never' }
}

type OrEmpty<R, E extends Empty> = Omit<R, 'empty'> & { readonly empty: E }

function or<E extends Empty, R extends NumberRule | PartRule>(empty: E, rule: R): OrEmpty<R, E> {
  return { ...rule, empty }
}

function orNull<R extends NumberRule | PartRule>(rule: R): OrEmpty<R, 'null'> {
  return or('null', rule)
}

function orMissing<R extends NumberRule | PartRule>(rule: R): OrEmpty<R, 'missing'> {
  return or('missing', rule)
}

function part<Fields>(fields: Fields): PartRule<Fields, 'never'> {
  return { rule: 'part', fields, empty: 'never' }
}

function list<Fields>(fields: Fields): PartRule<Fields, 'never'> {
  return { rule: 'list', fields, empty: 'never' }
}

const index = number(0)
const account = number(0, 'account')
const positive = number(1)
const whole = number(-SAFE)
const price9 = number(-PRICE9_MAX, PRICE9_MAX)
const ticks = number(-SAFE, 'price in ticks')
const wide: NumberRule<'never'> = {
  rule: 'number',
  type: 'bigint',
  min: -WIDE,
  max: WIDE,
  empty: 'never',
}

const trigger = part({ price: orNull(ticks), offset: orNull(ticks) })
const advanced = part({ value9: positive })
const terms = {
  price: orNull(ticks),
  amount: index,
  trigger: orNull(trigger),
  advanced: orNull(advanced),
}
const direct = part({ settlements: orMissing(index), outlivedUntil: orMissing(index) })
const tickSteps = list({ above: price9, tick9: positive })
const spec = part({
  detail: part({
    strike: { ...orMissing(number(1, PRICE9_MAX)), requiredBy: 'option' },
    legs: { ...orMissing(list({ ratio: whole })), requiredBy: 'combo' },
  }),
  tick9: positive,
  tickSteps,
  amountStep9: positive,
  contractSize9: positive,
  minTradeLots: positive,
  stepLots: orMissing(positive),
  listedSteps: orMissing(part({ tickSteps, minTradeLots: positive })),
  makerFee9: whole,
  takerFee9: whole,
  blockFee9: whole,
  liquidationFee9: whole,
  deliveryFee9: whole,
  maxLeverage: index,
  margin: part({ initialPpm: index, maintenancePpm: index, slopePpb: index }),
  bandPpm: index,
  mark: orNull(part({ impact9: index, clampPpm: index })),
  funding: orNull(part({ dampers: list({ from: index, rate8: whole }), cap8: index })),
  routeDelay: orNull(index),
  speedBump: index,
  creation: index,
  expiration: index,
})
const blockLegs = { instrument: index, price: price9, amount: index }
const hedge = orNull(part(blockLegs))
const quoteSide = orNull(part({ price: orNull(ticks), amount: orNull(index) }))
const quoteTerms = {
  amount9: wide,
  legs: list({ instrument: index, ratio: index, price: orNull(price9) }),
  price9: orNull(wide),
  hedge,
}
const blockTrade = { timestamp: index, legs: list(blockLegs) }
const limitsPpm = {
  tier_1: orMissing(index),
  tier_2: orMissing(index),
  tier_3: orMissing(index),
  tier_4: orMissing(index),
  tier_5: orMissing(index),
  tier_6: orMissing(index),
  rwa: orMissing(index),
}
const rfq = { rfq: index }
const named = part({ quote: orMissing(index), rfq: orMissing(index) })
const target = { target: account }
const none = {}
const anyInstrument = number(-1)
const controlHeader = { account: number(-1, 'account'), session: index }
const ownHeader = { account, session: index }

/** Commands that act for the account of their header, which no control can send. */
const ownKinds: ReadonlySet<Command['kind']> = new Set([
  'place_order',
  'cancel_orders',
  'set_self_trading',
  'set_cancel_on_disconnect',
  'create_deposit_address',
] satisfies readonly CommandKind[])

/** The numbers of each kind of command. The compiler asks for each field that can hold one. */
export const commandNumbers: { readonly [K in CommandKind]: NumbersOf<K> } = {
  place_order: {
    instrument: index,
    ...terms,
    display: index,
    linked: orNull(part({ secondaries: list(terms) })),
    validUntil: orNull(index),
    extras: orNull(part({ direct: orNull(direct) })),
  },
  edit_order: {
    order: index,
    amount: orNull(index),
    price: orNull(ticks),
    advanced: orNull(advanced),
    display: orNull(index),
    triggerPrice: orNull(ticks),
    triggerOffset: orNull(ticks),
    validUntil: orNull(index),
  },
  cancel_order: { order: index },
  cancel_orders: { filter: part({ instrument: orNull(index) }) },
  query: none,
  open_account: { main: orNull(account), feePpm: index },
  set_self_trading: none,
  set_instrument_state: { instrument: index },
  rescale_instrument: {
    instrument: index,
    tick9: orNull(positive),
    amountStep9: orNull(positive),
  },
  list_instrument: { spec },
  deposit: { ...target, amount: wide },
  give_position: { ...target, instrument: index, size: whole, price: price9 },
  set_index: { price: price9 },
  follow_mid: { instrument: index },
  set_mark: { instrument: index, price: orNull(price9) },
  create_combo: { spec },
  move_positions: {
    source: account,
    ...target,
    positions: list({ instrument: index, amount: index, price: orNull(price9) }),
  },
  transfer_cash: { source: account, ...target, amount: wide },
  set_lsp_participant: {
    ...target,
    limitsPpm: part(limitsPpm),
  },
  advance_time: { to: index },
  open_session: { opened: index, target: orNull(account), schemaVersion: index },
  close_session: { closed: index },
  set_cancel_on_disconnect: none,
  set_mmp_config: {
    config: part({
      interval: index,
      frozenTime: index,
      quantity9: orNull(index),
      delta9: orNull(index),
      vega9: orNull(index),
      maxQuote9: index,
      tradeCount: orNull(index),
    }),
  },
  reset_mmp: none,
  mass_quote: {
    group: { ...index, type: 'number or text' },
    quotes: list({ instrument: index, bid: quoteSide, ask: quoteSide }),
    validUntil: orNull(index),
  },
  cancel_quotes: {
    filter: part({
      group: orNull(index),
      delta: orNull(part({ min9: whole, max9: whole })),
      instrument: orNull(index),
    }),
  },
  lock_portfolio: { target: orNull(account) },
  set_permissions: target,
  lock_account: target,
  set_disabled_products: target,
  trim_orders: target,
  set_risk_limits: {
    target: orNull(account),
    limits: part({
      futurePosition9: orNull(index),
      optionPosition9: orNull(index),
      futureOrder9: orNull(index),
      optionOrder9: orNull(index),
    }),
  },
  set_gateway_switch: none,
  sign_block_trade: blockTrade,
  execute_block_trade: blockTrade,
  invalidate_block_signature: none,
  answer_block_trade: { timestamp: index },
  create_key: target,
  change_key: { key: index },
  remove_key: { key: index },
  set_profile: target,
  remove_account: target,
  change_margin_model: target,
  create_block_rfq: {
    legs: list({ instrument: index, amount: index }),
    hedge,
    allocations: list({
      account,
      client: orNull(part({ id: index })),
      amount9: wide,
    }),
  },
  cancel_block_rfq: rfq,
  accept_block_rfq: {
    ...rfq,
    price9: wide,
    amount9: wide,
    legs: list({ instrument: index, ratio: index }),
    hedge,
  },
  cancel_rfq_trigger: rfq,
  add_rfq_quote: { ...rfq, ...quoteTerms, expiresAt: orNull(index) },
  edit_rfq_quote: { ...quoteTerms, named },
  cancel_rfq_quote: { named },
  cancel_rfq_quotes: { rfq: orNull(index) },
  set_rfq_party: {
    ...target,
    role: part({
      broker: or('null or missing', account),
      quoteLimits: orMissing(list({ amount9: index })),
    }),
  },
  add_address: none,
  update_address: none,
  remove_address: none,
  set_address: target,
  set_wallet: target,
  create_deposit_address: none,
  receive_deposit: { ...target, amount: wide },
  withdraw: { amount: wide },
  submit_transfer: { amount: wide },
  cancel_payment: { payment: index },
  move_payment: { payment: index },
  hold_transfers: none,
}

/** The parts of an exchange that bounds depend on. */
export interface BoundViews<Exchange> {
  /** How many accounts are open. */
  readonly accountsOf: (exchange: Exchange) => number
  /** The base tick of an instrument in 1e-9; undefined if it is not listed. */
  readonly tickOf: (exchange: Exchange, instrument: number) => number | undefined
  /** The base tick of the instrument of an order in 1e-9; undefined if the order does not exist. */
  readonly tickOfOrder: (exchange: Exchange, order: number) => number | undefined
}

/** Describes each number of a command that is outside its bounds, with its place; empty if none is. */
export function numberFaults<Exchange>(
  command: Command,
  exchange: Exchange,
  views: BoundViews<Exchange>,
): readonly string[] {
  const check: Check = { exchange, views: views as BoundViews<unknown>, faults: [] }
  checkFields(check, command, ownKinds.has(command.kind) ? ownHeader : controlHeader, top)
  if (command.kind === 'unreadable') checkFields(check, command, { instrument: anyInstrument }, top)
  else if (command.kind !== 'edit_order') {
    checkFields(check, command, commandNumbers[command.kind], top)
  } else {
    const isNumber = isWithin(check, command.order, index, undefined)
    const tick9 = isNumber ? views.tickOfOrder(exchange, command.order) : undefined
    checkFields(check, command, commandNumbers.edit_order, { path: '', tick9 })
  }
  return check.faults
}

interface Check {
  readonly exchange: unknown
  readonly views: BoundViews<unknown>
  readonly faults: string[]
}

/** A part of a command: how its fields are named, and the tick of the instrument around it. */
interface Part {
  readonly path: string
  readonly tick9: number | undefined
}

const top: Part = { path: '', tick9: undefined }

// Programs give millions of commands, so a command without faults allocates little here.
function checkFields(check: Check, value: object, fields: object, part: Part): void {
  const { instrument: named, type } = value as { readonly [name: string]: unknown }
  const tick9 = (typeof named === 'number' ? check.views.tickOf(check.exchange, named) : undefined) ?? part.tick9
  for (const name of Object.keys(fields)) {
    // The fields of a part are rules, and the part may hold anything.
    const rule = (fields as { readonly [name: string]: NumberRule | PartRule })[name]
    const found = (value as { readonly [name: string]: unknown })[name]
    if (rule === undefined) continue
    const isRequired = rule.requiredBy !== undefined && rule.requiredBy === type
    if (!isRequired && isEmpty(found, rule.empty)) continue
    if (rule.rule === 'number') {
      if (isWithin(check, found, rule, tick9)) continue
      const bounds = boundsOf(check, rule, tick9)
      check.faults.push(`${part.path}${name}: expected ${bounds}, found ${describe(found)}`)
    } else checkPart(check, found, rule, { path: `${part.path}${name}`, tick9 })
  }
}

function checkPart(check: Check, found: unknown, rule: PartRule, { path, tick9 }: Part): void {
  if (rule.rule === 'part') checkObject(check, found, rule, { path, tick9 })
  else if (!Array.isArray(found)) {
    check.faults.push(`${path}: expected a list, found ${describe(found)}`)
  } else {
    for (let at = 0; at < found.length; at += 1) {
      checkObject(check, found[at], rule, { path: `${path}[${at}]`, tick9 })
    }
  }
}

function checkObject(check: Check, found: unknown, rule: PartRule, { path, tick9 }: Part): void {
  if (typeof found !== 'object' || found === null || Array.isArray(found)) {
    check.faults.push(`${path}: expected an object, found ${describe(found)}`)
  } else checkFields(check, found, rule.fields as object, { path: `${path}.`, tick9 })
}

/** True if a field may have this value instead of a number. */
function isEmpty(found: unknown, empty: Empty): boolean {
  if (found === null) return empty === 'null' || empty === 'null or missing'
  return found === undefined && (empty === 'missing' || empty === 'null or missing')
}

function isWithin(check: Check, found: unknown, rule: NumberRule, tick9: number | undefined): boolean {
  if (typeof found === 'string') return rule.type === 'number or text'
  if (typeof found === 'bigint') {
    return rule.type === 'bigint' && found >= leastOf(rule, tick9) && found <= mostOf(check, rule, tick9)
  }
  if (typeof found !== 'number' || rule.type === 'bigint') return false
  if (!Number.isSafeInteger(found) || Object.is(found, -0)) return false
  return found >= leastOf(rule, tick9) && found <= mostOf(check, rule, tick9)
}

function leastOf(rule: NumberRule, tick9: number | undefined): Bound {
  return rule.max === 'price in ticks' ? -ticksMost(tick9) : rule.min
}

function mostOf(check: Check, { max }: NumberRule, tick9: number | undefined): Bound {
  if (max === 'account') return check.views.accountsOf(check.exchange) - 1
  return max === 'price in ticks' ? ticksMost(tick9) : max
}

function ticksMost(tick9 = 1): number {
  return divFloor(PRICE9_MAX, tick9)
}

function boundsOf(check: Check, rule: NumberRule, tick9: number | undefined): string {
  const [min, max] = [leastOf(rule, tick9), mostOf(check, rule, tick9)]
  const bounds = `${rule.type === 'bigint' ? 'a bigint' : 'a whole number'} from ${min} to ${max}`
  return rule.type === 'number or text' ? `${bounds} or a text` : bounds
}

function describe(found: unknown): string {
  if (found === undefined) return 'none'
  if (typeof found === 'bigint') return `${found}n`
  if (Object.is(found, -0)) return '-0'
  return typeof found === 'string' ? JSON.stringify(found) : String(found)
}
