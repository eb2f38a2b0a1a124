/**
 * A market with recorded liquidity for tests. Messages are rows of words, and numbers are whole ticks and lots of the
 * instrument.
 */
import { instrumentId, type Lots, lots, micros, type OrderId, sequence, type Ticks } from '../../src/core/index.ts'
import {
  apply,
  applyMarketMessage,
  audit,
  createExchange,
  type Exchange,
  findAccount,
  type MessageFinding,
  totalCash,
} from '../../src/engine/index.ts'
import {
  type Command,
  type CommandOf,
  defaultConfig,
  type Event,
  type ExchangeConfig,
  type FeedPolicy,
  type MarketKind,
  type MarketMessage,
  numberOfId,
  rowSide,
  specFromName,
  type Trade,
} from '../../src/model/index.ts'

/** A row of a message: side, price in ticks, lots; rows are numbered automatically. */
export type WrittenRow = readonly [side: keyof typeof rowSide, price: number, lots: number]

/** The main fields of a fill of an account that is not a house account. */
export interface ShortFill {
  readonly account: string
  /** Number of the order, from 1. */
  readonly order: number
  readonly lots: number
  readonly price: number
  readonly rule: string
  readonly before: number
  readonly after: number
  readonly row: number
}

const start = micros(1_770_000_000_000_000)

/**
 * An exchange with one instrument whose liquidity is recorded. The tick is 0.5, the lot 10 USD. The price
 * index starts at `index` ticks, or unknown.
 */
export class ReplayMarket {
  readonly exchange: Exchange
  readonly events: Event[] = []
  /** All inputs of the exchange, in order. */
  readonly inputs: (Command | MarketMessage)[] = []
  readonly instrument = instrumentId(0)
  private rows = 0
  private sequence = 0
  private time = start + 0

  constructor(
    config: Partial<ExchangeConfig> = {},
    accounts: readonly string[] = ['own', 'other'],
    index: number | null = 100_000,
  ) {
    const sink = { emit: (event: Event): void => void this.events.push(event) }
    this.exchange = createExchange({ ...defaultConfig(start), priceBands: false, ...config }, sink)
    const named = specFromName('BTC-PERPETUAL', { creation: start })
    if (!named.ok) throw new Error(named.error)
    this.send({ kind: 'list_instrument', spec: named.value, queue: 'risk_averse' })
    if (index !== null) this.setIndex(index)
    for (const name of accounts) {
      this.send({
        kind: 'open_account',
        name,
        marginModel: 'segregated_sm',
        main: null,
        feePpm: 1_000_000,
      })
      const target = this.account(name)
      this.send({ kind: 'deposit', target, currency: 'BTC', amount: 1_000_000_000_000n as never })
    }
  }

  account(name: string): ReturnType<typeof instrumentId> & never {
    const found = findAccount(this.exchange, name)
    if (found === undefined) throw new Error(`no account ${name}`)
    return found.id as never
  }

  /** Moves the time before the next message. */
  wait(micros: number): void {
    this.time += micros
  }

  /** Applies a message and checks the whole state after it. */
  report(
    kind: MarketKind,
    rows: readonly WrittenRow[],
    options: {
      readonly snapshot?: boolean
      readonly uncross?: boolean
      readonly offBook?: FeedPolicy
    } = {},
  ): MessageFinding {
    this.time += 1_000
    const message: MarketMessage = {
      kind,
      time: micros(this.time),
      instrument: this.instrument,
      feed: kind === 'trades' ? 1 : 0,
      snapshot: options.snapshot ?? false,
      uncross: options.uncross ?? false,
      ...(options.offBook === undefined ? {} : { offBook: options.offBook }),
      rows: {
        side: Uint8Array.from(rows, ([side]) => rowSide[side]),
        price: Float64Array.from(rows, ([, price]) => price),
        amount: Float64Array.from(rows, ([, , lots]) => lots),
        row: Float64Array.from(rows, () => {
          this.rows += 1
          return this.rows
        }),
      },
      from: 0,
      to: rows.length,
    }
    this.inputs.push(message)
    const sink = { emit: (event: Event): void => void this.events.push(event) }
    const finding = applyMarketMessage(this.exchange, message, sink)
    audit(this.exchange)
    return finding
  }

  /** Sends a limit order and returns its id, or undefined if it was refused. */
  order(
    account: string,
    order: { readonly side: 'buy' | 'sell'; readonly price: number; readonly lots: number },
    more: Partial<CommandOf<'place_order'>> = {},
  ): OrderId | undefined {
    const from = this.events.length
    this.send(
      {
        kind: 'place_order',
        instrument: this.instrument,
        side: order.side,
        type: 'limit',
        timeInForce: 'good_til_cancelled',
        price: order.price as Ticks,
        amount: order.lots as Lots,
        label: '',
        postOnly: 'off',
        reduceOnly: false,
        trigger: null,
        advanced: null,
        display: lots(0),
        linked: null,
        extras: null,
        validUntil: null,
        ...more,
      },
      account,
    )
    const opened = this.events.slice(from).find((event) => event.kind === 'order' && event.change === 'opened')
    return opened?.kind === 'order' && opened?.change === 'opened' ? opened.order : undefined
  }

  cancel(account: string, order: OrderId): void {
    this.send({ kind: 'cancel_order', order }, account)
  }

  edit(
    account: string,
    order: OrderId,
    to: { readonly price: number; readonly lots: number },
    more: Partial<CommandOf<'edit_order'>> = {},
  ): void {
    const body = {
      ...{ kind: 'edit_order', order, price: to.price, amount: to.lots },
      ...{ postOnly: null, reduceOnly: null, display: null, mmp: null, validUntil: null },
      ...{ triggerPrice: null, triggerOffset: null, advanced: null },
      ...more,
    }
    this.send(body, account)
  }

  /** Sets the price index of the instrument, in ticks. */
  setIndex(price: number): void {
    this.send({ kind: 'set_index', index: 'btc_usd', price: price * 500_000_000 })
  }

  /** The price index follows the recorded mid from now on. */
  followMid(): void {
    this.send({ kind: 'follow_mid', index: 'btc_usd', instrument: this.instrument })
  }

  /** Fills since the last call, without those of the account `market`. */
  fills(): ShortFill[] {
    const fresh = this.events.slice(this.seen).filter((event): event is Trade => event.kind === 'trade')
    this.seen = this.events.length
    const names = this.exchange.accounts.map(({ account }) => account)
    return fresh.flatMap((trade) =>
      [trade.maker, trade.taker]
        .filter((fill) => names[fill.account]?.house === false)
        .map((fill) => ({
          account: names[fill.account]?.name ?? '',
          order: numberOfId(fill.order),
          lots: trade.amount,
          price: trade.price / 500_000_000,
          rule: fill.rule,
          before: fill.aheadBefore,
          after: fill.aheadAfter,
          row: fill.source?.row ?? 0,
        })),
    )
  }

  private seen = 0

  /** Cash of the currency over all accounts. */
  cash(): bigint {
    return totalCash(this.exchange, 0)
  }

  private send(body: object, account?: string): void {
    this.sequence += 1
    this.time += 1_000
    const header = {
      time: micros(this.time),
      sequence: sequence(this.sequence),
      account: account === undefined ? -1 : this.account(account),
      session: 0,
      fault: null,
    }
    const sink = { emit: (event: Event): void => void this.events.push(event) }
    // The body is one of the commands, and the header was just added.
    const command = { ...header, ...body } as Command
    this.inputs.push(command)
    apply(this.exchange, command, sink)
    audit(this.exchange)
  }
}
