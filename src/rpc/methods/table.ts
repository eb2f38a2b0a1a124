/**
 * The table of methods, typed by name: a later method is one file and one line here.
 */
import type { z } from '../../core/index.ts'
import type { RequestParams } from '../wire/index.ts'
import { getAltRiskLimits } from './account/gateway/alt-risk-limits.ts'
import {
  lockPortfolio,
  setPortfolioLock,
  unlockPortfolio,
} from './account/gateway/portfolio-lock.ts'
import { getPosition, getPositions } from './account/holdings/positions.ts'
import {
  createSubaccount,
  getSubaccounts,
  getSubaccountsDetails,
} from './account/holdings/subaccounts.ts'
import { getAccountSummaries, getAccountSummary } from './account/holdings/summary.ts'
import { getAccessLog } from './account/records/access-log.ts'
import {
  getSettlementHistoryByCurrency,
  getSettlementHistoryByInstrument,
} from './account/records/settlement-history.ts'
import { getTransactionLog } from './account/records/transaction-log.ts'
import { getLspParticipantConfig, getLspUsage } from './account/risk/lsp-usage.ts'
import { getMargins } from './account/risk/margins.ts'
import { simulateAccount, simulatePme } from './account/risk/portfolio-simulation.ts'
import { getUserLocks } from './account/risk/user-locks.ts'
import { setDisabledTradingProducts } from './account/trading-products.ts'
import {
  getTransfers,
  submitTransferBetweenSubaccounts,
  submitTransferToSubaccount,
} from './account/transfers/cash-transfers.ts'
import { movePositions } from './account/transfers/move-positions.ts'
import { approveBlockTrade, getBlockTradeRequests, rejectBlockTrade } from './blocks/approval.ts'
import { executeBlockTrade, simulateBlockTrade } from './blocks/execution.ts'
import { getBlockTrade, getBlockTrades } from './blocks/queries.ts'
import { invalidateBlockTradeSignature, verifyBlockTrade } from './blocks/signing.ts'
import { createCombo, getComboDetails, getComboIds, getCombos } from './combos/combos.ts'
import { getLegPrices } from './combos/leg-prices.ts'
import { disableHeartbeat, hello, setHeartbeat, status, test } from './connection/session-life.ts'
import {
  privateSubscribe,
  privateUnsubscribe,
  privateUnsubscribeAll,
  publicSubscribe,
  publicUnsubscribe,
  publicUnsubscribeAll,
} from './connection/subscriptions.ts'
import { auth, exchangeToken, forkToken } from './connection/tokens.ts'
import { announce, deleteAnnouncement, getAnnouncements } from './market/announcements.ts'
import { getBookSummaryByCurrency, getBookSummaryByInstrument } from './market/book-summary.ts'
import { getCurrencies } from './market/currencies.ts'
import { getExpirations } from './market/expirations.ts'
import { getContractSize, getInstrument, getInstruments } from './market/instruments.ts'
import { getTradingviewChartData } from './market/prices/chart.ts'
import {
  getFundingChartData,
  getFundingRateHistory,
  getFundingRateValue,
} from './market/prices/funding.ts'
import { getIndexChartData } from './market/prices/index-chart.ts'
import {
  getDeliveryPrices,
  getIndexPrice,
  getIndexPriceNames,
  getSupportedIndexNames,
} from './market/prices/index-prices.ts'
import { getMarkPriceHistory } from './market/prices/mark-history.ts'
import { getHistoricalVolatility, getVolatilityIndexData } from './market/prices/volatility.ts'
import {
  getLastSettlementsByCurrency,
  getLastSettlementsByInstrument,
} from './market/settlements.ts'
import { getOrderBook, getOrderBookByInstrumentId, ticker } from './market/ticker.ts'
import { getTradeVolumes } from './market/trade-volumes.ts'
import {
  getLastTradesByInstrument,
  getLastTradesByInstrumentAndTime,
  getTime,
} from './market/trades.ts'
import {
  getLastTradesByCurrency,
  getLastTradesByCurrencyAndTime,
} from './market/trades-by-currency.ts'
import { isParams } from './parameter-shape.ts'
import { getMmpConfig, getMmpStatus, resetMmp, setMmpConfig } from './protection/mmp.ts'
import {
  addBlockRfqQuote,
  cancelAllBlockRfqQuotes,
  cancelBlockRfqQuote,
  editBlockRfqQuote,
  getBlockRfqQuotes,
} from './rfqs/makers.ts'
import {
  getBlockRfqMakers,
  getBlockRfqs,
  getBlockRfqTrades,
  getBlockRfqUserInfo,
} from './rfqs/queries.ts'
import {
  acceptBlockRfq,
  cancelBlockRfq,
  cancelBlockRfqTrigger,
  createBlockRfq,
} from './rfqs/takers.ts'
import { hiddenParams, secretsOf } from './secrets.ts'
import {
  disableCancelOnDisconnect,
  enableCancelOnDisconnect,
  getCancelOnDisconnect,
} from './sessions/cancel-on-disconnect.ts'
import { connect, disconnect, heartbeatFailure, logoutSession } from './sessions/connections.ts'
import { logout } from './sessions/logout.ts'
import { logAccess } from './sim/access-log.ts'
import { lockPortfolioMargin, lockPositions, trimOrders } from './sim/account-locks.ts'
import {
  advance,
  createAccount,
  deposit,
  givePosition,
  listInstrument,
  setInstrumentState,
  stopFeeds,
} from './sim/controls.ts'
import { getFaults, setFaults } from './sim/faults.ts'
import { createKey } from './sim/keys.ts'
import { setIndexOutage, setMaintenance, setPublicMethods } from './sim/outages.ts'
import { setLspParticipant } from './sim/participants.ts'
import { setPermissions } from './sim/permissions.ts'
import { setIndex, setMark } from './sim/prices.ts'
import { setProfile } from './sim/profiles.ts'
import { rescaleInstrument } from './sim/rescale.ts'
import { setBlockRfqRole } from './sim/rfq-roles.ts'
import { setRiskLimits } from './sim/risk-limits.ts'
import { forkVenue, restoreVenue, snapshotVenue } from './sim/snapshots.ts'
import { setAlgoCancelOnly, setGatewayActive, setMessageEnabled } from './sim/switches.ts'
import {
  cancelAll,
  cancelAllByCurrency,
  cancelAllByCurrencyPair,
  cancelAllByInstrument,
  cancelAllByKindOrType,
  cancelByLabel,
} from './trading/cancels/bulk-cancel.ts'
import { cancel } from './trading/cancels/cancel.ts'
import { closePosition } from './trading/entry/close-position.ts'
import { edit, editByLabel } from './trading/entry/edit.ts'
import { buy, sell } from './trading/entry/place.ts'
import {
  getOpenOrders,
  getOpenOrdersByCurrency,
  getOpenOrdersByInstrument,
  getOpenOrdersByLabel,
} from './trading/queries/open-orders.ts'
import {
  getOrderHistoryByCurrency,
  getOrderHistoryByInstrument,
} from './trading/queries/order-history.ts'
import {
  getOrderMarginByIds,
  getOrderState,
  getOrderStateByLabel,
} from './trading/queries/order-state.ts'
import { getTriggerOrderHistory } from './trading/queries/trigger-history.ts'
import {
  getUserTradesByCurrency,
  getUserTradesByCurrencyAndTime,
  getUserTradesByInstrument,
  getUserTradesByInstrumentAndTime,
  getUserTradesByOrder,
} from './trading/queries/user-trades.ts'
import { cancelQuotes } from './trading/quotes/cancel-quotes.ts'
import { massQuote } from './trading/quotes/mass-quote.ts'
import { setSelfTradingConfig } from './trading/self-trading.ts'
import { walletMethods } from './wallet/wallet-methods.ts'

