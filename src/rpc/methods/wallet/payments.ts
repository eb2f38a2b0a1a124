/**
 * private/get_deposits, get_current_deposit_address, create_deposit_address. Source: sessions document 6.4.
 */

import { type AccountId, type Amount, amount, type DecimalInput, defined, z } from '../../../core/index.ts'
import { type AddressView, viewAddresses, viewDepositAddress, viewWalletType } from '../../../engine/index.ts'
import {
  type AddressChoice,
  type AddressDetails,
  addressTypes,
  currencies,
  type EventOf,
  type Fault,
  isEndedPayment,
  type PaymentType,
  validationStep,
  withdrawalPriorities,
} from '../../../model/index.ts'
import { rowsOf } from '../../history/index.ts'
import {
  depositOut,
  timeOut,
  userTransferOut,
  type WireDeposit,
  type WireTransfer,
  type WireWithdrawal,
  withdrawalOut,
} from '../../wire/index.ts'
import { mainFault } from '../account/owner.ts'
import { asker, defineMethod, queryOf, type ReadContext, type ReplyContext, validRequest } from '../method.ts'
import { count, decimal, earlier, paramFault, readMoney, requestCurrency } from '../params.ts'

/** An address for deposits. */
export interface WireDepositAddress {
  readonly address: string
  readonly currency: string
  readonly creation_timestamp: number
  readonly type: 'deposit'
}

/** A page of records, newest first. */
export interface WalletPage<T> {
  readonly data: readonly T[]
  /** Total number of records. */
  readonly count: number
}

/** An entry of an address book. */
export interface WireAddress {
  readonly currency: string
  readonly address: string
  readonly type: string
  readonly creation_timestamp: number
  readonly label: string
  readonly beneficiary_vasp_name: string
  readonly beneficiary_vasp_did: string
  readonly beneficiary_vasp_website?: string
  readonly beneficiary_first_name?: string
  readonly beneficiary_last_name?: string
  readonly beneficiary_company_name?: string
  readonly beneficiary_address: string
  readonly agreed: boolean
  readonly personal: boolean
  readonly info_required: boolean
  readonly status: string
  /** Time until which it waits or waited. */
  readonly waiting_timestamp?: number
  readonly requires_confirmation: boolean
  readonly requires_confirmation_change: boolean
  /** This field and the next two are for third-party wallets only. */
  readonly id?: string
  readonly network?: string
  readonly tag?: string
}

type Details = z.output<z.ZodObject<typeof detailParams>>

const TEXT_MAX = 256

const text = z.string().min(1).max(TEXT_MAX)

const addressText = text.describe('the address')

const addressType = z.enum(addressTypes).describe('use of the address')

/** Further parts of the name of an entry, for third-party wallets. */
export const placeParams = {
  network: text.optional().describe('name of a network; for third-party wallets only'),
  tag: text.optional().describe('destination tag or memo; for third-party wallets only'),
}

/** Details that the owner of an address states. */
const detailParams = {
  label: text.describe('name of the address'),
  beneficiary_vasp_name: text.describe('name of the provider of the address'),
  beneficiary_vasp_did: text.describe('identifier of the provider'),
  beneficiary_vasp_website: text.optional().describe('website of the provider'),
  beneficiary_first_name: text.optional().describe('first name of the beneficiary, if a person'),
  beneficiary_last_name: text.optional().describe('last name of the beneficiary, if a person'),
  beneficiary_company_name: text.optional().describe('name of the beneficiary, if a company'),
  beneficiary_address: text.describe('postal address of the beneficiary'),
  agreed: z.boolean().describe('true if the provider may receive these facts'),
  personal: z.boolean().describe('true if the user owns the address'),
}

/** Entries of the requesting account's address book. */
const getAddressBook = defineMethod({
  scope: 'wallet:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ currency: requestCurrency, type: addressType }),
  read: () => queryOf(null),
  reply: (context, { currency, type }): readonly WireAddress[] =>
    viewAddresses(context.exchange, asker(context))
      .filter((entry) => entry.currency === currency && entry.type === type)
      .map((entry) => addressOut(context, entry)),
})

