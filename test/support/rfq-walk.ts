/** Random Block RFQs: takers, makers and the clock take the same steps in a venue and in its oracle. */
import { advanceTo } from '../../src/engine/index.ts'
import type { VenueOptions } from '../../src/program/index.ts'
import { submit } from '../../src/rpc/index.ts'
import { call, put } from './block-market.ts'
import type { Json } from './desk-market.ts'
import { NaiveRfqs } from './naive-rfq.ts'
import type { NaiveQuote } from './naive-rfq-matching.ts'
import type { Broken, Direction, NaiveHedge, NaiveParty, NaiveRfq, NaiveStructure } from './naive-rfq-terms.ts'
import { plain, sharesOut, type WireUnits } from './naive-rfq-views.ts'
import { aliases, makers, RfqVenue } from './rfq-venue.ts'
import type { WalkStep } from './rfq-walk-steps.ts'

/** A structure with the prices of its legs at a level, and its units on the wire. */
interface WalkStructure extends NaiveStructure {
  readonly unit: number
  readonly tick: number
  /** Prices of the legs in ticks at level 0; the first moves with the level. */
  readonly prices: readonly number[]
  /** True if it may have a hedge. */
  readonly hedged: boolean
}

const perpetual = 'BTC-PERPETUAL'
/** Steps of the spot pair. */
const SPOT_UNIT = 0.0001
const SPOT_TICK = 1
type CoinsOf = Parameters<NaiveStructure['coins']>[0]
const spot = 'BTC_USDC'
/** An option's amount is in coins. */
const option = {
  ...{ unit: 0.1, tick: 0.0001, hedged: true, isSpot: false },
  coins: ({ leg, amount }: CoinsOf): number => leg.ratio * amount * 0.1,
}

const structures: readonly WalkStructure[] = [
  {
    legs: [{ instrument: call, direction: 'buy', ratio: 1 }],
    ...{ ...option, amount: 1_000, least: 250, prices: [500] },
  },
  {
    legs: [
      { instrument: call, direction: 'buy', ratio: 2 },
      { instrument: put, direction: 'sell', ratio: 1 },
    ],
    ...{ ...option, amount: 500, least: 250, prices: [500, 400] },
  },
  {
    legs: [
      { instrument: call, direction: 'sell', ratio: 1 },
      { instrument: put, direction: 'buy', ratio: 1 },
    ],
    ...{ ...option, amount: 1_000, least: 250, prices: [500, 450] },
  },
  {
    legs: [{ instrument: perpetual, direction: 'buy', ratio: 1 }],
    ...{ unit: 10, tick: 0.01, amount: 60_000, least: 20_000, prices: [5_000_000] },
    ...{ hedged: false, isSpot: false },
    coins: ({ amount, price }) => (amount * 10) / (price * 0.01),
  },
  {
    legs: [{ instrument: spot, direction: 'buy', ratio: 1 }],
    ...{ unit: SPOT_UNIT, tick: SPOT_TICK, amount: 40_000, least: 1, prices: [50_000] },
    ...{ hedged: true, isSpot: true },
    coins: ({ amount }) => amount * SPOT_UNIT,
  },
]

const HEDGE_STEP = 10
const HEDGE_PRICE = 50_000
const HEDGE: NaiveHedge = {
  ...{ instrument: perpetual, direction: 'sell', amount: 301 },
  coins: HEDGE_STEP / HEDGE_PRICE,
}
/** The loan in BTC and USDC of the maker with little money: it has the loan while it quotes, but not during a fill. */
const LOAN = 1_000_000
/** USDC of each other account. */
export const USDC = 10_000_000

/** Price of a structure at a level, in ticks. */
function priceAt({ legs, prices }: WalkStructure, level: number): number {
  return legs.reduce((sum, { direction, ratio }, at) => {
    const price = (prices[at] ?? 0) + (at === 0 ? level : 0)
    return sum + (direction === 'buy' ? 1 : -1) * ratio * price
  }, 0)
}

/** Records an outcome of a step. */
export type Met = (word: string) => void

const parties: readonly Omit<NaiveParty, 'number'>[] = [
  ...(['taker', 'rival', 'desk'] as const).map((name) => ({
    ...{ name, owner: name === 'desk' ? 'taker' : name, isMaker: false, makerAlias: '-' },
    takerAlias: { taker: 'TANGO', rival: 'ROMEO', desk: 'DELFT' }[name],
  })),
  ...[...makers, 'poor' as const].map((name) => ({
    ...{ name, owner: name, isMaker: true, takerAlias: '-' },
    makerAlias: name === 'poor' ? 'POOR6' : aliases[name],
  })),
]

