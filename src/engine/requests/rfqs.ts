/**
 * Block RFQs of takers, their creation and cancel, and the roles of accounts.
 *
 * Rule: rfq.create. At most 20 different legs that share one quote currency, and one hedge: a future of the native
 * currency of options, or of a base currency of spot pairs and futures. An RFQ that is not disclosed names no makers or
 * at least five. A taker has at most 25 open RFQs.
 *
 * Source: sessions-blocks-gateways.md 5.4, 5.9.
 */
import { assert, micros } from '../../core/index.ts'
import {
  type BlockLeg,
  type CancelBlockRfq,
  type CreateBlockRfq,
  type RfqAsk,
  type SetRfqParty,
  validationStep,
} from '../../model/index.ts'
import { closeRfq, emitRfq, emptyDisplay, forgetRfqs } from '../market/index.ts'
import {
  type Exchange,
  type InstrumentRow,
  isMarked,
  isOfOneOwner,
  makerAliasOf,
  makersOf,
  partyFor,
  partyOf,
  pass,
  type RfqRow,
  type RfqShare,
  refuse,
  rfqAt,
  setTimer,
  type Turn,
  takerAliasOf,
  type Verdict,
} from '../state/index.ts'
import { badArgument, badParam } from './argument-refusals.ts'
import { blockPriceRefusal, checkBlockLocks, partRefusal, stepRefusal } from './block-checks.ts'
import { type Handlers, seal } from './handler.ts'
import { readStructure, type Structure, sizeUnits, structureMark9 } from './rfq-structures.ts'

const step = validationStep

/** Plan of a new RFQ. */
interface CreatePlan {
  readonly structure: Structure
  readonly makers: readonly number[]
  readonly shares: readonly RfqShare[]
}

/** Checks a new RFQ; only reads. */
function checkCreate(exchange: Exchange, command: CreateBlockRfq): Verdict<CreatePlan> {
  const { legs, hedge, account } = command
  const rows = checkLegs(exchange, legs)
  if (!rows.ok) return rows
  const hedged = hedge === null ? pass(null) : checkHedge(exchange, hedge, rows.plan)
  if (!hedged.ok) return hedged
  const structure = readStructure(exchange, legs)
  if (structure === undefined) return refuse(step.amount, { reason: 'invalid_amount' })
  if (structure.amount < structure.least) return refuse(step.amount, { reason: 'qty_too_low' })
  const parts = hedge === null ? legs : [...legs, hedge]
  const locks = checkBlockLocks(exchange, parts, [{ account, role: 'taker' }])
  if (!locks.ok) return locks
  const makers = checkMakers(exchange, command)
  if (!makers.ok) return makers
  const shares = checkShares(exchange, command, structure)
  if (!shares.ok) return shares
  if (rows.plan.some((row) => !isMarked(row))) return refuse(step.priceBand, { reason: 'retry' })
  const open = [...exchange.rfqs.open].filter((rfq) => rfqAt(exchange, rfq).taker === account)
  if (open.length >= exchange.config.blockRfqs.openMax) {
    return refuse(step.openOrderLimits, { reason: 'too_many_open_block_rfqs' })
  }
  return pass({ structure, makers: makers.plan, shares: shares.plan })
}

/** Checks that the legs fit together, and returns their instruments. */
function checkLegs(exchange: Exchange, legs: readonly RfqAsk[]): Verdict<readonly InstrumentRow[]> {
  const { legsMax } = exchange.config.blockRfqs
  if (legs.length > legsMax) return badArgument('legs', 'too_many_legs')
  const rows: InstrumentRow[] = []
  for (const { instrument } of legs) {
    const row = exchange.instruments[instrument]
    if (row === undefined) return refuse(step.instrument, { reason: 'not_found' })
    rows.push(row)
  }
  for (const row of rows) {
    const refusal = partRefusal(exchange, row)
    if (refusal === null) continue
    return refuse(refusal.reason === 'book_closed' ? step.bookState : step.instrument, refusal)
  }
  for (const [at, row] of rows.entries()) {
    const param = `legs.${at}.instrument_name`
    if (rows.indexOf(row) !== at) return badArgument(param, 'duplicate_instrument')
    if (row.instrument.quoteCurrency !== rows[0]?.instrument.quoteCurrency) {
      return badArgument(param, 'mixed_quote_currency')
    }
  }
  for (const [at, row] of rows.entries()) {
    const refusal = stepRefusal(row, legs[at]?.amount ?? 0)
    if (refusal !== null) return refuse(step.amount, refusal)
  }
  return rows.length === 0 ? badArgument('legs', 'required') : pass(rows)
}

