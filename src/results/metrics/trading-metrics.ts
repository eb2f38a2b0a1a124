/** Metrics of trading and risk for one currency of an account. */
import { type Nano, scaledToNumber } from '../../core/index.ts'
import type { Attribution } from './attribution.ts'
import { STRAIN } from './exposure.ts'
import { checked, type Figure, type MetricDeclarations, mapFigure, metric, ratio } from './figure.ts'
import { type MarkoutTally, markoutHorizons } from './markouts.ts'
import type { CurrencyPerformance } from './performance.ts'
import { quantileOf } from './sketch.ts'
import type { Levels, WalletState } from './state.ts'

/** The input for figures of trading and risk of one currency. */
interface TradingInput {
  readonly earned: CurrencyPerformance
  /** Null if it never had a fill or a position. */
  readonly wallet: WalletState | null
  /** Days from the first money to the end. */
  readonly days: number
  /** True if there are enough days for annual figures. */
  readonly isAnnual: boolean
}

const MICROS_PER_SECOND = 1_000_000
const BPS = 10_000
const FUNDINGS_PER_YEAR = 3 * 365

/** Sentences of the parts of the profit by prices. */
const attributed: Readonly<Record<keyof Attribution, string>> = {
  delta: 'Part of `profit_price` from price moves of the underlyings: of futures, and of options through their delta.',
  gamma: 'Part of `profit_price` from the gamma of options.',
  vega: 'Part of `profit_price` from the vega of options: changes of their mark volatility.',
  theta: 'Part of `profit_price` from the theta of options: the passage of time.',
  residual:
    'Part of `profit_price` that the option greeks do not explain: higher orders, cross terms and the rounding of marks.',
  trading:
    'Profit of derivative fills against the next mark price; with the five other parts it adds up to the `profit_price` of derivatives.',
}

