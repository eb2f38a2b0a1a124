/**
 * Liquidations and the liquidity support programme as part of the whole state: in snapshots and in the audit.
 */
import { assert, snapshotTimerQueue } from '../../../core/index.ts'
import type { LspGroup } from '../../../model/index.ts'
import {
  accountRow,
  type Exchange,
  type Liquidation,
  type LspWindow,
  type Participant,
} from '../../state/index.ts'

/** Liquidations as plain data. */
export type LiquidationsSection = {
  readonly suspects: readonly number[]
  readonly isRoundAwaited: boolean
  readonly lastRound: number
  readonly fundingLook: Exchange['fundingLook']
  readonly transferCount: number
  readonly liquidations: readonly {
    readonly account: number
    readonly liquidation: Liquidation
  }[]
  readonly participants: readonly ParticipantState[]
}

/** A participant as plain data. */
type ParticipantState = Omit<Participant, 'windows'> & {
  readonly windows: readonly (LspWindow & { readonly group: LspGroup })[]
}

/** The section of a snapshot. */
export function liquidationsSection(exchange: Exchange): LiquidationsSection {
  const { suspects, isRoundAwaited, lastRound, fundingLook, transferCount } = exchange
  return {
    suspects: [...suspects],
    isRoundAwaited,
    lastRound,
    fundingLook,
    transferCount,
    liquidations: exchange.accounts.flatMap(({ account, liquidations }) =>
      liquidations.map((liquidation) => ({
        account: account.id,
        liquidation: { ...liquidation },
      })),
    ),
    participants: [...exchange.participants.values()].map(({ windows, ...rest }) => ({
      ...rest,
      windows: [...windows].map(([group, window]) => ({ group, ...window })),
    })),
  }
}

/** Puts it back. */
export function restoreLiquidations(exchange: Exchange, section: LiquidationsSection): void {
  for (const account of section.suspects) exchange.suspects.add(account)
  exchange.isRoundAwaited = section.isRoundAwaited
  exchange.lastRound = section.lastRound
  exchange.fundingLook = section.fundingLook
  exchange.transferCount = section.transferCount
  for (const { account, liquidation } of section.liquidations) {
    accountRow(exchange, account).liquidations.push({ ...liquidation })
  }
  for (const { windows, ...rest } of section.participants) {
    exchange.participants.set(rest.account, {
      ...rest,
      failures: [...rest.failures],
      windows: new Map(windows.map(({ group, ...window }) => [group, { ...window }])),
    })
  }
}

/** A round is awaited where there are suspects, and whoever is being liquidated is one. */
export function auditLiquidations(exchange: Exchange): void {
  const { accounts, suspects, isRoundAwaited, fundingLook } = exchange
  const { timers } = snapshotTimerQueue(exchange.timers)
  const rounds = timers.filter(({ payload }) => payload.kind === 'liquidation_round')
  assert(rounds.length === (isRoundAwaited ? 1 : 0), 'one round is awaited')
  const looks = timers.filter(({ payload }) => payload.kind === 'funding_look')
  assert(looks.length === (fundingLook === null ? 0 : 1), 'one look at funding is awaited')
  assert(looks[0]?.id === fundingLook?.timer, 'it is the one that is known')
  assert(suspects.size === 0 || isRoundAwaited, 'a round is awaited for suspects')
  for (const { account, liquidations } of accounts) {
    const isLocked = liquidations.length > 0
    assert(!isLocked || suspects.has(account.id), 'whoever is liquidated is looked at each round')
    assert(!isLocked || !account.house, 'the house is not liquidated')
  }
}
