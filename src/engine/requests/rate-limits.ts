/**
 * Costs of requests, and the refusal of requests above the limits.
 *
 * A request pays after the checks of its envelope and its account: a request that fails there costs nothing, one that
 * is refused later does. Each account has separate buckets. Requests without an account are not limited, because the
 * simulator has no addresses that distinguish them. Direct access pays with the tokens of its messages from the buckets
 * of its Member and gateway, which serves one tier of products.
 *
 * Two limits of the REST interface of a gateway apply in every run. They limit the requests in a calendar minute.
 *
 * Assumed: a request to move positions that is refused later counts towards the weekly limit, because it costs credits.
 * Cancelling quotes costs as much as cancelling orders: all of them from `cancel_all`, some from `trading`.
 *
 * Rule: limit.rate, limit.gateway-minute. Source: trading.md 8 (C47); sessions-blocks-gateways.md 8.12, 8.15; coverage
 * R15, R16.
 */

import { NO_SLOT } from '../../book/index.ts'
import {
  type BucketTerms,
  type Command,
  type InstrumentKind,
  isDirectKind,
  type MassQuote,
  NO_ACCOUNT,
  type RateCharge,
  type Refusal,
  validationStep,
} from '../../model/index.ts'
import {
  accountRow,
  type CreditTerms,
  countInMinute,
  creditsAt,
  creditsOf,
  drainCredits,
  type Exchange,
  emitStanding,
  fullBucket,
  orderAt,
  orderSlotOf,
  type RateBucket,
  type SessionRow,
  secondsUntilFree,
  sessionAt,
  type Turn,
  takeCredits,
  WHOLE_REQUEST,
} from '../state/index.ts'
import { closeSession } from './sessions.ts'

/** A bucket by name with its terms, and the cost of a request. */
interface Price {
  readonly bucket: string
  readonly terms: CreditTerms
  readonly cost: number
}

/** Separate pools for expensive methods; all gain 10 credits per millisecond. */
const pools = {
  get_instruments: { terms: { capacity: 500_000, perMilli: 10 }, cost: 10_000 },
  move_positions: { terms: { capacity: 600_000, perMilli: 10 }, cost: 100_000 },
  get_transaction_log: { terms: { capacity: 80_000, perMilli: 10 }, cost: 10_000 },
} as const

/** Requests per calendar minute over the REST interface of a gateway. */
const perMinute = { gateway_open_orders: 10, gateway_risk_limits: 1 } as const

/** Tokens of direct access for new orders, amends, cancels, and quotes of any size. */
const MESSAGE_TOKENS = 2_000
/** Tokens of quotes that only cancel others, and of cancels of quotes. */
const ENDING_TOKENS = 100
const directOrders: CreditTerms = { capacity: 100_000, perMilli: 100 }
const directQuotes: CreditTerms = { capacity: 20_000, perMilli: 20 }

const MOVES = { window: 168 * 3_600_000_000, most: 100 } as const

const tooMany: Refusal = { reason: 'too_many_requests' }

/**
 * Charges a request. Returns its refusal, or null. After a refusal, `standing` names the limit, and the WebSocket of
 * the request closes if the run sets that.
 */
export function payRequest(turn: Turn, command: Command): Refusal | null {
  const { account, charge, fault, session } = command
  if (charge === undefined || account === NO_ACCOUNT) return null
  if (fault !== null && fault.step < validationStep.rateLimit) return null
  const row = sessionAt(turn.exchange, session)
  if (charge === 'gateway_open_orders' || charge === 'gateway_risk_limits') {
    return row?.gateway == null ? null : payMinute(turn, command, charge, row)
  }
  const terms = turn.exchange.config.rateLimits
  if (!terms.enabled) return null
  if (row?.type === 'direct_access') return payTokens(turn, command, row)
  const refusal = payCharge(turn, command, charge)
  if (refusal !== null && terms.disconnects && row?.type === 'web_socket') {
    closeSession(turn, row, 'rate_limit')
  }
  return refusal
}

