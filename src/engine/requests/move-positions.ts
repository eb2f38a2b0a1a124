/**
 * Owners move positions and money between accounts of one main account: positions at a price and without a fee, all of
 * a request or none; money up to the amount that could be withdrawn.
 *
 * A position moves at its average price unless the request gives another price, and at most the whole position moves.
 * Neither account may be under liquidation, the target must not be restricted to reducing, and both must have enough
 * margin after the move. Assumed: a position that is moved in two parts counts as the sum of both.
 *
 * Rule: position.move, cash.transfer. Source: sessions-blocks-gateways.md 6.1, 6.3; market.md 5.3; R53.
 */
import { assert, type Price9 } from '../../core/index.ts'
import { cashOf, readHolding, sizeOf } from '../../ledger/index.ts'
import { currencyIdOf, type MovePositions, type Refusal, type TransferCash, validationStep } from '../../model/index.ts'
import { fits, transferMoney, transferPosition } from '../day/index.ts'
import { accountRefusal, lockRefusal } from '../market/index.ts'
import {
  type CheckResult,
  type Exchange,
  findHolding,
  forgetParticipant,
  holdingFor,
  pass,
  refuse,
  rowOfInstrument,
  type Turn,
  walletRowOf,
} from '../state/index.ts'
import { averagePriceOf, bearsMoves, type Moved, withdrawableOf } from '../value/index.ts'
import { type Handlers, seal } from './handler.ts'

const step = validationStep

/** Checks a move; only reads. Returns the size of each position that the target receives. */
function checkMovePositions(exchange: Exchange, command: MovePositions): CheckResult<readonly Moved[]> {
  const { source, target, positions } = command
  const between = checkBetween(exchange, command)
  if (!between.ok) return between
  for (const { instrument } of positions) {
    const row = exchange.instruments[instrument]
    if (row === undefined) return refuse(step.instrument, { reason: 'not_found' })
    if (row.deliveredAt !== null) return refuse(step.bookState, { reason: 'book_closed' })
  }
  // The move only reduces the position of the source; it may increase that of the target.
  const barred = accountRefusal(exchange, source, true, null) ?? accountRefusal(exchange, target, false, null)
  if (barred !== null) return refuse(step.accountLocks, barred)
  const moves: Moved[] = []
  const moved = new Map<number, number>()
  for (const { instrument, amount: size, price } of positions) {
    const row = rowOfInstrument(exchange, instrument)
    const owner = findHolding(exchange, source, row)
    const held = owner === undefined ? null : readHolding(exchange.ledger, owner.holding)
    const before = moved.get(instrument) ?? 0
    if (held === null || size <= 0 || Math.abs(held.size) < before + size) {
      return refuse(step.amount, { reason: 'invalid_amount' })
    }
    if (row.mark === 0) return refuse(step.priceBand, { reason: 'retry' })
    const at: Price9 = price ?? averagePriceOf(row, held.size, held.entry)
    if (at <= 0) return refuse(step.price, { reason: 'invalid_price' })
    moved.set(instrument, before + size)
    moves.push({ row, lots: held.size > 0 ? size : -size, price: at })
  }
  const given = moves.map((move) => ({ ...move, lots: -move.lots }))
  const isBorne = bearsMoves(exchange, target, moves) && bearsMoves(exchange, source, given)
  return isBorne ? pass(moves) : refuse(step.margin, { reason: 'not_enough_funds' })
}

/** Carries out the moves. Events: those of a transfer, for each. */
function commitMovePositions(turn: Turn, { source, target }: MovePositions, moves: readonly Moved[]): number {
  assert(source !== target, 'a position moves to another account')
  forgetParticipant(turn.exchange, target)
  for (const { row, lots: size, price } of moves) {
    const to = holdingFor(turn.exchange, target, row)
    const before = sizeOf(turn.exchange.ledger, to.holding)
    transferPosition(turn, {
      reason: 'move',
      from: holdingFor(turn.exchange, source, row),
      to,
      lots: size,
      price,
      commission: 0n,
      commissionToTarget: 0n,
    })
    const taken = sizeOf(turn.exchange.ledger, to.holding) - before
    assert(taken === size, 'the target receives the moved position')
  }
  return moves.length
}

/** Checks a transfer of money; only reads. */
function checkTransferCash(exchange: Exchange, command: TransferCash): CheckResult<null> {
  const between = checkBetween(exchange, command)
  if (!between.ok) return between
  if (command.amount <= 0n) return refuse(step.amount, { reason: 'invalid_amount' })
  if (command.amount > withdrawableOf(exchange, command.source, command.currency)) {
    return refuse(step.margin, { reason: 'not_enough_funds' })
  }
  if (!fits(exchange, command)) return refuse(step.amount, { reason: 'invalid_amount' })
  return between
}

/** Moves the money. Events: `transfer`. */
function commitTransferCash(turn: Turn, command: TransferCash): number {
  const { ledger } = turn.exchange
  const wallet = walletRowOf(command.target, currencyIdOf(command.currency))
  const before = cashOf(ledger, wallet)
  assert(command.amount > 0n, 'a transfer has a positive amount')
  transferMoney(turn, command)
  const received = cashOf(ledger, wallet) - before
  assert(received === command.amount, 'the target receives the transferred amount')
  return 1
}

/**
 * Both accounts must belong to one main account, and the request must come from the main account or one of the two.
 * Neither may be locked.
 */
function checkBetween(exchange: Exchange, command: MovePositions | TransferCash): CheckResult<null> {
  const { source, target, account } = command
  const [from, to] = [exchange.accounts[source], exchange.accounts[target]]
  const isOne = from !== undefined && to !== undefined && from.account.main === to.account.main
  const isAsked = isOne && [source, target, from.account.main].some((id) => id === account)
  if (!isOne || !isAsked || from.account.house || source === target) {
    // Not at the step of scopes: an unreadable request names no accounts, and is refused for its fault.
    return refuse(step.accountLocks, { reason: 'forbidden' })
  }
  const locked: Refusal | null = lockRefusal(exchange, source) ?? lockRefusal(exchange, target)
  return locked === null ? pass(null) : refuse(step.accountLocks, locked)
}

export const movePositionsHandlers: Handlers<'move_positions' | 'transfer_cash'> = {
  move_positions: seal({ check: checkMovePositions, commit: commitMovePositions }),
  transfer_cash: seal({ check: checkTransferCash, commit: commitTransferCash }),
}
