/** Accounts. An account is a (sub)account of the venue, or a house account. */
import { type AccountId, accountId } from '../core/index.ts'
import type { MarginModel } from './words/accounts.ts'

/** An account of a run. */
export interface Account {
  readonly id: AccountId
  readonly name: string
  readonly marginModel: MarginModel
  /** The main account of a subaccount; for a main account, the account itself. */
  readonly main: AccountId
  /** Share of the fees of its fills that it pays, in parts per million; 1,000,000 is all (market.md 4). */
  readonly feePpm: number
  /** House accounts receive fees and take the other side of given positions. No margin requirement applies to them. */
  readonly house: boolean
}

/** The house account that receives fees. */
export const feeAccount: AccountId = accountId(0)
/** The house account on the other side of positions that a scenario gives at its start. */
export const positionAccount: AccountId = accountId(1)
/** The house account on the other side of settlements, where the residue of rounding stays. */
export const roundingAccount: AccountId = accountId(2)
/** The insurance fund. */
export const insuranceAccount: AccountId = accountId(3)

/** Names of the house accounts, in the order of their ids. Names with a dot are reserved. */
export const houseAccountNames: readonly string[] = [
  'house.fees',
  'house.positions',
  'house.rounding',
  'house.insurance',
]

/**
 * The house account on the other side of fills from a recorded book. The engine opens it when it lists the first
 * instrument with recorded liquidity.
 */
export const marketAccountName = 'market'

/**
 * The house account that holds the money of pending withdrawals. The engine opens it when the first withdrawal is
 * confirmed.
 */
export const transitAccountName = 'house.withdrawals'

/** The account of requests without one, such as `sim/` controls. */
export const NO_ACCOUNT = -1
