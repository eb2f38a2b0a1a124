/**
 * The parts of channel names: reading them, and opening channels that several names share.
 *
 * Source: sessions document 3.1, 3.4.
 */
import { type AccountId, price9 } from '../../core/index.ts'
import { findInstrument } from '../../engine/index.ts'
import { isCurrency } from '../../model/index.ts'
import { bookChannel, groupedBookChannel, type WireBookMessage, type WireGroupedBook } from './book-channels.ts'
import { type Channel, type ChannelWorld, channelKinds, type Interval, intervals } from './channel.ts'
import type { Wanted } from './trade-channels.ts'
import type { UserWanted } from './user-channels.ts'

/** Opens a public channel from the parts of a name that follow its kind; undefined if the parts name no channel. */
export type OpenPublic<Message = unknown> = (
  world: ChannelWorld,
  parts: readonly string[],
) => Channel<Message> | undefined

/** Opens a channel of an account from the parts of a name that follow its kind; undefined if they name no channel. */
export type OpenPrivate<Message = unknown> = (
  world: ChannelWorld,
  parts: readonly string[],
  account: AccountId,
) => Channel<Message> | undefined

/** Opens channels of an account about Block RFQs. */
export function ofRfqs<Message>(
  open: (world: ChannelWorld, account: AccountId, currency: string) => Channel<Message>,
): OpenPrivate<Message> {
  return (world, [currency = '', ...rest], account) => {
    const isNamed = rest.length === 0 && isChannelCurrency(currency)
    return isNamed ? open(world, account, currency) : undefined
  }
}

/** Opens channels of an account whose names have no further parts. */
export function ofAccount<Message>(
  open: (world: ChannelWorld, account: AccountId) => Channel<Message>,
): OpenPrivate<Message> {
  return (world, parts, account) => (parts.length > 0 ? undefined : open(world, account))
}

/** Opens channels about orders and trades of an account. */
export function ofUser<Message>(open: (world: ChannelWorld, of: UserWanted) => Channel<Message>): OpenPrivate<Message> {
  return (world, parts, account) => {
    const read = wantedOf(world, parts)
    return read && open(world, { account, ...read })
  }
}

/** Groups of prices (in units of price) and depths that a grouped book can have. */
const groups: ReadonlySet<string> = new Set(['none', '1', '2', '5', '10', '25', '100', '250'])
const depths: ReadonlySet<string> = new Set(['1', '10', '20'])
const NANO = 1_000_000_000

/** Opens a book, or a view of some of its levels. */
export function openBook(
  world: ChannelWorld,
  parts: readonly string[],
): Channel<WireBookMessage | WireGroupedBook> | undefined {
  const [name, group = '', depth = '', interval] = parts
  const instrument = channelInstrument(world, name)
  if (instrument === undefined) return undefined
  const every = intervalOf(parts.length === 2 ? group : interval)
  if (every === undefined) return undefined
  if (parts.length === 2) return bookChannel(world, instrument, every)
  if (!(groups.has(group) && depths.has(depth)) || parts.length !== 4) return undefined
  return groupedBookChannel(world, instrument, {
    group: group === 'none' ? null : price9(Number(group) * NANO),
    depth: Number(depth),
    interval: every,
  })
}

/** Reads the parts `{instrument}.{interval}` or `{kind}.{currency}.{interval}`. */
export function wantedOf(
  world: ChannelWorld,
  parts: readonly string[],
): { readonly wanted: Wanted; readonly interval: Interval } | undefined {
  const interval = intervalOf(parts.at(-1))
  if (interval === undefined) return undefined
  if (parts.length === 2) {
    const instrument = channelInstrument(world, parts[0])
    return instrument && { wanted: { instrument }, interval }
  }
  const [kind = '', currency = ''] = parts
  if (parts.length !== 3 || !channelKinds.has(kind) || !isChannelCurrency(currency)) return undefined
  return { wanted: { kind, currency }, interval }
}

/** True for a currency or the word `any`. */
export function isChannelCurrency(text: string): boolean {
  return text === 'any' || isCurrency(text)
}

/** The interval of a name, or undefined. */
export function intervalOf(text: string | undefined): Interval | undefined {
  return intervals.find((each) => each === text)
}

/** The instrument of a name, or undefined. */
export function channelInstrument({ exchange }: ChannelWorld, name = ''): ReturnType<typeof findInstrument> {
  return findInstrument(exchange, name)
}
