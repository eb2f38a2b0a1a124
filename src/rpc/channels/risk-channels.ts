/**
 * The dangers of an account as channels: its lock, its liquidations, its part in the liquidity support programme.
 *
 * Source: sessions document 3.4, 7.4.
 */
import { type AccountId, defined } from '../../core/index.ts'
import { accountOf, instrumentAt, locksOf, viewLspConfig } from '../../engine/index.ts'
import type { Event, EventOf, Side } from '../../model/index.ts'
import { lspConfigOut, type WireLspConfig } from '../methods/index.ts'
import { amountOut, moneyOut, priceOut, timeOut } from '../wire/index.ts'
import type { Channel, ChannelWorld } from './channel.ts'
import { collecting } from './collecting-channel.ts'

/** A message of `user.lock`. */
export interface WireLock {
  /** True if nothing of the account may be traded or moved. */
  readonly locked: boolean
  /** Locks are of all currencies at once. */
  readonly currency: 'ALL'
}

/** A part of a position that changed hands. */
export interface WireHandedOver {
  readonly instrument_name: string
  /** The side of the account. */
  readonly direction: Side
  readonly amount: number
  readonly price: number
  readonly currency: string
}

/** A message of `user.liquidation` and `user.isolated.liquidation`. */
export interface WireLiquidation extends Partial<WireHandedOver> {
  readonly state:
    | 'liquidation_started'
    | 'liquidation_completed'
    | 'close_out_liquidation_started'
    | 'close_out_liquidation_completed'
    | 'lsp_transfer'
    | 'adl_transfer'
    | 'adl_transfer_received'
  readonly user_id: number
  /** Paid by the account, or received by who closed a position of his. */
  readonly commission?: number
  readonly timestamp: number
  /** True if it is of a subaccount that its main account hears of. */
  readonly isolated?: boolean
}

/** A message of `user.lsp`. */
export type WireLspMessage =
  | (Partial<WireHandedOver> & {
      readonly type: 'transfer'
      readonly success: boolean
      readonly error_reason?: 'not_enough_funds'
      readonly timestamp: number
    })
  | { readonly type: 'enabled'; readonly timestamp: number }
  | { readonly type: 'disabled'; readonly automatic: boolean; readonly timestamp: number }
  | {
      readonly type: 'configuration_changed'
      readonly configuration: WireLspConfig['config']
      readonly timestamp: number
    }

/** The lock of an account, when it changes. */
export function lockChannel({ exchange }: ChannelWorld, account: AccountId): Channel {
  const isLocked = (): boolean => locksOf(exchange, account).length > 0
  let told = isLocked()
  return {
    interval: 'raw',
    subject: {},
    scope: 'account:read',
    collect: (): readonly WireLock[] => {
      const locked = isLocked()
      if (locked === told) return []
      told = locked
      return [{ locked, currency: 'ALL' }]
    },
  }
}

/** The liquidations of an account, and what others' did to its positions. */
export function liquidationChannel(world: ChannelWorld, account: AccountId): Channel {
  return collectingMany((event) => liquidationsOf(world, event, account))
}

/**
 * The liquidations of the subaccounts of a main account. Assumed: those are its isolated accounts, each of which is
 * liquidated for itself.
 */
export function isolatedLiquidationChannel(world: ChannelWorld, account: AccountId): Channel {
  const { exchange } = world
  return collectingMany((event) =>
    partiesOf(event)
      .filter((id) => id !== account && accountOf(exchange, id).main === account)
      .flatMap((id) => liquidationsOf(world, event, id))
      .map((message) => ({ ...message, isolated: true })),
  )
}

/** Positions that an account took over as a participant of the liquidity support programme, and its configuration. */
export function lspChannel({ exchange }: ChannelWorld, account: AccountId): Channel {
  let isEnabled = viewLspConfig(exchange, account)?.enabled === true
  return collecting('account:read', (event): WireLspMessage | undefined => {
    const timestamp = timeOut(event.time)
    if (event.kind === 'position_transfer') {
      if (event.reason !== 'lsp' || event.to.account !== account) return undefined
      const taken = handedOver({ exchange }, event, event.amount > 0 ? 'buy' : 'sell')
      return { type: 'transfer', ...taken, success: true, timestamp }
    }
    if (event.kind === 'lsp' && event.account === account) {
      if (event.change === 'disabled') {
        isEnabled = false
        return { type: 'disabled', automatic: true, timestamp }
      }
      return event.change === 'failed'
        ? { type: 'transfer', success: false, error_reason: 'not_enough_funds', timestamp }
        : undefined
    }
    if (event.kind !== 'lsp_participant' || event.account !== account) return undefined
    const wasEnabled = isEnabled
    isEnabled = event.enabled
    if (!isEnabled) return { type: 'disabled', automatic: false, timestamp }
    if (!wasEnabled) return { type: 'enabled', timestamp }
    const configuration = lspConfigOut(
      defined(viewLspConfig(exchange, account), 'a participant that was enabled is configured'),
    ).config
    return { type: 'configuration_changed', configuration, timestamp }
  })
}

/** A channel that tells any number of messages of an event. */
function collectingMany<Message>(tell: (event: Event) => readonly Message[]): Channel {
  let told: Message[] = []
  return {
    interval: 'raw',
    subject: {},
    scope: 'account:read',
    take: (event) => {
      told.push(...tell(event))
    },
    collect: () => {
      const messages = told
      told = []
      return messages
    },
  }
}

/** Accounts that an event of a liquidation is about. */
function partiesOf(event: Event): readonly AccountId[] {
  if (event.kind === 'liquidation') return [event.account]
  return event.kind === 'position_transfer' ? [event.from.account, event.to.account] : []
}

/** The messages that an event of a liquidation is to an account. */
function liquidationsOf(
  world: Pick<ChannelWorld, 'exchange'>,
  event: Event,
  account: AccountId,
): readonly WireLiquidation[] {
  const header = { user_id: account, timestamp: timeOut(event.time) }
  if (event.kind === 'liquidation') {
    if (event.account !== account) return []
    const state = event.change === 'started' ? 'liquidation_started' : 'liquidation_completed'
    return [{ state, ...header, currency: event.currency }]
  }
  if (event.kind !== 'position_transfer') return []
  const isGiver = event.from.account === account
  if (!isGiver && event.to.account !== account) return []
  const side = isGiver === event.amount > 0 ? 'sell' : 'buy'
  const part = { ...header, ...handedOver(world, event, side) }
  const commission = moneyOut(isGiver ? event.commission : event.commissionToTarget)
  switch (event.reason) {
    case 'lsp':
      return isGiver ? [{ state: 'lsp_transfer', ...part, commission }] : []
    case 'adl':
      return [{ state: isGiver ? 'adl_transfer' : 'adl_transfer_received', ...part, commission }]
    case 'close_out':
      if (!isGiver) return []
      return [
        { state: 'close_out_liquidation_started', ...part, commission },
        { state: 'close_out_liquidation_completed', ...part, commission },
      ]
    default:
      return []
  }
}

function handedOver(
  { exchange }: Pick<ChannelWorld, 'exchange'>,
  event: EventOf<'position_transfer'>,
  direction: Side,
): WireHandedOver {
  const instrument = instrumentAt(exchange, event.instrument)
  return {
    instrument_name: instrument.name,
    direction,
    amount: Math.abs(amountOut(instrument, event.amount)),
    price: priceOut(event.price),
    currency: instrument.settlementCurrency,
  }
}
