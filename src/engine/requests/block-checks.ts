/**
 * Checks of a block's trades and of its sides. They only read.
 *
 * Rule: block.size, block.price, block.legs. A size is a multiple of the instrument's smallest size. If a leg is an
 * option, every option must reach its block minimum and the other legs may have any size; otherwise every leg must
 * reach its minimum. A price must be a multiple of the block tick and near the mark. Each instrument occurs once, and
 * combos must be sent as their legs.
 *
 * Assumed: minimums of linear futures are in the quote currency and are compared with amount times price; spot has no
 * block minimum and no block tick. Runs without price bands for orders have none for blocks.
 * Source: sessions-blocks-gateways.md 4.3, 4.6 (order of checks); coverage R05, R76.
 */
import { defined, divTruncBig, modFloor, type Price9, price9, safeNumber } from '../../core/index.ts'
import { basisBig } from '../../ledger/index.ts'
import {
  type BlockLeg,
  blockTermsOf,
  type Liquidity,
  type Refusal,
  sizeReason,
  validationStep,
} from '../../model/index.ts'
import { accountRefusal, coversSpot, lockRefusal, stateRefusal } from '../market/index.ts'
import {
  accountRow,
  type CheckResult,
  type Exchange,
  type InstrumentRow,
  isCoinSettled,
  isMarked,
  ONE_COIN9,
  pass,
  refuse,
} from '../state/index.ts'
import { bearsMoves, type Moved } from '../value/index.ts'
import { paramRefusal } from './handler.ts'

const step = validationStep
/** Step of locks: after all checks of the trades, before margin (R76). */
const LOCKS = step.openOrderLimits
const PPM = 1_000_000n
const NANO = 1_000_000_000n

/** A leg with its row and its index in the request. */
interface PlacedLeg {
  readonly leg: BlockLeg
  readonly row: InstrumentRow
  readonly at: number
}

/** The row of a leg. */
type PlacedRow = Pick<PlacedLeg, 'row'>

/** An instrument with a price. */
interface PricedRow extends PlacedRow {
  readonly price: Price9
}

/** A side of a block: an account in a role. */
export interface SideOfBlock {
  readonly account: number
  readonly role: Liquidity
}

/** Checks that apply to the trades of a block for any account. */
function checkBlockLegs(exchange: Exchange, legs: readonly BlockLeg[]): CheckResult<null> {
  const placed: PlacedLeg[] = []
  const { legsMax } = exchange.config.blockTrades
  if (legs.length > legsMax) {
    return refuse(step.parameters, paramRefusal('trades', `expected at most ${legsMax} trades`))
  }
  for (const [at, leg] of legs.entries()) {
    const row = exchange.instruments[leg.instrument]
    if (row === undefined) return refuse(step.instrument, { reason: 'not_found' })
    placed.push({ leg, row, at })
  }
  const hasOption = placed.some(({ row }) => row.instrument.kind === 'option')
  for (const { step: at, check } of legChecks) {
    for (const each of placed) {
      const refusal = check(exchange, each, { placed, hasOption })
      if (refusal !== null) return refuse(at, refusal)
    }
  }
  return pass(null)
}

/** All legs of the block, for checks of one leg. */
interface WholeBlock {
  readonly placed: readonly PlacedLeg[]
  readonly hasOption: boolean
}

const legChecks = [
  { step: step.instrument, check: comboRefusal },
  { step: step.bookState, check: closedRefusal },
  { step: step.argumentCombination, check: repeatRefusal },
  { step: step.amount, check: sizeRefusal },
  { step: step.price, check: legPriceRefusal },
  { step: step.priceBand, check: legBandRefusal },
] as const

function comboRefusal(_: Exchange, { row }: PlacedRow): Refusal | null {
  return row.instrument.detail.type === 'combo' ? { reason: 'invalid_or_unsupported_instrument' } : null
}

/** The reason why an instrument cannot be a leg, or null: it is a combo, or its book is closed. */
export function partRefusal(exchange: Exchange, row: InstrumentRow): Refusal | null {
  return comboRefusal(exchange, { row }) ?? closedRefusal(exchange, { row })
}

/** The refusal of a size that is not valid for an instrument, or null. */
export function stepRefusal(row: InstrumentRow, lots: number): Refusal | null {
  const isOnStep = lots > 0 && modFloor(lots, row.instrument.minTradeLots) === 0
  return isOnStep ? null : { reason: 'invalid_amount' }
}

/**
 * The refusal of a size that is not valid for a block trade, or null. Before a rescale, sizes must be multiples of the
 * smallest size; after it, multiples of the step and at least the smallest size.
 */
function blockStepRefusal(row: InstrumentRow, size: number): Refusal | null {
  if (row.instrument.stepLots === undefined) return stepRefusal(row, size)
  return sizeReason(row.instrument, size) === null ? null : { reason: 'invalid_amount' }
}

/** The refusal of a block price of an instrument, or null: it is off the tick, or too far from the mark. */
export function blockPriceRefusal(exchange: Exchange, row: InstrumentRow, price: Price9): Refusal | null {
  return priceRefusal(exchange, { price, row }) ?? bandRefusal(exchange, { price, row })
}

/** Refuses a book that is closed permanently or halted. A later step checks books that reopen without a request. */
function closedRefusal(_: Exchange, { row }: PlacedRow): Refusal | null {
  const refusal = row.deliveredAt === null ? stateRefusal(row) : { reason: 'book_closed' as const }
  return refusal?.reason === 'book_closed' ? refusal : null
}

