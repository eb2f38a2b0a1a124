/**
 * Strategy modules: TypeScript or JavaScript files whose default export is a strategy.
 *
 * Each strategy of a run loads its module into a new realm with virtual globals, so that variables of a module do not
 * pass from run to run. An import of `pitclock` there gets this package. The realm protects against mistakes, not
 * against attackers: a module is code and may do whatever its owner may do.
 */
import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import {
  type GuardedSeat,
  isStrategyDefinition,
  type StrategyDefinition,
  type StrategyGuard,
} from '../backtest/index.ts'
import { coded, err, type InputError, isError, ok, type Result } from '../core/index.ts'
import { globalsHost } from './strategy-guard.ts'
import { createLoader } from './strategy-loader.ts'
import { openRealm } from './strategy-realm.ts'

const EXTENSIONS: readonly string[] = ['.ts', '.mts', '.js', '.mjs']

/** A module to load. */
interface StrategyFile {
  readonly module: string
  readonly directory: string
  /** The guard of the run. */
  readonly guard: StrategyGuard
  /** Time and random numbers while the module is loaded. */
  readonly seat: GuardedSeat
}

/** The strategy of a module, or the mistake in it. */
export async function loadStrategy({
  module,
  directory,
  guard,
  seat,
}: StrategyFile): Promise<Result<StrategyDefinition<unknown>, InputError>> {
  const path = resolve(directory, module)
  if (!EXTENSIONS.includes(extname(path))) {
    return err({
      code: 'STRATEGY',
      file: module,
      expected: `a module (${EXTENSIONS.join(', ')})`,
      found: module,
    })
  }
  if (!existsSync(path)) {
    return err({
      code: 'STRATEGY',
      file: path,
      expected: 'a strategy module',
      found: 'no such file',
    })
  }
  const { createJiti } = await import('jiti')
  // These are the loaded modules themselves, so that no strategy module translates the package again.
  const entries = withHomes({
    pitclock: await import('pitclock'),
    'pitclock/engine': await import('pitclock/engine'),
    'pitclock/feeds': await import('pitclock/feeds'),
    'pitclock/wire': await import('pitclock/wire'),
    'pitclock/node': await import('pitclock/node'),
  })
  let loading: GuardedSeat | null = seat
  const isRunning = (): boolean => guard.seat !== null || loading !== null
  const host = { ...globalsHost(guard, () => loading), isActive: () => true }
  const realm = openRealm(host, isRunning)
  const load = createLoader({ createJiti, realm, folder: directory, entries })
  let loaded: unknown
  try {
    loaded = await ended(load(path))
  } catch (error) {
    const message = isError(error) ? error.message : String(error)
    const found = message.replaceAll(/\s+/g, ' ').trim()
    return err({
      code: 'STRATEGY',
      file: path,
      expected: 'a module that loads without an error',
      found,
    })
  } finally {
    loading = null
  }
  const strategy = defaultOf(loaded)
  if (isStrategyDefinition(strategy)) return ok(strategy)
  const expected = 'a default export made by defineStrategy'
  const found = strategy === undefined ? 'none' : typeof strategy
  return err({ code: 'STRATEGY', file: path, expected, found })
}

/** The default export of a module; for CommonJS all of its exports. */
function defaultOf(loaded: unknown): unknown {
  if (typeof loaded !== 'object' || loaded === null) return loaded
  return '__esModule' in loaded || 'default' in loaded ? Reflect.get(loaded, 'default') : loaded
}

/**
 * Wraps entry points so that each refuses a name that another one exports, and says which. A plain import would give
 * undefined.
 */
function withHomes(entries: Readonly<Record<string, object>>): Record<string, object> {
  const guarded = Object.entries(entries).map(([name, entry]) => {
    const refuse = (key: string | symbol): void => {
      if (Reflect.has(entry, key)) return
      const home = Object.keys(entries).find((other) => Reflect.has(entries[other] ?? {}, key))
      if (home !== undefined) {
        throw coded(new Error(`${name} has no ${String(key)}; import it from ${home}`), 'STRATEGY')
      }
    }
    const handler: ProxyHandler<object> = {
      // The loader checks that a name exists before it reads it.
      has: (target, key) => {
        refuse(key)
        return Reflect.has(target, key)
      },
      get: (target, key) => {
        refuse(key)
        return Reflect.get(target, key)
      },
    }
    return [name, new Proxy(entry, handler)] as const
  })
  return Object.fromEntries(guarded)
}

/** A module that waits longer than this is treated as one that never ends. */
const LOAD_SECONDS_MAX = 60

/**
 * The exports of a module. Fails if the module waits for something that never comes: the process has no other work, or
 * the loading takes more than `LOAD_SECONDS_MAX`.
 */
async function ended(loading: Promise<unknown>): Promise<unknown> {
  let giveUp: (error: Error) => void = () => undefined
  const never = new Promise<never>((_, reject) => {
    giveUp = reject
  })
  const onIdle = (): void => giveUp(new Error('an await at its top level that never ends'))
  const onLate = (): void => giveUp(new Error(`it did not finish within ${LOAD_SECONDS_MAX} s`))
  process.once('beforeExit', onIdle)
  const timer = setTimeout(onLate, LOAD_SECONDS_MAX * 1000).unref()
  try {
    return await Promise.race([loading, never])
  } finally {
    clearTimeout(timer)
    process.off('beforeExit', onIdle)
  }
}
