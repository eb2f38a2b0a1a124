/** Runs commands through the straight path, or through the general code alone. */

import { lots, sequence, ticks } from '../../src/core/index.ts'
import { apply, createExchange, stateHash } from '../../src/engine/index.ts'
import { type Command, type EditOrder, type EventSink, fanOut } from '../../src/model/index.ts'
import { createResultsSink, pureSha256, type RunDigest } from '../../src/results/index.ts'
import { configOf, type World } from './command-world.ts'

/** The log of a run, byte for byte, the digests of its tables, and the hash of its final state. */
export interface PathOutcome extends RunDigest {
  readonly log: Buffer
  readonly hash: string
}

/** Runs commands. With `beside` the general code applies all of them, and `beside` sees the events as objects. */
export function runPath(world: World, commands: readonly Command[], beside: EventSink | null): PathOutcome {
  const pieces: Uint8Array[] = []
  const results = createResultsSink({
    sha256: pureSha256,
    onBlock: () => undefined,
    onLog: (records) => pieces.push(records.slice()),
  })
  const exchange = createExchange(configOf(world), results)
  if (world.skipsAll) exchange.skipFrom = -1
  exchange.orders.forcesRare = beside !== null
  const sink = beside === null ? results : fanOut([results, beside])
  for (const command of commands) apply(exchange, command, sink)
  const digests = results.finish()
  return { log: Buffer.concat(pieces), hash: stateHash(exchange), ...digests }
}

/** True if both paths give the same log and the same state. */
export function pathsAgree(world: World, commands: readonly Command[]): boolean {
  const general = runPath(world, commands, { emit: () => undefined })
  try {
    const straight = runPath(world, commands, null)
    return straight.log.equals(general.log) && straight.hash === general.hash
  } catch {
    return false
  }
}

/**
 * The commands with further edits after each edit: of an order that becomes reduce-only and back, to a price that may be
 * between grid points, and to a size of one lot, which may be below the smallest order.
 */
export function withMoreEdits(commands: readonly Command[]): readonly Command[] {
  const more = commands.flatMap((command): readonly Command[] => {
    if (command.kind !== 'edit_order' || command.fault !== null) return [command]
    const same: EditOrder = { ...command, amount: null, price: null, postOnly: null, reduceOnly: null, display: null }
    const moved = command.price === null ? null : ticks(command.price + 1)
    return [
      ...[command, { ...same, reduceOnly: true }, { ...same, price: moved }, { ...same, reduceOnly: false }],
      ...[
        { ...same, price: moved },
        { ...same, amount: lots(1) },
      ],
    ]
  })
  return more.map((command, at) => ({ ...command, sequence: sequence(at + 1) }))
}
