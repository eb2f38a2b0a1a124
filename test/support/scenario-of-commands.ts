/**
 * Writes commands as a scenario file that a person can run: requests in the words of the venue, at the times of the
 * commands. The file needs none of the random streams, so a failure that they found can be studied and kept without
 * them.
 *
 * Known limits: unreadable requests are left out, because they do nothing; an account cannot turn self-trading off, and
 * cannot place icebergs of options and combos; times of `valid_until` and of waits are whole milliseconds. A bulk
 * cancel that no method can express becomes a cancel of each order.
 */
import { formatIsoTime, formatScaledNumber } from '../../src/core/index.ts'
import {
  amountTextOfLots,
  type Command,
  type CommandOf,
  type Event,
  type ExchangeConfig,
  entryTypeOf,
  houseAccountNames,
  type InstrumentSpec,
  type OrderChanged,
  type OrderFilter,
  type OrderTerms,
  price9OfTicks,
  specFromName,
} from '../../src/model/index.ts'
import { orderIdOut } from '../../src/rpc/index.ts'
import { type Decimal, flow, price, type Value } from './flow-yaml.ts'
import { type Asked, transferRequest } from './scenario-requests.ts'

/** A command with its events. */
export interface ChannelMessage {
  readonly command: Command
  readonly events: readonly Event[]
}

/** Inputs of a file. */
export interface Story {
  readonly title: string
  readonly config: ExchangeConfig
  readonly reported: readonly ChannelMessage[]
  /** Instruments that the venue's schedule listed before all commands. */
  readonly listed?: readonly InstrumentSpec[]
  /** Comments at the end of the file. */
  readonly notes?: readonly string[]
}

/** The scenario as YAML. */
export function scenarioOf(story: Story): string {
  return new ScenarioWriter(story).write()
}

class ScenarioWriter {
  private readonly story: Story
  private readonly specs: InstrumentSpec[] = []
  /** Names of accounts; the house accounts come first. */
  private readonly accounts: string[] = houseAccountNames.map(() => '')
  /** Every order so far, from its last event. */
  private readonly orders = new Map<number, OrderChanged>()

  constructor(story: Story) {
    this.story = story
  }

  write(): string {
    const { title, config, reported, notes = [] } = this.story
    const isSetup = ({ kind }: Command): boolean =>
      kind === 'list_instrument' || kind === 'set_index' || kind === 'open_account' || kind === 'deposit'
    const first = reported.findIndex(({ command }) => !isSetup(command))
    const steps = first < 0 ? [] : reported.slice(first)
    const setup = reported.slice(0, reported.length - steps.length).map(({ command }) => command)
    const last = reported.at(-1)?.command
    const end = last?.kind === 'advance_time' ? last.to : (last?.time ?? config.start)
    return [
      'version: 1',
      `title: ${JSON.stringify(title)}`,
      `start: ${formatIsoTime(config.start)}`,
      `until: ${end - config.start}us`,
      `venue: ${flow(venueOf(config))}`,
      ...this.setup(setup),
      'steps:',
      ...steps.flatMap((each) => this.step(each)),
      ...notes.map((note) => `# ${note}`),
      '',
    ].join('\n')
  }

  private setup(commands: readonly Command[]): readonly string[] {
    const indices: Record<string, Value> = {}
    const accounts: Record<
      string,
      {
        main?: string
        margin_model?: string
        fee_factor?: Decimal
        deposit: Record<string, bigint>
      }
    > = {}
    const listed = this.story.listed ?? []
    this.specs.push(...listed)
    for (const command of commands) {
      if (command.kind === 'list_instrument') {
        // A second listing of an instrument was refused, and the file already has the instrument.
        const isNew = this.specs.every(({ name }) => name !== command.spec.name)
        if (isNew) this.specs.push(command.spec)
      } else if (command.kind === 'set_index') indices[command.index] = price(command.price)
      else if (command.kind === 'open_account') {
        const main = command.main === null ? {} : { main: this.account(command.main) }
        const factor: Decimal = { decimal: formatScaledNumber(command.feePpm, 6) }
        const fee = command.feePpm === 1_000_000 ? {} : { fee_factor: factor }
        const plain = command.marginModel === 'segregated_sm'
        const model = plain ? {} : { margin_model: command.marginModel }
        accounts[command.name] = { ...main, ...model, ...fee, deposit: {} }
        this.accounts.push(command.name)
      } else if (command.kind === 'deposit') {
        const account = accounts[this.account(command.target)]
        if (account === undefined) continue
        const { currency, amount } = command
        account.deposit[currency] = (account.deposit[currency] ?? 0n) + amount
      }
    }
    const account = ([name, { deposit, ...own }]: (typeof entries)[number]): string => {
      const money = Object.entries(deposit).map(([currency, sum]) => [currency, price(sum)])
      return `  ${name}: ${flow({ ...own, deposit: Object.fromEntries(money) as Record<string, Value> })}`
    }
    const entries = Object.entries(accounts)
    return [
      'instruments:',
      ...this.specs.slice(listed.length).map((spec) => `  - ${flow(instrumentOf(spec))}`),
      `index: ${flow(indices)}`,
      'accounts:',
      ...entries.map(account),
    ]
  }

