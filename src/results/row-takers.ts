/**
 * Maps each family of events to its rows. The table must list all families, so a new family does not compile until its
 * rows are decided.
 */
import { type RecordTakers, type TotalTakers, tradeRecords } from '../model/index.ts'
import { type Block, endRow, type NamedBlock } from './columns.ts'
import {
  accountCells,
  cashCells,
  givenCells,
  instrumentCells,
  movedCells,
  stateCells,
  transferCells,
} from './rows/account-rows.ts'
import { blockCells, rfqCells, rfqQuoteCells } from './rows/block-rows.ts'
import { cellWriter } from './rows/cells.ts'
import { orderWriter } from './rows/order-rows.ts'
import {
  bumpCells,
  lockCells,
  lspCells,
  mmpCells,
  participantCells,
  quoteRefusalCells,
  rejectCells,
  sessionCells,
  standingCells,
} from './rows/protection-rows.ts'
import { handoverCells, liquidationCells, stepCells } from './rows/risk-rows.ts'
import {
  addressCells,
  currencyBankruptcyCells,
  fundingCells,
  fundingRateWriter,
  instrumentSettlementCells,
  lossCells,
  paymentCells,
  settlementCells,
} from './rows/settlement-rows.ts'
import { plainTradeWriter } from './rows/trade-records.ts'
import { fillWriter, levelWriter, markWriter, type RowWriter, tradeWriter } from './rows/trading-rows.ts'
import type { TableName } from './schema.ts'
import { learnAccount, learnInstrument, type TableState } from './table-state.ts'

type Seal = (block: Block) => void

/**
 * Functions that turn the log into rows: directly from records for the families in `records`, otherwise from events.
 */
interface RowTakers {
  readonly events: Omit<TotalTakers, 'order' | 'trade'>
  readonly records: RecordTakers
}

/** Writes each event to the rows of its family. */
export function rowTakers(state: TableState, seal: Seal): RowTakers {
  const { orders } = state.blocks
  const { trade, ...frequent } = frequentTakers(state, seal)
  return {
    events: { ...frequent, ...standingTakers(state, seal), ...riskTakers(state, seal) },
    records: {
      order: rowOf(orders, orderWriter(orders, state.steps), seal),
      trade: tradeTaker(state, trade, seal),
    },
  }
}

/** Writes plain trades directly from their records. For other trades it creates an event in one reused object. */
function tradeTaker(
  { blocks, steps, houses }: TableState,
  write: TotalTakers['trade'],
  seal: Seal,
): NonNullable<RecordTakers['trade']> {
  const writePlain = plainTradeWriter(blocks.trades, blocks.fills, { steps, houses }, seal)
  const lent = tradeRecords.blankTrade()
  return (record) => {
    if (writePlain(record)) return
    lent.time = record.place.time
    lent.number = record.place.number
    lent.cause = record.place.cause
    tradeRecords.fillTrade(lent, record.buffer, record.at)
    write?.(lent)
  }
}

type FrequentKind = 'trade' | 'print' | 'level' | 'mark' | 'index' | 'delivery_price' | 'funding_rate'

/** Takes the frequent families. A trade has one row, and one more for each of its sides. */
function frequentTakers({ blocks, steps, houses }: TableState, seal: Seal): Pick<TotalTakers, FrequentKind> {
  const { trades, fills, marks } = blocks
  const writeTrade = rowOf(trades, tradeWriter(trades, steps), seal)
  const writeFill = fillWriter(fills, { steps, houses })
  const writeMark = rowOf(marks, markWriter(marks), seal)
  return {
    trade: (event) => {
      writeTrade(event)
      writeFill(event, event.maker, event.taker)
      endRow(fills, seal)
      writeFill(event, event.taker, event.maker)
      endRow(fills, seal)
    },
    print: writeTrade,
    level: rowOf(blocks.book, levelWriter(blocks.book, steps), seal),
    mark: writeMark,
    index: writeMark,
    delivery_price: writeMark,
    funding_rate: rowOf(blocks.funding_rates, fundingRateWriter(blocks.funding_rates), seal),
  }
}

type StandingKind =
  | 'refusal'
  | 'request'
  | 'account'
  | 'self_trading'
  | 'state'
  | 'instrument'
  | 'cash'
  | 'transfer'
  | 'given_position'

