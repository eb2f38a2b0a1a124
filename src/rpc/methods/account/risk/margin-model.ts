/**
 * private/change_margin_model: changes the margin model of the account or of one of its subaccounts.
 *
 * Assumed: a rate is the margin divided by the margin balance, or 0 if the balance is not above 0. Both states use the
 * marks of the same instant, also after a change. The rule `margin.change-model` has the assumptions about orders.
 * Source: the venue's page of the method; market.md 6.
 */
import { accountId, defined, divHalfAwayBig, z } from '../../../../core/index.ts'
import { accountOf, type MarginFigures, viewMarginsUnder } from '../../../../engine/index.ts'
import { type Currency, currencies, marginModels } from '../../../../model/index.ts'
import { balanceOut, digitsOut } from '../../../wire/index.ts'
import { asker, defineMethod, unreadable } from '../../method.ts'
import { ownerFault } from '../owner.ts'

/** Margins of a currency under a margin model. */
export interface WireMarginState {
  /** Maintenance margin as a part of the margin balance. */
  readonly maintenance_margin_rate: number
  /** Initial margin as a part of the margin balance. */
  readonly initial_margin_rate: number
  /** The margin balance less the initial margin and the reserves of spot orders. */
  readonly available_balance: number
}

/** Margins of a currency before and after a change of the margin model. */
export interface WireMarginModelChange {
  /** In lower case. */
  readonly currency: string
  /** Before the change. */
  readonly old_state: WireMarginState
  /** After it. */
  readonly new_state: WireMarginState
}

const NANO = 1_000_000_000n
const RATE_DIGITS = 6

/** Changes the margin model, or with `dry_run` shows the effect; the margin of the account has to suffice. */
const changeMarginModel = defineMethod({
  scope: 'account:read_write',
  sessions: 'json_rpc',
  command: 'change_margin_model',
  params: z.object({
    user_id: z
      .int()
      .min(0)
      .optional()
      .describe('number of the account, of subaccounts for main accounts alone; else the asker'),
    margin_model: z.enum(marginModels).describe('how margin is counted from now on'),
    dry_run: z.boolean().default(false).describe('true to show the effect and change nothing'),
  }),
  read: (context, params) => {
    const own = asker(context)
    const user = params.user_id ?? own
    const fault = user === own ? null : ownerFault(context, { subaccount_id: user })
    if (fault !== null) return { body: unreadable('change_margin_model'), fault }
    return {
      body: {
        kind: 'change_margin_model',
        target: accountId(user),
        marginModel: params.margin_model,
        isTrial: params.dry_run,
      },
      fault,
    }
  },
  reply: (context, params): readonly WireMarginModelChange[] => {
    const { exchange, count } = context
    const account = accountId(params.user_id ?? asker(context))
    const model = accountOf(exchange, account).marginModel
    // The count of the request is the index of the previous model.
    const before = viewMarginsUnder(exchange, account, marginModels[count] ?? model)
    const after = viewMarginsUnder(exchange, account, params.margin_model)
    return currencies.map((currency) => ({
      currency: currency.toLowerCase(),
      old_state: stateOut(currency, before.get(currency)),
      new_state: stateOut(currency, after.get(currency)),
    }))
  },
})

function stateOut(currency: Currency, figures: MarginFigures | undefined): WireMarginState {
  const { marginBalance, initial, maintenance, spotReserve } = defined(figures, 'margins are of every currency')
  return {
    maintenance_margin_rate: rateOf(maintenance, marginBalance),
    initial_margin_rate: rateOf(initial, marginBalance),
    available_balance: balanceOut(currency, marginBalance - initial - spotReserve),
  }
}

function rateOf(margin: bigint, balance: bigint): number {
  return balance <= 0n ? 0 : digitsOut(divHalfAwayBig(margin * NANO, balance), RATE_DIGITS)
}

/** Methods by their names; a part of the table. */
export const marginModelMethods = {
  'private/change_margin_model': changeMarginModel,
} as const
