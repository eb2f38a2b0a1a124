/** Random events of block trades, and random blocks for trades. */
import {
  type AccountId,
  type InstrumentId,
  instrumentId,
  lots,
  type Price9,
  type RandomStream,
} from '../../src/core/index.ts'
import { blockChanges, blockReasons, type EventHeader, type EventOf, type Trade } from '../../src/model/index.ts'

/** An instrument in the role of a combo. */
const combo = instrumentId(0)

/** The block of a trade; null for most trades. */
export function blockOfTrade(random: RandomStream): Trade['block'] {
  if (!random.chance(1, 5)) return null
  return {
    number: random.int(1, 1e6),
    legs: random.int(1, 20),
    combo: random.pick([-1, combo] as const),
  }
}

/** A change of a block trade. */
export function blockEvent(
  random: RandomStream,
  header: EventHeader,
  of: {
    readonly account: AccountId
    readonly instrument: InstrumentId
    readonly price: Price9
  },
): EventOf<'block_trade'> {
  const { account, instrument, price } = of
  return {
    ...{ kind: 'block_trade', ...header, account },
    ...{ change: random.pick(blockChanges), reason: random.pick(blockReasons) },
    role: random.pick(['maker', 'taker'] as const),
    counterparty: random.chance(1, 3) ? -1 : account,
    ...{ timestamp: header.time, nonce: random.pick(['', 'one', 'naïve — 数']) },
    block: random.int(0, 3),
    combo: random.pick([-1, combo] as const),
    legs: [instrument, combo].slice(0, random.int(1, 2)).map((each) => ({
      ...{ instrument: each, side: random.pick(['buy', 'sell'] as const), price },
      amount: lots(random.int(1, 9e6)),
    })),
  }
}
