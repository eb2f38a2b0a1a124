/**
 * The table of block trades. It has a row for each leg of each change, so that it shows which blocks were signed, used,
 * withdrawn or timed out, and why. The fills of a block are in `trades` and `fills`.
 */
import { amount9, int32, int64, nullable, price, text, time, words } from '../column-schema.ts'
import { vocabulary } from '../vocabulary/vocabulary.ts'
import { account, header, instrument, table } from './table-schema.ts'

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
  nullable(int32('combo_id', 'combo whose legs the block has, by its instrument id on the wire')),
])