/** All viewers. */
export const viewers = parties.map(({ name }) => name)

/** A request that was asked, for a run that asks it again. */
export interface Asked {
  readonly account: string | null
  readonly method: string
  readonly params: Json
  readonly time: number
}

/** An immediate fill, with all quotes that were available to it. */
export interface Taking {
  readonly rfq: number
  readonly side: Direction
  readonly limit: number
  readonly quotes: readonly NaiveQuote[]
}

/** A venue and its oracle, driven alike. */
export class RfqWalk extends RfqVenue {
  readonly twin: NaiveRfqs
  readonly asked: Asked[] = []
  readonly takings: Taking[] = []
  readonly start: number
  private readonly note: Met

  constructor(note: Met = () => undefined, options: Partial<VenueOptions> = {}) {
    super({}, options)
    this.note = note
    this.party('rival', { taker_alias: 'ROMEO' })
    this.party('desk', { taker_alias: 'DELFT' })
    for (const account of ['rival', 'desk']) {
      this.result(null, 'sim/deposit', { account, currency: 'USDC', amount: USDC })
    }
    this.twin = new NaiveRfqs(parties.map((each) => ({ ...each, number: this.numberOf(each.name) })))
    this.twin.broke.add('poor')
    this.start = this.millis
  }

  private get millis(): number {
    return this.venue.now / 1000
  }

  override ask(account: string | null, method: string, params: Json = {}): Json {
    const reply = super.ask(account, method, params)
    // The base class sends requests before the fields of this class exist.
    this.asked?.push({ account, method, params, time: this.venue.now })
    return reply
  }

  /** The answer to a query, without moving the time and without checking laws. */
  look(account: string | null, method: string, params: Json = {}): Json {
    const { desk } = this.venue
    advanceTo(desk.exchange, this.venue.now, desk.sink)
    const replies: Json[] = []
    const asked = { time: this.venue.now, method, params, account, session: 0 }
    submit(desk, asked, (reply) => replies.push(reply))
    const [reply] = replies
    if (reply === undefined || !reply.ok) throw new Error(`${method}: ${JSON.stringify(reply)}`)
    return reply.result
  }

  /** The units of an RFQ on the wire. */
  unitsOf({ structure }: NaiveRfq): WireUnits {
    const { unit, tick } = structure as WalkStructure
    return { unit, tick, hedgeStep: HEDGE_STEP, hedgePrice: HEDGE_PRICE, start: this.start }
  }

  /** Takes a step; the venue's answer must equal the oracle's. */
  take(step: WalkStep): void {
    const { twin } = this
    if (step.what === 'wait') {
      this.venue.wait(`${step.millis}ms`)
      advanceTo(this.venue.exchange, this.venue.now, this.venue.desk.sink)
      twin.advance(this.millis - this.start)
      return
    }
    const isLent = this.isLent(step)
    if (isLent === null) return
    if (isLent) this.lend(LOAN)
    // The request comes a millisecond later.
    twin.advance(this.millis + 1 - this.start)
    const [method, account, params, broken] = this.askedBy(step)
    const reply = this.ask(account, `private/${method}`, params)
    const code = reply.ok ? 0 : reply.error.code
    if (isLent) this.lend(-LOAN)
    const isRight = broken.length === 0 ? reply.ok : broken.includes(code)
    if (!isRight) {
      throw new Error(
        `${method} ${JSON.stringify([account, params])}: expected ${JSON.stringify(broken)}, found ${JSON.stringify(reply)}`,
      )
    }
    this.note(`${step.what} ${code}`)
    if (step.what === 'accept' && reply.ok) {
      const rfq = twin.rfq(params.block_rfq_id)
      const { block_trades } = reply.result
      const isBooked = rfq?.state === 'filled' && rfq.shares.length > 0
      if (isBooked && rfq.structure.isSpot) this.note('coins for others')
      const makersOf = new Set(rfq?.fills.map(({ maker: name }) => name))
      if (block_trades.length !== makersOf.size) throw new Error('a block for each maker')
      this.note(`accepted by ${block_trades.length}`)
    }
    if (step.what === 'add' && reply.ok) {
      if (twin.rfq(params.block_rfq_id)?.state === 'filled') this.note('fired')
    }
  }