function standingTakers(state: TableState, seal: Seal): Pick<TotalTakers, StandingKind> {
  const writeInstrument = cellWriter(state.blocks.instruments, seal)
  const writeAccount = cellWriter(state.blocks.accounts, seal)
  const writeState = cellWriter(state.blocks.states, seal)
  const writeCash = cellWriter(state.blocks.cash, seal)
  const writeGiven = cellWriter(state.blocks.given_positions, seal)
  const writeReject = cellWriter(state.blocks.rejects, seal)
  return {
    refusal: (event) => writeReject(rejectCells(event)),
    // `orders` and `rejects` show the effects of a request.
    request: undefined,
    instrument: (event) => {
      learnInstrument(state, event.instrument)
      writeInstrument(instrumentCells(event))
    },
    account: (event) => {
      learnAccount(state, event)
      writeAccount(accountCells(event))
    },
    state: (event) => writeState(stateCells(event)),
    cash: (event) => writeCash(cashCells(event)),
    transfer: (event) => {
      for (const side of sides) writeCash(transferCells(event, side))
    },
    given_position: (event) => writeGiven(givenCells(event, state.steps)),
    // No table has settings: the journal shows who chose them, and `orders` shows the orders that they ended.
    self_trading: undefined,
  }
}

/**
 * Takes the events that move money and risk. Both sides of a transfer have a row, like both sides of a trade in
 * `fills`.
 */
function riskTakers(state: TableState, seal: Seal): Omit<TotalTakers, 'order' | FrequentKind | StandingKind> {
  const { blocks, steps } = state
  const writeFunding = cellWriter(blocks.funding, seal)
  const writeSettlement = cellWriter(blocks.settlements, seal)
  const writeLiquidation = cellWriter(blocks.liquidations, seal)
  const writeProtection = cellWriter(blocks.protections, seal)
  const writeGiven = cellWriter(blocks.given_positions, seal)
  const writeBlock = cellWriter(blocks.blocks, seal)
  const writeWallet = cellWriter(blocks.wallet, seal)
  const writeRfq = cellWriter(blocks.rfqs, seal)
  const writeRfqQuote = cellWriter(blocks.rfq_quotes, seal)
  return {
    funding: (event) => writeFunding(fundingCells(event, state.steps, state.currencies)),
    settlement: (event) => writeSettlement(settlementCells(event, steps)),
    instrument_settlement: (event) => writeSettlement(instrumentSettlementCells(event, steps)),
    bankruptcy: (event) => writeSettlement(lossCells(event)),
    shared_loss: (event) => writeSettlement(lossCells(event)),
    currency_bankruptcy: (event) => writeSettlement(currencyBankruptcyCells(event)),
    liquidation: (event) => {
      writeLiquidation(liquidationCells(event))
      writeProtection(lockCells(event))
    },
    liquidation_step: (event) => writeLiquidation(stepCells(event, steps)),
    position_transfer: (event) => {
      const { reason } = event
      for (const side of sides) {
        if (reason === 'move' || reason === 'allocation') writeGiven(movedCells(event, side, steps))
        else writeLiquidation(handoverCells(event, side, reason, state.steps, state.currencies))
      }
    },
    lsp_participant: (event) => {
      for (const cells of participantCells(event)) writeProtection(cells)
    },
    lsp: (event) => writeProtection(lspCells(event)),
    mmp: (event) => writeProtection(mmpCells(event)),
    bump: (event) => writeProtection(bumpCells(event, steps)),
    session: (event) => writeProtection(sessionCells(event)),
    quote_refusal: (event) => writeProtection(quoteRefusalCells(event)),
    standing: (event) => writeProtection(standingCells(event)),
    block_trade: (event) => {
      for (const cells of blockCells(event, steps)) writeBlock(cells)
    },
    address: (event) => writeWallet(addressCells(event)),
    payment: (event) => writeWallet(paymentCells(event)),
    block_rfq: (event) => {
      for (const cells of rfqCells(event)) writeRfq(cells)
    },
    block_rfq_quote: (event) => {
      for (const cells of rfqQuoteCells(event)) writeRfqQuote(cells)
    },
  }
}

const sides = ['from', 'to'] as const

/** Wraps a writer so that it also ends the row. */
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
