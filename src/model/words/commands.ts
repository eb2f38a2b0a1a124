/**
 * Kinds of commands. The position of a word is its code in result tables: words are only ever added at the end.
 */
import type { Command } from '../commands/command.ts'

/** Kinds of commands. */
export const commandKinds = [
  'place_order',
  'edit_order',
  'cancel_order',
  'cancel_orders',
  'query',
  'open_account',
  'list_instrument',
  'deposit',
  'give_position',
  'set_index',
  'set_mark',
  'advance_time',
  'follow_mid',
  'set_self_trading',
  'set_instrument_state',
  'create_combo',
  'move_positions',
  'transfer_cash',
  'set_lsp_participant',
  'open_session',
  'close_session',
  'set_cancel_on_disconnect',
  'set_mmp_config',
  'reset_mmp',
  'mass_quote',
  'cancel_quotes',
  'lock_portfolio',
  'set_permissions',
  'lock_account',
  'trim_orders',
  'set_risk_limits',
  'set_gateway_switch',
  'set_disabled_products',
] as const satisfies readonly Command['kind'][]

/** A kind of command. A command whose kind the list does not have breaks the build here, and the reverse above. */
export type CommandKind = Listed<Command['kind'], (typeof commandKinds)[number]>

type Listed<Kind extends Word, Word> = Kind
