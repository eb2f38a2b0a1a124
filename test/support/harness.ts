/**
 * A small exchange for tests, driven with words: decimal texts, names of accounts and instruments. Every command is
 * applied under the laws of `laws.ts`.
 *
 * The clock starts at 2026-01-05T09:00Z and moves only by `wait`. Marks follow the index unless a test asks for the
 * venue's. Liquidations and speed bumps are off unless a test turns them on.
 */

import {
  formatScaled,
  formatScaledNumber,
  type Lots,
  lots,
  type Micros,
  micros,
  type OrderId,
  type Price9,
  parseScaled,
  price9,
  randomStream,
  sequence,
  type Ticks,
  amount as toAmount,
} from '../../src/core/index.ts'
import {
  createExchange,
  type Exchange,
  findAccount,
  findInstrument,
  type OrderView,
  openOrders,
  type PositionView,
  viewDepth,
  viewPosition,
  viewWallet,
  type WalletView,
} from '../../src/engine/index.ts'
import { type HoldingState, readHolding } from '../../src/ledger/index.ts'
import {
  amountTextOfLots,
  anyOrder,
  type Command,
  type CommandHeader,
  type Currency,
  defaultConfig,
  type Event,
  type EventOf,
  type ExchangeConfig,
  type Fault,
  type Instrument,
  type InstrumentSpec,
  type InstrumentState,
  isTriggerType,
  lotsOfAmountText,
  type MarginModel,
  NO_ACCOUNT,
  type OrderChanged,
  type OrderFilter,
  type OrderTerms,
  overrideSpec,
  type Refusal,
  type SelfMatchMode,
  type Side,
  type SpecOverrides,
  specFromName,
  ticksOfPrice9,
} from '../../src/model/index.ts'
import { type EventWord, wordOf } from './event-words.ts'
import { applyLawfully, Laws } from './laws.ts'
import type { EditWords, OrderWords } from './market-words.ts'
import { commitSeed } from './property-runs.ts'

/** 2026-01-05T09:00:00Z, one hour after a settlement. */
export const start: Micros = micros(1_767_603_600_000_000)

/** The initial set-up of a market. An order without an instrument goes to the first one. */
export interface Setup {
  readonly instruments: Readonly<Record<string, SpecOverrides>>
  /** Tick sizes from a price upward, by the name of an instrument. Overrides cannot express them. */
  readonly tickSteps?: Readonly<Record<string, InstrumentSpec['tickSteps']>>
  /** Accounts with their deposits, such as `{ alice: { BTC: '10' } }`. */
  readonly accounts: Readonly<Record<string, Readonly<Partial<Record<Currency, string>>>>>
  /** Margin models of accounts that do not use segregated standard margin. */
  readonly models?: Readonly<Record<string, MarginModel>>
  readonly index: Readonly<Record<string, string>>
  readonly config?: Partial<ExchangeConfig>
  /** False for a test that reads holdings directly; views would update them first. */
  readonly skipsAll?: boolean
}

/**
 * True for half of all set-ups, and for different ones after each commit. Their exchanges skip every revaluation that
 * no threshold needs, even with few holdings. That changes no result.
 */
function skipsAll(setup: Setup): boolean {
  if (setup.skipsAll !== undefined) return setup.skipsAll
  const text = JSON.stringify(setup, (_, value) => (typeof value === 'bigint' ? `${value}` : value))
  return randomStream(`${commitSeed} ${text}`, 'skips').chance(1, 2)
}

/** The outcome of a request. */
export interface Outcome {
  readonly events: readonly Event[]
  readonly trades: readonly EventOf<'trade'>[]
  readonly refusal: Refusal | null
  readonly count: number
  /** The last event of the order that was placed, edited or cancelled. */
  readonly order: OrderChanged | undefined
}

type Body<C> = C extends Command ? Omit<C, keyof CommandHeader> : never

/** A market in which a test acts for every account. */
export class Market {
  readonly exchange: Exchange
  readonly events: Event[] = []
  /** All commands so far, in order. */
  readonly commands: Command[] = []
  private readonly laws = new Laws()
  private readonly main: string
  private now: Micros = start
  private sequence = 0
  /** The session of the requests; 0 for none. */
  session = 0

  constructor(setup: Setup) {
    const usual = defaultConfig(start)
    const liquidation = { ...usual.liquidation, enabled: false }
    const marks = 'index' as const
    const config = { ...usual, marks, liquidation, speedBumps: false, ...setup.config }
    this.exchange = createExchange(config, this.laws)
    if (skipsAll(setup)) this.exchange.skipFrom = -1
    this.main = Object.keys(setup.instruments)[0] ?? ''
    for (const [name, overrides] of Object.entries(setup.instruments)) {
      const tickSteps = setup.tickSteps?.[name]
      this.list(name, overrides, tickSteps === undefined ? {} : { tickSteps })
    }
    for (const [name, price] of Object.entries(setup.index)) this.index(name, price)
    for (const [name, deposits] of Object.entries(setup.accounts)) {
      this.openAccount(name, null, setup.models?.[name])
      for (const [currency, text] of Object.entries(deposits)) {
        this.deposit(name, currency as Currency, text)
      }
    }
  }