  private step(reported: ChannelMessage): readonly string[] {
    const { command, events } = reported
    const asked = command.fault === null ? this.ask(reported) : []
    for (const event of events) {
      if (event.kind === 'instrument') this.specs.push(event.instrument)
      if (!('averagePrice' in event)) continue
      this.orders.set(event.order, event)
    }
    if (typeof asked === 'string') return [`  # ${asked}`]
    const at = `${command.time - this.story.config.start}us`
    const refused = events.find((event) => event.kind === 'refusal')
    const expect = refused === undefined ? '' : ', expect: { error: {} }'
    const note = refused === undefined ? '' : ` # ${refused.refusal.reason}`
    return asked.map(({ as, call, params }) => {
      const who = as === undefined ? '' : `as: ${as}, `
      return `  - { at: ${at}, ${who}call: ${call}, params: ${flow(params)}${expect} }${note}`
    })
  }

  /** The requests of a command, or the reason why it has no request. */
  private ask({ command, events }: ChannelMessage): readonly Asked[] | string {
    switch (command.kind) {
      case 'place_order':
        return this.place(command)
      case 'edit_order':
        return this.edit(command)
      case 'cancel_order': {
        const params = { order_id: this.orderId(command.order) }
        return [{ as: this.account(command.account), call: 'private/cancel', params }]
      }
      case 'cancel_orders':
        return this.cancelAll(command, events)
      case 'set_self_trading': {
        const { mode, extended } = command
        if (mode === 'off') return 'self-trading is set to off here, which no request can ask for'
        const as = this.account(command.account)
        const params = { mode, extended_to_subaccounts: extended }
        return [{ as, call: 'private/set_self_trading_config', params }]
      }
      case 'set_instrument_state':
        return this.control('set_instrument_state', command.instrument, { state: command.state })
      case 'list_instrument': {
        const { name, ...overrides } = instrumentOf(command.spec)
        const params = { instrument_name: name, ...overrides } as Record<string, Value>
        return [{ call: 'sim/list_instrument', params }]
      }
      case 'set_mark': {
        const at = command.price === null ? {} : { price: price(command.price) }
        return this.control('set_mark', command.instrument, at)
      }
      case 'give_position':
        return this.control('give_position', command.instrument, {
          account: this.account(command.target),
          amount: this.amount(command.instrument, command.size),
          price: price(command.price),
        })
      case 'set_index': {
        const params = { index_name: command.index, price: price(command.price) }
        return [{ call: 'sim/set_index', params }]
      }
      case 'deposit': {
        const { currency } = command
        const account = this.account(command.target)
        return [{ call: 'sim/deposit', params: { account, currency, amount: price(command.amount) } }]
      }
      case 'advance_time':
      case 'query':
        // The time of the next step expresses this.
        return []
      case 'create_combo':
      case 'move_positions':
      case 'transfer_cash':
      case 'set_lsp_participant':
        return [transferRequest(command, this)]
      default:
        return `${command.kind} has no request here`
    }
  }

  private place(command: CommandOf<'place_order'>): readonly Asked[] {
    const { instrument, account, linked, display, validUntil } = command
    const params: Record<string, Value> = {
      instrument_name: this.spec(instrument).name,
      ...this.terms(instrument, command),
    }
    if (display > 0) params['display_amount'] = this.amount(instrument, display)
    if (validUntil !== null) params['valid_until'] = { decimal: `${millisFor(command, validUntil)}` }
    if (linked !== null) {
      params['linked_order_type'] = linked.type
      params['trigger_fill_condition'] = linked.condition
      params['otoco_config'] = linked.secondaries.map((entry) => ({
        direction: entry.side,
        ...this.terms(instrument, entry),
      }))
    }
    return [{ as: this.account(account), call: `private/${command.side}`, params }]
  }

