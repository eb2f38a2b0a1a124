/**
 * Random events of risk: liquidations, limits of participants, and transfers without a trade. A part of
 * `random-events.ts`.
 */
import {
  type AccountId,
  type Amount,
  amount,
  type InstrumentId,
  lots,
  micros,
  type Price9,
  type RandomStream,
} from '../../src/core/index.ts'
import { type Event, type EventHeader, type EventOf, lspGroups, type TransferSide } from '../../src/model/index.ts'

/** The accounts and values of an event. */
interface Subject {
  readonly account: AccountId
  readonly other: AccountId
  readonly instrument: InstrumentId
  readonly price: Price9
  readonly money: () => Amount
}

/** Any event of risk, with numbers that need not be consistent. */
export function riskEvent(random: RandomStream, header: EventHeader, of: Subject): Event {
  const { account, other, instrument, price, money } = of
  const size = (): TransferSide['position'] => lots(random.int(-9e7, 9e7))
  const liquidation = {
    ...{ ...header, account, currency: random.pick(['BTC', 'USDC', 'USD'] as const) },
    ...{ round: random.int(1, 30), marginBalance: money(), initial: money() },
    maintenance: money(),
  }
  switch (random.int(0, 6)) {
    case 0:
      return { kind: 'liquidation', change: 'started', ...liquidation, outcome: null }
    case 1: {
      const outcome = random.pick(['healthy', 'flat'] as const)
      return { kind: 'liquidation', change: 'ended', ...liquidation, outcome }
    }
    case 2:
      return {
        ...{ kind: 'liquidation_step', ...liquidation, instrument, price, position: size() },
        ...{ asked: size(), closed: size(), positionMaintenance: money() },
        rule: random.pick(['reduces_delta', 'largest_option', 'close_out'] as const),
        route: random.pick(['book', 'lsp', 'adl', 'fund'] as const),
      }
    case 3: {
      const sent = smallMoney(random)
      return {
        ...{ kind: 'transfer', ...header, from: account, to: other, currency: 'ETH' },
        ...{ transfer: random.int(1, 1e6), nonce: random.pick([null, 'abc']), amount: sent },
        ...{ fromBalance: money(), toBalance: money() },
      }
    }
    case 4:
      return {
        ...{ kind: 'lsp_participant', ...header, account, enabled: random.chance(1, 2) },
        limitsPpm: Object.fromEntries(
          lspGroups.filter(() => random.chance(1, 3)).map((group) => [group, random.int(0, 1e6)]),
        ),
      }
    case 5:
      return limitEvent(random, header, of)
    default:
      return transferEvent(random, header, of)
  }
}

function transferEvent(
  random: RandomStream,
  header: EventHeader,
  { account, other, instrument, price, money }: Subject,
): EventOf<'position_transfer'> {
  const sideOf = (of: AccountId): TransferSide => ({
    ...{ account: of, realized: money(), premium: money(), balance: money() },
    position: lots(random.int(-9e7, 9e7)),
  })
  return {
    ...{ kind: 'position_transfer', ...header, instrument, price },
    reason: random.pick(['move', 'lsp', 'adl', 'close_out', 'allocation'] as const),
    amount: lots(random.int(-9e7, 9e7)),
    ...{ from: sideOf(account), to: sideOf(other) },
    ...{ commission: smallMoney(random), commissionToTarget: smallMoney(random) },
    ...{ fromBase: smallMoney(random), toBase: smallMoney(random) },
  }
}

function limitEvent(random: RandomStream, header: EventHeader, { account, money }: Subject): EventOf<'lsp'> {
  const windowStart = random.chance(1, 3) ? null : header.time
  return {
    ...{ kind: 'lsp', ...header, account, group: random.pick(lspGroups) },
    change: random.pick(['window_opened', 'used', 'failed', 'window_reset', 'disabled'] as const),
    ...{ limitPpm: random.int(0, 2_000_000), used: money(), windowStart },
    windowEnd: windowStart === null ? null : micros(windowStart + 300_000_000),
  }
}

/** Money whose negation also fits 64 bits. */
function smallMoney(random: RandomStream): Amount {
  return amount(BigInt(random.int(0, 1e12)))
}