function checkHedge(exchange: Exchange, hedge: BlockLeg, rows: readonly InstrumentRow[]): Verdict<null> {
  const param = 'hedge.instrument_name'
  const row = exchange.instruments[hedge.instrument]
  if (row === undefined) return refuse(step.instrument, { reason: 'not_found' })
  const { instrument } = row
  if (instrument.kind !== 'future') return badArgument(param, 'not_a_future')
  const closed = partRefusal(exchange, row)
  if (closed !== null) return refuse(step.bookState, closed)
  if (rows.includes(row)) return badArgument(param, 'duplicate_instrument')
  const isShared = rows.some((leg) => leg.instrument.baseCurrency === instrument.baseCurrency)
  if (!isShared) return badArgument(param, 'other_currency')
  const size = stepRefusal(row, hedge.amount)
  if (size !== null) return refuse(step.amount, size)
  const price = blockPriceRefusal(exchange, row, hedge.price)
  return price === null ? pass(null) : refuse(step.price, price)
}

/** The accounts with the named aliases. */
function checkMakers(exchange: Exchange, { account, makers, disclosed }: CreateBlockRfq): Verdict<readonly number[]> {
  const targets: number[] = []
  for (const [at, alias] of makers.entries()) {
    const found = makersOf(exchange).find((maker) => makerAliasOf(exchange, maker) === alias)
    if (found === undefined || isOfOneOwner(exchange, account, found)) {
      return badArgument('makers', 'unknown_maker')
    }
    if (makers.indexOf(alias) !== at) return badArgument('makers', 'duplicate_maker')
    targets.push(found)
  }
  const { anonymousMakersMin } = exchange.config.blockRfqs
  const isTold = !disclosed && targets.length > 0 && targets.length < anonymousMakersMin
  return isTold ? badArgument('disclosed', 'too_few_makers') : pass(targets)
}

/**
 * Rule: rfq.allocation-sum. The shares must add up to the whole amount. Each share is for an account of the taker's
 * owner, including the taker, or for a client of one of them.
 */
function checkShares(
  exchange: Exchange,
  { account, allocations }: CreateBlockRfq,
  structure: Structure,
): Verdict<readonly RfqShare[]> {
  const shares: RfqShare[] = []
  for (const [at, { account: target, client, amount9 }] of allocations.entries()) {
    const param = `trade_allocations.${at}`
    if (!mayBook(exchange, account, { target, isClient: client !== null })) {
      return badArgument(param, client === null ? 'other_owner' : 'not_a_client')
    }
    if (shares.some((share) => share.account === target)) return badArgument(param, 'repeated')
    const amount = sizeUnits(structure, amount9)
    if (amount === undefined || amount <= 0) return badArgument(`${param}.amount`, 'invalid_amount')
    shares.push({ account: target, client, amount })
  }
  const sum = shares.reduce((all, { amount }) => all + amount, 0)
  if (shares.length > 0 && sum !== structure.amount) {
    return badArgument('trade_allocations', 'expected amounts that add up to the amount of the RFQ')
  }
  return pass(shares)
}

/** True if a taker may allocate a part to an account. */
function mayBook(
  exchange: Exchange,
  taker: number,
  { target, isClient }: { readonly target: number; readonly isClient: boolean },
): boolean {
  const row = exchange.accounts[target]
  if (row === undefined || row.account.house || exchange.removed.has(target)) return false
  if (!isClient) return isOfOneOwner(exchange, taker, target)
  const { broker } = partyOf(exchange, target)
  return broker !== null && isOfOneOwner(exchange, taker, broker)
}

