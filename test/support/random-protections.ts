/**
 * Random events of protections, sessions and switches. A part of `random-events.ts`.
 */
import { type AccountId, type InstrumentId, lots, micros, type RandomStream } from '../../src/core/index.ts'
import {
  type ChangedBy,
  currencyIdOf,
  type Event,
  type EventHeader,
  type EventOf,
  gatewayIds,
  makeOrderId,
  mmpTriggers,
  type OrderExtras,
  type SessionEnd,
  sessionKinds,
} from '../../src/model/index.ts'

const sessionEnds: readonly SessionEnd[] = [
  'logout',
  'disconnect',
  'inactivity',
  'heartbeat_failure',
  'displaced',
  'rate_limit',
]

/** Any event of protections, with fields that need not be consistent. */
export function randomProtection(
  random: RandomStream,
  header: EventHeader,
  at: { readonly account: AccountId; readonly instrument: InstrumentId },
): Event {
  const { account, instrument } = at
  const session = random.int(0, 3)
  const side = random.pick(['buy', 'sell'] as const)
  const cancelled = random.int(0, 2) * random.int(0, 400)
  switch (random.int(0, 4)) {
    case 0:
      return mmpEvent(random, { ...header, account, session, cancelled })
    case 1:
      return {
        ...{ kind: 'bump', ...header, account, instrument, session, side },
        change: random.pick(['queued', 'restarted', 'converted', 'released', 'withdrawn'] as const),
        order: makeOrderId(currencyIdOf('ETH'), random.int(1, 9e6), 'ordinary'),
        amount: lots(random.int(0, 9e7)),
        releaseAt: micros(header.time + 10_000),
        reason: random.pick([null, 'mmp_trigger', 'pme_risk_reduction'] as const),
        by: byOf(header),
      }
    case 2:
      return {
        ...{ kind: 'session', ...header, session, cancelled },
        change: random.pick(['opened', 'closed', 'cancel_on_disconnect_on'] as const),
        ...{ type: random.pick(sessionKinds), schemaVersion: random.int(9, 19) },
        account: random.chance(1, 3) ? -1 : account,
        gateway: random.pick([null, ...gatewayIds]),
        how: random.pick([null, ...sessionEnds]),
        cancelOnDisconnect: random.chance(1, 2),
        converted: random.int(0, 2),
        words: header.number % 2 === 0 ? '' : 'done',
      }
    case 3:
      return {
        ...{ kind: 'quote_refusal', ...header, account, instrument, side },
        group: random.int(1, 9),
        quoteSetId: random.pick(['', 'front', '数']),
        refusal: random.pick([{ reason: 'quote_crossed' }, { reason: 'mmp_trigger' }] as const),
      }
    default:
      return {
        ...{ kind: 'standing', ...header, session, cancelled },
        protection: random.pick(['quote_freeze', 'rate_limit', 'member', 'position_lock'] as const),
        change: random.pick(['on', 'off', 'acted'] as const),
        account: random.chance(1, 3) ? -1 : account,
        group: random.pick([null, 'BTC', 'cancel_all']),
        until: random.chance(1, 2) ? null : micros(header.time + 1_000_000),
        instrument: null,
      }
  }
}

/** Order fields that few orders have, or null. */
export function randomExtras(random: RandomStream): OrderExtras | null {
  if (random.chance(1, 2)) return null
  const mmp = { group: random.int(1, 9), index: 'btc_usd', name: random.pick([null, '', 'fast']) }
  const quote = { quoteId: random.pick(['1', '']), quoteSetId: random.pick(['front', '數']) }
  return {
    mmp: random.chance(1, 2) ? null : mmp,
    quote: random.chance(1, 2) ? null : quote,
    direct: random.chance(1, 2)
      ? null
      : { clientOrderId: random.pick([null, '18446744073709551615']), cancelOnDisconnect: true },
  }
}

/** The cause of a change, chosen by the number of its event, or null. */
export function byOf({ number }: Pick<EventHeader, 'number'>): ChangedBy | null {
  const all = [{ session: 7 }, { correlationId: '-9' }, { isBulk: true }, { isGroupGone: true }] as const
  return all[number % 7] ?? null
}

function mmpEvent(
  random: RandomStream,
  of: EventHeader & Pick<EventOf<'mmp'>, 'account' | 'session' | 'cancelled'>,
): Event {
  const limit = (): number | null => random.pick([null, random.int(0, 9e15)])
  return {
    ...{ kind: 'mmp', ...of, group: random.int(1, 9), index: 'eth_usd' },
    change: random.pick(['configured', 'removed', 'window_opened', 'triggered', 'reset'] as const),
    name: random.pick([null, 'fast']),
    config: random.chance(1, 3)
      ? null
      : {
          ...{ interval: micros(random.int(0, 1e7)), frozenTime: micros(random.int(0, 1e7)) },
          ...{ quantity9: limit(), delta9: limit(), vega9: limit() },
          ...{ maxQuote9: random.int(0, 9e15), tradeCount: random.pick([null, 3]) },
        },
    trigger: random.pick([null, ...mmpTriggers]),
    quantity9: random.int(0, 9e15),
    delta9: random.int(-4e15, 4e15),
    vega9: random.int(-4e15, 4e15),
    windowStart: random.chance(1, 2) ? null : of.time,
    frozenUntil: random.chance(1, 2) ? null : micros(of.time + 1_000_000),
    blockRfq: random.chance(1, 5),
    correlationId: of.number % 2 === 0 ? null : '-9',
  }
}
