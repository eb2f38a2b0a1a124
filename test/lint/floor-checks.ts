/**
 * Checks that imports follow the floors of the design: down, or within one folder, and into another folder only through
 * its index file. Pure places use no module of Node. Every check is a pure function over texts and returns one line per
 * mistake.
 */

import { builtinModules } from 'node:module'
import { posix } from 'node:path'
import { type Import, importsOf, parseSource, type Sources } from './sources.ts'

export interface FloorTable {
  /** `cli`, a folder such as `src/book`, or a face such as `src/index.ts` → its floor. */
  readonly floorByPlace: ReadonlyMap<string, number>
  /** Places that may not use files, sockets, clocks or the environment. */
  readonly purePlaces: ReadonlySet<string>
}

interface Link {
  readonly path: string
  readonly target: string
  readonly where: string
  readonly typeOnly: boolean
}

/** The entry points of the package, except `pitclock/testing`, which is a folder. */
export const entryPoints = ['src/index.ts', 'src/engine.ts', 'src/feeds.ts', 'src/wire.ts', 'src/node.ts'] as const

/** Folders of `src` that are divided into floors. */
const storeyed: ReadonlySet<string> = new Set(['engine', 'rpc'])

/**
 * The place of a path: `src/book/level.ts` is in `src/book`, `cli/run.ts` in `cli`. In a folder that is divided into
 * floors, `src/engine/state/orders.ts` is in `src/engine/state`, and the folder's index file in `src/engine`.
 */
export function placeOf(path: string): string {
  const [root = '', second = '', third = '', ...deeper] = path.split('/')
  if (root !== 'src') return root
  return storeyed.has(second) && deeper.length > 0 ? `src/${second}/${third}` : `src/${second}`
}

export function unknownPlaces(sources: Sources, table: FloorTable): string[] {
  return [...sources.keys()]
    .filter((path) => !table.floorByPlace.has(placeOf(path)))
    .map((path) => `${path}: ${placeOf(path)} is not in the floor table`)
}

/**
 * Loads the package by its own name, which strategies import; bundles and compiled trees resolve that name to
 * themselves.
 */
const givesTheFaces = 'src/host/strategy-module.ts'

export function brokenImports(sources: Sources): string[] {
  const mistakes: string[] = []
  for (const [path, text] of sources) {
    for (const named of importsOf(parseSource(path, text))) {
      const where = `${path}:${named.line}`
      if (/^pitclock(?:\/|$)/.test(named.specifier)) {
        if (named.isLazy && path === givesTheFaces) continue
        mistakes.push(`${where}: the package imports itself; expected a relative path`)
      } else if (isRelative(named) && !sources.has(resolveFrom(path, named))) {
        mistakes.push(`${where}: expected the .ts path of a file, found ${named.specifier}`)
      }
    }
  }
  return mistakes
}

export function importsAgainstFloors(sources: Sources, table: FloorTable): string[] {
  const mistakes: string[] = []
  for (const { path, target, where } of linksOf(sources)) {
    const from = placeOf(path)
    const to = placeOf(target)
    if (from === to) continue
    const fromFloor = table.floorByPlace.get(from)
    const toFloor = table.floorByPlace.get(to)
    if (fromFloor === undefined || toFloor === undefined) continue // `unknownPlaces` reports these.
    if (toFloor >= fromFloor) {
      mistakes.push(`${where}: ${from} (floor ${fromFloor}) imports ${to} (floor ${toFloor})`)
    }
  }
  return mistakes
}

/**
 * Sources import other folders only through their index files; so do the tests that the caller passes. An index file is
 * an `index.ts`, or a `results.ts` of types alone: its one line of `export type *` exports all types of a file, so that
 * a type of a result needs no second place that names it.
 */
export function importsBehindFaces(sources: Sources): string[] {
  const mistakes: string[] = []
  for (const { path, target, where, typeOnly } of linksOf(sources)) {
    if (placeOf(path) === placeOf(target)) continue
    const isEntryPoint = entryPoints.some((entry) => entry === target)
    const face = faceFor(path, target)
    if (path.startsWith('cli/') && !isEntryPoint) {
      mistakes.push(`${where}: cli imports entry points of the package only, found ${target}`)
    } else if (target === face.replace(/index\.ts$/, 'results.ts')) {
      if (typeOnly) continue
      mistakes.push(`${where}: ${target} is a face of types; expected export type`)
    } else if (!isEntryPoint && target !== face) {
      mistakes.push(`${where}: expected the face ${face}, found ${target}`)
    }
  }
  return mistakes
}

/**
 * The index file through which a file reaches another. The index file of a floor inside a folder is only for that
 * folder.
 */
function faceFor(path: string, target: string): string {
  const folder = target.split('/').slice(0, 2).join('/')
  return path.startsWith(`${folder}/`) ? `${placeOf(target)}/index.ts` : `${folder}/index.ts`
}

/**
 * Files that import each other in a circle, types included: each file of a folder may only import files below it. One
 * line for each circle, from the first of its files.
 */
export function importCircles(sources: Sources): string[] {
  const targets = new Map<string, string[]>([...sources.keys()].map((path) => [path, []]))
  for (const { path, target } of linksOf(sources)) targets.get(path)?.push(target)
  const mistakes: string[] = []
  const done = new Set<string>()
  const way: string[] = []
  const follow = (path: string): void => {
    const at = way.indexOf(path)
    if (at >= 0) mistakes.push([...way.slice(at), path].join(' -> '))
    if (at >= 0 || done.has(path)) return
    way.push(path)
    for (const target of targets.get(path) ?? []) follow(target)
    way.pop()
    done.add(path)
  }
  for (const path of targets.keys()) follow(path)
  return mistakes
}

export function nodeModulesOnPureFloors(sources: Sources, table: FloorTable): string[] {
  const mistakes: string[] = []
  for (const [path, text] of sources) {
    if (!table.purePlaces.has(placeOf(path))) continue
    for (const named of importsOf(parseSource(path, text))) {
      if (isOfNode(named)) {
        mistakes.push(`${path}:${named.line}: a pure folder imports ${named.specifier}`)
      }
    }
  }
  return mistakes
}

/** A browser loads the given entry point, so it must not import a module of Node, not even indirectly. */
export function nodeModulesReachedFrom(face: string, sources: Sources): string[] {
  const mistakes: string[] = []
  const reached = new Set([face])
  for (const path of reached) {
    for (const named of importsOf(parseSource(path, sources.get(path) ?? ''))) {
      if (named.typeOnly) continue
      if (isOfNode(named)) {
        mistakes.push(`${path}:${named.line}: ${face} reaches ${named.specifier}`)
      } else if (isRelative(named)) {
        reached.add(resolveFrom(path, named))
      }
    }
  }
  return mistakes
}

/** Relative imports that lead to an existing file. */
function linksOf(sources: Sources): Link[] {
  const links: Link[] = []
  for (const [path, text] of sources) {
    for (const named of importsOf(parseSource(path, text))) {
      const target = resolveFrom(path, named)
      if (!isRelative(named) || !sources.has(target)) continue
      const { line, typeOnly } = named
      links.push({ path, target, where: `${path}:${line}`, typeOnly })
    }
  }
  return links
}

function isRelative(named: Import): boolean {
  return named.specifier.startsWith('.')
}

function isOfNode(named: Import): boolean {
  return named.specifier.startsWith('node:') || builtinModules.includes(named.specifier)
}

function resolveFrom(path: string, named: Import): string {
  return posix.join(posix.dirname(path), named.specifier)
}
