/**
 * What stands for requests of sessions, market makers and protections that could not be read; their fault
 * refuses them.
 */
import { accountId, micros } from '../../core/index.ts'
import type { ProtectionCommand, QuoteFilter } from '../../model/index.ts'
import type { CommandBody } from './method.ts'

const nobody = accountId(0)

/** Every quote of an account. */
export const anyQuote: QuoteFilter = {
  group: null,
  side: null,
  delta: null,
  quoteSetId: null,
  instrument: null,
  kinds: null,
  currencies: null,
  pair: null,
}

const noKey = { index: '', name: null, blockRfq: false } as const

/** Bodies by the kind of command. */
export const unreadProtection: {
  readonly [K in ProtectionCommand['kind']]: CommandBody & { readonly kind: K }
} = {
  open_session: {
    kind: 'open_session',
    opened: 0,
    type: 'web_socket',
    target: null,
    gateway: null,
    schemaVersion: 0,
    cancelOnDisconnect: false,
  },
  close_session: { kind: 'close_session', closed: 0, how: 'disconnect' },
  set_cancel_on_disconnect: {
    kind: 'set_cancel_on_disconnect',
    scope: 'connection',
    enabled: false,
  },
  set_mmp_config: {
    kind: 'set_mmp_config',
    key: noKey,
    config: {
      interval: micros(0),
      frozenTime: micros(0),
      quantity9: null,
      delta9: null,
      vega9: null,
      maxQuote9: 0,
      tradeCount: null,
    },
  },
  reset_mmp: { kind: 'reset_mmp', key: noKey },
  mass_quote: {
    kind: 'mass_quote',
    quoteId: '',
    group: '',
    quotes: [],
    resetMmp: false,
    waits: true,
    validUntil: null,
  },
  cancel_quotes: { kind: 'cancel_quotes', filter: anyQuote, freeze: false },
  lock_portfolio: { kind: 'lock_portfolio', target: null, locked: false },
  set_permissions: {
    kind: 'set_permissions',
    target: nobody,
    member: null,
    mmp: null,
    massQuotes: null,
  },
  lock_account: { kind: 'lock_account', target: nobody, lock: 'positions', locked: false },
  set_disabled_products: { kind: 'set_disabled_products', target: nobody, products: [] },
  trim_orders: { kind: 'trim_orders', target: nobody },
  set_risk_limits: {
    kind: 'set_risk_limits',
    target: null,
    index: '',
    limits: {
      futurePosition9: null,
      optionPosition9: null,
      futureOrder9: null,
      optionOrder9: null,
    },
  },
  set_gateway_switch: {
    kind: 'set_gateway_switch',
    switch: { type: 'algo_cancel_only' },
    on: false,
  },
}
