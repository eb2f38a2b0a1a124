/**
 * The comparison of the two paths of plain orders (`plain-orders.test.ts`) finds a mistake in each branch of the
 * straight path: this test removes one condition or step at a time from the sources, and random runs must differ.
 *
 * Each mistake needs a bundle of the engine and some runs, which takes a few seconds. The random runs do not find a cancel
 * by an account in liquidation, because a liquidation ends almost all orders of its account at once.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import fc from 'fast-check'
import { rolldown } from 'rolldown'
import { afterAll, describe, expect, test } from 'vitest'
import { type pathsAgree, withMoreEdits } from '../support/both-paths.ts'
import { commandsOf, intentArbitrary, worldArbitrary } from '../support/command-stream.ts'
import { type PlantedEdit, planting } from '../support/planted-edit.ts'
import { sampleOf } from '../support/property-runs.ts'
import { repository } from '../support/repository.ts'

/** A part of a source that a mistake leaves out or replaces. */
interface Mistake extends PlantedEdit {
  readonly says: string
}

function inStraight(says: string, part: string, by = ''): Mistake {
  return { says, file: 'src/engine/market/straight.ts', part, by }
}

function inApply(says: string, part: string, by = ''): Mistake {
  return { says, file: 'src/engine/spine/apply.ts', part, by }
}

const mistakes: readonly Mistake[] = [
  inApply('faults of requests', 'command.fault !== null || '),
  inApply('due timers', ' || isDue(exchange, time)'),
  inApply('the clock', '  exchange.now = time\n'),
  inApply(
    'follow-up work',
    '  emitDone(turn, cause, oneDone)\n  drainWork(turn)\n',
    '  emitDone(turn, cause, oneDone)\n',
  ),
  inStraight('linked orders', '    command.linked === plain.linked &&\n'),
  inStraight('icebergs', '    Object.is(command.display, plain.display) &&\n'),
  inStraight('deadlines', '    command.validUntil === plain.validUntil &&\n'),
  inStraight(
    'participants and locked accounts',
    '  if (exchange.participants.size > 0 || owner.isRestricted) return false\n',
  ),
  inStraight('closed books', "row.state !== 'open' || "),
  inStraight('missing marks', ' || !isMarked(row)'),
  inStraight('third-party exchanges', ' && row.instrument.routeDelay === null'),
  inStraight('sizes', '!entered.ok || sizeRefusal(row, amount) !== null', '!entered.ok'),
  inStraight(
    'post-only',
    "  if (postOnly !== 'off' && wouldTake(entry.row.book, entry.side, entry.price)) return false\n",
  ),
  inStraight('price bands', '  if (bandRefusal(exchange, row, side, price) !== null) return null\n'),
  inStraight(
    'reduce-only',
    '  if (reduceOnly && reduceOnlyRefusal(exchange, row, account, side) !== null) return null\n',
  ),
  inStraight('open orders', '  if (limitRefusal(exchange, owner, row, 1) !== null) return null\n'),
  inStraight('self-matches', '  if (mayMeetOwn(exchange, owner, entry)) return false\n'),
  inStraight('funds', 'return fundsRefusal(exchange, entry, null) === null', 'return true'),
  inStraight('the first event', '  announce(turn, row, slot)\n'),
  inStraight('orders of others', ' && ownerOf(exchange.slots, slot) === account'),
  inStraight('edits of rare terms', ' || rareChanges.some((term) => command[term] !== null)'),
  inStraight('edits that make an order reduce-only', ' || command.reduceOnly === true'),
  inStraight('edits of reduce-only orders', ' || order.reduceOnly'),
  inStraight('prices between grid points', ' && isOnGrid(row.instrument, limit)'),
  inStraight('edits below the filled size', '  if (rest <= 0) return null\n'),
  inStraight('edited sizes', '(amount) || sizeRefusal(row, amount) !== null', '(amount)'),
  inStraight(
    'price bands of edits',
    '  if (price !== before && bandRefusal(exchange, row, side, price) !== null) return null\n',
  ),
  inStraight('a kept post-only', 'command.postOnly ?? order.postOnly', "command.postOnly ?? 'off'"),
  inStraight('cancels in closed books', "mayCancel && instrumentOf(exchange, slot).state === 'open'", 'mayCancel'),
]

const folder = mkdtempSync(join(tmpdir(), 'pitclock-mistakes-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Bundles the comparison with a mistake in the engine; without one if null. */
async function compared(mistake: Mistake | null, name: string): Promise<typeof pathsAgree> {
  const build = await rolldown({
    input: join(repository, 'test/support/both-paths.ts'),
    platform: 'node',
    external: (id) => !/^[./]/.test(id),
    plugins: mistake === null ? [] : [planting(mistake)],
  })
  const file = join(folder, `${name}.mjs`)
  await build.write({ file, format: 'esm' })
  await build.close()
  return ((await import(pathToFileURL(file).href)) as { readonly pathsAgree: typeof pathsAgree }).pathsAgree
}

const intents = fc.array(intentArbitrary, { minLength: 60, maxLength: 160, size: 'max' })
const runs = fc
  .sample(fc.tuple(worldArbitrary, intents), { numRuns: 100, seed: 18 })
  .map(([world, steps]) => ({ world, commands: withMoreEdits(commandsOf(world, steps)) }))

describe('a mistake on the straight path is found', () => {
  for (const [at, mistake] of sampleOf(mistakes, 2).entries()) {
    test(mistake.says, async () => {
      const agree = await compared(mistake, `${at}`)
      expect(runs.some(({ world, commands }) => !agree(world, commands))).toBe(true)
    })
  }

  test('without a mistake the same runs agree', async () => {
    const agree = await compared(null, 'none')
    expect(runs.slice(0, 20).every(({ world, commands }) => agree(world, commands))).toBe(true)
  })
})