  /**
   * True if the poor maker gets a loan for a step; null for a step that the walk skips, because the loan would pay for
   * its fill.
   */
  private isLent(step: Exclude<WalkStep, { what: 'wait' }>): boolean | null {
    if (step.what !== 'add' && step.what !== 'edit') return false
    const quote =
      step.what === 'edit' ? this.twin.quotes.find(({ id }) => id === this.quoteBefore(step.quote)) : undefined
    const account = step.what === 'add' ? step.maker : quote?.maker
    if (account !== 'poor') return false
    const rfq = this.twin.rfq(quote?.rfq ?? this.idOf(step.what === 'add' ? step.back : 0))
    const isWaiting = rfq?.triggers.some(({ state }) => state === 'untriggered') === true
    if (isWaiting) return null
    return step.what === 'edit' || step.lent
  }

  private lend(amount: number): void {
    for (const currency of ['BTC', 'USDC']) {
      this.twin.advance(this.millis + 1 - this.start)
      this.result(null, 'sim/deposit', { account: 'poor', currency, amount })
    }
    if (amount > 0) this.twin.broke.delete('poor')
    else this.twin.broke.add('poor')
  }

  private askedBy(
    step: Exclude<WalkStep, { what: 'wait' }>,
  ): readonly [method: string, account: string, params: Json, broken: Broken] {
    const { twin } = this
    const latest = (back: number): number => this.idOf(back)
    switch (step.what) {
      case 'create':
        return this.created(step)
      case 'add':
        return this.added(step)
      case 'edit':
        return this.edited(step)
      case 'cancel_quote': {
        const quote = this.quoteBefore(step.quote)
        const account = twin.quotes.find(({ id }) => id === quote)?.maker ?? 'alpha'
        const broken = twin.cancelQuote(account, quote)
        return ['cancel_block_rfq_quote', account, { block_rfq_quote_id: quote }, broken]
      }
      case 'cancel_all': {
        const rfq = twin.rfqs.at(-1)
        const id = step.of && rfq !== undefined ? rfq.id : null
        const isBarred = id !== null && rfq !== undefined && !twin.isTarget(rfq, step.maker)
        if (!isBarred) twin.cancelAll(step.maker, id)
        const params = id === null ? {} : { block_rfq_id: id }
        const broken = isBarred ? [13020, 13021] : []
        return ['cancel_all_block_rfq_quotes', step.maker, params, broken]
      }
      case 'protect': {
        const { maker: account, most } = step
        const gone = twin.protect(account, most)
        if (gone > 0) this.note('curtailed')
        const limits = { interval: most === null ? 0 : 60, frozen_time: 0 }
        const params = { index_name: 'all', block_rfq: true, max_quote_quantity: most ?? 0 }
        return ['set_mmp_config', account, { ...params, ...limits }, []]
      }
      case 'accept':
        return this.accepted(step, latest(step.back))
      case 'cancel': {
        const id = latest(step.back)
        const account = twin.rfq(id)?.taker ?? 'taker'
        return ['cancel_block_rfq', account, { block_rfq_id: id }, twin.cancel(account, id)]
      }
      case 'cancel_triggers': {
        const id = latest(step.back)
        const account = twin.rfq(id)?.taker ?? 'taker'
        const broken = twin.cancelTriggers(account, id)
        return ['cancel_block_rfq_trigger', account, { block_rfq_id: id }, broken]
      }
    }
  }

  /** The RFQ a number of places before the latest; an id that does not exist if there are fewer. */
  private idOf(back: number): number {
    const id = this.twin.rfqs.length - back
    return id < 1 ? 999 : id
  }

  /** The quote a number of places before the latest. */
  private quoteBefore(back: number): number {
    const id = this.twin.quotes.length - back
    return id < 1 ? 999 : id
  }

  private created(step: Extract<WalkStep, { what: 'create' }>): readonly [string, string, Json, Broken] {
    const { taker, disclosed, label } = step
    const structure = structures[step.structure] ?? structures[0]
    if (structure === undefined) throw new Error('there are structures')
    const hedge = step.hedged && structure.hedged ? HEDGE : null
    const targets = makers.slice(0, step.targets)
    const third = Math.floor(structure.amount / 3)
    const shares =
      step.shared && taker === 'taker'
        ? [
            { account: 'desk', amount: third },
            { account: 'taker', amount: structure.amount - third },
          ]
        : []
    const broken = this.twin.create({ taker, structure, hedge, disclosed, targets, label, shares })
    const params = {
      legs: structure.legs.map(({ instrument, direction, ratio }) => ({
        ...{ instrument_name: instrument, direction },
        amount: plain(ratio * structure.amount * structure.unit),
      })),
      ...(hedge === null ? {} : { hedge: hedgeParams }),
      ...(targets.length === 0 ? {} : { makers: targets.map((name) => aliases[name]) }),
      ...(label === '' ? {} : { label }),
      ...(shares.length === 0 ? {} : { trade_allocations: sharesOut(this.twin, { shares }, structure) }),
      disclosed,
    }
    return ['create_block_rfq', taker, params, broken]
  }

