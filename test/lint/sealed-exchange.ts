/**
 * The fields of an exchange are sealed outside the engine. `tsconfig.faces.json` compiles this file with everything
 * above the engine, against declarations that leave the fields out: an error below that is no longer one fails it.
 */
import { type Exchange, stateHash, timeOf } from '../../src/engine.ts'

/** Reads an exchange as it must not be read; nobody calls it. */
export function readSealed(exchange: Exchange): unknown {
  // @ts-expect-error the clock is told by a view.
  const { now } = exchange
  // @ts-expect-error rows are the engine's.
  const rows = exchange.instruments
  // @ts-expect-error nobody else makes an exchange.
  const hash = stateHash({})
  return [timeOf(exchange), now, rows, hash]
}
