/**
 * The risks of an account as channels: its lock, its liquidations, and its part in the liquidity support programme.
 *
 * Source: sessions document 3.4, 7.4.
 */

import { type AccountId, defined } from '../../core/index.ts'
import { accountOf, instrumentAt, locksOf, viewLspConfig } from '../../engine/index.ts'
import type { EventOf, Side } from '../../model/index.ts'
import { rowsOf } from '../history/index.ts'
import { accessOut, lspConfigOut, type WireAccess, type WireLspConfig } from '../methods/index.ts'
import { amountOut, moneyOut, priceOut, timeOut } from '../wire/index.ts'
import { type Channel, type ChannelWorld, collecting, type MessageReaders, takersOf } from './channel.ts'

/** A message of `user.lock`. */
export interface WireLock {
  /** True if nothing of the account may be traded or moved. */
  readonly locked: boolean
  /** A lock always covers all currencies. */
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
  /** Commission that the account paid, or received for taking over a position. */
  readonly commission?: number
  readonly timestamp: number
  /** True if it is of a subaccount that its main account hears of. */
  readonly isolated?: boolean
}

/** A message of `user.lsp`. */
type WireLspMessage =
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
export function lockChannel({ exchange }: ChannelWorld, account: AccountId): Channel<WireLock> {
  const isLocked = (): boolean => locksOf(exchange, account).length > 0
  let sent = isLocked()
  return {
    interval: 'raw',
    subject: {},
    collect: (): readonly WireLock[] => {
      const locked = isLocked()
      if (locked === sent) return []
      sent = locked
      return [{ locked, currency: 'ALL' }]
    },
  }
}

/** The liquidations of an account, and the position transfers that liquidations of other accounts caused for it. */
export function liquidationChannel(world: ChannelWorld, account: AccountId): Channel<WireLiquidation> {
  return collectingMany({
    liquidation: (event) => liquidationsOf(event, account),
    position_transfer: (event) => handoversOf(world, event, account),
  })
}

/**
 * The liquidations of the subaccounts of a main account. Assumed: the isolated accounts of the venue are the
 * subaccounts, which are liquidated one by one.
 */
export function isolatedLiquidationChannel(world: ChannelWorld, account: AccountId): Channel<WireLiquidation> {
  const isOwn = (id: AccountId): boolean => id !== account && accountOf(world.exchange, id).main === account
  const isolated = (messages: readonly WireLiquidation[]): readonly WireLiquidation[] =>
    messages.map((message) => ({ ...message, isolated: true }))
  return collectingMany({
    liquidation: (event) => (isOwn(event.account) ? isolated(liquidationsOf(event, event.account)) : []),
    position_transfer: (event) =>
      [event.from.account, event.to.account].filter(isOwn).flatMap((id) => isolated(handoversOf(world, event, id))),
  })
}

/** Positions that an account took over as a participant of the liquidity support programme, and its configuration. */
export function lspChannel({ exchange }: ChannelWorld, account: AccountId): Channel<WireLspMessage> {
  let isEnabled = viewLspConfig(exchange, account)?.enabled === true
  return collecting<WireLspMessage>({
    position_transfer: (event) => {
      if (event.reason !== 'lsp' || event.to.account !== account) return undefined
      const taken = handedOver({ exchange }, event, event.amount > 0 ? 'buy' : 'sell')
      return { type: 'transfer', ...taken, success: true, timestamp: timeOut(event.time) }
    },
    lsp: ({ time, account: participant, change }) => {
      if (participant !== account) return undefined
      const timestamp = timeOut(time)
      if (change === 'disabled') {
        isEnabled = false
        return { type: 'disabled', automatic: true, timestamp }
      }
      return change === 'failed'
        ? { type: 'transfer', success: false, error_reason: 'not_enough_funds', timestamp }
        : undefined
    },
    lsp_participant: ({ time, account: participant, enabled }) => {
      if (participant !== account) return undefined
      const timestamp = timeOut(time)
      const wasEnabled = isEnabled
      isEnabled = enabled
      if (!isEnabled) return { type: 'disabled', automatic: false, timestamp }
      if (!wasEnabled) return { type: 'enabled', timestamp }
      const configuration = lspConfigOut(
        defined(viewLspConfig(exchange, account), 'an enabled participant has settings'),
      ).config
      return { type: 'configuration_changed', configuration, timestamp }
    },
  })
}

/** A channel that makes any number of messages from each event. */
function collectingMany<Message>(readers: MessageReaders<readonly Message[]>): Channel<Message> {
  let pending: Message[] = []
  return {
    interval: 'raw',
    subject: {},
    takes: takersOf(readers, (messages) => {
      pending.push(...messages)
    }),
    collect: () => {
      const messages = pending
      pending = []
      return messages
    },
  }
}

/** The messages that an account receives when its liquidation begins or ends. */
function liquidationsOf(event: EventOf<'liquidation'>, account: AccountId): readonly WireLiquidation[] {
  if (event.account !== account) return []
  const header = { user_id: account, timestamp: timeOut(event.time) }
  const state = event.change === 'started' ? 'liquidation_started' : 'liquidation_completed'
  return [{ state, ...header, currency: event.currency }]
}

/** The messages that an account receives when a position changes hands. */
function handoversOf(
  world: Pick<ChannelWorld, 'exchange'>,
  event: EventOf<'position_transfer'>,
  account: AccountId,
): readonly WireLiquidation[] {
  const header = { user_id: account, timestamp: timeOut(event.time) }
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
    case 'move':
    case 'allocation':
      return []
  }
}

function handedOver(
  world: Pick<ChannelWorld, 'exchange'>,
  event: EventOf<'position_transfer'>,
  direction: Side,
): WireHandedOver {
  const instrument = instrumentAt(world.exchange, event.instrument)
  return {
    instrument_name: instrument.name,
    direction,
    amount: Math.abs(amountOut(instrument, event.amount)),
    price: priceOut(event.price),
    currency: instrument.settlementCurrency,
  }
}

/**
 * The access log of an account as a channel. Source: sessions document 3.1, 3.4.
 */

/** Sends each new entry of the access log in its own message. */
export function accessChannel({ history }: ChannelWorld, account: AccountId): Channel<WireAccess> {
  const lastId = (): number => rowsOf(history.accessLog, account).at(-1)?.id ?? 0
  let sent = lastId()
  return {
    interval: 'raw',
    subject: {},
    collect: () => {
      const before = sent
      sent = lastId()
      if (sent === before) return []
      // After a restore, the log can have fewer entries than were sent.
      return rowsOf(history.accessLog, account)
        .filter(({ id }) => id > before)
        .map(accessOut)
    },
  }
}
