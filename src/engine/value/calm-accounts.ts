/**
 * Which accounts the next round of liquidations need not look at, of those whose margin is more than a sum: neither an
 * index nor the mark of a holding can bring them into danger before it crosses a bound.
 *
 * A round that finds such an account sure to bear its maintenance margin lets it be calm. Portfolio margin finds the
 * bounds of its accounts by itself (`calm-portfolios.ts`). Of cross standard margin an hour of funding at the cap of its
 * rate is taken off what there is to spare; of the rest a quarter is for the indices of its currencies, half for its
 * holdings, which become calm as those of `calm.ts` do, and a quarter for nobody. Whatever else changes it, or an index
 * beyond a bound, makes it restless again, with all its holdings. So does the round after its time is over.
 *
 * An index makes every one of these accounts suspect, and a mark every holder among them; funding of theirs is looked at
 * from then on. Calm ones are suspects by name only where the state is read as a whole: no round would do anything about
 * them. No result depends on it; `test/property/calm-holdings.test.ts` compares with looking at everything.
 *
 * Source: market.md 3.3, 6.4, 6.6.
 */
import {
  assert,
  clearNumbers,
  currencyId,
  defined,
  divNearest,
  type NumberHeap,
  peekNumber,
  popNumber,
  pushNumber,
} from '../../core/index.ts'
import { sizeOf } from '../../ledger/index.ts'
import { currencyOf } from '../../model/index.ts'
import {
  type AccountRow,
  ALL_CURRENCIES,
  accountRow,
  type Calm,
  type CalmAccount,
  clearUnnamed,
  type Exchange,
  type HoldingRow,
  type IndexBounds,
  type IndexRow,
  type InstrumentRow,
} from '../state/index.ts'
import { FUNDED_MICROS, isCalmShared, isWorthCalm, makeCalm, nameRoused, rouse } from './calm.ts'
import { calmWithin, NEAR } from './calm-bounds.ts'
import { awaitFundingLook, awaitRound, isFundingWatched, paysFunding } from './due-looks.ts'
import { aroundPrice, fundingAtMost } from './funding-bounds.ts'
import { usdIndexName } from './usd-index.ts'

/** Far more than doubles lose, as a part of what they are of; and what rounding each currency to nano does. */
const UNSURE = 1e-12
const ROUNDED = 64
/** So little to spare, in 1e-9 USD, is not worth bounds. */
const SPARE_MIN = 1_000_000
/** Parts of what there is to spare. */
const FOR_INDICES = 0.25
const FOR_HOLDINGS = 0.5
const FOR_NOBODY = 0.25

/** Margin balance and maintenance margin of an account in a currency, in nano, as far as doubles tell them. */
export interface CurrencyNet {
  /** Id of the currency. */
  readonly currency: number
  /** The balance less what it has to maintain. */
  readonly net: number
  /** Both without their signs. */
  readonly gross: number
  /** The currency in 1e-9 USD. */
  readonly usd9: number
}

/** Finds what an account surely has to spare beyond its maintenance margin, in 1e-9 USD; below 0 where that is not sure. */
export function spareOfNets(nets: readonly CurrencyNet[]): number {
  let spare = 0
  let gross = 0
  for (const each of nets) {
    const usd = each.usd9 * 1e-9
    spare += each.net * usd
    gross += each.gross * usd
  }
  return spare - gross * UNSURE - ROUNDED
}

/** Lets a restless account be calm, where it may be and where there are many of them. */
export function letAccountBeCalm(
  exchange: Exchange,
  owner: AccountRow,
  nets: readonly CurrencyNet[],
): void {
  if (exchange.shared.restless.size <= exchange.calmFrom) return
  const holders = owner.perpetuals.filter(({ holding }) => sizeOf(exchange.ledger, holding) !== 0)
  const until = holders.length === 0 ? Number.POSITIVE_INFINITY : exchange.now + FUNDED_MICROS
  const perpetuals = holders.length
  if (!isWorthCalm(exchange, { until, pause: exchange.roundPause, perpetuals })) return
  const spare = spareOfNets(nets) - fundingWithin(exchange, holders, { nets, until })
  if (!(spare >= SPARE_MIN)) return
  const ofCurrencies = indexBounds(exchange, nets, spare * FOR_INDICES)
  if (ofCurrencies === null) return
  const bounds = withFundingBounds(ofCurrencies, holders)
  const holdings = holdingBounds(exchange, owner, { nets, spare: spare * FOR_HOLDINGS })
  if (holdings === null) return
  const left = new Map([[ALL_CURRENCIES, spare * FOR_NOBODY]])
  beCalm(exchange, owner, { calm: { bounds, until, left }, holdings })
}