/** Metrics of trading and risk of one currency of an account. */
export const tradingMetrics: MetricDeclarations<TradingInput> = {
  fills: metric('count', 'Fills.', ({ earned }) => earned.fills),
  maker_fills: metric('count', 'Maker fills.', ({ earned }) => earned.makerFills),
  maker_share: metric('part', '`maker_turnover / turnover`.', ({ earned }) =>
    ratio(Number(earned.makerTurnover), Number(earned.turnover), 'no_fill'),
  ),
  fills_per_day: metric('count', '`fills / span`.', ({ earned, days }) => ratio(earned.fills, days, 'no_time')),
  turnover_per_day: metric('currency', '`turnover / span`.', ({ earned, days }) =>
    ratio(money(earned.turnover), days, 'no_time'),
  ),
  turnover_ratio: metric('ratio', '`turnover` divided by the time-weighted mean of equity.', (input) =>
    ratio(money(input.earned.turnover), meanOfLevel(input, 'equity'), 'no_time'),
  ),
  return_over_turnover: metric('basis points', '`profit_total / turnover`.', ({ earned }) =>
    mapFigure(ratio(Number(earned.total), Number(earned.turnover), 'no_fill'), toBps),
  ),
  fee_rate: metric('basis points', '`(maker_fees + taker_fees) / turnover`.', ({ earned }) => {
    const fees = Number(earned.makerFees + earned.takerFees)
    return mapFigure(ratio(fees, Number(earned.turnover), 'no_fill'), toBps)
  }),
  trades_closed: metric('count', 'Positions that were closed or reversed.', ({ wallet }) =>
    wallet === null ? 0 : wallet.trades.closed,
  ),
  win_rate_trades: metric('part', 'Share of gains among the closed positions with a gain or a loss.', (input) =>
    ofTrades(input, ({ wins, losses }) => ratio(wins, wins + losses, 'no_closed_trade')),
  ),
  profit_factor: metric('ratio', 'Sum of the gains of closed positions divided by the sum of their losses.', (input) =>
    ofTrades(input, ({ gains, lost }) => ratio(Number(gains), Number(lost), 'no_loss')),
  ),
  payoff_ratio: metric('ratio', 'Mean gain divided by mean loss of closed positions.', payoffOf),
  expectancy: metric('currency', 'Mean profit of closed positions.', (input) =>
    ofTrades(input, ({ mean }) => checked(mean)),
  ),
  kelly: metric('part', '`p - (1 - p) / payoff_ratio`, where p is `win_rate_trades`; for information only.', (input) =>
    ofTrades(input, ({ wins, losses }) => {
      const share = ratio(wins, wins + losses, 'no_closed_trade')
      const payoff = payoffOf(input)
      if (typeof share !== 'number') return share
      return mapFigure(ratio(1 - share, payoff, 'no_gain'), (value) => share - value)
    }),
  ),
  sqn: metric('ratio', '`sqrt(N) mean / sd` of the profits of N closed positions.', (input) =>
    ofTrades(input, ({ closed, mean, m2 }) =>
      closed < 2 ? 'no_closed_trade' : ratio(Math.sqrt(closed) * mean, Math.sqrt(m2 / (closed - 1)), 'no_variance'),
    ),
  ),
  exposure: metric('part', 'Share of the time since the first deposit during which a position was held.', (input) =>
    ofWallet(input, ({ heldTime, time }) => ratio(heldTime, time, 'no_time')),
  ),
  notional_max: metric('currency', 'Largest sum of the notionals of all positions.', (input) =>
    ofWallet(input, ({ notionalMax }) => checked(notionalMax)),
  ),
  notional_mean: metric('currency', 'Time-weighted mean of the sum of notionals.', (input) =>
    meanOfLevel(input, 'notional'),
  ),
  notional_median: metric('currency', 'Time-weighted median of the sum of notionals, within 0.2 %.', (input) =>
    ofWallet(input, ({ notionals }) => quantileOf(notionals, 0.5) ?? 'no_time'),
  ),
  leverage_max: metric('ratio', 'Largest sum of notionals divided by equity.', (input) =>
    ofWallet(input, ({ leverageMax }) => checked(leverageMax)),
  ),
  leverage_mean: metric('ratio', 'Time-weighted mean of the sum of notionals divided by equity.', (input) =>
    meanOfLevel(input, 'leverage'),
  ),
  initial_margin_use_max: metric('part', 'Largest initial margin divided by margin balance.', (input) =>
    ofWallet(input, ({ initialUseMax }) => checked(initialUseMax)),
  ),
  maintenance_margin_use_max: metric(
    'part',
    'Largest maintenance margin divided by margin balance; liquidation begins at 1.',
    (input) => ofWallet(input, ({ maintenanceUseMax }) => checked(maintenanceUseMax)),
  ),
  margin_headroom_min: metric('part', '`1 - maintenance_margin_use_max`.', (input) =>
    ofWallet(input, ({ maintenanceUseMax }) => checked(1 - maintenanceUseMax)),
  ),
  margin_strain: metric(
    'part',
    `Share of the time since the first deposit during which the maintenance margin exceeded ${STRAIN * 100} % of the margin balance.`,
    (input) => ofWallet(input, ({ strainedTime, time }) => ratio(strainedTime, time, 'no_time')),
  ),
  liquidation_distance_min: metric(
    'part',
    'Smallest distance between the mark price of a future and the mark price at which liquidation would begin, as a fraction of the mark price.',
    (input) => ofWallet(input, ({ distanceMin }) => (distanceMin < 0 ? 'no_liquidation_price' : checked(distanceMin))),
  ),
  liquidation_price_nearest: metric(
    'price',
    'Mark price at which liquidation would begin, at the smallest distance.',
    (input) =>
      ofWallet(input, ({ distanceMin, distancePrice }) =>
        distanceMin < 0 ? 'no_liquidation_price' : scaledToNumber(BigInt(distancePrice), 9),
      ),
  ),
  liquidations: metric('count', 'Liquidations of the account.', ({ wallet }) => wallet?.liquidations ?? 0),
  adl_transfers: metric(
    'count',
    'Positions that auto-deleveraging transferred to or from the account.',
    ({ wallet }) => wallet?.deleveraged ?? 0,
  ),
  adl_notional: metric('currency', 'Notional of the positions that auto-deleveraging transferred.', ({ wallet }) =>
    checked(wallet?.deleveragedNotional ?? 0),
  ),
  funding_paid: metric('currency', 'Funding paid: sum of the negative rows of the table `funding`.', ({ wallet }) =>
    money(wallet?.fundingPaid ?? 0),
  ),
  funding_received: metric(
    'currency',
    'Funding received: sum of the positive rows of the table `funding`.',
    ({ wallet }) => money(wallet?.fundingReceived ?? 0),
  ),
  funding_rate_mean: metric(
    'part',
    'Mean 8-hour funding rate of the perpetuals held, weighted by time and notional; if positive, longs pay.',
    (input) => fundingRateOf(input),
  ),
  funding_rate_annual: metric('part', '`funding_rate_mean` times 3 x 365.', (input) => {
    const rate = fundingRateOf(input)
    if (typeof rate === 'number' && !input.isAnnual) return 'too_short'
    return mapFigure(rate, (value) => value * FUNDINGS_PER_YEAR)
  }),
  ...markoutMetrics('maker'),
  ...markoutMetrics('taker'),
  shortfall: metric(
    'basis points',
    'Mean of `side (price - mid) / mid`, weighted by notional; mid is the mid price at the arrival of the request that placed the order or quote.',
    (input) => ofFills(input, ({ shortfallSum, shortfallWeight }) => ratio(shortfallSum, shortfallWeight, 'no_mid')),
  ),
  stop_slippage: metric(
    'basis points',
    'Mean of `side (price - trigger) / trigger` of triggered orders, weighted by notional.',
    (input) => ofFills(input, ({ slippageSum, slippageWeight }) => ratio(slippageSum, slippageWeight, 'no_trigger')),
  ),
  time_to_fill_p50: metric('seconds', 'Median time from placing an order to a maker fill, within 0.2 %.', (input) =>
    timeToFill(input, 'timesToFill', 0.5),
  ),
  time_to_fill_p90: metric(
    'seconds',
    '90th percentile of the time from placing an order to a maker fill, within 0.2 %.',
    (input) => timeToFill(input, 'timesToFill', 0.9),
  ),
  time_to_fill_p99: metric(
    'seconds',
    '99th percentile of the time from placing an order to a maker fill, within 0.2 %.',
    (input) => timeToFill(input, 'timesToFill', 0.99),
  ),
  time_to_take_p50: metric(
    'seconds',
    'Median time from placing an order to a taker fill, including speed bumps, within 0.2 %.',
    (input) => timeToFill(input, 'timesToTake', 0.5),
  ),
  time_to_take_p99: metric(
    'seconds',
    '99th percentile of the time from placing an order to a taker fill, within 0.2 %.',
    (input) => timeToFill(input, 'timesToTake', 0.99),
  ),
  delta_mean: metric(
    'coin',
    'Time-weighted mean of delta: futures count their size in coin, options their net delta.',
    (input) => meanOfLevel(input, 'delta'),
  ),
  gamma_mean: metric('coin', 'Time-weighted mean of the gamma of options, per move of 1 USD.', (input) =>
    meanOfLevel(input, 'gamma'),
  ),
  vega_mean: metric('USD', 'Time-weighted mean of the vega of options, per point of volatility.', (input) =>
    meanOfLevel(input, 'vega'),
  ),
  theta_mean: metric('USD', 'Time-weighted mean of the theta of options, per day.', (input) =>
    meanOfLevel(input, 'theta'),
  ),
  ...attributionMetrics(),
}

