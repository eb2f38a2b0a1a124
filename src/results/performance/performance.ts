/**
 * The performance of accounts: what a trader reads first, summed up while events pass.
 *
 * For each account but those of the house, and each of its currencies:
 *
 *     total = price + funding - fees + insurance = equity - deposits
 *
 * exactly, in nano. `price` is computed from what fills, given and transferred positions realized, what
 * settlements turned into cash, the floating profit at the end, for options from the premiums received less
 * those paid, what was delivered and what they are worth at the end, and for spot what was received less
 * what was given; funding from the settlements and from the positions at the end; the fees from fills,
 * deliveries and the commissions of transfers alone; `insurance` from bankruptcies; the total from equity
 * and deposits. None is what the others leave over, so `finish` asserts the equation.
 *
 * - Deposits are what came from outside or from other accounts of the same owner, less what went there.
 * - Turnover is the notional of fills in the settlement currency: coin for inverse contracts, quote
 *   for the others, each fill rounded half away from zero to 1e-9; for options it is the premium. A fee is
 *   in the currency that it was paid in, for a spot buy the base coin. Combos count by their legs.
 * - The drawdown is the largest fall of profit (equity less deposits) below its peak so far, which
 *   starts at 0; its fraction is the largest share of the peak of equity that was lost, where the peak
 *   counts with the deposits of the moment, so that a deposit is no gain and a withdrawal no loss.
 *   Equity is sampled after each input that filled, on a grid of virtual time, and at the end.
 * - An order that was open ends filled or cancelled, or it rests; those filled in part are among the
 *   cancelled and the resting. An order that waits for a price or a fill is counted as a trigger, and what
 *   it becomes as an order of its own. All cancels are counted by reason, so that
 *   `opened + triggers.cancelled = filled + cancelled + resting`.
 * - The hidden part of an iceberg fills as a taker (C25).
 *
 * The sink knows no engine: it is told equity where it asks. An event of no interest costs a switch.
 * Memory: the accounts with their currencies and instruments, and one id for each live order that is
 * filled in part.
 */
import {
  type AccountId,
  type Amount,
  accountId,
  assert,
  divFloor,
  divHalfAwayBig,
  type Micros,
  ok,
  type Result,
  type TextFault,
  unreachable,
} from '../../core/index.ts'
import { basisBig } from '../../ledger/index.ts'
import {
  type Currency,
  type EventOf,
  type EventSink,
  type EventTakers,
  type Fill,
  formOfId,
  type Instrument,
  isCurrency,
  type OrderChanged,
  sinkOf,
  type Trade,
} from '../../model/index.ts'
import {
  type AccountPerformance,
  performanceOfAccount,
  type Standing,
} from './account-performance.ts'
import { followSettlement, followTransfer } from './settlements.ts'
import {
  accountAt,
  createState,
  restoreState,
  type State,
  snapshotState,
  termsAt,
  touch,
} from './state.ts'
import {
  countWord,
  createAccountTally,
  type InstrumentTerms,
  instrumentOf,
  sampleWallet,
  walletOf,
} from './tallies.ts'

/** How performance is measured. */
export interface PerformanceOptions {
  /** Virtual microseconds between two samples of equity; 1 s where it is not given. */
  readonly sampleEvery?: number
}

/** The equity of an account's currency now. */
export type EquityLookup = (account: AccountId, currency: Currency) => Amount

/** A sink that sums up what accounts do. */
export interface Performance extends EventSink {
  /**
   * Samples equity where it is due. To be called before each input, with its time and with equity as
   * the inputs before have left it.
   */
  sample(time: Micros, equityOf: EquityLookup): void
  /** Samples once more and sums up, accounts in the order of their opening. No event may follow. */
  finish(
    standingOf: (account: AccountId, currency: Currency) => Standing,
  ): readonly AccountPerformance[]
  /** Everything that the rest of the run needs to come to the same figures. */
  snapshot(): Uint8Array
}

