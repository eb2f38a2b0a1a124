/**
 * Laws of the venue's money, checked on the events of a run and on the state after each command, in addition to the
 * whole-state audit (sizes and bases of an instrument sum to zero):
 * - the cash of a settlement is the sum that its holders were notified of, and the totals agree;
 * - a bankruptcy is the sum of its parts, leaves no trader in debt, and the fund pays all of it;
 * - rounding leaves at most one unit per rounding with the house, and all accounts together are worth at most that much
 *   more than the deposits.
 */
import { assert } from '../../src/core/index.ts'
import { allAccounts, type Exchange, equityOf, totalCash } from '../../src/engine/index.ts'
import { cashOf } from '../../src/ledger/index.ts'
import {
  CURRENCY_SLOTS,
  currencies,
  currencyIdOf,
  type Event,
  type EventOf,
  type EventSink,
  roundingAccount,
} from '../../src/model/index.ts'

/** Sums over the parts of one settled instrument so far. */
interface Settled {
  position: number
  profitLoss: bigint
  sessionProfitLoss: bigint
}

/** Sums over the parts of one bankruptcy so far. */
interface Bankrupt {
  loss: bigint
  tax: bigint
}

/** The laws' record of an instrument. */
interface Known {
  readonly currency: string
  settled: Settled
  /** Funding that longs paid since the last settlement, and how often funding was rounded since then. */
  longsPaid: bigint
  touches: number
}

function nothingSettled(): Settled {
  return { position: 0, profitLoss: 0n, sessionProfitLoss: 0n }
}

/** Checks these laws while a run emits events. */
export class MoneyLaws implements EventSink {
  private readonly instruments = new Map<number, Known>()
  private readonly bankrupt = new Map<string, Bankrupt>()
  private readonly roundings = new Map<string, number>()
  /** Settlement currencies of the instruments. */
  private readonly settles = new Set<string>()

  /** Continues with a restored state. */
  continueFrom(exchange: Exchange): void {
    for (const currency of currencies) {
      const count = exchange.roundings[currencyIdOf(currency)] ?? 0
      this.roundings.set(currency, count)
    }
    for (const { instrument, funding } of exchange.instruments) {
      const currency = instrument.settlementCurrency
      this.settles.add(currency)
      // A restored state does not say how often funding was rounded in this session; this is the upper bound.
      const touches = this.roundings.get(currency) ?? 0
      const longsPaid = funding?.paidByLongs ?? 0n
      this.instruments.set(instrument.id, {
        ...{ currency, settled: nothingSettled(), longsPaid, touches },
      })
    }
  }

  emit(event: Event): void {
    switch (event.kind) {
      case 'instrument': {
        const { id, settlementCurrency: currency } = event.instrument
        const settled = nothingSettled()
        this.settles.add(currency)
        this.instruments.set(id, { currency, settled, longsPaid: 0n, touches: 0 })
        return
      }
      case 'funding': {
        const known = this.known(event.instrument)
        assert(event.from !== event.to && event.position !== 0, 'funding is of somebody')
        if (event.position > 0) known.longsPaid -= event.funding
        known.touches += 1
        this.round(known.currency)
        return
      }
      case 'settlement':
        this.addSettled(event)
        return
      case 'instrument_settlement':
        this.closeSettled(event)
        return
      case 'bankruptcy':
        assert(event.loss > 0n, 'a bankrupt account owes something')
        this.partsOf(event.currency).loss += event.loss
        return
      case 'shared_loss':
        assert(event.tax > 0n && event.tax <= event.sessionProfitLoss, 'a winner shares its profit')
        this.partsOf(event.currency).tax += event.tax
        this.round(event.currency)
        return
      case 'currency_bankruptcy':
        this.closeBankrupt(event)
    }
  }

  /** Throws if the state breaks a law. */
  check(exchange: Exchange): void {
    for (const currency of currencies) {
      if (this.settles.has(currency)) this.checkCurrency(exchange, currency)
    }
  }

  private checkCurrency(exchange: Exchange, currency: (typeof currencies)[number]): void {
    const id = currencyIdOf(currency)
    const count = this.roundings.get(currency) ?? 0
    assert((exchange.roundings[id] ?? 0) === count, 'every rounding is counted')
    const kept = cashOf(exchange.ledger, roundingAccount * CURRENCY_SLOTS + id)
    assert(absolute(kept) <= BigInt(count), 'rounding leaves at most one unit')
    let most = 0
    for (const { instrument, holdings } of exchange.instruments) {
      if (instrument.settlementCurrency !== currency) continue
      most += 2 * holdings.length + this.known(instrument.id).touches
    }
    const worth = allAccounts(exchange).reduce((sum, account) => sum + equityOf(exchange, account.id, currency), 0n)
    const beyond = absolute(worth - totalCash(exchange, id))
    assert(beyond <= BigInt(most), 'what one gains another loses')
  }

  private addSettled(event: EventOf<'settlement'>): void {
    const { settled, currency } = this.known(event.instrument)
    settled.position += Math.max(0, event.position)
    settled.profitLoss += event.profitLoss
    settled.sessionProfitLoss += event.sessionProfitLoss
    assert(event.type === 'delivery' || event.fee === 0n, 'only a delivery has a fee')
    this.round(currency)
  }

  private closeSettled(event: EventOf<'instrument_settlement'>): void {
    const known = this.known(event.instrument)
    const { settled } = known
    assert(event.position === settled.position, 'open interest is the sum of its longs')
    assert(event.profitLoss === settled.profitLoss, 'profit is that of the holders')
    assert(event.sessionProfitLoss === settled.sessionProfitLoss, 'and so is session profit')
    assert(event.funding === known.longsPaid, 'funding is what longs paid')
    known.settled = nothingSettled()
    known.longsPaid = 0n
    known.touches = 0
  }

  private closeBankrupt(event: EventOf<'currency_bankruptcy'>): void {
    const { currency, loss, funded, socialized, tax, sessionProfitLoss } = event
    const parts = this.partsOf(currency)
    assert(loss === parts.loss && tax === parts.tax, 'a bankruptcy is the sum of its parts')
    assert(funded + socialized === loss && funded >= 0n, 'the fund or the winners bear a loss')
    assert(tax <= sessionProfitLoss && event.taxRate9 <= 1_000_000_000, 'winners give what they won')
    this.bankrupt.delete(currency)
  }

  private known(instrument: number): Known {
    const known = this.instruments.get(instrument)
    if (known === undefined) throw new Error('an instrument is listed before anything else')
    return known
  }

  private partsOf(currency: string): Bankrupt {
    const parts = this.bankrupt.get(currency) ?? { loss: 0n, tax: 0n }
    this.bankrupt.set(currency, parts)
    return parts
  }

  private round(currency: string): void {
    this.roundings.set(currency, (this.roundings.get(currency) ?? 0) + 1)
  }
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}