function payMinute(turn: Turn, command: Command, charge: keyof typeof perMinute, row: SessionRow): Refusal | null {
  const { now, rates } = turn.exchange
  const key = `${command.account} ${row.gateway} ${charge}`
  const count = rates.minutes.get(key) ?? { minute: -1, count: 0 }
  rates.minutes.set(key, count)
  if (countInMinute(count, now, perMinute[charge])) return null
  return refuse(turn, command, `${row.gateway} ${charge}`, tooMany)
}

/** Charges direct access. Messages that only cancel are charged but never refused. */
function payTokens(turn: Turn, command: Command, row: SessionRow): Refusal | null {
  const price = tokensOf(command, row)
  if (price === null) return null
  const { account } = accountRow(turn.exchange, row.account)
  const bucket = bucketOf(turn.exchange, account.main, price)
  const paying = { now: turn.exchange.now, cost: price.cost }
  if (price.endsOnly) {
    drainCredits(bucket, price.terms, paying.now, paying.cost)
    return null
  }
  if (takeCredits(bucket, price.terms, paying.now, paying.cost)) return null
  return refuse(turn, command, price.bucket, tooMany)
}

function tokensOf(command: Command, { gateway }: SessionRow): (Price & { readonly endsOnly: boolean }) | null {
  const orders = { bucket: `${gateway} orders`, terms: directOrders }
  const quotes = { bucket: `${gateway} quotes`, terms: directQuotes }
  const kind = command.kind === 'unreadable' ? command.of : command.kind
  // A command that is not a message of direct access is refused elsewhere.
  if (!isDirectKind(kind)) return null
  switch (kind) {
    case 'place_order':
    case 'edit_order':
      return { ...orders, cost: MESSAGE_TOKENS, endsOnly: false }
    case 'cancel_order':
      return { ...orders, cost: MESSAGE_TOKENS, endsOnly: true }
    case 'mass_quote': {
      // The unreadable parts quote nothing.
      const endsOnly = sidesOf(command).every(({ amount }) => amount === 0)
      return { ...quotes, cost: endsOnly ? ENDING_TOKENS : MESSAGE_TOKENS, endsOnly }
    }
    case 'cancel_quotes':
      return { ...quotes, cost: ENDING_TOKENS, endsOnly: true }
    case 'cancel_orders':
    case 'query':
      return null
  }
}

function payCharge(turn: Turn, command: Command, charge: RateCharge): Refusal | null {
  if (charge === 'mass_quote') return payMassQuote(turn, command)
  if (charge === 'move_positions') {
    const wait = secondsUntilMove(turn.exchange, command.account)
    if (wait > 0) {
      const refusal: Refusal = { reason: 'move_positions_over_limit', wait }
      return refuse(turn, command, charge, refusal)
    }
  }
  const price = priceOf(turn.exchange, command, charge)
  const bucket = bucketOf(turn.exchange, command.account, price)
  if (!takeCredits(bucket, price.terms, turn.exchange.now, price.cost)) {
    return refuse(turn, command, price.bucket, tooMany)
  }
  if (charge === 'move_positions') turn.exchange.rates.moves.get(command.account)?.push(turn.exchange.now)
  return null
}

function secondsUntilMove({ rates, now }: Exchange, account: number): number {
  const times = rates.moves.get(account) ?? []
  rates.moves.set(account, times)
  return secondsUntilFree(times, { now, ...MOVES })
}