/** Adds an address. An Ethereum token address is added for all tokens, unless `extra_currencies` selects some. */
const addToAddressBook = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  command: 'add_address',
  params: z.object({
    currency: requestCurrency,
    type: addressType,
    address: addressText,
    ...placeParams,
    ...detailParams,
    extra_currencies: z
      .array(requestCurrency)
      .optional()
      .describe('other Ethereum tokens to add the address for; all of them if omitted'),
  }),
  read: (_context, params) => ({
    body: {
      kind: 'add_address',
      currency: params.currency,
      type: params.type,
      address: params.address,
      network: params.network ?? null,
      tag: params.tag ?? null,
      details: detailsIn(params),
      also: params.extra_currencies ?? null,
    },
    fault: beneficiaryFault(params),
  }),
  reply: (context): WireAddress => {
    const own = viewAddresses(context.exchange, asker(context))
    const added = own.find(({ entry }) => entry === context.count)
    return addressOut(context, defined(added, 'an added entry is in the address book'))
  },
})

/** Changes the details of an address; its state stays the same. */
const updateInAddressBook = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  command: 'update_address',
  params: z.object({
    currency: requestCurrency,
    type: addressType,
    address: addressText.optional(),
    ...placeParams,
    id: text.optional().describe('id of the entry; for third-party wallets only'),
    ...detailParams,
  }),
  requires: { address: 'may be omitted with id' },
  read: (_context, params) => ({
    body: { kind: 'update_address', choice: choiceIn(params), details: detailsIn(params) },
    fault: beneficiaryFault(params),
  }),
  reply: (): 'ok' => 'ok',
})

/**
 * Removes an entry; for a third-party wallet by its id too, and with `all` the entries of an address in all currencies.
 */
const removeFromAddressBook = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  command: 'remove_address',
  params: z.object({
    currency: z.enum([...currencies, 'all']).describe('its currency; all of third-party wallets'),
    type: z.enum(['transfer', 'withdrawal']).describe('use of the address'),
    address: addressText.optional(),
    ...placeParams,
    id: text.optional().describe('id of the entry; for third-party wallets only'),
  }),
  read: (_context, params) => validRequest({ kind: 'remove_address', choice: choiceIn(params) }),
  reply: (): 'ok' => 'ok',
})

const NONCE_MIN = 8

const NONCE_MAX = 128

/** The client's id of a request. */
export const nonce = z
  .string()
  .min(NONCE_MIN)
  .max(NONCE_MAX)
  .optional()
  .describe('id of the request; a repeated request with the same id has no effect')

/** Parameters of a page of records of a currency. */
export const pageParams = {
  currency: requestCurrency,
  count: count(10),
  offset: z.int().min(0).default(0).describe('number of records to skip'),
}

/** Deposits of the requesting account in a currency. */
const getDeposits = defineMethod({
  scope: 'wallet:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object(pageParams),
  read: () => queryOf(null),
  reply: (context, params): WalletPage<WireDeposit> => {
    const all = paymentsOf(context, asker(context), 'deposit')
    const own = all.filter(({ currency }) => currency === params.currency)
    return pageOldestFirst(own, params, depositOut)
  },
})

/** The newest deposit address of the requesting account; 11097 if there is none. */
const getCurrentDepositAddress = defineMethod({
  scope: 'wallet:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object({ currency: requestCurrency }),
  read: (context, { currency }) => {
    const found = viewDepositAddress(context.exchange, asker(context), currency)
    if (found !== undefined) return queryOf(null)
    const step = validationStep.instrument
    return queryOf({ step, refusal: { reason: 'no_deposit_address' } })
  },
  reply: (context, { currency }): WireDepositAddress => currentAddress(context, currency),
})