const SECOND = 1_000_000

/** A sink at the start of a run; it has to see the first event. */
export function createPerformance({ sampleEvery = SECOND }: PerformanceOptions = {}): Performance {
  return performanceOf(createState(sampleEvery))
}

/** The sink that continues where `snapshot()` gave `bytes`. */
export function restorePerformance(bytes: Uint8Array): Result<Performance, TextFault> {
  const restored = restoreState(bytes)
  return restored.ok ? ok(performanceOf(restored.value)) : restored
}

function performanceOf(state: State): Performance {
  let isFinished = false
  const sink = sinkOf(takersOf(state), () => {
    assert(!isFinished, 'no event follows the end of a run')
  })
  return {
    ...sink,
    sample: (time, equityOf) => {
      if (state.due.length > 0) sampleDue(state, equityOf)
      if (time > state.nextSample) sampleGrid(state, time, equityOf)
    },
    finish: (standingOf) => {
      assert(!isFinished, 'a run ends once')
      isFinished = true
      return state.accounts.flatMap((account, id) =>
        account.house
          ? []
          : [
              performanceOfAccount(account, state.instruments, (currency) =>
                standingOf(accountId(id), currency),
              ),
            ],
      )
    },
    snapshot: () => {
      assert(!isFinished, 'an ended run has no snapshot')
      return snapshotState(state)
    },
  }
}

/**
 * Takers that add each family to the sums. What accrues during a session is told again when it is settled, and what a
 * liquidation does to money by its trades and transfers.
 */
function takersOf(state: State): EventTakers {
  const settle = (event: EventOf<'settlement' | 'bankruptcy' | 'shared_loss'>): void =>
    followSettlement(state, event)
  const transfer = (
    event: EventOf<'cash' | 'transfer' | 'given_position' | 'position_transfer'>,
  ): void => followTransfer(state, event)
  return {
    order: (event) => followOrder(state, event),
    trade: (event) => followTrade(state, event),
    mark: () => {
      state.moved = true
    },
    refusal: (event) => followRefusal(state, event),
    settlement: settle,
    bankruptcy: settle,
    shared_loss: settle,
    funding: ({ account, instrument, funding }) => {
      const owner = accountAt(state, account)
      if (owner.house) return
      walletOf(owner, termsAt(state, instrument).settlementCurrency).bookedFunding += funding
    },
    cash: transfer,
    transfer,
    given_position: transfer,
    position_transfer: transfer,
    account: (event) => {
      assert(
        event.account === state.accounts.length,
        'accounts are opened in the order of their ids',
      )
      state.accounts.push(createAccountTally(event.name, event.house))
    },
    instrument: ({ instrument }) => {
      assert(
        instrument.id === state.instruments.length,
        'instruments are listed in the order of their ids',
      )
      state.instruments.push(termsOf(instrument))
    },
  }
}

function followOrder(state: State, event: OrderChanged): void {
  const account = accountAt(state, event.account)
  const { orders, triggers } = account
  switch (event.change) {
    case 'opened':
      if (event.state === 'untriggered') triggers.placed += 1
      else orders.opened += 1
      return
    case 'edited':
      orders.edited += 1
      return
    case 'filled':
      if (event.state === 'filled') {
        if (state.partly.delete(event.order)) orders.livePartly -= 1
        orders.filled += 1
      } else if (!state.partly.has(event.order)) {
        state.partly.add(event.order)
        orders.livePartly += 1
      }
      return
    case 'cancelled':
      if (state.partly.delete(event.order)) orders.livePartly -= 1
      if (event.filled > 0) orders.cancelledPartly += 1
      // Only orders that wait have ids of another form, and they keep them until they end.
      if (formOfId(event.order) !== 'ordinary') triggers.cancelled += 1
      assert(event.reason !== null, 'a cancelled order has a reason')
      countWord(account.cancelled, event.reason)
      return
    case 'triggered':
      triggers.fired += 1
      return
    case 'rejected':
      triggers.rejected += 1
      return
    case 'rested':
    case 'resized':
    case 'refreshed':
      return
    default:
      unreachable(event.change)
  }
}