  /** Opens an account, or a subaccount of another. */
  openAccount(name: string, main: string | null = null, marginModel: MarginModel = 'segregated_sm'): Outcome {
    return this.send({
      kind: 'open_account',
      name,
      marginModel,
      main: main === null ? null : this.account(main),
      feePpm: 1_000_000,
    })
  }

  selfTrading(account: string, mode: SelfMatchMode, extended = false): Outcome {
    return this.send({ kind: 'set_self_trading', mode, extended }, account)
  }

  bookState(state: InstrumentState, instrument = this.main): Outcome {
    const { id } = this.instrument(instrument)
    return this.send({ kind: 'set_instrument_state', instrument: id, state })
  }

  /** Moves the clock; timers that fall due fire. */
  wait(micro: number): Outcome {
    this.now = micros(this.now + micro)
    return this.send({ kind: 'advance_time', to: this.now })
  }

  buy(account: string, words: OrderWords): Outcome {
    return this.place(account, 'buy', words)
  }

  sell(account: string, words: OrderWords): Outcome {
    return this.place(account, 'sell', words)
  }

  /** Sends requests over a session. */
  over(session: number, ask: () => Outcome): Outcome {
    this.session = session
    const outcome = ask()
    this.session = 0
    return outcome
  }

  edit(account: string, order: OrderId, words: EditWords): Outcome {
    const of = this.events.findLast((event) => 'order' in event && event.order === order)
    const instrument = of !== undefined && 'instrument' in of ? of.instrument : 0
    const spec = this.exchange.instruments[instrument as number]?.instrument
    return this.send(
      {
        kind: 'edit_order',
        order,
        amount: words.amount === undefined ? null : this.lots(words.amount, spec?.name),
        price: words.price === undefined ? null : this.ticks(words.price, spec?.name),
        advanced: words.advanced ?? null,
        postOnly: words.postOnly ?? null,
        reduceOnly: words.reduceOnly ?? null,
        display: words.display === undefined ? null : this.lots(words.display, spec?.name),
        triggerPrice: words.triggerPrice === undefined ? null : this.ticks(words.triggerPrice, spec?.name),
        triggerOffset: words.triggerOffset === undefined ? null : this.ticks(words.triggerOffset, spec?.name),
        mmp: words.mmp ?? null,
        validUntil: words.validUntil ?? null,
      },
      account,
      words.fault,
    )
  }

  cancel(account: string, order: OrderId, fault?: Fault): Outcome {
    return this.send({ kind: 'cancel_order', order }, account, fault)
  }

  cancelAll(account: string, filter: Partial<OrderFilter> = {}): Outcome {
    return this.send({ kind: 'cancel_orders', filter: { ...anyOrder, ...filter }, freezesQuotes: false }, account)
  }

  deposit(account: string, currency: Currency, text: string): Outcome {
    const target = this.account(account)
    return this.send({ kind: 'deposit', target, currency, amount: toAmount(nano(text)) })
  }

  give(account: string, size: string, price: string, instrument = this.main): Outcome {
    return this.send({
      kind: 'give_position',
      target: this.account(account),
      instrument: this.instrument(instrument).id,
      size: this.lots(size, instrument),
      price: priceOf(price),
    })
  }

  index(name: string, price: string): Outcome {
    return this.send({ kind: 'set_index', index: name, price: priceOf(price) })
  }

  mark(price: string | null, instrument = this.main): Outcome {
    return this.send({
      kind: 'set_mark',
      instrument: this.instrument(instrument).id,
      price: price === null ? null : priceOf(price),
    })
  }

  list(
    name: string,
    overrides: SpecOverrides = {},
    {
      tickSteps,
      queue = null,
    }: {
      readonly tickSteps?: InstrumentSpec['tickSteps']
      readonly queue?: 'risk_averse' | null
    } = {},
  ): Outcome {
    const named = specFromName(name, { creation: start })
    if (!named.ok) throw new Error(named.error)
    const made = overrideSpec(named.value, overrides)
    if (!made.ok) throw new Error(JSON.stringify(made.error))
    const spec = { ...made.value, tickSteps: tickSteps ?? made.value.tickSteps }
    return this.send({ kind: 'list_instrument', spec, queue })
  }

  position(account: string, instrument = this.main): PositionView {
    return viewPosition(this.exchange, this.account(account), this.instrument(instrument).id)
  }

  /** A position as the ledger stores it: bases in 1e-18 coin (inverse) or 1e-9 quote (linear). */
  holding(account: string, instrument = this.main): HoldingState {
    const { exchange } = this
    const row = exchange.holdings.findIndex(
      (owner) => owner.account === this.account(account) && owner.row.instrument.id === this.instrument(instrument).id,
    )
    return readHolding(exchange.ledger, row)
  }

  wallet(account: string, currency: Currency): WalletView {
    return viewWallet(this.exchange, this.account(account), currency)
  }

  openOrders(account: string): readonly OrderView[] {
    return openOrders(this.exchange, this.account(account), anyOrder)
  }