/** Creates a deposit address: one per day for Bitcoin, one in total for each other currency. */
const createDepositAddress = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  command: 'create_deposit_address',
  params: z.object({ currency: requestCurrency }),
  read: (_context, { currency }) => validRequest({ kind: 'create_deposit_address', currency }),
  reply: (context, { currency }): WireDepositAddress => currentAddress(context, currency),
})

function currentAddress(context: ReplyContext, currency: z.output<typeof requestCurrency>): WireDepositAddress {
  const found = viewDepositAddress(context.exchange, asker(context), currency)
  const { address, createdAt } = defined(found, 'the account has an address')
  return { address, currency, creation_timestamp: timeOut(createdAt), type: 'deposit' }
}

/**
 * private/submit_transfer_to_user, cancel_transfer_by_id. Source: sessions document 6.3. Assumed: a transfer to a user
 * may have a nonce, like transfers between accounts of one owner.
 */

/** Transfers money from the requesting account to another user, whose address is in the address book. */
const submitTransferToUser = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'submit_transfer',
  params: z.object({
    currency: requestCurrency,
    amount: decimal,
    destination: z.string().describe('an address of the address book'),
    nonce,
  }),
  read: (context, params) => {
    const main = mainFault(context)
    if (main === null && namedPayment(context, 'transfer', params.nonce) !== undefined) {
      return queryOf(null)
    }
    const { sum, fault } = readSum(params.amount)
    return {
      body: {
        kind: 'submit_transfer',
        currency: params.currency,
        destination: params.destination,
        amount: sum,
        nonce: params.nonce ?? null,
      },
      fault: earlier(main, fault),
    }
  },
  reply: (context, params): WireTransfer => {
    const named = namedPayment(context, 'transfer', params.nonce)
    if (named !== undefined) return userTransferOut(context.exchange, named, asker(context))
    return transferNow(context, context.count)
  },
})

/** Cancels a prepared transfer to a user; other transfers cannot be cancelled (12100). */
const cancelTransferById = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  command: 'cancel_payment',
  params: z.object({
    currency: requestCurrency,
    id: z.int().min(0).describe('id of the transfer'),
  }),
  read: (context, { currency, id }) => ({
    body: { kind: 'cancel_payment', type: 'transfer', currency, payment: id },
    fault: transferFault(context, id),
  }),
  reply: (context, { id }): WireTransfer => transferNow(context, id),
})

/** The fault of a transfer that the requesting account can see but that is no longer prepared. */
function transferFault(context: ReadContext, id: number): Fault | null {
  const own = asker(context)
  const payment = paymentsOf(context, own, 'transfer').find((each) => each.payment === id)
  const isEnded =
    payment === undefined
      ? rowsOf(context.history.transfers, own).some(({ transfer }) => transfer === id)
      : payment.state !== 'prepared'
  const step = validationStep.instrument
  return isEnded ? { step, refusal: { reason: 'transfer_not_allowed' } } : null
}

/** The current state of a transfer of the requesting account. */
function transferNow(context: ReplyContext, id: number): WireTransfer {
  const own = asker(context)
  const found = paymentsOf(context, own, 'transfer').find(({ payment }) => payment === id)
  const transfer = defined(found, 'a requested transfer is in the history')
  return userTransferOut(context.exchange, transfer, own)
}

/**
 * private/withdraw, cancel_withdrawal, get_withdrawals. Source: sessions document 6.4.
 */

/**
 * Requests a withdrawal to an address of the address book; with a nonce used before, it returns the withdrawal of that
 * nonce.
 */
