/**
 * Address books: entries that an account adds, changes and removes, and controls that set the state of an entry.
 *
 * A wallet of the venue (`legacy`) identifies an entry by its address. A wallet of a third party identifies it by its
 * id, or by address, network and tag if they are needed.
 *
 * Rule: wallet.address-book. Source: sessions-blocks-gateways.md 6.2; interface document, remove_from_address_book;
 * S166, S267-S272, R74. Assumed: the order of checks; a withdrawal address that belongs to the venue is refused,
 * because that would be a transfer; the stated owner of an entry is not verified.
 */
import { accountId, assert, micros, millisOf } from '../../core/index.ts'
import {
  type AddAddress,
  type AddressChange,
  type AddressChoice,
  type Currency,
  type Refusal,
  type RemoveAddress,
  type SetAddress,
  type SetWallet,
  type UpdateAddress,
  validationStep,
  type WalletReason,
  type WalletType,
  walletSettingsOf,
} from '../../model/index.ts'
import { entryIdOf, isAddress, isToken, placeOfAddress, tokens } from '../../wallet/index.ts'
import {
  type AddressRow,
  type CheckResult,
  type Exchange,
  eventHeader,
  pass,
  refuse,
  setTimer,
  type Turn,
} from '../state/index.ts'
import { type Handlers, paramRefusal, seal } from './handler.ts'

const step = validationStep

/** The type of an account's wallet. */
export function walletTypeOf(exchange: Exchange, account: number): WalletType {
  return exchange.wallets.thirdParty.has(account) ? 'third_party' : 'legacy'
}

/** The account with this deposit address; undefined if it belongs to no account. */
export function ownerOfAddress(exchange: Exchange, currency: Currency, address: string): number | undefined {
  const place = placeOfAddress(currency, address)
  return exchange.wallets.depositAddresses.find((each) => placeOfAddress(each.currency, each.address) === place)
    ?.account
}

/** The entries of an account's address book that a request selects; at least one. */
export function chooseAddresses(
  exchange: Exchange,
  account: number,
  choice: AddressChoice,
): CheckResult<readonly AddressRow[]> {
  const isLegacy = walletTypeOf(exchange, account) === 'legacy'
  if (isLegacy && choice.currency === 'all') {
    return refuse(step.parameters, paramRefusal('currency', 'only third-party wallets accept all'))
  }
  const id = isLegacy ? null : choice.id
  if (choice.address === null && id === null) {
    return refuse(step.parameters, paramRefusal('address', 'required'))
  }
  const own = [...exchange.wallets.entries.values()].filter(
    (each) =>
      each.account === account &&
      each.type === choice.type &&
      (choice.currency === 'all' || each.currency === choice.currency),
  )
  const named = id === null ? own : own.filter((each) => each.id === id)
  if (named.length === 0) return refuse(step.instrument, { reason: 'not_found' })
  const found = named.filter((each) => isMeant(each, choice, isLegacy))
  if (found.length === 0) {
    return id === null ? refuse(step.instrument, { reason: 'not_found' }) : mismatch('id')
  }
  const isOne = new Set(found.map(({ currency }) => currency)).size === found.length
  return isOne ? pass(found) : mismatch('address')
}

/** True if the entry matches all fields that the request gives. For wallets of the venue only the address counts. */
function isMeant(entry: AddressRow, choice: AddressChoice, isLegacy: boolean): boolean {
  const isPlace =
    choice.address === null ||
    placeOfAddress(entry.currency, entry.address) === placeOfAddress(entry.currency, choice.address)
  if (isLegacy) return isPlace
  return (
    isPlace &&
    (choice.network === null || choice.network === entry.network) &&
    (choice.tag === null || choice.tag === entry.tag)
  )
}

function mismatch(param: 'id' | 'address'): ReturnType<typeof refuse> {
  const problem = param === 'id' ? 'names_another_entry' : 'names_several_entries'
  return refuse(step.argumentCombination, { reason: 'invalid_arguments', param, problem })
}

