/**
 * Controls that save the venue under a name and restore it, or open a second venue as a copy: sim/snapshot,
 * sim/restore, sim/fork.
 *
 * The router saves or restores the venue after the request was carried out; see `desk/afterwards.ts`. Source: coverage
 * R64.
 */

import { z } from '../../../core/index.ts'
import { allAccounts, allInstruments, isAnyHeld, timeOf } from '../../../engine/index.ts'
import { type Fault, validationStep } from '../../../model/index.ts'
import { timeOut } from '../../wire/index.ts'
import { servedMethod } from '../connection/connection.ts'
import { defineMethod, queryOf } from '../method.ts'
import { paramFault } from '../params.ts'

/** Largest number of snapshots, because each is a whole venue. */
const KEPT_MAX = 64
const name = z.string().min(1).max(64).describe('name of the snapshot, such as before')

/**
 * Stores the state of the venue, including its histories, under a name; an existing snapshot with that name is
 * replaced.
 */
const snapshotVenue = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'query',
  params: z.object({ name }),
  afterwards: 'keep',
  read: ({ kept }, params) =>
    queryOf(kept.size < KEPT_MAX || kept.has(params.name) ? null : paramFault('name', 'too_many')),
  reply: (context): number => timeOut(timeOf(context.exchange)),
})

/** The fault that prevents a restore. */
function unfit(problem: string): Fault {
  return { step: validationStep.parameters, refusal: { reason: 'invalid_request', problem } }
}

/**
 * Restores a snapshot of the venue, including its clock. It is rejected while replies are pending, which would never
 * arrive, and after accounts or instruments were added.
 */
const restoreVenue = defineMethod({
  scope: 'sim',
  sessions: 'any',
  command: 'query',
  params: z.object({ name }),
  afterwards: 'put_back',
  read: ({ kept, exchange }, params) => {
    const found = kept.get(params.name)
    if (found === undefined) return queryOf(paramFault('name', 'unknown_value'))
    if (isAnyHeld(exchange)) return queryOf(unfit('replies_wait'))
    const accounts = allAccounts(exchange).length
    if (found.accounts !== accounts) return queryOf(unfit('accounts_were_added'))
    const instruments = allInstruments(exchange).length
    if (found.instruments !== instruments) return queryOf(unfit('instruments_were_added'))
    return queryOf(null)
  },
  reply: () => 'ok',
})

/** A market that a server opened as a copy of another one. */
export interface ForkedVenue {
  readonly name: string
  /** HTTP address of the API, on the same port. */
  readonly api: string
  /** WebSocket address. */
  readonly websocket: string
  /** Base address of the REST gateways. */
  readonly gateways: string
  /** Time of the market when it opens, in milliseconds. */
  readonly timestamp: number
}

/**
 * Opens a second market on the same server, which continues from the current state or from a snapshot. This market does
 * not change. Scenario files and programs have no server and cannot use this method.
 */
const forkVenue = servedMethod<ForkedVenue>()(
  'sim',
  z.object({
    name: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,32}$/)
      .describe('name of the new market, which is part of its address: letters, digits, - and _'),
    from: name.optional().describe('name of a snapshot of sim/snapshot; if omitted, the current state'),
  }),
)

/** Controls by their names; a part of the table. */
export const snapshotControls = {
  'sim/snapshot': snapshotVenue,
  'sim/restore': restoreVenue,
  'sim/fork': forkVenue,
} as const