  private added(step: Extract<WalkStep, { what: 'add' }>): readonly [string, string, Json, Broken] {
    const { twin } = this
    const { maker: account, side: direction, allOrNone, label } = step
    const id = this.idOf(step.back)
    const rfq = twin.rfq(id)
    const structure = structureOf(rfq)
    const amount = (structure.amount / 4) * step.quarters
    const expiresAt = step.expiresIn === null ? null : twin.now + step.expiresIn
    const broken = twin.add({
      ...{ maker: account, rfq: id, direction, label, allOrNone, amount, expiresAt },
      price: priceAt(structure, step.level),
    })
    const params = {
      ...{ block_rfq_id: id, amount: plain(amount * structure.unit), direction },
      legs: legsAt(structure, step.level),
      ...(label === '' ? {} : { label }),
      ...(allOrNone ? { execution_instruction: 'all_or_none' } : {}),
      ...(expiresAt === null ? {} : { expires_at: this.start + expiresAt }),
      ...(rfq?.hedge === null || rfq === undefined ? {} : { hedge: hedgeParams }),
    }
    return ['add_block_rfq_quote', account, params, broken]
  }

  private edited(step: Extract<WalkStep, { what: 'edit' }>): readonly [string, string, Json, Broken] {
    const { twin } = this
    const id = this.quoteBefore(step.quote)
    const quote = twin.quotes.find((each) => each.id === id)
    const account = quote?.maker ?? 'alpha'
    const structure = structureOf(quote && twin.rfq(quote.rfq))
    const amount = (structure.amount / 4) * step.quarters
    const broken = twin.edit(account, id, { price: priceAt(structure, step.level), amount })
    const params = {
      ...{ block_rfq_quote_id: id, amount: plain(amount * structure.unit) },
      legs: legsAt(structure, step.level),
    }
    return ['edit_block_rfq_quote', account, params, broken]
  }

  private accepted(step: Extract<WalkStep, { what: 'accept' }>, id: number): readonly [string, string, Json, Broken] {
    const { twin } = this
    const { side: direction, rests, foreign } = step
    const rfq = twin.rfq(id)
    const structure = structureOf(rfq)
    const own = rfq?.taker ?? 'taker'
    const account = foreign ? (own === 'taker' ? 'rival' : 'taker') : own
    const price = priceAt(structure, step.level)
    const quotes =
      rfq === undefined
        ? []
        : twin
            .openQuotes(rfq)
            .filter((quote) => quote.direction !== direction && !twin.broke.has(quote.maker))
            .map((quote) => ({ ...quote }))
    const broken = twin.accept(account, id, { side: direction, price, rests })
    if (broken.length === 0 && rfq?.state === 'filled') {
      this.takings.push({ rfq: id, side: direction, limit: price, quotes })
    }
    const params = {
      ...{ block_rfq_id: id, amount: plain(structure.amount * structure.unit), direction },
      price: plain(price * structure.tick),
      legs: legsAt(structure, null),
      ...(rfq?.hedge === null || rfq === undefined ? {} : { hedge: hedgeParams }),
      time_in_force: rests ? 'good_til_cancelled' : 'fill_or_kill',
    }
    return ['accept_block_rfq', account, params, broken]
  }
}

const hedgeParams = {
  ...{ instrument_name: perpetual, direction: HEDGE.direction, price: HEDGE_PRICE },
  amount: HEDGE.amount * HEDGE_STEP,
}

function structureOf(rfq: NaiveRfq | undefined): WalkStructure {
  const [usual] = structures
  if (usual === undefined) throw new Error('there are structures')
  return rfq === undefined ? usual : (rfq.structure as WalkStructure)
}

/** Legs of a structure on the wire, with prices if there is a level. */
function legsAt({ legs, prices, tick }: WalkStructure, level: number | null): Json[] {
  return legs.map(({ instrument, direction, ratio }, at) => ({
    ...{ instrument_name: instrument, direction, ratio },
    ...(level === null ? {} : { price: plain(((prices[at] ?? 0) + (at === 0 ? level : 0)) * tick) }),
  }))
}

/** Money for each unit of the spot pair per tick. */
export const MONEY_STEP = SPOT_UNIT * SPOT_TICK

/** Steps of an instrument on the wire. */
export const stepOf: { readonly [instrument: string]: number } = {
  [call]: 0.1,
  [put]: 0.1,
  [perpetual]: 10,
}