const withdraw = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  mainAccount: true,
  command: 'withdraw',
  params: z.object({
    currency: requestCurrency,
    address: z.string().describe('an address of the address book'),
    ...placeParams,
    amount: decimal,
    priority: z.enum(withdrawalPriorities).default('high').describe('priority of the withdrawal'),
    nonce,
  }),
  read: (context, params) => {
    const main = mainFault(context)
    if (main === null && namedPayment(context, 'withdrawal', params.nonce) !== undefined) {
      return queryOf(null)
    }
    const { sum, fault } = readSum(params.amount)
    return {
      body: {
        kind: 'withdraw',
        currency: params.currency,
        address: params.address,
        network: params.network ?? null,
        tag: params.tag ?? null,
        amount: sum,
        priority: params.priority,
        nonce: params.nonce ?? null,
      },
      fault: earlier(main, fault),
    }
  },
  reply: (context, params): WireWithdrawal => {
    const named = namedPayment(context, 'withdrawal', params.nonce)
    return named === undefined ? withdrawalNow(context, context.count) : withdrawalOut(named)
  },
})

/** Cancels a withdrawal that is not completed. */
const cancelWithdrawal = defineMethod({
  scope: 'wallet:read_write',
  sessions: 'json_rpc',
  command: 'cancel_payment',
  params: z.object({
    currency: requestCurrency,
    id: z.int().min(0).describe('id of the withdrawal'),
  }),
  read: (context, { currency, id }) => {
    const known = paymentsOf(context, asker(context), 'withdrawal').find(
      (each) => each.payment === id && each.currency === currency,
    )
    const isEnded = known !== undefined && isEndedPayment('withdrawal', known.state)
    const step = validationStep.instrument
    return {
      body: { kind: 'cancel_payment', type: 'withdrawal', currency, payment: id },
      fault: isEnded ? { step, refusal: { reason: 'already_closed' } } : null,
    }
  },
  reply: (context, { id }): WireWithdrawal => withdrawalNow(context, id),
})

/** Withdrawals of the requesting account in a currency. */
const getWithdrawals = defineMethod({
  scope: 'wallet:read',
  sessions: 'json_rpc',
  command: 'query',
  params: z.object(pageParams),
  read: () => queryOf(null),
  reply: (context, params): WalletPage<WireWithdrawal> => {
    const all = paymentsOf(context, asker(context), 'withdrawal')
    const own = all.filter(({ currency }) => currency === params.currency)
    return pageOldestFirst(own, params, withdrawalOut)
  },
})

/** The current state of a withdrawal of the requesting account. */
function withdrawalNow(context: ReplyContext, id: number): WireWithdrawal {
  const found = paymentsOf(context, asker(context), 'withdrawal').find(({ payment }) => payment === id)
  return withdrawalOut(defined(found, 'a requested withdrawal is in the history'))
}

/**
 * Parameters that methods of the wallet share, and the records that a request selects.
 *
 * Source: sessions document 6.2-6.4. Assumed: a sum has at most nine decimals and is above zero.
 */

/** The requested page of records, from a list that begins with the oldest. */
export function pageOldestFirst<Row, T>(
  rows: readonly Row[],
  params: { readonly count: number; readonly offset: number },
  out: (row: Row) => T,
): WalletPage<T> {
  const data = rows.toReversed().slice(params.offset, params.offset + params.count)
  return { data: data.map(out), count: rows.length }
}

type Payment = EventOf<'payment'>

/** Payments of one type that an account sees, oldest first. */
export function paymentsOf(
  context: Pick<ReadContext, 'history'>,
  account: AccountId,
  type: PaymentType,
): readonly Payment[] {
  return rowsOf(context.history.payments, account).filter((each) => each.type === type)
}

/** The requesting account's payment with this nonce, or undefined. */
export function namedPayment(context: ReadContext, type: PaymentType, name: string | undefined): Payment | undefined {
  if (name === undefined) return undefined
  const own = asker(context)
  return paymentsOf(context, own, type).find((each) => each.account === own && each.nonce === name)
}

/** A sum, with the fault of one that is not above zero. */
export function readSum(input: DecimalInput): {
  readonly sum: Amount
  readonly fault: Fault | null
} {
  const sum = readMoney(input)
  if (sum === undefined) return { sum: amount(0n), fault: paramFault('amount', 'too_many_decimals') }
  return { sum, fault: sum > 0n ? null : paramFault('amount', 'not_above_zero') }
}

