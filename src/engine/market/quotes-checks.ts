/**
 * Checks of a mass quote as a whole: the number of its quotes and their instruments, the permission to quote, its
 * group, and freezes. Its sides are checked one by one, like any order.
 *
 * Rule: quotes.request. Source: trading.md 6.16 (C34); sessions-blocks-gateways.md 2.6, 8.2, 8.5, 8.6.
 */
import type { InstrumentId } from '../../core/index.ts'
import {
  type CommandHeader,
  type InstrumentKind,
  type MassQuote,
  type Refusal,
  validationStep,
} from '../../model/index.ts'
import { accountRow, type Exchange, isDirect, isOfMember, type MmpGroup, sessionAt } from '../state/index.ts'
import { modelOf } from '../value/index.ts'
import { routingRefusal } from './direct-checks.ts'
import { frozenRefusal } from './mmp-freeze.ts'
import { accountRefusal, lockRefusal, sizeRefusal } from './order-checks.ts'

/** Maximum number of bids, and of asks, in a request; maximum number of instruments in a request by direct access. */
const SIDES_MAX = 100
const DIRECT_MAX = 15

/** A mass quote and its group, which the argumentCombination step finds. */
export interface QuotesAsked {
  readonly command: MassQuote
  group: MmpGroup | undefined
}

/** Refuses too many quotes, or quotes on more than one index (C34e). */
export function shapeRefusal(exchange: Exchange, { command }: QuotesAsked): Refusal | null {
  const { quotes, session } = command
  if (isDirect(exchange, session)) {
    if (quotes.length > DIRECT_MAX) return { reason: 'too_many_quotes' }
    const isTwice = new Set(quotes.map(({ instrument }) => instrument)).size < quotes.length
    return isTwice ? { reason: 'duplicate_instrument' } : null
  }
  const bids = quotes.filter(({ bid }) => bid !== null).length
  const asks = quotes.filter(({ ask }) => ask !== null).length
  if (bids > SIDES_MAX || asks > SIDES_MAX) return wrongQuotes('too_many')
  const [first] = quotes
  const index = first === undefined ? undefined : indexOf(exchange, first.instrument)
  const isMixed = quotes.some(({ instrument }) => indexOf(exchange, instrument) !== index)
  return isMixed ? wrongQuotes('mixed_indexes') : null
}

/** Over direct access, the session must reach the books of all quoted instruments. */
export function quotesRoutingRefusal(exchange: Exchange, { command }: QuotesAsked): Refusal | null {
  const { session, quotes } = command
  if (!isDirect(exchange, session)) return null
  for (const { instrument } of quotes) {
    const astray = routingRefusal(exchange, session, exchange.instruments[instrument])
    if (astray !== null) return astray
  }
  return null
}

/** The account may quote, and it may do so over this session. */
export function makerRefusal(exchange: Exchange, { command }: QuotesAsked): Refusal | null {
  const { account, session } = command
  return (
    lockRefusal(exchange, account) ??
    accountRefusal(exchange, account, { reduceOnly: false, row: null }) ??
    disconnectRefusal(exchange, session) ??
    approvalRefusal(exchange, command)
  )
}

/** Quotes over JSON-RPC require a session that cancels them when it ends (13042). */
export function disconnectRefusal(exchange: Exchange, session: number): Refusal | null {
  if (isDirect(exchange, session)) return null
  const covered = sessionAt(exchange, session)?.cancelOnDisconnect === true
  return covered ? null : { reason: 'cod_not_enabled' }
}

/** Mass quotes need a permission by staff. A Member must send them by direct access (13902, 13040). */
function approvalRefusal(
  exchange: Exchange,
  { account, session }: Pick<CommandHeader, 'account' | 'session'>,
): Refusal | null {
  const permissions = exchange.accounts[account]?.standing.permissions
  const barred = isOfMember(exchange, account) && !isDirect(exchange, session)
  if (permissions?.massQuotes !== true || barred) return { reason: 'mass_quotes_disabled' }
  return permissions.mmp ? null : { reason: 'mmp_required' }
}

/**
 * Finds the group of the quotes: JSON-RPC gives its name, direct access its number. A group without limits accepts no
 * quotes. A group of an index accepts futures, options and combos of that index.
 */
export function groupRefusal(exchange: Exchange, asked: QuotesAsked): Refusal | null {
  const { account, quotes, session } = asked.command
  const group = findGroup(exchange, asked.command)
  asked.group = group
  if (group === undefined) return { reason: 'other_reject unknown_mmp_group' }
  const { config, membership } = group
  if (config === null) return { reason: 'mmp_group_disabled' }
  if (quotes.some(({ instrument }) => indexOf(exchange, instrument) !== membership.index)) {
    const isDirectly = isDirect(exchange, session)
    return isDirectly ? { reason: 'invalid_or_unsupported_instrument' } : wrongQuotes('index_not_of_group')
  }
  const owner = exchange.accounts[account]
  const mayQuoteOptions = owner !== undefined && modelOf(owner).netsPositions
  const isUnfit = quotes.some(({ instrument }) => {
    const kind = exchange.instruments[instrument]?.instrument.kind
    return kind === undefined || kind === 'spot' || (isOfOptions(kind) && !mayQuoteOptions)
  })
  return isUnfit ? { reason: 'invalid_args_for_instrument' } : null
}

/** Over direct access an invalid amount refuses the whole request (8.6). */
export function directSizeRefusal(exchange: Exchange, { command }: QuotesAsked): Refusal | null {
  if (!isDirect(exchange, command.session)) return null
  for (const { instrument, bid, ask } of command.quotes) {
    const row = exchange.instruments[instrument]
    for (const side of [bid, ask]) {
      if (row === undefined || side === null) continue
      if (side.fault?.step === validationStep.amount) return side.fault.refusal
      const size = side.amount === null || side.amount === 0 ? null : sizeRefusal(row, side.amount)
      if (size !== null) return size
    }
  }
  return null
}

/** No bulk cancel blocks quotes on its instruments, and no protection freezes its group. */
export function freezeRefusal(exchange: Exchange, { command, group }: QuotesAsked): Refusal | null {
  const { account, session, quotes, resetMmp } = command
  if (quotes.some(({ instrument }) => isFrozen(exchange, account, instrument))) {
    return { reason: 'quotes_frozen' }
  }
  return group === undefined ? null : frozenRefusal(exchange, group, { session, resets: resetMmp })
}

/** True if a bulk cancel currently blocks the account's quotes on an instrument (13043). */
function isFrozen(exchange: Exchange, account: number, instrument: InstrumentId): boolean {
  const { quoteFreezes } = accountRow(exchange, account).standing
  if (quoteFreezes.size === 0) return false
  const currency = exchange.instruments[instrument]?.instrument.settlementCurrency ?? null
  const until = Math.max(quoteFreezes.get(null) ?? 0, quoteFreezes.get(currency) ?? 0)
  return exchange.now < until
}

function findGroup(exchange: Exchange, { account, group }: MassQuote): MmpGroup | undefined {
  return exchange.mmpGroups.find(({ account: owner, membership, blockRfq, config }) => {
    if (owner !== account || blockRfq || membership.name === null) return false
    if (typeof group === 'number') return membership.group === group
    return membership.name === group && config !== null
  })
}

function isOfOptions(kind: InstrumentKind): boolean {
  return kind === 'option' || kind === 'option_combo'
}

function indexOf(exchange: Exchange, instrument: number): string | undefined {
  return exchange.instruments[instrument]?.instrument.priceIndex
}

function wrongQuotes(problem: string): Refusal {
  return { reason: 'invalid_params', param: 'quotes', problem }
}
