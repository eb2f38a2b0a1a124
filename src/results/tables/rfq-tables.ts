/**
 * The tables of Block RFQs and of the quotes on them: all that starts, changes, ends or times out, and why. What
 * starts has a row for each leg, later changes have one row. The fills are in `trades` and `fills`, by the numbers of
 * their blocks.
 */
import { amount, int32, int64, nullable, price, text, time, words } from '../column-schema.ts'
import { vocabulary } from '../vocabulary/vocabulary.ts'
import { account, header, someInstrument, table } from './table-schema.ts'

const legColumns = [
  nullable(int32('leg', 'place of the leg in the structure, from 1')),
  ...someInstrument,
  nullable(
    words(
      'leg_direction',
      vocabulary.side,
      "the taker's side of the leg where he buys the structure",
    ),
  ),
  nullable(int64('ratio', 'size of the leg for each unit of the structure')),
] as const

/** The tables of Block RFQs. */
export const rfqTables = {
  rfqs: table('rfqs', [
    ...header,
    words('change', vocabulary.rfqChange, 'what happened to the Block RFQ'),
    words('reason', vocabulary.rfqReason, 'why'),
    int64('block_rfq_id', 'number of the Block RFQ, from 1'),
    ...account,
    words('state', vocabulary.rfqState, 'its state afterwards'),
    amount('amount', 'size of the structure'),
    time('expiration', 'when it expires'),
    ...legColumns,
    nullable(price('bid', 'best price for the whole amount that the taker sees, where he sells')),
    nullable(price('ask', 'the same where he buys')),
    nullable(words('direction', vocabulary.side, "the taker's side, of a fill or of a trigger")),
    nullable(price('price', 'worst price of the fill, or limit of the trigger')),
    nullable(int32('makers', 'how many quotes took part in the fill')),
  ]),
  rfq_quotes: table('rfq_quotes', [
    ...header,
    words('change', vocabulary.rfqQuoteChange, 'what happened to the quote'),
    words('reason', vocabulary.rfqQuoteReason, 'why'),
    int64('block_rfq_quote_id', 'number of the quote, from 1'),
    int64('block_rfq_id', 'the Block RFQ that it is on'),
    ...account,
    words('direction', vocabulary.side, "the maker's side of the structure"),
    words('execution_instruction', vocabulary.executionInstruction, 'how it may be filled'),
    amount('amount', 'size of the structure'),
    amount('filled_amount', 'what of it was filled'),
    price('price', 'price of the structure'),
    time('expiration', 'when it expires'),
    text('label', 'label of the maker'),
    ...legColumns,
    nullable(price('leg_price', 'price of the leg')),
    nullable(int64('block', 'number of the block of its fill')),
  ]),
} as const