/** The most that funding of some holdings takes until a time, in 1e-9 USD, currencies at twice their price. */
function fundingWithin(
  exchange: Exchange,
  holders: readonly HoldingRow[],
  of: { readonly nets: readonly CurrencyNet[]; readonly until: number },
): number {
  let most = 0
  for (const owner of holders) {
    const usd9 = of.nets.find(({ currency }) => currency === owner.row.settlement)?.usd9 ?? 0
    const paid = fundingAtMost(exchange, owner, {
      ...aroundPrice(owner.row.index.price),
      until: of.until,
    })
    most += paid * usd9 * 2e-9
  }
  return most
}

/** Bounds of indices, with those within which funding is bounded. */
function withFundingBounds(
  bounds: readonly IndexBounds[],
  holders: readonly HoldingRow[],
): readonly IndexBounds[] {
  const all = new Map(bounds.map((each) => [each.index, each]))
  for (const { index } of holders.map(({ row }) => row)) {
    const known = all.get(index)
    const { low, high } = aroundPrice(index.price)
    all.set(index, {
      index,
      low: Math.max(Math.ceil(low), known?.low ?? 0),
      high: Math.min(Math.floor(high), known?.high ?? Number.POSITIVE_INFINITY),
    })
  }
  return [...all.values()]
}

/** Makes a restless account calm, and its holdings. */
export function beCalm(
  exchange: Exchange,
  owner: AccountRow,
  how: { readonly calm: CalmAccount; readonly holdings: readonly (readonly [HoldingRow, Calm])[] },
): void {
  const { calm: found, holdings } = how
  const { until } = found
  const { id } = owner.account
  owner.risk.calm = found
  exchange.shared.restless.delete(id)
  for (const each of found.bounds) noteBounds(exchange, each, id)
  if (until < Number.POSITIVE_INFINITY) noteDeadline(exchange, until, id)
  for (const [holding, calm] of holdings) {
    takeOff(exchange, holding)
    makeCalm(exchange, holding, calm)
  }
}

/** Where the index of each currency may be; null where one of them is too near. */
function indexBounds(
  exchange: Exchange,
  nets: readonly CurrencyNet[],
  spare: number,
): readonly IndexBounds[] | null {
  const bounds: IndexBounds[] = []
  for (const { currency, net, usd9 } of nets) {
    const index = exchange.indices.get(usdIndexName(currencyOf(currencyId(currency))))
    // An index that begins makes all accounts restless; until then the price is fixed.
    if (index === undefined || index.price === 0) continue
    const part = divNearest(spare, nets.length)
    const far = net === 0 ? usd9 : Math.min(usd9, divNearest(part * 1e9, Math.abs(net)))
    if (far < usd9 * NEAR) return null
    // What its holdings may lose is counted at twice the price.
    bounds.push({ index, low: Math.ceil(usd9 - far), high: Math.floor(usd9 + far) })
  }
  return bounds
}

/** How each holding of an account may be calm; null where one of them may not. */
function holdingBounds(
  exchange: Exchange,
  { risk }: AccountRow,
  of: { readonly nets: readonly CurrencyNet[]; readonly spare: number },
): readonly (readonly [HoldingRow, Calm])[] | null {
  const found: (readonly [HoldingRow, Calm])[] = []
  const part = divNearest(of.spare, Math.max(1, risk.exact.size))
  for (const holding of risk.exact.keys()) {
    const owner = defined(exchange.holdings[holding], 'the holding exists')
    const { settlement } = owner.row
    const usd9 = of.nets.find(({ currency }) => currency === settlement)?.usd9 ?? 0
    // Of a currency without a price nothing counts, and nothing says what it will be.
    const share = usd9 === 0 ? 0 : divNearest(part * 1e9, 2 * usd9)
    const calm = owner.risk === 'cross' ? calmWithin(exchange, owner, share) : null
    if (calm === null) return null
    found.push([owner, calm])
  }
  return found
}

