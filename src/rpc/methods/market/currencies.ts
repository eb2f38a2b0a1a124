/**
 * public/get_currencies and private/get_currencies: the currencies that accounts can hold, with the costs of
 * withdrawals. No blockchain is simulated, so confirmations and chain fees are 0, and no balance earns a yield. Source:
 * coverage R44, R63; the venue's page of the method for `apr`, `network_fee` and `network_currency`.
 */
import { z } from '../../../core/index.ts'
import { configOf } from '../../../engine/index.ts'
import { balanceDigits, type Currency, currencies, walletSettingsOf } from '../../../model/index.ts'
import { balanceOut } from '../../wire/index.ts'
import { defineMethod, queryOf } from '../method.ts'

const names: { readonly [C in Currency]: string } = {
  BTC: 'Bitcoin',
  ETH: 'Ethereum',
  USDC: 'USD Coin',
  USDT: 'Tether USD',
  EURR: 'StablR Euro',
  SOL: 'Solana',
  XRP: 'XRP',
  STETH: 'Lido Staked Ether',
  USYC: 'US Yield Coin',
  PAXG: 'Paxos Gold',
  BNB: 'BNB',
  USDE: 'Ethena USDe',
}

/** Currencies whose chain fees are paid in another currency. At this venue these are tokens of Ethereum. */
const tokens: ReadonlySet<Currency> = new Set(['USDC', 'USDT', 'EURR', 'STETH', 'USYC', 'PAXG', 'USDE'])

/** Currencies on which the venue pays a yield. */
const yieldBearing: ReadonlySet<Currency> = new Set(['USDC', 'STETH', 'USDE'])

/** A currency of the venue. */
export interface WireCurrency {
  readonly currency: string
  readonly currency_long: string
  readonly coin_type: string
  readonly decimals: number
  readonly fee_precision: number
  readonly min_confirmations: number
  readonly min_withdrawal_fee: number
  readonly withdrawal_fee: number
  /** Withdrawal priorities with different fees; none. */
  readonly withdrawal_priorities: readonly { readonly name: string; readonly value: number }[]
  readonly in_cross_collateral_pool: boolean
  /** Fee of the chain, in addition to the fee of the withdrawal: 0. */
  readonly network_fee: number
  /** Currency in which the chain is paid. */
  readonly network_currency: string
  /** Annual yield, 0; only for currencies with a yield. */
  readonly apr?: number
}

/** All currencies, in the venue's order. */
const getCurrencies = defineMethod({
  scope: 'public',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({}),
  read: () => queryOf(null),
  reply: ({ exchange }): readonly WireCurrency[] => {
    const { fees } = walletSettingsOf(configOf(exchange))
    return currencies.map((currency) => ({
      currency,
      currency_long: names[currency],
      coin_type: currency,
      decimals: balanceDigits(currency),
      fee_precision: balanceDigits(currency),
      min_confirmations: 0,
      min_withdrawal_fee: balanceOut(currency, fees[currency] ?? 0n),
      withdrawal_fee: balanceOut(currency, fees[currency] ?? 0n),
      withdrawal_priorities: [],
      in_cross_collateral_pool: false,
      network_fee: 0,
      network_currency: tokens.has(currency) ? 'ETH' : currency,
      ...(yieldBearing.has(currency) ? { apr: 0 } : {}),
    }))
  },
})

/** A currency that the account can hold. */
export interface WireAccountCurrency {
  readonly currency: string
}

/** The currencies of an account: all of them. */
const getAccountCurrencies = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({}),
  read: () => queryOf(null),
  reply: (): readonly WireAccountCurrency[] => currencies.map((currency) => ({ currency })),
})

/** Methods by their names; a part of the table. */
export const currencyMethods = {
  'public/get_currencies': getCurrencies,
  'private/get_currencies': getAccountCurrencies,
} as const
