/**
 * Equity and margins of accounts of the naive exchange under the four margin models (market.md 5.3, 6), of each
 * currency or of all currencies in USD.
 */
import { type Currency, currencies, defaultPortfolioTerms } from '../../src/model/index.ts'
import { fineMargin, shortMargin } from './naive-margins.ts'
import { larger, profitAt, rdiv, smaller } from './naive-money.ts'
import { type CrossCount, pairRisk, type StressedHolding } from './naive-portfolio.ts'
import type { NaiveMarket } from './naive-state.ts'
import { NaiveWallets } from './naive-wallets.ts'

const NANO = 1_000_000_000n
const ATTO = NANO * NANO
const MINUTE = 60_000_000
const dollars: readonly string[] = ['USDC', 'USDT', 'USYC', 'USDE']

/** A currency of an account, in nano. */
export interface NaiveWallet {
  readonly balance: bigint
  /** The amount that margins are compared with. */
  readonly marginBalance: bigint
  readonly equity: bigint
  readonly optionsValue: bigint
  /** Open buy orders of options reserve their price; part of `initial`. */
  readonly additionalReserve: bigint
  readonly initial: bigint
  readonly maintenance: bigint
  readonly spotReserve: bigint
  readonly available: bigint
}

/** Margins of a pool, which is liquidated as a whole, in nano of its currency or in 1e-9 USD. */
export interface NaivePoolMargins {
  readonly equity: bigint
  readonly marginBalance: bigint
  readonly initial: bigint
  readonly maintenance: bigint
  readonly spotReserve: bigint
}

/** Holdings of an account in a currency, before any margin. */
interface Held {
  readonly balance: bigint
  readonly equity: bigint
  readonly optionsValue: bigint
  readonly additionalReserve: bigint
  readonly spotReserve: bigint
}

/** A pair of an account: an index and the currency that its instruments settle in. */
interface Pair {
  readonly priceIndex: string
  readonly currency: Currency
  readonly isCoin: boolean
}

/** Adds margins. */
export class NaivePools extends NaiveWallets {
  private known: Map<number, NaivePoolMargins> | null = null

  /** Funds that a spot order may spend: at most the currency's cash and profit, even if other currencies have more. */
  spendable(account: number, currency: Currency): bigint {
    const { available, equity, optionsValue, spotReserve } = this.wallet(account, currency)
    const held = equity - optionsValue - spotReserve
    return this.isPlain(account) ? available : smaller(available, held)
  }

  /** True if an account has segregated standard margin. */
  private isPlain(account: number): boolean {
    return !this.isPortfolio(account) && !this.isCross(account)
  }

  wallet(account: number, currency: Currency): NaiveWallet {
    const held = this.held(account, currency)
    if (!this.isCross(account)) {
      const { marginBalance, initial, maintenance } = this.poolOf(account, currency)
      const available = marginBalance - initial - held.spotReserve
      return { ...held, marginBalance, initial, maintenance, available }
    }
    const usd = this.poolOf(account, null)
    const index = this.usdIndex(currency)
    const own = (value: bigint): bigint => (index === 0n ? 0n : rdiv(value * NANO, index))
    const marginBalance = own(usd.marginBalance)
    const initial = own(usd.initial)
    const available = marginBalance - initial - own(usd.spotReserve)
    return { ...held, marginBalance, initial, maintenance: own(usd.maintenance), available }
  }

  /** Runs queries while nothing changes; the margins of each cross account are then computed only once. */
  unchanged(ask: () => void): void {
    this.known = new Map()
    ask()
    this.known = null
  }

  /** The margins of a currency of an account, or of all of it in USD. */
  poolOf(account: number, currency: Currency | null): NaivePoolMargins {
    if (currency === null) {
      const found = this.known?.get(account) ?? this.crossPool(account)
      this.known?.set(account, found)
      return found
    }
    const { equity, optionsValue, spotReserve } = this.held(account, currency)
    if (!this.isPortfolio(account)) {
      const markets = this.ofCurrency(currency)
      const sum = (of: (market: NaiveMarket) => bigint): bigint =>
        markets.reduce((total, market) => total + of(market), 0n)
      return {
        ...{ equity, spotReserve, marginBalance: equity - optionsValue },
        initial: sum((market) => this.initial(market, account)),
        maintenance: sum((market) => this.maintenance(market, account)),
      }
    }
    const margins = this.pairsOf(account)
      .filter((pair) => pair.currency === currency)
      .map((pair) => this.pairMargin(account, pair, null))
    return { equity, spotReserve, marginBalance: equity, ...summed(margins) }
  }

