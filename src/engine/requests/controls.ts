/**
 * Controls of the simulator: accounts, instruments, deposits, given positions, reference prices.
 * Source: coverage R64; DESIGN 1 and 6.
 */
import { NO_SLOT } from '../../book/index.ts'
import { type AccountId, accountId, amount, assert, lots } from '../../core/index.ts'
import {
  basisBig,
  cashOf,
  hasContractTerms,
  isFillCountable,
  pricedTerms,
  readHolding,
  reserveWallets,
  sizeOf,
  WHOLE_FEE,
} from '../../ledger/index.ts'
import { reserveTotals } from '../../margin/index.ts'
import {
  CURRENCY_SLOTS,
  currencies,
  type Deposit,
  type FollowMid,
  type GivePosition,
  houseAccountNames,
  insuranceAccount,
  type ListInstrument,
  type MarginModel,
  marketAccountName,
  NO_ACCOUNT,
  type OpenAccount,
  positionAccount,
  type Refusal,
  roundingAccount,
  type SetIndex,
  type SetMark,
  validationStep,
} from '../../model/index.ts'
import { addInstrument, BALANCE_MAX, fits, listScheduled, outsideProblem, postOutside } from '../day/index.ts'
import { bookFill, reallocate } from '../market/index.ts'
import {
  addAccount,
  type CheckResult,
  type Exchange,
  eventHeader,
  findHolding,
  holdingFor,
  type IndexRow,
  type InstrumentRow,
  indexRow,
  isPriceFixed,
  isUsername,
  NO_INSTRUMENT,
  pass,
  refuse,
  type Turn,
} from '../state/index.ts'
import {
  canValueAt,
  changeIndex,
  changeMark,
  followMid,
  isCountableAt,
  publishMark,
  refreshMargin,
  releaseOption,
  withdrawableOf,
} from '../value/index.ts'
import { type Handlers, paramRefusal, seal } from './handler.ts'

const step = validationStep
/** An account name must be new and must not contain dots, which mark house accounts. */
function checkOpenAccount(exchange: Exchange, command: OpenAccount): CheckResult<string> {
  const { name } = command
  if (exchange.accountIds.has(name) || isUsername(exchange, name, NO_ACCOUNT)) {
    return refuse(step.parameters, paramRefusal('name', `the account ${name} already exists`))
  }
  if (name === '' || name.includes('.')) {
    return refuse(step.parameters, paramRefusal('name', 'expected a name without dots'))
  }
  const main = command.main === null ? undefined : exchange.accounts[command.main]
  if (command.main !== null && (main === undefined || main.account.house)) {
    return refuse(step.parameters, paramRefusal('main', 'the main account does not exist'))
  }
  if (main !== undefined && main.account.main !== main.account.id) {
    return refuse(step.parameters, paramRefusal('main', 'a subaccount cannot have subaccounts'))
  }
  return pass(name)
}

function commitOpenAccount(turn: Turn, command: OpenAccount, name: string): number {
  openAccount(turn, {
    name,
    marginModel: command.marginModel,
    main: command.main,
    feePpm: command.feePpm,
    house: false,
  })
  assert(turn.exchange.accountIds.has(name), 'an opened account is known by its name')
  return 1
}

/**
 * Opens the house accounts, pays in the initial insurance fund, and lists the instruments of the schedule. An exchange
 * does this first.
 */
export function openHouse(turn: Turn): void {
  for (const name of houseAccountNames) {
    openAccount(turn, {
      name,
      marginModel: 'segregated_sm',
      main: null,
      feePpm: WHOLE_FEE,
      house: true,
    })
  }
  for (const currency of currencies) {
    const fund = turn.exchange.config.insuranceFund[currency] ?? amount(0n)
    if (fund !== 0n) postOutside(turn, { target: insuranceAccount, currency, amount: fund })
  }
  listScheduled(turn, null)
}

