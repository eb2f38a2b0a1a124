/**
 * Loads a strategy module and its imports, each file once, in a separate realm.
 *
 * jiti finds the file of an import and translates TypeScript and ES modules into functions with CommonJS parameters;
 * CommonJS files run unchanged. `entries` replace imports with these names. Nothing is written to the disk. Known
 * limit: a CommonJS file cannot use `import()`.
 */
import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, extname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Jiti } from 'jiti'
import { coded } from '../core/index.ts'
import type { Realm } from './strategy-realm.ts'

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
export function createLoader(parts: LoaderParts): (path: string) => Promise<unknown> {
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
