/**
 * The steps of validation that look at a request, before there is an order that those of `steps.ts` look at: whether
 * it may still be carried out, what it names, and of a mass quote what refuses all of it.
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
 * Requests that make orders or change them.
 * - `place`: a placement by JSON-RPC.
 * - `edit`: other terms for a live order, by JSON-RPC or direct access.
 * - `quotes`: a mass quote, as a whole.
 * - `direct`: a placement by direct access.
 */
export const requestWays = ['place', 'edit', 'quotes', 'direct'] as const

export type RequestWay = (typeof requestWays)[number]

/** An edit, and the slot of the order that it names, which the step of the instrument finds. */
export interface EditAsked {
  readonly command: EditOrder
  slot: number
}

/** Requests as the steps look at them. */
interface RequestOf {
  readonly place: Pick<PlaceOrder, 'account' | 'session' | 'validUntil'> & {
    readonly instrument: number
  }
  readonly edit: EditAsked
  readonly quotes: QuotesAsked
  readonly direct: RequestOf['place'] & Pick<PlaceOrder, 'display'>
}

type Check<W extends RequestWay> = (exchange: Exchange, request: RequestOf[W]) => Refusal | null

/** A step with the checks of the requests that it applies to. */
interface RequestStep {
  readonly step: keyof typeof validationStep
  readonly says: string
  readonly checks: { readonly [W in RequestWay]?: Check<W> }
}

/** The list. A later step is looked at only where all before it pass. */
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

/** A check under its number. */
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

/** Checks a request by the steps of its way, to the last that is named, included; the first that refuses decides. */
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

/** The same check for requests that come by JSON-RPC too, where it finds nothing. */
function directPortfolioRefusal(
  exchange: Exchange,
  { account, session }: Pick<CommandHeader, 'account' | 'session'>,
): Refusal | null {
  return isDirect(exchange, session) ? portfolioRefusal(exchange, account, { isAlgo: false }) : null
}

/** Finds the order to edit. */
function findEdited(exchange: Exchange, asked: EditAsked): Refusal | null {
  const { command } = asked
  const found = findOwnOrder(exchange, command, 'already_closed')
  if (!found.ok) return found.fault.refusal
  const slot = found.plan
  asked.slot = slot
  // What waits and was to be cancelled is as good as gone.
  if ((waitingAt(exchange, slot)?.converted ?? null) !== null) return { reason: 'already_closed' }
  if (!isDirect(exchange, command.session)) return null
  const order = orderAt(exchange, slot)
  return amendRefusal(exchange, command, { row: instrumentOf(exchange, slot), order })
}
