/**
 * Fields that only the extended account summary has: the identity and self-trading settings of the account, and for
 * each currency its limits and, if it pays reduced fees, its fees.
 *
 * The limits are those of the run, which the simulator enforces if they are enabled (R15).
 * Source: market.md 4 (fee factor), 5.3; trading.md 4.9, 8; data deribit/account.
 */
import { divNearest } from '../../../../core/index.ts'
import {
  allInstruments,
  configOf,
  disabledProductsOf,
  type Exchange,
  permissionsOf,
  profileOf,
  rfqPartyOf,
  selfTradingOf,
} from '../../../../engine/index.ts'
import { type Account, type Currency, type RateLimitTerms, tradingProducts } from '../../../../model/index.ts'
import { timeOut } from '../../../wire/index.ts'
import type { ReadContext } from '../../method.ts'
import type { WireIdentity, WireLimits, WireNames, WireTerms, WireTradingProducts } from './summary-types.ts'

const WHOLE_PPM = 1_000_000

/** The identity of an account. */
export function extendedOut({ exchange, history }: ReadContext, account: Account): WireIdentity {
  const { mode, extended } = selfTradingOf(exchange, account.id)
  const { loginEnabled, securityKeysEnabled, receivesNotifications } = profileOf(exchange, account.id)
  return {
    id: account.id,
    ...identityOut(exchange, account),
    creation_timestamp: timeOut(history.opened.get(account.id) ?? configOf(exchange).start),
    referrer_id: null,
    login_enabled: loginEnabled,
    security_keys_enabled: securityKeysEnabled,
    receive_notifications: receivesNotifications,
    ...tradingProductsOut(exchange, account),
    mmp_enabled: permissionsOf(exchange, account.id).mmp,
    interuser_transfers_enabled: false,
    block_rfq_self_match_prevention: rfqPartyOf(exchange, account.id).preventsSelfMatch,
    self_trading_reject_mode: mode,
    self_trading_extended_to_subaccounts: extended,
  }
}

/** The trading products that an account may trade. */
export function tradingProductsOut(exchange: Exchange, { id }: Account): WireTradingProducts {
  const disabled = disabledProductsOf(exchange, id)
  return {
    disabled_trading_products: disabled,
    trading_products_details: tradingProducts.map((product) => ({
      product,
      enabled: !disabled.includes(product),
      overwriteable: true,
    })),
  }
}

/** The names of an account. */
export function identityOut(exchange: Exchange, { id, main, name }: Account): WireNames {
  const { email, username } = profileOf(exchange, id)
  return {
    type: main === id ? 'main' : 'subaccount',
    email: email ?? `${name}@example.com`,
    username: username ?? name,
    system_name: name,
  }
}

/** Limits of a currency, and the fees as parts of the standard fees if the account pays other ones. */
export function extendedCurrencyOut(exchange: Exchange, { feePpm }: Account, currency: Currency): WireTerms {
  const limits = limitsOut(configOf(exchange).rateLimits)
  if (feePpm === WHOLE_PPM) return { limits }
  const kinds = new Map<string, { readonly kind: string; readonly index: string }>()
  for (const { kind, settlementCurrency, detail, priceIndex: index } of allInstruments(exchange)) {
    if (settlementCurrency !== currency || (kind !== 'future' && kind !== 'option')) continue
    const shown = detail.type === 'perpetual' ? 'perpetual' : kind
    kinds.set(`${shown} ${index}`, { kind: shown, index })
  }
  const share = divNearest(feePpm, WHOLE_PPM)
  const whole = { type: 'relative', taker: share, maker: share } as const
  const value = { default: whole, block_trade: share }
  const fees = [...kinds.values()].map(({ kind, index }) => ({ kind, index_name: index, value }))
  return { limits, fees }
}

/** Requests per second and the maximum burst, for each limit. */
function limitsOut(terms: RateLimitTerms): WireLimits {
  const { nonMatching, trading, spot, cancelAll } = terms
  const { maximumQuotes, maximumMassQuotes, guaranteedMassQuotes } = terms
  return {
    limits_per_currency: false,
    non_matching_engine: { ...nonMatching },
    matching_engine: {
      trading: { total: { ...trading } },
      spot: { ...spot },
      quotes: { ...maximumQuotes },
      max_quotes: { ...maximumMassQuotes },
      guaranteed_quotes: { ...guaranteedMassQuotes },
      cancel_all: { ...cancelAll },
    },
  }
}
