/**
 * The globals of strategies: one time zone (UTC), one locale (en-US), virtual time, random numbers from a seed, an
 * empty environment. A global that would act later, act outside or reveal the machine throws an error with its name.
 *
 * They are used in two places: permanently in the realm of a strategy module, and in the process, where the guard
 * installs them while a strategy runs. A realm evaluates the source text of the functions below, so each of them uses
 * only its arguments and the globals of the language, and nothing from this file.
 */

/** The source of time, random numbers and output for virtual globals. */
export interface GlobalsHost {
  /** True while code of a strategy runs; otherwise every replaced global behaves like the original. */
  isActive(): boolean
  /** Virtual time in whole milliseconds since the epoch. */
  millis(): number
  /** A random number in [0, 1). */
  random(): number
  /** The message of a refusal. */
  refusal(name: string): string
  /** Prints the arguments of `console`. */
  print(...what: readonly unknown[]): void
  /** Prints text that was written to a stream. */
  write(bytes: unknown): boolean
}

/** A property and its replacement. */
export interface VirtualGlobal {
  readonly target: object
  readonly name: PropertyKey
  readonly descriptor: PropertyDescriptor
}

type Method = (this: unknown, ...given: readonly unknown[]) => unknown

/** Makes an object that throws an error with its name when it is used, except for the properties of `known`. */
type Refuser = (name: string, known?: object) => object

/** The replaced properties of a realm's globals. */
interface VirtualGlobals {
  readonly globals: readonly VirtualGlobal[]
  readonly refused: Refuser
  /** `process` for packages. Libraries look for features in it and find none. */
  readonly processOfPackages: object
}

/** Functions that replace properties and collect the replacements. */
interface Kit {
  readonly host: GlobalsHost
  readonly globals: VirtualGlobal[]
  readonly refused: Refuser
  /** The locales and options of a call, with the defaults of strategies for missing ones. */
  readonly localesOf: (given: unknown) => unknown[]
  readonly inUtc: (options: unknown) => object
  add(target: object, name: PropertyKey, descriptor: PropertyDescriptor): void
  /** Replaces a method; `within` gets the original and the arguments. */
  replace(
    target: object,
    name: string,
    within: (this: unknown, real: Method, given: readonly unknown[]) => unknown,
  ): void
  replaceGlobal(name: string, virtual: unknown): void
}

/**
 * Lists the properties that differ from the original globals. `names` are globals that are refused completely; `own`
 * moves a function into the realm of the globals.
 */
export function virtualGlobals(host: GlobalsHost, names: Iterable<string>, own: <F>(part: F) => F): VirtualGlobals {
  const kit = own(openKit)(host)
  own(replaceLocales)(kit)
  own(replaceFormats)(kit)
  own(replaceDateMethods)(kit)
  own(replaceDate)(kit)
  own(replaceCrypto)(kit)
  own(replaceConsole)(kit)
  const processOfPackages = own(replaceProcess)(kit)
  for (const name of names) kit.replaceGlobal(name, kit.refused(name))
  return { globals: kit.globals, refused: kit.refused, processOfPackages }
}