/** Takes a holding off the restless ones of its instrument. */
function takeOff(exchange: Exchange, { row, restlessAt, calm }: HoldingRow): void {
  assert(calm === null, 'the holdings of an account with pending checks have pending checks')
  const { restless } = row
  const last = defined(restless.pop(), 'a holding with pending checks is listed')
  if (restlessAt === restless.length) return
  restless[restlessAt] = last
  defined(exchange.holdings[last], 'the holding exists').restlessAt = restlessAt
}

/** Makes an account restless that was calm, with all its holdings: the next round looks at it again. */
export function rouseShared(exchange: Exchange, owner: AccountRow): void {
  const { risk, account } = owner
  if (risk.calm === null) return
  risk.calm = null
  exchange.shared.restless.add(account.id)
  nameRoused(exchange, account.id, ({ accounts }) => accounts > 0)
  for (const holding of risk.exact.keys()) {
    rouse(exchange, defined(exchange.holdings[holding], 'the holding exists'))
  }
  for (const { holdings } of risk.pairs) for (const holding of holdings) rouse(exchange, holding)
}

/** Makes the accounts restless that were calm until a time which is over, before the round looks at its suspects. */
export function rouseOverdue(exchange: Exchange): void {
  const { shared, now } = exchange
  const { deadlines } = shared
  while (peekNumber(deadlines) < now) {
    const owner = accountRow(exchange, popNumber(deadlines))
    // The entry of an account that is calm anew and longer means nothing.
    if ((owner.risk.calm?.until ?? now) < now) rouseShared(exchange, owner)
  }
}

/** An index moved from a price; whoever it makes suspect that is calm is so without its name. */
export function suspectAfterIndex(exchange: Exchange, index: IndexRow, before: number): void {
  const { shared } = exchange
  if (shared.accounts.length === 0) return
  // What was worth nothing so far counts from now on.
  if (before === 0)
    for (const id of shared.accounts) rouseShared(exchange, accountRow(exchange, id))
  else rouseBeyond(exchange, index)
  awaitRound(exchange)
  if (shared.restless.size === shared.accounts.length) return
  shared.unnamed.accounts = shared.accounts.length
  const isPaid = ({ funding, sharedHolders }: InstrumentRow): boolean =>
    sharedHolders > 0 && funding !== null && funding.excess !== 0n
  if (!isFundingWatched(exchange) && exchange.instruments.some(isPaid)) awaitFundingLook(exchange)
}

/** The mark of an instrument moved: of its holders too. */
export function suspectAfterMark(exchange: Exchange, row: InstrumentRow): void {
  if (row.sharedHolders === 0 || !exchange.config.liquidation.enabled) return
  awaitRound(exchange)
  if (row.calmShared === 0) return
  exchange.shared.unnamed.rows.add(row)
  awaitLookFor(exchange, row, isCalmShared)
}

/**
 * Funding wears on from what the calm holders of an instrument have now, as it does for those who are looked at. Mostly
 * it is watched anyway, or the first of them pays some.
 */
function awaitLookFor(
  exchange: Exchange,
  { holdings }: InstrumentRow,
  isMeant: (owner: HoldingRow) => boolean,
): void {
  if (isFundingWatched(exchange)) return
  const isPaying = (holding: number): boolean => {
    const owner = defined(exchange.holdings[holding], 'the holding exists')
    return isMeant(owner) && paysFunding(exchange, accountRow(exchange, owner.account))
  }
  if (holdings.some(isPaying)) awaitFundingLook(exchange)
}

/** The forward or the volatility of an option moved, and its mark did not: only portfolio margin counts them. */
export function suspectAfterMarket(exchange: Exchange, row: InstrumentRow): void {
  if (row.calmPortfolio === 0 || !exchange.config.liquidation.enabled) return
  awaitRound(exchange)
  exchange.shared.unnamed.options.add(row)
  awaitLookFor(exchange, row, isCalmPortfolio)
}