/** Opens the counterparty of fills from recorded books, when the first such book is listed. */
function openMarketAccount(turn: Turn): void {
  turn.exchange.market = turn.exchange.accounts.length
  openHouseAccount(turn, marketAccountName)
}

/** Opens a house account that not every run needs. */
export function openHouseAccount(turn: Turn, name: string): void {
  openAccount(turn, {
    name,
    marginModel: 'segregated_sm',
    main: null,
    feePpm: WHOLE_FEE,
    house: true,
  })
}

/** The terms of an account that opens. */
interface NewAccount {
  readonly name: string
  readonly marginModel: MarginModel
  readonly main: AccountId | null
  readonly feePpm: number
  readonly house: boolean
}

function openAccount(turn: Turn, of: NewAccount): void {
  const id = accountId(turn.exchange.accounts.length)
  const { name, marginModel, house, feePpm } = of
  const account = { id, name, marginModel, house, feePpm, main: of.main ?? id }
  addAccount(turn.exchange, account)
  reserveWallets(turn.exchange.ledger, (id + 1) * CURRENCY_SLOTS)
  reserveTotals(turn.exchange.margin, (id + 1) * CURRENCY_SLOTS)
  turn.log.append({
    kind: 'account',
    ...eventHeader(turn),
    account: id,
    name,
    marginModel,
    house,
    main: account.main,
    feePpm,
  })
}

/** An instrument can be listed only once. */
function checkListInstrument(exchange: Exchange, command: ListInstrument): CheckResult<null> {
  const { name } = command.spec
  if (exchange.instrumentIds.has(name)) {
    return refuse(step.parameters, paramRefusal('instrument_name', `${name} is already listed`))
  }
  if (!hasContractTerms(command.spec)) {
    const problem = 'the exchange cannot compute exactly with this amount step, tick size and fees'
    return refuse(step.parameters, paramRefusal('instrument_name', problem))
  }
  const isTaken = exchange.market < 0 && exchange.accountIds.has(marketAccountName)
  if (command.queue !== null && isTaken) {
    const problem = `an account is named ${marketAccountName}, and recorded liquidity needs this name`
    return refuse(step.parameters, paramRefusal('queue', problem))
  }
  return pass(null)
}

function commitListInstrument(turn: Turn, command: ListInstrument): number {
  if (command.queue !== null && turn.exchange.market < 0) openMarketAccount(turn)
  addInstrument(turn, command.spec, command.queue)
  assert(turn.exchange.instrumentIds.has(command.spec.name), 'a listed instrument is known by its name')
  return 1
}

/** A withdrawal must not exceed the free money. */
function checkDeposit(exchange: Exchange, command: Deposit): CheckResult<null> {
  const stranger = targetRefusal(exchange, command.target)
  if (stranger !== null) return refuse(step.parameters, stranger)
  const problem = command.amount > 0n ? outsideProblem(exchange, command) : null
  if (problem !== null) return refuse(step.parameters, paramRefusal('amount', problem))
  if (command.amount < -BALANCE_MAX) return refuse(step.margin, { reason: 'not_enough_funds' })
  if (command.amount < 0n) {
    const free = withdrawableOf(exchange, accountId(command.target), command.currency)
    if (free + command.amount < 0n) return refuse(step.margin, { reason: 'not_enough_funds' })
  }
  return pass(null)
}

/** The rounding account contains only residues of rounding, which audits recompute. */
function targetRefusal(exchange: Exchange, target: number): Refusal | null {
  if (exchange.accounts[target] === undefined) return paramRefusal('account', 'the account does not exist')
  return target === roundingAccount ? paramRefusal('account', 'controls cannot change the rounding account') : null
}

function commitDeposit(turn: Turn, command: Deposit): number {
  postOutside(turn, command)
  return 1
}

/**
 * The instrument must be of a kind that has positions (not spot, not a combo), and must have a mark that values them.
 * The ledger must be able to represent the resulting positions at the price and at the mark, and their profit.
 */