function followRefusal(state: State, { account, command, refusal }: EventOf<'refusal'>): void {
  if (account === -1) return
  if (command === 'place_order') countWord(accountAt(state, account).refused, refusal.reason)
  if (command === 'edit_order') countWord(accountAt(state, account).editsRefused, refusal.reason)
}

/** The trade of a combo moves nothing: its legs do, which are trades of their own. */
function followTrade(state: State, trade: Trade): void {
  if (trade.legs.length > 0) return
  const terms = termsAt(state, trade.instrument)
  const basis = basisBig(terms, trade.amount, trade.price)
  // The basis of an inverse contract counts 1e-18 coin.
  const notional = terms.payoff === 'inverse' ? divHalfAwayBig(basis, 1_000_000_000n) : basis
  const isMaker = trade.maker.rule !== 'hidden'
  followFill(state, { trade, fill: trade.maker, terms, notional, isMaker })
  followFill(state, { trade, fill: trade.taker, terms, notional, isMaker: false })
}

function followFill(
  state: State,
  side: {
    readonly trade: Trade
    readonly fill: Fill
    readonly terms: InstrumentTerms
    readonly notional: bigint
    readonly isMaker: boolean
  },
): void {
  const { trade, fill, terms, notional, isMaker } = side
  const account = accountAt(state, fill.account)
  if (account.house) return
  const wallet = walletOf(account, terms.settlementCurrency)
  const buys = fill.side === 'buy'
  wallet.fills += 1
  wallet.turnover += notional
  if (isMaker) {
    wallet.makerFills += 1
    wallet.makerTurnover += notional
  }
  const paying =
    fill.feeCurrency === terms.settlementCurrency ? wallet : walletOf(account, fill.feeCurrency)
  if (isMaker) paying.makerFees += fill.fee
  else paying.takerFees += fill.fee
  const traded = instrumentOf(account, trade.instrument)
  if (buys) traded.bought += trade.amount
  else traded.sold += trade.amount
  traded.position = fill.position
  touch(state, fill.account, { currency: terms.settlementCurrency, wallet })
  if (terms.isOption) {
    wallet.premiums += fill.premium
    return
  }
  if (terms.base === null) {
    wallet.realized += fill.realized
    return
  }
  const base = walletOf(account, terms.base)
  const baseNano = BigInt(trade.amount) * BigInt(terms.amountStep9)
  base.flows += buys ? baseNano : -baseNano
  wallet.flows += buys ? -notional : notional
  touch(state, fill.account, { currency: terms.base, wallet: base })
}

function sampleDue(state: State, equityOf: EquityLookup): void {
  for (const { account, currency, wallet } of state.due) {
    sampleWallet(wallet, equityOf(account, currency))
  }
  state.due = []
}

/** The points of the grid before `time` all see one equity: nothing has happened since the last input. */
function sampleGrid(state: State, time: number, equityOf: EquityLookup): void {
  const { sampleEvery, exposed } = state
  const passed = divFloor(time, sampleEvery) * sampleEvery
  state.nextSample = passed < time ? passed + sampleEvery : passed
  if (!state.moved) return
  state.moved = false
  for (const { account, currency, wallet } of exposed) {
    sampleWallet(wallet, equityOf(account, currency))
  }
}

function termsOf(instrument: Instrument): InstrumentTerms {
  const { name, payoff, amountStep9, settlementCurrency, baseCurrency } = instrument
  const base = payoff === 'spot' && isCurrency(baseCurrency) ? baseCurrency : null
  const isOption = instrument.detail.type === 'option'
  return { name, payoff, amountStep9, settlementCurrency, base, isOption }
}