/** Names the suspects that are calm, for what reads the whole state. */
export function nameSuspects(exchange: Exchange): void {
  const { suspects, shared } = exchange
  const { unnamed } = shared
  for (let at = 0; at < unnamed.accounts; at += 1) {
    suspects.add(defined(shared.accounts[at], 'unnamed suspects are counted over the present list'))
  }
  for (const row of unnamed.rows) nameCalm(exchange, row, isCalmShared)
  for (const row of unnamed.options) nameCalm(exchange, row, isCalmPortfolio)
  clearUnnamed(unnamed)
}

function nameCalm(
  exchange: Exchange,
  { holdings }: InstrumentRow,
  isMeant: (owner: HoldingRow) => boolean,
): void {
  for (const holding of holdings) {
    const owner = defined(exchange.holdings[holding], 'the holding exists')
    if (isMeant(owner)) exchange.suspects.add(owner.account)
  }
}

function isCalmPortfolio({ calm, risk }: HoldingRow): boolean {
  return calm !== null && risk === 'portfolio'
}

/** True if there are suspects without a name. */
export function hasUnnamed({ shared: { unnamed } }: Exchange): boolean {
  return unnamed.accounts > 0 || unnamed.rows.size > 0 || unnamed.options.size > 0
}

/** A round begins that passes them by. */
export function passUnnamed({ shared }: Exchange): void {
  const { unnamed, passed } = shared
  shared.passed = unnamed
  shared.unnamed = passed
}

/** The round is over. */
export function forgetPassed({ shared }: Exchange): void {
  clearUnnamed(shared.passed)
  shared.joining.length = 0
}

function noteDeadline(exchange: Exchange, until: number, account: number): void {
  const { deadlines, accounts } = exchange.shared
  pushNumber(deadlines, until, account)
  if (deadlines.size <= 4 * accounts.length) return
  clearNumbers(deadlines)
  for (const id of accounts) {
    const until = accountRow(exchange, id).risk.calm?.until ?? Number.POSITIVE_INFINITY
    if (until < Number.POSITIVE_INFINITY) pushNumber(deadlines, until, id)
  }
}

function noteBounds(exchange: Exchange, { index, low, high }: IndexBounds, account: number): void {
  pushNumber(index.calmBelow, -low, account)
  pushNumber(index.calmAbove, high, account)
  const kept = index.calmBelow.size + index.calmAbove.size
  if (kept > 4 * exchange.shared.accounts.length) tidyBounds(exchange, index)
}

/** Drops the entries of bounds that mean nothing any more. */
function tidyBounds(exchange: Exchange, index: IndexRow): void {
  clearNumbers(index.calmBelow)
  clearNumbers(index.calmAbove)
  for (const id of exchange.shared.accounts) {
    const bounds = boundsOf(exchange, id, index)
    if (bounds === undefined) continue
    pushNumber(index.calmBelow, -bounds.low, id)
    pushNumber(index.calmAbove, bounds.high, id)
  }
}

function boundsOf(exchange: Exchange, account: number, index: IndexRow): IndexBounds | undefined {
  return accountRow(exchange, account).risk.calm?.bounds.find((each) => each.index === index)
}

/** Makes the accounts restless for which an index is beyond its bounds. */
function rouseBeyond(exchange: Exchange, index: IndexRow): void {
  const { price, calmBelow, calmAbove } = index
  rouseFirst(exchange, index, { heap: calmAbove, below: price })
  rouseFirst(exchange, index, { heap: calmBelow, below: -price })
}

function rouseFirst(
  exchange: Exchange,
  index: IndexRow,
  of: { readonly heap: NumberHeap; readonly below: number },
): void {
  const { heap, below } = of
  while (peekNumber(heap) < below) {
    const id = popNumber(heap)
    const bounds = boundsOf(exchange, id, index)
    // The entry of an account that is restless, or calm anew and further, means nothing.
    if (bounds === undefined) continue
    if (index.price < bounds.low || index.price > bounds.high) {
      rouseShared(exchange, accountRow(exchange, id))
    }
  }
}
