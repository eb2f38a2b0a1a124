/**
 * Strategy modules: TypeScript or JavaScript files whose default export is a strategy.
 *
 * Each strategy of a run loads its module into a new realm with virtual globals, so that variables of a module do not
 * pass from run to run. An import of `pitclock` there gets this package. The realm protects against mistakes, not
 * against attackers: a module is code and may do whatever its owner may do.
 *
 * A realm loads each file once. jiti finds the file of an import and translates TypeScript and ES modules into functions
 * with CommonJS parameters; CommonJS files run unchanged. `entries` replace imports with these names. Nothing is written
 * to the disk. Known limit: a CommonJS file cannot use `import()`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, extname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Jiti } from 'jiti'
import {
  type GuardedSeat,
  isStrategyDefinition,
  type StrategyDefinition,
  type StrategyGuard,
} from '../backtest/index.ts'
import { coded, err, type InputError, isError, ok, type Result } from '../core/index.ts'
import { globalsHost } from './strategy-guard.ts'
import { openRealm, type Realm } from './strategy-realm.ts'

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

interface LoaderParts {
  readonly createJiti: (id: string, options: object) => Jiti
  readonly realm: Realm
  /** The folder relative to which strategies see the paths of their files. */
  readonly folder: string
  /** Modules by import name. */
  readonly entries: Readonly<Record<string, object>>
}

interface LoadedModule {
  exports: unknown
}

/** A syntax error of a module, as reported by jiti. */
interface TextMistake {
  readonly line: number
  readonly column: number
  readonly code: string
  readonly message: string
}

const TYPESCRIPT = /\.[cm]?tsx?$/
const ES_SYNTAX =
  /(?:^|[\s;])(?:import[\s\w*,{}$]*from|import\s*["'*{]|export\b\s*(?:[*{]|default|class|type|function|const|var|let|async function))|\bimport\.meta\b/m

/** Returns a function that imports a file by its path. */
function createLoader(parts: LoaderParts): (path: string) => Promise<unknown> {
  const { createJiti, realm, entries } = parts
  const modules = new Map<string, LoadedModule>()

  /** Resolves an import: an entry with that name, otherwise the path of a file. */
  const find = (name: string, parent: string, isAsync: boolean): { path: string } | { found: unknown } => {
    if (Object.hasOwn(entries, name)) return { found: entries[name] }
    if (isBuiltin(name)) return { found: realm.builtin(name) }
    const jiti = createJiti(parent, OPTIONS)
    const path = isAsync ? jiti.esmResolve(name) : jiti.resolve(name)
    return { path: path.startsWith('file:') ? fileURLToPath(path) : path }
  }

  const load = (path: string, isAsync: boolean): unknown => {
    const known = modules.get(path)
    if (known !== undefined) return known.exports
    const text = readFileSync(path, 'utf8')
    if (extname(path) === '.json') {
      const module = { exports: realm.parseJson(text) }
      modules.set(path, module)
      return module.exports
    }
    const isTranslated = isEsModule(path, text)
    const module: LoadedModule = { exports: realm.parseJson('{}') }
    modules.set(path, module)
    const place = placeOf(parts.folder, path)
    const call = realm.compile({
      code: isTranslated ? translated(path, place, text, isAsync) : text.replace(/^#!/, '//'),
      path,
      isAsync: isTranslated && isAsync,
      isPackage: path.includes('/node_modules/'),
    })
    const importName = async (name: string): Promise<unknown> => {
      const import_ = find(String(name), path, true)
      return 'found' in import_ ? import_.found : await load(import_.path, true)
    }
    const requireName = (name: string): unknown => {
      const required = find(String(name), path, false)
      return 'found' in required ? required.found : load(required.path, false)
    }
    // Serves `import.meta.resolve`. Modules that the program provides have no file.
    const resolveName = (name: string): string => {
      const found = find(String(name), path, true)
      return 'found' in found ? String(name) : pathToFileURL(placeOf(parts.folder, found.path)).href
    }
    const done = Reflect.apply(call, module.exports, [
      module.exports,
      requireName,
      module,
      place,
      dirname(place),
      importName,
      resolveName,
    ])
    const finish = (): unknown => {
      if (!isTranslated) module.exports = withDefault(module.exports)
      return module.exports
    }
    return isTranslated && isAsync ? (done as Promise<unknown>).then(finish) : finish()
  }

  const translated = (path: string, place: string, source: string, isAsync: boolean): string => {
    const jiti = createJiti(path, OPTIONS)
    const ts = TYPESCRIPT.test(path)
    const code = jiti.transform({ source, filename: place, ts, async: isAsync })
    const failed = /^exports\.__JITI_ERROR__ = (\{.*\})$/s.exec(code.trim())
    if (failed === null) return code
    const { line, column, message } = JSON.parse(failed[1] ?? '') as TextMistake
    throw coded(new SyntaxError(`${message} ${path}:${line}:${column}`), 'STRATEGY')
  }

  return async (path) => await load(path, true)
}

const OPTIONS = { fsCache: false, moduleCache: false }

/** True for a file whose imports or types must be translated. */
function isEsModule(path: string, text: string): boolean {
  if (/\.[cm]?ts$|\.mjs$/.test(path)) return true
  if (path.endsWith('.cjs')) return false
  return ES_SYNTAX.test(text) || typeOfPackage(dirname(path)) === 'module'
}

function typeOfPackage(folder: string): unknown {
  const manifest = join(folder, 'package.json')
  if (existsSync(manifest)) {
    return (JSON.parse(readFileSync(manifest, 'utf8')) as { readonly type?: unknown }).type
  }
  return dirname(folder) === folder ? undefined : typeOfPackage(dirname(folder))
}

/** The path of a file as its code sees it: independent of the location of the folder. */
function placeOf(folder: string, path: string): string {
  return `/${relative(folder, path).replaceAll('\\', '/')}`.replaceAll('/..', '')
}

/** CommonJS exports translated from an ES module, with a default export if the module names none. */
function withDefault(exports: unknown): unknown {
  if (typeof exports !== 'object' || exports === null) return exports
  if (!('__esModule' in exports) || 'default' in exports) return exports
  return Object.assign(Object.create(exports) as object, { default: exports })
}
