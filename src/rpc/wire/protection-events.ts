/**
 * Events of market-maker protection, the speed bump, sessions, locks and switches as printed lines (see
 * `events.ts`).
 */
import { formatIsoTime, type Micros, scaledToNumber } from '../../core/index.ts'
import type {
  MmpChanged,
  MmpConfig,
  ProtectionEvent,
  SessionChanged,
  StandingChanged,
} from '../../model/index.ts'
import { errorOf } from './errors.ts'
import { orderIdOut } from './ids.ts'
import type { Names } from './money-events.ts'
import { amountOut } from './numbers.ts'

/** The fields of an event beside its head. */
export function protectionFields(names: Names, event: ProtectionEvent): object {
  switch (event.kind) {
    case 'mmp_changed':
      return mmpFields(names, event)
    case 'bump_changed': {
      const instrument = names.instrumentOf(event.instrument)
      return {
        change: event.change,
        order: orderIdOut(instrument, event.order),
        account: names.nameOf(event.account),
        instrument: instrument.name,
        ...sessionField(event.session),
        side: event.side,
        amount: amountOut(instrument, event.amount),
        release_at: formatIsoTime(event.releaseAt),
        ...(event.reason === null ? {} : { reason: event.reason }),
      }
    }
    case 'session_changed':
      return sessionFields(names, event)
    case 'quote_refused':
      return {
        account: names.nameOf(event.account),
        instrument: names.instrumentOf(event.instrument).name,
        side: event.side,
        group: event.group,
        quote_set_id: event.quoteSetId,
        error: errorOf(event.refusal),
      }
    case 'standing_changed':
      return standingFields(names, event)
  }
}

function mmpFields(names: Names, event: MmpChanged): object {
  return {
    change: event.change,
    account: names.nameOf(event.account),
    ...sessionField(event.session),
    group: event.group,
    index: event.index,
    ...(event.name === null ? {} : { mmp_group: event.name }),
    ...(event.config === null ? {} : configFields(event.config)),
    ...(event.trigger === null ? {} : { trigger: event.trigger }),
    quantity: nano(event.quantity9),
    delta: nano(event.delta9),
    vega: nano(event.vega9),
    ...(event.windowStart === null ? {} : { window_start: formatIsoTime(event.windowStart) }),
    ...(event.change === 'triggered' ? { frozen_until: timeOrNull(event.frozenUntil) } : {}),
    ...(event.cancelled === 0 ? {} : { cancelled: event.cancelled }),
  }
}

function configFields(config: MmpConfig): object {
  const { quantity9, delta9, vega9, maxQuote9 } = config
  return {
    interval: scaledToNumber(BigInt(config.interval), 6),
    frozen_time: scaledToNumber(BigInt(config.frozenTime), 6),
    ...(quantity9 === null ? {} : { quantity_limit: nano(quantity9) }),
    ...(delta9 === null ? {} : { delta_limit: nano(delta9) }),
    ...(vega9 === null ? {} : { vega_limit: nano(vega9) }),
    max_quote_quantity: nano(maxQuote9),
  }
}

function sessionFields(names: Names, event: SessionChanged): object {
  return {
    change: event.change,
    session: event.session,
    type: event.type,
    ...(event.account === -1 ? {} : { account: names.nameOf(event.account) }),
    ...(event.gateway === null ? {} : { gateway: event.gateway }),
    ...(event.how === null ? {} : { how: event.how }),
    cancel_on_disconnect: event.cancelOnDisconnect,
    ...(event.change === 'closed'
      ? { cancelled: event.cancelled, converted: event.converted }
      : {}),
  }
}

function standingFields(names: Names, event: StandingChanged): object {
  return {
    protection: event.protection,
    change: event.change,
    ...(event.account === -1 ? {} : { account: names.nameOf(event.account) }),
    ...sessionField(event.session),
    ...(event.group === null ? {} : { group: event.group }),
    ...(event.until === null ? {} : { until: formatIsoTime(event.until) }),
    ...(event.cancelled === 0 ? {} : { cancelled: event.cancelled }),
  }
}

function sessionField(session: number): object {
  return session === 0 ? {} : { session }
}

function timeOrNull(time: Micros | null): string | null {
  return time === null ? null : formatIsoTime(time)
}

/** A count of 1e-9 as a number. */
function nano(value9: number): number {
  return scaledToNumber(BigInt(value9), 9)
}
