/**
 * Which rows each family of events becomes: a table that is total over the families, so that a new one does not
 * compile until somebody says what becomes of it.
 */
import type { EventKind, TotalTakers } from '../model/index.ts'
import { type Block, endRow, type NamedBlock } from './columns.ts'
import {
  accountWriter,
  cashWriter,
  givenPositionWriter,
  instrumentWriter,
  movedPositionWriter,
  stateWriter,
  transferredCashWriter,
} from './rows/account-rows.ts'
import { orderWriter } from './rows/order-rows.ts'
import {
  bumpWriter,
  mmpWriter,
  quoteWriter,
  sessionWriter,
  standingWriter,
} from './rows/protection-rows.ts'
import {
  liquidationWriter,
  lockWriter,
  lspWriter,
  participantWriter,
  transferWriter,
} from './rows/risk-rows.ts'
import { fundingRateWriter, fundingWriter, settlementWriter } from './rows/settlement-rows.ts'
import {
  fillWriter,
  levelWriter,
  markWriter,
  type RowWriter,
  rejectWriter,
  tradeWriter,
} from './rows/trading-rows.ts'
import type { TableName } from './schema.ts'
import { learnInstrument, type SinkState } from './sink-state.ts'

type Seal = (block: Block) => void
type Takers<K extends EventKind> = Pick<TotalTakers, K>

/** Copies each event to the rows of its family. */
export function rowTakers(state: SinkState, seal: Seal): TotalTakers {
  const { blocks, steps } = state
  const writeMark = rowOf(blocks.marks, markWriter(blocks.marks), seal)
  const writeSettlement = rowOf(
    blocks.settlements,
    settlementWriter(blocks.settlements, steps),
    seal,
  )
  return {
    order: rowOf(blocks.orders, orderWriter(blocks.orders, steps), seal),
    ...tradeTakers(state, seal),
    level: rowOf(blocks.book, levelWriter(blocks.book, steps), seal),
    refusal: rowOf(blocks.rejects, rejectWriter(blocks.rejects), seal),
    // `orders` and `rejects` tell what a request did.
    request: undefined,
    ...standingTakers(state, seal),
    mark: writeMark,
    index: writeMark,
    delivery_price: writeMark,
    funding_rate: rowOf(blocks.funding_rates, fundingRateWriter(blocks.funding_rates), seal),
    funding: rowOf(blocks.funding, fundingWriter(blocks.funding, state), seal),
    settlement: writeSettlement,
    instrument_settlement: writeSettlement,
    bankruptcy: writeSettlement,
    shared_loss: writeSettlement,
    currency_bankruptcy: writeSettlement,
    ...riskTakers(state, seal),
    ...transferTakers(state, seal),
    ...protectionTakers(state, seal),
  }
}

/** A trade has a row, and one for each of its sides. */
function tradeTakers({ blocks, steps }: SinkState, seal: Seal): Takers<'trade' | 'print'> {
  const { trades, fills } = blocks
  const writeTrade = rowOf(trades, tradeWriter(trades, steps), seal)
  const writeFill = fillWriter(fills, steps)
  return {
    trade: (event) => {
      writeTrade(event)
      writeFill(event, event.maker, event.taker)
      endRow(fills, seal)
      writeFill(event, event.taker, event.maker)
      endRow(fills, seal)
    },
    print: writeTrade,
  }
}

function standingTakers(
  state: SinkState,
  seal: Seal,
): Takers<'instrument' | 'account' | 'state' | 'cash' | 'given_position' | 'self_trading'> {
  const { blocks, steps, names } = state
  const writeInstrument = rowOf(blocks.instruments, instrumentWriter(blocks.instruments), seal)
  const writeAccount = rowOf(blocks.accounts, accountWriter(blocks.accounts), seal)
  const { given_positions } = blocks
  return {
    instrument: (event) => {
      learnInstrument(state, event.instrument)
      writeInstrument(event)
    },
    account: (event) => {
      names.account_id[event.account] = event.name
      writeAccount(event)
    },
    state: rowOf(blocks.states, stateWriter(blocks.states), seal),
    cash: rowOf(blocks.cash, cashWriter(blocks.cash), seal),
    given_position: rowOf(given_positions, givenPositionWriter(given_positions, steps), seal),
    // No table has settings: the journal says who chose them, and `orders` what they ended.
    self_trading: undefined,
  }
}

function riskTakers(
  { blocks, steps }: SinkState,
  seal: Seal,
): Takers<'liquidation' | 'liquidation_step' | 'lsp_participant' | 'lsp'> {
  const { liquidations, protections } = blocks
  const write = rowOf(liquidations, liquidationWriter(liquidations, steps), seal)
  const writeLock = rowOf(protections, lockWriter(protections), seal)
  return {
    liquidation: (event) => {
      write(event)
      writeLock(event)
    },
    liquidation_step: write,
    lsp_participant: participantWriter(protections, () => endRow(protections, seal)),
    lsp: rowOf(protections, lspWriter(protections), seal),
  }
}

/** Both sides of what changed hands have a row, as both sides of a trade have in `fills`. */
function transferTakers(state: SinkState, seal: Seal): Takers<'position_transfer' | 'transfer'> {
  const { liquidations, given_positions, cash } = state.blocks
  const writeTransfer = transferWriter(liquidations, state)
  const writeMove = movedPositionWriter(given_positions, state.steps)
  const writeCash = transferredCashWriter(cash)
  return {
    position_transfer: (event) => {
      const { reason } = event
      for (const side of sides) {
        if (reason === 'move') {
          writeMove(event, side)
          endRow(given_positions, seal)
        } else {
          writeTransfer(event, { side, reason })
          endRow(liquidations, seal)
        }
      }
    },
    transfer: (event) => {
      for (const side of sides) {
        writeCash(event, side)
        endRow(cash, seal)
      }
    },
  }
}

function protectionTakers(
  { blocks: { protections }, steps }: SinkState,
  seal: Seal,
): Takers<'mmp' | 'bump' | 'session' | 'quote_refusal' | 'standing'> {
  return {
    mmp: rowOf(protections, mmpWriter(protections), seal),
    bump: rowOf(protections, bumpWriter(protections, steps), seal),
    session: rowOf(protections, sessionWriter(protections), seal),
    quote_refusal: rowOf(protections, quoteWriter(protections), seal),
    standing: rowOf(protections, standingWriter(protections), seal),
  }
}

const sides = ['from', 'to'] as const

/** A writer that ends its row. */
function rowOf<Name extends TableName, Source>(
  block: NamedBlock<Name>,
  write: RowWriter<Source>,
  seal: Seal,
): RowWriter<Source> {
  return (source) => {
    write(source)
    endRow(block, seal)
  }
}