  private terms(instrument: number, terms: OrderTerms): Record<string, Value> {
    const { type, timeInForce, label, reduceOnly, trigger } = terms
    const params: Record<string, Value> = { amount: this.amount(instrument, terms.amount), type }
    const isPriced = entryTypeOf(type) === 'limit' && terms.price !== null
    if (isPriced) params['price'] = this.ticks(instrument, terms.price)
    if (timeInForce !== 'good_til_cancelled') params['time_in_force'] = timeInForce
    if (label !== '') params['label'] = label
    if (terms.postOnly !== 'off') Object.assign(params, postOnlyOf(terms.postOnly))
    if (reduceOnly) params['reduce_only'] = true
    if (trigger === null) return params
    params['trigger'] = trigger.source
    if (trigger.price !== null) params['trigger_price'] = this.ticks(instrument, trigger.price)
    if (trigger.offset !== null) params['trigger_offset'] = this.ticks(instrument, trigger.offset)
    return params
  }

  private edit(command: CommandOf<'edit_order'>): readonly Asked[] {
    const { order, amount, price: limit, postOnly, reduceOnly, display } = command
    const known = this.orders.get(order)
    const instrument = known?.instrument ?? 0
    const params: Record<string, Value> = {
      order_id: this.orderId(order),
      // A request must name the amount even if it does not change.
      amount: this.amount(instrument, amount ?? known?.amount ?? 1),
    }
    // The engine ignores fields that do not apply to the order; a request that names them is refused.
    const hasLimit = known?.state === 'open' || entryTypeOf(known?.type ?? 'limit') === 'limit'
    const trails = known?.type === 'trailing_stop'
    if (postOnly !== null) Object.assign(params, postOnlyOf(postOnly))
    if (reduceOnly !== null) params['reduce_only'] = reduceOnly
    if (hasLimit && limit !== null) params['price'] = this.ticks(instrument, limit)
    if (hasLimit && display !== null) {
      params['display_amount'] = this.amount(instrument, display)
    }
    if (known?.trigger === null || known?.state === 'open') {
      return [{ as: this.account(command.account), call: 'private/edit', params }]
    }
    const { triggerPrice, triggerOffset } = command
    if (!trails && triggerPrice !== null) {
      params['trigger_price'] = this.ticks(instrument, triggerPrice)
    }
    if (trails && triggerOffset !== null) {
      params['trigger_offset'] = this.ticks(instrument, triggerOffset)
    }
    return [{ as: this.account(command.account), call: 'private/edit', params }]
  }

  private cancelAll({ account, filter }: CommandOf<'cancel_orders'>, events: readonly Event[]): readonly Asked[] {
    const as = this.account(account)
    const method = this.bulkMethod(filter)
    if (method !== undefined) return [{ as, ...method }]
    return events.flatMap((event) =>
      event.kind === 'order' && event.change === 'cancelled' && event.reason === 'user_request'
        ? [{ as, call: 'private/cancel', params: { order_id: this.orderId(event.order) } }]
        : [],
    )
  }

  /** The method that cancels these orders, if there is one. */
  private bulkMethod(filter: OrderFilter): Omit<Asked, 'as'> | undefined {
    const { label, currencies, instrument, kinds, pair, types } = filter
    const [currency, another] = currencies ?? []
    const [kind, further] = kinds ?? []
    const isPlain = types === null || types === 'in_book'
    const narrow: Record<string, Value> = types === 'in_book' ? { type: 'limit' } : {}
    if (kind !== undefined) narrow['kind'] = kind
    if (!isPlain || further !== undefined) return undefined
    if (label !== null) {
      const alone = instrument === null && pair === null && another === undefined
      if (!alone || Object.keys(narrow).length > 0) return undefined
      const of: Record<string, Value> = currency === undefined ? {} : { currency }
      return { call: 'private/cancel_by_label', params: { label, ...of } }
    }
    if (instrument !== null) {
      if (pair !== null || currencies !== null || kinds !== null) return undefined
      const include_combos = filter.includeCombos
      const params = { instrument_name: this.spec(instrument).name, include_combos, ...narrow }
      return { call: 'private/cancel_all_by_instrument', params }
    }
    if (pair !== null) {
      if (currencies !== null) return undefined
      const params = { currency_pair: pair, ...narrow }
      return { call: 'private/cancel_all_by_currency_pair', params }
    }
    const of = currencies === null ? 'any' : [...currencies]
    return { call: 'private/cancel_all_by_kind_or_type', params: { currency: of, ...narrow } }
  }

