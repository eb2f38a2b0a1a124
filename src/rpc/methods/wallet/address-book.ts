/**
 * private/get_address_book, add_to_address_book, update_in_address_book, remove_from_address_book.
 *
 * Source: sessions document 6.2; interface document; S166, S267-S272, R74. Assumed: a beneficiary is a company, or a
 * person with both names.
 */
import { defined, z } from '../../../core/index.ts'
import { type AddressView, viewAddresses, viewWalletType } from '../../../engine/index.ts'
import { type AddressChoice, type AddressDetails, addressTypes, currencies, type Fault } from '../../../model/index.ts'
import { timeOut } from '../../wire/index.ts'
import { asker, defineMethod, queryOf, type ReadContext } from '../method.ts'
import { paramFault, requestCurrency } from '../params.ts'

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

type Details = z.output<z.ZodObject<typeof detailParams>>

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
  read: (_context, params) => ({
    body: { kind: 'remove_address', choice: choiceIn(params) },
    fault: null,
  }),
  reply: (): 'ok' => 'ok',
})

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
  const { vaspWebsite, firstName, lastName, companyName } = details
  const isOfThird = viewWalletType(context.exchange, asker(context)) === 'third_party'
  return {
    currency: entry.currency,
    address: entry.address,
    type: entry.type,
    creation_timestamp: timeOut(entry.createdAt),
    label: details.label,
    beneficiary_vasp_name: details.vaspName,
    beneficiary_vasp_did: details.vaspDid,
    ...given('beneficiary_vasp_website', vaspWebsite),
    ...given('beneficiary_first_name', firstName),
    ...given('beneficiary_last_name', lastName),
    ...given('beneficiary_company_name', companyName),
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
export const addressBookMethods = {
  'private/get_address_book': getAddressBook,
  'private/add_to_address_book': addToAddressBook,
  'private/update_in_address_book': updateInAddressBook,
  'private/remove_from_address_book': removeFromAddressBook,
} as const
