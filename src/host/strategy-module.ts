/**
 * Strategy modules: TypeScript or JavaScript files whose default export is a strategy.
 *
 * They are loaded through jiti, which strips the types; `pitclock` in them is this very package. A
 * module is loaded once for each run, so that what it keeps outside of its strategy does not pass from
 * run to run. Nothing is written to the disk. A module is code: it may do whatever its owner may.
 */
import { existsSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { isStrategyDefinition, type StrategyDefinition } from '../backtest/index.ts'
import { coded, err, type InputError, ok, type Result } from '../core/index.ts'
import { whileLoading } from './strategy-guard.ts'

const EXTENSIONS: readonly string[] = ['.ts', '.mts', '.js', '.mjs']

/** The strategy of a module, or what is wrong with it. */
export async function loadStrategy(
  module: string,
  directory: string,
): Promise<Result<StrategyDefinition<unknown>, InputError>> {
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
      expected: 'the module of a strategy',
      found: 'no such file',
    })
  }
  const { createJiti } = await import('jiti')
  const virtualModules = withHomes({
    // As they are loaded already, so that no module translates the package again.
    pitclock: await import('pitclock'),
    'pitclock/engine': await import('pitclock/engine'),
    'pitclock/feeds': await import('pitclock/feeds'),
    'pitclock/wire': await import('pitclock/wire'),
    'pitclock/node': await import('pitclock/node'),
  })
  const jiti = createJiti(import.meta.url, { virtualModules, fsCache: false, moduleCache: false })
  let loaded: unknown
  try {
    const load = async (): Promise<unknown> => await ended(jiti.import(path, { default: true }))
    loaded = await whileLoading(module, load)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    // The loader tells the place of a mistake in lines of its own.
    const found = message.replaceAll(/\s+/g, ' ').trim()
    return err({ code: 'STRATEGY', file: path, expected: 'a module that loads', found })
  }
  if (isStrategyDefinition(loaded)) return ok(loaded)
  const expected = 'a default export made by defineStrategy'
  return err({
    code: 'STRATEGY',
    file: path,
    expected,
    found: loaded === undefined ? 'none' : typeof loaded,
  })
}

/** Entry points of which each refuses what another one has, and names that: an import alone would be undefined. */
function withHomes(entries: Readonly<Record<string, object>>): Record<string, object> {
  const guarded = Object.entries(entries).map(([name, entry]) => {
    const refuse = (key: string | symbol): void => {
      if (Reflect.has(entry, key)) return
      const home = Object.keys(entries).find((other) => Reflect.has(entries[other] ?? {}, key))
      if (home !== undefined) {
        throw coded(new Error(`${name} has no ${String(key)}, ${home} has it`), 'STRATEGY')
      }
    }
    const handler: ProxyHandler<object> = {
      // The loader asks whether there is such a name before it reads it.
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

/** A module that waits longer than this is taken for one that never ends. */
const LOAD_SECONDS_MAX = 60

/**
 * The exports of a module, unless it waits for something that never comes: then nothing is left to do in the process,
 * or something else keeps it alive beyond all patience.
 */
async function ended(loading: Promise<unknown>): Promise<unknown> {
  let giveUp: (error: Error) => void = () => undefined
  const never = new Promise<never>((_, reject) => {
    giveUp = reject
  })
  const onIdle = (): void => giveUp(new Error('an await at its top level that never ends'))
  const onLate = (): void => giveUp(new Error(`it was not done after ${LOAD_SECONDS_MAX} s`))
  process.once('beforeExit', onIdle)
  const timer = setTimeout(onLate, LOAD_SECONDS_MAX * 1000).unref()
  try {
    return await Promise.race([loading, never])
  } finally {
    clearTimeout(timer)
    process.off('beforeExit', onIdle)
  }
}