  isCross(account: number): boolean {
    return this.accounts[account]?.model.startsWith('cross') ?? false
  }

  private held(account: number, currency: Currency): Held {
    let equity = this.balance(account, currency)
    let optionsValue = 0n
    let additionalReserve = 0n
    for (const market of this.ofCurrency(currency)) {
      if (this.accounts[account]?.model === 'cross_sm') {
        additionalReserve += this.premiumReserve(account, market)
      }
      if (market.spec.detail.type === 'combo') continue
      if (market.spec.kind === 'option') optionsValue += this.valueOf(market, account)
      else equity += profitAt(market.spec, this.upToDate(market, account), market.mark)
    }
    const spotReserve = this.spotReserve(account, currency)
    const balance = this.balance(account, currency)
    return { balance, optionsValue, equity: equity + optionsValue, additionalReserve, spotReserve }
  }

  /** One unit of a currency in 1e-9 USD; a stablecoin without an index counts as 1 USD. */
  usdIndex(currency: Currency): bigint {
    const price = this.indices.get(`${currency.toLowerCase()}_usd`) ?? 0n
    return price === 0n && dollars.includes(currency) ? NANO : price
  }

  private crossPool(account: number): NaivePoolMargins {
    const isPortfolio = this.isPortfolio(account)
    const sums = { equity: 0n, marginBalance: 0n, initial: 0n, maintenance: 0n, spotReserve: 0n }
    for (const currency of currencies) {
      const { equity, optionsValue, spotReserve } = this.held(account, currency)
      const index = this.usdIndex(currency)
      const inUsd = (value: bigint): bigint => rdiv(value * index, NANO)
      sums.equity += inUsd(equity)
      sums.marginBalance += inUsd(isPortfolio ? equity : equity - optionsValue)
      sums.spotReserve += inUsd(spotReserve)
      if (!isPortfolio) {
        const fine = this.fineMargins(account, currency)
        sums.initial += rdiv(fine.initial * index, ATTO)
        sums.maintenance += rdiv(fine.maintenance * index, ATTO)
      }
      const haircut = BigInt(this.config.haircutsPpm[currency] ?? 0)
      if (equity > 0n) sums.initial += rdiv(equity * index * haircut, NANO * 1_000_000n)
    }
    if (!isPortfolio) return sums
    const pairs = this.pairsOf(account)
    const margins = pairs.map((pair) => this.pairMargin(account, pair, this.countOf(account, pair)))
    for (const currency of currencies) {
      const priceIndex = `${currency.toLowerCase()}_usd`
      const pair = { priceIndex, currency, isCoin: true }
      if (pairs.some((each) => isSame(each, pair))) continue
      const count = this.countOf(account, pair)
      if (count.equity !== 0n) margins.push(this.pairMargin(account, pair, count))
    }
    const { initial, maintenance } = summed(margins)
    return { ...sums, initial: sums.initial + initial, maintenance }
  }

  /** Standard maintenance margin of a single position, in 1e-18. */
  protected fineMaintenance(market: NaiveMarket, account: number): bigint {
    const { spec, mark } = market
    if (!this.isMargined(market, account)) return 0n
    const { size } = this.position(market, account)
    if (spec.kind !== 'option') {
      return fineMargin(spec, size, { mark, rate: 'maintenancePpm' })
    }
    const forward = this.forwardOf(market)
    if (forward === 0n || size >= 0n) return 0n
    const unit = shortMargin(spec, { forward, mark }, 'maintenance')
    return unit * -size * BigInt(spec.amountStep9)
  }