/** Opens the RFQ. Events: `block_rfq` created. Returns its number. */
function commitCreate(turn: Turn, command: CreateBlockRfq, plan: CreatePlan): number {
  const { exchange } = turn
  const { rfqs, now, timers } = exchange
  const { expiry, grace } = exchange.config.blockRfqs
  forgetRfqs(exchange)
  rfqs.count += 1
  const number = rfqs.count
  assert(!rfqs.rfqs.has(number), 'each RFQ has a unique number')
  const expiresAt = micros(now + expiry)
  const graceUntil = micros(now + grace)
  const rfq: RfqRow = {
    ...plan.structure,
    rfq: number,
    taker: command.account,
    hedge: command.hedge,
    makers: plan.makers,
    disclosed: command.disclosed,
    label: command.label,
    appName: command.appName,
    shares: plan.shares,
    createdAt: now,
    expiresAt,
    graceUntil,
    expiry: setTimer(timers, expiresAt, { kind: 'rfq_expiry', rfq: number }),
    state: 'open',
    closedAt: null,
    mark9: structureMark9(exchange, plan.structure.legs),
    quotes: new Map(),
    ended: new Map(),
    triggers: [],
    shown: emptyDisplay,
    shownSince: null,
    included: false,
    filledSide: null,
    trades: [],
    indices: [],
  }
  setTimer(timers, graceUntil, { kind: 'rfq_grace', rfq: number })
  rfqs.rfqs.set(number, rfq)
  rfqs.open.add(number)
  emitRfq(turn, rfq, { change: 'created', reason: 'user_request' })
  return number
}

/** Checks that an RFQ is open and belongs to the account. */
export function checkOwnRfq(
  exchange: Exchange,
  { account, rfq: number }: { readonly account: number; readonly rfq: number },
): Verdict<RfqRow> {
  const rfq = exchange.rfqs.rfqs.get(number)
  if (rfq === undefined) return refuse(step.instrument, { reason: 'not_found' })
  if (rfq.taker !== account) return refuse(step.instrument, { reason: 'forbidden' })
  return rfq.state === 'open' ? pass(rfq) : refuse(step.bookState, { reason: 'already_closed' })
}

/** Checks that the RFQ can be cancelled; only reads. */
function checkCancel(exchange: Exchange, command: CancelBlockRfq): Verdict<RfqRow> {
  return checkOwnRfq(exchange, command)
}

function commitCancel(turn: Turn, _: CancelBlockRfq, rfq: RfqRow): number {
  assert(turn.exchange.rfqs.open.has(rfq.rfq), 'an RFQ is open before it is cancelled')
  closeRfq(turn, rfq, { state: 'cancelled', reason: 'user_request' })
  assert(!turn.exchange.rfqs.open.has(rfq.rfq), 'a cancelled RFQ is closed')
  return 1
}

/** Checks a role: the account must belong to a trader, and its aliases must be unique. */
function checkParty(exchange: Exchange, command: SetRfqParty): Verdict<null> {
  const { target, role } = command
  const { makerAlias = null, takerAlias = null, broker = null } = role
  const row = exchange.accounts[target]
  if (row === undefined || row.account.house) {
    return badParam('account', 'expected the account of a trader')
  }
  const others = exchange.accounts.filter(({ account }) => !account.house && account.id !== target)
  const isTaken = (alias: string | null, nameOf: typeof makerAliasOf): boolean =>
    others.some(({ account }) => nameOf(exchange, account.id) === alias)
  if (isTaken(makerAlias, makerAliasOf)) return badParam('maker_alias', 'alias_taken')
  if (isTaken(takerAlias, takerAliasOf)) return badParam('taker_alias', 'alias_taken')
  if (broker !== null && (broker === target || isOfOneOwner(exchange, broker, target))) {
    return badParam('broker', 'expected an account of another owner')
  }
  return pass(null)
}

function commitParty({ exchange }: Turn, command: SetRfqParty): number {
  const { target, role } = command
  assert(role.broker !== target, 'a broker and its client are different accounts')
  Object.assign(partyFor(exchange, target), role)
  return 1
}

export const rfqsHandlers: Handlers<'create_block_rfq' | 'cancel_block_rfq' | 'set_rfq_party'> = {
  create_block_rfq: seal({ check: checkCreate, commit: commitCreate }),
  cancel_block_rfq: seal({ check: checkCancel, commit: commitCancel }),
  set_rfq_party: seal({ check: checkParty, commit: commitParty }),
}
