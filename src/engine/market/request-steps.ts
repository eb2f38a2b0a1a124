/**
 * The validation steps for a request, before there is an order for the steps of `steps.ts`: whether the request may
 * still be executed, which order or instrument it names, and for a mass quote the reasons that refuse all of it.
 *
 * Steps of direct access precede those of the order: its portfolio may trade that way and is not locked, and its
 * instrument is on the session's gateway pair.
 *
 * Rule: order.validation. Source: trading.md C07, 6.16 (C34); sessions-blocks-gateways.md 8.1, 8.2, 8.5, 8.7 (order of
 * the checks), 8.14; S298-S301.
 */
import { NO_SLOT, ownerOf } from '../../book/index.ts'
import type { InstrumentId } from '../../core/index.ts'
import {
  type CancelOrder,
  type CommandHeader,
  currencyOfId,
  type EditOrder,
  type Fault,
  gatewayPairOf,
  type InstrumentKind,
  type MassQuote,
  NO_SESSION,
  numberOfId,
  type Order,
  type PlaceOrder,
  type Refusal,
  type ValidationStep,
  validationStep,
} from '../../model/index.ts'
import {
  accountRow,
  type CheckResult,
  type Exchange,
  type InstrumentRow,
  instrumentOf,
  isDirect,
  isOfMember,
  isRareAt,
  type MmpGroup,
  orderAt,
  orderSlotOf,
  pass,
  refuse,
  sessionAt,
} from '../state/index.ts'
import { modelOf } from '../value/index.ts'
import { frozenRefusal } from './mmp-freeze.ts'
import { accountRefusal, isTooLate, lockRefusal, sizeRefusal } from './order-checks.ts'
import { waitingAt } from './waiting.ts'

/** A mass quote and its group, which the argumentCombination step finds. */
export interface QuotesAsked {
  readonly command: MassQuote
  group: MmpGroup | undefined
}

/** Maximum number of bids, and of asks, in a request; maximum number of instruments in a request by direct access. */
const SIDES_MAX = 100

const DIRECT_MAX = 15

/**
 * Requests that create or change orders.
 * - `place`: a placement by JSON-RPC.
 * - `edit`: new terms for a live order, by JSON-RPC or direct access.
 * - `quotes`: a mass quote, as a whole.
 * - `direct`: a placement by direct access.
 */
export const requestWays = ['place', 'edit', 'quotes', 'direct'] as const

type RequestWay = (typeof requestWays)[number]

/** An edit, and the slot of the order that it names, which the instrument step finds. */
export interface EditAsked {
  readonly command: EditOrder
  slot: number
}

/** Requests in the form that the steps check. */
interface RequestOf {
  readonly place: Pick<PlaceOrder, 'account' | 'session' | 'validUntil'> & {
    readonly instrument: number
  }
  readonly edit: EditAsked
  readonly quotes: QuotesAsked
  readonly direct: RequestOf['place'] & Pick<PlaceOrder, 'display'>
}

type Check<W extends RequestWay> = (exchange: Exchange, request: RequestOf[W]) => Refusal | null

/** A step with its checks for the requests to which it applies. */
interface RequestStep {
  readonly step: keyof typeof validationStep
  readonly says: string
  readonly checks: { readonly [W in RequestWay]?: Check<W> }
}

/** The list of steps. A step runs only if all steps before it pass. */
export const requestSteps: readonly RequestStep[] = [
  {
    step: 'parameters',
    says: 'direct access: the portfolio may trade; the number of quotes is within the limit, and all are on one index',
    checks: {
      edit: (exchange, { command }) => directPortfolioRefusal(exchange, command),
      quotes: (exchange, asked) => shapeRefusal(exchange, asked) ?? directPortfolioRefusal(exchange, asked.command),
      direct: (exchange, { account, display }) => portfolioRefusal(exchange, account, display > 0),
    },
  },
  {
    step: 'validUntil',
    says: 'the deadline of the request has not passed',
    checks: {
      place: lateRefusal,
      edit: (exchange, { command }) => lateRefusal(exchange, command),
      quotes: (exchange, { command }) => lateRefusal(exchange, command),
    },
  },
  {
    step: 'instrument',
    says: "the instrument is listed, and the live order belongs to the account; direct access: it is on the gateway's pair",
    checks: {
      place: ({ instruments }, { instrument }) =>
        instruments[instrument] === undefined ? { reason: 'not_found' } : null,
      edit: findEdited,
      quotes: quotesRoutingRefusal,
      direct: (exchange, { session, instrument }) =>
        routingRefusal(exchange, session, exchange.instruments[instrument]),
    },
  },
  {
    step: 'accountLocks',
    says: 'the account is not locked and may quote; its session cancels its quotes when it ends',
    checks: { quotes: makerRefusal },
  },
  {
    step: 'argumentCombination',
    says: 'the group exists, has limits, and belongs to the index of the quotes',
    checks: { quotes: groupRefusal },
  },
  {
    step: 'amount',
    says: 'direct access: an invalid size does not reject the other quotes',
    checks: { quotes: directSizeRefusal },
  },
  {
    step: 'mmp',
    says: 'no bulk cancel and no market-maker protection freezes the group',
    checks: { quotes: freezeRefusal },
  },
]