function checkGivePosition(exchange: Exchange, command: GivePosition): CheckResult<InstrumentRow> {
  const row = exchange.instruments[command.instrument]
  if (row === undefined) return refuse(step.instrument, { reason: 'not_found' })
  const stranger = targetRefusal(exchange, command.target)
  if (stranger !== null) return refuse(step.parameters, stranger)
  if (row.base >= 0 || row.instrument.detail.type === 'combo') {
    return refuse(step.instrument, { reason: 'invalid_args_for_instrument' })
  }
  if (row.deliveredAt !== null) return refuse(step.bookState, { reason: 'book_closed' })
  if (command.size === 0) return refuse(step.amount, { reason: 'invalid_amount' })
  if (command.price <= 0) return refuse(step.price, { reason: 'invalid_price' })
  if (!row.hasMark) return refuse(step.priceBand, { reason: 'retry' })
  const isCounted = isGiftCountable(exchange, row, command)
  return isCounted ? pass(row) : refuse(step.amount, { reason: 'invalid_amount' })
}

/**
 * True if the ledger can hold both sides of a given position: their costs and profits, their values at the mark, and
 * the cash that the premium of an option leaves.
 */
function isGiftCountable(exchange: Exchange, row: InstrumentRow, { target, size, price }: GivePosition): boolean {
  const priced = pricedTerms(row.terms, price)
  const cost = row.terms.premium ? basisBig(row.terms, Math.abs(size), price) : 0n
  const currency = row.instrument.settlementCurrency
  const changes = [
    [target, size],
    [positionAccount, -size],
  ] as const
  return changes.every(([account, change]) => {
    const holding = findHolding(exchange, account, row)?.holding
    const held = holding === undefined ? emptyHolding : readHolding(exchange.ledger, holding)
    const fill = { sign: change > 0 ? 1 : -1, lots: Math.abs(change), price: priced } as const
    const isValued = row.mark === 0 || isCountableAt(row, Math.abs(held.size + change), row.mark)
    const isPaid = fits(exchange, { target: account, currency, amount: amount(change > 0 ? -cost : cost) })
    return isValued && isPaid && isFillCountable(held, fill)
  })
}

const emptyHolding = { size: 0, entry: 0n, day: 0n, realized: 0n, funding: 0n, value: 0n, profit: 0n }

/** Books the position for the account and its opposite for the house. */
export function commitGivePosition(turn: Turn, command: GivePosition, row: InstrumentRow): number {
  assert(command.size !== 0, 'a given position has a size')
  const price = pricedTerms(row.terms, command.price)
  for (const [account, change] of [
    [command.target, command.size],
    [positionAccount, -command.size],
  ] as const) {
    const owner = holdingFor(turn.exchange, account, row)
    const given = Math.abs(change)
    const direction = change > 0 ? 'buy' : 'sell'
    const before = sizeOf(turn.exchange.ledger, owner.holding)
    const booked = bookFill(turn, { row, owner, direction, lots: given, priced: price })
    assert(booked.position === before + change, 'a position grows by the given size')
    refreshMargin(turn.exchange, owner)
    turn.log.append({
      kind: 'given_position',
      ...eventHeader(turn),
      account,
      instrument: row.instrument.id,
      change: lots(change),
      price: command.price,
      realized: amount(BigInt(booked.realized)),
      premium: amount(BigInt(booked.premium)),
      balance: amount(cashOf(turn.exchange.ledger, owner.wallet)),
      position: lots(booked.position),
    })
    reallocate(turn, owner, NO_SLOT)
  }
  return 1
}

const unbearable = refuse(step.price, paramRefusal('price', 'too low or too high for the open positions'))

/** The price of an index must be positive. An index without instruments is allowed. */
function checkSetIndex(exchange: Exchange, command: SetIndex): CheckResult<null> {
  if (command.price <= 0) return refuse(step.price, paramRefusal('price', 'expected a price above 0'))
  const followers = exchange.indices.get(command.index)?.followers ?? []
  const isTooSmall = followers.some((id) => {
    const row = exchange.instruments[id]
    return row !== undefined && !canValueAt(exchange, row, command.price)
  })
  return isTooSmall ? unbearable : pass(null)
}

