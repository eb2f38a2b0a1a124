/**
 * Block RFQs of takers, their creation and cancel, and the roles of accounts.
 *
 * Rule: rfq.create. At most 20 different legs that share one quote currency, and one hedge: a future of the native
 * currency of options, or of a base currency of spot pairs and futures. An RFQ that is not disclosed names no makers or
 * at least five. A taker has at most 25 open RFQs.
 *
 * Source: sessions-blocks-gateways.md 5.4, 5.9.
 */

import { minimumTradeAmount, structureOf, structurePrice } from '../../blocks/index.ts'
import {
  type AccountId,
  assert,
  defined,
  divCeilBig,
  divFloorBig,
  micros,
  type Price9,
  safeNumber,
} from '../../core/index.ts'
import {
  type BlockLeg,
  blockTermsOf,
  type CancelBlockRfq,
  type CreateBlockRfq,
  type RfqAsk,
  type RfqLeg,
  type SetRfqParty,
  validationStep,
} from '../../model/index.ts'
import { closeRfq, emitRfq, emptyDisplay, forgetRfqs } from '../market/index.ts'
import {
  type CheckResult,
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
  rowOfInstrument,
  setTimer,
  type Turn,
  takerAliasOf,
} from '../state/index.ts'
import { blockPriceRefusal, checkBlockLocks, partRefusal, stepRefusal } from './block-checks.ts'
import { badArgument, badParam, type Handlers, seal } from './handler.ts'

/** A structure in the form of an RFQ. */
type Structure = Pick<RfqRow, 'sizeUnit9' | 'priceUnit9' | 'legs' | 'amount' | 'least' | 'step'>

const NANO = 1_000_000_000n

const MOST = BigInt(Number.MAX_SAFE_INTEGER)

const step = validationStep

/** Plan of a new RFQ. */
interface CreatePlan {
  readonly structure: Structure
  readonly makers: readonly number[]
  readonly shares: readonly RfqShare[]
}