/** A check with the number of its step. */
interface Numbered<W extends RequestWay> {
  readonly at: ValidationStep
  readonly check: Check<W>
}

function checksOf<W extends RequestWay>(way: W): readonly Numbered<W>[] {
  return requestSteps.flatMap(({ step, checks }) => {
    const check = checks[way]
    return check === undefined ? [] : [{ at: validationStep[step], check }]
  })
}

const orders: { readonly [W in RequestWay]: readonly Numbered<W>[] } = {
  place: checksOf('place'),
  edit: checksOf('edit'),
  quotes: checksOf('quotes'),
  direct: checksOf('direct'),
}

/**
 * Checks a request by the steps of its way, up to and including the step `until`. The first step that refuses decides.
 */
export function admitRequest<W extends RequestWay>(
  exchange: Exchange,
  way: W,
  request: RequestOf[W],
  until: ValidationStep = validationStep.speedBump,
): Fault | null {
  for (const { at, check } of orders[way]) {
    if (at > until) break
    const refusal = check(exchange, request)
    if (refusal !== null) return { step: at, refusal }
  }
  return null
}

function lateRefusal(exchange: Exchange, command: Pick<PlaceOrder, 'validUntil'>): Refusal | null {
  return isTooLate(exchange.now, command.validUntil) ? { reason: 'timed_out' } : null
}

/** The portfolio check of direct access; passes requests that come by JSON-RPC. */
function directPortfolioRefusal(
  exchange: Exchange,
  header: Pick<CommandHeader, 'account' | 'session'>,
): Refusal | null {
  return isDirect(exchange, header.session) ? portfolioRefusal(exchange, header.account, false) : null
}

/** Finds the order to edit, and stores its slot in the request. */
function findEdited(exchange: Exchange, asked: EditAsked): Refusal | null {
  const found = findOwnOrder(exchange, asked.command, 'already_closed')
  if (!found.ok) return found.fault.refusal
  const slot = found.plan
  asked.slot = slot
  // A waiting order that was to be cancelled counts as closed.
  if ((waitingAt(exchange, slot)?.converted ?? null) !== null) return { reason: 'already_closed' }
  if (!isDirect(exchange, asked.command.session)) return null
  const order = orderAt(exchange, slot)
  return amendRefusal(exchange, asked.command, instrumentOf(exchange, slot), order)
}

/**
 * The order named by a request to cancel or to edit.
 *
 * Source: trading.md 4.4, C28; sessions document 8.2.
 */

/**
 * Finds a live order of the requesting account. An unknown id is refused with `order_not_found`, an order of another
 * account with `not_owner_of_order`, and an ended order with the caller's `ended` (C28). Direct access cannot find
 * orders of JSON-RPC, and JSON-RPC cannot find those of direct access (8.2).
 */
export function findOwnOrder(
  exchange: Exchange,
  command: CancelOrder | EditOrder,
  ended: 'already_closed' | 'not_open_order',
): CheckResult<number> {
  const slot = orderSlotOf(exchange, command.order)
  if (slot === NO_SLOT) {
    const number = numberOfId(command.order)
    const used = exchange.orderNumbers[currencyOfId(command.order)] as number
    const known = number >= 1 && number <= used
    return refuse(validationStep.instrument, { reason: known ? ended : 'order_not_found' })
  }
  if (ownerOf(exchange.slots, slot) !== command.account) {
    return refuse(validationStep.instrument, { reason: 'not_owner_of_order' })
  }
  const isUsual = command.session === NO_SESSION && !isRareAt(exchange.orders, slot)
  if (!isUsual && !isSeen(exchange, command.session, orderAt(exchange, slot))) {
    return refuse(validationStep.instrument, { reason: 'order_not_found' })
  }
  return pass(slot)
}

