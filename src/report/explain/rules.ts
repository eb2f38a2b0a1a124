/**
 * The rule behind each word of the tables, and the guide that explains it. Rules with a dot are those that the code
 * names (`Rule: mmp.freeze`); others are words of the tables.
 */
import type { OrderReason, RejectReason } from '../../model/index.ts'

/** A rule, and the file and section of the guide that has it. */
export interface Rule {
  readonly rule: string
  /** Path in the package, with the section after `#`. */
  readonly guide: string
}

/** The sections of guides that chains name. */
export const guides = {
  orders: 'scenarios/orders/README.md#orders',
  validation: 'scenarios/orders/README.md#the-order-of-validation',
  recorded: 'scenarios/backtest/README.md#fills',
  fees: 'scenarios/fees/README.md#fees',
  margin: 'scenarios/margin/README.md#margin',
  prices: 'scenarios/prices/README.md#reference-prices',
  settlement: 'scenarios/settlement/README.md#0800-utc-settlement-and-delivery',
  bankruptcy: 'scenarios/settlement/README.md#bankruptcy',
  liquidation: 'scenarios/liquidation/README.md#liquidation',
  support: 'scenarios/liquidation/README.md#liquidity-support',
  protection: 'scenarios/protections/README.md#protection',
  quotes: 'scenarios/protections/README.md#mass-quotes',
  connections: 'scenarios/protections/README.md#connections',
  bump: 'scenarios/protections/README.md#two-engines-and-the-speed-bump',
  direct: 'scenarios/protections/README.md#direct-access',
  staff: 'scenarios/protections/README.md#the-rest-gateway-and-staff-settings',
  blocks: 'scenarios/blocks/README.md#block-trades',
  wallet: 'scenarios/wallet/README.md#the-wallet',
} as const

/** A rule in a guide. */
export function ruleIn(guide: keyof typeof guides, rule: string): Rule {
  return { rule, guide: guides[guide] }
}

/** The rule of an order that ended, was resized or was refused without a request of its owner. */
export const reasonRules: { readonly [R in OrderReason]: Rule } = {
  user_request: ruleIn('orders', 'order.bulk-cancel'),
  time_in_force: ruleIn('orders', 'time_in_force'),
  risk_mitigation: ruleIn('orders', 'order.reduce-only'),
  edit_post_only_reject: ruleIn('validation', 'order.post-only'),
  settlement: ruleIn('settlement', 'order.good-til-day'),
  expiry: ruleIn('settlement', 'settlement.delivery'),
  oco_other_closed: ruleIn('orders', 'order.one-cancels-other'),
  oto_primary_closed: ruleIn('orders', 'order.links-close'),
  reduce_only: ruleIn('orders', 'order.reduce-only'),
  linked_order: ruleIn('orders', 'order.one-cancels-other'),
  reduce_direction: ruleIn('validation', 'order.reduce-only'),
  not_enough_funds: ruleIn('margin', 'margin.before-order'),
  order_overlap: ruleIn('validation', 'order.self-match'),
  post_only: ruleIn('validation', 'order.post-only'),
  max_open_orders: ruleIn('validation', 'order.open-limit'),
  book_closed: ruleIn('settlement', 'order.book-state'),
  price_too_high: ruleIn('validation', 'order.price-band'),
  price_too_low: ruleIn('validation', 'order.price-band'),
  no_mark_price: ruleIn('validation', 'prices.band'),
  no_opposite_price: ruleIn('orders', 'order.market-price'),
  trigger_price_too_high: ruleIn('validation', 'order.trigger'),
  trigger_price_too_low: ruleIn('validation', 'order.trigger'),
  invalid_trigger_price: ruleIn('validation', 'order.trigger'),
  autoliquidation: ruleIn('liquidation', 'liquidation.lock'),
  position_locked: ruleIn('staff', 'account.lock'),
  pme_account_locked: ruleIn('staff', 'account.lock'),
  pme_risk_reduction: ruleIn('staff', 'account.trim'),
  cancel_on_disconnect: ruleIn('connections', 'session.cancel-on-disconnect'),
  mmp_trigger: ruleIn('protection', 'mmp.freeze'),
  mmp_config_curtailment: ruleIn('protection', 'mmp.curtailment'),
  portfolio_locked: ruleIn('staff', 'portfolio.lock'),
  timed_out: ruleIn('validation', 'order.valid-until'),
  rescale: ruleIn('direct', 'order.rescale'),
}

