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
  stateWriter,
} from './rows/account-rows.ts'
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