/**
 * Checks of a mass quote as a whole: the number of its quotes and their instruments, the permission to quote, its
 * group, and freezes. Its sides are checked one by one, like any order.
 *
 * Rule: quotes.request. Source: trading.md 6.16 (C34); sessions-blocks-gateways.md 2.6, 8.2, 8.5, 8.6.
 */

/** Refuses too many quotes, or quotes on more than one index (C34e). */
export function shapeRefusal(exchange: Exchange, { command }: QuotesAsked): Refusal | null {
  const { quotes, session } = command
  if (isDirect(exchange, session)) {
    if (quotes.length > DIRECT_MAX) return { reason: 'too_many_quotes' }
    const isTwice = new Set(quotes.map(({ instrument }) => instrument)).size < quotes.length
    return isTwice ? { reason: 'duplicate_instrument' } : null
  }
  const bids = quotes.filter(({ bid }) => bid !== null).length
  const asks = quotes.filter(({ ask }) => ask !== null).length
  if (bids > SIDES_MAX || asks > SIDES_MAX) return wrongQuotes('too_many')
  const [first] = quotes
  const index = first === undefined ? undefined : indexOf(exchange, first.instrument)
  const isMixed = quotes.some(({ instrument }) => indexOf(exchange, instrument) !== index)
  return isMixed ? wrongQuotes('mixed_indexes') : null
}

/** Over direct access, the session must reach the books of all quoted instruments. */
function quotesRoutingRefusal(exchange: Exchange, { command }: QuotesAsked): Refusal | null {
  const { session, quotes } = command
  if (!isDirect(exchange, session)) return null
  for (const { instrument } of quotes) {
    const refusal = routingRefusal(exchange, session, exchange.instruments[instrument])
    if (refusal !== null) return refusal
  }
  return null
}

/** The account may quote, and it may do so over this session. */
function makerRefusal(exchange: Exchange, { command }: QuotesAsked): Refusal | null {
  return (
    lockRefusal(exchange, command.account) ??
    accountRefusal(exchange, command.account, false, null) ??
    disconnectRefusal(exchange, command.session) ??
    approvalRefusal(exchange, command)
  )
}

/** Quotes over JSON-RPC require a session that cancels them when it ends (13042). */
export function disconnectRefusal(exchange: Exchange, session: number): Refusal | null {
  if (isDirect(exchange, session)) return null
  const covered = sessionAt(exchange, session)?.cancelOnDisconnect === true
  return covered ? null : { reason: 'cod_not_enabled' }
}

/** Mass quotes need a permission by staff. A Member must send them by direct access (13902, 13040). */
function approvalRefusal(
  exchange: Exchange,
  { account, session }: Pick<CommandHeader, 'account' | 'session'>,
): Refusal | null {
  const permissions = exchange.accounts[account]?.standing.permissions
  const barred = isOfMember(exchange, account) && !isDirect(exchange, session)
  if (permissions?.massQuotes !== true || barred) return { reason: 'mass_quotes_disabled' }
  return permissions.mmp ? null : { reason: 'mmp_required' }
}

/**
 * Finds the group of the quotes: JSON-RPC gives its name, direct access its number. A group without limits accepts no
 * quotes. A group of an index accepts futures, options and combos of that index.
 */
function groupRefusal(exchange: Exchange, asked: QuotesAsked): Refusal | null {
  const { account, quotes, session } = asked.command
  const group = findGroup(exchange, asked.command)
  asked.group = group
  if (group === undefined) return { reason: 'other_reject unknown_mmp_group' }
  if (group.config === null) return { reason: 'mmp_group_disabled' }
  if (quotes.some(({ instrument }) => indexOf(exchange, instrument) !== group.membership.index)) {
    const isDirectly = isDirect(exchange, session)
    return isDirectly ? { reason: 'invalid_or_unsupported_instrument' } : wrongQuotes('index_not_of_group')
  }
  const owner = exchange.accounts[account]
  const mayQuoteOptions = owner !== undefined && modelOf(owner).netsPositions
  const isUnfit = quotes.some(({ instrument }) => {
    const kind = exchange.instruments[instrument]?.instrument.kind
    return kind === undefined || kind === 'spot' || (isOfOptions(kind) && !mayQuoteOptions)
  })
  return isUnfit ? { reason: 'invalid_args_for_instrument' } : null
}

/** Over direct access an invalid amount refuses the whole request (8.6). */
function directSizeRefusal(exchange: Exchange, { command }: QuotesAsked): Refusal | null {
  if (!isDirect(exchange, command.session)) return null
  for (const { instrument, bid, ask } of command.quotes) {
    const row = exchange.instruments[instrument]
    for (const side of [bid, ask]) {
      if (row === undefined || side === null) continue
      if (side.fault?.step === validationStep.amount) return side.fault.refusal
      const size = side.amount === null || side.amount === 0 ? null : sizeRefusal(row, side.amount)
      if (size !== null) return size
    }
  }
  return null
}

