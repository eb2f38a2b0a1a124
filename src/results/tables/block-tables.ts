/**
 * The table of block trades. It has a row for each leg of each change, so that it shows which blocks were signed, used,
 * withdrawn or timed out, and why. The fills of a block are in `trades` and `fills`.
 */

import { amount9, int32, int64, nullable, price, text, time, words } from '../column-schema.ts'
import { vocabulary } from '../vocabulary/vocabulary.ts'
import { account, header, instrument, someInstrument, table } from './table-schema.ts'

/** The table of block trades. */
export const blockTable = table('blocks', [
  ...header,
  words('change', vocabulary.blockChange, 'kind of event'),
  words('reason', vocabulary.blockReason, 'why'),
  ...account,
  words('role', vocabulary.liquidity, 'role of the account in the block'),
  nullable(int32('counter_account_id', 'account of the counterparty, once it is known')),
  time('timestamp', 'time agreed by both parties; signatures are valid around it'),
  text('nonce', 'text agreed by both parties'),
  nullable(int64('block', 'number of the block, from 1; null before its execution')),
  int32('leg', 'number of the leg in the block, from 1'),
  ...instrument,
  words('direction', vocabulary.side, 'side of the maker'),
  amount9('amount', 'size of the leg'),
  price('price', 'price of the leg'),
  nullable(int32('combo_id', 'combo whose legs the block has, by its instrument id')),
])

/**
 * The tables of Block RFQs and of the quotes on them: starts, changes, ends and timeouts, with their reasons. A start
 * has a row for each leg, later changes have one row. The fills are in `trades` and `fills`; the numbers of the blocks
 * connect them.
 */

const legColumns = [
  nullable(int32('leg', 'number of the leg in the structure, from 1')),
  ...someInstrument,
  nullable(words('leg_direction', vocabulary.side, 'side of the leg for a taker who buys the structure')),
  nullable(int64('ratio', 'leg size per unit of the structure')),
] as const

/** The tables of Block RFQs. */
export const rfqTables = {
  rfqs: table('rfqs', [
    ...header,
    words('change', vocabulary.rfqChange, 'kind of event'),
    words('reason', vocabulary.rfqReason, 'why'),
    int64('block_rfq_id', 'number of the Block RFQ, from 1'),
    ...account,
    words('state', vocabulary.rfqState, 'state after the event'),
    amount9('amount', 'size of the structure'),
    time('expiration', 'expiry time'),
    ...legColumns,
    nullable(price('bid', 'best price for the whole amount that the taker sees as a seller')),
    nullable(price('ask', 'best price for the whole amount that the taker sees as a buyer')),
    nullable(words('direction', vocabulary.side, 'side of the taker in a fill or a trigger')),
    nullable(price('price', 'worst price of a fill, or limit price of a trigger')),
    nullable(int32('makers', 'number of quotes in the fill')),
  ]),
  rfq_quotes: table('rfq_quotes', [
    ...header,
    words('change', vocabulary.rfqQuoteChange, 'kind of event'),
    words('reason', vocabulary.rfqQuoteReason, 'why'),
    int64('block_rfq_quote_id', 'number of the quote, from 1'),
    int64('block_rfq_id', 'Block RFQ of the quote'),
    ...account,
    words('direction', vocabulary.side, 'side of the maker in the structure'),
    words(
      'execution_instruction',
      vocabulary.executionInstruction,
      'execution instruction: partial fills, or only the whole amount',
    ),
    amount9('amount', 'size of the structure'),
    amount9('filled_amount', 'filled size'),
    price('price', 'price of the structure'),
    time('expiration', 'expiry time'),
    text('label', 'label of the maker'),
    ...legColumns,
    nullable(price('leg_price', 'price of the leg')),
    nullable(int64('block', 'number of the block trade of the fill')),
  ]),
} as const