function openKit(host: GlobalsHost): Kit {
  const globals: VirtualGlobal[] = []
  const add = (target: object, name: PropertyKey, descriptor: PropertyDescriptor): void => {
    globals.push({
      target,
      name,
      descriptor: { configurable: true, enumerable: false, ...descriptor },
    })
  }

  const refuse = (name: string): never => {
    throw Object.assign(new Error(host.refusal(name)), { code: 'STRATEGY' })
  }
  const refused: Refuser = (name, known) =>
    // A bound function can be called and constructed, and has no property that its proxy would have to report.
    new Proxy(known === undefined ? Object.bind(null) : {}, {
      apply: () => refuse(name),
      construct: () => refuse(name),
      get: (_, key) => {
        if (known !== undefined && Object.hasOwn(known, key)) return Reflect.get(known, key)
        // Loaders, `await` and `instanceof` read these properties.
        if (typeof key === 'symbol' || ['then', '__esModule', 'prototype'].includes(key)) return
        return refuse(`${name}.${key}`)
      },
      has: (_, key) => known !== undefined && Object.hasOwn(known, key),
      ownKeys: () => [],
      getOwnPropertyDescriptor: () => undefined,
      set: (_, key) => refuse(`${name}.${String(key)}`),
      defineProperty: (_, key) => refuse(`${name}.${String(key)}`),
      deleteProperty: (_, key) => refuse(`${name}.${String(key)}`),
    })

  const replace: Kit['replace'] = (target, name, within) => {
    const real: unknown = Reflect.get(target, name)
    if (typeof real !== 'function') return
    const method = real as Method
    const replaced = {
      [name](this: unknown, ...given: readonly unknown[]): unknown {
        return host.isActive() ? Reflect.apply(within, this, [method, given]) : Reflect.apply(method, this, given)
      },
    }
    add(target, name, { value: replaced[name], writable: true })
  }
  const replaceGlobal = (name: string, virtual: unknown): void => {
    const real = Object.getOwnPropertyDescriptor(globalThis, name)
    const get = (): unknown => {
      if (host.isActive()) return virtual
      return real?.get === undefined ? (real?.value as unknown) : real.get.call(globalThis)
    }
    const set = (value: unknown): void => {
      Object.defineProperty(globalThis, name, { value, writable: true, configurable: true })
    }
    add(globalThis, name, { get, set })
  }

  // Locales. The last one in a list replaces unknown ones, instead of the locale of the machine.
  const localesOf = (given: unknown): unknown[] => (given === undefined ? ['en-US'] : [given, 'en-US'].flat())
  const inUtc = (options: unknown): object => {
    const { timeZone = 'UTC', ...others } = (options ?? {}) as Intl.DateTimeFormatOptions
    return { ...others, timeZone }
  }
  return { host, globals, refused, localesOf, inUtc, add, replace, replaceGlobal }
}

function replaceLocales(kit: Kit): void {
  const { localesOf, inUtc } = kit
  for (const target of [Number.prototype, BigInt.prototype]) {
    kit.replace(target, 'toLocaleString', function (real, [locales, options]) {
      return Reflect.apply(real, this, [localesOf(locales), options])
    })
  }
  for (const name of ['toLocaleLowerCase', 'toLocaleUpperCase']) {
    kit.replace(String.prototype, name, function (real, [locales]) {
      return Reflect.apply(real, this, [localesOf(locales)])
    })
  }
  kit.replace(String.prototype, 'localeCompare', function (real, [that, locales, options]) {
    return Reflect.apply(real, this, [that, localesOf(locales), options])
  })
  const dates = Date.prototype
  for (const name of ['toLocaleString', 'toLocaleDateString', 'toLocaleTimeString']) {
    kit.replace(dates, name, function (real, [locales, options]) {
      return Reflect.apply(real, this, [localesOf(locales), inUtc(options)])
    })
  }
}

/** Replaces the constructors of `Intl`. */
function replaceFormats(kit: Kit): void {
  const { localesOf, inUtc } = kit
  for (const name of Object.getOwnPropertyNames(Intl)) {
    const real: unknown = Reflect.get(Intl, name)
    if (typeof real !== 'function' || real.prototype?.resolvedOptions === undefined) continue
    const pinned = ([locales, options]: readonly unknown[]): readonly unknown[] => [
      localesOf(locales),
      name === 'DateTimeFormat' ? inUtc(options) : options,
    ]
    const virtual = new Proxy(real, {
      apply: (target, self, given: unknown[]) =>
        Reflect.apply(target, self, kit.host.isActive() ? pinned(given) : given) as unknown,
      construct: (target, given: unknown[], newTarget) =>
        Reflect.construct(target, kit.host.isActive() ? pinned(given) : given, newTarget) as object,
    })
    kit.add(Intl, name, { value: virtual, writable: true })
    kit.add(real.prototype as object, 'constructor', { value: virtual, writable: true })
  }
  const formats = Intl.DateTimeFormat.prototype
  const format = Object.getOwnPropertyDescriptor(formats, 'format')?.get
  const presentIfNone = (date: unknown): unknown =>
    date === undefined && kit.host.isActive() ? kit.host.millis() : date
  if (format !== undefined) {
    const get = function (this: unknown): unknown {
      const bound = Reflect.apply(format, this, []) as (date: unknown) => string
      return (date: unknown) => bound(presentIfNone(date))
    }
    kit.add(formats, 'format', { get })
  }
  kit.replace(formats, 'formatToParts', function (real, [date]) {
    return Reflect.apply(real, this, [presentIfNone(date)])
  })
}

