/**
 * The table of refusals compared with the documents: codes and messages (trading.md 9.1), statuses of HTTP
 * (sessions-blocks-gateways.md 1.3, R14), numbers over direct access (8.7), words of histories (C19).
 */
import { expect, test } from 'vitest'
import { refusals, rejectReasons } from '../../../src/model/index.ts'
import { reasonTables, withoutName } from '../../../src/model/words/direct-names.ts'
import type { RefusalRow } from '../../../src/model/words/refusals.ts'
import { codeOf, vocabulary } from '../../../src/results/vocabulary/vocabulary.ts'

/**
 * One line a word, in the order of the codes in files: the word (`/` for a space), its code, its message (`=` the
 * word, `+` with its value, `*` with `other_reject` in front), its numbers in the rejects of orders, mass quotes,
 * cancels, mass cancels, statuses and messages, and its word in histories.
 */
const expected = `
not_enough_funds 10009 = 3 0 0 0 0 - not_enough_funds
post_only_reject 11054 = 8 0 0 0 0 - post_only
order_not_found 10004 = 12 0 1 0 0 - -
not_open_order 11044 = 12 0 1 0 0 - -
price_too_high 10007 + 22 0 0 0 0 - price_too_high
price_too_low 10005 + 23 0 0 0 0 - price_too_low
invalid_params -32602 Invalid_params 2 0 0 0 0 - -
invalid_request -32600 Invalid_Request 0 0 0 0 0 4 -
authorization_required 10000 = 0 0 0 0 0 - -
qty_too_low 10002 = 5 0 0 0 0 - -
order_overlap 10003 = 6 0 0 0 0 - order_overlap
already_closed 10010 = 12 0 1 0 0 - -
price_not_allowed 10011 = 0 0 0 0 0 - -
book_closed 10012 = 7 0 3 3 0 - book_closed
locked_by_admin 10019 = 7 0 0 0 0 - book_closed
invalid_or_unsupported_instrument 10020 = 1 5 6 0 0 - -
invalid_amount 10021 = 5 0 0 0 0 - -
invalid_price 10023 = 6 0 0 0 0 - -
non_integer_contract_amount 10027 = 5 0 0 0 0 - -
not_owner_of_order 10029 = 12 0 1 0 0 - -
invalid_args_for_instrument 10031 = 2 5 0 0 0 - -
not_implemented 10033 = 2 0 0 0 0 - -
retry 10040 = 24 0 0 0 0 - no_mark_price
settlement_in_progress 10041 = 7 0 3 3 0 - book_closed
price_wrong_tick 10043 = 6 0 0 0 0 - -
post_only_price_modification_not_possible 11021 = 8 0 0 0 0 - post_only
unsupported_arg_combination 11047 = 2 0 0 0 0 - -
post_only_not_allowed 11055 = 0 0 0 0 0 - -
account_locked 11098 = 17 7 5 2 0 - reduce_direction
not_found 13020 = 1 5 6 0 0 - -
forbidden 13021 = 10 2 2 2 0 - -
no_adv_for_futures 11038 = 0 0 0 0 0 - -
invalid_max_show_amount 10036 = 2 0 0 0 0 - -
timed_out 13888 = 0 0 0 0 0 - -
method_not_found -32601 Method_not_found 0 0 0 0 0 2 -
not_adv_order 11041 = 0 0 0 0 0 - -
outdated_instrument 11046 = 0 0 0 0 0 - -
outdated_instrument_for_IV_order 11037 = 0 0 0 0 0 - -
other_reject/no_opposite_price 11030 = 6 0 0 0 0 - no_opposite_price
other_reject/reduce_direction 11030 = 0 0 0 0 0 - reduce_direction
pme_max_total_open_orders 10013 + 9 0 0 0 0 - max_open_orders
pme_max_future_open_orders 10014 + 9 0 0 0 0 - max_open_orders
pme_max_option_open_orders 10015 + 9 0 0 0 0 - max_open_orders
max_spot_open_orders 11013 + 0 0 0 0 0 - max_open_orders
non_pme_max_future_position_size 10018 + 27 0 0 0 0 - max_open_orders
not_enough_funds_in_currency 10039 + 3 0 0 0 0 - not_enough_funds
unauthorized 13009 = 0 0 0 0 0 - -
wrong_max_show_for_option 11048 = 0 0 0 0 0 - -
other_reject/no_position 11030 = 0 0 0 0 0 - -
other_reject/not_lsp_participant 11030 = 0 0 0 0 0 - -
trigger_price_wrong_tick 10044 = 0 0 0 0 0 - -
trigger_price_too_high 10034 = 0 0 0 0 0 - trigger_price_too_high
trigger_price_too_low 10035 = 0 0 0 0 0 - trigger_price_too_low
invalid_trigger_price 11036 = 0 0 0 0 0 - invalid_trigger_price
non_unique_order_label 13032 = 0 0 0 0 0 - -
active_combo_limit_reached 13035 = 0 0 0 0 0 - -
unavailable_for_combo_books 13036 = 0 0 0 0 0 - -
no_more_triggers 11035 + 0 0 0 0 0 - max_open_orders
no_more_oto_orders 13901 = 0 0 0 0 0 - -
no_adv_postonly 11039 = 0 0 0 0 0 - -
other_reject/lsp_reduce_only 11030 = 10 7 0 0 0 - reduce_direction
unavailable_in_subaccount 13012 = 0 0 0 0 0 - -
too_many_subaccounts 12001 = 0 0 0 0 0 - -
too_many_requests 10028 = 25 6 0 0 0 - -
must_be_websocket_request 10030 = 0 0 0 0 0 - -
disabled_while_position_lock 10072 = 10 0 0 0 0 - reduce_direction
mmp_trigger 13030 = 15 3 0 0 0 - -
mmp_required 13040 = 10 2 0 0 0 - -
cod_not_enabled 13042 = 0 0 0 0 0 - -
quotes_frozen 13043 = 15 3 0 0 0 - -
mass_quotes_disabled 13902 = 10 2 0 0 0 - -
too_many_quotes 13903 = 0 4 0 0 0 - -
quote_crossed 13910 = 0 0 0 0 0 - -
other_reject/unknown_mmp_group 11030 = 13 1 0 1 1 - -
other_reject/mmp_not_configured 11030 = 13 2 0 1 1 - -
other_reject/max_quote_quantity 11030 = 14 0 0 0 0 - -
other_reject/member_speed_bump_limit 11030 = 29 0 0 0 0 - max_open_orders
other_reject/speed_bump_queue_full 11030 = 0 0 0 0 0 - max_open_orders
gateway_not_active 11030 * 0 0 0 0 0 6 -
message_disabled 11030 * 0 0 0 0 0 5 -
portfolio_locked 11030 * 26 7 0 0 0 - -
position_lock 11030 * 10 7 0 0 0 - -
portfolio_margin_lock 11030 * 10 7 0 0 0 - -
cancel_only 11030 * 31 0 0 0 0 - -
duplicate_client_order_id 11030 * 4 0 0 0 0 - -
mmp_min_freeze_time_not_elapsed 11030 * 30 9 0 0 0 - -
mmp_group_disabled 11030 * 0 2 0 0 0 - -
duplicate_instrument 11030 * 0 8 0 0 0 - -
too_many_pending_replaces 11030 * 19 0 0 0 0 - -
iceberg_not_allowed 11030 * 20 0 0 0 0 - -
cancel_pending 11030 * 0 0 4 0 0 - -
speed_bump_converted_to_ioc 11030 * 0 0 8 0 0 - -
time_in_force 11030 * 0 0 7 0 0 - -
non_pme_total_short_options_positions_size 10037 + 27 0 0 0 0 - max_open_orders
pme_max_future_open_orders_size 10016 + 28 0 0 0 0 - max_open_orders
pme_max_option_open_orders_size 10017 + 28 0 0 0 0 - max_open_orders
move_positions_over_limit 13780 + 0 0 0 0 0 - -
permission_denied 11042 = 10 0 0 0 0 - -
matching_engine_queue_full 10047 = 0 0 0 0 0 - -
lock_time_exceeded 10050 = 0 0 0 0 0 - -
request_cancelled_by_user 13666 = 0 0 0 0 0 - -
replaced 13777 = 0 0 0 0 0 - -
invalid_arguments 11029 = 0 0 0 0 0 - -
side_not_enough_funds 10009 not_enough_funds 0 0 0 0 0 - -
transfer_not_found 11053 = 0 0 0 0 0 - -
invalid_addr 11090 = 0 0 0 0 0 - -
invalid_transfer_address 11091 = 0 0 0 0 0 - -
address_already_exist 11092 = 0 0 0 0 0 - -
max_addr_count_exceeded 11093 = 0 0 0 0 0 - -
disabled_deposit_address_creation 11095 = 0 0 0 0 0 - -
address_belongs_to_user 11096 = 0 0 0 0 0 - -
no_deposit_address 11097 = 0 0 0 0 0 - -
transfer_not_allowed 12100 = 0 0 0 0 0 - -
too_many_quotes_per_block_rfq 13905 = 0 0 0 0 0 - -
too_many_quotes_per_block_rfq_side 13906 = 0 0 0 0 0 - -
not_fully_filled 13907 = 0 0 0 0 0 - -
too_many_open_block_rfqs 13907 = 0 0 0 0 0 - -
account_quote_limit_crossed 13917 = 0 0 0 0 0 - -
inverse_future_cross_trading 13918 = 0 0 0 0 0 - -
other_reject/grace_period 11030 = 0 0 0 0 0 - -
system_maintenance 11051 = 0 0 0 0 0 - -
temporarily_unavailable 13028 = 0 0 0 0 0 - -
scope_exceeded 13403 = 0 0 0 0 0 - -
wrong_subaccount_name 12002 = 0 0 0 0 0 - -
`

