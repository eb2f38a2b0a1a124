/**
 * public/get_currencies: what accounts can hold, and what withdrawals cost. No chain is simulated, so that
 * confirmations are 0. Source: coverage R44, R63.
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
    }))
  },
})

/** Methods by their names; a part of the table. */
export const currencyMethods = {
  'public/get_currencies': getCurrencies,
} as const