/** Replaces methods of dates that depend on the time zone by their UTC forms. */
function replaceDateMethods(kit: Kit): void {
  const dates = Date.prototype
  const utc = (name: string): Method => Reflect.get(dates, name) as Method
  for (const part of ['FullYear', 'Month', 'Date', 'Hours', 'Minutes', 'Seconds', 'Milliseconds']) {
    const [get, set] = [utc(`getUTC${part}`), utc(`setUTC${part}`)]
    kit.replace(dates, `get${part}`, function () {
      return Reflect.apply(get, this, [])
    })
    kit.replace(dates, `set${part}`, function (_, given) {
      return Reflect.apply(set, this, given)
    })
  }
  const [day, year, setYear] = [utc('getUTCDay'), utc('getUTCFullYear'), utc('setUTCFullYear')]
  kit.replace(dates, 'getDay', function () {
    return Reflect.apply(day, this, [])
  })
  kit.replace(dates, 'getYear', function () {
    return Number(Reflect.apply(year, this, [])) - 1900
  })
  kit.replace(dates, 'setYear', function (_, [given]) {
    const whole = Math.trunc(Number(given))
    return Reflect.apply(setYear, this, [whole >= 0 && whole <= 99 ? 1900 + whole : whole])
  })
  kit.replace(dates, 'getTimezoneOffset', function () {
    return Number(Reflect.apply(utc('getTime'), this, [])) * 0
  })
  const utcText = utc('toUTCString')
  const zoned = (name: string, textOf: (date: string, time: string) => string): void => {
    kit.replace(dates, name, function () {
      const text = String(Reflect.apply(utcText, this, []))
      const [, weekday, number, month, ofYear, time] = /^(\w+), (\d+) (\w+) (\S+) (\S+) GMT$/.exec(text) ?? []
      if (weekday === undefined) return text
      const zone = 'GMT+0000 (Coordinated Universal Time)'
      return textOf(`${weekday} ${month} ${number} ${ofYear}`, `${time} ${zone}`)
    })
  }
  zoned('toString', (date, time) => `${date} ${time}`)
  zoned('toDateString', (date) => date)
  zoned('toTimeString', (_, time) => time)
}

