/**
 * The replay book agrees with its oracle on a recorded session of an inverse perpetual, with orders of the run around
 * its mid price, and satisfies its laws.
 *
 * PITCLOCK_FEED_MESSAGES sets the number of replayed messages, PITCLOCK_SEED the orders.
 */
import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { type RandomStream, randomStream } from '../../src/core/index.ts'
import { askedSeed } from '../support/property-runs.ts'
import { perpetual, recordedFile } from '../support/recorded-feeds.ts'
import { ReplayDuel } from '../support/replay-duel.ts'
import type { WrittenRow } from '../support/replay-market.ts'

const messagesMax = Number(process.env['PITCLOCK_FEED_MESSAGES'] ?? 2_500)
const { seed = 1 } = askedSeed(1)
const accounts = ['ann', 'bob', 'cat']
/** The recorded levels are compared every this many messages, because each side has a thousand of them. */
const LEVELS_EVERY = 100
const LIVE_ORDERS_MAX = 40

/** A recorded message, in ticks of 0.1 and contracts of 100 USD. */
interface Message {
  readonly time: number
  readonly kind: 'book' | 'trades'
  readonly snapshot: boolean
  readonly key: string
  readonly rows: WrittenRow[]
}

/** Reads a file whose first columns are those of Tardis. Rows with the same `local_timestamp` form a message. */
function readMessages(name: string, kind: Message['kind']): Message[] {
  const text = gunzipSync(readFileSync(recordedFile(perpetual.folder, name))).toString()
  const messages: Message[] = []
  for (const line of text.trimEnd().split('\n').slice(1)) {
    const [, , time, local, fifth, word, price, amount] = line.split(',')
    const snapshot = kind === 'book' && fifth === 'true'
    const key = `${local} ${snapshot}`
    if (messages.at(-1)?.key !== key) {
      messages.push({ time: Number(time), kind, snapshot, key, rows: [] })
    }
    const side = word === 'bid' || word === 'buy' ? 'buy' : 'sell'
    const ticks = Math.round(Number(price) * 10)
    messages.at(-1)?.rows.push([side, ticks, Math.round(Number(amount) / 100)])
  }
  return messages
}

/** Both files in the order of time; at equal times trades come first (DESIGN 5). */
function readSession(): Message[] {
  const messages = [...readMessages(perpetual.trades, 'trades'), ...readMessages(perpetual.book, 'book')]
  return messages.sort((a, b) => a.time - b.time)
}

/** Now and then sends an order near the best prices, a cancel or an edit. */
function trade(duel: ReplayDuel, random: RandomStream): void {
  if (!random.chance(1, 4)) return
  const live = duel.live()
  const lots = random.int(1, 30)
  if (live.length > 0 && (live.length > LIVE_ORDERS_MAX || random.chance(1, 3))) {
    const { account, number, price } = random.pick(live)
    if (random.chance(2, 3)) duel.cancel(account, number)
    else duel.edit(account, number, { price: price + random.pick([0, 0, -1, 1, 2]), lots })
    return
  }
  const side = random.pick(['buy', 'sell'] as const)
  const best = duel.naive.prices(side)[0] ?? 0
  const better = random.int(-8, 3)
  duel.place({
    account: random.pick(accounts),
    side,
    type: 'limit',
    timeInForce: 'good_til_cancelled',
    price: side === 'buy' ? best + better : best - better,
    lots,
    postOnly: random.pick(['off', 'off', 'slide']),
  })
}

test('the replay book agrees with its oracle on a recorded session', () => {
  const random = randomStream(seed, 'orders')
  const duel = new ReplayDuel({ selfMatch: 'cancel_maker' }, accounts)
  const session = readSession()
  duel.market.setIndex(session.find(({ kind }) => kind === 'book')?.rows[0]?.[1] ?? 0)
  let isKnown = false
  for (const [at, message] of session.slice(0, messagesMax).entries()) {
    if (message.kind === 'trades') duel.trades(message.rows)
    else duel.book(message.rows, { snapshot: message.snapshot, uncross: false })
    isKnown ||= message.snapshot
    if (isKnown) trade(duel, random)
    if (at % LEVELS_EVERY === 0) duel.compareLevels()
  }
  duel.compareLevels()
  for (const rule of ['print_at_price', 'print_through', 'level_reached', 'level_taken']) {
    expect([rule, duel.seen.get(rule) ?? 0]).not.toEqual([rule, 0])
  }
  if (process.env['PITCLOCK_SEEN'] !== undefined) console.log(duel.seen)
})