/** Sets the index and the marks that follow it. */
function commitSetIndex(turn: Turn, command: SetIndex): number {
  assert(command.price > 0, 'an index price is positive')
  const index: IndexRow = indexRow(turn.exchange, command.index)
  if (turn.exchange.outages.indices.has(index.name)) return 0
  index.mid = NO_INSTRUMENT
  changeIndex(turn, index, command.price)
  assert(index.price === command.price, 'the index has the price that was set')
  return 1
}

/** The instrument whose mid price the index follows must have a recorded book. */
function checkFollowMid(exchange: Exchange, command: FollowMid): CheckResult<InstrumentRow> {
  const row = exchange.instruments[command.instrument]
  if (row === undefined) return refuse(step.instrument, { reason: 'not_found' })
  if (row.index.name !== command.index) {
    const problem = `the index of ${row.instrument.name} is ${row.index.name}`
    return refuse(step.parameters, paramRefusal('index_name', problem))
  }
  if (row.book.recorded === null) {
    const problem = `${row.instrument.name} has no recorded book`
    return refuse(step.parameters, paramRefusal('instrument_name', problem))
  }
  return pass(row)
}

/** The index follows the mid price from now on, and takes it immediately if the book is known. */
function commitFollowMid(turn: Turn, _command: FollowMid, row: InstrumentRow): number {
  assert(row.book.recorded !== null, 'an index follows the mid price of a recorded book')
  row.index.mid = row.instrument.id
  followMid(turn, row)
  return 1
}

/** A pinned mark must be positive, except for combos. */
function checkSetMark(exchange: Exchange, command: SetMark): CheckResult<InstrumentRow> {
  const row = exchange.instruments[command.instrument]
  if (row === undefined) return refuse(step.instrument, { reason: 'not_found' })
  if (isPriceFixed(row)) return refuse(step.bookState, { reason: 'book_closed' })
  const isCombo = row.instrument.detail.type === 'combo'
  if (command.price !== null && command.price <= 0 && !isCombo) {
    return refuse(step.price, paramRefusal('price', 'expected a price above 0'))
  }
  if (command.price !== null && !canValueAt(exchange, row, command.price)) return unbearable
  return pass(row)
}

/** Pins the mark, or lets the venue compute it again. */
function commitSetMark(turn: Turn, command: SetMark, row: InstrumentRow): number {
  assert(!isPriceFixed(row), 'a final mark price cannot be set')
  if (command.price !== null) {
    row.markRule = 'set'
    changeMark(turn, row, command.price, 'set')
    assert(row.mark === command.price, 'a pinned mark price has the value that was set')
  } else if (row.option !== null) releaseOption(turn, row)
  else {
    row.markRule = 'venue'
    publishMark(turn, row)
  }
  const isPinned = row.markRule === 'set'
  assert(isPinned === (command.price !== null), 'a mark price is pinned while a price is set for it')
  return 1
}

export const controlsHandlers: Handlers<
  'open_account' | 'list_instrument' | 'deposit' | 'give_position' | 'set_index' | 'follow_mid' | 'set_mark'
> = {
  open_account: seal({ check: checkOpenAccount, commit: commitOpenAccount }),
  list_instrument: seal({ check: checkListInstrument, commit: commitListInstrument }),
  deposit: seal({ check: checkDeposit, commit: commitDeposit }),
  give_position: seal({ check: checkGivePosition, commit: commitGivePosition }),
  set_index: seal({ check: checkSetIndex, commit: commitSetIndex }),
  follow_mid: seal({ check: checkFollowMid, commit: commitFollowMid }),
  set_mark: seal({ check: checkSetMark, commit: commitSetMark }),
}