/** Replaces `Date` by one with virtual current time, which reads times without a zone as UTC. */
function replaceDate(kit: Kit): void {
  const RealDate = Date
  const { getTime } = RealDate.prototype
  const parse = (text: string): number => {
    const hasZone = /[\d\s](?:z|utc?|gmt|[ecmp][sd]t)\b|:\d\d\S*\s*[+-]\d\d?:?(?:\d\d)?\s*(?:\(.*\))?$/i.test(text)
    // The language reads a date without a time as UTC already.
    if (hasZone || /^(?:[+-]\d\d)?\d{4}(?:-\d\d){0,2}$/.test(text)) return RealDate.parse(text)
    const iso = RealDate.parse(`${text}Z`)
    return Number.isNaN(iso) ? RealDate.parse(`${text} UTC`) : iso
  }
  const primitiveOf = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    try {
      return Reflect.apply(getTime, value, [])
    } catch {
      // Not a date: its primitive value.
      const exotic: unknown = Reflect.get(value, Symbol.toPrimitive)
      if (typeof exotic === 'function') return Reflect.apply(exotic as Method, value, ['default'])
      const own: unknown = value.valueOf()
      return typeof own === 'object' ? String(value) : own
    }
  }
  const timeOf = (given: readonly unknown[]): number => {
    if (given.length === 0) return kit.host.millis()
    if (given.length > 1) return RealDate.UTC(...(given as [number, number]))
    const value = primitiveOf(given[0])
    return typeof value === 'string' ? parse(value) : Number(value)
  }
  const now = (): number => (kit.host.isActive() ? kit.host.millis() : RealDate.now())
  const parseHere = (text: unknown): number =>
    kit.host.isActive() ? parse(String(text)) : RealDate.parse(String(text))
  const virtualDate: DateConstructor = new Proxy(RealDate, {
    apply: () => new virtualDate().toString(),
    construct: (target, given: unknown[], newTarget) => {
      const own = kit.host.isActive() ? [timeOf(given)] : given
      return Reflect.construct(target, own, newTarget) as object
    },
    get: (target, name, receiver) =>
      name === 'now' ? now : name === 'parse' ? parseHere : (Reflect.get(target, name, receiver) as unknown),
  })
  kit.replaceGlobal('Date', virtualDate)
  kit.add(RealDate.prototype, 'constructor', { value: virtualDate, writable: true })
}

/** Replaces the sources of random numbers by the strategy's own stream. */
function replaceCrypto(kit: Kit): void {
  kit.replace(Math, 'random', () => kit.host.random())
  const getRandomValues = (array: ArrayBufferView): ArrayBufferView => {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = Math.floor(kit.host.random() * 256)
    return array
  }
  const randomUUID = (): string => {
    const bytes = [...new Uint8Array(getRandomValues(new Uint8Array(16)).buffer)]
    bytes[6] = ((bytes[6] ?? 0) & 15) | 64
    bytes[8] = ((bytes[8] ?? 0) & 63) | 128
    const digits = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('')
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }
  kit.replaceGlobal('crypto', kit.refused('crypto', { getRandomValues, randomUUID }))
}

function replaceConsole(kit: Kit): void {
  const print = (...what: readonly unknown[]): void => kit.host.print(...what)
  const silent = (): void => undefined
  const assert = (isTrue: unknown, ...what: readonly unknown[]): void => {
    if (!isTrue) print('Assertion failed:', ...what)
  }
  const printing = {
    log: print,
    info: print,
    warn: print,
    error: print,
    debug: print,
    trace: print,
  }
  const others = { dir: print, table: print, group: print, groupCollapsed: print, groupEnd: silent }
  kit.replaceGlobal('console', kit.refused('console', { ...printing, ...others, assert }))
}

/** Replaces clocks and the process; returns `process` in the form for packages. */
function replaceProcess(kit: Kit): object {
  kit.replaceGlobal('performance', kit.refused('performance', { now: () => kit.host.millis(), timeOrigin: 0 }))
  const stream = kit.refused('process.stdout', {
    write: (bytes: unknown) => kit.host.write(bytes),
    isTTY: false,
  })
  const hrtime = (): [number, number] => {
    const millis = kit.host.millis()
    return [Math.floor(millis / 1000), (millis % 1000) * 1_000_000]
  }
  hrtime.bigint = () => BigInt(kit.host.millis()) * 1_000_000n
  const ofProcess = {
    argv: [],
    execArgv: [],
    platform: 'linux',
    arch: 'x64',
    version: 'v20.0.0',
    versions: { node: '20.0.0' },
    env: kit.refused('process.env', { NODE_ENV: 'production' }),
    stdout: stream,
    stderr: stream,
    hrtime,
    emitWarning: (...what: readonly unknown[]) => kit.host.print(...what),
  }
  kit.replaceGlobal('process', kit.refused('process', ofProcess))
  return { ...ofProcess, env: { NODE_ENV: 'production' } }
}