/** No bulk cancel blocks quotes on its instruments, and no protection freezes its group. */
function freezeRefusal(exchange: Exchange, { command, group }: QuotesAsked): Refusal | null {
  if (command.quotes.some(({ instrument }) => isFrozen(exchange, command.account, instrument))) {
    return { reason: 'quotes_frozen' }
  }
  return group === undefined ? null : frozenRefusal(exchange, group, command.session, command.resetMmp)
}

/** True if a bulk cancel currently blocks the account's quotes on an instrument (13043). */
function isFrozen(exchange: Exchange, account: number, instrument: InstrumentId): boolean {
  const { quoteFreezes } = accountRow(exchange, account).standing
  if (quoteFreezes.size === 0) return false
  const currency = exchange.instruments[instrument]?.instrument.settlementCurrency ?? null
  const until = Math.max(quoteFreezes.get(null) ?? 0, quoteFreezes.get(currency) ?? 0)
  return exchange.now < until
}

function findGroup(exchange: Exchange, { account, group }: MassQuote): MmpGroup | undefined {
  return exchange.mmpGroups.find(({ account: owner, membership, blockRfq, config }) => {
    if (owner !== account || blockRfq || membership.name === null) return false
    if (typeof group === 'number') return membership.group === group
    return membership.name === group && config !== null
  })
}

function isOfOptions(kind: InstrumentKind): boolean {
  return kind === 'option' || kind === 'option_combo'
}

function indexOf(exchange: Exchange, instrument: number): string | undefined {
  return exchange.instruments[instrument]?.instrument.priceIndex
}

function wrongQuotes(problem: string): Refusal {
  return { reason: 'invalid_params', param: 'quotes', problem }
}

/**
 * The reason why a portfolio may not place or change an order by direct access, or null: it does not belong to a Member
 * or staff locked it (10), its owner locked it (26), or the order is an iceberg while icebergs are switched off (31). A
 * lock of positions refuses all orders here, since no order of direct access is reduce-only (R52).
 */
function portfolioRefusal(exchange: Exchange, account: number, isAlgo: boolean): Refusal | null {
  if (!isOfMember(exchange, account)) return { reason: 'forbidden' }
  const { locks, isPortfolioLocked } = accountRow(exchange, account).standing
  if (locks.has('portfolio_margin')) {
    return { reason: 'portfolio_margin_lock' }
  }
  if (locks.has('positions')) return { reason: 'position_lock' }
  if (isPortfolioLocked) {
    return { reason: 'portfolio_locked' }
  }
  const isBarred = isAlgo && exchange.venue.isAlgoCancelOnly
  return isBarred ? { reason: 'cancel_only' } : null
}

/** Rule: direct.routing. A session reaches only the instruments whose book is on its gateway pair (8.1). */
export function routingRefusal(exchange: Exchange, session: number, row: InstrumentRow | undefined): Refusal | null {
  const gateway = sessionAt(exchange, session)?.gateway ?? null
  const isThere =
    row !== undefined &&
    gateway !== null &&
    row.instrument.engine === 'alt' &&
    row.instrument.gateway === gatewayPairOf(gateway)
  return isThere ? null : { reason: 'invalid_or_unsupported_instrument' }
}

/**
 * The reason why direct access may not amend an order, or null: it is on another gateway pair; or, while icebergs are
 * switched off, it would become an iceberg or its hidden part would grow (8.7: amends down still work).
 */
function amendRefusal(
  exchange: Exchange,
  command: Pick<EditOrder, 'session' | 'amount' | 'display'>,
  row: InstrumentRow,
  order: Pick<Order, 'amount' | 'display'>,
): Refusal | null {
  const refusal = routingRefusal(exchange, command.session, row)
  if (refusal !== null) return refusal
  const shown = command.display ?? order.display
  const isMore = (command.amount ?? order.amount) > order.amount || order.display === 0
  const isBarred = exchange.venue.isAlgoCancelOnly && shown > 0 && isMore
  return isBarred ? { reason: 'cancel_only' } : null
}

/** True if a session may change an order: direct access and JSON-RPC each see only their own orders (8.2). */
function isSeen(
  exchange: Exchange,
  session: number,
  order: { readonly extras: { readonly direct: object | null } | null },
): boolean {
  return isDirect(exchange, session) === (order.extras?.direct != null)
}
