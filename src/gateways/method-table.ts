/**
 * The methods of direct access, and all methods of the venue together with those of `rpc`.
 */
import type { z } from '../core/index.ts'
import {
  gatewayTable,
  type MethodSet,
  methodSet,
  methods,
  type UnknownName,
  unknownNamesIn,
  venueKeeping,
} from '../rpc/index.ts'
import { countMessage } from './answers.ts'
import { amendMethods, directCancelMethods, newOrderMethods } from './direct-orders.ts'
import { logonMethods, lostError } from './logon.ts'
import { massCancelMethods } from './mass-cancel.ts'
import { directQuoteMethods } from './mass-quote.ts'
import { mmpStatusMethods } from './mmp-status.ts'
import { directReject } from './refusals.ts'
import { messageMethods, messageTakers } from './session-messages.ts'
import { sessionRequestMethods } from './session-requests.ts'

/** Every method of direct access by name. */
export const directMethods = {
  ...logonMethods,
  ...sessionRequestMethods,
  ...newOrderMethods,
  ...amendMethods,
  ...directCancelMethods,
  ...directQuoteMethods,
  ...massCancelMethods,
  ...mmpStatusMethods,
  ...messageMethods,
} as const

/** The types of all methods of the venue by name. */
type VenueTable = typeof methods & typeof directMethods

/** The name of a method. */
export type MethodName = keyof VenueTable

/** Parameters of a method as people write them. */
export type MethodParams<M extends MethodName> = z.input<VenueTable[M]['params']>

/** Result of a method. */
export type MethodResult<M extends MethodName> = ReturnType<VenueTable[M]['reply']>

/**
 * All methods of the venue: of JSON-RPC, of direct access, and the controls.
 *
 * @example
 * console.log(venueMethods.names.length === methodNames.length, venueMethods.find('private/sell') !== undefined) // true true
 */
export const venueMethods: MethodSet = /* @__PURE__ */ methodSet([methods, directMethods], {
  gateway: gatewayTable,
  direct: { reject: directReject, takers: messageTakers, count: countMessage, lostError },
  keeping: venueKeeping,
})

/** All names of methods, beginning with those of `rpc`. */
export const methodNames: readonly string[] = venueMethods.names

/** Finds the method with this name. */
export function findMethod(name: string): ReturnType<MethodSet['find']> {
  return venueMethods.find(name)
}

/** Unknown parameter names of a method, including those inside lists of objects; empty for an unknown method. */
export function unknownNames(method: string, params: unknown): readonly UnknownName[] {
  return unknownNamesIn(venueMethods, method, params)
}
