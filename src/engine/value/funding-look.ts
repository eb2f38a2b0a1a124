/**
 * Funding reduces margins while nothing else happens, and no event reports it. Therefore accounts with perpetuals are
 * also checked at whole minutes: an account that becomes suspect only because of funding is found at the first whole
 * minute after that.
 *
 * If a check finds every account far from its limit, the next check is postponed to half of the time that funding at
 * its current rate would need. A change of a rate, an index or a margin moves the check back to the next whole minute.
 * The postponement changes no result, and a market without moves needs few checks.
 */
import { currencyId, defined, divFloor, divNearest, micros, modFloor } from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import { currencyOf } from '../../model/index.ts'
import { ALL_CURRENCIES, accountRow, type Exchange, type HoldingRow, walletRowOf } from '../state/index.ts'
import { type Pool, stateOfPool } from './account-margins.ts'
import { scheduleFundingLook, suspect } from './due-looks.ts'
import { modelOf } from './models/margin-models.ts'
import { slackAtLeast } from './skipped-revaluations.ts'
import { usdIndex9 } from './usd-index.ts'

const MINUTE_MICROS = 60_000_000
const PERIOD_MICROS = 28_800_000_000
/** Estimates are doubles. Multiplied by this factor they are on the safe side. */
const SAFETY = 0.5

/** Checks every account that funding may have brought below its maintenance margin. */
export function lookAtFunding(exchange: Exchange): void {
  exchange.fundingLook = null
  let safe = Number.POSITIVE_INFINITY
  for (const row of exchange.instruments) {
    if (row.funding === null || row.funding.rate8 === 0 || row.deliveredAt !== null) continue
    for (const holding of row.holdings) {
      const owner = defined(exchange.holdings[holding], 'the holding exists')
      if (!owner.margined || sizeOf(exchange.ledger, holding) === 0) continue
      safe = Math.min(safe, safeMicros(exchange, owner))
    }
  }
  if (safe === Number.POSITIVE_INFINITY) return
  const minutes = Math.max(1, divFloor(safe, MINUTE_MICROS))
  scheduleFundingLook(exchange, micros(exchange.now - modFloor(exchange.now, MINUTE_MICROS) + minutes * MINUTE_MICROS))
}

/**
 * Time for which an account surely has enough margin at its current funding rates. The next round checks suspects, and
 * the accounts that remain are checked again a minute later.
 */
function safeMicros(exchange: Exchange, { account, wallet }: HoldingRow): number {
  const owner = accountRow(exchange, account)
  const isShared = modelOf(owner).shared !== null
  const pool = {
    account: owner,
    currency: isShared ? ALL_CURRENCIES : wallet - walletRowOf(account, 0),
  }
  let drain = 0
  for (const perpetual of owner.perpetuals) {
    const received = receivedPerMicro(exchange, perpetual)
    if (isShared) drain -= inUsd(exchange, perpetual, received)
    else if (perpetual.wallet === wallet) drain -= received
  }
  // Doubles suffice for most accounts, and skipped holdings stay skipped.
  const atLeast = leftAtLeast(exchange, pool)
  if (atLeast > 0 && microsOf(atLeast, drain) >= PERIOD_MICROS) {
    return drain <= 0 ? Number.POSITIVE_INFINITY : PERIOD_MICROS
  }
  const { marginBalance, maintenance } = stateOfPool(exchange, pool)
  if (marginBalance < maintenance) {
    suspect(exchange, account)
    return 0
  }
  if (drain <= 0) return Number.POSITIVE_INFINITY
  const slack = Number(marginBalance - maintenance)
  return Math.floor(Math.min(PERIOD_MICROS, microsOf(slack, drain)))
}

/** Time for which a slack lasts, on the safe side. */
function microsOf(slack: number, drain: number): number {
  return drain <= 0 ? Number.POSITIVE_INFINITY : divNearest(slack, drain) * SAFETY
}

/** Lower bound of the slack of a pool at the current time, in its unit; 0 if only an exact computation can show it. */
function leftAtLeast(exchange: Exchange, { account, currency }: Pool): number {
  if (!modelOf(account).isSummed) return 0
  return slackAtLeast(exchange, account, walletRowOf(account.account.id, currency))
}

/** Converts funding to USD, the unit of accounts whose currencies share their margin. */
function inUsd(exchange: Exchange, owner: HoldingRow, received: number): number {
  const index9 = usdIndex9(exchange, currencyOf(currencyId(owner.row.settlement)))
  return divNearest(received * index9, 1e9)
}

/** Funding that a holding receives each microsecond, in nano. */
function receivedPerMicro(exchange: Exchange, { holding, row }: HoldingRow): number {
  const { funding, index } = row
  if (funding === null || funding.rate8 === 0 || index.price === 0) return 0
  const { amountStep9, payoff } = row.instrument
  const amount9 = sizeOf(exchange.ledger, holding) * amountStep9
  const value = payoff === 'inverse' ? divNearest(amount9 * 1e9, index.price) : divNearest(amount9 * index.price, 1e9)
  return -divNearest(value * funding.rate8, PERIOD_MICROS * 1e8)
}
