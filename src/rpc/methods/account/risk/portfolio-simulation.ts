/**
 * private/pme/simulate and private/simulate_portfolio: portfolio margin of the positions of the account, with simulated
 * positions added or in their place, under any margin model of the account. Nothing changes.
 *
 * Sizes are in coin. An account under `cross_pm` is simulated like its real margin: in USD, over all its currencies,
 * with its balance of each coin, so that a simulation without positions returns the current margins. Assumed: for any
 * other account, a currency counts by itself, as under `segregated_pm`; the balance of coins counts, whether or not the
 * simulated positions are added to the account's positions.
 * Source: market.md 6.5 (T81-T86); the venue's public reference.
 */
import { type DecimalInput, divHalfAwayBig, lots, parseDecimalInput, z } from '../../../../core/index.ts'
import {
  accountOf,
  allInstruments,
  type Exchange,
  findInstrument,
  mmpMarginOf,
  type SimulatedPair,
  type SimulatedPortfolio,
  simulatedTotals,
  simulatePortfolio,
  simulateProjected,
  usdPrice,
  viewMarginModel,
  viewMargins,
  viewMarket,
  viewWallet,
  type WalletView,
} from '../../../../engine/index.ts'
import { ofUsd } from '../../../../margin/index.ts'
import { amount9OfLots, type Currency, currencies, type Fault, type Instrument } from '../../../../model/index.ts'
import { balanceCut, balanceOut, digitsOut } from '../../../wire/index.ts'
import { asker, defineMethod, queryOf, type ReadContext, type ReadRequest } from '../../method.ts'
import { decimal, earlier, paramFault, requestCurrency, unknownInstrument } from '../../params.ts'
import { summaryOut, type WireAccountSummary, type WireProjected } from '../holdings/summary.ts'
import { lotsOfCoin, riskMatrixOut, simulatedInstrument, type WireRiskMatrix } from './risk-matrix.ts'

const NANO = 1_000_000_000n

const simulated = {
  add_positions: z.boolean().default(true).describe('true to add the simulated positions to the held ones'),
  simulated_positions: z
    .record(z.string(), decimal)
    .default({})
    .describe('signed sizes in base coin by instrument name'),
}

interface Simulated {
  readonly add_positions: boolean
  readonly simulated_positions: Readonly<Record<string, DecimalInput>>
}

/** The risk matrices of a currency, or with `CROSS` of all currencies. */
const simulatePme = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({
    currency: z.enum([...currencies, 'CROSS']).describe('a currency, or CROSS for all currencies'),
    ...simulated,
  }),
  read: readSimulation,
  reply: (context, params): WireRiskMatrix => {
    const currency = params.currency === 'CROSS' ? null : params.currency
    const asked = portfolioOf(context, params, currency)
    const heldOf = (of: Currency): bigint => heldFor(context.exchange, asked.account, asked.add, of)
    return riskMatrixOut(context.exchange, simulatePortfolio(context.exchange, asked), heldOf)
  },
})

/** The account summary of a currency with the margins of the simulated positions. */
const simulateAccount = defineMethod({
  scope: 'account:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ currency: requestCurrency, ...simulated }),
  read: readSimulation,
  reply: (context, params): WireAccountSummary => {
    const { exchange } = context
    const { currency } = params
    const account = accountOf(exchange, asker(context))
    const asked = portfolioOf(context, params, currency)
    const summary = summaryOut(exchange, account, currency)
    const wallet = viewWallet(exchange, account.id, currency)
    const { netsPositions, sharesCurrencies } = viewMarginModel(account)
    if (netsPositions && sharesCurrencies) {
      return { ...summary, ...crossOut(exchange, asked, currency, wallet.balance) }
    }
    const pairs = simulatePortfolio(exchange, asked)
    const projected = simulateProjected(exchange, asked)
    const held = heldFor(exchange, asked.account, asked.add, currency)
    return {
      ...summary,
      ...simulatedOut(exchange, pairs, currency, wallet, held),
      ...projectedOut(exchange, projected, currency, held),
    }
  },
})

/** Margin held for market-maker protection; it counts only if the account's own positions count. */
function heldFor(
  exchange: Exchange,
  account: SimulatedPortfolio['account'],
  add: SimulatedPortfolio['add'],
  currency: Currency,
): bigint {
  return add ? mmpMarginOf(exchange, account, currency) : 0n
}

function readSimulation(context: ReadContext, params: Simulated): ReadRequest {
  let fault: Fault | null = null
  for (const [name, size] of Object.entries(params.simulated_positions)) {
    const instrument = findInstrument(context.exchange, name)
    const isHeld = instrument?.kind === 'future' || instrument?.kind === 'option'
    if (!isHeld) fault = earlier(fault, unknownInstrument)
    if (coinOf(size) === undefined) {
      fault = earlier(fault, paramFault(`simulated_positions.${name}`, 'not_a_size'))
    } else if (instrument !== undefined && !isSimulable(context.exchange, instrument, size)) {
      fault = earlier(fault, paramFault(`simulated_positions.${name}`, 'too_large'))
    }
  }
  return queryOf(fault)
}

/** Sizes have the same bound as those of orders: 9 billion units (C09). */
function isSimulable(exchange: Exchange, instrument: Instrument, size: DecimalInput): boolean {
  const held = lotsOfCoin(exchange, instrument, coinOf(size) ?? 0n)
  return Math.abs(held) * instrument.amountStep9 <= AMOUNT9_MAX
}

/** Largest size in 1e-9 of the amount unit. */
const AMOUNT9_MAX = 9_000_000_000_000_000_000

function coinOf(size: DecimalInput): bigint | undefined {
  const read = parseDecimalInput(size, 9)
  return read.ok ? read.value : undefined
}