  private control(name: string, instrument: number, params: { readonly [key: string]: Value }): readonly Asked[] {
    const { name: instrument_name } = this.spec(instrument)
    return [{ call: `sim/${name}`, params: { instrument_name, ...params } }]
  }

  private orderId(order: number): string {
    const known = this.orders.get(order)
    if (known === undefined) return '999999'
    // The wire id depends only on the instrument's name and the id.
    const spec = { ...this.spec(known.instrument), id: known.instrument }
    return orderIdOut(spec as Parameters<typeof orderIdOut>[0], order as Parameters<typeof orderIdOut>[1])
  }

  amount(instrument: number, size: number): Decimal {
    const text = amountTextOfLots(this.spec(instrument), Math.abs(size) as Parameters<typeof amountTextOfLots>[1])
    return { decimal: size < 0 ? `-${text}` : text }
  }

  private ticks(instrument: number, count: number | null): Decimal {
    const spec = this.spec(instrument)
    return price(price9OfTicks(spec, (count ?? 0) as Parameters<typeof price9OfTicks>[1]))
  }

  account(id: number): string {
    return this.accounts[id] ?? ''
  }

  specNamed(name: string): InstrumentSpec | undefined {
    return this.specs.find((spec) => spec.name === name)
  }

  spec(instrument: number): InstrumentSpec {
    const spec = this.specs[instrument]
    if (spec === undefined) throw new Error('a command names a listed instrument')
    return spec
  }
}

/** A time in whole milliseconds with the same effect. */
function millisFor({ time }: Command, validUntil: number): number {
  return validUntil <= time ? Math.floor(validUntil / 1000) : Math.ceil(validUntil / 1000)
}

function postOnlyOf(postOnly: OrderTerms['postOnly']): Record<string, Value> {
  if (postOnly === 'off') return { post_only: false }
  return { post_only: true, reject_post_only: postOnly === 'reject' }
}

function venueOf(config: ExchangeConfig): Record<string, Value> {
  const { priceBands, selfMatch, openOrderLimits, marks, listedFutures, settlementTime } = config
  const limits = Object.entries(openOrderLimits).map(([name, most]) => [name, { decimal: `${most}` }])
  return {
    price_bands: priceBands,
    self_match: selfMatch,
    open_order_limits: Object.fromEntries(limits) as Record<string, Value>,
    marks,
    listed_futures: [...listedFutures],
    settlement_time: `${settlementTime}us`,
    insurance_fund: Object.fromEntries(
      Object.entries(config.insuranceFund).map(([currency, fund]) => [currency, price(fund)]),
    ) as Record<string, Value>,
  }
}

/** An instrument of the catalogue with its overrides. */
function instrumentOf(spec: InstrumentSpec): Record<string, Value> {
  const named = specFromName(spec.name, { creation: spec.creation })
  if (!named.ok) throw new Error(named.error)
  const texts = (of: InstrumentSpec): Record<string, Decimal | string> => ({
    tick_size: price(of.tick9),
    amount_step: price(of.amountStep9),
    min_trade_amount: price(of.minTradeLots * of.amountStep9),
    maker_commission: price(of.makerFee9),
    taker_commission: price(of.takerFee9),
    price_index: of.priceIndex,
    ...(of.detail.type === 'future' ? { delivery_commission: price(of.deliveryFee9) } : {}),
    ...(of.mark === null ? {} : { mark_band: { decimal: formatScaledNumber(of.mark.clampPpm, 6) } }),
    ...(of.funding === null || of.mark === null
      ? {}
      : {
          impact_amount: price(of.mark.impact9),
          funding_damper: { decimal: formatScaledNumber(of.funding.dampers.at(-1)?.rate8 ?? 0, 8) },
        }),
  })
  const own = texts(spec)
  const usual = texts(named.value)
  const differs = (field: string): boolean => flow(own[field] ?? '') !== flow(usual[field] ?? '')
  // A minimum alone would also set the step.
  const fields = Object.entries(own).filter(
    ([field]) => differs(field) || (field === 'amount_step' && differs('min_trade_amount')),
  )
  const routing: Record<string, Value> =
    spec.routeDelay === null ? {} : { routing: 'third_party', route_delay_ms: { decimal: `${spec.routeDelay / 1000}` } }
  return { name: spec.name, ...Object.fromEntries(fields), ...routing }
}
