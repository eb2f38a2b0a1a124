/**
 * The table of block trades: a row for each leg of each change, so that it tells what was signed, used, taken back
 * or timed out, and why. The fills of a block are in `trades` and `fills`.
 */
import { amount, int32, int64, nullable, price, text, time, words } from '../column-schema.ts'
import { vocabulary } from '../vocabulary/vocabulary.ts'
import { account, header, instrument, table } from './table-schema.ts'

/** The table of block trades. */
export const blockTable = table('blocks', [
  ...header,
  words('change', vocabulary.blockChange, 'what happened to the block'),
  words('reason', vocabulary.blockReason, 'why'),
  ...account,
  words('role', vocabulary.liquidity, 'role of that account'),
  nullable(int32('counter_account_id', 'account on the other side, once it is known')),
  time('timestamp', 'time that both sides name, around which signatures are valid'),
  text('nonce', 'text that both sides name'),
  nullable(int64('block', 'number of the block, from 1; none before it is executed')),
  int32('leg', 'place of the leg in the block, from 1'),
  ...instrument,
  words('direction', vocabulary.side, "the maker's side"),
  amount('amount', 'size of the leg'),
  price('price', 'price of the leg'),
  nullable(int32('combo_id', 'combo whose legs the block has, by its number on the wire')),
])