  /** Levels of a side as [price, amount], best first. */
  depth(side: Side, instrument = this.main): readonly (readonly [string, string])[] {
    const { id } = this.instrument(instrument)
    return viewDepth(this.exchange, id, side, 100).map((level) => [
      priceText(level.price),
      amountTextOfLots(this.instrument(instrument), level.amount),
    ])
  }

  account(name: string): OrderView['account'] {
    const found = findAccount(this.exchange, name)
    if (found === undefined) throw new Error(`no account ${name}`)
    return found.id
  }

  instrument(name = this.main): Instrument {
    const found = findInstrument(this.exchange, name)
    if (found === undefined) throw new Error(`no instrument ${name}`)
    return found
  }

  /** Applies any command; the header is filled in. */
  send(body: Body<Command>, account?: string, fault?: Fault): Outcome {
    this.sequence += 1
    const header: CommandHeader = {
      time: this.now,
      sequence: sequence(this.sequence),
      account: account === undefined ? NO_ACCOUNT : this.account(account),
      session: this.session,
      fault: fault ?? null,
    }
    const command = { ...header, ...body }
    this.commands.push(command)
    const events = applyLawfully(this.exchange, command, this.laws)
    this.events.push(...events)
    return outcomeOf(events)
  }

  private place(account: string, side: Side, words: OrderWords): Outcome {
    const instrument = words.instrument ?? this.main
    const { linked } = words
    return this.send(
      {
        kind: 'place_order',
        instrument: this.instrument(instrument).id,
        ...this.terms(side, words, instrument),
        display: words.display === undefined ? lots(0) : this.lots(words.display, instrument),
        linked:
          linked === undefined
            ? null
            : {
                type: linked.type,
                condition: linked.condition ?? 'first_hit',
                secondaries: linked.secondaries.map((entry) => this.terms(entry.side, entry, instrument)),
              },
        validUntil: words.validUntil ?? null,
        extras: words.extras ?? null,
      },
      account,
      words.fault,
    )
  }

  private terms(side: Side, words: OrderWords, instrument: string): OrderTerms {
    const type = words.type ?? 'limit'
    const { price, offset, source = 'last_price' } = words.trigger ?? {}
    return {
      side,
      type,
      timeInForce: words.timeInForce ?? 'good_til_cancelled',
      price: words.price === undefined ? null : this.ticks(words.price, instrument),
      amount: this.lots(words.amount, instrument),
      label: words.label ?? '',
      postOnly: words.postOnly ?? 'off',
      reduceOnly: words.reduceOnly ?? false,
      advanced: words.advanced ?? null,
      trigger: isTriggerType(type)
        ? {
            source,
            price: price === undefined ? null : this.ticks(price, instrument),
            offset: offset === undefined ? null : this.ticks(offset, instrument),
          }
        : null,
    }
  }

  /** A size of an instrument. */
  lots(text: string, instrument = this.main): Lots {
    const size = lotsOfAmountText(this.instrument(instrument), text)
    if (!size.ok) throw new Error(`${text} is no size of ${instrument}`)
    return lots(size.value)
  }

  /** A price of an instrument. */
  ticks(text: string, instrument = this.main): Ticks {
    const found = ticksOfPrice9(this.instrument(instrument), priceOf(text))
    if (found === undefined) throw new Error(`${text} is no price of ${instrument}`)
    return found
  }
}

/** A market from its setup. */
export function market(setup: Setup): Market {
  return new Market(setup)
}

/** The id of the order that a request placed, edited or cancelled; throws for a refused request. */
export function idOf(outcome: Outcome): OrderId {
  if (outcome.order === undefined) throw new Error(`refused: ${JSON.stringify(outcome.refusal)}`)
  return outcome.order.order
}

/** Names of the events of a request, in order. */
export function kindsOf(outcome: Outcome): readonly EventWord[] {
  return outcome.events.map(wordOf)
}

/** A decimal as a price. */
export function priceOf(text: string): Price9 {
  return price9(Number(nano(text)))
}

/** A price as a decimal. */
export function priceText(price: Price9): string {
  return formatScaledNumber(price, 9)
}

/** Money as a decimal. */
export function money(value: bigint): string {
  return formatScaled(value, 9)
}

function nano(text: string): bigint {
  const scaled = parseScaled(text, 9)
  if (!scaled.ok) throw new Error(`no decimal: ${text}`)
  return scaled.value
}

function outcomeOf(events: readonly Event[]): Outcome {
  const done = events.findLast((event) => event.kind === 'request')
  const subject = events.find(
    (event) => event.kind === 'order' && ['opened', 'edited', 'cancelled'].includes(event.change),
  )
  const id = subject !== undefined && 'order' in subject ? subject.order : -1
  const refused = events.find((event) => event.kind === 'refusal')
  return {
    events,
    trades: events.filter((event) => event.kind === 'trade'),
    refusal: refused?.refusal ?? null,
    count: done?.kind === 'request' ? done.count : 0,
    order: events.findLast((event): event is OrderChanged => 'order' in event && event.order === id),
  }
}