/** Checks a new RFQ; only reads. */
function checkCreate(exchange: Exchange, command: CreateBlockRfq): CheckResult<CreatePlan> {
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
function checkLegs(exchange: Exchange, legs: readonly RfqAsk[]): CheckResult<readonly InstrumentRow[]> {
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

function checkHedge(exchange: Exchange, hedge: BlockLeg, rows: readonly InstrumentRow[]): CheckResult<null> {
  const param = 'hedge.instrument_name'
  const row = exchange.instruments[hedge.instrument]
  if (row === undefined) return refuse(step.instrument, { reason: 'not_found' })
  if (row.instrument.kind !== 'future') return badArgument(param, 'not_a_future')
  const closed = partRefusal(exchange, row)
  if (closed !== null) return refuse(step.bookState, closed)
  if (rows.includes(row)) return badArgument(param, 'duplicate_instrument')
  const isShared = rows.some((leg) => leg.instrument.baseCurrency === row.instrument.baseCurrency)
  if (!isShared) return badArgument(param, 'other_currency')
  const size = stepRefusal(row, hedge.amount)
  if (size !== null) return refuse(step.amount, size)
  const price = blockPriceRefusal(exchange, row, hedge.price)
  return price === null ? pass(null) : refuse(step.price, price)
}

/** The accounts with the named aliases. */
function checkMakers(
  exchange: Exchange,
  { account, makers, disclosed }: CreateBlockRfq,
): CheckResult<readonly number[]> {
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
  const hasTooFewMakers = !disclosed && targets.length > 0 && targets.length < anonymousMakersMin
  return hasTooFewMakers ? badArgument('disclosed', 'too_few_makers') : pass(targets)
}

/**
 * Rule: rfq.allocation-sum. The shares must add up to the whole amount. Each share is for an account of the taker's
 * owner, including the taker, or for a client of one of them.
 */
function checkShares(
  exchange: Exchange,
  { account, allocations }: CreateBlockRfq,
  structure: Structure,
): CheckResult<readonly RfqShare[]> {
  const shares: RfqShare[] = []
  for (const [at, { account: target, client, amount9 }] of allocations.entries()) {
    const param = `trade_allocations.${at}`
    if (!mayBook(exchange, account, target, client !== null)) {
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
function mayBook(exchange: Exchange, taker: number, target: number, isClient: boolean): boolean {
  const row = exchange.accounts[target]
  if (row === undefined || row.account.house || exchange.removed.has(target)) return false
  if (!isClient) return isOfOneOwner(exchange, taker, target)
  const { broker } = partyOf(exchange, target)
  return broker !== null && isOfOneOwner(exchange, taker, broker)
}

/** Opens the RFQ. Events: `block_rfq` created. Returns its number. */
function commitCreate(turn: Turn, command: CreateBlockRfq, plan: CreatePlan): number {
  const { rfqs, now, timers } = turn.exchange
  const { expiry, grace } = turn.exchange.config.blockRfqs
  forgetRfqs(turn.exchange)
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
    mark9: structureMark9(turn.exchange, plan.structure.legs),
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
export function checkOwnRfq(exchange: Exchange, account: AccountId | -1, rfqNumber: number): CheckResult<RfqRow> {
  const rfq = exchange.rfqs.rfqs.get(rfqNumber)
  if (rfq === undefined) return refuse(step.instrument, { reason: 'not_found' })
  if (rfq.taker !== account) return refuse(step.instrument, { reason: 'forbidden' })
  return rfq.state === 'open' ? pass(rfq) : refuse(step.bookState, { reason: 'already_closed' })
}

/** Checks that the RFQ can be cancelled; only reads. */
function checkCancel(exchange: Exchange, command: CancelBlockRfq): CheckResult<RfqRow> {
  return checkOwnRfq(exchange, command.account, command.rfq)
}

function commitCancel(turn: Turn, _: CancelBlockRfq, rfq: RfqRow): number {
  assert(turn.exchange.rfqs.open.has(rfq.rfq), 'an RFQ is open before it is cancelled')
  closeRfq(turn, rfq, 'cancelled', 'user_request')
  assert(!turn.exchange.rfqs.open.has(rfq.rfq), 'a cancelled RFQ is closed')
  return 1
}

/** Checks a role: the account must belong to a trader, and its aliases must be unique. */
function checkParty(exchange: Exchange, command: SetRfqParty): CheckResult<null> {
  const { makerAlias = null, takerAlias = null, broker = null } = command.role
  const row = exchange.accounts[command.target]
  if (row === undefined || row.account.house) {
    return badParam('account', 'expected the account of a trader')
  }
  const others = exchange.accounts.filter(({ account }) => !account.house && account.id !== command.target)
  const isTaken = (alias: string | null, nameOf: typeof makerAliasOf): boolean =>
    others.some(({ account }) => nameOf(exchange, account.id) === alias)
  if (isTaken(makerAlias, makerAliasOf)) return badParam('maker_alias', 'alias_taken')
  if (isTaken(takerAlias, takerAliasOf)) return badParam('taker_alias', 'alias_taken')
  if (broker !== null && (broker === command.target || isOfOneOwner(exchange, broker, command.target))) {
    return badParam('broker', 'expected an account of another owner')
  }
  return pass(null)
}

function commitParty(turn: Turn, command: SetRfqParty): number {
  assert(command.role.broker !== command.target, 'a broker and its client are different accounts')
  Object.assign(partyFor(turn.exchange, command.target), command.role)
  return 1
}

export const rfqsHandlers: Handlers<'create_block_rfq' | 'cancel_block_rfq' | 'set_rfq_party'> = {
  create_block_rfq: seal({ check: checkCreate, commit: commitCreate }),
  cancel_block_rfq: seal({ check: checkCancel, commit: commitCancel }),
  set_rfq_party: seal({ check: checkParty, commit: commitParty }),
}

/**
 * Structures of Block RFQs: the units, ratios and least sizes of legs, and the price of the whole structure.
 *
 * Rule: rfq.units. The amount is the greatest common divisor of the sizes of the legs. The price is the sum of the
 * prices of the legs times their ratios, where sold legs count negative.
 *
 * Assumed: the least amount of linear futures is in the quote currency, and is converted at the mark.
 * Source: sessions-blocks-gateways.md 4.3, 5.4, 5.5.
 */

/** The structure of legs whose sizes are on their steps; undefined if its amounts are too large to represent. */
function readStructure(exchange: Exchange, asks: readonly RfqAsk[]): Structure | undefined {
  const rows = asks.map(({ instrument }) => rowOfInstrument(exchange, instrument))
  const sizeUnit9 = structureOf(rows.map(stepOf9)).amount
  const priceUnit9 = structureOf(rows.map(tickOf9)).amount
  const sizes9 = asks.map(({ amount }, at) => BigInt(amount) * BigInt(rowAt(rows, at).instrument.amountStep9))
  const unit = BigInt(sizeUnit9)
  if (sizes9.some((size9) => divFloorBig(size9, unit) > MOST)) return undefined
  const { amount, ratios } = structureOf(sizes9.map((size9) => Number(divFloorBig(size9, unit))))
  const legs = asks.map(({ instrument, side }, at): RfqLeg => {
    return { instrument, side, ratio: defined(ratios[at], 'each leg has a ratio') }
  })
  const hasOption = rows.some(({ instrument }) => instrument.kind === 'option')
  const sizesOf = (withLeast: boolean): bigint =>
    minimumTradeAmount(
      legs.map(({ ratio }, at) => {
        const row = rowAt(rows, at)
        const least9 = withLeast ? leastOf9(row, hasOption) : 0n
        return {
          ratio,
          minimum: divCeilBig(least9, unit),
          step: Number(divFloorBig(BigInt(stepOf9(row)), unit)),
        }
      }),
    )
  const [least, step] = [sizesOf(true), sizesOf(false)]
  if (least > MOST || step > MOST) return undefined
  return {
    sizeUnit9,
    priceUnit9,
    legs,
    amount,
    least: safeNumber(least),
    step: safeNumber(step),
  }
}

/** The price of a structure from the prices of its legs, in its unit; undefined if it cannot be represented. */
export function priceOfLegs(rfq: Pick<RfqRow, 'legs' | 'priceUnit9'>, prices: readonly Price9[]): number | undefined {
  const unit = BigInt(rfq.priceUnit9)
  const parts = rfq.legs.map(({ side, ratio }, at) => {
    const price9 = defined(prices[at], 'each leg has a price')
    return { buys: side === 'buy', ratio, price: Number(divFloorBig(BigInt(price9), unit)) }
  })
  const bound = parts.reduce((sum, { ratio, price }) => sum + BigInt(ratio) * BigInt(price), 0n)
  return bound > MOST ? undefined : structurePrice(parts)
}

/** A price of a structure in its unit; undefined if it is not a multiple of the unit or cannot be represented. */
export function structureUnits(rfq: Pick<RfqRow, 'priceUnit9'>, price9: bigint): number | undefined {
  return unitsOf(price9, rfq.priceUnit9)
}

/** A size of a structure in its unit; undefined if it is not a multiple of the unit or cannot be represented. */
export function sizeUnits(rfq: Pick<RfqRow, 'sizeUnit9'>, amount9: bigint): number | undefined {
  return unitsOf(amount9, rfq.sizeUnit9)
}

/** The mark of a structure in 1e-9. */
export function structureMark9(exchange: Exchange, legs: readonly RfqLeg[]): bigint {
  let sum = 0n
  for (const { instrument, side, ratio } of legs) {
    const worth = BigInt(ratio) * BigInt(rowOfInstrument(exchange, instrument).mark)
    sum += side === 'buy' ? worth : -worth
  }
  return sum
}

function unitsOf(value9: bigint, unit9: number): number | undefined {
  const unit = BigInt(unit9)
  const whole = divFloorBig(value9, unit)
  if (whole * unit !== value9 || whole > MOST || whole < -MOST) return undefined
  return safeNumber(whole)
}

/** The step of sizes, in 1e-9. */
function stepOf9({ instrument }: InstrumentRow): number {
  return instrument.minTradeLots * instrument.amountStep9
}

/** The tick of blocks, in 1e-9. */
function tickOf9({ instrument }: InstrumentRow): number {
  return blockTermsOf(instrument)?.tick9 ?? instrument.tick9
}

/**
 * The least size of a leg, in 1e-9; 0 for a leg without options in a structure with options. While a mark is missing, a
 * size in the quote currency cannot be converted: the request is then refused for the missing mark, whatever its size.
 */
function leastOf9({ instrument, mark }: InstrumentRow, hasOption: boolean): bigint {
  const terms = blockTermsOf(instrument)
  if (terms === null || (hasOption && instrument.kind !== 'option')) return 0n
  const least9 = BigInt(terms.least) * NANO
  const isQuoted = instrument.kind === 'future' && instrument.payoff === 'linear'
  if (!isQuoted) return least9
  return mark <= 0 ? 0n : divCeilBig(least9 * NANO, BigInt(mark))
}

function rowAt(rows: readonly InstrumentRow[], at: number): InstrumentRow {
  return defined(rows[at], 'each leg has an instrument')
}
