/**
 * Projected margins: the margins that an account would need without the positions and orders of the nearest expiry
 * (market.md 5.3), computed from scratch for each query.
 *
 * Assumed: the positions that share a margin have one nearest expiry: the positions of a currency in segregated models,
 * of the whole account in cross models. An order of a combo ends with its first leg to expire, so it belongs to the
 * nearest expiry if that leg does, and then opens nothing on its other legs.
 *
 * Rule: margin.projected. Assumed: only margins are projected. The account's equity, the haircuts of cross margin and
 * the stress of its coins do not change, because a delivery turns the value of the expiring positions into cash.
 */
import { type AccountId, type Amount, amount } from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import { ofUsd, readExposure, readPremium } from '../../margin/index.ts'
import { type Currency, currencyIdOf, neverExpires } from '../../model/index.ts'
import { type AccountRow, accountRow, type Exchange, findHolding, type InstrumentRow } from '../state/index.ts'
import { legSizes } from './leg-lots.ts'
import { heldForGroups, heldForGroupsUsd } from './mmp-margin.ts'
import type { Counted } from './models/margin-model.ts'
import { modelOf } from './models/margin-models.ts'
import { freshenHolding } from './skipped-revaluations.ts'
import { usdIndex9 } from './usd-index.ts'

/** Margins without the nearest expiry, in nano of a currency. */
export interface ProjectedMargins {
  /** The nearest expiry; null if nothing expires. */
  readonly expiration: number | null
  readonly initial: Amount
  readonly maintenance: Amount
}

/**
 * The projected margins of an account in a currency. Under cross models they are those of the account, divided by the
 * index.
 */
export function projectedMargins(exchange: Exchange, account: AccountId, currency: Currency): ProjectedMargins {
  const owner = accountRow(exchange, account)
  const model = modelOf(owner)
  const isShared = model.shared !== null
  const all = countedOf(exchange, owner, isShared ? null : currencyIdOf(currency))
  const expiration = nearestOf(all)
  const { initial, maintenance } = model.projected(exchange, owner, withoutExpiry(all, expiration))
  if (!isShared) {
    const held = heldForGroups(exchange, owner, currencyIdOf(currency))
    return { expiration, initial: amount(initial + held), maintenance: amount(maintenance) }
  }
  const index9 = usdIndex9(exchange, currency)
  return {
    expiration,
    initial: amount(ofUsd(initial + heldForGroupsUsd(exchange, owner), index9)),
    maintenance: amount(ofUsd(maintenance, index9)),
  }
}

/** Positions and open orders of an account that margin counts, including the open orders of combos themselves. */
function countedOf(exchange: Exchange, { account }: AccountRow, currency: number | null): readonly Counted[] {
  const found: Counted[] = []
  for (const row of exchange.instruments) {
    if (row.base >= 0 || row.deliveredAt !== null) continue
    if (currency !== null && row.settlement !== currency) continue
    const owner = findHolding(exchange, account.id, row)
    if (owner === undefined) continue
    freshenHolding(exchange, owner)
    const { buys, sells } = readExposure(exchange.margin, owner.holding)
    const sizes = { position: sizeOf(exchange.ledger, owner.holding), buys, sells }
    const isCounted = sizes.position !== 0 || buys !== 0 || sells !== 0
    if (isCounted || readPremium(exchange.margin, owner.holding).reserve !== 0) {
      found.push({ owner, sizes })
    }
  }
  return found
}

function nearestOf(all: readonly Counted[]): number | null {
  const nearest = Math.min(...all.map(({ owner }) => owner.row.instrument.expiration))
  return nearest < neverExpires ? nearest : null
}

/**
 * The counted positions without those of an expiry. Legs of combos that end with it lose the open orders of these
 * combos.
 */
function withoutExpiry(all: readonly Counted[], expiration: number | null): readonly Counted[] {
  const isNear = ({ owner }: Counted): boolean => owner.row.instrument.expiration === expiration
  const ended = new Map<InstrumentRow, { buys: number; sells: number }>()
  for (const { owner, sizes } of all.filter(isNear)) {
    const { buys, sells } = sizes
    const open = [
      ...legSizes(owner.row, { side: 'buy', lots: buys }),
      ...legSizes(owner.row, { side: 'sell', lots: sells }),
    ]
    for (const { row, side, lots } of open) {
      const less = ended.get(row) ?? { buys: 0, sells: 0 }
      less[side === 'buy' ? 'buys' : 'sells'] += lots
      ended.set(row, less)
    }
  }
  return all
    .filter((each) => !isNear(each))
    .map(({ owner, sizes }) => {
      const less = ended.get(owner.row)
      if (less === undefined) return { owner, sizes }
      const { position, buys, sells } = sizes
      return { owner, sizes: { position, buys: buys - less.buys, sells: sells - less.sells } }
    })
}