/** Every method of `rpc` by its name; those of direct access stand in `gateways`. */
export const methods = {
  'public/get_instruments': getInstruments,
  'public/get_order_book': getOrderBook,
  'public/get_order_book_by_instrument_id': getOrderBookByInstrumentId,
  'public/ticker': ticker,
  'public/get_last_trades_by_instrument': getLastTradesByInstrument,
  'public/get_last_trades_by_instrument_and_time': getLastTradesByInstrumentAndTime,
  'public/get_last_trades_by_currency': getLastTradesByCurrency,
  'public/get_last_trades_by_currency_and_time': getLastTradesByCurrencyAndTime,
  'public/get_instrument': getInstrument,
  'public/get_combos': getCombos,
  'public/get_combo_ids': getComboIds,
  'public/get_combo_details': getComboDetails,
  'public/get_contract_size': getContractSize,
  'public/get_currencies': getCurrencies,
  'public/get_expirations': getExpirations,
  'public/get_book_summary_by_currency': getBookSummaryByCurrency,
  'public/get_book_summary_by_instrument': getBookSummaryByInstrument,
  'public/get_last_settlements_by_currency': getLastSettlementsByCurrency,
  'public/get_last_settlements_by_instrument': getLastSettlementsByInstrument,
  'public/get_funding_rate_value': getFundingRateValue,
  'public/get_funding_rate_history': getFundingRateHistory,
  'public/get_funding_chart_data': getFundingChartData,
  'public/get_index_price': getIndexPrice,
  'public/get_index_price_names': getIndexPriceNames,
  'public/get_supported_index_names': getSupportedIndexNames,
  'public/get_index_chart_data': getIndexChartData,
  'public/get_delivery_prices': getDeliveryPrices,
  'public/get_mark_price_history': getMarkPriceHistory,
  'public/get_tradingview_chart_data': getTradingviewChartData,
  'public/get_historical_volatility': getHistoricalVolatility,
  'public/get_volatility_index_data': getVolatilityIndexData,
  'public/get_trade_volumes': getTradeVolumes,
  'public/get_announcements': getAnnouncements,
  'public/get_block_rfq_trades': getBlockRfqTrades,
  'public/get_time': getTime,
  'public/status': status,
  'public/hello': hello,
  'public/test': test,
  'public/set_heartbeat': setHeartbeat,
  'public/disable_heartbeat': disableHeartbeat,
  'public/auth': auth,
  'public/exchange_token': exchangeToken,
  'public/fork_token': forkToken,
  'public/subscribe': publicSubscribe,
  'public/unsubscribe': publicUnsubscribe,
  'public/unsubscribe_all': publicUnsubscribeAll,
  'private/subscribe': privateSubscribe,
  'private/unsubscribe': privateUnsubscribe,
  'private/unsubscribe_all': privateUnsubscribeAll,
  'private/buy': buy,
  'private/sell': sell,
  'private/edit': edit,
  'private/edit_by_label': editByLabel,
  'private/close_position': closePosition,
  'private/cancel': cancel,
  'private/cancel_all': cancelAll,
  'private/cancel_all_by_currency': cancelAllByCurrency,
  'private/cancel_all_by_currency_pair': cancelAllByCurrencyPair,
  'private/cancel_all_by_instrument': cancelAllByInstrument,
  'private/cancel_all_by_kind_or_type': cancelAllByKindOrType,
  'private/cancel_by_label': cancelByLabel,
  'private/mass_quote': massQuote,
  'private/cancel_quotes': cancelQuotes,
  'private/create_combo': createCombo,
  'private/get_leg_prices': getLegPrices,
  'private/verify_block_trade': verifyBlockTrade,
  'private/execute_block_trade': executeBlockTrade,
  'private/invalidate_block_trade_signature': invalidateBlockTradeSignature,
  'private/simulate_block_trade': simulateBlockTrade,
  'private/get_block_trade': getBlockTrade,
  'private/get_block_trades': getBlockTrades,
  'private/get_block_trade_requests': getBlockTradeRequests,
  'private/approve_block_trade': approveBlockTrade,
  'private/reject_block_trade': rejectBlockTrade,
  'private/create_block_rfq': createBlockRfq,
  'private/cancel_block_rfq': cancelBlockRfq,
  'private/accept_block_rfq': acceptBlockRfq,
  'private/cancel_block_rfq_trigger': cancelBlockRfqTrigger,
  'private/get_block_rfqs': getBlockRfqs,
  'private/add_block_rfq_quote': addBlockRfqQuote,
  'private/edit_block_rfq_quote': editBlockRfqQuote,
  'private/cancel_block_rfq_quote': cancelBlockRfqQuote,
  'private/cancel_all_block_rfq_quotes': cancelAllBlockRfqQuotes,
  'private/get_block_rfq_quotes': getBlockRfqQuotes,
  'private/get_block_rfq_makers': getBlockRfqMakers,
  'private/get_block_rfq_user_info': getBlockRfqUserInfo,
  'private/set_self_trading_config': setSelfTradingConfig,
  'private/enable_cancel_on_disconnect': enableCancelOnDisconnect,
  'private/disable_cancel_on_disconnect': disableCancelOnDisconnect,
  'private/get_cancel_on_disconnect': getCancelOnDisconnect,
  'private/logout': logout,
  'private/get_open_orders': getOpenOrders,
  'private/get_open_orders_by_currency': getOpenOrdersByCurrency,
  'private/get_open_orders_by_instrument': getOpenOrdersByInstrument,
  'private/get_open_orders_by_label': getOpenOrdersByLabel,
  'private/get_order_state': getOrderState,
  'private/get_order_state_by_label': getOrderStateByLabel,
  'private/get_order_margin_by_ids': getOrderMarginByIds,
  'private/get_order_history_by_currency': getOrderHistoryByCurrency,
  'private/get_order_history_by_instrument': getOrderHistoryByInstrument,
  'private/get_trigger_order_history': getTriggerOrderHistory,
  'private/get_position': getPosition,
  'private/get_positions': getPositions,
  'private/get_account_summary': getAccountSummary,
  'private/get_account_summaries': getAccountSummaries,
  'private/get_subaccounts': getSubaccounts,
  'private/create_subaccount': createSubaccount,
  'private/get_subaccounts_details': getSubaccountsDetails,
  'private/get_lsp_usage': getLspUsage,
  'private/get_lsp_participant_config': getLspParticipantConfig,
  'private/set_mmp_config': setMmpConfig,
  'private/get_mmp_config': getMmpConfig,
  'private/get_mmp_status': getMmpStatus,
  'private/reset_mmp': resetMmp,
  'private/set_disabled_trading_products': setDisabledTradingProducts,
  'private/get_user_locks': getUserLocks,
  'private/get_margins': getMargins,
  'private/pme/simulate': simulatePme,
  'private/simulate_portfolio': simulateAccount,
  'private/move_positions': movePositions,
  'private/submit_transfer_to_subaccount': submitTransferToSubaccount,
  'private/submit_transfer_between_subaccounts': submitTransferBetweenSubaccounts,
  'private/get_transfers': getTransfers,
  ...walletMethods,
  'private/get_settlement_history_by_currency': getSettlementHistoryByCurrency,
  'private/get_settlement_history_by_instrument': getSettlementHistoryByInstrument,
  'private/get_transaction_log': getTransactionLog,
  'private/get_access_log': getAccessLog,
  'private/get_user_trades_by_order': getUserTradesByOrder,
  'private/get_user_trades_by_instrument': getUserTradesByInstrument,
  'private/get_user_trades_by_instrument_and_time': getUserTradesByInstrumentAndTime,
  'private/get_user_trades_by_currency': getUserTradesByCurrency,
  'private/get_user_trades_by_currency_and_time': getUserTradesByCurrencyAndTime,
  'private/get_alt_risk_limits': getAltRiskLimits,
  'private/lock_portfolio': lockPortfolio,
  'private/unlock_portfolio': unlockPortfolio,
  'sim/create_account': createAccount,
  'sim/list_instrument': listInstrument,
  'sim/deposit': deposit,
  'sim/give_position': givePosition,
  'sim/set_index': setIndex,
  'sim/set_mark': setMark,
  'sim/set_instrument_state': setInstrumentState,
  'sim/rescale': rescaleInstrument,
  'sim/set_lsp_participant': setLspParticipant,
  'sim/set_permissions': setPermissions,
  'sim/create_key': createKey,
  'sim/set_block_rfq_role': setBlockRfqRole,
  'sim/set_profile': setProfile,
  'sim/lock_positions': lockPositions,
  'sim/lock_portfolio_margin': lockPortfolioMargin,
  'sim/trim_orders': trimOrders,
  'sim/set_gateway_active': setGatewayActive,
  'sim/set_message_enabled': setMessageEnabled,
  'sim/set_algo_cancel_only': setAlgoCancelOnly,
  'sim/set_risk_limits': setRiskLimits,
  'sim/lock_portfolio': setPortfolioLock,
  'sim/advance': advance,
  'sim/stop_feeds': stopFeeds,
  'sim/announce': announce,
  'sim/delete_announcement': deleteAnnouncement,
  'sim/log_access': logAccess,
  'sim/set_maintenance': setMaintenance,
  'sim/set_public_methods': setPublicMethods,
  'sim/set_index_outage': setIndexOutage,
  'sim/set_faults': setFaults,
  'sim/get_faults': getFaults,
  'sim/snapshot': snapshotVenue,
  'sim/restore': restoreVenue,
  'sim/fork': forkVenue,
  'sim/connect': connect,
  'sim/disconnect': disconnect,
  'sim/logout': logoutSession,
  'sim/heartbeat_failure': heartbeatFailure,
} as const

