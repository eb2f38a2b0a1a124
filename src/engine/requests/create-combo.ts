/**
 * Returns the existing active combo; otherwise creates or reopens it if there is room.
 *
 * The limits count option combos that are neither inactive nor delivered. If a new one would exceed the soft limit,
 * idle combos become inactive first, in the order of listing: those without orders, and without a trade for 24 hours.
 * At the hard limit no combo is created. An inactive combo opens again when it is requested.
 *
 * Rule: combo.create. Source: trading.md 6.15 (C33d); market.md 1.1.
 * Assumed: a combo counts as used when it is listed and when it opens again; a combo that a control made inactive also
 * opens again; future combos do not count, because futures are few.
 */
import { ordersInBook } from '../../book/index.ts'
import { assert, MICROS_PER_DAY } from '../../core/index.ts'
import { hasContractTerms } from '../../ledger/index.ts'
import { type CreateCombo, type Refusal, validationStep } from '../../model/index.ts'
import { addInstrument, endOrders, lockWhereStale, setState } from '../day/index.ts'
import { type CheckResult, type Exchange, type InstrumentRow, pass, refuse, type Turn } from '../state/index.ts'
import { type Handlers, seal } from './handler.ts'

/** Plan for a requested combo. */
interface ComboPlan {
  /** The existing combo, or null. */
  readonly row: InstrumentRow | null
  /** True if the combo is listed or opens again. */
  readonly opens: boolean
  /** Idle combos that become inactive to make room. */
  readonly idle: readonly InstrumentRow[]
}

const step = validationStep

/** Every leg must be listed and open, and there must be room for a new combo. */
function checkCreateCombo(exchange: Exchange, command: CreateCombo): CheckResult<ComboPlan> {
  const row = exchange.instruments[exchange.instrumentIds.get(command.spec.name) ?? -1] ?? null
  if (row !== null && row.state !== 'inactive') return pass({ row, opens: false, idle: [] })
  if (command.spec.detail.type !== 'combo' || !hasContractTerms(command.spec)) {
    return refuse(step.instrument, { reason: 'invalid_or_unsupported_instrument' })
  }
  for (const { instrumentName } of command.spec.detail.legs) {
    const leg = exchange.instruments[exchange.instrumentIds.get(instrumentName) ?? -1]
    const closed = legRefusal(leg)
    if (closed !== null) {
      return refuse(leg === undefined ? step.instrument : step.bookState, closed)
    }
  }
  if (command.spec.kind === 'future_combo') return pass({ row, opens: true, idle: [] })
  const { soft, hard } = exchange.config.comboLimits
  const active = exchange.instruments.filter(isActive)
  const most = Math.max(0, active.length + 1 - soft)
  const idle = active.filter((combo) => isIdle(exchange, combo)).slice(0, most)
  if (active.length - idle.length >= hard) {
    return refuse(step.openOrderLimits, { reason: 'active_combo_limit_reached' })
  }
  return pass({ row, opens: true, idle })
}

/** Lists the combo, or opens it again. */
function commitCreateCombo(turn: Turn, { spec }: CreateCombo, plan: ComboPlan): number {
  for (const row of plan.idle) {
    setState(turn, row, 'inactive')
    endOrders(turn, row, 'risk_mitigation')
  }
  const { instrumentIds } = turn.exchange
  if (plan.row === null) assert(!instrumentIds.has(spec.name), 'a combo is listed only once')
  if (plan.row === null) addInstrument(turn, spec, null)
  else if (plan.opens) {
    setState(turn, plan.row, 'open')
    lockWhereStale(turn, plan.row)
    plan.row.usedAt = turn.exchange.now
  }
  assert(instrumentIds.has(spec.name), 'a created combo is known by its name')
  return 1
}

function legRefusal(leg: InstrumentRow | undefined): Refusal | null {
  if (leg === undefined) return { reason: 'not_found' }
  if (leg.deliveredAt !== null) return { reason: 'book_closed' }
  return leg.state === 'open' ? null : { reason: 'unavailable_for_combo_books' }
}

function isActive({ instrument, state }: InstrumentRow): boolean {
  return instrument.kind === 'option_combo' && state !== 'inactive' && state !== 'delivered'
}

function isIdle(exchange: Exchange, row: InstrumentRow): boolean {
  return ordersInBook(row.book) === 0 && exchange.now - row.usedAt >= MICROS_PER_DAY
}

export const createComboHandlers: Handlers<'create_combo'> = {
  create_combo: seal({ check: checkCreateCombo, commit: commitCreateCombo }),
}
