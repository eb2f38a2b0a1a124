/**
 * Money transfers between accounts of the naive exchange, and the seizure of a bankrupt cross account's other
 * currencies: they pay its debt in one currency at the indices (market.md 3.7, 6.4).
 */

import { type Currency, currencies } from '../../src/model/index.ts'
import { NaiveMatching } from './naive-matching.ts'
import { floorDiv } from './naive-money.ts'
import { isLive } from './naive-orders.ts'

const FUND = 3

/** A transfer of money between two accounts. */
interface NaiveMoneyTransfer {
  readonly source: number
  readonly target: number
  readonly currency: Currency
  readonly amount: bigint
  readonly nonce: string | null
}

/** Adds transfers of money. */
export class NaiveSeizures extends NaiveMatching {
  private transfers = 0

  move(from: number, to: number, currency: string, money: bigint): void {
    this.post(from, currency, -money)
    this.post(to, currency, money)
  }

  transferMoney({ source, target, currency, amount, nonce }: NaiveMoneyTransfer): void {
    this.move(source, target, currency, amount)
    this.transfers += 1
    this.emit({
      ...{ kind: 'transfer', transfer: this.transfers, from: source, to: target },
      ...{ currency, amount, nonce, fromBalance: this.balance(source, currency) },
      toBalance: this.balance(target, currency),
    })
  }

  /** True if an account is worth less than zero over all of its currencies. */
  protected isRuined(account: number): boolean {
    return this.isCross(account) && this.poolOf(account, null).equity < 0n
  }

  /** Balances in other currencies pay a debt in one; rounded in favour of the fund. */
  protected seize(account: number, currency: Currency): void {
    const index = this.usdIndex(currency)
    if (index === 0n) return
    for (const order of [...this.ordersOf(account)]) {
      if (this.marketOf(order).spec.payoff === 'spot' && isLive(order)) {
        this.end(order, 'autoliquidation')
      }
    }
    for (const other of currencies) {
      const debt = -this.balance(account, currency)
      const price = this.usdIndex(other)
      const { equity, optionsValue } = this.wallet(account, other)
      const had = equity - optionsValue
      if (debt <= 0n || other === currency || had <= 0n || price === 0n) continue
      const isEnough = had * price >= debt * index
      const taken = isEnough ? -floorDiv(-debt * index, price) : had
      const given = isEnough ? debt : floorDiv(had * price, index)
      const nonce = null
      this.transferMoney({ source: account, target: FUND, currency: other, amount: taken, nonce })
      if (given === 0n) continue
      this.transferMoney({ source: FUND, target: account, currency, amount: given, nonce })
    }
  }
}
