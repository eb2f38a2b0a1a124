/**
 * Families of risk: the steps of liquidations, positions that change hands without an order, and the liquidity support
 * programme.
 *
 * Source: market.md 6.6; sessions-blocks-gateways.md 7; R52-R54.
 */
import { plainUnit, units, wordUnit } from '../../core/index.ts'
import { liquidationCurrencies, liquidationOutcomes, liquidationRoutes, pickRules } from '../words/liquidations.ts'
import { type LspChange, protectionChanges } from '../words/protections.ts'
import { transferReasons } from '../words/trades.ts'
import * as eventUnits from './family.ts'
import { type ColumnsRow, columnOrNull, noMoney, part, unless } from './family.ts'

const marginColumns = {
  marginBalance: units.money,
  initial: units.money,
  maintenance: units.money,
}

const liquidationColumns = {
  account: units.accountId,
  /** The currency whose positions are liquidated; for a cross account USD, and its money is in USD (1e-9). */
  currency: wordUnit('currency or USD', liquidationCurrencies),
  /** Counts the rounds of one liquidation from 1. */
  round: units.count,
  ...marginColumns,
}

const sideColumns = {
  account: units.accountId,
  realized: units.money,
  /** Premium of an option; positive if received, negative if paid. */
  premium: unless(noMoney, units.money),
  /** Cash after the transfer, including premium and commission. */
  balance: units.money,
  /** Signed position after the transfer; 0 for spot. */
  position: units.lots,
}

/** Families of risk. */
export const riskFamilies = {
  /**
   * - `started`: the maintenance margin of an account is above its margin balance. The account is locked, and its open
   *   orders are cancelled.
   * - `ended`: the account is unlocked; `outcome` says why.
   */
  liquidation: {
    change: wordUnit('change of a liquidation', ['started', 'ended']),
    ...liquidationColumns,
    /** Null for a start. */
    outcome: columnOrNull(wordUnit('outcome of a liquidation', liquidationOutcomes)),
  },
  /**
   * A liquidation round selected a position and tried to close a part of it. There is one row for each route that it
   * tried. Margins are those before the round.
   */
  liquidation_step: {
    ...liquidationColumns,
    instrument: units.instrumentId,
    /** Signed position before the step. */
    position: units.lots,
    rule: wordUnit('rule of a pick', pickRules),
    /** Maintenance margin of the selected position. */
    positionMaintenance: units.money,
    route: wordUnit('route of a position', liquidationRoutes),
    /** Size that it tried to close, and the part that was closed. */
    asked: units.lots,
    closed: units.lots,
    /** Worst price of the order, or the price of the transfer. */
    price: units.price9,
  },
  /**
   * A position, or coins of a spot pair against money, changed hands at a price, without an order and without a trading
   * fee.
   */
  position_transfer: {
    reason: wordUnit('reason of a transfer', transferReasons),
    instrument: units.instrumentId,
    price: units.price9,
    /** Signed size that moves from `from` to `to`. */
    amount: units.lots,
    from: part(sideColumns),
    to: part(sideColumns),
    /**
     * Commission that `from` pays; for spot in the currency that it receives. The insurance fund receives it, except
     * for the part in `commissionToTarget`.
     */
    commission: units.money,
    /** Part that `to` receives: the share of an ADL counterparty, otherwise 0. */
    commissionToTarget: unless(noMoney, units.money),
    /** Cash of `from` and of `to` in the base currency of spot after the transfer; 0 for contracts. */
    fromBase: unless(noMoney, units.money),
    toBase: unless(noMoney, units.money),
  },
  /**
   * Money moved between two accounts of the same main account, or between a bankrupt account and the insurance fund,
   * which converts one currency into another (market.md 3.7).
   */
  transfer: {
    /** Number of the transfer, from 1. */
    transfer: units.count,
    from: units.accountId,
    to: units.accountId,
    currency: eventUnits.currency,
    amount: units.money,
    /** Name that the sender gave the transfer, or null. Requests can use it to find the transfer. */
    nonce: columnOrNull(units.text),
    fromBalance: units.money,
    toBalance: units.money,
  },
  /** A participant of the liquidity support programme was admitted, changed, or removed. */
  lsp_participant: {
    account: units.accountId,
    enabled: units.flag,
    /** Limits of this participant in parts per million of its equity; omitted groups have the default limit. */
    limitsPpm: eventUnits.lspLimits,
  },
  /** A participant's limit of a group was used or changed. */
  lsp: {
    change: plainUnit<LspChange>('change of a limit', protectionChanges),
    account: units.accountId,
    group: eventUnits.lspGroup,
    /** Limit in force, in parts per million of equity, and its used part, in nano USD. */
    limitPpm: units.ppm,
    used: units.money,
    /** Null while no window is open. */
    windowStart: columnOrNull(units.micros),
    windowEnd: columnOrNull(units.micros),
  },
}

/** Codes of their records in the log. */
export const riskCodes = {
  liquidation: 21,
  liquidation_step: 22,
  position_transfer: 23,
  transfer: 24,
  lsp_participant: 25,
  lsp: 26,
} as const satisfies { readonly [Family in keyof typeof riskFamilies]: number }

/** Margins of the liquidated account or currency at one moment, in nano of its currency. */
export interface MarginState extends ColumnsRow<typeof marginColumns> {}

/** One account's side of a position that changed hands. */
export interface TransferSide extends ColumnsRow<typeof sideColumns> {}