/** Returns the currencies of the new entries, one entry for each. */
function checkAdd(exchange: Exchange, command: AddAddress): CheckResult<readonly Currency[]> {
  const { currency, type, address, also } = command
  if (currency === 'all') {
    return refuse(step.parameters, paramRefusal('currency', 'expected a single currency'))
  }
  const stranger = also?.find((each) => !isToken(each))
  if (stranger !== undefined || (also !== null && also.length > 0 && !isToken(currency))) {
    return refuse(step.parameters, paramRefusal('extra_currencies', 'only_erc20_currencies'))
  }
  if (!isAddress(currency, address)) return bad('invalid_addr')
  const owner = ownerOfAddress(exchange, currency, address)
  const isOwn = owner !== undefined && mainOf(exchange, owner) === mainOf(exchange, command.account)
  if (isOwn || (owner !== undefined && type === 'withdrawal')) return bad('address_belongs_to_user')
  if (owner === undefined && type === 'transfer') return bad('invalid_transfer_address')
  if (isKnown(exchange, command, currency)) return bad('address_already_exist')
  const more = also ?? (isToken(currency) ? tokens : [])
  const added = [...new Set([currency, ...more])].filter(
    (each) => each === currency || !isKnown(exchange, command, each),
  )
  const { addressesMax } = walletSettingsOf(exchange.config)
  const isFull = added.some((each) => countOf(exchange, command, each) >= addressesMax)
  return isFull ? bad('max_addr_count_exceeded') : pass(added)
}

function bad(
  reason:
    | 'invalid_addr'
    | 'address_belongs_to_user'
    | 'invalid_transfer_address'
    | 'address_already_exist'
    | 'max_addr_count_exceeded',
): ReturnType<typeof refuse> {
  return refuse(step.argumentCombination, { reason })
}

function mainOf(exchange: Exchange, account: number): number | undefined {
  return exchange.accounts[account]?.account.main
}

/** True if the book already has the address. */
function isKnown(exchange: Exchange, command: AddAddress, currency: Currency): boolean {
  const { network, tag } = namesOf(exchange, command)
  const place = placeOfAddress(currency, command.address)
  return entriesOf(exchange, command, currency).some(
    (each) => placeOfAddress(currency, each.address) === place && each.network === network && each.tag === tag,
  )
}

function countOf(exchange: Exchange, command: AddAddress, currency: Currency): number {
  return entriesOf(exchange, command, currency).length
}

function entriesOf(exchange: Exchange, { account, type }: AddAddress, currency: Currency): readonly AddressRow[] {
  return [...exchange.wallets.entries.values()].filter(
    (each) => each.account === account && each.type === type && each.currency === currency,
  )
}

/** R74. Wallets of the venue have neither networks nor tags. */
function namesOf(
  exchange: Exchange,
  command: Pick<AddAddress, 'account' | 'network' | 'tag'>,
): { readonly network: string | null; readonly tag: string | null } {
  if (walletTypeOf(exchange, command.account) === 'legacy') return { network: null, tag: null }
  return { network: command.network, tag: command.tag }
}

/** Adds the entries. Withdrawal addresses must wait first. Events: `address` added of each. */
function commitAdd(turn: Turn, command: AddAddress, added: readonly Currency[]): number {
  const { wallets, now, config, timers } = turn.exchange
  const settings = walletSettingsOf(config)
  const { account, type, address, details } = command
  const first = wallets.entryCount + 1
  assert(added.length > 0, 'an address is added for at least one currency')
  for (const currency of added) {
    wallets.entryCount += 1
    const waits = type === 'withdrawal' && settings.addressWait > 0
    const until = micros(now + settings.addressWait)
    const seeded = { key: config.blockTrades.key, number: wallets.entryCount }
    const entry: AddressRow = {
      entry: wallets.entryCount,
      id: entryIdOf(seeded, millisOf(now)),
      account,
      currency,
      type,
      address,
      ...namesOf(turn.exchange, command),
      createdAt: now,
      details,
      status: waits ? 'waiting' : 'ready',
      waitsUntil: waits ? until : null,
      needsConfirmation: type === 'withdrawal' && settings.needsConfirmation,
    }
    assert(!wallets.entries.has(entry.entry), 'each entry has a unique number')
    wallets.entries.set(entry.entry, entry)
    if (waits) setTimer(timers, until, { kind: 'address_ready', entry: entry.entry })
    emitChange(turn, entry, 'added', 'user_request')
  }
  return first
}

function checkUpdate(exchange: Exchange, command: UpdateAddress): CheckResult<AddressRow> {
  if (command.choice.currency === 'all') {
    return refuse(step.parameters, paramRefusal('currency', 'expected a single currency'))
  }
  return one(chooseAddresses(exchange, command.account, command.choice))
}