/** The name of a method. */
export type MethodName = keyof typeof methods

/** Parameters of a method as people write them. */
export type MethodParams<M extends MethodName> = z.input<(typeof methods)[M]['params']>

/** Result of a method. */
export type MethodResult<M extends MethodName> = ReturnType<(typeof methods)[M]['reply']>

/** All names, in the order of the table. */
export const methodNames: readonly string[] = Object.keys(methods)

const secretNames: ReadonlySet<string> = new Set(
  methodNames.flatMap((name) => secretsOf(methods[name as MethodName].params)),
)

/**
 * The parameters of a request of a method as they may be written to a file; none for what are none. They are without
 * secrets, but for the signatures that `keepsSignatures` tells of and the credentials of direct access: a replay has to
 * know whether a logon showed the right one.
 */
export function writtenParams(method: string, params: RequestParams): RequestParams {
  if (!isParams(params)) return params ?? {}
  return keepsSignatures.has(method) ? params : hiddenParams(params, secretNames)
}

/**
 * Methods whose requests are written down with the signatures of block trades in them: these are keyed with the seed
 * of the run and good for nothing outside of it, and without them a journal could not be run again (R57 speaks of
 * replies).
 */
const keepsSignatures: ReadonlySet<string> = new Set([
  'private/execute_block_trade',
  'private/invalidate_block_trade_signature',
])
