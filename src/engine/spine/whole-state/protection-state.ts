/**
 * Sessions, the speed bump, locks and switches as part of the whole state: in snapshots.
 */
import { snapshotTimerQueue } from '../../../core/index.ts'
import type { AccountLock, Currency, RiskLimits, TradingProduct } from '../../../model/index.ts'
import {
  type AccountStanding,
  accountRow,
  type Bump,
  type ConnectionTask,
  type Exchange,
  type HeldRequest,
  type SessionRow,
} from '../../state/index.ts'
import { type MmpGroupState, mmpGroupsSection, restoreMmpGroups } from './mmp-state.ts'
import { type RatesState, ratesSection, restoreRates } from './rates-state.ts'

/** What was set about an account as plain data. */
type StandingState = Pick<
  AccountStanding,
  'permissions' | 'isPortfolioLocked' | 'cancelOnDisconnect'
> & {
  readonly locks: readonly string[]
  readonly disabledProducts: readonly TradingProduct[]
  readonly quoteFreezes: readonly (readonly [Currency | null, number])[]
  readonly riskLimits: readonly (readonly [string, RiskLimits])[]
}

/** Protections as plain data. */
export type ProtectionsSection = {
  readonly sessions: readonly SessionRow[]
  readonly connectionTimers: ReturnType<typeof snapshotTimerQueue<ConnectionTask>>
  readonly bumps: readonly Bump[]
  readonly heldRequests: readonly (readonly [number, HeldRequest])[]
  readonly standings: readonly StandingState[]
  readonly inactiveGateways: readonly string[]
  readonly disabledMessages: readonly string[]
  readonly isAlgoCancelOnly: boolean
  /** Limits of all portfolios. */
  readonly riskLimits: readonly (readonly [string, RiskLimits])[]
  readonly altMatches: number
  readonly mmpGroups: readonly MmpGroupState[]
  readonly rates: RatesState
}

/** The section of a snapshot. */
export function protectionsSection(exchange: Exchange): ProtectionsSection {
  const { sessions, connectionTimers, bumps, heldRequests, venue, altMatches } = exchange
  return {
    sessions: [...sessions.values()].map((row) => ({ ...row })),
    connectionTimers: snapshotTimerQueue(connectionTimers),
    bumps: [...bumps.values()].map((bump) => ({ ...bump, held: [...bump.held] })),
    heldRequests: [...heldRequests].map(([cause, held]) => [cause, { ...held }] as const),
    standings: exchange.accounts.map(({ standing }) => ({
      permissions: standing.permissions,
      isPortfolioLocked: standing.isPortfolioLocked,
      cancelOnDisconnect: standing.cancelOnDisconnect,
      locks: [...standing.locks],
      disabledProducts: [...standing.disabledProducts],
      quoteFreezes: [...standing.quoteFreezes],
      riskLimits: [...standing.riskLimits],
    })),
    inactiveGateways: [...venue.inactiveGateways],
    disabledMessages: [...venue.disabledMessages],
    isAlgoCancelOnly: venue.isAlgoCancelOnly,
    riskLimits: [...venue.riskLimits],
    altMatches,
    mmpGroups: mmpGroupsSection(exchange),
    rates: ratesSection(exchange),
  }
}

/** Puts it back into an exchange whose accounts and orders are restored. */
export function restoreProtections(exchange: Exchange, section: ProtectionsSection): void {
  const { venue } = exchange
  for (const row of section.sessions) exchange.sessions.set(row.session, { ...row })
  for (const bump of section.bumps) {
    exchange.bumps.set(bump.order, { ...bump, held: [...bump.held] })
  }
  for (const [cause, held] of section.heldRequests) exchange.heldRequests.set(cause, { ...held })
  for (const [account, state] of section.standings.entries()) {
    const { standing } = accountRow(exchange, account)
    const { permissions, isPortfolioLocked, cancelOnDisconnect } = state
    Object.assign(standing, { permissions, isPortfolioLocked, cancelOnDisconnect })
    // The words and times are those that were written.
    for (const lock of state.locks as readonly AccountLock[]) {
      standing.locks.add(lock)
    }
    for (const product of state.disabledProducts) standing.disabledProducts.add(product)
    const freezes = state.quoteFreezes as Iterable<[Currency | null, never]>
    for (const [currency, until] of freezes) standing.quoteFreezes.set(currency, until)
    for (const [index, limits] of state.riskLimits) standing.riskLimits.set(index, limits)
  }
  const gateways = section.inactiveGateways as Iterable<never>
  for (const gateway of gateways) venue.inactiveGateways.add(gateway)
  const messages = section.disabledMessages as Iterable<never>
  for (const message of messages) venue.disabledMessages.add(message)
  venue.isAlgoCancelOnly = section.isAlgoCancelOnly
  // Those that the run started with may be gone.
  venue.riskLimits.clear()
  for (const [index, limits] of section.riskLimits) venue.riskLimits.set(index, limits)
  exchange.altMatches = section.altMatches
  restoreMmpGroups(exchange, section.mmpGroups)
  restoreRates(exchange, section.rates)
}
