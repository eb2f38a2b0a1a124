/**
 * Where the rare events go: a table of writers keyed by the kind of event, so that a new kind breaks the
 * build until somebody says what becomes of it.
 *
 * Frequent kinds are told apart in `sink.ts` by a switch, which costs less than a call through a table.
 */
import type { Event, EventOf, OrderChanged } from '../model/index.ts'
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
import { settlementWriter } from './rows/settlement-rows.ts'
import type { RowWriter } from './rows/trading-rows.ts'
import type { TableName } from './schema.ts'
import { learnInstrument, type SinkState } from './sink-state.ts'

/** Kinds of events that `sink.ts` copies itself. */
type FrequentKind =
  | OrderChanged['kind']
  | 'request_done'
  | 'trade'
  | 'print'
  | 'level_changed'
  | 'request_refused'
  | 'mark_changed'
  | 'index_changed'
  | 'delivery_price_fixed'
  | 'funding_rate_changed'
  | 'funding_accrued'

/** All other events. */
export type RareEvent = Exclude<Event, { readonly kind: FrequentKind }>

type Routes = { readonly [K in RareEvent['kind']]: (event: EventOf<K>) => void }

/** Copies each rare event to the rows of its kind. */
export function rareEmitter(
  state: SinkState,
  seal: (block: Block) => void,
): (event: RareEvent) => void {
  const routes: Routes = {
    ...standingRoutes(state, seal),
    ...settlementRoutes(state, seal),
    ...riskRoutes(state, seal),
    ...transferRoutes(state, seal),
    ...protectionRoutes(state, seal),
  }
  return (event) => {
    // The table has for each kind the writer of that kind, which a lookup by a union cannot say.
    const write = routes[event.kind] as (event: RareEvent) => void
    write(event)
  }
}

type Kinds<K extends RareEvent['kind']> = Pick<Routes, K>

function standingRoutes(
  state: SinkState,
  seal: (block: Block) => void,
): Kinds<
  | 'instrument_listed'
  | 'instrument_state_changed'
  | 'account_opened'
  | 'cash_posted'
  | 'position_given'
  | 'self_trading_set'
> {
  const { blocks, steps, names } = state
  const writeInstrument = instrumentWriter(blocks.instruments)
  const writeAccount = rowOf(blocks.accounts, accountWriter(blocks.accounts), seal)
  return {
    instrument_listed: (event) => {
      learnInstrument(state, event.instrument)
      writeInstrument(event)
      endRow(blocks.instruments, seal)
    },
    account_opened: (event) => {
      names.account_id[event.account] = event.name
      writeAccount(event)
    },
    instrument_state_changed: rowOf(blocks.states, stateWriter(blocks.states), seal),
    cash_posted: rowOf(blocks.cash, cashWriter(blocks.cash), seal),
    position_given: rowOf(
      blocks.given_positions,
      givenPositionWriter(blocks.given_positions, steps),
      seal,
    ),
    // No table has settings: the journal says who chose them, and `orders` what they ended.
    self_trading_set: () => undefined,
  }
}

function settlementRoutes(
  { blocks, steps }: SinkState,
  seal: (block: Block) => void,
): Kinds<
  | 'position_settled'
  | 'instrument_settled'
  | 'account_bankrupt'
  | 'loss_shared'
  | 'bankruptcy_settled'
> {
  const write = rowOf(blocks.settlements, settlementWriter(blocks.settlements, steps), seal)
  return {
    position_settled: write,
    instrument_settled: write,
    account_bankrupt: write,
    loss_shared: write,
    bankruptcy_settled: write,
  }
}

function riskRoutes(
  { blocks, steps }: SinkState,
  seal: (block: Block) => void,
): Kinds<
  | 'liquidation_started'
  | 'liquidation_step'
  | 'liquidation_ended'
  | 'lsp_participant_set'
  | 'lsp_changed'
> {
  const { liquidations, protections } = blocks
  const write = rowOf(liquidations, liquidationWriter(liquidations, steps), seal)
  const writeLock = rowOf(protections, lockWriter(protections), seal)
  return {
    liquidation_started: (event) => {
      write(event)
      writeLock(event)
    },
    liquidation_step: write,
    liquidation_ended: (event) => {
      write(event)
      writeLock(event)
    },
    lsp_participant_set: participantWriter(protections, () => endRow(protections, seal)),
    lsp_changed: rowOf(protections, lspWriter(protections), seal),
  }
}

/** Both sides of what changed hands have a row, as both sides of a trade have in `fills`. */
function transferRoutes(
  state: SinkState,
  seal: (block: Block) => void,
): Kinds<'position_transferred' | 'cash_transferred'> {
  const { liquidations, given_positions, cash } = state.blocks
  const writeTransfer = transferWriter(liquidations, state)
  const writeMove = movedPositionWriter(given_positions, state.steps)
  const writeCash = transferredCashWriter(cash)
  return {
    position_transferred: (event) => {
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
    cash_transferred: (event) => {
      for (const side of sides) {
        writeCash(event, side)
        endRow(cash, seal)
      }
    },
  }
}

function protectionRoutes(
  { blocks: { protections }, steps }: SinkState,
  seal: (block: Block) => void,
): Kinds<
  'mmp_changed' | 'bump_changed' | 'session_changed' | 'quote_refused' | 'standing_changed'
> {
  return {
    mmp_changed: rowOf(protections, mmpWriter(protections), seal),
    bump_changed: rowOf(protections, bumpWriter(protections, steps), seal),
    session_changed: rowOf(protections, sessionWriter(protections), seal),
    quote_refused: rowOf(protections, quoteWriter(protections), seal),
    standing_changed: rowOf(protections, standingWriter(protections), seal),
  }
}

const sides = ['from', 'to'] as const

/** A writer that ends its row. */
function rowOf<Name extends TableName, Source>(
  block: NamedBlock<Name>,
  write: RowWriter<Source>,
  seal: (block: Block) => void,
): RowWriter<Source> {
  return (source) => {
    write(source)
    endRow(block, seal)
  }
}