function repeatRefusal(_: Exchange, { leg, at }: PlacedLeg, { placed }: WholeBlock): Refusal | null {
  const first = placed.find((each) => each.leg.instrument === leg.instrument)
  if (first === undefined || first.at === at) return null
  const param = `trades.${at}.instrument_name`
  return { reason: 'invalid_arguments', param, problem: 'duplicate_instrument' }
}

function sizeRefusal(_: Exchange, { leg, row }: PlacedLeg, { hasOption }: WholeBlock): Refusal | null {
  const off = blockStepRefusal(row, leg.amount)
  if (off !== null) return off
  const terms = blockTermsOf(row.instrument)
  if (terms === null || (hasOption && row.instrument.kind !== 'option')) return null
  const amount9 = BigInt(leg.amount) * BigInt(row.instrument.amountStep9)
  const isQuoted = row.instrument.kind === 'future' && row.instrument.payoff === 'linear'
  const size9 = isQuoted ? basisBig(row.terms, leg.amount, leg.price) : amount9
  return size9 < BigInt(terms.least) * NANO ? { reason: 'qty_too_low' } : null
}

function legPriceRefusal(exchange: Exchange, { leg, row }: PlacedLeg): Refusal | null {
  return priceRefusal(exchange, { price: leg.price, row })
}

function legBandRefusal(exchange: Exchange, { leg, row }: PlacedLeg): Refusal | null {
  return bandRefusal(exchange, { price: leg.price, row })
}

function priceRefusal(_: Exchange, { price, row }: PricedRow): Refusal | null {
  if (price <= 0) return { reason: 'invalid_price' }
  const tick9 = blockTermsOf(row.instrument)?.tick9 ?? row.instrument.tick9
  return modFloor(price, tick9) === 0 ? null : { reason: 'price_wrong_tick' }
}

/** A price must be within a tenth of the mark, for options within a tenth of the underlying. */
function bandRefusal({ config }: Exchange, { price, row }: PricedRow): Refusal | null {
  if (!isMarked(row)) return { reason: 'retry' }
  if (!config.priceBands) return null
  const isOption = row.instrument.kind === 'option'
  const base9 = !isOption ? row.mark : isCoinSettled(row) ? ONE_COIN9 : row.index.price
  const { bandPpm } = config.blockTrades
  const reach = safeNumber(divTruncBig(BigInt(base9) * BigInt(bandPpm), PPM))
  const [low, high] = [row.mark - reach, row.mark + reach]
  if (price < low) return { reason: 'price_too_low', limit: price9(low) }
  return price > high ? { reason: 'price_too_high', limit: price9(high) } : null
}

/** Checks that no lock or settlement prevents a block of these sides. */
export function checkBlockLocks(
  exchange: Exchange,
  legs: readonly Pick<BlockLeg, 'instrument'>[],
  sides: readonly SideOfBlock[],
): CheckResult<null> {
  for (const { instrument } of legs) {
    const row = defined(exchange.instruments[instrument], 'the instruments are listed')
    for (const { account } of sides) {
      const barred = lockRefusal(exchange, account) ?? accountRefusal(exchange, account, false, row)
      if (barred !== null) return refuse(LOCKS, barred)
    }
    const closed = stateRefusal(row)
    if (closed !== null) return refuse(LOCKS, closed)
  }
  return pass(null)
}

/**
 * Checks a block for both of its sides: the trades, then locks, then margin; the first side belongs to the account that
 * sends the request.
 */
export function checkBlockSides(
  exchange: Exchange,
  legs: readonly BlockLeg[],
  sides: readonly SideOfBlock[],
): CheckResult<null> {
  const trades = checkBlockLegs(exchange, legs)
  if (!trades.ok) return trades
  const locks = checkBlockLocks(exchange, legs, sides)
  if (!locks.ok) return locks
  const poor = sides.findIndex((side) => !bearsBlock(exchange, legs, side))
  if (poor < 0) return pass(null)
  const problem = poor === 0 ? 'self' : 'counterparty'
  return refuse(step.margin, { reason: 'side_not_enough_funds', problem })
}

/** True if a side has enough margin for the whole block. */
export function bearsBlock(exchange: Exchange, legs: readonly BlockLeg[], { account, role }: SideOfBlock): boolean {
  const moves: Moved[] = []
  const cash = new Map<number, bigint>()
  const add = (currency: number, nano: bigint): void => {
    cash.set(currency, (cash.get(currency) ?? 0n) + nano)
  }
  for (const { instrument, side, price, amount } of legs) {
    const row = defined(exchange.instruments[instrument], 'the instruments are listed')
    const isBuying = (side === 'buy') === (role === 'maker')
    if (row.base < 0) {
      moves.push({ row, lots: isBuying ? amount : -amount, price })
      continue
    }
    const cost = basisBig(row.terms, amount, price)
    const coins = BigInt(amount) * BigInt(row.instrument.amountStep9)
    add(row.settlement, isBuying ? -cost : cost)
    add(row.base, isBuying ? coins : -coins)
  }
  const isCovered = [...cash].every(([currency, nano]) => nano >= 0n || coversSpot(exchange, account, currency, -nano))
  return isCovered && bearsMoves(exchange, account, moves, cash)
}

/** True if two accounts of one owner may not trade with each other. */
export function isSelfTrade(exchange: Exchange, one: number, other: number): boolean {
  if (one === other) return true
  const [left, right] = [accountRow(exchange, one), accountRow(exchange, other)]
  if (left.account.main !== right.account.main) return false
  return left.selfMatchExtended && right.selfMatchExtended && left.selfMatch !== 'off'
}
