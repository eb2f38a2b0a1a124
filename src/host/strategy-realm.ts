/**
 * The realm of a strategy module: a `node:vm` context with separate globals. They are virtual from the first line of
 * the module on, `new Function` and the constructors of its functions give no access to others, and the globals of the
 * process stay unchanged.
 *
 * A module gets the globals of the language as parameters of the function around it, because a lookup in the global
 * object of a context costs a hundred times as much as a lookup of a variable. `instanceof` treats objects of the
 * process and of the realm alike.
 */
import assert from 'node:assert'
import { Buffer } from 'node:buffer'
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import events from 'node:events'
import { posix } from 'node:path'
import querystring from 'node:querystring'
import stringDecoder from 'node:string_decoder'
import url from 'node:url'
import util from 'node:util'
import { createContext, Script } from 'node:vm'
import { type GlobalsHost, virtualGlobals } from './strategy-globals.ts'

/** The function of a module. */
type ModuleFunction = (...parts: readonly unknown[]) => unknown

/** A file of a strategy that is compiled. */
interface ModuleText {
  readonly code: string
  readonly path: string
  readonly isAsync: boolean
  /** True for a file of a package. */
  readonly isPackage: boolean
}

/** Separate globals for one strategy module and its imports. */
export interface Realm {
  /** Compiles a module to a function with the parameters `MODULE_PARTS`. */
  compile(text: ModuleText): ModuleFunction
  parseJson(text: string): unknown
  /** A module of Node, such as `node:util`. Modules that reveal the machine throw when they are used. */
  builtin(name: string): unknown
}

const MODULE_PARTS = 'exports, require, module, __filename, __dirname, jitiImport, jitiESMResolve'

/** Globals that behave the same on any machine, at any time. */
const SHARED = {
  URL,
  URLSearchParams,
  TextEncoder,
  TextDecoder,
  structuredClone,
  atob,
  btoa,
  Buffer,
}
/** Globals that `virtualGlobals` provides. */
const VIRTUAL: readonly string[] = ['process', 'console', 'crypto', 'performance']
/** Names that cannot be parameters of the function around a module. */
const UNBOUND: readonly string[] = ['eval', 'undefined', 'globalThis', 'Infinity', 'NaN']
/** Globals that reveal time, garbage collection or the machine. Some versions of Node lack some of them. */
const REFUSED: readonly string[] = [
  'Atomics',
  'EventSource',
  'FinalizationRegistry',
  'Temporal',
  'WeakRef',
  'WebSocket',
  'Worker',
  'localStorage',
  'navigator',
  'sessionStorage',
]
/** Modules of Node that behave the same on any machine, at any time. */
const pure: Readonly<Record<string, object>> = {
  assert,
  buffer: { Buffer, atob, btoa },
  events,
  path: { ...posix, resolve: (...parts: readonly string[]) => posix.resolve('/', ...parts) },
  querystring,
  string_decoder: stringDecoder,
  url,
  util,
}

/** Opens a realm whose globals use `host`; `isRunning` returns true while code of the strategy is on the stack. */
export function openRealm(host: GlobalsHost, isRunning: () => boolean): Realm {
  const context = createContext({}, { name: 'strategy' })
  const evaluate = (code: string): unknown => new Script(code, { filename: 'node:pitclock' }).runInContext(context)
  const own = evaluate('globalThis') as typeof globalThis
  const intrinsics = Object.getOwnPropertyNames(own).filter((name) => !UNBOUND.includes(name))
  for (const [name, value] of Object.entries(SHARED)) {
    Object.defineProperty(own, name, { value, writable: true, configurable: true })
  }
  const missing = Object.getOwnPropertyNames(globalThis).filter((name) => !Object.hasOwn(own, name))
  const names = new Set([...missing.filter((name) => !VIRTUAL.includes(name)), ...REFUSED])
  // Evaluated from the source texts of the functions, so that everything they create belongs to the realm.
  const inRealm = <F>(part: F): F => evaluate(`(${String(part)})`) as F
  const { globals, refused, processOfPackages } = virtualGlobals(host, names, inRealm)
  for (const { target, name, descriptor } of globals) {
    Object.defineProperty(target, name, descriptor)
  }
  inRealm(furnishRealm)(globalThis, isRunning)
  const parameters = [...intrinsics, 'process'].join(', ')
  const values = intrinsics.map((name) => Reflect.get(own, name) as unknown)
  const { process, performance, console } = own
  const { getRandomValues, randomUUID } = own.crypto
  const hashes = { createHash, createHmac, timingSafeEqual, getRandomValues, randomUUID }
  const virtual: Readonly<Record<string, object>> = {
    process,
    console,
    crypto: refused('node:crypto', hashes),
    perf_hooks: refused('node:perf_hooks', { performance }),
  }
  return {
    compile: ({ code, path, isAsync, isPackage }) => {
      const asynchronous = isAsync ? 'async ' : ''
      const head = `(function (${parameters}) { return ${asynchronous}function (${MODULE_PARTS}) {`
      const script = new Script(`${head}\n${code}\n}})`, { filename: path, lineOffset: -1 })
      const outer = script.runInContext(context) as ModuleFunction
      // The script above evaluates to such a function.
      return outer(...values, isPackage ? processOfPackages : process) as ModuleFunction
    },
    parseJson: (text) => own.JSON.parse(text) as unknown,
    builtin: (given) => {
      const name = given.replace(/^node:/, '').replace(/^path\/posix$/, 'path')
      const found = pure[name]
      return found ?? asModule(virtual[name] ?? refused(`node:${name}`))
    },
  }
}

/** Makes a module of an object, which is also its default export. */
function asModule(object: object): object {
  return new Proxy(object, {
    get: (_, key) => key === '__esModule' || (key === 'default' ? object : (Reflect.get(object, key) as unknown)),
  })
}

/** Makes `instanceof` in the realm accept objects of the process, and hides the paths of files from its code. */
function furnishRealm(outside: typeof globalThis, isRunning: () => boolean): void {
  const ordinary = Function.prototype[Symbol.hasInstance]
  for (const name of Object.getOwnPropertyNames(outside)) {
    const inner: unknown = Reflect.get(globalThis, name)
    const isClass = typeof inner === 'function' && Object.hasOwn(inner, 'prototype')
    if (!isClass || name === 'Date' || !/^[A-Z]/.test(name)) continue
    const other = Object.getOwnPropertyDescriptor(outside, name)?.value as unknown
    if (typeof other !== 'function' || other === inner) continue
    const value = function (this: unknown, object: unknown): boolean {
      const isOwn = Reflect.apply(ordinary, this, [object])
      return isOwn || (this === inner && Reflect.apply(ordinary, other, [object]))
    }
    Object.defineProperty(inner, Symbol.hasInstance, { value, configurable: true })
  }
  Error.prepareStackTrace = (error, frames) => {
    const isHidden = isRunning()
    const lines = frames.flatMap((frame) => {
      if (!isHidden) return [`    at ${String(frame)}`]
      const file = frame.getFileName() ?? ''
      if (/^node:|\/dist\/|\/src\/(?:backtest|host|rpc)\//.test(file)) return []
      const place = `${file.replace(/^.*[/\\]/, '')}:${frame.getLineNumber()}:${frame.getColumnNumber()}`
      return [`    at ${frame.getFunctionName() ?? '<anonymous>'} (${place})`]
    })
    return [String(error), ...lines].join('\n')
  }
}