function markoutMetrics(role: 'maker' | 'taker'): MetricDeclarations<TradingInput> {
  return Object.fromEntries(
    markoutHorizons.map((horizon, at) => {
      const seconds = horizon / MICROS_PER_SECOND
      const sentence = `Mean of \`side (mid - price) / price\` of ${role} fills, weighted by notional; mid is the mid price ${seconds} s after the fill.`
      const of = ({ wallet, earned }: TradingInput): Figure => {
        const fills = role === 'maker' ? earned.makerFills : earned.fills - earned.makerFills
        return wallet === null || fills === 0 ? 'no_fill' : markoutOf(wallet[role], at)
      }
      return [`markout_${role}_${seconds}s`, metric('basis points', sentence, of)]
    }),
  )
}

function attributionMetrics(): MetricDeclarations<TradingInput> {
  return Object.fromEntries(
    Object.entries(attributed).map(([part, sentence]) => {
      const of = (input: TradingInput): Figure =>
        ofWallet(input, ({ attribution }) => checked(attribution[part as keyof Attribution]))
      return [`attribution_${part}`, metric('currency', sentence, of)]
    }),
  )
}

function markoutOf({ weights, sums }: MarkoutTally, at: number): Figure {
  return ratio(sums[at] ?? 0, weights[at] ?? 0, 'no_mid')
}

function ofWallet({ wallet }: TradingInput, of: (wallet: WalletState) => Figure): Figure {
  return wallet === null || !wallet.isExposed ? 'no_position' : of(wallet)
}

function ofFills({ wallet, earned }: TradingInput, of: (wallet: WalletState) => Figure): Figure {
  return wallet === null || earned.fills === 0 ? 'no_fill' : of(wallet)
}

function ofTrades(input: TradingInput, of: (trades: WalletState['trades']) => Figure): Figure {
  return input.wallet === null || input.wallet.trades.closed === 0 ? 'no_closed_trade' : of(input.wallet.trades)
}

function payoffOf(input: TradingInput): Figure {
  return ofTrades(input, ({ wins, losses, gains, lost }) =>
    ratio(ratio(Number(gains) / 1e9, wins, 'no_gain'), ratio(Number(lost) / 1e9, losses, 'no_loss'), 'no_loss'),
  )
}

function meanOfLevel(input: TradingInput, level: keyof Levels): Figure {
  return ofWallet(input, ({ sums, time }) => ratio(sums[level], time, 'no_time'))
}

function fundingRateOf(input: TradingInput): Figure {
  return ofWallet(input, ({ sums }) => ratio(sums.rated, sums.funded, 'no_funding'))
}

function timeToFill({ wallet }: TradingInput, role: 'timesToFill' | 'timesToTake', share: number): Figure {
  if (wallet === null) return 'no_fill'
  return mapFigure(quantileOf(wallet[role], share) ?? 'no_fill', (micros) => micros / MICROS_PER_SECOND)
}

function money(nano: Nano): number {
  return scaledToNumber(nano, 9)
}

function toBps(part: number): number {
  return part * BPS
}