const columns = {
  NewOrderReject: 'order',
  MassQuoteReject: 'massQuote',
  CancelOrderReject: 'cancel',
  MassCancelReject: 'massCancel',
  MassQuoteMmpStatusReject: 'mmpStatus',
  Reject: 'message',
} as const

const messages: { readonly [text: string]: string } = {
  '{word}': '=',
  '{word} {value}': '+',
  'other_reject {word}': '*',
}

test('S303 S304 S305 S306 S307 S309 each refusal has its code, message, numbers and word', () => {
  const found = rejectReasons.map((reason) => {
    const { code, message, direct, history } = refusals[reason]
    const numbers = Object.entries(columns).map(([table, column]) => {
      const name = direct[column]
      const all: { readonly [name: string]: number } = reasonTables[table as 'Reject']
      return name === null ? '-' : all[name]
    })
    const text = messages[message] ?? message.replaceAll(' ', '_')
    return [reason.replace(' ', '/'), code, text, ...numbers, history ?? '-'].join(' ')
  })
  expect(found).toEqual(expected.trim().split('\n'))
})

test('R14 each code has its status of HTTP', () => {
  const statuses: { readonly [code: number]: number } = {
    ...{ 13004: 401, 13009: 401, 10000: 401, 13021: 403, 10028: 429, 10066: 429 },
    ...{ 11051: 503, 13028: 503, 11094: 500 },
  }
  for (const reason of rejectReasons) {
    const { code, status } = refusals[reason]
    expect(status, reason).toBe(statuses[code] ?? 400)
  }
})

test('the position of a row is its code in result tables', () => {
  expect(Object.keys(refusals)).toEqual(rejectReasons)
  rejectReasons.forEach((reason, at) => {
    expect(codeOf(vocabulary.rejectReason, reason)).toBe(at)
  })
})

test('a refusal carries the value that its message shows, except one that the venue shows without', () => {
  const values = new Set(['price', 'count', 'currency', 'seconds'])
  const silent = rejectReasons.filter((reason) => {
    const { carries, message } = refusals[reason]
    return values.has(carries) !== message.includes('{value}')
  })
  expect(silent).toEqual(['no_more_oto_orders'])
})

test('a row that leaves a column out does not compile', () => {
  // @ts-expect-error a refusal says what its history shows.
  const withoutHistory: RefusalRow = ['none', 10009, 400, '{word}', withoutName]
  // @ts-expect-error a refusal has a status of HTTP.
  const withoutStatus: RefusalRow = ['none', 10009, '{word}', withoutName, null]
  // @ts-expect-error a refusal says its name to every kind of reject.
  const partly: RefusalRow = ['none', 10009, 400, '{word}', { order: 'SYSTEM_ERROR' }, null]
  expect([withoutHistory, withoutStatus, partly]).toHaveLength(3)
})