/** The only entry of a selection in one currency. */
function one(chosen: CheckResult<readonly AddressRow[]>): CheckResult<AddressRow> {
  if (!chosen.ok) return chosen
  const [entry] = chosen.plan
  return entry === undefined ? refuse(step.instrument, { reason: 'not_found' }) : pass(entry)
}

/** Changes the stated facts about the entry. Events: `address` updated. */
function commitUpdate(turn: Turn, command: UpdateAddress, entry: AddressRow): number {
  assert(turn.exchange.wallets.entries.get(entry.entry) === entry, 'a changed entry exists')
  entry.details = command.details
  emitChange(turn, entry, 'updated', 'user_request')
  return 1
}

/** Removes the entries. Events: `address` removed of each. */
function commitRemove(turn: Turn, _command: RemoveAddress, entries: readonly AddressRow[]): number {
  for (const entry of entries) {
    const wasThere = turn.exchange.wallets.entries.delete(entry.entry)
    assert(wasThere, 'a removed entry existed')
    emitChange(turn, entry, 'removed', 'user_request')
  }
  return entries.length
}

function checkSet(exchange: Exchange, command: SetAddress): CheckResult<AddressRow> {
  const unknown = unknownTrader(exchange, command.target)
  if (unknown !== null) return refuse(step.parameters, unknown)
  return one(chooseAddresses(exchange, command.target, command.choice))
}

/** Sets the state of the entry. Events: `address` status. */
function commitSet(turn: Turn, command: SetAddress, entry: AddressRow): number {
  assert(turn.exchange.wallets.entries.get(entry.entry) === entry, 'an updated entry exists')
  entry.status = command.status ?? entry.status
  entry.needsConfirmation = command.needsConfirmation ?? entry.needsConfirmation
  emitChange(turn, entry, 'status', 'control')
  return 1
}

/**
 * Rule: wallet.address-book. Ends the waiting time of a new entry, unless its state has changed meanwhile. Events:
 * `address` status.
 */
export function endWait(turn: Turn, number: number): void {
  const entry = turn.exchange.wallets.entries.get(number)
  if (entry?.status !== 'waiting') return
  entry.status = 'ready'
  emitChange(turn, entry, 'status', 'time_over')
}

function checkWallet(exchange: Exchange, { target }: SetWallet): CheckResult<null> {
  const unknown = unknownTrader(exchange, target)
  return unknown === null ? pass(null) : refuse(step.parameters, unknown)
}

function commitWallet({ exchange }: Turn, { target, wallet }: SetWallet): number {
  assert(exchange.accounts[target]?.account.house === false, 'a wallet belongs to a trader')
  const { thirdParty } = exchange.wallets
  if (wallet === 'third_party') thirdParty.add(target)
  else thirdParty.delete(target)
  return 1
}

/** The refusal of a control whose target is not the account of a trader. */
export function unknownTrader(exchange: Exchange, target: number): Refusal | null {
  const row = exchange.accounts[target]
  if (row !== undefined && !row.account.house) return null
  return paramRefusal('account', 'expected the account of a trader')
}

function emitChange(turn: Turn, entry: AddressRow, change: AddressChange, reason: WalletReason): void {
  turn.log.append({
    kind: 'address',
    ...eventHeader(turn),
    change,
    account: accountId(entry.account),
    currency: entry.currency,
    type: entry.type,
    entry: entry.entry,
    address: entry.address,
    network: entry.network,
    tag: entry.tag,
    status: entry.status,
    until: entry.status === 'waiting' && entry.waitsUntil !== null ? entry.waitsUntil : micros(0),
    reason,
  })
}

export const addressBookHandlers: Handlers<
  'add_address' | 'update_address' | 'remove_address' | 'set_address' | 'set_wallet'
> = {
  add_address: seal({ check: checkAdd, commit: commitAdd }),
  update_address: seal({ check: checkUpdate, commit: commitUpdate }),
  remove_address: seal({
    check: (exchange, { account, choice }: RemoveAddress) => chooseAddresses(exchange, account, choice),
    commit: commitRemove,
  }),
  set_address: seal({ check: checkSet, commit: commitSet }),
  set_wallet: seal({ check: checkWallet, commit: commitWallet }),
}
