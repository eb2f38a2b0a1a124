/**
 * The fields of an exchange are sealed outside the engine. `tsconfig.faces.json` compiles this file with everything
 * above the engine, against declarations without the fields. An expected error that no longer occurs fails the
 * compilation.
 */
import { type Exchange, stateHash, timeOf } from '../../src/engine.ts'

/** Reads an exchange in a forbidden way; it is never called. */
export function readSealed(exchange: Exchange): unknown {
  // @ts-expect-error the clock is told by a view.
  const { now } = exchange
  // @ts-expect-error rows are the engine's.
  const rows = exchange.instruments
  // @ts-expect-error nobody else makes an exchange.
  const hash = stateHash({})
  return [timeOf(exchange), now, rows, hash]
}