  /** Standard margins of a currency in 1e-18. */
  private fineMargins(account: number, currency: Currency): { readonly initial: bigint; readonly maintenance: bigint } {
    let initial = 0n
    let maintenance = 0n
    for (const market of this.ofCurrency(currency)) {
      initial += this.premiumReserve(account, market) * NANO
      if (!this.isMargined(market, account)) continue
      const { spec, mark } = market
      const sizes = this.sizesOf(market, account)
      const [size, , sold] = sizes
      if (spec.kind === 'option') {
        const forward = this.forwardOf(market)
        if (forward === 0n) continue
        const step = BigInt(spec.amountStep9)
        const need = (lots: bigint, which: 'initial' | 'maintenance'): bigint =>
          lots >= 0n ? 0n : shortMargin(spec, { forward, mark }, which) * -lots * step
        initial += need(smaller(size, sold), 'initial')
        maintenance += need(size, 'maintenance')
        continue
      }
      const at = { mark, rate: 'initialPpm' } as const
      initial += sizes.map((lots) => fineMargin(spec, lots, at)).reduce(larger)
      maintenance += fineMargin(spec, size, { mark, rate: 'maintenancePpm' })
    }
    return { initial, maintenance }
  }

  /** The inputs of a pair of a cross account; a coin belongs to its own index. */
  private countOf(account: number, { priceIndex, currency }: Pair): CrossCount {
    const usd = this.usdIndex(currency)
    const isOwn = priceIndex === `${currency.toLowerCase()}_usd`
    const isMoving = !dollars.includes(currency) && currency !== 'EURR'
    const counts = isOwn && isMoving && usd !== 0n
    return { usd, equity: counts ? this.held(account, currency).equity : 0n }
  }

  /** Pairs in which an account has positions or open orders. */
  private pairsOf(account: number): readonly Pair[] {
    const pairs: Pair[] = []
    for (const market of this.markets) {
      const { spec } = market
      if (!this.isMargined(market, account)) continue
      if (this.sizesOf(market, account).every((size) => size === 0n)) continue
      const pair = {
        priceIndex: spec.priceIndex,
        currency: spec.settlementCurrency,
        isCoin: spec.settlementCurrency === spec.baseCurrency,
      }
      if (!pairs.some((each) => isSame(each, pair))) pairs.push(pair)
    }
    return pairs
  }

  /** The worst of the position, the position with all buys, and the position with all sells; and 0.8 of the first. */
  private pairMargin(
    account: number,
    { priceIndex, currency, isCoin }: Pair,
    cross: CrossCount | null,
  ): { readonly initial: bigint; readonly maintenance: bigint } {
    const terms = this.config.portfolioTerms[priceIndex] ?? defaultPortfolioTerms(priceIndex)
    const index = this.indices.get(priceIndex) ?? 0n
    const markets = this.ofCurrency(currency).filter(
      (market) => market.spec.priceIndex === priceIndex && this.isMargined(market, account) && !market.delivered,
    )
    const risks = ([0, 1, 2] as const).map((which) => {
      const holdings = markets.flatMap((market) => this.stressed(market, account, which))
      return pairRisk({ terms, index, isCoin, holdings, cross })
    })
    const own = risks[0] ?? 0n
    return {
      initial: rdiv(risks.reduce(larger), NANO),
      maintenance: rdiv(own * 4n, 5n * NANO),
    }
  }

  private stressed(market: NaiveMarket, account: number, which: 0 | 1 | 2): readonly StressedHolding[] {
    const { spec, mark } = market
    const amount = this.sizesOf(market, account)[which] * BigInt(spec.amountStep9)
    const forward = this.forwardOf(market)
    if (amount === 0n || (spec.kind === 'option' && forward === 0n)) return []
    const minute = Math.min(this.now - (this.now % MINUTE), spec.expiration)
    const isPerpetual = spec.detail.type === 'perpetual'
    return [
      {
        ...{ spec, amount, mark, forward: Number(forward) / 1e9 },
        volatility: Number(market.volatility) / 1e9,
        years: isPerpetual ? null : (spec.expiration - minute) / (365 * 86_400_000_000),
      },
    ]
  }
}

function isSame(one: Pair, other: Pair): boolean {
  return one.priceIndex === other.priceIndex && one.currency === other.currency
}

function summed(margins: readonly { readonly initial: bigint; readonly maintenance: bigint }[]): {
  readonly initial: bigint
  readonly maintenance: bigint
} {
  let initial = 0n
  let maintenance = 0n
  for (const margin of margins) {
    initial += margin.initial
    maintenance += margin.maintenance
  }
  return { initial, maintenance }
}