/**
 * private/get_address_book, add_to_address_book, update_in_address_book, remove_from_address_book.
 *
 * Source: sessions document 6.2; interface document; S166, S267-S272, R74. Assumed: a beneficiary is a company, or a
 * person with both names.
 */

/** The entries that the parameters select. */
export function choiceIn(params: {
  readonly currency: AddressChoice['currency']
  readonly type: AddressChoice['type']
  readonly address?: string | undefined
  readonly network?: string | undefined
  readonly tag?: string | undefined
  readonly id?: string | undefined
}): AddressChoice {
  const { currency, type, address = null, network = null, tag = null, id = null } = params
  return { currency, type, address, network, tag, id }
}

function detailsIn(params: Details): AddressDetails {
  return {
    label: params.label,
    vaspName: params.beneficiary_vasp_name,
    vaspDid: params.beneficiary_vasp_did,
    vaspWebsite: params.beneficiary_vasp_website ?? null,
    firstName: params.beneficiary_first_name ?? null,
    lastName: params.beneficiary_last_name ?? null,
    companyName: params.beneficiary_company_name ?? null,
    beneficiaryAddress: params.beneficiary_address,
    agreed: params.agreed,
    personal: params.personal,
  }
}

function beneficiaryFault(params: Details): Fault | null {
  if (params.beneficiary_company_name !== undefined) return null
  if (params.beneficiary_first_name === undefined) {
    return paramFault('beneficiary_first_name', 'required')
  }
  if (params.beneficiary_last_name === undefined) {
    return paramFault('beneficiary_last_name', 'required')
  }
  return null
}

function addressOut(context: ReadContext, entry: AddressView): WireAddress {
  const { details, waitsUntil, network, tag } = entry
  const isOfThird = viewWalletType(context.exchange, asker(context)) === 'third_party'
  return {
    currency: entry.currency,
    address: entry.address,
    type: entry.type,
    creation_timestamp: timeOut(entry.createdAt),
    label: details.label,
    beneficiary_vasp_name: details.vaspName,
    beneficiary_vasp_did: details.vaspDid,
    ...given('beneficiary_vasp_website', details.vaspWebsite),
    ...given('beneficiary_first_name', details.firstName),
    ...given('beneficiary_last_name', details.lastName),
    ...given('beneficiary_company_name', details.companyName),
    beneficiary_address: details.beneficiaryAddress,
    agreed: details.agreed,
    personal: details.personal,
    info_required: false,
    status: entry.status,
    ...(waitsUntil === null ? {} : { waiting_timestamp: timeOut(waitsUntil) }),
    requires_confirmation: entry.needsConfirmation,
    requires_confirmation_change: false,
    ...(isOfThird ? given('id', entry.id) : {}),
    ...(isOfThird ? given('network', network) : {}),
    ...(isOfThird ? given('tag', tag) : {}),
  }
}

/** An object with the field if the value is not null. */
function given<Name extends string>(name: Name, value: string | null): { readonly [N in Name]?: string } {
  return value === null ? {} : ({ [name]: value } as { readonly [N in Name]: string })
}

/** Methods by their names; a part of the table. */
export const paymentMethods = {
  'private/get_address_book': getAddressBook,
  'private/add_to_address_book': addToAddressBook,
  'private/update_in_address_book': updateInAddressBook,
  'private/remove_from_address_book': removeFromAddressBook,
  'private/get_deposits': getDeposits,
  'private/get_current_deposit_address': getCurrentDepositAddress,
  'private/create_deposit_address': createDepositAddress,
  'private/withdraw': withdraw,
  'private/cancel_withdrawal': cancelWithdrawal,
  'private/get_withdrawals': getWithdrawals,
  'private/submit_transfer_to_user': submitTransferToUser,
  'private/cancel_transfer_by_id': cancelTransferById,
} as const