function portfolioOf(context: ReadContext, params: Simulated, currency: Currency | null): SimulatedPortfolio {
  const positions = Object.entries(params.simulated_positions).flatMap(([name, size]) => {
    const instrument = findInstrument(context.exchange, name)
    const coin9 = coinOf(size)
    if (instrument === undefined || coin9 === undefined) return []
    return [{ instrument: instrument.id, lots: lotsOfCoin(context.exchange, instrument, coin9) }]
  })
  const add = params.add_positions
  return { account: asker(context), currency, add, positions }
}

type DeltaFields = Pick<WireAccountSummary, 'delta_total' | 'delta_total_map'>

/** Fields of a summary that the simulated positions change: margins, available funds and deltas. */
function simulatedOut(
  exchange: Exchange,
  pairs: readonly SimulatedPair[],
  currency: Currency,
  { balance, equity }: WalletView,
  held: bigint,
): Partial<WireAccountSummary> & DeltaFields {
  const out = (money: bigint): number => balanceOut(currency, money)
  const { initial: risk, maintenance } = marginsOfPairs(pairs)
  const initial = risk + held
  const free = lesser(balance, equity) - initial
  return {
    margin_balance: out(equity),
    initial_margin: out(initial),
    maintenance_margin: out(maintenance),
    available_funds: out(equity - initial),
    available_withdrawal_funds: balanceCut(currency, free > 0n ? free : 0n),
    ...deltasOut(exchange, pairs),
  }
}

/** Fields of the summary that the simulated positions change, for an account whose currencies share their margin. */
function crossOut(
  exchange: Exchange,
  asked: SimulatedPortfolio,
  currency: Currency,
  balance: bigint,
): Partial<WireAccountSummary> & DeltaFields {
  const all = { ...asked, currency: null }
  const isOwn = (pair: SimulatedPair): boolean => pair.currency === currency
  const pairs = simulatePortfolio(exchange, all)
  const rest = simulateProjected(exchange, all)
  const usd = simulatedTotals(exchange, asked.account, pairs)
  const projected = simulatedTotals(exchange, asked.account, rest)
  const index9 = usdPrice(exchange, currency)
  const own = (money: bigint): bigint => ofUsd(money, index9)
  const out = (money: bigint): number => balanceOut(currency, own(money))
  const { spotReserve } = viewMargins(exchange, asked.account, currency)
  const held = lesser(balance, own(usd.marginBalance)) - own(usd.initial) - spotReserve
  const free = lesser(held, own(usd.marginBalance) - own(usd.initial) - own(usd.spotReserve))
  return {
    initial_margin: out(usd.initial),
    maintenance_margin: out(usd.maintenance),
    available_funds: balanceOut(currency, own(usd.marginBalance) - own(usd.initial)),
    available_withdrawal_funds: balanceCut(currency, free > 0n ? free : 0n),
    total_initial_margin_usd: digitsOut(usd.initial, 9),
    total_maintenance_margin_usd: digitsOut(usd.maintenance, 9),
    projected_initial_margin: out(projected.initial),
    projected_maintenance_margin: out(projected.maintenance),
    projected_delta_total: deltasOut(exchange, rest.filter(isOwn)).delta_total,
    ...deltasOut(exchange, pairs.filter(isOwn)),
  }
}

/** Margins and delta without the nearest expiry. */
function projectedOut(
  exchange: Exchange,
  pairs: readonly SimulatedPair[],
  currency: Currency,
  held: bigint,
): WireProjected {
  const { initial, maintenance } = marginsOfPairs(pairs)
  return {
    projected_initial_margin: balanceOut(currency, initial + held),
    projected_maintenance_margin: balanceOut(currency, maintenance),
    projected_delta_total: deltasOut(exchange, pairs).delta_total,
  }
}

function marginsOfPairs(pairs: readonly SimulatedPair[]): {
  readonly initial: bigint
  readonly maintenance: bigint
} {
  let [initial, maintenance] = [0n, 0n]
  for (const { margin } of pairs) {
    initial += margin.initial
    maintenance += margin.maintenance
  }
  return { initial, maintenance }
}

/** Math.min takes no bigint. */
function lesser(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}

/** Net deltas as in the account summary: for options in coin, minus the value of the options. */
function deltasOut(
  exchange: Exchange,
  pairs: readonly SimulatedPair[],
): { readonly delta_total: number } & DeltaFields {
  const instruments = allInstruments(exchange)
  const byIndex = new Map<string, bigint>()
  let total = 0n
  for (const { index, positions } of pairs) {
    for (const { instrument: id, lots: size, delta } of positions) {
      const instrument = simulatedInstrument(instruments, id)
      const { mark, index: indexPrice } = viewMarket(exchange, id)
      const isCoin = instrument.settlementCurrency === instrument.baseCurrency
      const isOption = instrument.kind === 'option'
      const value = divHalfAwayBig(amount9OfLots(instrument, lots(size)) * BigInt(mark), NANO)
      const price = BigInt(isOption ? indexPrice : mark)
      byIndex.set(index, (byIndex.get(index) ?? 0n) + delta)
      if (isCoin) total += isOption ? delta - value : delta
      else total += divHalfAwayBig(delta * price, NANO)
    }
  }
  const map = [...byIndex].map(([index, delta]) => [index, digitsOut(delta, 9)] as const)
  return { delta_total: digitsOut(total, 6), delta_total_map: Object.fromEntries(map) }
}

/** Methods by their names; a part of the table. */
export const simulationMethods = {
  'private/pme/simulate': simulatePme,
  'private/simulate_portfolio': simulateAccount,
} as const
