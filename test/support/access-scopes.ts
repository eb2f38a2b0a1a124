/**
 * Scopes of all private methods, written down from the documents and not from the code: sessions document 2.3 and 3.1,
 * trading document 4 and 5.1, and the venue's page of each method for the rest. A test compares this list with the
 * declarations, and so finds a method with a wrong scope and a method that this list lacks.
 */

/** A request whose scope is known. */
export interface ScopeRow {
  readonly method: string
  /** `public`: no token is needed; `sim`: a control; `any`: every token; otherwise an area and a level. */
  readonly scope: string
  /** True if only tokens of a main account may call the method. */
  readonly isMain: boolean
  /** Parameters with which the method needs this scope. */
  readonly params: Readonly<Record<string, boolean>>
}

const privateScopes: Readonly<Record<string, string>> = {
  any: 'subscribe unsubscribe unsubscribe_all logout',
  'trade:read': `
    get_open_orders get_open_orders_by_currency get_open_orders_by_instrument get_open_orders_by_label get_order_state
    get_order_state_by_label get_order_margin_by_ids get_order_history_by_currency get_order_history_by_instrument
    get_trigger_order_history get_user_trades_by_order get_user_trades_by_instrument
    get_user_trades_by_instrument_and_time get_user_trades_by_currency get_user_trades_by_currency_and_time
    get_settlement_history_by_currency get_settlement_history_by_instrument get_position get_positions get_margins
    get_leg_prices get_mmp_config get_mmp_status`,
  'trade:read_write': `
    buy sell edit edit_by_label close_position cancel cancel_all cancel_all_by_currency cancel_all_by_currency_pair
    cancel_all_by_instrument cancel_all_by_kind_or_type cancel_by_label mass_quote cancel_quotes create_combo
    set_mmp_config reset_mmp move_positions`,
  'block_trade:read': `
    verify_block_trade simulate_block_trade get_block_trade get_block_trades get_block_trade_requests`,
  'block_trade:read_write': `
    execute_block_trade invalidate_block_trade_signature approve_block_trade reject_block_trade`,
  'block_rfq:read': `
    get_block_rfqs get_block_rfq_quotes get_block_rfq_makers get_block_rfq_user_info get_mmp_config+block_rfq
    get_mmp_status+block_rfq`,
  'block_rfq:read_write': `
    create_block_rfq cancel_block_rfq accept_block_rfq cancel_block_rfq_trigger add_block_rfq_quote
    edit_block_rfq_quote cancel_block_rfq_quote cancel_all_block_rfq_quotes set_mmp_config+block_rfq
    reset_mmp+block_rfq`,
  'account:read': `
    get_subaccounts get_subaccounts_details get_access_log get_user_locks get_cancel_on_disconnect get_lsp_usage
    get_lsp_participant_config get_account_summary get_account_summaries get_transaction_log pme/simulate
    simulate_portfolio list_api_keys get_new_announcements get_currencies`,
  'account:read_write': `
    enable_cancel_on_disconnect disable_cancel_on_disconnect set_self_trading_config set_disabled_trading_products
    create_subaccount! create_api_key edit_api_key enable_api_key disable_api_key remove_api_key reset_api_key
    change_api_key_name change_scope_in_api_key change_margin_model change_subaccount_name! remove_subaccount!
    toggle_subaccount_login! set_email_for_subaccount! toggle_notifications_from_subaccount! set_announcement_as_read`,
  'wallet:read': `
    get_address_book get_transfers get_deposits get_withdrawals get_current_deposit_address`,
  'wallet:read_write': `
    add_to_address_book remove_from_address_book update_in_address_book submit_transfer_to_subaccount
    submit_transfer_between_subaccounts submit_transfer_to_user! cancel_transfer_by_id withdraw! cancel_withdrawal
    create_deposit_address`,
  'direct_access:read': 'get_alt_risk_limits',
  'direct_access:read_write': 'lock_portfolio unlock_portfolio',
}

/** Every private method with its scope. A method whose scope depends on its parameters has two rows. */
export const privateRows: readonly ScopeRow[] = Object.entries(privateScopes).flatMap(([scope, names]) =>
  names
    .trim()
    .split(/\s+/)
    .map((name) => rowOf(name, scope)),
)

/** `!` after a name marks methods of main accounts; `+` precedes a parameter that is true. */
function rowOf(name: string, scope: string): ScopeRow {
  const [plain = '', param] = name.replace('!', '').split('+')
  const params = param === undefined ? {} : { [param]: true }
  return { method: `private/${plain}`, scope, isMain: name.endsWith('!'), params }
}

/** Methods that only REST gateways serve; other sessions have no methods of these names (S245-S249). */
export const gatewayOnly: ReadonlySet<string> = new Set([
  'private/get_alt_risk_limits',
  'private/lock_portfolio',
  'private/unlock_portfolio',
])

/** The methods of a REST gateway with their scopes (R59). */
export const gatewayRows: readonly { readonly method: string; readonly scope: string }[] = [
  { method: 'public/get_instruments', scope: 'public' },
  { method: 'private/get_open_orders', scope: 'direct_access:read' },
  { method: 'private/get_alt_risk_limits', scope: 'direct_access:read' },
  { method: 'private/cancel_all', scope: 'direct_access:read_write' },
  { method: 'private/lock_portfolio', scope: 'direct_access:read_write' },
  { method: 'private/unlock_portfolio', scope: 'direct_access:read_write' },
]

/** Methods that need a WebSocket (R12, S007, S273). */
export const socketOnly: ReadonlySet<string> = new Set([
  'public/subscribe',
  'public/unsubscribe',
  'public/unsubscribe_all',
  'public/set_heartbeat',
  'public/disable_heartbeat',
  'public/hello',
  'private/subscribe',
  'private/unsubscribe',
  'private/unsubscribe_all',
  'private/logout',
  'private/enable_cancel_on_disconnect',
  'private/disable_cancel_on_disconnect',
])

const areas = ['account', 'block_rfq', 'block_trade', 'trade', 'wallet', 'direct_access']

/** The scopes of a token that is allowed a given scope and nothing else. */
export function enough(scope: string): string {
  return scope === 'any' || scope === 'public' ? 'trade:read' : scope
}

/** The scopes of a token that is allowed everything except a given scope. */
export function tooLittle(scope: string): string {
  const [area, level] = scope.split(':')
  const others = areas.filter((each) => each !== area).map((each) => `${each}:read_write`)
  // A token with read access may not write.
  return [...others, ...(level === 'read_write' ? [`${area}:read`] : [])].join(' ')
}
