/**
 * The table of methods, typed by name: a later method is one file and one line here.
 */
import type { z } from 'zod'
import { accountId, amount, micros, price9 } from '../../core/index.ts'
import type { Command } from '../../model/index.ts'
import type { CommandBody, Method } from '../method.ts'
import { getPosition, getPositions } from './account/positions.ts'
import { getAccountSummary } from './account/summary.ts'
import { getInstruments } from './market/instruments.ts'
import { getOrderBook, ticker } from './market/ticker.ts'
import {
  getLastTradesByInstrument,
  getLastTradesByInstrumentAndTime,
  getTime,
} from './market/trades.ts'
import {
  advance,
  createAccount,
  deposit,
  givePosition,
  listInstrument,
  setIndex,
  setMark,
  unreadInstrument,
  unreadPosition,
} from './sim/controls.ts'
import {
  cancel,
  cancelAll,
  cancelByLabel,
  unreadCancel,
  unreadCancelAll,
} from './trading/cancel.ts'
import { edit, unreadEdit } from './trading/edit.ts'
import { getOpenOrders, getOrderState } from './trading/orders.ts'
import { buy, sell, unreadPlace } from './trading/place.ts'
import { getUserTradesByInstrument, getUserTradesByOrder } from './trading/user-trades.ts'

/** Every method by its name. */
export const methods = {
  'public/get_instruments': getInstruments,
  'public/get_order_book': getOrderBook,
  'public/ticker': ticker,
  'public/get_last_trades_by_instrument': getLastTradesByInstrument,
  'public/get_last_trades_by_instrument_and_time': getLastTradesByInstrumentAndTime,
  'public/get_time': getTime,
  'private/buy': buy,
  'private/sell': sell,
  'private/edit': edit,
  'private/cancel': cancel,
  'private/cancel_all': cancelAll,
  'private/cancel_by_label': cancelByLabel,
  'private/get_open_orders': getOpenOrders,
  'private/get_order_state': getOrderState,
  'private/get_position': getPosition,
  'private/get_positions': getPositions,
  'private/get_account_summary': getAccountSummary,
  'private/get_user_trades_by_order': getUserTradesByOrder,
  'private/get_user_trades_by_instrument': getUserTradesByInstrument,
  'sim/create_account': createAccount,
  'sim/list_instrument': listInstrument,
  'sim/deposit': deposit,
  'sim/give_position': givePosition,
  'sim/set_index': setIndex,
  'sim/set_mark': setMark,
  'sim/advance': advance,
} as const

/** The name of a method. */
export type MethodName = keyof typeof methods

/** Parameters of a method as people write them. */
export type MethodParams<M extends MethodName> = z.input<(typeof methods)[M]['params']>

/** Result of a method. */
export type MethodResult<M extends MethodName> = ReturnType<(typeof methods)[M]['reply']>

/** All names, in the order of the table. */
export const methodNames: readonly string[] = Object.keys(methods)

/** The method of a name; its types are those of the table, which an index cannot say. */
export function findMethod(name: string): Method<z.ZodObject, unknown> | undefined {
  if (!Object.hasOwn(methods, name)) return undefined
  return methods[name as MethodName] as unknown as Method<z.ZodObject, unknown>
}

/** What stands for a request of each kind that could not be read; its fault refuses it. */
export const unreadBodies: { readonly [K in Command['kind']]: CommandBody & { readonly kind: K } } =
  {
    place_order: unreadPlace,
    edit_order: unreadEdit,
    cancel_order: unreadCancel,
    cancel_orders: unreadCancelAll,
    query: { kind: 'query' },
    open_account: { kind: 'open_account', name: '', marginModel: 'segregated_sm' },
    list_instrument: unreadInstrument,
    deposit: { kind: 'deposit', target: accountId(0), currency: 'BTC', amount: amount(0n) },
    give_position: unreadPosition,
    set_index: { kind: 'set_index', index: '', price: price9(0) },
    follow_mid: { kind: 'follow_mid', index: '', instrument: unreadPosition.instrument },
    set_mark: { kind: 'set_mark', instrument: unreadPosition.instrument, price: null },
    advance_time: { kind: 'advance_time', to: micros(0) },
  }