/** A guaranteed rate of messages; above it a rate of messages and a rate of sides both apply (C47). */
function payMassQuote(turn: Turn, command: Command): Refusal | null {
  const { guaranteedMassQuotes, maximumMassQuotes, maximumQuotes } = turn.exchange.config.rateLimits
  const open = (name: string, terms: BucketTerms): RateBucket =>
    bucketOf(turn.exchange, command.account, { bucket: name, terms: creditsOf(terms) })
  const one = { now: turn.exchange.now, cost: WHOLE_REQUEST }
  const guaranteed = open('guaranteed_mass_quotes', guaranteedMassQuotes)
  if (takeCredits(guaranteed, creditsOf(guaranteedMassQuotes), one.now, one.cost)) return null
  const sides = sidesOf(command).length
  const each = { now: turn.exchange.now, cost: sides * WHOLE_REQUEST }
  const messages = open('maximum_mass_quotes', maximumMassQuotes)
  const quotes = open('maximum_quotes', maximumQuotes)
  const hasMessage = creditsAt(messages, creditsOf(maximumMassQuotes), turn.exchange.now) >= one.cost
  if (hasMessage && takeCredits(quotes, creditsOf(maximumQuotes), each.now, each.cost)) {
    takeCredits(messages, creditsOf(maximumMassQuotes), one.now, one.cost)
    return null
  }
  const bucket = hasMessage ? 'maximum_quotes' : 'maximum_mass_quotes'
  return refuse(turn, command, bucket, { reason: 'too_many_quotes' })
}

function priceOf(exchange: Exchange, command: Command, charge: Exclude<RateCharge, 'mass_quote'>): Price {
  const { rateLimits } = exchange.config
  switch (charge) {
    case 'get_instruments':
    case 'move_positions':
    case 'get_transaction_log':
      return { bucket: charge, ...pools[charge] }
    case 'cancel_all':
      return requests(charge, rateLimits.cancelAll)
    case 'trading':
      return isSpot(exchange, command) ? requests('spot', rateLimits.spot) : requests(charge, rateLimits.trading)
    case 'non_matching':
    case 'gateway_open_orders':
    case 'gateway_risk_limits':
      return requests('non_matching', rateLimits.nonMatching)
  }
}

function requests(bucket: string, terms: BucketTerms): Price {
  return { bucket, terms: creditsOf(terms), cost: WHOLE_REQUEST }
}

/** True if a request concerns only spot instruments. */
function isSpot(exchange: Exchange, command: Command): boolean {
  switch (command.kind) {
    case 'place_order':
      return kindOf(exchange, command.instrument) === 'spot'
    case 'edit_order':
    case 'cancel_order': {
      const slot = orderSlotOf(exchange, command.order)
      return slot !== NO_SLOT && kindOf(exchange, orderAt(exchange, slot).instrument) === 'spot'
    }
    case 'cancel_orders':
    case 'cancel_quotes': {
      const { instrument, kinds } = command.filter
      if (instrument !== null) return kindOf(exchange, instrument) === 'spot'
      return kinds?.every((kind) => kind === 'spot') === true
    }
    // Other commands name several instruments, or none.
    default:
      return false
  }
}

function kindOf(exchange: Exchange, instrument: number): InstrumentKind | undefined {
  return exchange.instruments[instrument]?.instrument.kind
}

/** The sides of a mass quote; none if it cannot be read. */
function sidesOf(command: Command): readonly NonNullable<MassQuote['quotes'][number]['bid']>[] {
  if (command.kind !== 'mass_quote') return []
  return command.quotes.flatMap(({ bid, ask }) => [bid, ask].filter((side) => side !== null))
}

function bucketOf(
  { rates, now }: Exchange,
  owner: number,
  { bucket, terms }: Pick<Price, 'bucket' | 'terms'>,
): RateBucket {
  const key = `${owner} ${bucket}`
  const found = rates.buckets.get(key) ?? fullBucket(terms, now)
  rates.buckets.set(key, found)
  return found
}

function refuse(turn: Turn, command: Command, bucket: string, refusal: Refusal): Refusal {
  emitStanding(turn, {
    protection: 'rate_limit',
    change: 'acted',
    account: command.account,
    session: command.session,
    group: bucket,
  })
  return refusal
}