/** Refusals with a rule of their own. The order of validation explains all others. */
const refusalRules: { readonly [R in RejectReason]?: Rule } = {
  not_enough_funds: reasonRules.not_enough_funds,
  not_enough_funds_in_currency: reasonRules.not_enough_funds,
  side_not_enough_funds: reasonRules.not_enough_funds,
  post_only_reject: reasonRules.post_only,
  post_only_price_modification_not_possible: reasonRules.post_only,
  order_overlap: reasonRules.order_overlap,
  price_too_high: reasonRules.price_too_high,
  price_too_low: reasonRules.price_too_low,
  retry: reasonRules.no_mark_price,
  book_closed: reasonRules.book_closed,
  locked_by_admin: reasonRules.book_closed,
  settlement_in_progress: reasonRules.book_closed,
  account_locked: reasonRules.autoliquidation,
  timed_out: reasonRules.timed_out,
  qty_too_low: ruleIn('validation', 'sizes.contracts'),
  invalid_amount: ruleIn('validation', 'sizes.contracts'),
  invalid_price: ruleIn('validation', 'prices.grid'),
  price_wrong_tick: ruleIn('validation', 'prices.grid'),
  trigger_price_wrong_tick: ruleIn('validation', 'prices.grid'),
  trigger_price_too_high: reasonRules.trigger_price_too_high,
  trigger_price_too_low: reasonRules.trigger_price_too_low,
  invalid_trigger_price: reasonRules.invalid_trigger_price,
  'other_reject reduce_direction': reasonRules.reduce_direction,
  'other_reject no_position': reasonRules.reduce_direction,
  'other_reject no_opposite_price': reasonRules.no_opposite_price,
  'other_reject lsp_reduce_only': ruleIn('support', 'lsp.reduce-only'),
  pme_max_total_open_orders: reasonRules.max_open_orders,
  pme_max_future_open_orders: reasonRules.max_open_orders,
  pme_max_option_open_orders: reasonRules.max_open_orders,
  max_spot_open_orders: reasonRules.max_open_orders,
  no_more_triggers: reasonRules.max_open_orders,
  too_many_requests: ruleIn('staff', 'limit.rate'),
  mmp_trigger: reasonRules.mmp_trigger,
  mmp_required: ruleIn('protection', 'mmp.refusals'),
  'other_reject unknown_mmp_group': ruleIn('protection', 'mmp.refusals'),
  'other_reject mmp_not_configured': ruleIn('protection', 'mmp.refusals'),
  'other_reject max_quote_quantity': ruleIn('protection', 'mmp.max-quote'),
  mmp_min_freeze_time_not_elapsed: ruleIn('protection', 'mmp.first-second'),
  quotes_frozen: ruleIn('quotes', 'quotes.freeze'),
  too_many_quotes: ruleIn('quotes', 'quotes.request'),
  quote_crossed: ruleIn('quotes', 'quotes.request'),
  'other_reject member_speed_bump_limit': ruleIn('bump', 'order.speed-bump'),
  'other_reject speed_bump_queue_full': ruleIn('bump', 'order.speed-bump'),
  portfolio_locked: reasonRules.portfolio_locked,
  position_lock: reasonRules.position_locked,
  portfolio_margin_lock: reasonRules.pme_account_locked,
  disabled_while_position_lock: reasonRules.position_locked,
  gateway_not_active: ruleIn('staff', 'gateway.switches'),
  message_disabled: ruleIn('staff', 'gateway.switches'),
  cancel_only: ruleIn('staff', 'gateway.switches'),
  permission_denied: ruleIn('staff', 'account.products'),
}

/** The rule of a refusal. */
export function ruleOfRefusal(reason: string): Rule {
  const known: { readonly [reason: string]: Rule | undefined } = refusalRules
  return known[reason] ?? ruleIn('validation', 'order.validation')
}

/** The rule of a fill, which `fills` has as a word. */
export function ruleOfFill(word: string): Rule {
  if (word === 'book_maker' || word === 'book_taker') return ruleIn('orders', word)
  if (word.startsWith('block_')) return ruleIn('blocks', 'block.execute')
  if (word === 'hidden') return ruleIn('orders', 'order.iceberg-hidden')
  const ids: { readonly [word: string]: string | undefined } = {
    print_at_price: 'fill.print',
    print_through: 'fill.through',
    level_reached: 'fill.reached',
    level_taken: 'fill.level',
  }
  return ruleIn('recorded', ids[word] ?? word)
}
