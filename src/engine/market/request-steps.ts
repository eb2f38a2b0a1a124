/**
 * The validation steps for a request, before there is an order for the steps of `steps.ts`: whether the request may
 * still be executed, which order or instrument it names, and for a mass quote the reasons that refuse all of it.
 *
 * Rule: order.validation. Source: trading.md C07, 6.16 (C34); sessions-blocks-gateways.md 8.5, 8.7.
 */
import {
  type CommandHeader,
  type EditOrder,
  type Fault,
  type PlaceOrder,
  type Refusal,
  type ValidationStep,
  validationStep,
} from '../../model/index.ts'
import { type Exchange, instrumentOf, isDirect, orderAt } from '../state/index.ts'
import { amendRefusal, portfolioRefusal, routingRefusal } from './direct-checks.ts'
import { isTooLate } from './order-checks.ts'
import { findOwnOrder } from './own-order.ts'
import {
  directSizeRefusal,
  freezeRefusal,
  groupRefusal,
  makerRefusal,
  type QuotesAsked,
  quotesRoutingRefusal,
  shapeRefusal,
} from './quotes-checks.ts'
import { waitingAt } from './waiting.ts'

/**
 * Requests that create or change orders.
 * - `place`: a placement by JSON-RPC.
 * - `edit`: new terms for a live order, by JSON-RPC or direct access.
 * - `quotes`: a mass quote, as a whole.
 * - `direct`: a placement by direct access.
 */
export const requestWays = ['place', 'edit', 'quotes', 'direct'] as const

export type RequestWay = (typeof requestWays)[number]

/** An edit, and the slot of the order that it names, which the instrument step finds. */
export interface EditAsked {
  readonly command: EditOrder
  slot: number
}

/** Requests in the form that the steps check. */
interface RequestOf {
  readonly place: Pick<PlaceOrder, 'account' | 'session' | 'validUntil'> & {
    readonly instrument: number
  }
  readonly edit: EditAsked
  readonly quotes: QuotesAsked
  readonly direct: RequestOf['place'] & Pick<PlaceOrder, 'display'>
}

type Check<W extends RequestWay> = (exchange: Exchange, request: RequestOf[W]) => Refusal | null

/** A step with its checks for the requests to which it applies. */
interface RequestStep {
  readonly step: keyof typeof validationStep
  readonly says: string
  readonly checks: { readonly [W in RequestWay]?: Check<W> }
}

/** The list of steps. A step runs only if all steps before it pass. */
export const requestSteps: readonly RequestStep[] = [
  {
    step: 'parameters',
    says: 'direct access: the portfolio may trade; the number of quotes is within the limit, and all are on one index',
    checks: {
      edit: (exchange, { command }) => directPortfolioRefusal(exchange, command),
      quotes: (exchange, asked) => shapeRefusal(exchange, asked) ?? directPortfolioRefusal(exchange, asked.command),
      direct: (exchange, { account, display }) => portfolioRefusal(exchange, account, { isAlgo: display > 0 }),
    },
  },
  {
    step: 'validUntil',
    says: 'the deadline of the request has not passed',
    checks: {
      place: lateRefusal,
      edit: (exchange, { command }) => lateRefusal(exchange, command),
      quotes: (exchange, { command }) => lateRefusal(exchange, command),
    },
  },
  {
    step: 'instrument',
    says: "the instrument is listed, and the live order belongs to the account; direct access: it is on the gateway's pair",
    checks: {
      place: ({ instruments }, { instrument }) =>
        instruments[instrument] === undefined ? { reason: 'not_found' } : null,
      edit: findEdited,
      quotes: quotesRoutingRefusal,
      direct: (exchange, { session, instrument }) =>
        routingRefusal(exchange, session, exchange.instruments[instrument]),
    },
  },
  {
    step: 'accountLocks',
    says: 'the account is not locked and may quote; its session cancels its quotes when it ends',
    checks: { quotes: makerRefusal },
  },
  {
    step: 'argumentCombination',
    says: 'the group exists, has limits, and belongs to the index of the quotes',
    checks: { quotes: groupRefusal },
  },
  {
    step: 'amount',
    says: 'direct access: an invalid size does not reject the other quotes',
    checks: { quotes: directSizeRefusal },
  },
  {
    step: 'mmp',
    says: 'no bulk cancel and no market-maker protection freezes the group',
    checks: { quotes: freezeRefusal },
  },
]

/** A check with the number of its step. */
interface Numbered<W extends RequestWay> {
  readonly at: ValidationStep
  readonly check: Check<W>
}

function checksOf<W extends RequestWay>(way: W): readonly Numbered<W>[] {
  return requestSteps.flatMap(({ step, checks }) => {
    const check = checks[way]
    return check === undefined ? [] : [{ at: validationStep[step], check }]
  })
}

const orders: { readonly [W in RequestWay]: readonly Numbered<W>[] } = {
  place: checksOf('place'),
  edit: checksOf('edit'),
  quotes: checksOf('quotes'),
  direct: checksOf('direct'),
}

/**
 * Checks a request by the steps of its way, up to and including the step `until`. The first step that refuses decides.
 */
export function admitRequest<W extends RequestWay>(
  exchange: Exchange,
  way: W,
  request: RequestOf[W],
  until: ValidationStep = validationStep.speedBump,
): Fault | null {
  for (const { at, check } of orders[way]) {
    if (at > until) break
    const refusal = check(exchange, request)
    if (refusal !== null) return { step: at, refusal }
  }
  return null
}

function lateRefusal({ now }: Exchange, { validUntil }: Pick<PlaceOrder, 'validUntil'>): Refusal | null {
  return isTooLate(now, validUntil) ? { reason: 'timed_out' } : null
}

/** The portfolio check of direct access; passes requests that come by JSON-RPC. */
function directPortfolioRefusal(
  exchange: Exchange,
  { account, session }: Pick<CommandHeader, 'account' | 'session'>,
): Refusal | null {
  return isDirect(exchange, session) ? portfolioRefusal(exchange, account, { isAlgo: false }) : null
}

/** Finds the order to edit, and stores its slot in the request. */
function findEdited(exchange: Exchange, asked: EditAsked): Refusal | null {
  const { command } = asked
  const found = findOwnOrder(exchange, command, 'already_closed')
  if (!found.ok) return found.fault.refusal
  const slot = found.plan
  asked.slot = slot
  // A waiting order that was to be cancelled counts as closed.
  if ((waitingAt(exchange, slot)?.converted ?? null) !== null) return { reason: 'already_closed' }
  if (!isDirect(exchange, command.session)) return null
  const order = orderAt(exchange, slot)
  return amendRefusal(exchange, command, { row: instrumentOf(exchange, slot), order })
}
