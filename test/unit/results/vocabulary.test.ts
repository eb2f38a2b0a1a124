/**
 * The words of every column in the order of their codes, which files and digests contain. A list may only grow at its
 * end. The test of the table of refusals covers their words.
 */
import { expect, test } from 'vitest'
import { vocabulary } from '../../../src/results/vocabulary/vocabulary.ts'

const expected = `
currency: BTC ETH USDC USDT EURR SOL XRP STETH USYC PAXG BNB USDE
side: buy sell
orderChange: opened filled cancelled edited rested resized refreshed triggered rejected
orderType: limit market market_limit stop_limit stop_market take_limit take_market trailing_stop
timeInForce: good_til_cancelled immediate_or_cancel fill_or_kill good_til_day
orderState: open filled cancelled rejected untriggered triggered
postOnly: off slide reject
orderReason: user_request time_in_force risk_mitigation edit_post_only_reject settlement expiry
  oco_other_closed oto_primary_closed reduce_only linked_order reduce_direction not_enough_funds
  order_overlap post_only max_open_orders book_closed price_too_high price_too_low no_mark_price
  no_opposite_price trigger_price_too_high trigger_price_too_low invalid_trigger_price
  autoliquidation position_locked pme_account_locked pme_risk_reduction cancel_on_disconnect
  mmp_trigger mmp_config_curtailment portfolio_locked timed_out
  rescale
advanced: usd implv
orderOrigin: liquidation direct_access
triggerSource: index_price mark_price last_price
liquidity: maker taker
fillRule: book_maker book_taker print_at_price print_through level_reached level_taken recorded
  hidden block_maker block_taker
tradeSide: buy sell unknown
tradeLiquidation: M T MT
cashType: outside transfer
givenType: given moved
liquidationKind: started step transfer ended
liquidationCurrency: BTC ETH USDC USDT EURR SOL XRP STETH USYC PAXG BNB USDE USD
liquidationOutcome: healthy flat
liquidationRoute: book lsp adl fund
pickRule: reduces_delta largest_future largest_option close_out
protectionKind: lock lsp mmp speed_bump session quote portfolio_lock position_lock
  portfolio_margin_lock quote_freeze cancel_on_disconnect order_trim rate_limit gateway message
  algo_cancel_only member mmp_permission mass_quote_permission risk_limit trading_product
  maintenance index_outage public_methods rescale margin_model
protectionChange: locked unlocked admitted removed limit_set window_opened used failed
  window_reset disabled configured triggered unfrozen reset queued restarted converted released
  withdrawn opened closed cancel_on_disconnect_on cancel_on_disconnect_off on off acted refused
protectionReason: user_request mmp_trigger mmp_config_curtailment cancel_on_disconnect
  portfolio_locked position_locked pme_account_locked pme_risk_reduction logout disconnect
  inactivity heartbeat_failure displaced rate_limit sequence_too_low sequence_gap
mmpTrigger: quantity delta vega trade_count
sessionKind: web_socket direct_access rest_gateway
marketKind: trades book index
feedCheck: rows messages snapshots other_symbol outside_window before_snapshot backward
  duplicate gap crossed off_grid unknown_side unknown_removal disorder empty off_book out_of_life
  left_out cut
feedPolicy: fail skip keep
tickDirection: plus zero_plus minus zero_minus
markKind: mark index delivery
markSource: index set fair delivery feed legs model
engine: main alt
gateway: BTC ETH TIER_2 TIER_3 RWA
instrumentState: open inactive settlement delivered locked halted
settlementType: settlement delivery bankruptcy
settlementScope: account instrument currency
instrumentKind: future option spot future_combo option_combo
payoff: inverse linear spot
settlementPeriod: perpetual day week month
optionRight: call put
marginModel: segregated_sm segregated_pm cross_sm cross_pm
command: place_order edit_order cancel_order cancel_orders query open_account list_instrument
  deposit give_position set_index set_mark advance_time follow_mid set_self_trading
  set_instrument_state create_combo move_positions transfer_cash set_lsp_participant
  open_session close_session set_cancel_on_disconnect set_mmp_config reset_mmp mass_quote
  cancel_quotes lock_portfolio set_permissions lock_account trim_orders set_risk_limits
  set_gateway_switch set_disabled_products sign_block_trade execute_block_trade
  invalidate_block_signature answer_block_trade create_key
  add_address update_address remove_address set_address set_wallet create_deposit_address
  receive_deposit withdraw submit_transfer cancel_payment move_payment hold_transfers
  create_block_rfq cancel_block_rfq
  accept_block_rfq cancel_rfq_trigger add_rfq_quote edit_rfq_quote cancel_rfq_quote
  cancel_rfq_quotes set_rfq_party set_profile rescale_instrument
  change_key remove_key remove_account change_margin_model
blockChange: signed invalidated expired executed pending accepted rejected
blockReason: user_request timestamp_expired approval_expired block_rfq
walletSubject: address deposit_address deposit withdrawal transfer
walletState: pending completed rejected replaced unconfirmed confirmed cancelled interrupted
  prepared waiting_for_admin insufficient_funds withdrawal_limit admin_locked waiting ready removed
walletReason: user_request control at_once time_over not_enough_funds
addressSort: transfer withdrawal deposit_source deposit
rfqState: open filled cancelled expired
rfqChange: created shown trigger_placed trigger_cancelled trigger_fired filled cancelled expired
rfqReason: user_request quotes grace_over rfq_expired rfq_cancelled instrument_closed replaced
  not_enough_funds rfq_filled
rfqQuoteChange: added replaced filled cancelled expired
rfqQuoteReason: user_request rfq_filled rfq_cancelled rfq_expired quote_expired mmp_trigger
  not_enough_funds mmp_config_curtailment
executionInstruction: any_part_of all_or_none
`

test('each word has the code that it always had', () => {
  const { rejectReason: _refusals, ...others } = vocabulary
  const lists = expected
    .trim()
    .split(/\n(?=\w)/)
    .map((list) => list.split(/:?\s+/))
  const found = Object.entries(others).map(([name, words]) => [name, ...words])
  expect(found, 'a new word stands at the end of its list, in code and here').toEqual(lists)
})
